// SPDX-License-Identifier: BSD-3-Clause
#include "frame/report/TesseraTables.h"

#include "frame/data/TesseraArrays.h"

#include <vtkCellArray.h>
#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkTable.h>

#include <algorithm>
#include <numeric>

namespace tessera {

namespace {

template <typename Array, typename Value>
void Add(vtkTable *table, const std::string &name, const std::vector<Value> &values) {
  vtkNew<Array> column;
  column->SetName(name.c_str());
  column->SetNumberOfValues(static_cast<vtkIdType>(values.size()));
  std::copy(values.begin(), values.end(), column->GetPointer(0));
  table->AddColumn(column);
}

} // namespace

vtkTable *SummaryTable(vtkInformationVector *outputs) {
  return outputs->GetNumberOfInformationObjects() > 1 ? vtkTable::GetData(outputs, 1) : nullptr;
}

void MakeSummaryTable(vtkInformationVector *outputs) {
  if (outputs->GetNumberOfInformationObjects() > 1 && !SummaryTable(outputs)) {
    vtkNew<vtkTable> table;
    outputs->GetInformationObject(1)->Set(vtkDataObject::DATA_OBJECT(), table);
  }
}

void FollowPort(vtkInformation *request, vtkInformationVector *outputs) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  const int ports = outputs->GetNumberOfInformationObjects();
  const int from = request->Has(vtkExecutive::FROM_OUTPUT_PORT())
                       ? request->Get(vtkExecutive::FROM_OUTPUT_PORT())
                       : -1;
  if (!request->Has(Pipeline::REQUEST_UPDATE_EXTENT()) || from < 0 || from >= ports) {
    return;
  }
  vtkInformation *asked = outputs->GetInformationObject(from);
  for (int port = 0; port < ports; ++port) {
    if (port != from) {
      vtkInformation *info = outputs->GetInformationObject(port);
      info->CopyEntry(asked, Pipeline::UPDATE_PIECE_NUMBER());
      info->CopyEntry(asked, Pipeline::UPDATE_NUMBER_OF_PIECES());
      info->CopyEntry(asked, Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS());
      if (asked->Has(Pipeline::UPDATE_TIME_STEP())) {
        info->Set(Pipeline::UPDATE_TIME_STEP(), asked->Get(Pipeline::UPDATE_TIME_STEP()));
      } else {
        info->Remove(Pipeline::UPDATE_TIME_STEP());
      }
    }
  }
}

void AddColumn(vtkTable *table, const std::string &name, const std::vector<vtkIdType> &counts) {
  Add<vtkIdTypeArray>(table, name, counts);
}

void AddColumn(vtkTable *table, const std::string &name, const std::vector<double> &numbers) {
  Add<vtkDoubleArray>(table, name, numbers);
}

void AddLevels(vtkTable *table, const std::vector<vtkIdType> &cells) {
  const double all = static_cast<double>(std::accumulate(cells.begin(), cells.end(), vtkIdType{0}));
  std::vector<vtkIdType> levels(cells.size());
  std::iota(levels.begin(), levels.end(), vtkIdType{0});
  std::vector<double> shares;
  for (const vtkIdType count : cells) {
    shares.push_back(all > 0.0 ? static_cast<double>(count) / all : 0.0);
  }
  AddColumn(table, "Level", levels);
  AddColumn(table, "Cells", cells);
  AddColumn(table, "Share", shares);
}

void PolylineClasses::Add(vtkDataObject *output, ThreadRunner &runner, tsr_error &error) {
  vtkPolyData *data = vtkPolyData::SafeDownCast(output);
  ArrayView points;
  if (!data || data->GetNumberOfLines() == 0 || !points.Set(data->GetPoints()->GetData())) {
    return;
  }
  IndexView lines;
  lines.Set(data->GetLines());
  const tsr_polylines polylines = {points.Get(), lines.Type(), lines.Offsets(),
                                   lines.Connectivity(), lines.NumberOfCells()};
  tsr_polylines_classify(&polylines, runner.Core(), this->Classes, &error);
}

void PolylineClasses::Add(const tsr_polyline_class found[TSR_POLYLINE_CLASSES]) {
  tsr_polyline_classes_add(this->Classes, found);
}

void PolylineClasses::Agree(const tsr_processes &processes) {
  // A failure leaves out the table only; the next step finds out what is wrong.
  tsr_polyline_classes_agree(this->Classes, &processes, nullptr);
}

void PolylineClasses::Fill(vtkTable *table) const {
  const tsr_polyline_class *end = this->Classes + TSR_POLYLINE_CLASSES;
  const auto used = [](const tsr_polyline_class &one) { return one.polylines > 0; };
  const tsr_polyline_class *first = std::find_if(this->Classes, end, used);
  while (end > first && !used(end[-1])) {
    --end;
  }
  std::vector<vtkIdType> from, to, polylines, points, segments;
  std::vector<double> lengths;
  for (const tsr_polyline_class *one = first; one < end; ++one) {
    const int k = static_cast<int>(one - this->Classes);
    from.push_back(tsr_polyline_class_least(k));
    to.push_back(k == 0 ? 0 : 2 * tsr_polyline_class_least(k) - 1);
    polylines.push_back(one->polylines);
    points.push_back(one->points);
    segments.push_back(one->segments);
    lengths.push_back(one->length);
  }
  AddColumn(table, "Segments From", from);
  AddColumn(table, "Segments To", to);
  AddColumn(table, "Polylines", polylines);
  AddColumn(table, "Points", points);
  AddColumn(table, "Segments", segments);
  AddColumn(table, "Length", lengths);
}

} // namespace tessera
