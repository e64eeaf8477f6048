/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Polynomials and ratios of them. No ratio of polynomials with positive weights below goes beyond
 * the ratios of its Bernstein coefficients.
 *
 * Polynomials are kept as coefficients times binomial coefficients, so that products are
 * convolutions, and all derivatives are raised to the degree that they come from.
 */
#ifndef TSR_CELLS_DIVIDE_RATIONAL_MATH_H
#define TSR_CELLS_DIVIDE_RATIONAL_MATH_H

#include "cells/divide/bend_math.h"

/** A polynomial: coefficients times binomial coefficients. An edge is a quadrilateral with dv 0. */
typedef struct tsr_scaled {
  int sides, du, dv;
  double at[TSR_FACE_NODES];
} tsr_scaled;

TSR_FN int tsr_scaled_place(const tsr_scaled *it, int a, int b) {
  return it->sides == 3 ? tsr_triangle_place(it->du, a, b) : b * (it->du + 1) + a;
}

/** Last column of row b. */
TSR_FN int tsr_scaled_last(const tsr_scaled *it, int b) {
  return it->sides == 3 ? it->du - b : it->du;
}

TSR_FN double tsr_choose(int n, int k) {
  int value = 1;
  for (int i = 0; i < k; ++i)
    value = value * (n - i) / (i + 1);
  return (double)value;
}

/** The binomial coefficient that belongs to place (a, b). */
TSR_FN double tsr_scaled_factor(const tsr_scaled *it, int a, int b) {
  return it->sides == 3 ? tsr_choose(it->du, a) * tsr_choose(it->du - a, b)
                        : tsr_choose(it->du, a) * tsr_choose(it->dv, b);
}

/** Sets the polynomial from Bernstein coefficients. */
TSR_FN void tsr_scaled_set(tsr_scaled *it, int sides, int du, int dv, const double *q) {
  it->sides = sides;
  it->du = du;
  it->dv = dv;
  for (int b = 0; b <= dv; ++b)
    for (int a = 0; a <= tsr_scaled_last(it, b); ++a) {
      const int k = tsr_scaled_place(it, a, b);
      it->at[k] = tsr_scaled_factor(it, a, b) * q[k];
    }
}

/** Derivative along u (axis 0) or v, raised to the degree of `from` again. */
TSR_FAR_FN void tsr_scaled_derive(const tsr_scaled *from, int axis, tsr_scaled *to) {
  double low[TSR_FACE_NODES]; /* of one degree less, in the places of the higher degree */
  const int d = axis == 0 ? from->du : from->dv, triangle = from->sides == 3;
  to->sides = from->sides;
  to->du = from->du;
  to->dv = from->dv;
  for (int b = 0, k = 0; b <= from->dv; ++b) {
    const int last = tsr_scaled_last(from, b), step = axis == 0 ? 1 : last + 1;
    for (int a = 0; a <= last; ++a, ++k) {
      const int at = axis == 0 ? a : b, left = triangle ? d - a - b : d - at;
      low[k] = left > 0 ? (double)(at + 1) * from->at[k + step] - (double)left * from->at[k] : 0.0;
    }
  }
  for (int b = 0, k = 0; b <= from->dv; ++b) {
    const int last = tsr_scaled_last(from, b), below = last + 1 + triangle; /* row b - 1 */
    for (int a = 0; a <= last; ++a, ++k) {
      double sum = low[k];
      if (triangle || axis == 0)
        sum += a > 0 ? low[k - 1] : 0.0;
      if (triangle || axis == 1)
        sum += b > 0 ? low[k - below] : 0.0;
      to->at[k] = sum;
    }
  }
}

/** A criterion of a rational face: homogeneous components and the weight. */
typedef struct tsr_homogeneous {
  int components;
  double over;
  tsr_scaled x[3], w;
} tsr_homogeneous;

/** Sets all but the weight from the coefficients of a criterion. */
TSR_FN void tsr_homogeneous_set(tsr_homogeneous *it, int sides, int du, int dv,
                                const tsr_bent *from) {
  it->components = from->components;
  it->over = from->over;
  for (int c = 0; c < from->components; ++c)
    tsr_scaled_set(&it->x[c], sides, du, dv, from->q[c]);
}

/** Derivatives of all of it. */
typedef struct tsr_derivative {
  tsr_scaled x[3], w;
} tsr_derivative;

/** Derivative along u or v of x and w, which may be derivatives. */
TSR_FN void tsr_derive(int components, const tsr_scaled *x, const tsr_scaled *w, int axis,
                       tsr_derivative *to) {
  for (int c = 0; c < components; ++c)
    tsr_scaled_derive(&x[c], axis, &to->x[c]);
  tsr_scaled_derive(w, axis, &to->w);
}

/** to = p times a + q times b + r times c, but for terms whose factor is 0. */
TSR_FN void tsr_combine_forms(const tsr_scaled *const from[3], const double factor[3],
                              tsr_scaled *to) {
  const int n = from[0]->sides == 3 ? (from[0]->du + 1) * (from[0]->du + 2) / 2
                                    : (from[0]->du + 1) * (from[0]->dv + 1);
  *to = *from[0];
  for (int k = 0; k < n; ++k)
    to->at[k] =
        (factor[0] * from[0]->at[k] + factor[1] * from[1]->at[k]) + factor[2] * from[2]->at[k];
}

/** Adds to a row of coefficients of D w - X W what coefficient `here` of D and W makes with n
 *  coefficients of w and X, from `there` on; and to a row of w w what that of w makes with those of
 *  w. first: place in the rows of the first of the n. */
TSR_FN void tsr_ratio_add(const tsr_homogeneous *it, const tsr_derivative *derived, int here,
                          int there, int n, int first, double sum[3][TSR_ROWS], double *weight) {
  const double *w = it->w.at + there, whole = it->w.at[here], turn = derived->w.at[here];
  for (int k = 0; k < n; ++k)
    weight[first + k] += whole * w[k];
  for (int c = 0; c < it->components; ++c) {
    const double slope = derived->x[c].at[here], *x = it->x[c].at + there;
    for (int k = 0; k < n; ++k)
      sum[c][first + k] += slope * w[k] - turn * x[k];
  }
}

/** Row l of the coefficients of D w - X W, D and W the derivatives, divided by those of w w; times
 *  it->over. Returns how many there are. */
TSR_FAR_FN int tsr_ratio_row(const tsr_homogeneous *it, const tsr_derivative *derived, int l,
                             double to[3][TSR_ROWS]) {
  const int n = 2 * it->w.du + 1 - (it->w.sides == 3 ? l : 0);
  double weight[TSR_ROWS];
  for (int k = 0; k < n; ++k)
    weight[k] = to[0][k] = to[1][k] = to[2][k] = 0.0;
  for (int b = l > it->w.dv ? l - it->w.dv : 0; b <= l && b <= it->w.dv; ++b)
    for (int a = 0; a <= tsr_scaled_last(&it->w, b); ++a)
      tsr_ratio_add(it, derived, tsr_scaled_place(&it->w, a, b), tsr_scaled_place(&it->w, 0, l - b),
                    tsr_scaled_last(&it->w, l - b) + 1, a, to, weight);
  for (int c = 0; c < it->components; ++c)
    for (int k = 0; k < n; ++k)
      to[c][k] = to[c][k] / weight[k] * it->over;
  return n;
}

/** Largest ratio of the coefficients of a derivative of the weight and of the weight. */
TSR_FN double tsr_turn_of(const tsr_homogeneous *it, const tsr_derivative *derived) {
  double most = 0.0;
  for (int b = 0; b <= it->w.dv; ++b)
    for (int a = 0; a <= tsr_scaled_last(&it->w, b); ++a) {
      const int k = tsr_scaled_place(&it->w, a, b);
      most = tsr_larger_bend(most, fabs(derived->w.at[k]) / it->w.at[k]);
    }
  return most;
}

/** The directions along (0) and across side s of a triangle, along u and v (s 4), and along the
 * sides at its second (5) and third corner (6), in u and v. */
TSR_FN double tsr_shape_direction(int s, int across, int axis) {
  static const double direction[7][2][2] = {{{1.0, 0.0}, {-0.5, 1.0}}, {{-1.0, 1.0}, {-0.5, -0.5}},
                                            {{0.0, 1.0}, {1.0, -0.5}}, {{0.0, 0.0}, {0.0, 0.0}},
                                            {{1.0, 0.0}, {0.0, 1.0}},  {{-1.0, 1.0}, {-1.0, 0.0}},
                                            {{0.0, -1.0}, {1.0, -1.0}}};
  return direction[s][across][axis];
}

/** part[0] a + part[1] b + part[2] c. */
TSR_FN void tsr_derived_combine(const tsr_homogeneous *it, const tsr_derivative *const from[3],
                                const double part[3], tsr_derivative *to) {
  for (int c = 0; c <= it->components; ++c) {
    const int last = c == it->components;
    const tsr_scaled *const forms[3] = {last ? &from[0]->w : &from[0]->x[c],
                                        last ? &from[1]->w : &from[1]->x[c],
                                        last ? &from[2]->w : &from[2]->x[c]};
    tsr_combine_forms(forms, part, last ? &to->w : &to->x[c]);
  }
}

/** Makes the rows, coefficients of a rational function, those of a polynomial that is no less. The
 *  share of a row in the rational function is at most `ratio` times that in the polynomial, and at
 *  least 1 / ratio times. */
TSR_FN void tsr_rows_loosen(tsr_rows *rows, double ratio) {
  for (int i = 1; i < rows->n; ++i) {
    const double more = rows->most[i] - rows->most[0];
    rows->most[i] = rows->most[0] + (more > 0.0 ? more * ratio : more / ratio);
  }
}

#endif
