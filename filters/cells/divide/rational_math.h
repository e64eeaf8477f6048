/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Bends of rational faces S = X / w.
 *
 * A triangle is compared with the linear interpolation of X and w, which draws it:
 *
 *     X/w - LX/Lw = ((X - LX) - S (w - Lw)) / Lw,
 *
 * S at the place x in question. So the bend at y, another place of the triangle, is the second
 * derivative of X - S(x) w, divided by Lw. Of X - S(y) w it is (X'' w - X w'') / w: numerator and
 * denominator are polynomials, and no ratio of polynomials with positive weights goes beyond the
 * ratios of its Bernstein coefficients. What S(x) and S(y), w(y) and Lw differ by is known from
 * first derivatives and the extents of the triangle: tsr_bend_total() adds it.
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

/** Coefficient (a, b); 0 outside. */
TSR_FN double tsr_scaled_at(const tsr_scaled *it, int a, int b) {
  const int outside = a < 0 || b < 0 || b > it->dv || a > tsr_scaled_last(it, b);
  return outside ? 0.0 : it->at[tsr_scaled_place(it, a, b)];
}

TSR_FN double tsr_choose(int n, int k) {
  double value = 1.0;
  for (int i = 0; i < k; ++i)
    value = value * (double)(n - i) / (double)(i + 1);
  return value;
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
  tsr_scaled low = *from; /* of one degree less, in the places of the higher degree */
  const int d = axis == 0 ? from->du : from->dv;
  *to = *from;
  for (int b = 0; b <= from->dv; ++b)
    for (int a = 0; a <= tsr_scaled_last(from, b); ++a) {
      const int at = axis == 0 ? a : b, left = from->sides == 3 ? d - a - b : d - at;
      const double next = axis == 0 ? tsr_scaled_at(from, a + 1, b) : tsr_scaled_at(from, a, b + 1);
      low.at[tsr_scaled_place(from, a, b)] =
          left > 0 ? (double)(at + 1) * next - (double)left * tsr_scaled_at(from, a, b) : 0.0;
    }
  for (int b = 0; b <= from->dv; ++b)
    for (int a = 0; a <= tsr_scaled_last(from, b); ++a) {
      double sum = tsr_scaled_at(&low, a, b);
      if (from->sides == 3 || axis == 0)
        sum += tsr_scaled_at(&low, a - 1, b);
      if (from->sides == 3 || axis == 1)
        sum += tsr_scaled_at(&low, a, b - 1);
      to->at[tsr_scaled_place(from, a, b)] = sum;
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

/** Coefficient (k, l) of D w - X W, D and W the derivatives, divided by that of w w; times
 *  it->over. */
TSR_FN void tsr_ratio_of(const tsr_homogeneous *it, const tsr_derivative *derived, int k, int l,
                         double to[3]) {
  double weight = 0.0;
  to[0] = to[1] = to[2] = 0.0;
  for (int b = l > it->w.dv ? l - it->w.dv : 0; b <= l && b <= it->w.dv; ++b) {
    for (int a = 0; a <= k && a <= tsr_scaled_last(&it->w, b); ++a) {
      const double w = tsr_scaled_at(&it->w, k - a, l - b);
      const int here = tsr_scaled_place(&it->w, a, b);
      weight += it->w.at[here] * w;
      for (int c = 0; c < it->components; ++c)
        to[c] += derived->x[c].at[here] * w -
                 derived->w.at[here] * tsr_scaled_at(&it->x[c], k - a, l - b);
    }
  }
  for (int c = 0; c < it->components; ++c)
    to[c] = to[c] / weight * it->over;
}

/** Length of tsr_ratio_of. */
TSR_FN double tsr_ratio_at(const tsr_homogeneous *it, const tsr_derivative *derived, int k, int l) {
  double ratio[3];
  tsr_ratio_of(it, derived, k, l, ratio);
  return sqrt((ratio[0] * ratio[0] + ratio[1] * ratio[1]) + ratio[2] * ratio[2]);
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

/** Largest coefficient of a first derivative of the weight, as a share of the least weight. */
TSR_FN double tsr_heavy_of(const tsr_homogeneous *it, const tsr_derivative *derived) {
  double most = 0.0, least = TSR_BEND_MOST;
  for (int b = 0; b <= it->w.dv; ++b)
    for (int a = 0; a <= tsr_scaled_last(&it->w, b); ++a) {
      const int k = tsr_scaled_place(&it->w, a, b);
      const double factor = tsr_scaled_factor(&it->w, a, b);
      const double w = it->w.at[k] / factor;
      least = w < least ? w : least;
      most = tsr_larger_bend(most, fabs(derived->w.at[k]) / factor);
    }
  return most / least;
}

/** Row of coefficient (a, b) as seen from side s, and how many rows there are. */
TSR_FN int tsr_scaled_row(const tsr_scaled *it, int s, int a, int b, int *n) {
  *n = (it->sides == 3 || s % 2 == 1 ? it->du : it->dv) + 1;
  return it->sides == 3 ? tsr_triangle_row(s, it->du, a, b)
                        : tsr_quad_row(s, it->du + 1, it->dv + 1, a, b);
}

/** Adds second derivatives of the weight, as shares of it, to rows near side s. */
TSR_FN void tsr_turn_put(const tsr_homogeneous *it, const tsr_derivative *derived, int s,
                         tsr_rows *rows) {
  for (int b = 0; b <= it->w.dv; ++b)
    for (int a = 0; a <= tsr_scaled_last(&it->w, b); ++a) {
      const int k = tsr_scaled_place(&it->w, a, b);
      int n;
      const int row = tsr_scaled_row(&it->w, s, a, b, &n);
      tsr_rows_put(rows, n, row, fabs(derived->w.at[k]) / it->w.at[k]);
    }
}

/** Adds first derivatives of the weight, and the weight itself, to rows near side s. */
TSR_FN void tsr_heavy_put(const tsr_homogeneous *it, const tsr_derivative *derived, int s,
                          tsr_rows *heavy, tsr_rows *weight) {
  for (int b = 0; b <= it->w.dv; ++b)
    for (int a = 0; a <= tsr_scaled_last(&it->w, b); ++a) {
      const int k = tsr_scaled_place(&it->w, a, b);
      const double factor = tsr_scaled_factor(&it->w, a, b);
      int n;
      const int row = tsr_scaled_row(&it->w, s, a, b, &n);
      tsr_rows_put(heavy, n, row, fabs(derived->w.at[k]) / factor);
      tsr_rows_put_least(weight, n, row, it->w.at[k] / factor);
    }
}

/** Adds kind k near side s: its rows, and what the weight does. */
TSR_FAR_FN void tsr_rational_kind(const tsr_homogeneous *it, const tsr_derivative *derived, int s,
                                  int k, tsr_bends *bends) {
  const int du = 2 * it->w.du, dv = 2 * it->w.dv;
  const double turn = tsr_turn_of(it, derived);
  for (int l = 0; l <= dv; ++l) {
    for (int j = 0; j <= (bends->sides == 3 ? du - l : du); ++j) {
      const double bend = tsr_ratio_at(it, derived, j, l);
      if (bends->sides == 3)
        tsr_rows_put(&bends->rows[s][k], du + 1, tsr_triangle_row(s, du, j, l), bend);
      else
        tsr_bends_put_quad(bends, k, du + 1, dv + 1, j, l, bend);
    }
  }
  bends->turn[s][k] = turn > bends->turn[s][k] ? turn : bends->turn[s][k];
  if (bends->sides == 3)
    tsr_turn_put(it, derived, s, &bends->turn_rows[s][k]);
  for (int side = 0; bends->sides == 4 && side < 4; ++side)
    tsr_turn_put(it, derived, side, &bends->turn_rows[side][side % 2 == 0 ? k : 2 - k]);
  if (bends->sides == 4) {
    bends->turn[2][k] = bends->turn[0][k];
    bends->turn[1][2 - k] = bends->turn[3][2 - k] = bends->turn[0][k];
  }
}

/** The directions along (0) and across side s of a triangle, and along u and v (s 4), in u and v.
 */
TSR_FN double tsr_shape_direction(int s, int across, int axis) {
  const double direction[5][2][2] = {{{1.0, 0.0}, {-0.5, 1.0}},
                                     {{-1.0, 1.0}, {-0.5, -0.5}},
                                     {{0.0, 1.0}, {1.0, -0.5}},
                                     {{0.0, 0.0}, {0.0, 0.0}},
                                     {{1.0, 0.0}, {0.0, 1.0}}};
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

/** Adds a first derivative to the bounds near side s, k: 0: along the side, 1: across. */
TSR_FN void tsr_rational_slope(const tsr_homogeneous *it, const tsr_derivative *derived, int s,
                               int k, tsr_bends *bends) {
  const int du = 2 * it->w.du, dv = 2 * it->w.dv;
  const double heavy = tsr_heavy_of(it, derived);
  tsr_rows *rows = &bends->slope[s][k];
  for (int l = 0; l <= dv; ++l)
    for (int j = 0; j <= (bends->sides == 3 ? du - l : du); ++j) {
      const double slope = tsr_ratio_at(it, derived, j, l);
      if (bends->sides == 3)
        tsr_rows_put(rows, du + 1, tsr_triangle_row(s, du, j, l), slope);
      else
        tsr_rows_put(rows, (s % 2 == 0 ? dv : du) + 1, tsr_quad_row(s, du + 1, dv + 1, j, l),
                     slope);
    }
  bends->heavy[s][k] = heavy > bends->heavy[s][k] ? heavy : bends->heavy[s][k];
  tsr_heavy_put(it, derived, s, &bends->heavy_rows[s][k], &bends->weight_rows[s]);
}

/** Adds the first derivatives. */
TSR_FN void tsr_rational_slopes(const tsr_homogeneous *it, const tsr_derivative *u,
                                const tsr_derivative *v, tsr_bends *bends) {
  for (int s = 0; s < bends->sides; ++s)
    for (int k = 0; k < 2; ++k) {
      const tsr_derivative *const from[3] = {u, v, v};
      const double part[3] = {tsr_shape_direction(s, k, 0), tsr_shape_direction(s, k, 1), 0.0};
      tsr_derivative made;
      if (bends->sides == 4) {
        tsr_rational_slope(it, (s % 2 == 0) == (k == 0) ? u : v, s, k, bends);
        continue;
      }
      tsr_derived_combine(it, from, part, &made);
      tsr_rational_slope(it, &made, s, k, bends);
    }
}

/** Adds the bends of one criterion to those of a rational face. */
TSR_FAR_FN void tsr_rational_bend_add(const tsr_homogeneous *it, tsr_bends *bends) {
  const int n = it->components;
  tsr_derivative u, v, second[3], made;
  tsr_derive(n, it->x, &it->w, 0, &u);
  tsr_derive(n, it->x, &it->w, 1, &v);
  tsr_derive(n, u.x, &u.w, 0, &second[0]);
  tsr_derive(n, u.x, &u.w, 1, &second[1]);
  tsr_derive(n, v.x, &v.w, 1, &second[2]);
  tsr_rational_slopes(it, &u, &v, bends);
  if (bends->sides == 4) {
    for (int k = 0; k < 3; ++k)
      tsr_rational_kind(it, &second[k], 0, k, bends);
    return;
  }
  for (int s = 0; s < 3; ++s) {
    for (int k = 0; k < 3; ++k) {
      const double factor[3] = {tsr_triangle_part(s, k, 0), tsr_triangle_part(s, k, 1),
                                tsr_triangle_part(s, k, 2)};
      for (int c = 0; c <= n; ++c) {
        const tsr_scaled *const from[3] = {c < n ? &second[0].x[c] : &second[0].w,
                                           c < n ? &second[1].x[c] : &second[1].w,
                                           c < n ? &second[2].x[c] : &second[2].w};
        tsr_combine_forms(from, factor, c < n ? &made.x[c] : &made.w);
      }
      tsr_rational_kind(it, &made, s, k, bends);
    }
  }
}

/** Makes the rows, coefficients of a rational function, those of a polynomial that is no less. The
 *  share of a row in the rational function is at most `ratio` times that in the polynomial. */
TSR_FN void tsr_rows_loosen(tsr_rows *rows, double ratio) {
  for (int i = 1; i < rows->n; ++i)
    if (rows->most[i] > rows->most[0])
      rows->most[i] = rows->most[0] + ratio * (rows->most[i] - rows->most[0]);
}

/** A bound of the second derivatives of a rational face, for a triangle with these extents along a
 *  side and across, where the bend is `bend`, the first derivatives are `slope`, the second ones of
 *  the weight `turn` times the weight, and its first ones `heavy` times the least weight. */
TSR_FN double tsr_bend_total(double bend, double turn, const double slope[2], const double heavy[2],
                             double along, double across) {
  const double shift = slope[0] * along + slope[1] * across;
  return (bend + turn * shift) * (1.0 + (heavy[0] * along + heavy[1] * across));
}

/** The bound of kind k on the whole face. */
TSR_FN double tsr_bend_anywhere(const tsr_bends *bends, int s, int k, double along, double across) {
  if (!bends->rational)
    return bends->most[s][k];
  return tsr_bend_total(bends->most[s][k], bends->turn[s][k], bends->steepest[s], bends->heavy[s],
                        along, across);
}

#endif
