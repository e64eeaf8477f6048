// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesOutput.h"

#include "curves/TesseraCurvesDataset.h"
#include "frame/report/TesseraTables.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkIdTypeArray.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt64Array.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace tessera {

static_assert(sizeof(vtkIdType) == sizeof(int64_t), "VTK has to be built with 64-bit ids");

double CurvesOutput::BytesPerPoint(const CurvesDataset &dataset) {
  const CurvesSettings &settings = dataset.Settings;
  const double scalar = dataset.IsSingle() ? 4.0 : 8.0;
  const int scalars =
      3 + settings.parameter + settings.arc_length + settings.curvature + 3 * settings.tangents;
  return scalars * scalar + TupleBytes(dataset.Data->GetPointData());
}

double CurvesOutput::Bytes(const CurvesDataset &dataset) {
  const tsr_curves_sizes &sizes = dataset.Sizes();
  const double perId = 8.0;
  const double points = static_cast<double>(sizes.points + dataset.Passed.Sizes().points);
  // Offsets, the list of source cells, and the two arrays that can be generated.
  const double perCell = 4.0 * perId + TupleBytes(dataset.Data->GetCellData());
  return points * BytesPerPoint(dataset) + static_cast<double>(sizes.connectivity) * perId +
         static_cast<double>(sizes.cells) * perCell;
}

CurvesOutput::CurvesOutput(const CurvesDataset &dataset, WarningList &messages)
    : Dataset(dataset), Messages(messages), Result(vtkSmartPointer<vtkPolyData>::New()),
      CurvePoints(dataset.Sizes().points), PassedPoints(dataset.Passed.Sizes().points),
      FirstLineCell(dataset.Passed.Sizes().cells[PassThrough::VERTS]),
      ScalarType(dataset.IsSingle() ? VTK_FLOAT : VTK_DOUBLE) {
  tsr_curves_output_init(&this->Core);
  this->Core.points_type = this->ScalarType == VTK_DOUBLE ? TSR_DOUBLE : TSR_FLOAT;
  tsr_report report;
  tsr_curves_plan_report(dataset.CorePlan, &report);
  this->Filler = WriterOf(report);
}

vtkSmartPointer<vtkPolyData> CurvesOutput::Fill(ThreadRunner &runner, PolylineClasses &classes,
                                                tsr_error &error) {
  this->AllocatePoints();
  this->AllocateLines();
  this->AllocateGenerated();
  this->AllocatePointArrays();
  if (this->CurvePoints > 0) {
    this->Core.attributes = this->Attributes.data();
    this->Core.n_attributes = static_cast<int>(this->Attributes.size());
    tsr_polyline_class found[TSR_POLYLINE_CLASSES];
    this->Core.classes = found;
    if (tsr_curves_fill(this->Dataset.CorePlan, &this->Core, &error) != TSR_OK) {
      return nullptr;
    }
    classes.Add(found);
  }
  this->FinishNearest();
  this->FinishCells(runner);
  this->AddGeneratedArrays();
  this->Result->GetFieldData()->PassData(this->Dataset.Data->GetFieldData());
  return this->Result;
}

void CurvesOutput::AllocatePoints() {
  vtkNew<vtkPoints> points;
  points->SetDataType(this->ScalarType);
  AllocateTuples(points->GetData(), this->CurvePoints + this->PassedPoints, this->Filler);
  if (this->PassedPoints > 0) {
    points->GetData()->InsertTuplesStartingAt(this->CurvePoints, this->Dataset.Passed.Points(),
                                              this->Dataset.Data->GetPoints()->GetData());
  }
  this->Core.points = points->GetVoidPointer(0);
  this->Result->SetPoints(points);
}

void CurvesOutput::AllocateLines() {
  const tsr_curves_sizes &sizes = this->Dataset.Sizes();
  vtkNew<vtkTypeInt64Array> offsets, connectivity;
  AllocateTuples(offsets, sizes.cells + 1, this->Filler);
  offsets->SetValue(0, 0);
  AllocateTuples(connectivity, sizes.connectivity, this->Filler);
  this->Core.index_type = TSR_INT64;
  this->Core.offsets = offsets->GetPointer(0);
  this->Core.connectivity = connectivity->GetPointer(0);
  vtkNew<vtkCellArray> lines;
  lines->SetData(offsets, connectivity);
  this->Result->SetLines(lines);

  const PassThrough &passed = this->Dataset.Passed;
  this->Result->SetVerts(passed.NewCells(PassThrough::VERTS, this->CurvePoints));
  this->Result->SetPolys(passed.NewCells(PassThrough::POLYS, this->CurvePoints));
  this->Result->SetStrips(passed.NewCells(PassThrough::STRIPS, this->CurvePoints));

  const auto verts = passed.CellIds(PassThrough::VERTS);
  const auto polys = passed.CellIds(PassThrough::POLYS);
  const auto strips = passed.CellIds(PassThrough::STRIPS);
  const vtkIdType firstPoly = this->FirstLineCell + sizes.cells;
  this->Cells = firstPoly + static_cast<vtkIdType>(polys.size() + strips.size());
  if (!this->NeedsSources()) {
    return;
  }
  this->SourceCells->SetNumberOfIds(this->Cells);
  vtkIdType *ids = this->SourceCells->GetPointer(0);
  std::copy(verts.begin(), verts.end(), ids);
  std::copy(strips.begin(), strips.end(), std::copy(polys.begin(), polys.end(), ids + firstPoly));
  this->Core.source_item = reinterpret_cast<int64_t *>(ids + this->FirstLineCell);
}

vtkSmartPointer<vtkDataArray> CurvesOutput::NewGenerated(const char *name, int components) {
  auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(this->ScalarType));
  array->SetName(name);
  array->SetNumberOfComponents(components);
  AllocateTuples(array, this->CurvePoints + this->PassedPoints, this->Filler);
  for (vtkIdType point = this->CurvePoints; point < array->GetNumberOfTuples(); ++point) {
    for (int component = 0; component < components; ++component) {
      array->SetComponent(point, component, 0.0);
    }
  }
  this->Generated.push_back(array);
  return array;
}

void CurvesOutput::AllocateGenerated() {
  const CurvesSettings &settings = this->Dataset.Settings;
  if (settings.parameter) {
    this->Core.parameter = this->NewGenerated("Parameter", 1)->GetVoidPointer(0);
  }
  if (settings.arc_length) {
    this->Core.arc_length = this->NewGenerated("ArcLength", 1)->GetVoidPointer(0);
  }
  if (settings.curvature) {
    this->Core.curvature = this->NewGenerated("Curvature", 1)->GetVoidPointer(0);
  }
  if (settings.tangents) {
    this->Core.tangents = this->NewGenerated("Tangents", 3)->GetVoidPointer(0);
  }
  if (settings.achieved_error) {
    vtkNew<vtkDoubleArray> reached;
    reached->SetName("AchievedError");
    AllocateTuples(reached, this->Cells);
    reached->FillValue(0.0);
    this->Core.achieved_error = reached->GetPointer(this->FirstLineCell);
    this->AchievedError = reached;
  }
}

void CurvesOutput::AllocatePointArrays() {
  vtkPointData *in = this->Dataset.Data->GetPointData();
  vtkPointData *out = this->Result->GetPointData();
  for (int i = 0; i < in->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *from = in->GetAbstractArray(i);
    if (!CheckArray(in, from, this->Dataset.Data->GetNumberOfPoints(), "point", this->Messages)) {
      continue;
    }
    auto to = NewArrayLike(from, this->CurvePoints + this->PassedPoints, this->Filler);
    if (this->PassedPoints > 0) {
      to->InsertTuplesStartingAt(this->CurvePoints, this->Dataset.Passed.Points(), from);
    }
    ArrayView view;
    if (view.Set(vtkDataArray::SafeDownCast(from))) {
      this->Inputs.push_back(view);
      this->Attributes.push_back(
          {view.Get(), to->GetVoidPointer(0), this->Dataset.Modes.Of(in, from)});
    } else {
      this->ByNearest.emplace_back(from, to);
    }
    out->AddArray(to);
  }
  // A global id belongs to one point, rational weights to the control points of a curve.
  const int dropped[] = {vtkDataSetAttributes::GLOBALIDS, vtkDataSetAttributes::RATIONALWEIGHTS,
                         vtkDataSetAttributes::HIGHERORDERDEGREES, -1};
  CopyRoles(in, out, dropped);
  if (!this->ByNearest.empty()) {
    this->Nearest.resize(static_cast<size_t>(this->CurvePoints));
    this->Core.nearest_point = this->Nearest.data();
  }
}

void CurvesOutput::FinishNearest() {
  for (const auto &pair : this->ByNearest) {
    for (vtkIdType point = 0; point < this->CurvePoints; ++point) {
      pair.second->SetTuple(point, this->Nearest[static_cast<size_t>(point)], pair.first);
    }
  }
}

bool CurvesOutput::NeedsSources() const {
  return this->Dataset.Settings.source_cell ||
         this->Dataset.Data->GetCellData()->GetNumberOfArrays() > 0;
}

void CurvesOutput::FinishCells(ThreadRunner &runner) {
  if (!this->NeedsSources()) {
    return;
  }
  if (this->Dataset.Joined.IsJoined() || this->Dataset.FirstLine > 0) {
    vtkIdType *lines = this->SourceCells->GetPointer(this->FirstLineCell);
    std::for_each(lines, lines + this->Dataset.Sizes().cells,
                  [this](vtkIdType &cell) { cell = this->Dataset.CellOfItem(cell); });
  }
  vtkCellData *in = this->Dataset.Data->GetCellData();
  vtkCellData *out = this->Result->GetCellData();
  GatherArrays(in, this->Dataset.Data->GetNumberOfCells(), this->SourceCells, "cell", out, runner,
               this->Messages);
  const int dropped[] = {vtkDataSetAttributes::RATIONALWEIGHTS,
                         vtkDataSetAttributes::HIGHERORDERDEGREES, -1};
  CopyRoles(in, out, dropped);
}

void CurvesOutput::AddGeneratedArrays() {
  for (const auto &array : this->Generated) {
    AddGenerated(this->Result->GetPointData(), array, this->Messages);
  }
  if (this->Dataset.Settings.source_cell) {
    vtkNew<vtkIdTypeArray> source;
    source->SetName("SourceCell");
    AllocateTuples(source, this->SourceCells->GetNumberOfIds());
    std::copy_n(this->SourceCells->GetPointer(0), source->GetNumberOfValues(),
                source->GetPointer(0));
    AddGenerated(this->Result->GetCellData(), source, this->Messages);
  }
  if (this->AchievedError) {
    AddGenerated(this->Result->GetCellData(), this->AchievedError, this->Messages);
  }
}

} // namespace tessera
