// SPDX-License-Identifier: BSD-3-Clause
/** The corners of cells of higher order. */
#include "grid/mesh/TesseraGridMesh.h"

#include <vtkCell.h>
#include <vtkCellType.h>
#include <vtkGenericCell.h>

#include <algorithm>
#include <array>

namespace tessera {

namespace {

/** Dimension of the cells of a kind; 3 for kinds that VTK names but has no class of. */
int DimensionOf(int kind) {
  const auto cell = vtkSmartPointer<vtkCell>::Take(vtkGenericCell::InstantiateCell(kind));
  return cell ? cell->GetCellDimension() : 3;
}

/** Entry i of the offsets or ids of `mesh`. */
int64_t IndexAt(const tsr_mesh_view &mesh, const void *list, int64_t i) {
  return mesh.index_type == TSR_INT32 ? static_cast<const int32_t *>(list)[i]
                                      : static_cast<const int64_t *>(list)[i];
}

/** What each cell takes part in: hidden cells, and cells of a lower dimension than others, in
 * nothing. */
std::vector<std::uint8_t> RolesOf(const tsr_mesh_view &mesh) {
  std::array<int, 256> dimension;
  dimension.fill(-1);
  std::vector<std::uint8_t> roles(static_cast<size_t>(mesh.n_cells), TSR_CELLS_ABSENT);
  const auto isHidden = [&mesh](int64_t cell) {
    return mesh.hidden_cells && mesh.hidden_cells[cell];
  };
  int most = 0;
  for (int64_t cell = 0; cell < mesh.n_cells; ++cell) {
    int &one = dimension[mesh.types[cell]];
    if (one < 0 && !isHidden(cell)) {
      one = DimensionOf(mesh.types[cell]);
      most = std::max(most, one);
    }
  }
  for (int64_t cell = 0; cell < mesh.n_cells; ++cell) {
    if (!isHidden(cell) && dimension[mesh.types[cell]] == most) {
      roles[static_cast<size_t>(cell)] = TSR_CELLS_DRAWN;
    }
  }
  return roles;
}

} // namespace

void GridMesh::ShowCorners() {
  if (!this->HasCurves) {
    return;
  }
  const tsr_mesh_view from = this->Core;
  this->Curved.reset(new CurvedCells{from, RolesOf(from), 0});
  std::array<int64_t, TSR_CELLS_MAX_DEGREE + 1> ofDegree{};
  int64_t seen = 0, below = 0;
  this->CornerTypes.assign(from.types, from.types + from.n_cells);
  this->CornerOffsets.assign(1, 0);
  this->CornerIds.clear();
  for (int64_t cell = 0; cell < from.n_cells; ++cell) {
    int corners;
    const int kind = from.types[cell], linear = tsr_mesh_linear_kind(kind, &corners);
    const int64_t first = IndexAt(from, from.offsets, cell);
    int64_t n = IndexAt(from, from.offsets, cell + 1) - first;
    if (this->Curved->Roles[static_cast<size_t>(cell)] == TSR_CELLS_DRAWN) {
      ++ofDegree[static_cast<size_t>(tsr_cells_degree(kind, n))];
      ++seen;
    }
    if (linear != 0) {
      this->CornerTypes[static_cast<size_t>(cell)] = static_cast<unsigned char>(linear);
      n = std::min<int64_t>(n, corners); // too few are found, and told, later
    }
    for (int64_t i = 0; i < n; ++i) {
      this->CornerIds.push_back(IndexAt(from, from.connectivity, first + i));
    }
    this->CornerOffsets.push_back(static_cast<int64_t>(this->CornerIds.size()));
  }
  int &degree = this->Curved->Degree;
  do {
    below += ofDegree[static_cast<size_t>(++degree)];
  } while (degree < TSR_CELLS_MAX_DEGREE && 2 * below < seen);
  this->Core.types = this->CornerTypes.data();
  this->Core.offsets = this->CornerOffsets.data();
  this->Core.connectivity = this->CornerIds.data();
  this->Core.n_connectivity = static_cast<int64_t>(this->CornerIds.size());
  this->Core.index_type = TSR_INT64;
}

} // namespace tessera
