// SPDX-License-Identifier: BSD-3-Clause
#include "grid/mesh/TesseraGridMeshCurved.h"

#include "grid/TesseraGridPieces.h"

#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace tessera {

namespace {

/** Largest difference from an array that no criterion bounds, as a part of its range, where there
 * is room for the points: the default of Interpolation Error. */
const double FIELD_ERROR = 0.01;

/** Least tolerance of an array as a part of its range: below it, the rounding of single precision
 * would divide cells. */
const double LEAST_FIELD_ERROR = 1e-6;

/** Tetrahedra of a point; there are a little fewer. */
const double CELLS_OF_A_POINT = 6.0;

/** Most points of the parts: this number, or so many for each point of the mesh. A field that bends
 * so much within cells that more are needed is hardly resolved by the mesh itself. With 1 % of the
 * range of wave(), of curved_meshes.py in testing/, a quarter of a pipe of 3 x 3 x 3 quadratic
 * cells has 60 (hexahedra) to 245 (tetrahedra) for each, and one of 10 x 10 x 10 has 1 to 9. A
 * point takes some 600 bytes of memory with its tetrahedra. */
const int64_t SMALL_MESH = 200000, MOST_POINTS = 10;

/** Where there are too many points, the least tolerances are enlarged by this factor at a time, so
 * that edges become twice as long. */
const double LARGER_TOLERANCE = 4.0;

/** The width of the range of the values of all components. */
double RangeOf(vtkDataArray *array) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (int c = 0; c < array->GetNumberOfComponents(); ++c) {
    double range[2];
    array->GetFiniteRange(range, c);
    low = std::min(low, range[0]);
    high = std::max(high, range[1]);
  }
  return std::max(0.0, high - low);
}

/** One mesh, and the plan of its parts. */
class Curves {
public:
  Curves(GridMesh &mesh, const CurveWishes &wishes, OctreeContext &context)
      : Mesh(mesh), Wishes(wishes), Context(context) {}
  ~Curves() { tsr_cells_plan_free(this->Plan); }
  Curves(const Curves &) = delete;
  Curves &operator=(const Curves &) = delete;

  bool MakePlan();
  /** Why a cell cannot be divided, as the end of a sentence; empty if all can. */
  std::string WhyNot() const;
  bool Fill(MeshCells &made, vtkSmartPointer<vtkDataSet> &arrays);
  int64_t Cells() const { return this->Sizes().solids + this->Sizes().polys; }
  const tsr_cells_sizes &Sizes() const { return *tsr_cells_plan_sizes(this->Plan); }

private:
  void FindFields();
  void Add(vtkDataArray *array, double tolerance);
  tsr_cells_view View();
  int64_t LimitOfPoints() const;
  /** Plans with the first fields, and at most `limit` points. */
  tsr_status Try(size_t fields, int64_t limit);
  /** Plans with the fields, and at most `limit` points. */
  tsr_status Follow(int64_t limit);
  /** Enlarges the tolerances of the fields from `first` on, before `last`, and drops these at last,
   * until a plan has at most `limit` points. least: the least tolerance then, as a part of a range.
   */
  tsr_status GiveWay(size_t first, size_t last, int64_t limit, double &least);
  void TellOfTolerance(double least, int64_t limit) const;
  /** Says what to do about too many points. Returns false. */
  bool Refuse() const;
  void AllocateCells(MeshCells &made, tsr_cells_output &output) const;
  void AddPointArrays();
  void SetKinds(MeshCells &made) const;

  GridMesh &Mesh;
  const CurveWishes &Wishes;
  OctreeContext &Context;
  tsr_cells_plan *Plan = nullptr;
  Writer Filler = Writer::CPU;
  ArrayView Weights, Degrees;
  std::vector<vtkSmartPointer<vtkDataArray>> Sources; /**< of the fields */
  std::vector<ArrayView> FieldViews, Inputs;
  std::vector<tsr_array> Fields;
  std::vector<double> Tolerances, Ranges; /**< of the fields */
  size_t Bounded = 0;                     /**< the first fields, which a criterion bounds */
  tsr_cells_view Shown;
  tsr_cells_options Options;
  std::vector<tsr_cells_attribute> Attributes;
  vtkSmartPointer<vtkDataSet> Arrays;
  vtkNew<vtkIdList> SourceCells; /**< the cell of the mesh that each part belongs to */
};

void Curves::Add(vtkDataArray *array, double tolerance) {
  ArrayView view;
  if (array->GetNumberOfTuples() == this->Mesh.Core.points.tuples && view.Set(array)) {
    this->Sources.emplace_back(array);
    this->FieldViews.push_back(view);
    this->Fields.push_back(view.Get());
    this->Ranges.push_back(RangeOf(array));
    this->Tolerances.push_back(std::max(tolerance, LEAST_FIELD_ERROR * this->Ranges.back()));
  }
}

void Curves::FindFields() {
  const GridSettings &settings = this->Wishes.Settings;
  if (settings.all_steps) {
    // The parts must not follow the values of a step. Over an edge as long as a finest cell, the
    // square of a coordinate is off by the square of half its length.
    this->Add(SquaredDistances(this->Mesh.Core.points), std::pow(0.5 * this->Wishes.CellSize, 2));
    this->Bounded = this->Fields.size();
    return;
  }
  for (const MeshField &field : BoundedFields(this->Mesh, settings)) {
    this->Add(field.Array,
              field.Relative ? field.Tolerance * RangeOf(field.Array) : field.Tolerance);
  }
  this->Bounded = this->Fields.size();
  vtkPointData *points = this->Mesh.Data->GetPointData();
  for (int i = 0; i < points->GetNumberOfArrays(); ++i) {
    vtkDataArray *array = points->GetArray(i);
    const int type = array ? array->GetDataType() : VTK_VOID;
    if ((type == VTK_FLOAT || type == VTK_DOUBLE) && array != points->GetRationalWeights() &&
        std::find(this->Sources.begin(), this->Sources.end(), array) == this->Sources.end()) {
      this->Add(array, FIELD_ERROR * RangeOf(array));
    }
  }
}

int64_t Curves::LimitOfPoints() const {
  const bool wide = this->Mesh.Core.points.type == TSR_DOUBLE;
  const double ofPoint = 3.0 * (wide ? 8.0 : 4.0) + TupleBytes(this->Mesh.Data->GetPointData());
  // Four ids, the offset, the kind, and the source, which is there twice.
  const double ofCell = 7.0 * 8.0 + 1.0 + TupleBytes(this->Mesh.Data->GetCellData());
  const int64_t most = tsr_memory_items(this->Wishes.Bytes, ofPoint + CELLS_OF_A_POINT * ofCell);
  return most > 0 ? most : std::numeric_limits<int64_t>::max();
}

tsr_cells_view Curves::View() {
  const tsr_mesh_view &from = this->Mesh.Curved->View;
  tsr_cells_view view;
  tsr_cells_view_init(&view);
  view.points = from.points;
  view.n_cells = from.n_cells;
  view.types = from.types;
  view.offsets = from.offsets;
  view.connectivity = from.connectivity;
  view.n_connectivity = from.n_connectivity;
  view.index_type = from.index_type;
  view.roles = this->Mesh.Curved->Roles.data();
  view.single_points = from.points.type == TSR_FLOAT;
  if (this->Weights.Set(this->Mesh.Data->GetPointData()->GetRationalWeights())) {
    view.weights = this->Weights.Get();
  }
  if (this->Degrees.Set(this->Mesh.Data->GetCellData()->GetHigherOrderDegrees())) {
    view.degrees = this->Degrees.Get();
  }
  return view;
}

bool Curves::MakePlan() {
  this->Shown = this->View();
  this->FindFields();
  tsr_cells_options_init(&this->Options);
  this->Options.output = TSR_CELLS_VOLUMES;
  this->Options.chord_relative = 0;
  this->Options.chord_error = this->Wishes.ChordError;
  this->Options.field_error = 1.0; // of the tolerances
  this->Options.merge_points = 1;
  this->Options.keep_bytes = this->Wishes.Settings.Options.keep_bytes;
  const int64_t most = this->LimitOfPoints(), points = this->Mesh.Core.points.tuples;
  // The shape takes what it needs, and fields what is reasonable beside it.
  if (this->Try(0, most) != TSR_OK) {
    return this->Refuse();
  }
  const int64_t limit =
      std::min(most, std::max({SMALL_MESH, MOST_POINTS * points, 2 * this->Sizes().points}));
  if (!this->Fields.empty() && this->Follow(limit) != TSR_OK) {
    return this->Refuse();
  }
  tsr_report report;
  tsr_cells_plan_report(this->Plan, &report);
  this->Filler = WriterOf(report);
  return true;
}

tsr_status Curves::Try(size_t fields, int64_t limit) {
  this->Options.fields = this->Fields.data();
  this->Options.field_ranges = this->Tolerances.data();
  this->Options.n_fields = static_cast<int>(fields);
  this->Options.limit_points = limit;
  tsr_cells_plan_free(this->Plan);
  this->Plan = nullptr;
  this->Context.Error = {};
  return tsr_cells_plan_create(&this->Shown, &this->Options, this->Context.Runner.Core(),
                               &this->Plan, &this->Context.Error);
}

tsr_status Curves::Follow(int64_t limit) {
  const size_t fields = this->Fields.size();
  tsr_status status = this->Try(fields, limit);
  double least = 0.0;
  // The grid promises nothing of arrays that no criterion bounds: they give way first.
  if (status == TSR_TOO_LARGE && this->Bounded < fields) {
    status = this->GiveWay(this->Bounded, fields, limit, least);
  }
  if (status == TSR_TOO_LARGE) {
    status = this->GiveWay(0, this->Bounded, limit, least);
    if (status == TSR_OK) {
      this->TellOfTolerance(least, limit);
    }
  }
  return status;
}

tsr_status Curves::GiveWay(size_t first, size_t last, int64_t limit, double &least) {
  tsr_status status = TSR_TOO_LARGE;
  least = HUGE_VAL;
  for (size_t i = first; i < last; ++i) {
    least = this->Ranges[i] > 0.0 ? std::min(least, this->Tolerances[i] / this->Ranges[i]) : least;
  }
  while (status == TSR_TOO_LARGE && least <= 1.0) {
    least *= LARGER_TOLERANCE;
    for (size_t i = first; i < last; ++i) {
      this->Tolerances[i] = std::max(this->Tolerances[i], least * this->Ranges[i]);
    }
    status = this->Try(least <= 1.0 ? last : first, limit);
  }
  return status;
}

void Curves::TellOfTolerance(double least, int64_t limit) const {
  char text[300];
  std::snprintf(text, sizeof text,
                "Between the nodes of curved cells, the arrays of Interpolation Error may be off "
                "by %.3g %% of their range: following them more closely takes more than %lld "
                "points.",
                100.0 * std::min(least, 1.0), static_cast<long long>(limit));
  this->Context.Messages.Add(text);
}

bool Curves::Refuse() const {
  tsr_error &error = this->Context.Error;
  if (error.status == TSR_TOO_LARGE) {
    const std::string why = error.text;
    std::snprintf(error.text, sizeof error.text,
                  "the tetrahedra of the curved cells are too many: %s; take a larger Finest Cell, "
                  "or a larger Largest Output",
                  why.c_str());
  }
  return false;
}

std::string Curves::WhyNot() const {
  struct Reason {
    tsr_cells_note Note;
    const char *What;
  };
  static const Reason reasons[] = {
      {TSR_CELLS_NOTE_SOLID, "of a kind that cannot be divided into tetrahedra"},
      {TSR_CELLS_NOTE_TYPE, "of a kind that cannot be divided into tetrahedra"},
      {TSR_CELLS_NOTE_COUNT, "with a number of points that does not fit the kind"},
      {TSR_CELLS_NOTE_DEGREE, "of a degree that is not a whole number from 1 to 10"},
      {TSR_CELLS_NOTE_ID, "with a point that the mesh does not have"},
      {TSR_CELLS_NOTE_WEIGHT, "with a rational weight that is not above 0"}};
  for (const Reason &one : reasons) {
    const tsr_note_count &note = this->Sizes().notes[one.Note];
    if (note.count > 0) {
      return std::to_string(note.count) + (note.count == 1 ? " cell " : " cells ") + one.What +
             " (the first is cell " + std::to_string(note.first) + ")";
    }
  }
  return "";
}

void Curves::AllocateCells(MeshCells &made, tsr_cells_output &output) const {
  const tsr_cells_sizes &sizes = this->Sizes();
  // All cells that take part have one dimension.
  const bool solid = sizes.solids > 0;
  made.Count = solid ? sizes.solids : sizes.polys;
  made.Length = solid ? sizes.solid_connectivity : sizes.poly_connectivity;
  made.NumberOfPoints = sizes.points;
  made.Wide = this->Mesh.Core.points.type == TSR_DOUBLE;
  made.Singles.Allocate(made.Wide ? 0 : 3 * sizes.points, this->Filler);
  made.Doubles.Allocate(made.Wide ? 3 * sizes.points : 0, this->Filler);
  made.Types.Allocate(made.Count, this->Filler);
  made.Offsets.Allocate(made.Count + 1, this->Filler);
  made.Ids.Allocate(made.Length, this->Filler);
  made.Sources.Allocate(made.Count);
  this->SourceCells->SetNumberOfIds(made.Count);
  tsr_cells_output_init(&output);
  output.points_type = made.Wide ? TSR_DOUBLE : TSR_FLOAT;
  output.points =
      made.Wide ? static_cast<void *>(made.Doubles.Get()) : static_cast<void *>(made.Singles.Get());
  output.source_cell = reinterpret_cast<int64_t *>(this->SourceCells->GetPointer(0));
  (solid ? output.solid_offsets : output.poly_offsets) = made.Offsets.Get();
  (solid ? output.solid_connectivity : output.poly_connectivity) = made.Ids.Get();
  output.solid_types = solid ? made.Types.Get() : nullptr;
}

void Curves::AddPointArrays() {
  vtkPointData *in = this->Mesh.Data->GetPointData();
  vtkPointData *out = this->Arrays->GetPointData();
  for (int i = 0; i < in->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *from = in->GetAbstractArray(i);
    ArrayView view;
    // Numbers of points have no meaning between them.
    if (IsGhostArray(from) || from == in->GetRationalWeights() || from == in->GetGlobalIds() ||
        from == in->GetPedigreeIds() ||
        !CheckArray(in, from, this->Mesh.Core.points.tuples, "point", this->Context.Messages)) {
      continue;
    }
    if (!view.Set(vtkDataArray::SafeDownCast(from))) {
      LeaveOutPointArray(from, this->Context.Messages);
      continue;
    }
    auto to = NewArrayLike(from, this->Sizes().points, this->Filler);
    this->Inputs.push_back(view);
    this->Attributes.push_back({view.Get(), to->GetVoidPointer(0)});
    out->AddArray(to);
  }
  const int dropped[] = {vtkDataSetAttributes::GLOBALIDS, vtkDataSetAttributes::PEDIGREEIDS,
                         vtkDataSetAttributes::RATIONALWEIGHTS, -1};
  CopyRoles(in, out, dropped);
}

/** Sets the kinds of plane cells, of which the core tells the ids only. */
void Curves::SetKinds(MeshCells &made) const {
  for (int64_t cell = 0; cell < made.Count; ++cell) {
    const uint8_t from = this->Mesh.Curved->View.types[this->SourceCells->GetId(cell)];
    const int64_t n = made.Offsets[cell + 1] - made.Offsets[cell];
    const bool quad = n == 4 && (from == VTK_QUAD || from == VTK_PIXEL);
    made.Types[cell] =
        static_cast<uint8_t>(n == 3 ? VTK_TRIANGLE : (quad ? VTK_QUAD : VTK_POLYGON));
  }
}

bool Curves::Fill(MeshCells &made, vtkSmartPointer<vtkDataSet> &arrays) {
  tsr_cells_output output;
  this->AllocateCells(made, output);
  this->Arrays = NewOctreeArrays(made.NumberOfPoints, made.Count);
  this->AddPointArrays();
  output.point_arrays = this->Attributes.data();
  output.n_point_arrays = static_cast<int>(this->Attributes.size());
  if (tsr_cells_fill(this->Plan, &output, &this->Context.Error) != TSR_OK) {
    return false;
  }
  if (!output.solid_types) {
    this->SetKinds(made);
  }
  std::copy_n(this->SourceCells->GetPointer(0), made.Count, made.Sources.Get());
  vtkCellData *in = this->Mesh.Data->GetCellData(), *out = this->Arrays->GetCellData();
  GatherArrays(in, this->Mesh.InputCells, this->SourceCells, "cell", out, this->Context.Runner,
               this->Context.Messages);
  const int dropped[] = {vtkDataSetAttributes::GLOBALIDS, vtkDataSetAttributes::HIGHERORDERDEGREES,
                         -1};
  CopyRoles(in, out, dropped);
  this->Arrays->GetFieldData()->PassData(this->Mesh.Data->GetFieldData());
  arrays = this->Arrays;
  return true;
}

} // namespace

bool DivideCurves(GridMesh &mesh, const CurveWishes &wishes, OctreeContext &context) {
  MeshCells made;
  vtkSmartPointer<vtkDataSet> arrays;
  {
    Curves curves(mesh, wishes, context);
    if (!curves.MakePlan()) {
      return false;
    }
    const std::string why = curves.WhyNot();
    if (!why.empty()) {
      context.Messages.Add("Cells of quadratic and higher order are taken as the linear cells of "
                           "their corners, since the mesh has " +
                           why + ".");
    }
    if (!why.empty() || curves.Cells() == 0) {
      mesh.Curved.reset();
      return true;
    }
    const tsr_note_count &bad = curves.Sizes().notes[TSR_CELLS_NOTE_PLACE];
    if (bad.count > 0) {
      char text[500];
      tsr_cells_note_sentence(TSR_CELLS_NOTE_PLACE, bad, text, sizeof text);
      context.Messages.Add(text);
    }
    if (!curves.Fill(made, arrays)) {
      return false;
    }
  }
  mesh.Replace(made, arrays); // what the plan has borrowed goes
  return true;
}

} // namespace tessera
