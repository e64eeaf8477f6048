// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesDataset.h"

#include "curves/TesseraCurvesOutput.h"
#include "frame/TesseraVersions.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tessera {

namespace {

/** True if cells of the type may have any degree. */
bool HasDegree(int type) { return type == VTK_LAGRANGE_CURVE || type == VTK_BEZIER_CURVE; }

/** How cells of a VTK type are handled. polylines: kind of curve that polylines are taken for. */
tsr_cell_rule RuleOf(int type, tsr_curve_kind polylines) {
  switch (type) {
  case VTK_EMPTY_CELL:
    return {TSR_KIND_NONE, TSR_JOIN_NOTHING, 0, 0};
  case VTK_VERTEX:
  case VTK_POLY_VERTEX:
    return {TSR_KIND_NONE, TSR_JOIN_NOTHING, 1, 0};
  case VTK_LINE:
    return {TSR_KIND_STRAIGHT, TSR_JOIN_LINE, 0, 0};
  case VTK_POLY_LINE:
    return {static_cast<uint8_t>(polylines), TSR_JOIN_CURVE, 0, 0};
  case VTK_QUADRATIC_EDGE:
  case VTK_CUBIC_LINE:
  case VTK_LAGRANGE_CURVE:
    return {TSR_KIND_LAGRANGE, TSR_JOIN_CURVE, 0, 0};
  case VTK_BEZIER_CURVE:
    return {TSR_KIND_BEZIER, TSR_JOIN_CURVE, 0, 0};
  default:
    return {TSR_KIND_NONE, TSR_JOIN_NOTHING, 0, 1};
  }
}

} // namespace

CurvesDataset::CurvesDataset(vtkPointSet *input, unsigned int block, const CurvesSettings &settings,
                             const CurvesModes &modes)
    : Data(input), Block(block), Settings(settings), Modes(modes), Options(settings.Options),
      ArrayFields(input, settings.FieldErrorArrays), OwnNotes(CURVES_NOTES) {
  tsr_curves_view_init(&this->CoreView);
  this->CoreView.points = {nullptr, TSR_FLOAT, 3, 0};
  if (input->GetPoints() && this->Points.Set(input->GetPoints()->GetData())) {
    this->CoreView.points = this->Points.Get();
  }
  const bool wide = this->CoreView.points.type == TSR_DOUBLE;
  this->CoreView.single_points = PointType(settings.output_precision, wide) == VTK_FLOAT;
  if (this->Weights.Set(input->GetPointData()->GetRationalWeights())) {
    this->CoreView.weights = this->Weights.Get();
  }
  if (vtkPolyData *polyData = vtkPolyData::SafeDownCast(input)) {
    this->ViewPolyData(polyData);
  } else {
    this->ViewUnstructuredGrid(vtkUnstructuredGrid::SafeDownCast(input));
  }
  const bool narrower = this->CoreView.single_points && this->CoreView.points.type == TSR_DOUBLE;
  this->Passed.Finish(input->GetNumberOfPoints(), narrower ? this->CoreView.points : tsr_array{});
  const tsr_pass_sizes &passed = this->Passed.Sizes();
  this->OwnNotes.Add(CURVES_NOTE_BAD_CELL, passed.bad.count, passed.bad.first, block);
  this->OwnNotes.Add(CURVES_NOTE_TOO_LARGE, passed.too_large.count, passed.too_large.first, block);
  this->CoreView.n_items = this->Indices.NumberOfCells();
  this->CoreView.offsets = this->Indices.Offsets();
  this->CoreView.connectivity = this->Indices.Connectivity();
  this->CoreView.n_connectivity = this->Indices.NumberOfIds();
  this->CoreView.index_type = this->Indices.Type();
}

bool CurvesDataset::JoinLines(tsr_error &error) {
  if (!this->Settings.join_lines || !this->HasLines || this->Indices.NumberOfCells() == 0) {
    return true;
  }
  if (!this->Joined.Make(this->Indices, this->Data->GetNumberOfPoints(), this->Roles,
                         this->Data->GetCellData(), this->FirstLine, error)) {
    return false;
  }
  if (!this->Joined.IsJoined()) {
    return true;
  }
  const tsr_join &join = this->Joined.Get();
  // Polylines that were joined from lines stay straight, whatever others are taken for.
  std::vector<uint8_t> kinds(static_cast<size_t>(join.n_items));
  for (size_t item = 0; item < kinds.size(); ++item) {
    const size_t cell = static_cast<size_t>(join.cells[item]);
    const auto kind =
        this->Kinds.empty() ? static_cast<uint8_t>(this->CoreView.kind) : this->Kinds[cell];
    kinds[item] = join.chains[item] ? static_cast<uint8_t>(TSR_KIND_STRAIGHT) : kind;
  }
  this->Kinds.swap(kinds);
  this->CoreView.kinds = this->Kinds.data();
  this->CoreView.n_items = join.n_items;
  this->CoreView.offsets = join.offsets;
  this->CoreView.connectivity = join.connectivity;
  this->CoreView.n_connectivity = join.offsets[join.n_items];
  this->CoreView.index_type = TSR_INT64;
  return true;
}

vtkIdType CurvesDataset::CellOfItem(int64_t item) const {
  return this->FirstLine + this->Joined.Cell(item);
}

CurvesDataset::~CurvesDataset() { tsr_curves_plan_free(this->CorePlan); }

void CurvesDataset::ViewPolyData(vtkPolyData *input) {
  const vtkIdType verts = input->GetNumberOfVerts();
  const vtkIdType lines = input->GetNumberOfLines();
  this->FirstLine = verts;
  this->Indices.Set(input->GetLines());
  this->CoreView.kind = tsr_curves_polyline_kind(&this->Settings);
  this->Passed.AddAll(PassThrough::VERTS, input->GetVerts(), 0);
  this->Passed.AddAll(PassThrough::POLYS, input->GetPolys(), verts + lines);
  this->Passed.AddAll(PassThrough::STRIPS, input->GetStrips(),
                      verts + lines + input->GetNumberOfPolys());
}

void CurvesDataset::ViewUnstructuredGrid(vtkUnstructuredGrid *input) {
  const vtkIdType cells = input->GetNumberOfCells();
  if (cells == 0) {
    return;
  }
  this->Indices.Set(input->GetCells());
  std::vector<unsigned char> made;
  const unsigned char *types = CellTypes(input, made);
  this->CheckDegrees(input->GetCellData()->GetHigherOrderDegrees(), types);
  tsr_cell_rule rules[TSR_CELL_TYPES];
  for (int type = 0; type < TSR_CELL_TYPES; ++type) {
    rules[type] = RuleOf(type, tsr_curves_polyline_kind(&this->Settings));
  }
  // Most often all cells are curves of one type, and that is all there is to say of them.
  const tsr_cell_rule &rule = rules[types[0]];
  if (rule.kind != TSR_KIND_NONE &&
      std::memcmp(types, types + 1, static_cast<size_t>(cells - 1)) == 0) {
    this->CoreView.kind = static_cast<tsr_curve_kind>(rule.kind);
    this->HasLines = rule.role == TSR_JOIN_LINE;
    return;
  }
  this->Kinds.resize(static_cast<size_t>(cells));
  this->Roles.resize(this->Kinds.size());
  std::vector<uint8_t> passing(this->Kinds.size());
  tsr_cell_roles roles = {this->Kinds.data(), this->Roles.data(), passing.data(), 0, {0, -1}};
  tsr_cell_roles_of(types, cells, rules, &roles);
  this->OwnNotes.Add(CURVES_NOTE_LEFT_OUT, roles.left_out.count, roles.left_out.first, this->Block);
  if (roles.n_passing > 0) {
    this->Passed.AddChosen(PassThrough::VERTS, this->Indices, std::move(passing));
  }
  this->CoreView.kinds = this->Kinds.data();
}

void CurvesDataset::CheckDegrees(vtkDataArray *degrees, const unsigned char *types) {
  const vtkIdType cells = this->Indices.NumberOfCells();
  for (vtkIdType cell = 0; degrees && cell < std::min(cells, degrees->GetNumberOfTuples());
       ++cell) {
    const vtkIdType points = this->Indices.Offset(cell + 1) - this->Indices.Offset(cell);
    if (HasDegree(types[cell]) &&
        degrees->GetComponent(cell, 0) != static_cast<double>(points - 1)) {
      this->OwnNotes.Add(CURVES_NOTE_DEGREES, 1, cell, this->Block);
    }
  }
}

bool CurvesDataset::WeightsFit() const {
  const tsr_array &weights = this->CoreView.weights;
  return !weights.data ||
         (weights.tuples == this->Data->GetNumberOfPoints() && weights.components == 1);
}

bool CurvesDataset::MakePlan(const tsr_execution *execution, double referenceLength,
                             double largestPlace, const tsr_maxima &ranges, int64_t limitPoints,
                             bool defer, tsr_error &error) {
  this->Options.largest_place = largestPlace;
  this->ArrayFields.Apply(ranges, this->Options);
  this->Options.reference_length = referenceLength;
  this->Options.limit_points = limitPoints;
  this->Options.defer_count = defer;
  tsr_curves_plan_free(this->CorePlan);
  this->CorePlan = nullptr;
  return tsr_curves_plan_create(&this->CoreView, &this->Options, execution, &this->CorePlan,
                                &error) == TSR_OK;
}

double CurvesDataset::BytesPerPoint() const { return CurvesOutput::BytesPerPoint(*this); }

double CurvesDataset::Bytes() const { return CurvesOutput::Bytes(*this); }

vtkSmartPointer<vtkPolyData> CurvesDataset::Fill(ThreadRunner &runner, PolylineClasses &classes,
                                                 WarningList &messages, tsr_error &error) {
  CurvesOutput output(*this, messages);
  return output.Fill(runner, classes, error);
}

void CurvesDataset::AddNotes(Notes &notes) const {
  for (int kind = 0; kind < CURVES_NOTES; ++kind) {
    const tsr_note_count own = this->OwnNotes.Count(kind);
    notes.Add(kind, own.count, own.first, this->Block);
    if (kind < TSR_NOTES) {
      const tsr_note_count core = this->Sizes().notes[kind];
      if (core.count > 0) {
        notes.Add(kind, core.count, this->CellOfItem(core.first), this->Block);
      }
    }
  }
}

void CurvesDataset::AddLabelChanges(NamedCounts &counts, tsr_error &error) const {
  const std::vector<std::string> &names = this->ArrayFields.LabelNames();
  std::vector<int64_t> changes(names.size() + 1); // never of no size: the core takes no NULL
  if (tsr_curves_label_changes(this->CorePlan, changes.data(), &error) == TSR_OK) {
    for (size_t label = 0; label < names.size(); ++label) {
      counts.Add(names[label], changes[label]);
    }
  }
}

} // namespace tessera
