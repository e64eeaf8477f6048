// SPDX-License-Identifier: BSD-3-Clause
/** The cells of a mesh, and their arrays, from all processes to each. */
#include "grid/mesh/TesseraGridMesh.h"

#include "grid/octree/TesseraGridArraysOfAll.h"

#include <vtkDataArray.h>

#include <algorithm>

namespace tessera {

namespace {

/** Gathers offsets into lists that are gathered, too. offsets: n of them, and the end of the last
 * list; NULL: none. shift: the length of the lists of lower ranks. */
Values<int64_t> GatherOffsets(const int64_t *offsets, int64_t n, int64_t shift,
                              OctreeContext &context) {
  std::vector<int64_t> mine;
  Guard(context.Error, [&] {
    for (int64_t i = 0; i < n; ++i) {
      mine.push_back(offsets[i] + shift);
    }
    if (context.Group.Rank() + 1 == context.Group.Count()) { // it knows where all of them end
      mine.push_back((n > 0 ? offsets[n] : 0) + shift);
    }
  });
  return std::move(GatherValues(mine.data(), static_cast<int64_t>(mine.size()), context).All);
}

/** Gathers n ids of points. shift: added to each. An id that is none of this process's `points`
 * becomes -1, which the core refuses; shifted it could be a point of another process. */
Gathered<int64_t> GatherIds(const int64_t *ids, int64_t n, int64_t points, int64_t shift,
                            OctreeContext &context) {
  std::vector<int64_t> mine;
  Guard(context.Error, [&] {
    for (int64_t i = 0; i < n; ++i) {
      mine.push_back(ids[i] >= 0 && ids[i] < points ? ids[i] + shift : -1);
    }
  });
  return GatherValues(mine.data(), static_cast<int64_t>(mine.size()), context);
}

/** The coordinates of points, as the type T, of all processes. */
template <class T> Values<T> GatherCoordinates(const tsr_array &points, OctreeContext &context) {
  const int64_t n = 3 * points.tuples;
  Values<T> mine;
  Guard(context.Error, [&mine, n] { mine.Allocate(n); });
  if (!context.Group.AllFine(context.Error)) {
    return mine;
  }
  for (int64_t i = 0; i < n; ++i) {
    mine[i] = points.type == TSR_FLOAT
                  ? static_cast<T>(static_cast<const float *>(points.data)[i])
                  : static_cast<T>(static_cast<const double *>(points.data)[i]);
  }
  return std::move(GatherValues(mine.Get(), n, context).All);
}

} // namespace

void GridMesh::GatherPoints(int64_t all, OctreeContext &context) {
  if (context.Group.Any(this->Core.points.type == TSR_DOUBLE)) {
    this->AllDoubles = GatherCoordinates<double>(this->Core.points, context);
    this->Core.points = {this->AllDoubles.Get(), TSR_DOUBLE, 3, all};
  } else {
    this->AllSingles = GatherCoordinates<float>(this->Core.points, context);
    this->Core.points = {this->AllSingles.Get(), TSR_FLOAT, 3, all};
  }
}

void GridMesh::GatherFaces(int64_t points, int64_t firstPoint, OctreeContext &context) {
  const int64_t n = this->Core.n_cells;
  const int64_t faces = this->Faces;
  const bool have = faces > 0;
  const Gathered<int64_t> counts = GatherValues(&faces, have ? 1 : 0, context);
  int64_t before = 0;
  for (int64_t i = 0; context.Error.status == TSR_OK && i < counts.Before; ++i) {
    before += counts.All[i];
  }
  Gathered<int64_t> ids =
      GatherIds(this->FaceIds.Get(), this->Core.n_face_ids, points, firstPoint, context);
  this->AllCellFaces = GatherOffsets(this->CellFaces.data(), n, before, context);
  this->AllFaceOffsets =
      GatherOffsets(this->FaceOffsets.Get(), have ? faces : 0, ids.Before, context);
  this->AllFaceIds = std::move(ids.All);
  this->Core.cell_faces = this->AllCellFaces.Get();
  this->Core.face_offsets = this->AllFaceOffsets.Get();
  this->Core.face_ids = this->AllFaceIds.Get();
  this->Core.n_face_ids = ids.Count;
}

void GridMesh::GatherCells(int64_t points, int64_t firstPoint, OctreeContext &context) {
  const int64_t n = this->Core.n_cells;
  const bool hidden = context.Group.Any(this->Core.hidden_cells != nullptr);
  const bool faces = context.Group.Any(this->Core.cell_faces != nullptr);
  Guard(context.Error, [this, n, hidden, faces] {
    if (n > 0) {
      this->Widen();
    }
    this->Hidden.resize(hidden ? static_cast<size_t>(n) : 0);
    this->CellFaces.resize(faces ? static_cast<size_t>(n) + 1 : 0);
  });
  if (!context.Group.AllFine(context.Error)) {
    return;
  }
  Gathered<std::uint8_t> types = GatherValues(this->Core.types, n, context);
  if (hidden) {
    this->AllHidden = std::move(GatherValues(this->Hidden.data(), n, context).All);
    this->Core.hidden_cells = this->AllHidden.Get();
  }
  if (faces) {
    this->GatherFaces(points, firstPoint, context);
  }
  Gathered<int64_t> ids = GatherIds(static_cast<const int64_t *>(this->Core.connectivity),
                                    this->Core.n_connectivity, points, firstPoint, context);
  this->AllOffsets =
      GatherOffsets(static_cast<const int64_t *>(this->Core.offsets), n, ids.Before, context);
  this->AllTypes = std::move(types.All);
  this->AllIds = std::move(ids.All);
  this->Core.types = this->AllTypes.Get();
  this->Core.offsets = this->AllOffsets.Get();
  this->Core.connectivity = this->AllIds.Get();
  this->Core.n_connectivity = ids.Count;
  this->Core.index_type = TSR_INT64;
  this->Core.n_cells = this->InputCells = types.Count;
}

void GridMesh::Gather(OctreeContext &context) {
  if (context.Group.Count() == 1) {
    return;
  }
  if (!this->Data) {
    this->Data = NewOctreeArrays(0, 0);
  }
  ArraysOfAll arrays(this->Data, context);
  arrays.FindArrays(this->Core.n_cells > 0);
  if (!context.Group.AllFine(context.Error)) {
    return;
  }
  context.Group.Sum(&this->Copies, 1);
  this->HasCurves = context.Group.Any(this->HasCurves);
  const int64_t points = this->Core.points.tuples;
  arrays.Count(points, this->Core.n_cells);
  this->GatherPoints(arrays.All(false), context);
  this->GatherCells(points, arrays.Before(false), context);
  if (context.Group.AllFine(context.Error)) {
    this->Data = arrays.GatherArrays();
  }
}

} // namespace tessera
