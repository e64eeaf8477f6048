// SPDX-License-Identifier: BSD-3-Clause
#include "grid/octree/TesseraGridOctree.h"

#include "frame/data/TesseraArrays.h"
#include "grid/TesseraGridPieces.h"
#include "grid/mesh/TesseraGridMesh.h"

#include <vtkHyperTreeGrid.h>
#include <vtkObjectFactory.h>
#include <vtkUniformGridAMR.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>

namespace tessera {

namespace {

/** Says how many tuples its arrays have, without cells or points. */
class OctreeArrays : public vtkUnstructuredGrid {
public:
  static OctreeArrays *New();
  vtkTypeMacro(OctreeArrays, vtkUnstructuredGrid);
  vtkIdType GetNumberOfPoints() override { return this->PointTuples; }
  vtkIdType GetNumberOfCells() override { return this->CellTuples; }

  vtkIdType PointTuples = 0, CellTuples = 0;

protected:
  OctreeArrays() = default;

private:
  OctreeArrays(const OctreeArrays &) = delete;
  void operator=(const OctreeArrays &) = delete;
};

vtkStandardNewMacro(OctreeArrays);

/** The kinds of dataset that hold cells of several sizes. Where a process has several to choose
 * from, none is the lowest. */
enum Kind { NO_CELLS = 0, BLOCKS, TREES, CELLS };

Kind KindOf(vtkDataObject *data) {
  auto *trees = vtkHyperTreeGrid::SafeDownCast(data);
  auto *cells = vtkUnstructuredGrid::SafeDownCast(data);
  return vtkUniformGridAMR::SafeDownCast(data)                          ? BLOCKS
         : trees && trees->GetNumberOfElements(vtkDataObject::CELL) > 0 ? TREES
         : cells && cells->GetNumberOfCells() > 0                       ? CELLS
                                                                        : NO_CELLS;
}

/** The kind that all processes with cells have. */
Kind AgreeOnKind(vtkDataObject *data, OctreeContext &context) {
  Kind kind = NO_CELLS;
  for (const vtkIdType one : context.Group.Gather({KindOf(data)})) {
    if (kind != NO_CELLS && one != NO_CELLS && one != kind) {
      Fail(context.Error, "the processes have different kinds of data at one place: make all of "
                          "them AMR, hyper tree grids or unstructured grids");
    }
    kind = one != NO_CELLS ? static_cast<Kind>(one) : kind;
  }
  return kind;
}

} // namespace

void GridOctree::Describe(tsr_grid_view &view) {
  const OctreeLattice &lattice = this->Lattice;
  view.geometry = lattice.IsRectilinear() ? TSR_GEOMETRY_RECTILINEAR : TSR_GEOMETRY_UNIFORM;
  for (int axis = 0; axis < 3; ++axis) {
    // Regions, and the roots of trees and blocks, count cells of level 0.
    view.whole[2 * axis] = view.extent[2 * axis] = 0;
    view.whole[2 * axis + 1] = view.extent[2 * axis + 1] = lattice.Cells[axis];
    view.origin[axis] = lattice.Origin[axis];
    view.spacing[axis] = lattice.Spacing[axis];
    const std::vector<double> &sides = lattice.Sides[axis];
    view.coordinates[axis] = {sides.empty() ? nullptr : sides.data(), TSR_DOUBLE, 1,
                              static_cast<int64_t>(sides.size())};
    this->Core.cells[axis] = lattice.Cells[axis];
  }
  this->Core.n = this->Count;
  this->Core.level = this->Level.Get();
  this->Core.index = this->Index.Get();
  this->Core.corners = this->Corners.Get();
  this->Core.points = this->Corners.Get() || this->InOrder ? this->Data->GetNumberOfPoints() : 0;
  this->Core.outside = this->Outside.Get();
  const double *points = this->PointPlaces.Get(), *cells = this->CellPlaces.Get();
  this->Core.at_points = {points ? this->Samples->GetNumberOfPoints() : 0, points};
  this->Core.at_cells = {cells ? this->Samples->GetNumberOfCells() : 0, cells};
  view.hidden_cells = this->Hidden.Get();
  view.octree = &this->Core;
}

vtkAbstractArray *GridOctree::SamplesOf(vtkAbstractArray *array, bool cells) const {
  const int kind = cells ? vtkDataObject::CELL : vtkDataObject::POINT;
  vtkDataSetAttributes *made = this->Data->GetAttributes(kind);
  for (int i = 0; this->Samples && i < made->GetNumberOfArrays(); ++i) {
    if (made->GetAbstractArray(i) == array) {
      return this->Samples->GetAttributes(kind)->GetAbstractArray(i);
    }
  }
  return nullptr;
}

const double *const *GridOctree::Axes() {
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double> &sides = this->Lattice.Sides[axis];
    this->AxisPointers[axis] = sides.empty() ? nullptr : sides.data();
  }
  return this->AxisPointers;
}

vtkSmartPointer<vtkDataSet> NewOctreeArrays(vtkIdType points, vtkIdType cells) {
  auto arrays = vtkSmartPointer<OctreeArrays>::New();
  arrays->PointTuples = points;
  arrays->CellTuples = cells;
  return arrays;
}

bool HoldsOctree(vtkDataObject *data) {
  return vtkUniformGridAMR::SafeDownCast(data) || vtkHyperTreeGrid::SafeDownCast(data) ||
         vtkUnstructuredGrid::SafeDownCast(data);
}

const unsigned char *GhostsOf(vtkDataObject *data, bool cells, const std::string &where,
                              WarningList &messages) {
  const int kind = cells ? vtkDataObject::CELL : vtkDataObject::POINT;
  vtkDataSetAttributes *attributes = data->GetAttributes(kind);
  vtkAbstractArray *array =
      attributes ? attributes->GetAbstractArray(vtkDataSetAttributes::GhostArrayName()) : nullptr;
  auto *flags = vtkUnsignedCharArray::SafeDownCast(array);
  const vtkIdType count = data->GetNumberOfElements(kind);
  if (flags && flags->GetNumberOfValues() == count) {
    return flags->GetPointer(0);
  }
  if (array) {
    messages.Add(UnusableGhosts(array, cells ? "cell" : "point", count) + where);
  }
  return nullptr;
}

namespace {

/** True if all that failed, on any process, is that the input does not fit. Collective. */
bool IsUnfit(const OctreeContext &context) {
  const tsr_status status = context.Error.status;
  const bool other = status != TSR_OK && status != TSR_BAD_INPUT && status != TSR_ABORTED;
  return !context.Group.Any(other) && context.Group.Any(status == TSR_BAD_INPUT);
}

} // namespace

std::shared_ptr<GridOctree> MakeOctree(vtkDataObject *data, const std::vector<int> &holders,
                                       OctreeContext &context, std::shared_ptr<GridMesh> &mesh) {
  const Kind kind = AgreeOnKind(data, context);
  if (context.Error.status != TSR_OK || kind == NO_CELLS) {
    return nullptr; // on all processes
  }
  const bool receives =
      std::find(holders.begin(), holders.end(), context.Group.Rank()) != holders.end();
  auto tree = std::make_shared<GridOctree>();
  if (kind == BLOCKS) {
    OctreeOfBlocks(vtkUniformGridAMR::SafeDownCast(data), *tree, context);
  } else if (kind == TREES) {
    auto *trees = vtkHyperTreeGrid::SafeDownCast(data);
    OctreeOfTrees(KindOf(data) == TREES ? trees : nullptr, *tree, context);
  } else {
    auto *cells = vtkUnstructuredGrid::SafeDownCast(data);
    OctreeOfCells(cells, *tree, context);
    if (IsUnfit(context)) { // here alone is decided what is an octree, and what a mesh
      mesh = MakeMesh(cells, receives, context);
      return nullptr;
    }
  }
  if (context.Error.status != TSR_OK) { // on all processes
    return nullptr;
  }
  GatherOctree(*tree, receives, context);
  const bool fine = context.Error.status == TSR_OK;
  return fine && receives && tree->Count > 0 ? tree : nullptr;
}

} // namespace tessera
