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
#include <atomic>
#include <numeric>

namespace tessera {

namespace {

/** Cells of which a thread reads the kinds or faces at a time. */
constexpr int64_t CELLS_OF_A_PIECE = 1 << 14;

} // namespace

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
  this->InputCells = this->Core.n_cells;
  this->Hide(grid, context);
  std::array<std::atomic<bool>, 256> has{};
  context.Runner.Share(
      this->Core.n_cells, CELLS_OF_A_PIECE, [this, &has](int64_t begin, int64_t end) {
        for (int64_t cell = begin; cell < end; ++cell) {
          std::atomic<bool> &one = has[this->Core.types[cell]];
          if (!one.load(std::memory_order_relaxed)) { // threads that only read share the memory
            one.store(true, std::memory_order_relaxed);
          }
        }
      });
  for (int type = 0, corners; type < 256; ++type) {
    this->HasCurves = this->HasCurves || (has[type] && tsr_mesh_linear_kind(type, &corners) != 0);
  }
  if (has[VTK_POLYHEDRON]) {
    this->Widen();
    this->AddFaces(grid, context);
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

void GridMesh::Replace(MeshCells &made, vtkDataSet *arrays) {
  this->Made = std::move(made);
  this->Data = arrays;
  this->Curved.reset();
  this->CornerTypes = {};
  this->CornerOffsets = this->CornerIds = {};
  tsr_mesh_view_init(&this->Core);
  const MeshCells &from = this->Made;
  this->Core.points = {from.Wide ? static_cast<const void *>(from.Doubles.Get())
                                 : static_cast<const void *>(from.Singles.Get()),
                       from.Wide ? TSR_DOUBLE : TSR_FLOAT, 3, from.NumberOfPoints};
  this->Core.n_cells = from.Count;
  this->Core.types = from.Types.Get();
  this->Core.offsets = from.Offsets.Get();
  this->Core.connectivity = from.Ids.Get();
  this->Core.n_connectivity = from.Length;
  this->Core.index_type = TSR_INT64;
}

void GridMesh::AddFaces(vtkUnstructuredGrid *grid, OctreeContext &context) {
  const int64_t n = this->Core.n_cells, grain = FacesAreShared(grid) ? CELLS_OF_A_PIECE : n;
  std::vector<int64_t> ids(static_cast<size_t>(n) + 1, 0); // of the faces of the cells before
  this->CellFaces.assign(static_cast<size_t>(n) + 1, 0);
  // A polyhedron whose faces are unusable has none: the core says so.
  const auto visit = [this, grid](int64_t cell, const auto &face) {
    if (this->Core.types[cell] == VTK_POLYHEDRON) {
      ForFaces(grid, cell, face);
    }
  };
  context.Runner.Share(n, grain, [&](int64_t begin, int64_t end) {
    for (int64_t cell = begin; cell < end; ++cell) {
      const size_t next = static_cast<size_t>(cell) + 1;
      visit(cell, [&](vtkIdType size, const vtkIdType *) {
        ++this->CellFaces[next];
        ids[next] += size;
      });
    }
  });
  std::partial_sum(this->CellFaces.begin(), this->CellFaces.end(), this->CellFaces.begin());
  std::partial_sum(ids.begin(), ids.end(), ids.begin());
  this->Faces = this->CellFaces.back();
  this->FaceOffsets.Allocate(this->Faces + 1);
  this->FaceOffsets[0] = 0;
  this->FaceIds.Allocate(ids.back());
  context.Runner.Share(n, grain, [&](int64_t begin, int64_t end) {
    for (int64_t cell = begin; cell < end; ++cell) {
      int64_t face = this->CellFaces[static_cast<size_t>(cell)],
              at = ids[static_cast<size_t>(cell)];
      visit(cell, [&](vtkIdType size, const vtkIdType *from) {
        std::copy_n(from, size, this->FaceIds.Get() + at);
        at += size;
        this->FaceOffsets[++face] = at;
      });
    }
  });
  this->Core.cell_faces = this->CellFaces.data();
  this->Core.face_offsets = this->FaceOffsets.Get();
  this->Core.face_ids = this->FaceIds.Get();
  this->Core.n_face_ids = ids.back();
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
  if (!receives || context.Error.status != TSR_OK ||
      !Guard(context.Error, [&] { mesh->ShowCorners(); })) {
    return nullptr;
  }
  return mesh;
}

} // namespace tessera
