/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What each node of an edge or a face weighs at a place: Lagrange's polynomials on equal steps, or
 * Bernstein's. A value there is the sum of weight times value of the nodes.
 */
#ifndef TSR_CELLS_FORM_BASIS_MATH_H
#define TSR_CELLS_FORM_BASIS_MATH_H

#include "cells/kinds/face_math.h"

/** p[k]: the polynomial of degree k in x that is 1 at k and 0 at 0, ..., k - 1. */
TSR_FN void tsr_rising(int d, double x, double *p) {
  p[0] = 1.0;
  for (int k = 0; k < d; ++k)
    p[k + 1] = p[k] * ((x - (double)k) / (double)(k + 1));
}

/** p[k]: x to the power k, divided by k factorial. */
TSR_FN void tsr_powers(int d, double x, double *p) {
  p[0] = 1.0;
  for (int k = 0; k < d; ++k)
    p[k + 1] = p[k] * (x / (double)(k + 1));
}

/** The factors of all nodes in one barycentric coordinate x: a weight is the product of such
 *  factors, over all coordinates, times tsr_basis_scale. */
TSR_FN void tsr_basis_factors(tsr_basis basis, int d, double x, double *p) {
  if (basis == TSR_BASIS_BEZIER)
    tsr_powers(d, x, p);
  else
    tsr_rising(d, (double)d * x, p);
}

/** What products of tsr_basis_factors are multiplied with: degree factorial for Bernstein's. */
TSR_FN double tsr_basis_scale(tsr_basis basis, int d) {
  double scale = 1.0;
  for (int k = 2; basis == TSR_BASIS_BEZIER && k <= d; ++k)
    scale *= (double)k;
  return scale;
}

/** Weights of the nodes of a line at u. */
TSR_FN void tsr_line_weights(tsr_basis basis, int d, double u, double *w) {
  double p[TSR_EDGE_NODES], q[TSR_EDGE_NODES];
  const double scale = tsr_basis_scale(basis, d);
  tsr_basis_factors(basis, d, 1.0 - u, p);
  tsr_basis_factors(basis, d, u, q);
  for (int i = 0; i <= d; ++i)
    w[i] = scale * (p[d - i] * q[i]);
}

/** Weights of the nodes of a triangle at the barycentric place (1 - u - v, u, v). */
TSR_FN void tsr_triangle_weights(tsr_basis basis, int d, double u, double v, double *w) {
  double p[TSR_EDGE_NODES], q[TSR_EDGE_NODES], r[TSR_EDGE_NODES];
  const double scale = tsr_basis_scale(basis, d);
  int n = 0;
  tsr_basis_factors(basis, d, (1.0 - u) - v, p);
  tsr_basis_factors(basis, d, u, q);
  tsr_basis_factors(basis, d, v, r);
  for (int b = 0; b <= d; ++b)
    for (int a = 0; a <= d - b; ++a)
      w[n++] = scale * ((p[d - a - b] * q[a]) * r[b]);
}

/** Weights of the nodes of a quadrilateral at (u, v). */
TSR_FN void tsr_quad_weights(const tsr_patch *patch, double u, double v, double *w) {
  double p[TSR_EDGE_NODES], q[TSR_EDGE_NODES];
  int n = 0;
  tsr_line_weights(patch->basis, patch->du, u, p);
  tsr_line_weights(patch->basis, patch->dv, v, q);
  for (int b = 0; b <= patch->dv; ++b)
    for (int a = 0; a <= patch->du; ++a)
      w[n++] = p[a] * q[b];
}

/** What the middle of a quadrilateral without a node there is: a sum over the other nodes. */
#define TSR_HOLE_CORNER (-0.25)
#define TSR_HOLE_SIDE 0.5

/** What the middle of a triangle of degree 2 is: a sum over its nodes. */
#define TSR_MIDDLE_CORNER (-1.0 / 9.0)
#define TSR_MIDDLE_SIDE (4.0 / 9.0)

/** 1 if node k of a quadrilateral of degree 2 is a corner. */
TSR_FN int tsr_is_quad_corner(int k) { return k % 2 == 0; }

/** 1 if node k of a triangle of degree 2 is a corner. */
TSR_FN int tsr_is_triangle_corner(int k) { return k == 0 || k == 2 || k == 5; }

/** Weights of the nodes of a face at (u, v), rational ones included. Returns how many there are:
 *  patch->n, and the bubble's. */
TSR_FAR_FN int tsr_patch_weights(const tsr_cells_view *view, const tsr_patch *patch, double u,
                                 double v, double *w) {
  double sum = 0.0;
  int n = patch->n;
  if (patch->sides == 3)
    tsr_triangle_weights(patch->basis, patch->du, u, v, w);
  else
    tsr_quad_weights(patch, u, v, w);
  if (patch->hole) {
    for (int k = 0; k < 9; ++k)
      w[k] += k == 4 ? 0.0 : w[4] * (tsr_is_quad_corner(k) ? TSR_HOLE_CORNER : TSR_HOLE_SIDE);
    w[4] = 0.0;
  }
  if (patch->bubble) {
    const double bubble = 27.0 * (((1.0 - u) - v) * u * v);
    for (int k = 0; k < 6; ++k)
      w[k] -= bubble * (tsr_is_triangle_corner(k) ? TSR_MIDDLE_CORNER : TSR_MIDDLE_SIDE);
    w[n++] = bubble;
  }
  if (!patch->rational)
    return n;
  for (int k = 0; k < n; ++k) {
    w[k] *= tsr_load(&view->weights, patch->id[k]);
    sum += w[k];
  }
  for (int k = 0; k < n; ++k)
    w[k] /= sum;
  return n;
}

/** Weights of the nodes of an edge at u, rational ones included. */
TSR_FN void tsr_edge_weights(const tsr_cells_view *view, const tsr_edge *edge, double u,
                             double *w) {
  double sum = 0.0;
  tsr_line_weights(edge->basis, edge->degree, u, w);
  if (!edge->rational)
    return;
  for (int k = 0; k <= edge->degree; ++k) {
    w[k] *= tsr_load(&view->weights, edge->id[k]);
    sum += w[k];
  }
  for (int k = 0; k <= edge->degree; ++k)
    w[k] /= sum;
}

/** Sum of weight times value i of an array, of component c; ids below 0 are left out. Differences
 *  from the first node are added, so that constants stay what they are, and far from the origin
 *  little is lost. */
TSR_FN double tsr_weighted_value(const tsr_array *array, int c, int n, const int64_t *id,
                                 const double *w) {
  const int64_t components = array->components;
  const double base = tsr_load(array, id[0] * components + c);
  double sum = 0.0;
  if (array->type == TSR_FLOAT) { /* the usual types are looked at once for all nodes */
    const float *values = (const float *)array->data + c;
    for (int k = 1; k < n; ++k)
      if (id[k] >= 0)
        sum += w[k] * ((double)values[id[k] * components] - base);
  } else if (array->type == TSR_DOUBLE) {
    const double *values = (const double *)array->data + c;
    for (int k = 1; k < n; ++k)
      if (id[k] >= 0)
        sum += w[k] * (values[id[k] * components] - base);
  } else {
    for (int k = 1; k < n; ++k)
      if (id[k] >= 0)
        sum += w[k] * (tsr_load(array, id[k] * components + c) - base);
  }
  return base + sum;
}

#endif
