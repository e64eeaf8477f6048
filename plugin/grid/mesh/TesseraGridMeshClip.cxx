// SPDX-License-Identifier: BSD-3-Clause
#include "grid/mesh/TesseraGridMeshClip.h"

#include "frame/TesseraVersions.h"
#include "grid/mesh/TesseraGridMesh.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <array>
#include <cmath>
#include <map>

namespace tessera {

namespace {

/** A place as whole multiples of half a finest cell. */
using LatticePlace = std::array<int64_t, 3>;

class Clipper {
public:
  Clipper(const GridDataset &dataset, vtkUnstructuredGrid *grid, vtkIdTypeArray *leaves)
      : Dataset(dataset), Octree(*dataset.Octree()), Grid(grid), Leaves(leaves) {}
  ~Clipper() { tsr_mesh_clip_free(this->Plan); }
  Clipper(const Clipper &) = delete;
  Clipper &operator=(const Clipper &) = delete;

  bool MakePlan(ThreadRunner &runner, tsr_error &error);
  /** Allocates what the core fills, and lets it. */
  bool Fill(tsr_error &error);
  vtkSmartPointer<vtkUnstructuredGrid> Join();

private:
  void AddArrays(bool cells);
  /** Numbers the points and cells that stay, and those of the pieces behind them. */
  void Number();
  void JoinPoints();
  void JoinCells();
  void JoinArrays(bool cells);
  /** Sets the tuples of the pieces of a generated array. */
  void SetGenerated(vtkAbstractArray *from, vtkAbstractArray *to, bool cells);
  bool IsKept(vtkIdType cell) const { return !this->Cut[this->Leaves->GetValue(cell)]; }
  int Corners() const { return this->Sizes.dimension + 1; }

  const GridDataset &Dataset;
  const GridOctree &Octree;
  vtkUnstructuredGrid *Grid;
  vtkIdTypeArray *Leaves;
  std::vector<double> LeafBoxes;
  tsr_mesh_clip *Plan = nullptr;
  tsr_mesh_clip_sizes Sizes = {};
  Values<std::uint8_t> Cut;
  Values<double> Points, Places;
  Values<std::int64_t> Ids, LeafOf, Source;
  /** By points and cells: the array of the mesh, that of the pieces' tuples (NULL: VTK copies them
   * from the mesh). */
  std::vector<std::pair<vtkAbstractArray *, vtkSmartPointer<vtkAbstractArray>>> Arrays[2];
  std::vector<ArrayView> Inputs;
  std::vector<tsr_mesh_attribute> Attributes;

  std::vector<vtkIdType> KeptPoints, KeptCells; /**< of Grid, in their order */
  std::vector<vtkIdType> NewPoint;              /**< of each point of Grid; -1: it goes */
  std::vector<vtkIdType> PiecePoint;            /**< of each point of the pieces */
  std::vector<vtkIdType> OwnPoints;             /**< points of the pieces that Grid does not have */
  std::vector<vtkIdType> FirstCell;             /**< of each leaf */
  vtkSmartPointer<vtkUnstructuredGrid> Made;
};

bool Clipper::MakePlan(ThreadRunner &runner, tsr_error &error) {
  const int coarsen = this->Dataset.Options().coarsen_levels;
  const vtkIdType count = this->Dataset.Sizes().leaves;
  const tsr_grid_node *nodes = tsr_grid_plan_nodes(this->Dataset.CorePlan());
  if (!nodes && count > 0) {
    throw std::bad_alloc();
  }
  this->LeafBoxes.resize(static_cast<size_t>(4 * count));
  for (vtkIdType i = 0; i < count; ++i) {
    double *box = &this->LeafBoxes[static_cast<size_t>(4 * i)];
    box[3] = std::ldexp(1.0, coarsen - nodes[i].level);
    for (int axis = 0; axis < 3; ++axis) {
      box[axis] = nodes[i].index[axis] * box[3];
    }
  }
  tsr_mesh_clip_options options;
  tsr_mesh_clip_options_init(&options);
  options.lattice.cell_size = this->Octree.MeshCellSize;
  std::copy_n(this->Octree.MeshBounds, 6, options.lattice.bounds);
  options.leaves = this->LeafBoxes.data();
  options.n_leaves = count;
  if (tsr_mesh_clip_create(&this->Octree.Mesh->Core, &options, runner.Core(), &this->Plan,
                           &error) != TSR_OK) {
    return false;
  }
  this->Sizes = *tsr_mesh_clip_plan_sizes(this->Plan);
  return true;
}

void Clipper::AddArrays(bool cells) {
  const int kind = cells ? vtkDataObject::CELL : vtkDataObject::POINT;
  vtkDataSetAttributes *from = this->Octree.Samples->GetAttributes(kind);
  for (int i = 0; i < from->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = from->GetAbstractArray(i);
    ArrayView view;
    vtkSmartPointer<vtkAbstractArray> made;
    if (view.Set(vtkDataArray::SafeDownCast(array))) {
      made = NewArrayLike(array, cells ? this->Sizes.pieces : this->Sizes.points);
      this->Inputs.push_back(view);
      this->Attributes.push_back({view.Get(), cells, made->GetVoidPointer(0)});
    }
    this->Arrays[cells].emplace_back(array, made);
  }
}

bool Clipper::Fill(tsr_error &error) {
  this->Cut.Allocate(this->Dataset.Sizes().leaves);
  this->Points.Allocate(3 * this->Sizes.points);
  this->Places.Allocate(3 * this->Sizes.points);
  this->Ids.Allocate(this->Corners() * this->Sizes.pieces);
  this->LeafOf.Allocate(this->Sizes.pieces);
  this->Source.Allocate(this->Sizes.pieces);
  this->AddArrays(false);
  this->AddArrays(true);
  tsr_mesh_clip_output output;
  tsr_mesh_clip_output_init(&output);
  output.cut = this->Cut.Get();
  output.points = this->Points.Get();
  output.places = this->Places.Get();
  output.connectivity = this->Ids.Get();
  output.leaf = this->LeafOf.Get();
  output.source = this->Source.Get();
  output.attributes = this->Attributes.data();
  output.n_attributes = static_cast<int>(this->Attributes.size());
  return tsr_mesh_clip_fill(this->Plan, &output, &error) == TSR_OK;
}

void Clipper::Number() {
  vtkCellArray *cells = this->Grid->GetCells();
  this->NewPoint.assign(static_cast<size_t>(this->Grid->GetNumberOfPoints()), -1);
  this->FirstCell.assign(static_cast<size_t>(this->Dataset.Sizes().leaves), -1);
  for (vtkIdType cell = 0; cell < this->Grid->GetNumberOfCells(); ++cell) {
    vtkIdType &first = this->FirstCell[static_cast<size_t>(this->Leaves->GetValue(cell))];
    first = first < 0 ? cell : first;
    if (this->IsKept(cell)) {
      vtkIdType n;
      const vtkIdType *ids;
      cells->GetCellAtId(cell, n, ids);
      this->KeptCells.push_back(cell);
      for (vtkIdType k = 0; k < n; ++k) {
        this->NewPoint[static_cast<size_t>(ids[k])] = 0;
      }
    }
  }
  // Both kinds of points have their places in the lattice, where corners of leaves meet.
  tsr_mesh_options defaults;
  tsr_mesh_options_init(&defaults);
  const double halves = std::ldexp(1.0, defaults.levels + 1);
  const OctreeLattice &lattice = this->Octree.Lattice;
  std::map<LatticePlace, vtkIdType> corners;
  for (vtkIdType i = 0; i < this->Grid->GetNumberOfPoints(); ++i) {
    if (this->NewPoint[static_cast<size_t>(i)] == 0) {
      double x[3];
      LatticePlace at = {0, 0, 0};
      this->Grid->GetPoint(i, x);
      for (size_t a = 0; a < 3; ++a) {
        at[a] = lattice.Cells[a] > 0
                    ? std::llround((x[a] - lattice.Origin[a]) / lattice.Spacing[a] * halves)
                    : 0;
      }
      this->NewPoint[static_cast<size_t>(i)] = static_cast<vtkIdType>(this->KeptPoints.size());
      corners[at] = static_cast<vtkIdType>(this->KeptPoints.size());
      this->KeptPoints.push_back(i);
    }
  }
  for (vtkIdType i = 0; i < this->Sizes.points; ++i) {
    LatticePlace at;
    bool whole = true;
    for (int a = 0; a < 3; ++a) {
      const double place = this->Places[3 * i + a] * halves;
      at[static_cast<size_t>(a)] = std::llround(place);
      whole = whole && std::floor(place) == place;
    }
    const auto found = whole ? corners.find(at) : corners.end();
    if (found == corners.end()) {
      this->PiecePoint.push_back(
          static_cast<vtkIdType>(this->KeptPoints.size() + this->OwnPoints.size()));
      this->OwnPoints.push_back(i);
    } else {
      this->PiecePoint.push_back(found->second);
    }
  }
}

void Clipper::JoinPoints() {
  vtkNew<vtkPoints> points;
  points->SetDataType(this->Grid->GetPoints()->GetDataType());
  points->SetNumberOfPoints(
      static_cast<vtkIdType>(this->KeptPoints.size() + this->OwnPoints.size()));
  vtkIdType to = 0;
  for (const vtkIdType point : this->KeptPoints) {
    points->SetPoint(to++, this->Grid->GetPoint(point));
  }
  for (const vtkIdType point : this->OwnPoints) {
    points->SetPoint(to++, this->Points.Get() + 3 * point);
  }
  this->Made->SetPoints(points);
}

void Clipper::JoinCells() {
  vtkCellArray *cells = this->Grid->GetCells();
  vtkIdType length = this->Corners() * this->Sizes.pieces;
  for (const vtkIdType cell : this->KeptCells) {
    length += cells->GetCellSize(cell);
  }
  const vtkIdType count = static_cast<vtkIdType>(this->KeptCells.size()) + this->Sizes.pieces;
  vtkNew<vtkTypeInt64Array> offsets, connectivity;
  vtkNew<vtkUnsignedCharArray> types;
  AllocateTuples(offsets, count + 1);
  AllocateTuples(connectivity, length);
  AllocateTuples(types, count);
  vtkIdType at = 0, end = 0;
  offsets->SetValue(0, 0);
  for (const vtkIdType cell : this->KeptCells) {
    vtkIdType n;
    const vtkIdType *ids;
    cells->GetCellAtId(cell, n, ids);
    for (vtkIdType k = 0; k < n; ++k) {
      connectivity->SetValue(end++, this->NewPoint[static_cast<size_t>(ids[k])]);
    }
    types->SetValue(at, static_cast<unsigned char>(this->Grid->GetCellType(cell)));
    offsets->SetValue(++at, end);
  }
  for (vtkIdType piece = 0; piece < this->Sizes.pieces; ++piece) {
    for (int k = 0; k < this->Corners(); ++k) {
      const int64_t id = this->Ids[piece * this->Corners() + k];
      connectivity->SetValue(end++, this->PiecePoint[static_cast<size_t>(id)]);
    }
    types->SetValue(at, this->Sizes.dimension == 3 ? VTK_TETRA : VTK_TRIANGLE);
    offsets->SetValue(++at, end);
  }
  vtkNew<vtkCellArray> made;
  made->SetData(offsets, connectivity);
  SetCells(this->Made, types, made);
}

void Clipper::SetGenerated(vtkAbstractArray *from, vtkAbstractArray *to, bool cells) {
  const auto kept = static_cast<vtkIdType>((cells ? this->KeptCells : this->KeptPoints).size());
  auto *number = vtkDataArray::SafeDownCast(to);
  if (!cells) { // Inside: parts of divided cells have means there, though they lie in the mesh, too
    for (vtkIdType i = 0; i < to->GetNumberOfTuples(); ++i) {
      number->SetComponent(i, 0, 1.0);
    }
    return;
  }
  const bool source = NameOf(to) == "SourceCell" && number;
  for (vtkIdType piece = 0; piece < this->Sizes.pieces; ++piece) {
    const auto leaf = static_cast<size_t>(this->LeafOf[piece]);
    if (source) {
      const int64_t cell = this->Octree.Mesh->InputCell(this->Source[piece]);
      number->SetComponent(kept + piece, 0, static_cast<double>(cell));
    } else {
      to->SetTuple(kept + piece, this->FirstCell[leaf], from);
    }
  }
}

void Clipper::JoinArrays(bool cells) {
  const int kind = cells ? vtkDataObject::CELL : vtkDataObject::POINT;
  vtkDataSetAttributes *in = this->Grid->GetAttributes(kind);
  vtkDataSetAttributes *out = this->Made->GetAttributes(kind);
  const std::vector<vtkIdType> &kept = cells ? this->KeptCells : this->KeptPoints;
  const auto first = static_cast<vtkIdType>(kept.size());
  const vtkIdType more =
      cells ? this->Sizes.pieces : static_cast<vtkIdType>(this->OwnPoints.size());
  const GridSettings &settings = this->Dataset.Settings();
  for (int i = 0; i < in->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *from = in->GetAbstractArray(i);
    const std::string name = NameOf(from);
    auto to = NewArrayLike(from, first + more);
    for (vtkIdType k = 0; k < first; ++k) {
      to->SetTuple(k, kept[static_cast<size_t>(k)], from);
    }
    const bool generated = cells ? (settings.level && name == "Level") ||
                                       (settings.indicator && name == "Indicator") ||
                                       (settings.source_cell && name == "SourceCell")
                                 : settings.inside && name == "Inside";
    if (generated || static_cast<size_t>(i) >= this->Arrays[cells].size()) {
      this->SetGenerated(from, to, cells);
    } else {
      const auto &pair = this->Arrays[cells][static_cast<size_t>(i)];
      for (vtkIdType k = 0; k < more; ++k) {
        const vtkIdType at = cells ? k : this->OwnPoints[static_cast<size_t>(k)];
        if (pair.second) {
          to->SetTuple(first + k, at, pair.second);
        } else {
          to->SetTuple(first + k, this->Source[k], pair.first);
        }
      }
    }
    out->AddArray(to);
  }
  const int none[] = {-1};
  CopyRoles(in, out, none);
}

vtkSmartPointer<vtkUnstructuredGrid> Clipper::Join() {
  this->Made = vtkSmartPointer<vtkUnstructuredGrid>::New();
  this->Number();
  this->JoinPoints();
  this->JoinCells();
  this->JoinArrays(false);
  this->JoinArrays(true);
  this->Made->GetFieldData()->PassData(this->Grid->GetFieldData());
  return this->Made;
}

} // namespace

vtkSmartPointer<vtkUnstructuredGrid> ClipAtSurface(const GridDataset &dataset,
                                                   vtkUnstructuredGrid *grid,
                                                   vtkIdTypeArray *leaves, ThreadRunner &runner,
                                                   tsr_error &error) {
  Clipper clipper(dataset, grid, leaves);
  return clipper.MakePlan(runner, error) && clipper.Fill(error) ? clipper.Join() : nullptr;
}

} // namespace tessera
