// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridOutput.h"

#include "grid/octree/TesseraGridOctree.h"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkPointData.h>

namespace tessera {

static_assert(sizeof(vtkIdType) == sizeof(int64_t), "VTK has to be built with 64-bit ids");

GridOutput::GridOutput(const GridDataset &dataset, WarningList &messages)
    : Dataset(dataset), Messages(messages) {
  tsr_grid_output_init(&this->Core);
  tsr_report report;
  tsr_grid_plan_report(dataset.CorePlan(), &report);
  this->Filler = WriterOf(report);
}

void GridOutput::AddAttribute(vtkAbstractArray *from, const ArrayView &in, int cellData,
                              vtkAbstractArray *out) {
  this->Inputs.push_back(in);
  this->Inputs.push_back(this->Dataset.SamplesOf(from, cellData != 0));
  this->Largest.push_back({NameOf(out), cellData != 0, 0.0});
  double *error = this->Dataset.Settings().errors ? &this->Largest.back().Largest : nullptr;
  this->Attributes.push_back(
      {in.Get(), cellData, out->GetVoidPointer(0), error, this->Inputs.back().Get()});
}

namespace {

/** The name of an array that goes from `own` among `others`: its own, with `suffix` behind it as
 * often as it takes to be that of none of the others, nor of another one of `own`. */
std::string NameAmong(vtkAbstractArray *array, const char *suffix, vtkDataSetAttributes *own,
                      vtkDataSetAttributes *others) {
  std::string name = NameOf(array);
  bool taken = others->HasArray(name.c_str()) != 0;
  while (taken) {
    name += suffix;
    taken = others->HasArray(name.c_str()) || own->HasArray(name.c_str());
  }
  return name;
}

} // namespace

void GridOutput::AddPointArray(vtkAbstractArray *from, vtkDataSetAttributes *points,
                               vtkDataSetAttributes *cells) {
  ArrayView view;
  if (!view.Set(vtkDataArray::SafeDownCast(from))) {
    const bool bits = from->GetDataType() == VTK_BIT; // nothing between 0 and 1
    this->Messages.Add("The point array '" + NameOf(from) + "' " +
                       (bits ? "holds bits" : "is not numeric") + " and is left out.");
    return;
  }
  const tsr_grid_sizes &sizes = this->Dataset.Sizes();
  auto to = NewArrayLike(from, points ? sizes.points : sizes.cells, this->Filler);
  if (!points && from->GetName()) {
    to->SetName(NameAmong(from, "_points", this->Dataset.Input()->GetPointData(), cells).c_str());
  }
  (points ? points : cells)->AddArray(to);
  this->AddAttribute(from, view, 0, to);
}

void GridOutput::AddCellArray(vtkAbstractArray *from, vtkDataSetAttributes *points,
                              vtkDataSetAttributes *cells) {
  ArrayView view;
  const bool numeric = view.Set(vtkDataArray::SafeDownCast(from));
  const bool moves = numeric && points && this->Dataset.MovesCells();
  const tsr_grid_sizes &sizes = this->Dataset.Sizes();
  auto to = NewArrayLike(from, moves ? sizes.points : sizes.cells, this->Filler);
  if (numeric) {
    this->AddAttribute(from, view, moves ? 2 : 1, to);
  } else {
    this->Others.emplace_back(from, to);
  }
  if (moves && from->GetName()) {
    vtkDataSet *data = this->Dataset.Input();
    to->SetName(NameAmong(from, "_cells", data->GetCellData(), data->GetPointData()).c_str());
  }
  (moves ? points : cells)->AddArray(to);
}

void GridOutput::AddArrays(vtkDataSetAttributes *points, vtkDataSetAttributes *cells) {
  vtkDataSet *data = this->Dataset.Input();
  // A global id belongs to one point or cell of the input.
  const int dropped[] = {vtkDataSetAttributes::GLOBALIDS, vtkDataSetAttributes::PEDIGREEIDS, -1};
  for (const bool cellData : {true, false}) {
    vtkDataSetAttributes *in =
        data->GetAttributes(cellData ? vtkDataObject::CELL : vtkDataObject::POINT);
    const vtkIdType count = cellData ? data->GetNumberOfCells() : data->GetNumberOfPoints();
    for (int i = 0; i < in->GetNumberOfArrays(); ++i) {
      vtkAbstractArray *from = in->GetAbstractArray(i);
      if (IsGhostArray(from) ||
          !CheckArray(in, from, count, cellData ? "cell" : "point", this->Messages)) {
        continue;
      }
      if (cellData) {
        this->AddCellArray(from, points, cells);
      } else {
        this->AddPointArray(from, points, cells);
      }
    }
    CopyRoles(in, cellData || !points ? cells : points, dropped);
    if (cellData && points && this->Dataset.MovesCells()) {
      CopyRoles(in, points, dropped); // the roles of point arrays, which come next, replace these
    }
  }
  this->AddInside(points != nullptr);
}

void GridOutput::AddInside(bool points) {
  const GridOctree *octree = this->Dataset.Octree();
  if (!octree || !octree->Inside.Get()) {
    return;
  }
  const tsr_grid_sizes &sizes = this->Dataset.Sizes();
  AllocateTuples(this->Inside, points ? sizes.points : sizes.cells, this->Filler);
  const tsr_array in = {octree->Inside.Get(), TSR_FLOAT, 1, octree->Data->GetNumberOfPoints()};
  this->Attributes.push_back({in, 0, this->Inside->GetPointer(0), nullptr, {}});
}

bool GridOutput::Fill(tsr_error &error) {
  const GridSettings &settings = this->Dataset.Settings();
  const vtkIdType cells = this->Dataset.Sizes().cells;
  if (settings.errors && this->Dataset.IsCurved() && cells > 0) {
    this->Bent = 0.0;
    this->Attributes.push_back({this->Dataset.View().points, 0, nullptr, &this->Bent, {}});
  }
  this->Core.attributes = this->Attributes.data();
  this->Core.n_attributes = static_cast<int>(this->Attributes.size());
  if (settings.level) {
    AllocateTuples(this->Level, cells, this->Filler);
    this->Core.level = this->Level->GetPointer(0);
  }
  if (settings.indicator) {
    AllocateTuples(this->Indicator, cells, this->Filler);
    this->Core.indicator = this->Indicator->GetPointer(0);
  }
  if (settings.source_cell || !this->Others.empty()) {
    AllocateTuples(this->SourceCell, cells, this->Filler);
    this->Core.source_cell = reinterpret_cast<int64_t *>(this->SourceCell->GetPointer(0));
  }
  if (settings.output != TSR_GRID_UNSTRUCTURED) {
    AllocateTuples(this->States, cells, this->Filler);
    this->Core.state = this->States->GetPointer(0);
  }
  if (tsr_grid_fill(this->Dataset.CorePlan(), &this->Core, &error) != TSR_OK) {
    return false;
  }
  this->GatherOthers();
  const GridOctree *octree = this->Dataset.Octree();
  for (vtkIdType i = 0; octree && octree->Source.Get() && i < this->SourceCell->GetNumberOfValues();
       ++i) {
    const vtkIdType cell = this->SourceCell->GetValue(i);
    this->SourceCell->SetValue(i, cell < 0 ? cell : octree->Source[cell]);
  }
  return true;
}

void GridOutput::GatherOthers() {
  for (const auto &pair : this->Others) {
    for (vtkIdType cell = 0; cell < this->SourceCell->GetNumberOfValues(); ++cell) {
      const vtkIdType source = this->SourceCell->GetValue(cell);
      pair.second->SetTuple(cell, source < 0 ? 0 : source, pair.first);
    }
  }
}

void GridOutput::AddGeneratedArrays(vtkDataSetAttributes *points, vtkDataSetAttributes *cells) {
  if (this->Inside->GetNumberOfValues() > 0) {
    vtkNew<vtkUnsignedCharArray> flags;
    flags->SetName("Inside");
    AllocateTuples(flags, this->Inside->GetNumberOfValues());
    for (vtkIdType i = 0; i < flags->GetNumberOfValues(); ++i) {
      flags->SetValue(i, this->Inside->GetValue(i) == 1.0F);
    }
    AddGenerated(points ? points : cells, flags, this->Messages);
  }
  const GridSettings &settings = this->Dataset.Settings();
  if (settings.level) {
    this->Level->SetName("Level");
    AddGenerated(cells, this->Level, this->Messages);
  }
  if (settings.indicator) {
    this->Indicator->SetName("Indicator");
    AddGenerated(cells, this->Indicator, this->Messages);
  }
  if (settings.source_cell) {
    this->SourceCell->SetName("SourceCell");
    AddGenerated(cells, this->SourceCell, this->Messages);
  }
}

} // namespace tessera
