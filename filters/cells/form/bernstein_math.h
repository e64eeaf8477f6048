/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Values at nodes as Bernstein coefficients: a matrix for each degree, of lines and of triangles.
 *
 * Lagrange's polynomial of node (i, j, k) of a triangle of degree d is the product of
 * (d x - m) / (m + 1) over m < i, and so on for y and z. With m = m (x + y + z) each factor is
 * linear and homogeneous in the barycentric coordinates; multiplied out, the coefficients are
 * integers, exact in double, and those of Bernstein's polynomials after one division.
 *
 * Adaptive Curves converts by Newton's form (curves/span/bezier_math.h), for pieces between any two
 * nodes and without a table. On whole lines of degree 2 to 10 the matrix is 3 to 6 times as fast.
 */
#ifndef TSR_CELLS_FORM_BERNSTEIN_MATH_H
#define TSR_CELLS_FORM_BERNSTEIN_MATH_H

#include "cells/form/basis_math.h"

/** Most Bernstein coefficients of a triangle. */
#define TSR_TRIANGLE_NODES (TSR_EDGE_NODES * (TSR_EDGE_NODES + 1) / 2)

/** Where the matrix of degree d begins in the table; of degree TSR_CELLS_MAX_DEGREE + 1: where the
 *  table of that kind ends. */
TSR_FN int tsr_line_form(int d) { return d * (d + 1) * (2 * d + 1) / 6 - 1; }

TSR_FN int tsr_triangle_form(int d) {
  int at = tsr_line_form(TSR_CELLS_MAX_DEGREE + 1);
  for (int k = 1; k < d; ++k)
    at += (k + 1) * (k + 2) / 2 * ((k + 1) * (k + 2) / 2);
  return at;
}

/** Number of values of the table. */
TSR_FN int tsr_forms_size(void) { return tsr_triangle_form(TSR_CELLS_MAX_DEGREE + 1); }

/** Place of node (a, b) of a triangle of degree d in the lattice. */
TSR_FN int tsr_triangle_place(int d, int a, int b) { return b * (d + 1) - b * (b - 1) / 2 + a; }

/** q, of n values `stride` apart, becomes matrix times q. */
TSR_FN void tsr_form_apply(const double *matrix, int n, double *q, int stride) {
  double p[TSR_TRIANGLE_NODES];
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int k = 0; k < n; ++k)
      sum += matrix[i * n + k] * q[k * stride];
    p[i] = sum;
  }
  for (int i = 0; i < n; ++i)
    q[i * stride] = p[i];
}

/** Values at the 6 nodes of a triangle of degree 2 and in its middle become the 10 coefficients of
 *  degree 3: the degree is raised, and the bubble added to the coefficient in the middle. */
TSR_FN void tsr_bubble_to_bernstein(const double *forms, double *q) {
  double bubble = q[6], p[10];
  for (int k = 0; k < 6; ++k)
    bubble -= q[k] * (tsr_is_triangle_corner(k) ? TSR_MIDDLE_CORNER : TSR_MIDDLE_SIDE);
  tsr_form_apply(forms + tsr_triangle_form(2), 6, q, 1);
  for (int b = 0; b <= 3; ++b) {
    for (int a = 0; a <= 3 - b; ++a) {
      double sum = 0.0;
      if (a + b < 3)
        sum += (double)(3 - a - b) * q[tsr_triangle_place(2, a, b)];
      if (a > 0)
        sum += (double)a * q[tsr_triangle_place(2, a - 1, b)];
      if (b > 0)
        sum += (double)b * q[tsr_triangle_place(2, a, b - 1)];
      p[tsr_triangle_place(3, a, b)] = sum / 3.0;
    }
  }
  p[tsr_triangle_place(3, 1, 1)] += 27.0 / 6.0 * bubble;
  for (int k = 0; k < 10; ++k)
    q[k] = p[k];
}

/** Degree of a triangle's Bernstein form. */
TSR_FN int tsr_triangle_degree(const tsr_patch *patch) { return patch->bubble ? 3 : patch->du; }

/** Values at the nodes of a face become Bernstein coefficients in the same places; a bubble's
 *  triangle becomes one of degree 3. */
TSR_FAR_FN void tsr_patch_to_bernstein(const double *forms, const tsr_patch *patch, double *q) {
  if (patch->basis == TSR_BASIS_BEZIER)
    return;
  if (patch->bubble) {
    tsr_bubble_to_bernstein(forms, q);
    return;
  }
  if (patch->sides == 3) {
    if (patch->du > 1)
      tsr_form_apply(forms + tsr_triangle_form(patch->du), patch->n, q, 1);
    return;
  }
  if (patch->hole)
    q[4] = TSR_HOLE_SIDE * ((q[1] + q[3]) + (q[5] + q[7])) +
           TSR_HOLE_CORNER * ((q[0] + q[2]) + (q[6] + q[8]));
  if (patch->du > 1)
    for (int b = 0; b <= patch->dv; ++b)
      tsr_form_apply(forms + tsr_line_form(patch->du), patch->du + 1, q + b * (patch->du + 1), 1);
  if (patch->dv > 1)
    for (int a = 0; a <= patch->du; ++a)
      tsr_form_apply(forms + tsr_line_form(patch->dv), patch->dv + 1, q + a, patch->du + 1);
}

/** Values of component c of an array at n nodes; undefined for ids below 0. The type is looked at
 *  once for all nodes, in case of the usual ones. */
TSR_FN void tsr_load_values(const tsr_array *array, int c, int n, const int64_t *id, double *q) {
  const int components = array->components;
  if (array->type == TSR_FLOAT)
    for (int k = 0; k < n; ++k)
      q[k] = (double)((const float *)array->data)[(id[k] < 0 ? 0 : id[k]) * components + c];
  else if (array->type == TSR_DOUBLE)
    for (int k = 0; k < n; ++k)
      q[k] = ((const double *)array->data)[(id[k] < 0 ? 0 : id[k]) * components + c];
  else
    for (int k = 0; k < n; ++k)
      q[k] = tsr_load(array, (id[k] < 0 ? 0 : id[k]) * components + c);
}

/** Values of component c of an array at n nodes, as differences from the first node's, times the
 *  rational weights; 0 for ids below 0. */
TSR_FN void tsr_load_nodes(const tsr_cells_view *view, const tsr_array *array, int c, int n,
                           const int64_t *id, int rational, double *q) {
  double base;
  tsr_load_values(array, c, n, id, q);
  base = q[0];
  q[0] = 0.0;
  for (int k = 1; k < n; ++k) {
    q[k] = id[k] < 0 ? 0.0 : q[k] - base;
    if (rational && id[k] >= 0)
      q[k] *= tsr_load(&view->weights, id[k]);
  }
}

#endif
