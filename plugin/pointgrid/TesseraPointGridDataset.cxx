// SPDX-License-Identifier: BSD-3-Clause
#include "pointgrid/TesseraPointGridDataset.h"

#include "mpi/TesseraMessages.h"
#include "mpi/TesseraProcesses.h"
#include "pointgrid/TesseraPointGridArrays.h"

#include <vtkDoubleArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

#include <algorithm>
#include <cstdio>

namespace tessera {

PointGridDataset::PointGridDataset(vtkPointSet *data, unsigned int block,
                                   const std::vector<int> &holders,
                                   const PointGridSettings &settings)
    : Data(data), BlockIndex(block), Holders(holders), Set(settings) {}

PointGridDataset::~PointGridDataset() { tsr_pointgrid_plan_free(this->Plan); }

void PointGridDataset::FindArrays(const Processes &processes, WarningList &messages,
                                  tsr_error &error) {
  const vtkIdType points = this->NumberOfPoints();
  const bool several = this->IsShared() && processes.Count() > 1;
  // Points keep the arrays that are not numeric, as long as they stay where they are.
  const bool kept = this->Set.Options.output == TSR_POINTGRID_POINTS && !several;
  this->Numeric = NumericArrays(this->Data->GetPointData(), points, !kept, messages);
  if (this->Set.coordinates && this->Set.Options.output != TSR_POINTGRID_POINTS) {
    this->AddCoordinates(messages);
  }
  if (several) {
    this->Numeric = AgreeOnArrays(this->Numeric, points, processes, messages, error);
  }
}

void PointGridDataset::AddCoordinates(WarningList &messages) {
  vtkPoints *points = this->Data->GetPoints();
  if (!points || points->GetNumberOfPoints() == 0) {
    return;
  }
  const auto same =
      std::find_if(this->Numeric.begin(), this->Numeric.end(),
                   [](vtkDataArray *array) { return NameOf(array) == POINTGRID_COORDINATES; });
  if (same != this->Numeric.end()) {
    messages.Add("The input's point array 'Coordinates' is left out: Generate Coordinates makes "
                 "arrays of its name.");
    this->Numeric.erase(same);
  }
  vtkDataArray *places = points->GetData();
  this->Numeric.emplace_back(vtkSmartPointer<vtkDataArray>::Take(places->NewInstance()));
  this->Numeric.back()->ShallowCopy(places);
  this->Numeric.back()->SetName(POINTGRID_COORDINATES);
}

bool PointGridDataset::FindSpreadArray(tsr_pointgrid_options &options, tsr_error &error) {
  vtkPointData *data = this->Data->GetPointData();
  const std::string &name = this->Set.SpreadArray;
  vtkDataArray *array = name.empty() ? data->GetScalars() : data->GetArray(name.c_str());
  if (!array && name.empty() && !this->Numeric.empty()) {
    array = this->Numeric.front();
  }
  if (!this->Spread.Set(array)) {
    error.status = TSR_BAD_INPUT;
    error.item = -1;
    std::snprintf(error.text, sizeof(error.text),
                  "there is no numeric point array%s for the spread",
                  name.empty() ? "" : (" '" + name + "'").c_str());
    return false;
  }
  options.spread_array = this->Spread.Get();
  return true;
}

bool PointGridDataset::MakePlan(const Processes &processes, const tsr_execution *execution,
                                int64_t limit, tsr_error &error) {
  tsr_pointgrid_view view;
  tsr_pointgrid_options options = this->Set.Options;
  tsr_error missing;
  bool found = true;
  tsr_pointgrid_view_init(&view);
  vtkPoints *points = this->Data->GetPoints();
  if (points && points->GetNumberOfPoints() > 0) {
    vtkSmartPointer<vtkDataArray> places = points->GetData();
    if (places->GetDataType() != VTK_FLOAT && places->GetDataType() != VTK_DOUBLE) {
      places = vtkSmartPointer<vtkDoubleArray>::New();
      places->DeepCopy(points->GetData());
    }
    this->Points.Set(places);
    view.points = this->Points.Get();
    // A copy of another process's point would be counted twice.
    this->Hidden =
        Flagged(this->Data->GetPointData(), this->NumberOfPoints(),
                vtkDataSetAttributes::HIDDENPOINT | vtkDataSetAttributes::DUPLICATEPOINT);
    view.hidden = this->Hidden.empty() ? nullptr : this->Hidden.data();
    // On failure the core is still called, which then refuses: the other processes wait for its
    // messages.
    found = !options.use_spread || options.spread_of != TSR_POINTGRID_SPREAD_OF_ARRAY ||
            this->FindSpreadArray(options, missing);
  }
  if (this->IsShared() && processes.Count() > 1) {
    options.gather = GatherBytes;
    options.exchange = ExchangeBytes;
    options.n_ranks = processes.Count();
    options.rank = processes.Rank();
    this->Owners.assign(static_cast<size_t>(processes.Count()), 0);
    for (const int holder : this->Holders) {
      this->Owners[static_cast<size_t>(holder)] = 1;
    }
    options.owners = this->Owners.data();
  }
  options.limit_cells = limit;
  const bool good =
      tsr_pointgrid_plan_create(&view, &options, execution, &this->Plan, &error) == TSR_OK;
  if (!found) {
    error = missing;
  }
  return good && found;
}

double PointGridDataset::Bytes() const {
  if (this->Set.Options.output != TSR_POINTGRID_POINTS) {
    return this->BytesPerItem() * static_cast<double>(this->Sizes().cells);
  }
  double bytes = 3 * 8.0 + 8.0; // the point and its place among the cells
  for (vtkDataArray *array : this->Numeric) {
    bytes += array->GetNumberOfComponents() * static_cast<double>(array->GetDataTypeSize());
  }
  return bytes * static_cast<double>(this->Sizes().points);
}

double PointGridDataset::BytesPerItem() const {
  double bytes = 200.0; // points, connectivity, offsets, types, and while it is made
  for (vtkDataArray *array : this->Numeric) {
    bytes += array->GetNumberOfComponents() * (8.0 + 2.0 * array->GetDataTypeSize());
  }
  return bytes;
}

} // namespace tessera
