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

/** Cuts of a face that are tried: none, then into 2 x 2, 4 x 4 and 8 x 8 boxes. */
#define TSR_ANGLE_LEVELS 4
#define TSR_ANGLE_BOXES 8

/** Most boxes along each axis of a part in which its least normal is looked for, where `facing`
 * does not say enough. 4, 8 and 16 make the same triangles on balls and tori of patches of degree 2
 * and 8. */
#define TSR_ANGLE_NORMALS 4

/** Bound of |m - n| over the sine of the angle between two unit vectors, if the sine is at most
 * 0.8: see shape_math.h. */
#define TSR_ANGLE_TURN 1.25

/** What is known from one cut: factors of a triangle's extents, for the sine of its angle. */
typedef struct tsr_angle_level {
  int boxes;          /**< along each axis; extents must be at most 1 / boxes, unless it is 1 */
  double grid[2];     /**< of legs along u and v */
  double strip[4][3]; /**< near each side: of tsr_strip_reach */
} tsr_angle_level;

/** How far the triangles of a strip reach along its side: they have a base along it, and a third
 * corner that lies `over` beside the base at most. */
typedef struct tsr_strip_reach {
  double half;  /**< half of the base, plus over */
  double depth; /**< of the strip */
  double turn;  /**< product of the third corner's distances from both ends of the base, along the
                     side, over 2 depth */
} tsr_strip_reach;

/** Bounds in one box: first derivatives along u and v, second ones, their parts along the normal,
 * and the least normal. */
typedef struct tsr_angle_box {
  double slope[2], bend[3], rise[3], normal;
} tsr_angle_box;

/** Derivatives at a place, along two directions, as tsr_face_shape has them. */
typedef struct tsr_angle_near {
  double slope[2], bend[3], normal;
  double rise[3];  /**< bend's parts along the normals there */
  double facing;   /**< 0: none is known */
  double risen[3]; /**< with facing: bend's parts along the normals of triangles */
} tsr_angle_near;

/** Ways to bound an angle: by the lengths of second derivatives; by their parts along the normal;
 * and, with facing, by those along the normals of triangles. */
#define TSR_ANGLE_WAYS 3

/** Takes n factors into account, of the way that gives the least steps. */
TSR_FN void tsr_put_factors(const tsr_angle_near *it, int n, double way[TSR_ANGLE_WAYS][3],
                            double *to) {
  int best = 0;
  double least = TSR_BEND_MOST;
  for (int w = 0; w < TSR_ANGLE_WAYS - !(it->facing > 0.0); ++w) {
    double sum = 0.0;
    for (int k = 0; k < n; ++k)
      sum += way[w][k];
    if (sum < least) {
      least = sum;
      best = w;
    }
  }
  for (int k = 0; k < n; ++k)
    if (!(way[best][k] <= to[k])) /* no number: nothing is known */
      to[k] = way[best][k] <= TSR_BEND_MOST ? way[best][k] : TSR_BEND_MOST;
}

/** Takes a place into account for the triangles of a grid, and an angle of this sine. */
TSR_FN void tsr_put_grid(const tsr_angle_near *it, double sine, double to[2]) {
  const double *const bends[TSR_ANGLE_WAYS] = {it->bend, it->rise, it->risen};
  double way[TSR_ANGLE_WAYS][3];
  for (int w = 0; w < TSR_ANGLE_WAYS; ++w) {
    const double *bend = bends[w];
    way[w][0] = (0.5 * bend[0] * it->slope[1] + bend[1] * it->slope[0]) / it->normal;
    way[w][1] = (bend[1] * it->slope[1] + 0.5 * bend[2] * it->slope[0]) / it->normal;
  }
  for (int k = 0; k < 2; ++k)
    way[1][k] += TSR_ANGLE_TURN * sine * way[0][k];
  tsr_put_factors(it, 2, way, to);
}

/** Takes a place into account for the triangles of a strip, and an angle of this sine. The
 * directions are those along the strip's side, and across. */
TSR_FN void tsr_put_strip(const tsr_angle_near *it, double sine, double to[3]) {
  const double *const bends[TSR_ANGLE_WAYS] = {it->bend, it->rise, it->risen};
  double way[TSR_ANGLE_WAYS][3];
  for (int w = 0; w < TSR_ANGLE_WAYS; ++w) {
    const double *bend = bends[w];
    way[w][0] = (bend[0] * it->slope[1] + 3.0 * bend[1] * it->slope[0]) / it->normal;
    way[w][1] = (bend[1] * it->slope[1] + 0.5 * bend[2] * it->slope[0]) / it->normal;
    way[w][2] = bend[0] * it->slope[0] / it->normal;
  }
  for (int k = 0; k < 3; ++k)
    way[1][k] += TSR_ANGLE_TURN * sine * way[0][k];
  way[2][0] += 2.0 * sine * it->slope[0] * it->bend[1] / it->facing;
  way[2][2] += 2.0 * sine * it->slope[0] * it->bend[0] / it->facing;
  tsr_put_factors(it, 3, way, to);
}

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
  double tilt;
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
  tsr_shape_set_middle(&part, &shape);
  tsr_shape_set_side(&part, TSR_SHAPE_AXES, 1, 0, &shape);
  tsr_shape_set_normal(&part, TSR_ANGLE_NORMALS, &shape);
  tilt = tsr_shape_tilt(&shape, TSR_SHAPE_AXES, shape.normal);
  for (int k = 0; k < 2; ++k)
    to->slope[k] = scale * shape.slope[TSR_SHAPE_AXES][k];
  for (int k = 0; k < 3; ++k) {
    to->bend[k] = scale * scale * shape.bend[TSR_SHAPE_AXES][k];
    to->rise[k] = scale * scale * tsr_shape_rise(&shape, TSR_SHAPE_AXES, k, tilt);
  }
  to->normal = scale * scale * shape.normal;
}

/** Largest second derivatives in box (i, j) of m x m and in those around it, and their parts along
 *  the normals there. */
TSR_FN void tsr_angle_around(const tsr_angle_box *box, int i, int j, int m, double bend[3],
                             double rise[3]) {
  for (int k = 0; k < 3; ++k)
    bend[k] = rise[k] = 0.0;
  for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < m; ++y)
    for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < m; ++x)
      for (int k = 0; k < 3; ++k) {
        bend[k] = tsr_larger_bend(bend[k], box[y * m + x].bend[k]);
        rise[k] = tsr_larger_bend(rise[k], box[y * m + x].rise[k]);
      }
}

/** Sets what is known in a box along axis a, and across, with these bends in and around it. */
TSR_FN void tsr_angle_near_box(const tsr_angle_box *box, const double bend[3], const double rise[3],
                               int a, tsr_angle_near *to) {
  to->slope[0] = box->slope[a];
  to->slope[1] = box->slope[1 - a];
  for (int k = 0; k < 3; ++k) {
    to->bend[k] = bend[a == 0 ? k : 2 - k];
    to->rise[k] = rise[a == 0 ? k : 2 - k];
    to->risen[k] = 0.0;
  }
  to->normal = box->normal;
  to->facing = 0.0;
}

/** Takes into account a box with these bends in and around it, for an angle of this sine. */
TSR_FN void tsr_angle_put(const tsr_angle_box *box, const double bend[3], const double rise[3],
                          double sine, tsr_angle_level *to) {
  tsr_angle_near near;
  tsr_angle_near_box(box, bend, rise, 0, &near);
  tsr_put_grid(&near, sine, to->grid);
  for (int s = 0; s < 4; ++s) {
    tsr_angle_near_box(box, bend, rise, s % 2, &near);
    tsr_put_strip(&near, sine, to->strip[s]);
  }
}

/** Nothing is known yet of a cut into m x m boxes. */
TSR_FN void tsr_angle_clear(int m, tsr_angle_level *to) {
  to->boxes = m;
  to->grid[0] = to->grid[1] = 0.0;
  for (int k = 0; k < 12; ++k)
    to->strip[k / 3][k % 3] = 0.0;
}

/** Bound of the sine of the angle between `towards` and the normals of a strip's triangles along
 * side s, of which `facing` / 2 is left: U has a product with U' - U, too, whose length is at most
 * the other half. */
TSR_FN double tsr_strip_tilt(const tsr_face_shape *it, int s) {
  const double *bend = it->bend[s], *rise = it->rise[s];
  double part = 0.0; /* of U' - U, along `towards` */
  for (int k = 0; k < 2; ++k)
    if (bend[k] > 0.0 && rise[k] / bend[k] > part)
      part = rise[k] / bend[k];
  return (tsr_shape_tilt(it, s, 0.5 * it->facing[s]) + it->lean[s][0] / it->slope[s][0]) + part;
}

/** Sets what is known near side s of a whole face. Bounds of sines of the angle with `towards`:
 * normals: of the face's normals; triangles: of the triangles'. */
TSR_FN void tsr_angle_near_set(const tsr_face_shape *it, int s, double normals, double triangles,
                               tsr_angle_near *to) {
  for (int k = 0; k < 2; ++k)
    to->slope[k] = it->slope[s][k];
  for (int k = 0; k < 3; ++k) {
    to->bend[k] = it->bend[s][k];
    to->rise[k] = tsr_shape_rise(it, s, k, normals);
    to->risen[k] = tsr_shape_rise(it, s, k, triangles);
  }
  to->normal = it->normal;
  /* Both below 45 degrees, so that the angle between them is below 90. */
  to->facing = normals < 0.7 && triangles < 0.7 ? it->facing[s] : 0.0;
}

/** Finds what the bounds of a whole face tell: of a triangle by the sides at the best corner. */
TSR_FN void tsr_angle_whole(const tsr_face_shape *it, int sides, double sine, tsr_angle_level *to) {
  double normals = 1.0;
  tsr_angle_near near;
  tsr_angle_clear(1, to);
  for (int s = TSR_SHAPE_AXES; s < tsr_shape_corners(sides); ++s) {
    const double tilt = tsr_shape_tilt(it, s, it->normal);
    normals = tilt < normals ? tilt : normals;
  }
  for (int s = TSR_SHAPE_AXES; s < tsr_shape_corners(sides); ++s) {
    double grid[2] = {0.0, 0.0};
    tsr_angle_near_set(it, s, normals, tsr_shape_tilt(it, s, it->facing[s]), &near);
    tsr_put_grid(&near, sine, grid);
    if (s == TSR_SHAPE_AXES || grid[0] + grid[1] < to->grid[0] + to->grid[1]) {
      to->grid[0] = grid[0];
      to->grid[1] = grid[1];
    }
  }
  for (int s = 0; s < sides; ++s) {
    tsr_angle_near_set(it, s, normals, tsr_strip_tilt(it, s), &near);
    tsr_put_strip(&near, sine, to->strip[s]);
  }
}

/** Finds what a cut into m x m boxes tells. Returns 0 if the normal may vanish in a box. */
TSR_FN int tsr_angle_cut(const tsr_face_forms *whole, int m, double sine, tsr_angle_level *to) {
  tsr_angle_box box[TSR_ANGLE_BOXES * TSR_ANGLE_BOXES];
  double bend[3], rise[3];
  tsr_angle_clear(m, to);
  for (int k = 0; k < m * m; ++k) {
    tsr_angle_box_set(whole, k % m, k / m, m, &box[k]);
    if (!(box[k].normal > 0.0))
      return 0;
  }
  for (int k = 0; k < m * m; ++k) {
    tsr_angle_around(box, k % m, k / m, m, bend, rise);
    tsr_angle_put(&box[k], bend, rise, sine, to);
  }
  return 1;
}

/** Sine of the angle in a triangle with legs h and k of a grid, as far as this cut tells. */
TSR_FN double tsr_angle_of_grid(const tsr_angle_level *it, double h, double k) {
  const double most = 1.0 / (double)it->boxes;
  return h <= most && k <= most ? it->grid[0] * h + it->grid[1] * k : TSR_BEND_MOST;
}

/** Sine of the angle in a strip along side s. */
TSR_FN double tsr_angle_of_strip(const tsr_angle_level *it, int s, const tsr_strip_reach *reach) {
  const double most = 1.0 / (double)it->boxes, *strip = it->strip[s];
  if (it->boxes > 1 && (2.0 * reach->half > most || reach->depth > most))
    return TSR_BEND_MOST;
  return (strip[0] * reach->half + strip[1] * reach->depth) + strip[2] * reach->turn;
}

#endif
