// SPDX-License-Identifier: BSD-3-Clause
#include "cells/TesseraCellsOutput.h"

#include "cells/TesseraCellsDataset.h"
#include "frame/TesseraVersions.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>

namespace tessera {

static_assert(sizeof(vtkIdType) == sizeof(int64_t), "VTK has to be built with 64-bit ids");

namespace {

/** New cells; the core writes their offsets and ids to where the pointers then point. */
vtkSmartPointer<vtkCellArray> NewCells(int64_t cells, int64_t ids, Writer writer, int64_t *&offsets,
                                       int64_t *&connectivity) {
  vtkNew<vtkTypeInt64Array> first, points;
  AllocateTuples(first, cells + 1, writer);
  first->SetValue(0, 0);
  AllocateTuples(points, ids, writer);
  offsets = reinterpret_cast<int64_t *>(first->GetPointer(0));
  connectivity = reinterpret_cast<int64_t *>(points->GetPointer(0));
  vtkNew<vtkCellArray> made;
  made->SetData(first, points);
  return made;
}

vtkSmartPointer<vtkPointSet> NewResult(bool solid) {
  if (solid) {
    return vtkSmartPointer<vtkUnstructuredGrid>::New();
  }
  return vtkSmartPointer<vtkPolyData>::New();
}

} // namespace

CellsOutput::CellsOutput(const CellsDataset &dataset, WarningList &messages)
    : Dataset(dataset), Messages(messages), Result(NewResult(dataset.IsSolid())) {
  tsr_cells_output_init(&this->Core);
  this->Core.points_type = dataset.IsSingle() ? TSR_FLOAT : TSR_DOUBLE;
  tsr_report report;
  tsr_cells_plan_report(dataset.Plan(), &report);
  this->Filler = WriterOf(report);
}

double CellsOutput::BytesPerPoint(const CellsDataset &dataset) {
  return 3.0 * (dataset.IsSingle() ? 4.0 : 8.0) + TupleBytes(dataset.Input()->GetPointData()) +
         (dataset.Choices().normals && !dataset.IsSolid() ? 12.0 : 0.0) +
         (dataset.Choices().parameters && !dataset.IsSolid() ? 32.0 : 0.0);
}

double CellsOutput::Bytes(const CellsDataset &dataset) {
  const tsr_cells_sizes &sizes = dataset.Sizes();
  const double perId = 8.0;
  const double ids = static_cast<double>(sizes.vert_connectivity + sizes.line_connectivity +
                                         sizes.poly_connectivity + sizes.solid_connectivity);
  // Offsets, the list of source cells, and the array that can be generated.
  const double perCell = 3.0 * perId + TupleBytes(dataset.Input()->GetCellData()) +
                         (dataset.Choices().achieved_error ? 8.0 : 0.0);
  return static_cast<double>(sizes.points) * BytesPerPoint(dataset) + ids * perId +
         static_cast<double>(sizes.verts + sizes.lines + sizes.polys + sizes.solids) * perCell;
}

vtkSmartPointer<vtkPointSet> CellsOutput::Fill(ThreadRunner &runner, tsr_error &error) {
  this->AllocatePoints();
  if (this->Dataset.IsSolid()) {
    this->AllocateSolids();
  } else {
    this->AllocateCells();
  }
  this->AllocatePointArrays();
  this->AllocateMade();
  this->AllocateParameters();
  this->Core.point_arrays = this->Attributes.data();
  this->Core.n_point_arrays = static_cast<int>(this->Attributes.size());
  if (tsr_cells_fill(this->Dataset.Plan(), &this->Core, &error) != TSR_OK) {
    return nullptr;
  }
  if (this->Dataset.IsSolid()) {
    this->FinishSolids();
  }
  this->FinishCells(runner);
  if (this->Normals) {
    AddGenerated(this->Result->GetPointData(), this->Normals, this->Messages);
    this->Result->GetPointData()->SetNormals(this->Normals);
  }
  if (this->Parameters) {
    AddGenerated(this->Result->GetPointData(), this->Parameters, this->Messages);
    AddGenerated(this->Result->GetPointData(), this->ParameterCells, this->Messages);
  }
  if (this->AchievedError) {
    AddGenerated(this->Result->GetCellData(), this->AchievedError, this->Messages);
  }
  this->Result->GetFieldData()->PassData(this->Dataset.Input()->GetFieldData());
  return this->Result;
}

void CellsOutput::AllocatePoints() {
  vtkNew<vtkPoints> points;
  points->SetDataType(this->Dataset.IsSingle() ? VTK_FLOAT : VTK_DOUBLE);
  AllocateTuples(points->GetData(), this->Dataset.Sizes().points, this->Filler);
  this->Core.points = points->GetVoidPointer(0);
  this->Result->SetPoints(points);
}

void CellsOutput::AllocateCells() {
  const tsr_cells_sizes &sizes = this->Dataset.Sizes();
  vtkPolyData *result = vtkPolyData::SafeDownCast(this->Result);
  result->SetVerts(NewCells(sizes.verts, sizes.vert_connectivity, this->Filler,
                            this->Core.vert_offsets, this->Core.vert_connectivity));
  result->SetLines(NewCells(sizes.lines, sizes.line_connectivity, this->Filler,
                            this->Core.line_offsets, this->Core.line_connectivity));
  result->SetPolys(NewCells(sizes.polys, sizes.poly_connectivity, this->Filler,
                            this->Core.poly_offsets, this->Core.poly_connectivity));
  this->AllocateSources();
}

int64_t CellsOutput::CountCells() const {
  const tsr_cells_sizes &sizes = this->Dataset.Sizes();
  return sizes.verts + sizes.lines + sizes.polys + sizes.solids;
}

void CellsOutput::AllocateSources() {
  if (this->NeedsSources()) {
    this->SourceCells->SetNumberOfIds(this->CountCells());
    this->Core.source_cell = reinterpret_cast<int64_t *>(this->SourceCells->GetPointer(0));
  }
}

/** All cells of a vtkUnstructuredGrid lie in one list: vertices, lines, polygons, then solids. The
 *  core counts the ids of each kind from 0, so that FinishSolids() moves the offsets. */
void CellsOutput::AllocateSolids() {
  const tsr_cells_sizes &sizes = this->Dataset.Sizes();
  const int64_t cells[3] = {sizes.verts, sizes.lines, sizes.polys};
  int64_t *ids = nullptr, *offsets = nullptr;
  this->Solids = NewCells(this->CountCells(),
                          sizes.vert_connectivity + sizes.line_connectivity +
                              sizes.poly_connectivity + sizes.solid_connectivity,
                          this->Filler, offsets, ids);
  this->SolidTypes = vtkSmartPointer<vtkUnsignedCharArray>::New();
  AllocateTuples(this->SolidTypes, this->CountCells(), this->Filler);
  for (int kind = 0; kind < 3; ++kind) {
    this->Offsets[kind].assign(static_cast<size_t>(cells[kind]) + 1, 0);
  }
  this->Core.vert_offsets = this->Offsets[0].data();
  this->Core.line_offsets = this->Offsets[1].data();
  this->Core.poly_offsets = this->Offsets[2].data();
  this->Core.vert_connectivity = ids;
  this->Core.line_connectivity = this->Core.vert_connectivity + sizes.vert_connectivity;
  this->Core.poly_connectivity = this->Core.line_connectivity + sizes.line_connectivity;
  this->Core.solid_connectivity = this->Core.poly_connectivity + sizes.poly_connectivity;
  const int64_t before = sizes.verts + sizes.lines + sizes.polys;
  this->Core.solid_offsets = offsets + before;
  this->Core.solid_types = this->SolidTypes->GetPointer(0) + before;
  this->AllocateSources();
}

/** Makes one list of all cells, and the grid of it. */
void CellsOutput::FinishSolids() {
  const tsr_cells_sizes &sizes = this->Dataset.Sizes();
  const int64_t cells[3] = {sizes.verts, sizes.lines, sizes.polys};
  int64_t *to = this->Core.solid_offsets - (sizes.verts + sizes.lines + sizes.polys);
  unsigned char *type = this->SolidTypes->GetPointer(0);
  int64_t before = 0;
  for (int kind = 0; kind < 3; ++kind) {
    const std::vector<int64_t> &offsets = this->Offsets[kind];
    for (int64_t cell = 0; cell < cells[kind]; ++cell) {
      const int64_t n = offsets[cell + 1] - offsets[cell];
      *to++ = before + offsets[cell];
      *type++ = static_cast<unsigned char>(
          kind == 0 ? VTK_POLY_VERTEX
                    : (kind == 1 ? VTK_POLY_LINE : (n == 3 ? VTK_TRIANGLE : VTK_POLYGON)));
    }
    before += offsets[cells[kind]];
  }
  for (int64_t cell = 0; before > 0 && cell <= sizes.solids; ++cell) {
    to[cell] += before;
  }
  SetCells(vtkUnstructuredGrid::SafeDownCast(this->Result), this->SolidTypes, this->Solids);
}

void CellsOutput::AllocatePointArrays() {
  vtkUnstructuredGrid *input = this->Dataset.Input();
  vtkPointData *in = input->GetPointData();
  vtkPointData *out = this->Result->GetPointData();
  for (int i = 0; i < in->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *from = in->GetAbstractArray(i);
    // What belongs to single points of the input has no meaning between them.
    if (IsGhostArray(from) || from == in->GetRationalWeights() || from == in->GetGlobalIds() ||
        from == in->GetPedigreeIds() ||
        !CheckArray(in, from, input->GetNumberOfPoints(), "point", this->Messages)) {
      continue;
    }
    ArrayView view;
    if (!view.Set(vtkDataArray::SafeDownCast(from))) {
      this->Messages.Add("The point array '" + NameOf(from) +
                         "' has no numbers to interpolate, and is left out.");
      continue;
    }
    auto to = NewArrayLike(from, this->Dataset.Sizes().points, this->Filler);
    this->Inputs.push_back(view);
    this->Attributes.push_back({view.Get(), to->GetVoidPointer(0)});
    out->AddArray(to);
  }
  const int dropped[] = {vtkDataSetAttributes::GLOBALIDS, vtkDataSetAttributes::PEDIGREEIDS,
                         vtkDataSetAttributes::RATIONALWEIGHTS,
                         vtkDataSetAttributes::HIGHERORDERDEGREES, -1};
  CopyRoles(in, out, dropped);
}

/** The arrays that the core makes beside those of the input. */
void CellsOutput::AllocateMade() {
  const tsr_cells_sizes &sizes = this->Dataset.Sizes();
  if (this->Dataset.Choices().normals && !this->Dataset.IsSolid()) {
    this->Normals = vtkSmartPointer<vtkFloatArray>::New();
    this->Normals->SetName("Normals");
    this->Normals->SetNumberOfComponents(3);
    AllocateTuples(this->Normals, sizes.points, this->Filler);
    this->Core.normals = static_cast<float *>(this->Normals->GetVoidPointer(0));
  }
  if (this->Dataset.Choices().achieved_error) {
    this->AchievedError = vtkSmartPointer<vtkDoubleArray>::New();
    this->AchievedError->SetName("AchievedError");
    AllocateTuples(this->AchievedError, this->CountCells(), this->Filler);
    this->Core.achieved = static_cast<double *>(this->AchievedError->GetVoidPointer(0));
  }
}

void CellsOutput::AllocateParameters() {
  if (!this->Dataset.Choices().parameters || this->Dataset.IsSolid()) {
    return;
  }
  const int64_t points = this->Dataset.Sizes().points;
  this->Parameters = vtkSmartPointer<vtkDoubleArray>::New();
  this->Parameters->SetName("ParametricCoordinates");
  this->Parameters->SetNumberOfComponents(3);
  AllocateTuples(this->Parameters, points, this->Filler);
  this->Core.parameters = static_cast<double *>(this->Parameters->GetVoidPointer(0));
  this->ParameterCells = vtkSmartPointer<vtkIdTypeArray>::New();
  this->ParameterCells->SetName("ParametricCell");
  AllocateTuples(this->ParameterCells, points, this->Filler);
  this->Core.parameter_cell = static_cast<int64_t *>(this->ParameterCells->GetVoidPointer(0));
}

bool CellsOutput::NeedsSources() const {
  return this->Dataset.Choices().source_cell ||
         this->Dataset.Input()->GetCellData()->GetNumberOfArrays() > 0;
}

void CellsOutput::FinishCells(ThreadRunner &runner) {
  if (!this->NeedsSources()) {
    return;
  }
  vtkCellData *in = this->Dataset.Input()->GetCellData();
  vtkCellData *out = this->Result->GetCellData();
  GatherArrays(in, this->Dataset.Input()->GetNumberOfCells(), this->SourceCells, "cell", out,
               runner, this->Messages);
  const int dropped[] = {vtkDataSetAttributes::GLOBALIDS, vtkDataSetAttributes::RATIONALWEIGHTS,
                         vtkDataSetAttributes::HIGHERORDERDEGREES, -1};
  CopyRoles(in, out, dropped);
  if (this->Dataset.Choices().source_cell) {
    vtkNew<vtkIdTypeArray> source;
    source->SetName("SourceCell");
    AllocateTuples(source, this->SourceCells->GetNumberOfIds());
    std::copy_n(this->SourceCells->GetPointer(0), source->GetNumberOfValues(),
                source->GetPointer(0));
    AddGenerated(out, source, this->Messages);
  }
}

} // namespace tessera
