/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Bounds of the angle of normals in parts of a face.
 *
 * Where the parameters of a face are stretched unevenly, the largest derivatives of the whole face
 * and its least normal lie in different places, and say little together. So a quadrilateral is cut
 * into m x m boxes. A place in a box has the box's first derivatives and normal. A triangle with
 * the place that extends by 1 / m at most along each axis lies in the box and the boxes around it,
 * so that their second derivatives bound what the first ones differ by. See shape_math.h for the
 * formula.
 */
#ifndef TSR_CELLS_DIVIDE_ANGLE_MATH_H
#define TSR_CELLS_DIVIDE_ANGLE_MATH_H

#include "cells/divide/shape_math.h"

/** Cuts of a face that are tried: into 2 x 2 boxes, and into 4 x 4. */
#define TSR_ANGLE_LEVELS 2
#define TSR_ANGLE_BOXES 4

/** Most boxes along each axis of a part in which its least normal is looked for. On a torus of
 * Lagrange patches of degree 8, 4 boxes make 1.16 times the triangles; on one of rational patches
 * of degree 2, 32 boxes make 0.64 times the triangles, and the plan takes 2.5 times as long. */
#define TSR_ANGLE_NORMALS 8

/** What is known from one cut: factors of a triangle's extents, for the sine of its angle. */
typedef struct tsr_angle_level {
  int boxes;          /**< along each axis; extents must be at most 1 / boxes */
  double grid[2];     /**< of legs along u and v */
  double strip[2][3]; /**< near sides along u (0) and v (1): of the extent along the side, of the
                           depth, and of along * along / depth */
} tsr_angle_level;

/** Bounds in one box: first derivatives along u and v, second ones, and the least normal. */
typedef struct tsr_angle_box {
  double slope[2], bend[3], normal;
} tsr_angle_box;

/** Bernstein coefficients q, d + 1 of them `stride` apart, become those on the interval from a to
 *  b. */
TSR_FN void tsr_cut_line(double *q, int d, int stride, double a, double b) {
  const double c = a / b;
  for (int r = 1; r <= d; ++r)
    for (int i = d; i >= r; --i)
      q[i * stride] = (1.0 - b) * q[(i - 1) * stride] + b * q[i * stride];
  for (int r = 1; r <= d; ++r)
    for (int i = 0; i <= d - r; ++i)
      q[i * stride] = (1.0 - c) * q[i * stride] + c * q[(i + 1) * stride];
}

/** A polynomial over a quadrilateral on box (i, j) of m x m. */
TSR_FN void tsr_scaled_cut(const tsr_scaled *from, int i, int j, int m, tsr_scaled *to) {
  const double step = 1.0 / (double)m;
  const int row = from->du + 1;
  double q[TSR_FACE_NODES];
  for (int b = 0; b <= from->dv; ++b)
    for (int a = 0; a <= from->du; ++a)
      q[b * row + a] = from->at[b * row + a] / tsr_scaled_factor(from, a, b);
  for (int b = 0; b <= from->dv; ++b)
    tsr_cut_line(q + b * row, from->du, 1, (double)i * step, (double)(i + 1) * step);
  for (int a = 0; a <= from->du; ++a)
    tsr_cut_line(q + a, from->dv, row, (double)j * step, (double)(j + 1) * step);
  tsr_scaled_set(to, 4, from->du, from->dv, q);
}

/** Finds the bounds in box (i, j) of m x m, by derivatives along the parameters of the face. */
TSR_FN void tsr_angle_box_set(const tsr_face_forms *whole, int i, int j, int m, tsr_angle_box *to) {
  const double scale = (double)m;
  tsr_face_shape shape;
  tsr_face_forms part;
  part.rational = whole->rational;
  part.it.components = 3;
  part.it.over = 1.0;
  tsr_scaled_cut(&whole->it.w, i, j, m, &part.it.w);
  for (int c = 0; c < 3; ++c)
    tsr_scaled_cut(&whole->it.x[c], i, j, m, &part.it.x[c]);
  for (int axis = 0; axis < 2; ++axis)
    tsr_derive(3, part.it.x, &part.it.w, axis, &part.first[axis]);
  tsr_face_forms_bend(&part);
  for (int s = 0; s < 4; ++s)
    shape.slope_rows[s][0].n = shape.slope_rows[s][1].n = 0;
  tsr_shape_set_side(&part, TSR_SHAPE_AXES, 1, &shape);
  tsr_shape_set_normal(&part, TSR_ANGLE_NORMALS, &shape);
  for (int k = 0; k < 2; ++k)
    to->slope[k] = scale * shape.slope[TSR_SHAPE_AXES][k];
  for (int k = 0; k < 3; ++k)
    to->bend[k] = scale * scale * shape.bend[TSR_SHAPE_AXES][k];
  to->normal = scale * scale * shape.normal;
}

/** Largest second derivatives in box (i, j) of m x m and in those around it. */
TSR_FN void tsr_angle_around(const tsr_angle_box *box, int i, int j, int m, double bend[3]) {
  bend[0] = bend[1] = bend[2] = 0.0;
  for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < m; ++y)
    for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < m; ++x)
      for (int k = 0; k < 3; ++k)
        bend[k] = tsr_larger_bend(bend[k], box[y * m + x].bend[k]);
}

/** The larger of a factor and another one, which may be no number: then nothing is known. */
TSR_FN double tsr_larger_factor(double most, double factor) {
  if (factor <= most)
    return most;
  return factor <= TSR_BEND_MOST ? factor : TSR_BEND_MOST;
}

/** Takes into account a box with these bends in and around it. */
TSR_FN void tsr_angle_put(const tsr_angle_box *box, const double bend[3], tsr_angle_level *to) {
  const double *slope = box->slope, over = 1.0 / box->normal;
  to->grid[0] =
      tsr_larger_factor(to->grid[0], (0.5 * bend[0] * slope[1] + bend[1] * slope[0]) * over);
  to->grid[1] =
      tsr_larger_factor(to->grid[1], (bend[1] * slope[1] + 0.5 * bend[2] * slope[0]) * over);
  for (int axis = 0; axis < 2; ++axis) {
    const double along = slope[axis], across = slope[1 - axis];
    const double first = bend[2 * axis], last = bend[2 - 2 * axis];
    double *strip = to->strip[axis];
    strip[0] = tsr_larger_factor(strip[0], (first * across + 2.0 * bend[1] * along) * over);
    strip[1] = tsr_larger_factor(strip[1], (bend[1] * across + last * along) * over);
    strip[2] = tsr_larger_factor(strip[2], first * along * over);
  }
}

/** Finds what a cut into m x m boxes tells. Returns 0 if the normal may vanish in a box. */
TSR_FN int tsr_angle_cut(const tsr_face_forms *whole, int m, tsr_angle_level *to) {
  tsr_angle_box box[TSR_ANGLE_BOXES * TSR_ANGLE_BOXES];
  double bend[3];
  to->boxes = m;
  to->grid[0] = to->grid[1] = 0.0;
  for (int k = 0; k < 6; ++k)
    to->strip[k / 3][k % 3] = 0.0;
  for (int k = 0; k < m * m; ++k) {
    tsr_angle_box_set(whole, k % m, k / m, m, &box[k]);
    if (!(box[k].normal > 0.0))
      return 0;
  }
  for (int k = 0; k < m * m; ++k) {
    tsr_angle_around(box, k % m, k / m, m, bend);
    tsr_angle_put(&box[k], bend, to);
  }
  return 1;
}

/** Sine of the angle in a triangle with legs h and k of a grid, as far as this cut tells. */
TSR_FN double tsr_angle_of_grid(const tsr_angle_level *it, double h, double k) {
  const double most = 1.0 / (double)it->boxes;
  return h <= most && k <= most ? it->grid[0] * h + it->grid[1] * k : TSR_BEND_MOST;
}

/** Sine of the angle in a strip along side s. */
TSR_FN double tsr_angle_of_strip(const tsr_angle_level *it, int s, double along, double depth) {
  const double most = 1.0 / (double)it->boxes, *strip = it->strip[s % 2];
  if (along > most || depth > most)
    return TSR_BEND_MOST;
  return (strip[0] * along + strip[1] * depth) + strip[2] * (along * (along / depth));
}

#endif
