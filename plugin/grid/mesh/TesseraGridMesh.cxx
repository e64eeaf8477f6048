// SPDX-License-Identifier: BSD-3-Clause
/** The cells of an unstructured grid as the core takes them. */
#include "grid/mesh/TesseraGridMesh.h"

#include "frame/TesseraVersions.h"
#include "grid/TesseraGridPieces.h"

#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>

namespace tessera {

void GridMesh::Show(vtkUnstructuredGrid *grid) {
  this->Cells.Set(grid->GetCells());
  this->Cells.Describe(this->Core);
  if (grid->GetPoints()) {
    vtkDataArray *points = grid->GetPoints()->GetData();
    const bool plain = points->GetDataType() == VTK_FLOAT || points->GetDataType() == VTK_DOUBLE;
    this->Points.Set(plain ? points : ContiguousCopy(points, VTK_DOUBLE).Get());
    this->Core.points = this->Points.Get();
  }
  this->Core.types = CellTypes(grid, this->MadeTypes);
}

void GridMesh::Set(vtkUnstructuredGrid *grid, OctreeContext &context) {
  this->Data = grid;
  this->Show(grid);
  this->Hide(grid, context);
  std::array<bool, 256> has{};
  for (int64_t cell = 0; cell < this->Core.n_cells; ++cell) {
    has[this->Core.types[cell]] = true;
  }
  bool curved = false;
  for (int type = 0, corners; type < 256; ++type) {
    curved = curved || (has[type] && tsr_mesh_linear_kind(type, &corners) != 0);
  }
  if (curved) {
    context.Messages.Add("Cells of quadratic and higher order are taken as the linear cells of "
                         "their corners.");
    this->Linearise();
  }
  if (has[VTK_POLYHEDRON]) {
    this->Widen();
    this->AddFaces(grid);
  }
}

void GridMesh::Widen() {
  if (this->Core.index_type == TSR_INT64) {
    return;
  }
  const auto *offsets = static_cast<const int32_t *>(this->Core.offsets);
  const auto *ids = static_cast<const int32_t *>(this->Core.connectivity);
  this->MadeOffsets.assign(offsets, offsets + this->Core.n_cells + 1);
  this->MadeIds.assign(ids, ids + this->Core.n_connectivity);
  this->Core.offsets = this->MadeOffsets.data();
  this->Core.connectivity = this->MadeIds.data();
  this->Core.index_type = TSR_INT64;
}

void GridMesh::Linearise() {
  std::vector<unsigned char> types(this->Core.types, this->Core.types + this->Core.n_cells);
  std::vector<int64_t> offsets(1, 0), ids;
  for (int64_t cell = 0; cell < this->Core.n_cells; ++cell) {
    int corners;
    const int linear = tsr_mesh_linear_kind(types[static_cast<size_t>(cell)], &corners);
    const vtkIdType first = this->Cells.Offset(cell);
    vtkIdType n = this->Cells.Offset(cell + 1) - first;
    if (linear != 0) {
      types[static_cast<size_t>(cell)] = static_cast<unsigned char>(linear);
      n = std::min<vtkIdType>(n, corners); // too few are found, and told, later
    }
    for (vtkIdType i = 0; i < n; ++i) {
      ids.push_back(this->Cells.Id(first + i));
    }
    offsets.push_back(static_cast<int64_t>(ids.size()));
  }
  this->MadeTypes = std::move(types);
  this->MadeOffsets = std::move(offsets);
  this->MadeIds = std::move(ids);
  this->Core.types = this->MadeTypes.data();
  this->Core.offsets = this->MadeOffsets.data();
  this->Core.connectivity = this->MadeIds.data();
  this->Core.n_connectivity = static_cast<int64_t>(this->MadeIds.size());
  this->Core.index_type = TSR_INT64;
}

void GridMesh::AddFaces(vtkUnstructuredGrid *grid) {
  this->CellFaces.assign(1, 0);
  this->FaceOffsets.assign(1, 0);
  for (vtkIdType cell = 0; cell < this->Core.n_cells; ++cell) {
    if (this->Core.types[cell] == VTK_POLYHEDRON) {
      // A polyhedron whose faces are unusable has none: the core says so.
      ForFaces(grid, cell, [this](vtkIdType n, const vtkIdType *ids) {
        this->FaceIds.insert(this->FaceIds.end(), ids, ids + n);
        this->FaceOffsets.push_back(static_cast<int64_t>(this->FaceIds.size()));
      });
    }
    this->CellFaces.push_back(static_cast<int64_t>(this->FaceOffsets.size()) - 1);
  }
  this->Core.cell_faces = this->CellFaces.data();
  this->Core.face_offsets = this->FaceOffsets.data();
  this->Core.face_ids = this->FaceIds.data();
  this->Core.n_face_ids = static_cast<int64_t>(this->FaceIds.size());
}

void GridMesh::Hide(vtkUnstructuredGrid *grid, OctreeContext &context) {
  Values<std::uint8_t> hidden, copies;
  ReadGhosts(grid, this->Core, hidden, copies, context);
  for (int64_t cell = 0; copies.Get() && cell < this->Core.n_cells; ++cell) {
    hidden[cell] |= copies[cell];
    this->Copies += copies[cell];
  }
  if (hidden.Get()) {
    this->Hidden.assign(hidden.Get(), hidden.Get() + this->Core.n_cells);
    this->Core.hidden_cells = this->Hidden.data();
  }
}

namespace {

/** Are all cells of `grid` of kinds that only octrees and images have? */
bool IsOfVoxels(vtkUnstructuredGrid *grid) {
  std::vector<unsigned char> made;
  const unsigned char *types = grid ? CellTypes(grid, made) : nullptr;
  return !grid || std::all_of(types, types + grid->GetNumberOfCells(), [](unsigned char type) {
    return type == VTK_VOXEL || type == VTK_PIXEL;
  });
}

} // namespace

std::shared_ptr<GridMesh> MakeMesh(vtkUnstructuredGrid *data, bool receives,
                                   OctreeContext &context) {
  auto mesh = std::make_shared<GridMesh>();
  mesh->WhyNoOctree = context.Error;
  tsr_error agreed = context.Error;
  std::string why;
  context.Group.Agree(agreed, why);
  if (!context.Group.Any(!IsOfVoxels(data)) && !why.empty()) {
    context.Messages.Add("The unstructured grid is taken as a mesh, not as an octree: " + why +
                         ".");
  }
  context.Error = {};
  Guard(context.Error, [&] {
    if (data && data->GetNumberOfCells() > 0) {
      mesh->Set(data, context);
    }
  });
  if (context.Group.AllFine(context.Error)) {
    mesh->Gather(context);
  }
  return receives && context.Error.status == TSR_OK ? mesh : nullptr;
}

} // namespace tessera
