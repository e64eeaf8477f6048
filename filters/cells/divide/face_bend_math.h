/* SPDX-License-Identifier: BSD-3-Clause */
/** The bends of faces and edges, polynomial or rational. */
#ifndef TSR_CELLS_DIVIDE_FACE_BEND_MATH_H
#define TSR_CELLS_DIVIDE_FACE_BEND_MATH_H

#include "cells/divide/rational_bend_math.h"

TSR_FN void tsr_bends_clear(tsr_bends *bends, int sides, int rational) {
  bends->sides = sides;
  bends->rational = rational;
  for (int s = 0; s < 4; ++s)
    for (int k = 0; k < 3; ++k)
      bends->rows[s][k].n = 0;
}

/** Adds a criterion. w: weights of the nodes; NULL: polynomial. */
TSR_FN void tsr_bends_add(const tsr_bent *it, int du, int dv, const double *w, tsr_bends *bends) {
  if (w) {
    tsr_rational_forms rational;
    tsr_rational_forms_set(it, bends->sides, du, dv, w, &rational);
    tsr_rational_bend_add(&rational, bends);
  } else if (bends->sides == 3) {
    tsr_triangle_bend_add(it, du, bends);
  } else {
    tsr_quad_bend_add(it, du, dv, bends);
  }
}

/** Sets the bounds on the whole face. Then makes the rows of a rational one, with n weights w, rows
 *  of a polynomial: the coefficients of w^3 differ by at most the cube of what those of w do. */
TSR_FN void tsr_bends_finish(tsr_bends *bends, const double *w, int n) {
  double least = 1.0, most = 1.0;
  for (int k = 0; bends->rational && k < n; ++k) {
    least = k == 0 || w[k] < least ? w[k] : least;
    most = k == 0 || w[k] > most ? w[k] : most;
  }
  for (int s = 0; s < bends->sides; ++s)
    for (int k = 0; k < 3; ++k) {
      const double ratio = most / least;
      bends->most[s][k] = tsr_rows_all(&bends->rows[s][k]);
      if (bends->rational)
        tsr_rows_loosen(&bends->rows[s][k], ratio * ratio * ratio);
    }
}

/** Finds criterion i of a face and the coefficients of its components. Returns 0 if it asks for
 * nothing. */
TSR_FN int tsr_patch_criterion(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                               const tsr_patch *patch, int i, tsr_bent *it) {
  const tsr_array *array;
  int component;
  it->over = tsr_criterion(view, criteria, i, &array, &component);
  it->components = i == 0 ? 3 : 1;
  for (int c = 0; it->over > 0.0 && c < it->components; ++c) {
    tsr_load_nodes(view, array, component + c, patch->n + patch->bubble, patch->id, patch->rational,
                   it->q[c]);
    tsr_patch_to_bernstein(criteria->forms, patch, it->q[c]);
  }
  return it->over > 0.0;
}

/** Bounds of the second derivatives of a face. */
TSR_FAR_FN void tsr_patch_bends(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                                const tsr_patch *patch, tsr_bends *bends) {
  const int criteria_n = tsr_criteria_count(criteria);
  const int du = patch->sides == 3 ? tsr_triangle_degree(patch) : patch->du;
  const int dv = patch->sides == 3 ? du : patch->dv;
  double w[TSR_FACE_NODES];
  tsr_bent it;
  tsr_bends_clear(bends, patch->sides, patch->rational);
  for (int k = 0; patch->rational && k < patch->n; ++k)
    w[k] = tsr_load(&view->weights, patch->id[k]);
  for (int i = 0; i < criteria_n; ++i)
    if (tsr_patch_criterion(view, criteria, patch, i, &it))
      tsr_bends_add(&it, du, dv, patch->rational ? w : NULL, bends);
  tsr_bends_finish(bends, w, patch->n);
}

/** Replaces the coefficients of a quadrilateral of these degrees by those of its half 0 or 1 along
 * u (axis 0) or v. */
TSR_FN void tsr_halve(double *q, int du, int dv, int axis, int half) {
  const int d = axis == 0 ? du : dv, step = axis == 0 ? 1 : du + 1, line = axis == 0 ? du + 1 : 1;
  for (int k = 0; k <= (axis == 0 ? dv : du); ++k) {
    double *at = q + k * line;
    for (int r = 1; r <= d; ++r)
      for (int i = half ? 0 : d; half ? i <= d - r : i >= r; i += half ? 1 : -1)
        at[i * step] = 0.5 * (at[(half ? i : i - 1) * step] + at[(half ? i + 1 : i) * step]);
  }
}

/** Part `part` of a criterion of a quadrilateral: of its halves along u, or its quarters if dv is
 * not 0, measured in the parameters of the whole. w: weights; to_w: receives those of the part. */
TSR_FAR_FN void tsr_bent_part(const tsr_bent *from, int du, int dv, int part, const double *w,
                              tsr_bent *to, double *to_w) {
  *to = *from;
  to->over = 4.0 * from->over; /* a second derivative along half the length is a quarter */
  for (int k = 0; k < (du + 1) * (dv + 1); ++k)
    to_w[k] = w[k];
  for (int axis = 0; axis < (dv > 0 ? 2 : 1); ++axis) {
    for (int c = 0; c < to->components; ++c)
      tsr_halve(to->q[c], du, dv, axis, part >> axis & 1);
    tsr_halve(to_w, du, dv, axis, part >> axis & 1);
  }
}

/** Bounds of the second derivatives of an edge: of a rational one those of its halves, which are
 *  nearer to the largest second derivative, with up to a quarter fewer steps on a circle. Halves of
 *  polynomials of degree 4 and more make no difference on balls. */
TSR_FN void tsr_edge_bends(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                           const tsr_edge *edge, tsr_bends *bends) {
  const int criteria_n = tsr_criteria_count(criteria);
  double w[TSR_FACE_NODES], half_w[TSR_FACE_NODES];
  tsr_bent it, half;
  tsr_patch patch;
  tsr_edge_patch(edge, &patch);
  if (!patch.rational) {
    tsr_patch_bends(view, criteria, &patch, bends);
    return;
  }
  tsr_bends_clear(bends, patch.sides, patch.rational);
  for (int k = 0; k < patch.n; ++k)
    w[k] = tsr_load(&view->weights, patch.id[k]);
  for (int i = 0; i < criteria_n; ++i)
    for (int part = 0; part < 2 && tsr_patch_criterion(view, criteria, &patch, i, &it); ++part) {
      tsr_bent_part(&it, patch.du, 0, part, w, &half, half_w);
      tsr_bends_add(&half, patch.du, 0, half_w, bends);
    }
  tsr_bends_finish(bends, w, patch.n);
}

/** The part of what the criteria allow that an edge takes by itself. A triangle at the edge reaches
 *  into the face, which takes the rest. 0.65 makes 0 to 4 % fewer triangles on balls of Lagrange
 *  hexahedra of degree 2 and 4, 2 to 13 % more on balls of Lagrange tetrahedra, and 11 to 27 % more
 *  on a cylinder and a saddle, where the edges alone count; 0.85 makes 0 to 5 % more on the first,
 *  8 % fewer to 1 % more on the second, and as many on the others. */
#define TSR_EDGE_SHARE 0.75

/** Slack for rounding of what is compared with 1. */
#define TSR_FULFILLED (1.0 + 1e-9)

/** Share of what the criteria allow that an edge takes in n steps. */
TSR_FN double tsr_edge_error(const tsr_bends *bends, int n) {
  const double h = 1.0 / (double)n;
  return 0.125 * (h * h) * bends->most[0][0];
}

/** Number of steps of an edge, at most `most`. */
TSR_FN int tsr_edge_steps(const tsr_bends *bends, int most) {
  int n = (int)tsr_ceil_count(sqrt(bends->most[0][0] / (8.0 * TSR_EDGE_SHARE)), most);
  while (n < most && tsr_edge_error(bends, n) > TSR_EDGE_SHARE * TSR_FULFILLED)
    ++n;
  return n;
}

#endif
