/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A curved volume cell as a lattice of nodes over its parameter domain:
 *
 *     tetrahedron   x, y, z >= 0, x + y + z <= 1     corners 0 (0,0,0), 1 (1,0,0), 2 (0,1,0), 3
 *     hexahedron    0 <= x, y, z <= 1                as VTK numbers them
 *     wedge         x, y >= 0, x + y <= 1, z in 0..1 corners 0 to 2 at z = 0
 *
 * Nodes that VTK's 20-node hexahedron and 15-node wedge lack are sums over the other nodes, as in
 * their shape functions (Zienkiewicz and Taylor, The Finite Element Method, serendipity elements).
 */
#ifndef TSR_CELLS_VOLUMES_SOLID_MATH_H
#define TSR_CELLS_VOLUMES_SOLID_MATH_H

#include "cells/form/bernstein_math.h"

/** Most nodes of a solid, and of a tetrahedron. */
#define TSR_SOLID_NODES (TSR_EDGE_NODES * TSR_EDGE_NODES * TSR_EDGE_NODES)
#define TSR_TETRA_NODES (TSR_EDGE_NODES * (TSR_EDGE_NODES + 1) * (TSR_EDGE_NODES + 2) / 6)

/** A curved solid with its nodes. */
typedef struct tsr_solid {
  tsr_shape shape;
  tsr_basis basis;
  int d[3];
  int rational;                /**< 1: values are divided by weights */
  int holes;                   /**< 1: a solid of degree 2 without some nodes */
  int n;                       /**< nodes of the lattice, missing ones too */
  int64_t id[TSR_SOLID_NODES]; /**< point ids by tsr_solid_place; -1: missing */
} tsr_solid;

/** 1 if the output Cells divides the curved volume cell: pyramids, cells with nodes inside
 * triangles of degree 2, and the hexahedron of 24 nodes have interiors of other kinds. */
TSR_FN int tsr_solid_is_divided(const tsr_cell *cell) {
  return cell->shape >= TSR_SHAPE_TETRA && cell->shape <= TSR_SHAPE_WEDGE && !cell->bubbles &&
         cell->type != 33;
}

/** The last place of the lattice along an axis, where those along the later axes are b and c. */
TSR_FN int tsr_solid_last_b(tsr_shape shape, const int d[3], int c) {
  return shape == TSR_SHAPE_TETRA ? d[0] - c : (shape == TSR_SHAPE_WEDGE ? d[0] : d[1]);
}
TSR_FN int tsr_solid_last_a(tsr_shape shape, const int d[3], int b, int c) {
  return shape == TSR_SHAPE_TETRA ? d[0] - c - b : (shape == TSR_SHAPE_WEDGE ? d[0] - b : d[0]);
}

/** Number of the place (a, b, c) in the lattice: a runs first. */
TSR_FN int tsr_solid_place(tsr_shape shape, const int d[3], int a, int b, int c) {
  const int e = d[0] - c; /* layer c of a tetrahedron is a triangle of this degree */
  if (shape == TSR_SHAPE_HEXAHEDRON)
    return (c * (d[1] + 1) + b) * (d[0] + 1) + a;
  if (shape == TSR_SHAPE_WEDGE)
    return c * ((d[0] + 1) * (d[0] + 2) / 2) + tsr_triangle_place(d[0], a, b);
  return (d[0] + 1) * (d[0] + 2) * (d[0] + 3) / 6 - (e + 1) * (e + 2) * (e + 3) / 6 +
         tsr_triangle_place(e, a, b);
}

/** Number of the node at (a, b, c); -1 if it is missing. */
TSR_FN int tsr_solid_node(const tsr_cell *cell, int a, int b, int c) {
  const int bary[4] = {a, b, c, cell->d[0] - a - b - c};
  const int node = cell->shape == TSR_SHAPE_TETRA ? tsr_order_tetra(cell->d[0], bary)
                   : cell->shape == TSR_SHAPE_HEXAHEDRON
                       ? tsr_order_hexahedron(cell->d, a, b, c)
                       : tsr_order_wedge(cell->d[0], cell->d[2], a, b, c);
  return node < cell->n ? node : -1;
}

/** Opens a curved volume cell that is divided. */
TSR_FAR_FN void tsr_solid_of(const tsr_cells_view *view, const tsr_cell *cell, tsr_solid *to) {
  to->shape = cell->shape;
  to->basis = cell->basis;
  to->rational = tsr_cell_is_rational(view, cell);
  to->holes = to->n = 0;
  for (int k = 0; k < 3; ++k)
    to->d[k] = cell->d[k];
  for (int c = 0; c <= to->d[2]; ++c)
    for (int b = 0; b <= tsr_solid_last_b(to->shape, to->d, c); ++b)
      for (int a = 0; a <= tsr_solid_last_a(to->shape, to->d, b, c); ++a) {
        const int node = tsr_solid_node(cell, a, b, c);
        to->holes = to->holes || node < 0;
        to->id[to->n++] = node < 0 ? -1 : tsr_cell_id(view, cell, node);
      }
}

/** Number of corners of a solid. */
TSR_FN int tsr_solid_corners(tsr_shape shape) {
  return shape == TSR_SHAPE_TETRA ? 4 : (shape == TSR_SHAPE_WEDGE ? 6 : 8);
}

/** Parameters of corner k. */
TSR_FN void tsr_solid_corner(tsr_shape shape, int k, double to[3]) {
  const int ring = shape == TSR_SHAPE_WEDGE ? 3 : 4, at = k % ring;
  if (shape == TSR_SHAPE_TETRA) {
    for (int c = 0; c < 3; ++c)
      to[c] = c + 1 == k;
    return;
  }
  to[0] = at == 1 || (ring == 4 && at == 2);
  to[1] = at >= 2;
  to[2] = k >= ring;
}

/** Parameters of the middle. */
TSR_FN void tsr_solid_middle(tsr_shape shape, double to[3]) {
  const double third = 1.0 / 3.0;
  to[0] = to[1] = shape == TSR_SHAPE_TETRA ? 0.25 : (shape == TSR_SHAPE_WEDGE ? third : 0.5);
  to[2] = shape == TSR_SHAPE_TETRA ? 0.25 : 0.5;
}

/** What the node at `other` counts in the missing one at `hole`; places in a lattice of degree 2.
 */
TSR_FN double tsr_hole_part(tsr_shape shape, const int hole[3], const int other[3]) {
  const int wedge = shape == TSR_SHAPE_WEDGE;
  const int h[4] = {hole[0], hole[1], hole[2], wedge ? 2 - hole[0] - hole[1] : 0};
  const int o[4] = {other[0], other[1], other[2], wedge ? 2 - other[0] - other[1] : 0};
  int middles = 0, ones = 0;
  for (int k = 0; k < 4; ++k) {
    middles += k != 3 && h[k] == 1;
    ones += o[k] == 1;
    if ((!wedge || k == 2) && k < 3 && h[k] != 1 && o[k] != h[k])
      return 0.0;
    if (wedge && k != 2 && h[k] == 0 && o[k] != 0)
      return 0.0;
  }
  if (ones == 0)
    return TSR_HOLE_CORNER;
  return !wedge && middles == 3 ? 0.25 : TSR_HOLE_SIDE;
}

/** Sum, over the nodes that there are, of value times part in the missing node at `hole`; with
 *  `spread`, the value at the hole is added to the nodes instead. */
TSR_FN void tsr_solid_hole(const tsr_solid *it, const int hole[3], int spread, double *q) {
  const int at = tsr_solid_place(it->shape, it->d, hole[0], hole[1], hole[2]);
  const double value = q[at];
  double sum = 0.0;
  for (int c = 0; c <= 2; ++c)
    for (int b = 0; b <= 2; ++b)
      for (int a = 0; a <= tsr_solid_last_a(it->shape, it->d, b, c); ++a) {
        const int other[3] = {a, b, c}, k = tsr_solid_place(it->shape, it->d, a, b, c);
        if (it->id[k] < 0)
          continue;
        if (spread)
          q[k] += value * tsr_hole_part(it->shape, hole, other);
        else
          sum += q[k] * tsr_hole_part(it->shape, hole, other);
      }
  q[at] = spread ? 0.0 : sum;
}

/** Makes values of missing nodes from those of the others, or spreads weights of missing nodes. */
TSR_FN void tsr_solid_fill_holes(const tsr_solid *it, int spread, double *q) {
  for (int c = 0; it->holes && c <= 2; ++c)
    for (int b = 0; b <= 2; ++b)
      for (int a = 0; a <= tsr_solid_last_a(it->shape, it->d, b, c); ++a) {
        const int hole[3] = {a, b, c};
        if (it->id[tsr_solid_place(it->shape, it->d, a, b, c)] < 0)
          tsr_solid_hole(it, hole, spread, q);
      }
}

/** Weights of the nodes of a tetrahedron at a place. */
TSR_FN void tsr_tetra_weights(tsr_basis basis, int d, const double x[3], double *w) {
  double p[4][TSR_EDGE_NODES];
  const double scale = tsr_basis_scale(basis, d);
  int n = 0;
  tsr_basis_factors(basis, d, ((1.0 - x[0]) - x[1]) - x[2], p[3]);
  for (int k = 0; k < 3; ++k)
    tsr_basis_factors(basis, d, x[k], p[k]);
  for (int c = 0; c <= d; ++c)
    for (int b = 0; b <= d - c; ++b)
      for (int a = 0; a <= d - c - b; ++a)
        w[n++] = scale * ((p[3][d - a - b - c] * p[0][a]) * (p[1][b] * p[2][c]));
}

/** Weights of the nodes of a solid at a place, rational ones included: as many as it->n. */
TSR_FAR_FN void tsr_solid_weights(const tsr_cells_view *view, const tsr_solid *it,
                                  const double x[3], double *w) {
  double layer[TSR_FACE_NODES], q[TSR_EDGE_NODES], sum = 0.0;
  int n = 0;
  if (it->shape == TSR_SHAPE_TETRA) {
    tsr_tetra_weights(it->basis, it->d[0], x, w);
  } else {
    const int wedge = it->shape == TSR_SHAPE_WEDGE;
    const int in_layer = it->n / (it->d[2] + 1);
    tsr_patch patch;
    patch.basis = it->basis;
    patch.du = it->d[0];
    patch.dv = it->d[1];
    if (wedge)
      tsr_triangle_weights(it->basis, it->d[0], x[0], x[1], layer);
    else
      tsr_quad_weights(&patch, x[0], x[1], layer);
    tsr_line_weights(it->basis, it->d[2], x[2], q);
    for (int c = 0; c <= it->d[2]; ++c)
      for (int k = 0; k < in_layer; ++k)
        w[n++] = layer[k] * q[c];
  }
  tsr_solid_fill_holes(it, 1, w);
  if (!it->rational)
    return;
  for (int k = 0; k < it->n; ++k) {
    w[k] *= tsr_load(&view->weights, it->id[k]);
    sum += w[k];
  }
  for (int k = 0; k < it->n; ++k)
    w[k] /= sum;
}

#endif
