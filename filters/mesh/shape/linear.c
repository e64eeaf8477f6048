/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the linear cells that stand for cells of higher order. */
#include "mesh/shape/kind_math.h"

/** VTK's numbers of the first cell types of higher order: quadratic, of Lagrange and of Bezier. */
enum { QUADRATIC = 22, LAGRANGE = 69, BEZIER = 76 };

int tsr_mesh_linear_kind(int kind, int *corners) {
  enum {
    TRI = TSR_MESH_TRIANGLE,
    QUAD = TSR_MESH_QUAD,
    TET = TSR_MESH_TETRAHEDRON,
    HEX = TSR_MESH_HEXAHEDRON,
    WED = TSR_MESH_WEDGE,
    PYR = TSR_MESH_PYRAMID
  };
  /* All three begin with the same six; behind them are those with points inside of sides. */
  static const uint8_t linear[16] = {TRI,  QUAD, TET, HEX, WED, PYR, QUAD, HEX,
                                     QUAD, WED,  WED, HEX, TRI, 0,   0,    PYR};
  const int at = kind >= BEZIER ? kind - BEZIER : kind >= LAGRANGE ? kind - LAGRANGE : -1;
  const int quadratic = kind >= QUADRATIC && kind < QUADRATIC + 16;
  const int found = quadratic ? linear[kind - QUADRATIC] : at >= 0 && at < 6 ? linear[at] : 0;
  *corners = tsr_mesh_kind_points(found);
  return found;
}
