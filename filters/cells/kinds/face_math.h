/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Faces and edges of cells: which nodes they have. A surface cell has one face, itself. The corners
 * of a face run counterclockwise as VTK's faces do, seen from outside of a volume.
 *
 *     corner 3 - side 2 - corner 2        2
 *        |                   |            | \        node (a, b) of a face: a steps of the lattice
 *     side 3              side 1    side 2   side 1  from corner 0 towards corner 1, b steps
 * towards |                   |            |     \    the last corner corner 0 - side 0 - corner 1
 * 0-side 0-1
 */
#ifndef TSR_CELLS_KINDS_FACE_MATH_H
#define TSR_CELLS_KINDS_FACE_MATH_H

#include "cells/kinds/cell_math.h"
#include "cells/kinds/orders_math.h"

/** Most corners of a face of a volume. */
#define TSR_FACE_CORNERS 6

/** Most nodes of an edge, and of a curved face. */
#ifndef TSR_EDGE_NODES /* CUDA has kernels for low degrees, too: see backend.h */
#define TSR_EDGE_NODES (TSR_CELLS_MAX_DEGREE + 1)
#endif
#define TSR_FACE_NODES (TSR_EDGE_NODES * TSR_EDGE_NODES)

/** A curved face: a triangle or a quadrilateral with its nodes. */
typedef struct tsr_patch {
  int sides;    /**< 3, 4 */
  int du, dv;   /**< degrees; of a triangle both are its degree */
  int hole;     /**< 1: a quadrilateral of degree 2 without a node in the middle */
  int bubble;   /**< 1: a triangle of degree 2 with a node in the middle, the last of id */
  int rational; /**< 1: values are divided by weights */
  tsr_basis basis;
  int n;                      /**< nodes of the lattice; hole: the middle one, too */
  int64_t id[TSR_FACE_NODES]; /**< point ids, row by row: a first, then b; -1: the hole */
} tsr_patch;

/** A curved edge, in the direction that depends on its point ids alone. */
typedef struct tsr_edge {
  int degree, rational;
  int reversed; /**< 1: the side of the face runs in the other direction */
  tsr_basis basis;
  int64_t id[TSR_EDGE_NODES]; /**< point ids along the edge */
} tsr_edge;

/** An edge as a quadrilateral that is constant along v. */
TSR_FN void tsr_edge_patch(const tsr_edge *edge, tsr_patch *patch) {
  patch->sides = 4;
  patch->du = edge->degree;
  patch->dv = patch->hole = patch->bubble = 0;
  patch->rational = edge->rational;
  patch->basis = edge->basis;
  patch->n = edge->degree + 1;
  for (int k = 0; k < patch->n; ++k)
    patch->id[k] = edge->id[k];
}

/** Number of faces that a cell has; for the shapes without any lattice 0. */
TSR_FN int tsr_cell_faces(const tsr_cell *it) {
  switch (it->shape) {
  case TSR_SHAPE_TRIANGLE:
  case TSR_SHAPE_QUAD:
    return 1;
  case TSR_SHAPE_TETRA:
    return 4;
  case TSR_SHAPE_HEXAHEDRON:
  case TSR_SHAPE_VOXEL:
    return 6;
  case TSR_SHAPE_WEDGE:
  case TSR_SHAPE_PYRAMID:
    return 5;
  case TSR_SHAPE_PRISM:
    return (int)(it->n / 2) + 2;
  default:
    return 0;
  }
}

/** Corner k of face f of a hexahedron. */
TSR_FN int tsr_hexahedron_corner(int f, int k) {
  static const int corners[6][4] = {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4},
                                    {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}};
  return corners[f][k];
}

/** Corner k of face f of a tetrahedron. */
TSR_FN int tsr_tetra_corner(int f, int k) {
  static const int corners[4][3] = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {0, 2, 1}};
  return corners[f][k];
}

/** Corner k of face f of a prism over a polygon of n corners: bottom, top, then the sides. inward:
 *  as in tsr_cell. */
TSR_FN int tsr_prism_corner(int n, int inward, int f, int k) {
  if (f == 0)
    return inward ? k : (n - k) % n;
  if (f == 1)
    return n + (inward ? (n - k) % n : k);
  f -= 2;
  if (inward) /* the other way round, from the same corner */
    k = (4 - k) % 4;
  return k == 0 ? f : (k == 1 ? (f + 1) % n : (k == 2 ? n + (f + 1) % n : n + f));
}

/** Node of face f of a quadratic pyramid, by its number in a cell that is the face. */
TSR_FN int tsr_pyramid_node(int f, int k) {
  static const int nodes[5][9] = {{0, 3, 2, 1, 8, 7, 6, 5, 13},
                                  {0, 1, 4, 5, 10, 9, 14, 0, 0},
                                  {1, 2, 4, 6, 11, 10, 15, 0, 0},
                                  {2, 3, 4, 7, 12, 11, 16, 0, 0},
                                  {3, 0, 4, 8, 9, 12, 17, 0, 0}};
  return nodes[f][k];
}

/** Number of corners of face f. */
TSR_FN int tsr_face_corners(const tsr_cell *it, int f) {
  switch (it->shape) {
  case TSR_SHAPE_TRIANGLE:
  case TSR_SHAPE_TETRA:
    return 3;
  case TSR_SHAPE_WEDGE:
    return f < 2 ? 3 : 4;
  case TSR_SHAPE_PYRAMID:
    return f < 1 ? 4 : 3;
  case TSR_SHAPE_PRISM:
    return f < 2 ? (int)(it->n / 2) : 4;
  default:
    return 4;
  }
}

/** Number of the node that is corner k of face f. */
TSR_FN int tsr_face_corner(const tsr_cell *it, int f, int k) {
  static const int voxel[8] = {0, 1, 3, 2, 4, 5, 7, 6};
  switch (it->shape) {
  case TSR_SHAPE_TETRA:
    return tsr_tetra_corner(f, k);
  case TSR_SHAPE_HEXAHEDRON:
    return tsr_hexahedron_corner(f, k);
  case TSR_SHAPE_VOXEL:
    return voxel[tsr_hexahedron_corner(f, k)];
  case TSR_SHAPE_WEDGE:
    return tsr_prism_corner(3, it->inward, f, k);
  case TSR_SHAPE_PRISM:
    return tsr_prism_corner((int)(it->n / 2), 0, f, k);
  case TSR_SHAPE_PYRAMID:
    return tsr_pyramid_node(f, k);
  default:
    return k;
  }
}

/** Node (a, b) of face f of a hexahedron. */
TSR_FN int tsr_hexahedron_node(const int d[3], int f, int a, int b) {
  switch (f) {
  case 0:
    return tsr_order_hexahedron(d, 0, b, a);
  case 1:
    return tsr_order_hexahedron(d, d[0], a, b);
  case 2:
    return tsr_order_hexahedron(d, a, 0, b);
  case 3:
    return tsr_order_hexahedron(d, b, d[1], a);
  case 4:
    return tsr_order_hexahedron(d, b, a, 0);
  default:
    return tsr_order_hexahedron(d, a, b, d[2]);
  }
}

/** Node (a, b) of face f of a wedge. */
TSR_FN int tsr_wedge_node(const tsr_cell *it, int f, int a, int b) {
  const int d = it->d[0], along = it->d[2];
  /* The bottom's corners are 0 2 1, the others run along the lattice; inward turns all round. */
  const int turned = (f == 0) != it->inward, i = turned ? b : a, j = turned ? a : b;
  int node;
  if (f < 2)
    node = tsr_order_wedge(d, along, i, j, f ? along : 0);
  else if (f == 2)
    node = tsr_order_wedge(d, along, i, 0, j);
  else if (f == 3)
    node = tsr_order_wedge(d, along, d - i, i, j);
  else
    node = tsr_order_wedge(d, along, 0, d - i, j);
  return it->bubbles && f >= 2 && node >= 15 ? node + 2 : node;
}

/** Node at step t along side s of face f of a tetrahedron of degree d. */
TSR_FN int tsr_tetra_side_node(int d, int f, int s, int t) {
  return tsr_order_tetra_edge(d, tsr_tetra_corner(f, s), tsr_tetra_corner(f, s == 2 ? 0 : s + 1),
                              t);
}

/** Node (a, b) of face f of a tetrahedron of degree d. */
TSR_FN int tsr_tetra_face_node(int d, int f, int a, int b) {
  const int at[3] = {a, b, d - a - b};
  int bary[4] = {0, 0, 0, 0}; /* place 3 belongs to corner 0 */
  if (b == 0 || at[2] == 0)
    return tsr_tetra_side_node(d, f, b == 0 ? 0 : 1, b == 0 ? a : b);
  if (a == 0)
    return tsr_tetra_side_node(d, f, 2, d - b);
  for (int k = 0; k < 3; ++k)
    bary[(tsr_tetra_corner(f, k) + 3) % 4] = at[(k + 2) % 3];
  return tsr_order_tetra(d, bary);
}

/** Number of the node at (a, b) of face f of a curved cell; -1 if it is missing. */
TSR_FAR_FN int tsr_face_node(const tsr_cell *it, int f, int a, int b) {
  const int d = it->d[0], at[3] = {a, b, d - a - b};
  int node;
  switch (it->shape) {
  case TSR_SHAPE_TRIANGLE:
    return tsr_order_triangle(d, at);
  case TSR_SHAPE_QUAD:
    node = tsr_order_quad(it->d, a, b);
    break;
  case TSR_SHAPE_TETRA:
    return tsr_tetra_face_node(d, f, a, b);
  case TSR_SHAPE_HEXAHEDRON:
    node = tsr_hexahedron_node(it->d, f, a, b);
    break;
  case TSR_SHAPE_WEDGE:
    node = tsr_wedge_node(it, f, a, b);
    break;
  default:
    node = f == 0 ? tsr_order_quad(it->d, a, b) : tsr_order_triangle(d, at);
    node = tsr_pyramid_node(f, node);
  }
  return node < it->n ? node : -1;
}

/** Number of the node inside triangle f of a cell with bubbles. */
TSR_FN int tsr_face_bubble(const tsr_cell *it, int f) {
  static const int tetra[4] = {11, 12, 13, 10};
  switch (it->shape) {
  case TSR_SHAPE_TETRA:
    return tetra[f];
  case TSR_SHAPE_WEDGE:
    return 15 + f;
  case TSR_SHAPE_PYRAMID:
    return tsr_pyramid_node(f, 6);
  default:
    return 6;
  }
}

/** Sets sides and degrees of face f of a curved cell, not its nodes. */
TSR_FN void tsr_patch_shape(const tsr_cells_view *view, const tsr_cell *it, int f,
                            tsr_patch *patch) {
  patch->sides = tsr_face_corners(it, f);
  patch->du = it->d[0];
  patch->dv = patch->sides == 3 ? it->d[0] : it->d[1];
  if (it->shape == TSR_SHAPE_HEXAHEDRON) {
    static const int axes[6][2] = {{2, 1}, {1, 2}, {0, 2}, {2, 0}, {1, 0}, {0, 1}};
    patch->du = it->d[axes[f][0]];
    patch->dv = it->d[axes[f][1]];
  } else if (it->shape == TSR_SHAPE_WEDGE && f >= 2) {
    patch->du = it->d[it->inward ? 2 : 0];
    patch->dv = it->d[it->inward ? 0 : 2];
  }
  patch->basis = it->basis;
  patch->rational = tsr_cell_is_rational(view, it);
  patch->bubble = it->bubbles && patch->sides == 3;
  patch->hole = 0;
}

/** Face f of a curved cell. */
TSR_FAR_FN void tsr_patch_of(const tsr_cells_view *view, const tsr_cell *it, int f,
                             tsr_patch *patch) {
  int n = 0;
  tsr_patch_shape(view, it, f, patch);
  for (int b = 0; b <= patch->dv; ++b) {
    for (int a = 0; a <= (patch->sides == 3 ? patch->du - b : patch->du); ++a) {
      const int node = tsr_face_node(it, f, a, b);
      patch->hole = patch->hole || node < 0;
      patch->id[n++] = node < 0 ? -1 : tsr_cell_id(view, it, node);
    }
  }
  patch->n = n;
  if (patch->bubble)
    patch->id[n] = tsr_cell_id(view, it, tsr_face_bubble(it, f));
}

/** Degree of side s of a face. */
TSR_FN int tsr_side_degree(const tsr_patch *patch, int s) {
  return s % 2 == 0 ? patch->du : patch->dv;
}

/** Place (a, b) of step t along side s of a face. */
TSR_FN void tsr_side_place(const tsr_patch *patch, int s, int t, int *a, int *b) {
  const int du = patch->du, dv = patch->dv;
  if (patch->sides == 3) {
    *a = s == 0 ? t : (s == 1 ? du - t : 0);
    *b = s == 0 ? 0 : (s == 1 ? t : du - t);
  } else {
    *a = s == 0 ? t : (s == 1 ? du : (s == 2 ? du - t : 0));
    *b = s == 0 ? 0 : (s == 1 ? t : (s == 2 ? dv : dv - t));
  }
}

/** Brings the ids of an edge into their order: from the lower end to the higher one; between equal
 *  ends by the first ids behind them that differ. */
TSR_FN void tsr_edge_turn(tsr_edge *edge) {
  const int d = edge->degree;
  int k = 0;
  while (k < d - k && edge->id[k] == edge->id[d - k])
    ++k;
  edge->reversed = k < d - k && edge->id[k] > edge->id[d - k];
  for (k = 0; edge->reversed && k < d - k; ++k) {
    const int64_t swap = edge->id[k];
    edge->id[k] = edge->id[d - k];
    edge->id[d - k] = swap;
  }
}

/** Number of the node at step t along side s of a triangle of degree d: the order has the inner
 * nodes of one side after the other. */
TSR_FN int tsr_triangle_side_node(int d, int s, int t) {
  if (t == 0)
    return s;
  return t == d ? (s == 2 ? 0 : s + 1) : 3 + s * (d - 1) + (t - 1);
}

/** Sets degree and ids of an edge of a face of a cell that has no order of its own for them. */
TSR_FN void tsr_edge_of_face(const tsr_cells_view *view, const tsr_cell *it, int f, int s,
                             tsr_edge *edge) {
  tsr_patch patch;
  tsr_patch_shape(view, it, f, &patch);
  edge->degree = tsr_side_degree(&patch, s);
  for (int t = 0; t <= edge->degree; ++t) {
    int a, b;
    tsr_side_place(&patch, s, t, &a, &b);
    edge->id[t] = tsr_cell_id(view, it, tsr_face_node(it, f, a, b));
  }
}

/** Side s of face f of a curved cell; of a curve, itself. */
TSR_FN void tsr_edge_of(const tsr_cells_view *view, const tsr_cell *it, int f, int s,
                        tsr_edge *edge) {
  const int d = it->d[0];
  edge->basis = it->basis;
  edge->rational = tsr_cell_is_rational(view, it);
  edge->degree = d;
  if (it->shape == TSR_SHAPE_CURVE)
    for (int t = 0; t <= d; ++t)
      edge->id[t] = tsr_cell_id(view, it, tsr_order_curve(d, t));
  else if (it->shape == TSR_SHAPE_TRIANGLE)
    for (int t = 0; t <= d; ++t)
      edge->id[t] = tsr_cell_id(view, it, tsr_triangle_side_node(d, s, t));
  else if (it->shape == TSR_SHAPE_TETRA)
    for (int t = 0; t <= d; ++t)
      edge->id[t] = tsr_cell_id(view, it, tsr_tetra_side_node(d, f, s, t));
  else
    tsr_edge_of_face(view, it, f, s, edge);
  tsr_edge_turn(edge);
}

#endif
