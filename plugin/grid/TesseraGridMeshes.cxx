// SPDX-License-Identifier: BSD-3-Clause
/** The octrees of the meshes of an input, which share one lattice. */
#include "grid/TesseraGridExecution.h"
#include "grid/mesh/TesseraGridMeshCurved.h"

#include <algorithm>
#include <limits>

namespace tessera {

bool GridExecution::ShareDomain(MeshWishes &wishes, tsr_error &error) {
  constexpr double NOTHING = -std::numeric_limits<double>::infinity();
  // By mesh: its cell size, and how many cells have it; lower bounds, negated, and upper ones.
  std::vector<double> sizes(this->Meshes.size(), NOTHING), cells(this->Meshes.size(), NOTHING);
  std::vector<double> bounds(6, NOTHING);
  for (size_t i = 0; i < this->Meshes.size(); ++i) {
    const GridMesh *mesh = this->Meshes[i].Mesh.get();
    MeshDomain domain;
    tsr_error unusable = {}; // told when its octree is made
    OctreeContext context = {this->Group, this->Runner, this->Messages, unusable};
    if (mesh && FindDomain(*mesh, wishes, context, domain)) {
      // A cell of a higher degree resolves more than its edges say.
      const bool own = wishes.CellSize <= 0.0 && mesh->Curved;
      sizes[i] = domain.CellSize / (own ? mesh->Curved->Degree : 1);
      cells[i] = static_cast<double>(mesh->Core.n_cells);
      for (size_t side = 0; side < 6; ++side) {
        const double at = side % 2 == 0 ? -domain.Bounds[side] : domain.Bounds[side];
        bounds[side] = std::max(bounds[side], at);
      }
    }
    error = unusable.status == TSR_NO_MEMORY || unusable.status == TSR_DEVICE ? unusable : error;
  }
  if (!this->Group.AllFine(error)) {
    return false;
  }
  this->Group.Max(sizes.data(), static_cast<int>(sizes.size()));
  this->Group.Max(cells.data(), static_cast<int>(cells.size()));
  this->Group.Max(bounds.data(), 6);
  std::vector<std::pair<double, double>> sorted;
  double all = 0.0, below = 0.0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (cells[i] > 0.0 && sizes[i] > 0.0) {
      sorted.emplace_back(sizes[i], cells[i]);
      all += cells[i];
    }
  }
  std::sort(sorted.begin(), sorted.end());
  for (const auto &one : sorted) { // the median of their medians, weighted by cells
    if (below < 0.5 * all) {
      wishes.CellSize = one.first;
    }
    below += one.second;
  }
  for (size_t side = 0; side < 6; ++side) {
    wishes.Bounds[side] = side % 2 == 0 ? -bounds[side] : bounds[side];
  }
  return true;
}

/** Chord error of curved cells, as a part of the side of the finest cells. */
constexpr double CHORD_OF_CELL = 0.25;

bool GridExecution::DivideCurved(MeshWishes &wishes, tsr_error &error) {
  const auto isCurved = [](const PendingMesh &one) { return one.Mesh && one.Mesh->Curved; };
  MeshWishes own = {this->Settings, 0.0, {1, -1, 1, -1, 1, -1}};
  if (!this->Group.Any(std::any_of(this->Meshes.begin(), this->Meshes.end(), isCurved))) {
    return true;
  }
  if (!this->ShareDomain(own, error)) {
    this->Failure = error;
    return false;
  }
  if (own.CellSize <= 0.0) {
    return true; // no mesh can be used: it is told when the octrees are made
  }
  const double finest = wishes.CellSize > 0.0 ? wishes.CellSize : own.CellSize;
  double most = -this->Allowed(); // all processes must divide in the same way
  this->Group.Max(&most, 1);
  bool divided = false;
  for (PendingMesh &one : this->Meshes) {
    error = {};
    OctreeContext context = {this->Group, this->Runner, this->Messages, error};
    const CurveWishes how = {this->Settings, finest, CHORD_OF_CELL * std::min(finest, own.CellSize),
                             -most};
    const bool curved = isCurved(one);
    if (curved && Guard(error, [&] { DivideCurves(*one.Mesh, how, context); })) {
      divided = divided || one.Mesh->IsDivided();
    }
    if (!this->KeepsMesh(one, error)) {
      return false;
    }
    if (error.status != TSR_OK) {
      one.Mesh.reset();
    }
  }
  wishes.CellSize = this->Group.Any(divided) ? finest : wishes.CellSize;
  return true;
}

bool GridExecution::KeepsMesh(const PendingMesh &one, tsr_error &error) {
  this->Group.AllFine(error);
  if (error.status == TSR_OK || this->LeavesOut(one.Block, this->Blocks[one.Grid], error)) {
    return true;
  }
  this->Failure = error;
  this->NameBlock(one.Grid);
  return false;
}

bool GridExecution::CollectMeshes() {
  tsr_error error = {};
  MeshWishes wishes = {this->Settings, this->Settings.finest_cell, {1, -1, 1, -1, 1, -1}};
  if (!this->DivideCurved(wishes, error)) {
    return false;
  }
  if (this->Meshes.size() > 1 && !this->ShareDomain(wishes, error)) {
    this->Failure = error;
    return false;
  }
  for (PendingMesh &one : this->Meshes) {
    error = {};
    OctreeContext context = {this->Group, this->Runner, this->Messages, error};
    Guard(error, [&] {
      const auto tree = one.Mesh ? MakeMeshOctree(*one.Mesh, wishes, context) : nullptr;
      if (tree && this->Settings.boundary == TSR_GRID_CLIPPED) {
        tree->Mesh = one.Mesh;
        tree->MeshCellSize = wishes.CellSize;
        std::copy_n(wishes.Bounds, 6, tree->MeshBounds);
      }
      if (tree) {
        this->AddOctree(one.Grid, one.Block, tree);
      }
    });
    one.Mesh.reset();
    if (!this->KeepsMesh(one, error)) {
      return false;
    }
  }
  return true;
}

} // namespace tessera
