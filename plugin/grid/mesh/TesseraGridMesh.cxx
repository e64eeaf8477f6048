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

namespace tessera {

LinearKind LinearKindOf(int type) {
  switch (type) {
  case VTK_QUADRATIC_TRIANGLE:
  case VTK_BIQUADRATIC_TRIANGLE:
  case VTK_LAGRANGE_TRIANGLE:
  case VTK_BEZIER_TRIANGLE:
    return {VTK_TRIANGLE, 3};
  case VTK_QUADRATIC_QUAD:
  case VTK_BIQUADRATIC_QUAD:
  case VTK_QUADRATIC_LINEAR_QUAD:
  case VTK_LAGRANGE_QUADRILATERAL:
  case VTK_BEZIER_QUADRILATERAL:
    return {VTK_QUAD, 4};
  case VTK_QUADRATIC_TETRA:
  case VTK_LAGRANGE_TETRAHEDRON:
  case VTK_BEZIER_TETRAHEDRON:
    return {VTK_TETRA, 4};
  case VTK_QUADRATIC_HEXAHEDRON:
  case VTK_TRIQUADRATIC_HEXAHEDRON:
  case VTK_BIQUADRATIC_QUADRATIC_HEXAHEDRON:
  case VTK_LAGRANGE_HEXAHEDRON:
  case VTK_BEZIER_HEXAHEDRON:
    return {VTK_HEXAHEDRON, 8};
  case VTK_QUADRATIC_WEDGE:
  case VTK_QUADRATIC_LINEAR_WEDGE:
  case VTK_BIQUADRATIC_QUADRATIC_WEDGE:
  case VTK_LAGRANGE_WEDGE:
  case VTK_BEZIER_WEDGE:
    return {VTK_WEDGE, 6};
  case VTK_QUADRATIC_PYRAMID:
  case VTK_TRIQUADRATIC_PYRAMID:
  case VTK_LAGRANGE_PYRAMID:
  case VTK_BEZIER_PYRAMID:
    return {VTK_PYRAMID, 5};
  default:
    return {0, 0};
  }
}

void GridMesh::Set(vtkUnstructuredGrid *grid, OctreeContext &context) {
  this->Data = grid;
  this->Cells.Set(grid->GetCells());
  this->Cells.Describe(this->Core);
  if (grid->GetPoints()) {
    vtkDataArray *points = grid->GetPoints()->GetData();
    const bool plain = points->GetDataType() == VTK_FLOAT || points->GetDataType() == VTK_DOUBLE;
    this->Points.Set(plain ? points : ContiguousCopy(points, VTK_DOUBLE).Get());
    this->Core.points = this->Points.Get();
  }
  this->Core.types = CellTypes(grid, this->MadeTypes);
  const unsigned char *types = this->Core.types;
  const unsigned char *end = types + this->Core.n_cells;
  if (std::any_of(types, end, [](unsigned char type) { return LinearKindOf(type).Corners > 0; })) {
    context.Messages.Add("Cells of quadratic and higher order are taken as the linear cells of "
                         "their corners.");
    this->Linearise();
    types = this->Core.types;
    end = types + this->Core.n_cells;
  }
  if (std::find(types, end, VTK_POLYHEDRON) != end) {
    this->Widen();
    this->AddFaces(grid);
  }
  this->Hide(grid, context.Messages);
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
    const LinearKind linear = LinearKindOf(types[static_cast<size_t>(cell)]);
    const vtkIdType first = this->Cells.Offset(cell);
    vtkIdType n = this->Cells.Offset(cell + 1) - first;
    if (linear.Corners > 0) {
      types[static_cast<size_t>(cell)] = static_cast<unsigned char>(linear.Type);
      n = std::min<vtkIdType>(n, linear.Corners); // too few are found, and told, later
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

void GridMesh::Hide(vtkUnstructuredGrid *grid, WarningList &messages) {
  const unsigned char *cells = GhostsOf(grid, true, "", messages);
  const unsigned char *points = GhostsOf(grid, false, "", messages);
  if (!cells && !points) {
    return;
  }
  const int64_t last = grid->GetNumberOfPoints();
  this->Hidden.resize(static_cast<size_t>(this->Core.n_cells));
  for (int64_t cell = 0; cell < this->Core.n_cells; ++cell) {
    const bool copy = cells && IsCopy(cells[cell]);
    bool hidden = copy || (cells && IsHiddenCell(cells[cell]));
    this->Copies += copy;
    for (vtkIdType at = this->Cells.Offset(cell); points && at < this->Cells.Offset(cell + 1);
         ++at) {
      const vtkIdType id = this->Cells.Id(at);
      hidden = hidden || (id >= 0 && id < last && IsHiddenPoint(points[id]));
    }
    this->Hidden[static_cast<size_t>(cell)] = hidden;
  }
  this->Core.hidden_cells = this->Hidden.data();
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
