/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Bounds of a face's shape: of its first and second derivatives and of its normal N = S_u x S_v.
 * Edge lengths and angles of triangles follow from them.
 *
 * Length: an edge of a triangle is no longer than the largest first derivative along it.
 *
 * Angle: a triangle with a base `along` and a third corner at the distance `across` has the normal
 * along across (U x V), where U and V are means of first derivatives. At a place of the triangle
 * S_u and S_v differ from these by e and f at most, which the second derivatives bound, so that
 * |N - U x V| <= e |S_v| + f |S_u|. Divided by the least |N| it is the sine of the largest angle.
 * If the third corner lies beside the base's start by `shift`, U x (U' - U) shift / across is
 * added.
 *
 * Least |N|: the face is cut into boxes; |N| in a box is less than in its middle by half the box's
 * size times the largest derivative of N at most.
 */
#ifndef TSR_CELLS_DIVIDE_SHAPE_MATH_H
#define TSR_CELLS_DIVIDE_SHAPE_MATH_H

#include "cells/divide/rational_math.h"

/** Place of the bounds along the parameters u and v, after those near the four sides. */
#define TSR_SHAPE_AXES 4

/** Most boxes along each axis in which a least normal is looked for. Balls and cylinders need 1 or
 *  2, random faces with a normal up to 16. */
#define TSR_SHAPE_BOXES 32

/** Bounds near side s, as tsr_bends has them (0: along, then across), and along u and v. */
typedef struct tsr_face_shape {
  double slope[5][2];
  tsr_rows slope_rows[4][2]; /**< slope by rows near the side */
  double bend[5][3];
  double dot[2]; /**< quadrilateral: largest S_u . S_v, and largest -S_u . S_v */
  double normal; /**< lower bound of |N|; 0: none is known */
} tsr_face_shape;

/** Largest length of a derivative. rows: receives those of rows near side s; NULL: not wanted. */
TSR_FAR_FN double tsr_derived_most(const tsr_homogeneous *it, int rational,
                                   const tsr_derivative *derived, int s, tsr_rows *rows) {
  const int times = rational ? 2 : 1, du = times * it->w.du, dv = times * it->w.dv;
  double most = 0.0, at[3];
  for (int l = 0; l <= dv; ++l)
    for (int j = 0; j <= (it->w.sides == 3 ? du - l : du); ++j) {
      if (rational) {
        tsr_ratio_of(it, derived, j, l, at);
      } else {
        const double over = it->over / tsr_scaled_factor(&it->w, j, l);
        for (int c = 0; c < 3; ++c)
          at[c] =
              c < it->components ? over * derived->x[c].at[tsr_scaled_place(&it->w, j, l)] : 0.0;
      }
      const double size = sqrt((at[0] * at[0] + at[1] * at[1]) + at[2] * at[2]);
      most = tsr_larger_bend(most, size);
      if (rows && it->w.sides == 3)
        tsr_rows_put(rows, du + 1, tsr_triangle_row(s, du, j, l), size);
      else if (rows)
        tsr_rows_put(rows, (s % 2 == 0 ? dv : du) + 1, tsr_quad_row(s, du + 1, dv + 1, j, l), size);
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

/** N at (u, v). */
TSR_FN void tsr_face_normal(const tsr_face_forms *it, double u, double v, double to[3]) {
  double s[2][3];
  const double w = it->rational ? tsr_scaled_value(&it->it.w, u, v) : 1.0;
  for (int axis = 0; axis < 2; ++axis) {
    const double turn = it->rational ? tsr_scaled_value(&it->first[axis].w, u, v) / w : 0.0;
    for (int c = 0; c < 3; ++c) {
      s[axis][c] = tsr_scaled_value(&it->first[axis].x[c], u, v) / w;
      if (it->rational)
        s[axis][c] -= tsr_scaled_value(&it->it.x[c], u, v) / w * turn;
    }
  }
  for (int c = 0; c < 3; ++c)
    to[c] = s[0][(c + 1) % 3] * s[1][(c + 2) % 3] - s[0][(c + 2) % 3] * s[1][(c + 1) % 3];
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
 *  are `most` along each axis. */
TSR_FN void tsr_shape_set_normal(const tsr_face_forms *it, int most, tsr_face_shape *shape) {
  double last = 0.0;
  shape->normal = 0.0;
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
  const int times = it->rational ? 2 : 1;
  shape->dot[0] = shape->dot[1] = -TSR_BEND_MOST;
  for (int l = 0; l <= times * it->it.w.dv; ++l)
    for (int j = 0; j <= times * it->it.w.du; ++j) {
      double s[2][3], dot = 0.0;
      for (int axis = 0; axis < 2; ++axis) {
        if (it->rational)
          tsr_ratio_of(&it->it, &it->first[axis], j, l, s[axis]);
        for (int c = 0; !it->rational && c < 3; ++c)
          s[axis][c] = it->first[axis].x[c].at[tsr_scaled_place(&it->it.w, j, l)] /
                       tsr_scaled_factor(&it->it.w, j, l);
      }
      for (int c = 0; c < 3; ++c)
        dot += s[0][c] * s[1][c];
      shape->dot[0] = tsr_larger_bend(shape->dot[0], dot);
      shape->dot[1] = tsr_larger_bend(shape->dot[1], -dot);
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

/** Sets the bounds near side s of a triangle, or along u and v of any face. */
TSR_FN void tsr_shape_set_side(const tsr_face_forms *it, int s, int bends, tsr_face_shape *shape) {
  double turn[2];
  tsr_derivative made;
  for (int k = 0; k < 2; ++k) {
    const tsr_derivative *const from[3] = {&it->first[0], &it->first[1], &it->first[1]};
    const double part[3] = {tsr_shape_direction(s, k, 0), tsr_shape_direction(s, k, 1), 0.0};
    tsr_derived_combine(&it->it, from, part, &made);
    shape->slope[s][k] = tsr_derived_most(&it->it, it->rational, &made, s,
                                          s < TSR_SHAPE_AXES ? &shape->slope_rows[s][k] : NULL);
    for (int side = 0; it->it.w.sides == 4 && side < 4; ++side)
      tsr_derived_most(&it->it, it->rational, &made, side,
                       &shape->slope_rows[side][side % 2 == 0 ? k : 1 - k]);
    turn[k] = it->rational ? tsr_turn_of(&it->it, &made) : 0.0;
  }
  for (int k = 0; bends && k < 3; ++k) {
    const tsr_derivative *const from[3] = {&it->second[0], &it->second[1], &it->second[2]};
    const int a = k == 2, b = k > 0; /* across: of the first and the second direction */
    const double ax = tsr_shape_direction(s, a, 0), ay = tsr_shape_direction(s, a, 1);
    const double bx = tsr_shape_direction(s, b, 0), by = tsr_shape_direction(s, b, 1);
    const double part[3] = {ax * bx, ax * by + ay * bx, ay * by};
    tsr_derived_combine(&it->it, from, part, &made);
    shape->bend[s][k] = tsr_shape_turn(it, tsr_derived_most(&it->it, it->rational, &made, 0, NULL),
                                       shape->slope[s], turn, k);
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
  for (int s = 0; s < 4; ++s)
    to->slope_rows[s][0].n = to->slope_rows[s][1].n = 0;
  tsr_shape_set_side(&it, TSR_SHAPE_AXES, angle, to);
  if (patch->sides == 3)
    for (int s = 0; s < 3; ++s)
      tsr_shape_set_side(&it, s, angle, to);
  else
    tsr_shape_set_dot(&it, to);
  for (int s = 0; patch->sides == 4 && s < 4; ++s) {
    for (int k = 0; k < 2; ++k)
      to->slope[s][k] = to->slope[TSR_SHAPE_AXES][s % 2 == 0 ? k : 1 - k];
    for (int k = 0; angle && k < 3; ++k)
      to->bend[s][k] = to->bend[TSR_SHAPE_AXES][s % 2 == 0 ? k : 2 - k];
  }
  for (int s = 0; s < patch->sides; ++s)
    for (int k = 0; patch->rational && k < 2; ++k)
      tsr_rows_loosen(&to->slope_rows[s][k], tsr_weight_ratio(&it.it));
  if (angle)
    tsr_shape_set_normal(&it, TSR_SHAPE_BOXES, to);
}

#endif
