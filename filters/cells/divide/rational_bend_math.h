/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Second derivatives of rational faces S = X / w. With subscripts for derivatives along a and b,
 *
 *     S_ab w^3 = X_ab w^2 - X (w w_ab - 2 w_a w_b) - X_a w w_b - X_b w w_a,
 *
 * of which the Bernstein coefficients are those of a polynomial of three times the degree, and so
 * are those of w^3. X is measured from the first node, so that no digits are lost far from the
 * origin.
 */
#ifndef TSR_CELLS_DIVIDE_RATIONAL_BEND_MATH_H
#define TSR_CELLS_DIVIDE_RATIONAL_BEND_MATH_H

#include "cells/divide/rational_math.h"

/** Most coefficients of a product of two polynomials. */
#define TSR_SQUARE_NODES ((2 * TSR_EDGE_NODES - 1) * (2 * TSR_EDGE_NODES - 1))

/** A product of two polynomials of the degrees du and dv, or a sum of such products. */
typedef struct tsr_square {
  int sides, du, dv; /**< twice those of the factors */
  double at[TSR_SQUARE_NODES];
} tsr_square;

/** Place of coefficient (a, b). */
TSR_FN int tsr_square_place(const tsr_square *it, int a, int b) {
  return it->sides == 3 ? tsr_triangle_place(it->du, a, b) : b * (it->du + 1) + a;
}

/** it += scale times p q. first: it is set instead. */
TSR_FAR_FN void tsr_square_add(tsr_square *it, int first, double scale, const tsr_scaled *p,
                               const tsr_scaled *q) {
  it->sides = p->sides;
  it->du = 2 * p->du;
  it->dv = 2 * p->dv;
  for (int k = 0; first && k < (it->du + 1) * (it->dv + 1); ++k)
    it->at[k] = 0.0;
  for (int b = 0; b <= p->dv; ++b)
    for (int a = 0; a <= tsr_scaled_last(p, b); ++a) {
      const double factor = scale * p->at[tsr_scaled_place(p, a, b)];
      for (int d = 0; d <= q->dv; ++d) {
        const double *from = q->at + tsr_scaled_place(q, 0, d);
        double *to = it->at + tsr_square_place(it, a, b + d);
        for (int c = 0; c <= tsr_scaled_last(q, d); ++c)
          to[c] += factor * from[c];
      }
    }
}

/** A criterion of a rational face, and all that its second derivatives are made of; kinds: uu, uv,
 *  vv. */
typedef struct tsr_rational_forms {
  tsr_homogeneous it;
  tsr_derivative first[2], second[3];
  tsr_square whole;    /**< w^2 */
  tsr_square slope[2]; /**< -w w_u, -w w_v */
  tsr_square turn[3];  /**< 2 w_a w_b - w w_ab */
} tsr_rational_forms;

/** Sets the forms of a criterion; w: weights of the nodes. */
TSR_FAR_FN void tsr_rational_forms_set(const tsr_bent *bent, int sides, int du, int dv,
                                       const double *w, tsr_rational_forms *to) {
  const int n = bent->components;
  tsr_homogeneous *it = &to->it;
  tsr_homogeneous_set(it, sides, du, dv, bent);
  tsr_scaled_set(&it->w, sides, du, dv, w);
  for (int c = 0; c < n; ++c) {
    const double from = it->x[c].at[0] / it->w.at[0];
    for (int b = 0; b <= dv; ++b)
      for (int a = 0; a <= tsr_scaled_last(&it->w, b); ++a) {
        const int k = tsr_scaled_place(&it->w, a, b);
        it->x[c].at[k] -= from * it->w.at[k];
      }
  }
  for (int axis = 0; axis < 2; ++axis)
    tsr_derive(n, it->x, &it->w, axis, &to->first[axis]);
  for (int k = 0; k < 3; ++k) {
    const tsr_derivative *a = &to->first[k / 2], *b = &to->first[(k + 1) / 2];
    tsr_derive(n, a->x, &a->w, (k + 1) / 2, &to->second[k]);
    tsr_square_add(&to->turn[k], 1, 2.0, &a->w, &b->w);
    tsr_square_add(&to->turn[k], 0, -1.0, &it->w, &to->second[k].w);
  }
  for (int axis = 0; axis < 2; ++axis)
    tsr_square_add(&to->slope[axis], 1, -1.0, &it->w, &to->first[axis].w);
  tsr_square_add(&to->whole, 1, 1.0, &it->w, &it->w);
}

/** A row of coefficients of S_uu, S_uv and S_vv w^3. */
typedef struct tsr_rational_row {
  int n;                     /**< of these coefficients */
  double at[3][3][TSR_ROWS]; /**< kind, component, place in the row */
} tsr_rational_row;

/** Adds to the row what coefficient `here` of X, w and their derivatives makes with row `there` of
 *  the products, of n coefficients. sum, weight: where the first of these n is added. */
TSR_FN void tsr_rational_row_add(const tsr_rational_forms *from, int here, int there, int n,
                                 int first, double sum[3][3][TSR_ROWS], double *weight) {
  const double w = from->it.w.at[here], *whole = from->whole.at + there;
  for (int k = 0; k < n; ++k)
    weight[first + k] += w * whole[k];
  for (int i = 0; i < 3; ++i) {
    const double *turn = from->turn[i].at + there, *slope = from->slope[i / 2].at + there;
    const double *other = from->slope[(i + 1) / 2].at + there;
    for (int c = 0; c < from->it.components; ++c) {
      const double bend = from->second[i].x[c].at[here], x = from->it.x[c].at[here];
      const double a = from->first[i / 2].x[c].at[here];
      const double b = from->first[(i + 1) / 2].x[c].at[here];
      double *to = sum[i][c] + first;
      for (int k = 0; k < n; ++k)
        to[k] += (bend * whole[k] + x * turn[k]) + (a * other[k] + b * slope[k]);
    }
  }
}

/** Row l of the coefficients of S_uu, S_uv and S_vv w^3, divided by those of w^3, times it.over.
 *  A row at a time is 2 to 3 times as fast as one coefficient after the other. */
TSR_FAR_FN void tsr_rational_row_at(const tsr_rational_forms *from, int l, tsr_rational_row *to) {
  const tsr_homogeneous *it = &from->it;
  const int du = from->whole.du, dv = from->whole.dv, n = it->components;
  double sum[3][3][TSR_ROWS], weight[TSR_ROWS];
  to->n = 3 * it->w.du + 1 - (it->w.sides == 3 ? l : 0);
  for (int k = 0; k < to->n; ++k) {
    weight[k] = 0.0;
    for (int i = 0; i < 3; ++i)
      sum[i][0][k] = sum[i][1][k] = sum[i][2][k] = 0.0;
  }
  for (int b = l > dv ? l - dv : 0; b <= l && b <= it->w.dv; ++b) {
    const int length = it->w.sides == 3 ? du - (l - b) + 1 : du + 1;
    for (int a = 0; a <= tsr_scaled_last(&it->w, b); ++a)
      tsr_rational_row_add(from, tsr_scaled_place(&it->w, a, b),
                           tsr_square_place(&from->whole, 0, l - b), length, a, sum, weight);
  }
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < to->n; ++k)
        to->at[i][c][k] = c < n ? sum[i][c][k] / weight[k] * it->over : 0.0;
}

/** Coefficient k of a row: S_uu, S_uv and S_vv. */
TSR_FN void tsr_rational_row_get(const tsr_rational_row *it, int k, double to[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 3; ++c)
      to[i][c] = it->at[i][c][k];
}

/** Length of part[0] a + part[1] b + part[2] c. */
TSR_FN double tsr_bend_sum(double at[3][3], const double part[3]) {
  double sum = 0.0;
  for (int c = 0; c < 3; ++c) {
    const double x = (part[0] * at[0][c] + part[1] * at[1][c]) + part[2] * at[2][c];
    sum += x * x;
  }
  return sqrt(sum);
}

/** Adds the bends of one criterion to those of a rational face. */
TSR_FAR_FN void tsr_rational_bend_add(const tsr_rational_forms *it, tsr_bends *bends) {
  const int du = 3 * it->it.w.du, dv = 3 * it->it.w.dv;
  tsr_rational_row row;
  double at[3][3];
  for (int l = 0; l <= dv; ++l) {
    tsr_rational_row_at(it, l, &row);
    for (int k = 0; k < row.n; ++k) {
      tsr_rational_row_get(&row, k, at);
      for (int kind = 0; kind < 3; ++kind) {
        const double whole[3] = {kind == 0 ? 1.0 : 0.0, kind == 1 ? 1.0 : 0.0,
                                 kind == 2 ? 1.0 : 0.0};
        if (bends->sides == 4)
          tsr_bends_put_quad(bends, kind, du + 1, dv + 1, k, l, tsr_bend_sum(at, whole));
        for (int s = 0; bends->sides == 3 && s < 3; ++s) {
          const double part[3] = {tsr_triangle_part(s, kind, 0), tsr_triangle_part(s, kind, 1),
                                  tsr_triangle_part(s, kind, 2)};
          tsr_rows_put(&bends->rows[s][kind], du + 1, tsr_triangle_row(s, du, k, l),
                       tsr_bend_sum(at, part));
        }
      }
    }
  }
}

#endif
