// SPDX-License-Identifier: BSD-3-Clause
/** Cells of higher order as tetrahedra and triangles. */
#ifndef TesseraGridMeshCurved_h
#define TesseraGridMeshCurved_h

#include "grid/mesh/TesseraGridMesh.h"

namespace tessera {

/** How cells of higher order are divided. */
struct CurveWishes {
  const GridSettings &Settings;
  double CellSize;   /**< side of the finest cells of the grid, > 0 */
  double ChordError; /**< > 0: largest distance between a cell and its parts */
  double Bytes;      /**< that the parts may take */
};

/**
 * Replaces the cells of `mesh`, which has Curved, by tetrahedra, in a plane by triangles, that
 * follow the shape functions of the cells; linear cells stay as they are. All point arrays are
 * evaluated at the new points, and cell arrays are those of the cells. Points at equal positions
 * become one, with the values of the first. Where a cell cannot be divided, `mesh` keeps the linear
 * cells of the corners, with a warning. Curved is NULL afterwards. False on failure, with the
 * context's error set.
 */
bool DivideCurves(GridMesh &mesh, const CurveWishes &wishes, OctreeContext &context);

} // namespace tessera

#endif
