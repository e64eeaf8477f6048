/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Bounds of a face's shape: of its first and second derivatives and of its normal N = S_u x S_v.
 * Edge lengths and angles of triangles follow from them.
 *
 * Length: an edge of a triangle is no longer than the largest first derivative along it.
 *
 * Angle: a triangle has edges along U and V, which are means of first derivatives, and a unit
 * normal m. At a place of the triangle S_u and S_v differ from U and V by vectors e and f, which
 * the second derivatives bound. So S_u m = e m and S_v m = f m: that much of m lies in the plane of
 * S_u and S_v, and the sine of the angle between m and N is at most
 *
 *     r = (|e| |S_v| + |f| |S_u|) / |N|.
 *
 * If the third corner is at `shift` along the base, f has U' - U times shift over the distance of
 * that corner from the base in it, where U' is the mean along the edge to that corner. With a base
 * of length a and bends A along it and B with the other direction, |U' - U| is at most A |a -
 * shift| / 2 + B / 2 of that distance.
 *
 * In a flat face e and f have no part along N, and the angle is 0. So let q be r with parts of the
 * second derivatives along unit normals instead of their lengths. Two choices of them:
 *
 * n = N / |N| at the place of each derivative. Let the triangle grow from a point: as long as no
 * angle has more than a given sine of at most 0.8, |m - n| is at most 1.25 sine, and the sine of
 * the largest angle is at most q + 1.25 r sine. If that is less than the given sine, no angle can
 * get there. (r is then below 0.8, with which U x V does not vanish: its part along n is at least
 * (1 - r - r r / 4) |N|.)
 *
 * m itself. Let t be the unit normal in the middle of the face, and `facing` a lower bound of
 * (U x V) t for means U and V of any first derivatives of the face. With it, m is known to be near
 * t, and so is m's part of a second derivative. The sine is then at most q. The third corner beside
 * the base takes up to a half of `facing` away, if |U| |U' - U| shift over that corner's distance
 * is no more.
 *
 * Least |N|: the face is cut into boxes; |N| in a box is less than in its middle by half the box's
 * size times the largest derivative of N at most.
 */
#ifndef TSR_CELLS_DIVIDE_SHAPE_MATH_H
#define TSR_CELLS_DIVIDE_SHAPE_MATH_H

#include "cells/divide/rational_math.h"
#include "cells/divide/spread_math.h"

/** Place of the bounds along the parameters u and v, after those near the four sides, and number of
 *  all: those along the sides at a triangle's other corners are the last. */
#define TSR_SHAPE_AXES 4
#define TSR_SHAPE_ALL 7

/** Most boxes along each axis in which a least normal is looked for. Balls and cylinders need 1 or
 *  2, random faces with a normal up to 16. */
#define TSR_SHAPE_BOXES 32

/** Part of the normal in the middle of a face that is enough as its least: then no boxes are tried.
 */
#define TSR_FACING_ENOUGH 0.7

/** Bounds near side s, as tsr_bends has them (0: along, then across), and along u and v. */
typedef struct tsr_face_shape {
  double slope[TSR_SHAPE_ALL][2];
  tsr_rows slope_rows[4][2]; /**< slope by rows near the side */
  double bend[TSR_SHAPE_ALL][3];
  double middle[2][3];           /**< S_u and S_v in the middle of the face */
  double towards[3];             /**< unit normal there */
  double lean[TSR_SHAPE_ALL][2]; /**< slope along `towards` alone */
  double rise[TSR_SHAPE_ALL][3]; /**< bend along it */
  double facing[TSR_SHAPE_ALL];  /**< lower bound of (U x V) `towards`; 0: none is known */
  double dot[2];                 /**< quadrilateral: largest S_u . S_v, and largest -S_u . S_v */
  double normal;                 /**< lower bound of |N|; 0: none is known */
} tsr_face_shape;

/** Row l of the coefficients of a place's derivative. Returns how many there are. */
TSR_FN int tsr_derived_row(const tsr_homogeneous *it, int rational, const tsr_derivative *derived,
                           int l, double to[3][TSR_ROWS]) {
  if (rational)
    return tsr_ratio_row(it, derived, l, to);
  for (int j = 0; j <= tsr_scaled_last(&it->w, l); ++j) {
    const double over = it->over / tsr_scaled_factor(&it->w, j, l);
    for (int c = 0; c < 3; ++c)
      to[c][j] = over * derived->x[c].at[tsr_scaled_place(&it->w, j, l)];
  }
  return tsr_scaled_last(&it->w, l) + 1;
}

/** Largest length of a place's derivative. rows: by the side; each that is not NULL receives the
 *  largest lengths by the distance from its side. rows NULL: none does. spread: receives all
 *  coefficients of the derivative; NULL: not wanted. */
TSR_FAR_FN double tsr_derived_most(const tsr_homogeneous *it, int rational,
                                   const tsr_derivative *derived, tsr_rows *const *rows,
                                   tsr_spread *spread) {
  const int times = rational ? 2 : 1, du = times * it->w.du, dv = times * it->w.dv;
  double most = 0.0, row[3][TSR_ROWS];
  for (int l = 0; l <= dv; ++l) {
    const int n = tsr_derived_row(it, rational, derived, l, row);
    for (int j = 0; j < n; ++j) {
      const double at[3] = {row[0][j], row[1][j], row[2][j]};
      const double size = sqrt(tsr_dot(at, at));
      most = tsr_larger_bend(most, size);
      if (spread)
        tsr_spread_put(spread, at);
      for (int s = 0; rows && s < it->w.sides; ++s)
        if (rows[s] && it->w.sides == 3)
          tsr_rows_put(rows[s], du + 1, tsr_triangle_row(s, du, j, l), size);
        else if (rows[s])
          tsr_rows_put(rows[s], (s % 2 == 0 ? dv : du) + 1, tsr_quad_row(s, du + 1, dv + 1, j, l),
                       size);
    }
  }
  return most;
}

/** All derivatives of a face. */
typedef struct tsr_face_forms {
  tsr_homogeneous it;
  int rational;
  tsr_derivative first[2], second[3];
} tsr_face_forms;

/** Sets the forms of a face's place. */
TSR_FAR_FN void tsr_face_forms_set(const tsr_cells_view *view, const double *forms,
                                   const tsr_patch *patch, tsr_face_forms *to) {
  const int nodes = patch->n + patch->bubble;
  const int du = patch->sides == 3 ? tsr_triangle_degree(patch) : patch->du;
  const int dv = patch->sides == 3 ? du : patch->dv;
  double q[TSR_FACE_NODES];
  to->rational = patch->rational;
  to->it.components = 3;
  to->it.over = 1.0;
  for (int k = 0; k < TSR_FACE_NODES; ++k)
    q[k] = patch->rational && k < patch->n ? tsr_load(&view->weights, patch->id[k]) : 1.0;
  tsr_scaled_set(&to->it.w, patch->sides, du, dv, q);
  for (int c = 0; c < 3; ++c) {
    tsr_load_nodes(view, &view->points, c, nodes, patch->id, patch->rational, q);
    tsr_patch_to_bernstein(forms, patch, q);
    tsr_scaled_set(&to->it.x[c], patch->sides, du, dv, q);
  }
  for (int axis = 0; axis < 2; ++axis)
    tsr_derive(3, to->it.x, &to->it.w, axis, &to->first[axis]);
}

/** Adds the second derivatives. */
TSR_FN void tsr_face_forms_bend(tsr_face_forms *it) {
  tsr_derive(3, it->first[0].x, &it->first[0].w, 0, &it->second[0]);
  tsr_derive(3, it->first[0].x, &it->first[0].w, 1, &it->second[1]);
  tsr_derive(3, it->first[1].x, &it->first[1].w, 1, &it->second[2]);
}

/** Value of a polynomial at (u, v). */
TSR_FN double tsr_scaled_value(const tsr_scaled *it, double u, double v) {
  const double rest = it->sides == 3 ? (1.0 - u) - v : 1.0 - u;
  double sum = 0.0, power_v[TSR_EDGE_NODES], power_u[TSR_EDGE_NODES], power_r[TSR_EDGE_NODES];
  power_u[0] = power_v[0] = power_r[0] = 1.0;
  for (int k = 1; k < TSR_EDGE_NODES; ++k) {
    power_u[k] = power_u[k - 1] * u;
    power_v[k] = power_v[k - 1] * v;
    power_r[k] = power_r[k - 1] * rest;
  }
  for (int b = 0; b <= it->dv; ++b) {
    const int last = tsr_scaled_last(it, b);
    double row = 0.0, below = power_v[b];
    for (int a = 0; a <= last; ++a)
      row += it->at[tsr_scaled_place(it, a, b)] * (power_u[a] * power_r[last - a]);
    for (int k = b; it->sides == 4 && k < it->dv; ++k)
      below *= 1.0 - v;
    sum += row * below;
  }
  return sum;
}

/** S_u and S_v at (u, v). */
TSR_FN void tsr_face_slopes(const tsr_face_forms *it, double u, double v, double to[2][3]) {
  const double w = it->rational ? tsr_scaled_value(&it->it.w, u, v) : 1.0;
  for (int axis = 0; axis < 2; ++axis) {
    const double turn = it->rational ? tsr_scaled_value(&it->first[axis].w, u, v) / w : 0.0;
    for (int c = 0; c < 3; ++c) {
      to[axis][c] = tsr_scaled_value(&it->first[axis].x[c], u, v) / w;
      if (it->rational)
        to[axis][c] -= tsr_scaled_value(&it->it.x[c], u, v) / w * turn;
    }
  }
}

/** N at (u, v). */
TSR_FN void tsr_face_normal(const tsr_face_forms *it, double u, double v, double to[3]) {
  double s[2][3];
  tsr_face_slopes(it, u, v, s);
  tsr_cross(s[0], s[1], to);
}

/** Finds derivatives and the unit normal in the middle of a face; 0 where there is none. */
TSR_FN void tsr_shape_set_middle(const tsr_face_forms *it, tsr_face_shape *shape) {
  const double middle = it->it.w.sides == 3 ? 1.0 / 3.0 : 0.5;
  double n[3], size;
  tsr_face_slopes(it, middle, middle, shape->middle);
  tsr_cross(shape->middle[0], shape->middle[1], n);
  size = sqrt(tsr_dot(n, n));
  for (int c = 0; c < 3; ++c)
    shape->towards[c] = size > 0.0 ? n[c] / size : 0.0;
}

/** End of the bounds at corners: a quadrilateral has those along u and v alone. */
TSR_FN int tsr_shape_corners(int sides) { return sides == 3 ? TSR_SHAPE_ALL : TSR_SHAPE_AXES + 1; }

/** Bound of the sine of the angle between `towards` and a product of derivatives along both
 *  directions near side s, whose part along it or length is at least `size`. */
TSR_FN double tsr_shape_tilt(const tsr_face_shape *it, int s, double size) {
  return (it->lean[s][0] * it->slope[s][1] + it->slope[s][0] * it->lean[s][1]) / size;
}

/** Bound of the part of second derivative k near side s along unit vectors that are off from
 *  `towards` by an angle of this sine at most; 1: by any. */
TSR_FN double tsr_shape_rise(const tsr_face_shape *it, int s, int k, double sine) {
  const double far = sine < 1.0 ? sqrt(2.0 - 2.0 * sqrt(1.0 - sine * sine)) : 2.0;
  const double part = it->rise[s][k] + it->bend[s][k] * far;
  return part < it->bend[s][k] ? part : it->bend[s][k];
}

/** Least |N| if the face is cut into m boxes along each axis; below 0: it may be 0. */
TSR_FN double tsr_least_normal(const tsr_face_forms *it, const tsr_face_shape *shape, int m) {
  const double *slope = shape->slope[TSR_SHAPE_AXES], *bend = shape->bend[TSR_SHAPE_AXES];
  const double change =
      ((bend[0] + bend[1]) * slope[1] + (bend[1] + bend[2]) * slope[0]) * (0.5 / (double)m);
  double least = TSR_BEND_MOST;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < (it->it.w.sides == 3 ? m - j : m); ++i) {
      double n[3], size;
      tsr_face_normal(it, ((double)i + 0.5) / (double)m, ((double)j + 0.5) / (double)m, n);
      size = sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
      least = size < least ? size : least;
    }
  return least - change;
}

/** Sets the lower bound of the normal: boxes become smaller until they have little effect, or there
 *  are `most` along each axis. None are needed where derivatives turn little. */
TSR_FN void tsr_shape_set_normal(const tsr_face_forms *it, int most, tsr_face_shape *shape) {
  double last = 0.0;
  shape->normal = shape->facing[TSR_SHAPE_AXES];
  if (shape->normal >
      TSR_FACING_ENOUGH * tsr_turned(shape->towards, shape->middle[0], shape->middle[1]))
    return;
  for (int m = 1; m <= most; m *= 2) {
    const double least = tsr_least_normal(it, shape, m);
    shape->normal = least > shape->normal ? least : shape->normal;
    if (least > 0.0 && least < 1.1 * last)
      return;
    last = least;
  }
}

/** Largest S_u . S_v and -S_u . S_v of a quadrilateral. */
TSR_FN void tsr_shape_set_dot(const tsr_face_forms *it, tsr_face_shape *shape) {
  double u[3][TSR_ROWS], v[3][TSR_ROWS];
  shape->dot[0] = shape->dot[1] = -TSR_BEND_MOST;
  for (int l = 0; l <= (it->rational ? 2 : 1) * it->it.w.dv; ++l) {
    const int n = tsr_derived_row(&it->it, it->rational, &it->first[0], l, u);
    tsr_derived_row(&it->it, it->rational, &it->first[1], l, v);
    for (int j = 0; j < n; ++j) {
      const double a[3] = {u[0][j], u[1][j], u[2][j]}, b[3] = {v[0][j], v[1][j], v[2][j]};
      const double dot = tsr_dot(a, b);
      shape->dot[0] = tsr_larger_bend(shape->dot[0], dot);
      shape->dot[1] = tsr_larger_bend(shape->dot[1], -dot);
    }
  }
}

/** Adds to a second derivative what the weight does: S'' w = X'' - S w'' - S' w' - S' w'. */
TSR_FN double tsr_shape_turn(const tsr_face_forms *it, double bend, const double slope[2],
                             const double turn[2], int k) {
  if (!it->rational)
    return bend;
  if (k == 1)
    return bend + (slope[0] * turn[1] + slope[1] * turn[0]);
  return bend + 2.0 * (slope[k / 2] * turn[k / 2]);
}

/** Finds which slope_rows a first derivative belongs to: of a triangle the one of side s and
 *  direction k, of a quadrilateral those of all sides, for the derivative along u (k 0) or v (k 1).
 */
TSR_FN void tsr_shape_rows(tsr_face_shape *shape, int sides, int s, int k, tsr_rows *rows[4]) {
  for (int side = 0; side < 4; ++side) {
    rows[side] = NULL;
    if (sides == 4)
      rows[side] = &shape->slope_rows[side][side % 2 == 0 ? k : 1 - k];
    else if (side == s)
      rows[side] = &shape->slope_rows[s][k];
  }
}

/** Sets the bounds near side s of a triangle, or along u and v of any face. near: 1: slope_rows,
 *  too. */
TSR_FN void tsr_shape_set_side(const tsr_face_forms *it, int s, int bends, int near,
                               tsr_face_shape *shape) {
  double turn[2];
  tsr_derivative made;
  tsr_spread spread[2];
  tsr_rows *rows[4];
  for (int k = 0; k < 2; ++k) {
    const tsr_derivative *const from[3] = {&it->first[0], &it->first[1], &it->first[1]};
    const double part[3] = {tsr_shape_direction(s, k, 0), tsr_shape_direction(s, k, 1), 0.0};
    double middle[3];
    for (int c = 0; c < 3; ++c)
      middle[c] = part[0] * shape->middle[0][c] + part[1] * shape->middle[1][c];
    if (bends)
      tsr_spread_begin(shape->towards, middle, &spread[k]);
    tsr_derived_combine(&it->it, from, part, &made);
    tsr_shape_rows(shape, it->it.w.sides, s, k, rows);
    shape->slope[s][k] = tsr_derived_most(&it->it, it->rational, &made, near ? rows : NULL,
                                          bends ? &spread[k] : NULL);
    shape->lean[s][k] = bends ? spread[k].along : 0.0;
    turn[k] = it->rational ? tsr_turn_of(&it->it, &made) : 0.0;
  }
  shape->facing[s] = bends ? tsr_spread_facing(&spread[0], &spread[1]) : 0.0;
  for (int k = 0; bends && k < 3; ++k) {
    const tsr_derivative *const from[3] = {&it->second[0], &it->second[1], &it->second[2]};
    const int a = k == 2, b = k > 0; /* across: of the first and the second direction */
    const double ax = tsr_shape_direction(s, a, 0), ay = tsr_shape_direction(s, a, 1);
    const double bx = tsr_shape_direction(s, b, 0), by = tsr_shape_direction(s, b, 1);
    const double part[3] = {ax * bx, ax * by + ay * bx, ay * by};
    tsr_spread_begin(shape->towards, shape->middle[0], &spread[0]); /* for its part `along` alone */
    tsr_derived_combine(&it->it, from, part, &made);
    shape->bend[s][k] =
        tsr_shape_turn(it, tsr_derived_most(&it->it, it->rational, &made, NULL, &spread[0]),
                       shape->slope[s], turn, k);
    shape->rise[s][k] = tsr_shape_turn(it, spread[0].along, shape->lean[s], turn, k);
  }
}

/** Square of the ratio of the largest and the least weight: see tsr_rows_loosen. */
TSR_FN double tsr_weight_ratio(const tsr_homogeneous *it) {
  double least = TSR_BEND_MOST, most = 0.0;
  for (int b = 0; b <= it->w.dv; ++b)
    for (int a = 0; a <= tsr_scaled_last(&it->w, b); ++a) {
      const double w = it->w.at[tsr_scaled_place(&it->w, a, b)] / tsr_scaled_factor(&it->w, a, b);
      least = w < least ? w : least;
      most = w > most ? w : most;
    }
  return most / least * (most / least);
}

/** Finds the bounds of a face. angle: 1: second derivatives and the normal, too. */
TSR_FAR_FN void tsr_patch_shape_bounds(const tsr_cells_view *view, const double *forms,
                                       const tsr_patch *patch, int angle, tsr_face_shape *to) {
  tsr_face_forms it;
  tsr_face_forms_set(view, forms, patch, &it);
  if (angle)
    tsr_face_forms_bend(&it);
  to->normal = to->dot[0] = to->dot[1] = 0.0;
  tsr_shape_set_middle(&it, to);
  for (int s = 0; s < 4; ++s)
    to->slope_rows[s][0].n = to->slope_rows[s][1].n = 0;
  for (int s = TSR_SHAPE_AXES; s < tsr_shape_corners(angle ? patch->sides : 4); ++s)
    tsr_shape_set_side(&it, s, angle, 1, to);
  if (patch->sides == 3)
    for (int s = 0; s < 3; ++s)
      tsr_shape_set_side(&it, s, angle, 1, to);
  else
    tsr_shape_set_dot(&it, to);
  for (int s = 0; patch->sides == 4 && s < 4; ++s) {
    for (int k = 0; k < 2; ++k) {
      to->slope[s][k] = to->slope[TSR_SHAPE_AXES][s % 2 == 0 ? k : 1 - k];
      to->lean[s][k] = to->lean[TSR_SHAPE_AXES][s % 2 == 0 ? k : 1 - k];
    }
    to->facing[s] = to->facing[TSR_SHAPE_AXES];
    for (int k = 0; angle && k < 3; ++k) {
      to->bend[s][k] = to->bend[TSR_SHAPE_AXES][s % 2 == 0 ? k : 2 - k];
      to->rise[s][k] = to->rise[TSR_SHAPE_AXES][s % 2 == 0 ? k : 2 - k];
    }
  }
  for (int s = 0; s < patch->sides; ++s)
    for (int k = 0; patch->rational && k < 2; ++k)
      tsr_rows_loosen(&to->slope_rows[s][k], tsr_weight_ratio(&it.it));
  if (angle)
    tsr_shape_set_normal(&it, TSR_SHAPE_BOXES, to);
}

#endif
