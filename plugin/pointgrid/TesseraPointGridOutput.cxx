// SPDX-License-Identifier: BSD-3-Clause
#include "pointgrid/TesseraPointGridOutput.h"

#include "frame/TesseraVersions.h"

#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

namespace tessera {

static_assert(sizeof(vtkIdType) == sizeof(int64_t), "VTK has to be built with 64-bit ids");

namespace {

/** A new array like `from`, of `tuples` tuples, with `suffix` behind its name. */
vtkSmartPointer<vtkDataArray> Named(vtkDataArray *from, const char *suffix, int type,
                                    vtkIdType tuples, Writer writer) {
  auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  array->SetName(((from->GetName() ? from->GetName() : "") + std::string(suffix)).c_str());
  array->SetNumberOfComponents(from->GetNumberOfComponents());
  array->CopyComponentNames(from);
  if (NameOf(from) == POINTGRID_COORDINATES && from->GetNumberOfComponents() == 3) {
    const char *const axes[] = {"X", "Y", "Z"};
    for (int axis = 0; axis < 3; ++axis) {
      array->SetComponentName(axis, axes[axis]);
    }
  }
  AllocateTuples(array, tuples, writer);
  return array;
}

} // namespace

PointGridOutput::PointGridOutput(const PointGridDataset &dataset, WarningList &messages)
    : Dataset(dataset), Messages(messages) {
  tsr_report report;
  tsr_pointgrid_output_init(&this->Core);
  tsr_pointgrid_plan_report(dataset.CorePlan(), &report);
  this->Filler = WriterOf(report);
}

void PointGridOutput::AddArray(vtkDataArray *from) {
  const PointGridSettings &settings = this->Dataset.Settings();
  const tsr_pointgrid_sizes &sizes = this->Dataset.Sizes();
  ArrayView view;
  view.Set(from);
  tsr_pointgrid_attribute attribute = {view.Get(), nullptr, nullptr, nullptr, nullptr};
  if (settings.Options.output == TSR_POINTGRID_POINTS) {
    this->Outputs.emplace_back(
        vtkDataArray::SafeDownCast(NewArrayLike(from, sizes.points, this->Filler)));
    attribute.out = this->Outputs.back()->GetVoidPointer(0);
  } else {
    if (settings.means) {
      this->Outputs.push_back(Named(from, "_mean", VTK_DOUBLE, sizes.cells, this->Filler));
      attribute.mean = static_cast<double *>(this->Outputs.back()->GetVoidPointer(0));
    }
    if (settings.extremes) {
      this->Outputs.push_back(
          Named(from, "_least", from->GetDataType(), sizes.cells, this->Filler));
      attribute.least = this->Outputs.back()->GetVoidPointer(0);
      this->Outputs.push_back(
          Named(from, "_greatest", from->GetDataType(), sizes.cells, this->Filler));
      attribute.greatest = this->Outputs.back()->GetVoidPointer(0);
    }
  }
  this->Inputs.push_back(view);
  this->Attributes.push_back(attribute);
}

void PointGridOutput::AllocateCells() {
  const PointGridSettings &settings = this->Dataset.Settings();
  const tsr_pointgrid_sizes &sizes = this->Dataset.Sizes();
  AllocateTuples(this->Count, sizes.cells, this->Filler);
  this->Core.count = reinterpret_cast<int64_t *>(this->Count->GetPointer(0));
  if (settings.density) {
    AllocateTuples(this->Density, sizes.cells, this->Filler);
    this->Core.density = this->Density->GetPointer(0);
  }
  if (settings.Options.output == TSR_POINTGRID_TREE) {
    AllocateTuples(this->States, sizes.cells, this->Filler);
    this->Core.state = this->States->GetPointer(0);
  }
}

void PointGridOutput::AllocatePoints() {
  const tsr_pointgrid_sizes &sizes = this->Dataset.Sizes();
  vtkPoints *points = this->Dataset.Input()->GetPoints();
  const bool wide = !points || points->GetDataType() != VTK_FLOAT;
  this->Points->SetDataType(PointType(this->Dataset.Settings().output_precision, wide));
  AllocateTuples(this->Points->GetData(), sizes.points, this->Filler);
  AllocateTuples(this->Offsets, sizes.cells + 1, this->Filler);
  AllocateTuples(this->Connectivity, sizes.connectivity, this->Filler);
  this->Core.points_type = this->Points->GetDataType() == VTK_DOUBLE ? TSR_DOUBLE : TSR_FLOAT;
  this->Core.points = this->Points->GetVoidPointer(0);
  this->Core.offsets = this->Offsets->GetPointer(0);
  this->Core.connectivity = this->Connectivity->GetPointer(0);
}

void PointGridOutput::Allocate() {
  const PointGridSettings &settings = this->Dataset.Settings();
  const tsr_pointgrid_sizes &sizes = this->Dataset.Sizes();
  const bool points = settings.Options.output == TSR_POINTGRID_POINTS;
  if (settings.Options.output != TSR_POINTGRID_TREE) {
    this->AllocatePoints();
  }
  if (points) {
    AllocateTuples(this->CellId, sizes.points, this->Filler);
    AllocateTuples(this->SourcePoint, sizes.points, this->Filler);
    this->Core.leaf = reinterpret_cast<int64_t *>(this->CellId->GetPointer(0));
    this->Core.source_point = reinterpret_cast<int64_t *>(this->SourcePoint->GetPointer(0));
  } else {
    this->AllocateCells();
  }
  if (settings.level || settings.Options.output == TSR_POINTGRID_TREE) {
    AllocateTuples(this->Level, sizes.cells, this->Filler);
    this->Core.level = this->Level->GetPointer(0);
  }
  if (points || settings.means || settings.extremes) {
    for (vtkDataArray *array : this->Dataset.Arrays()) {
      this->AddArray(array);
    }
  }
  this->Core.attributes = this->Attributes.data();
  this->Core.n_attributes = static_cast<int>(this->Attributes.size());
}

bool PointGridOutput::Fill(tsr_error &error) {
  return tsr_pointgrid_fill(this->Dataset.CorePlan(), &this->Core, &error) == TSR_OK;
}

vtkIdType PointGridOutput::EmptyCells() const {
  const vtkIdType cells = this->Count->GetNumberOfValues();
  const bool tree = this->Core.state != nullptr;
  vtkIdType empty = 0;
  for (vtkIdType cell = 0; cell < cells; ++cell) {
    const bool leaf = !tree || this->States->GetValue(cell) == TSR_POINTGRID_LEAF;
    empty += leaf && this->Count->GetValue(cell) == 0 ? 1 : 0;
  }
  return empty;
}

void PointGridOutput::AddGeneratedTo(vtkDataSetAttributes *out) {
  const PointGridSettings &settings = this->Dataset.Settings();
  for (vtkDataArray *array : this->Outputs) {
    out->AddArray(array);
  }
  if (settings.Options.output == TSR_POINTGRID_POINTS) {
    this->CellId->SetName("CellId");
    AddGenerated(out, this->CellId, this->Messages);
  } else {
    this->Count->SetName("PointCount");
    AddGenerated(out, this->Count, this->Messages);
    out->SetActiveScalars("PointCount");
  }
  if (settings.density && settings.Options.output != TSR_POINTGRID_POINTS) {
    this->Density->SetName("Density");
    AddGenerated(out, this->Density, this->Messages);
  }
  if (settings.level) {
    this->Level->SetName("Level");
    AddGenerated(out, this->Level, this->Messages);
  }
}

vtkSmartPointer<vtkDataObject> PointGridOutput::Make() {
  const tsr_pointgrid_output_kind kind = this->Dataset.Settings().Options.output;
  vtkSmartPointer<vtkDataObject> made = kind == TSR_POINTGRID_CELLS  ? this->MakeCells()
                                        : kind == TSR_POINTGRID_TREE ? this->MakeTree()
                                                                     : this->MakePoints();
  made->GetFieldData()->PassData(this->Dataset.Input()->GetFieldData());
  return made;
}

vtkSmartPointer<vtkDataObject> PointGridOutput::MakeCells() {
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  vtkNew<vtkCellArray> cells;
  cells->SetData(this->Offsets, this->Connectivity);
  vtkNew<vtkUnsignedCharArray> types;
  AllocateTuples(types, this->Dataset.Sizes().cells);
  types->FillValue(this->Dataset.Sizes().dimension == 3 ? VTK_VOXEL : VTK_PIXEL);
  grid->SetPoints(this->Points);
  SetCells(grid, types, cells);
  this->AddGeneratedTo(grid->GetCellData());
  return grid;
}

void PointGridOutput::KeepOthers(vtkDataSetAttributes *out) {
  vtkPointData *in = this->Dataset.Input()->GetPointData();
  const vtkIdType points = this->Dataset.NumberOfPoints();
  tsr_type type;
  for (int i = 0; i < in->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *from = in->GetAbstractArray(i);
    if (from->GetNumberOfTuples() != points ||
        (vtkDataArray::SafeDownCast(from) && CoreType(from->GetDataType(), type))) {
      continue;
    }
    auto to = NewArrayLike(from, this->SourcePoint->GetNumberOfValues());
    for (vtkIdType at = 0; at < this->SourcePoint->GetNumberOfValues(); ++at) {
      to->SetTuple(at, this->SourcePoint->GetValue(at), from);
    }
    out->AddArray(to);
  }
}

vtkSmartPointer<vtkDataObject> PointGridOutput::MakePoints() {
  const int dropped[] = {-1};
  auto data = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkCellArray> vertices;
  vertices->SetData(this->Offsets, this->Connectivity);
  data->SetPoints(this->Points);
  data->SetVerts(vertices);
  this->AddGeneratedTo(data->GetPointData());
  if (!this->Dataset.IsTravelled()) {
    this->KeepOthers(data->GetPointData());
  }
  CopyRoles(this->Dataset.Input()->GetPointData(), data->GetPointData(), dropped);
  return data;
}

} // namespace tessera
