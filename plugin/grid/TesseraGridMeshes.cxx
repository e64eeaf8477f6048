// SPDX-License-Identifier: BSD-3-Clause
/** The octrees of the meshes of an input, which share one lattice. */
#include "grid/TesseraGridExecution.h"
#include "grid/mesh/TesseraGridMesh.h"

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
      sizes[i] = domain.CellSize;
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

bool GridExecution::CollectMeshes() {
  tsr_error error = {};
  MeshWishes wishes = {this->Settings, this->Settings.finest_cell, {1, -1, 1, -1, 1, -1}};
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
    this->Group.AllFine(error);
    const unsigned int block = this->Blocks[one.Grid];
    if (error.status == TSR_OK || this->LeavesOut(one.Block, block, error)) {
      continue;
    }
    this->Failure = error;
    this->NameBlock(one.Grid);
    return false;
  }
  return true;
}

} // namespace tessera
