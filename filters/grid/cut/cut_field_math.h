/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the interpolation in the parts of a leaf that is cut, as VTK has it in tetrahedra,
 * pyramids and triangles, and how far it is from the input.
 *
 * Three linear forms of the place t, 0 to 1 along each axis of the leaf, say whether a part holds
 * it and what its value is there. They are made once a leaf:
 *
 *     tetrahedron   the weights of its corners but the first (triangle: two)
 *     pyramid       w, how far on the way from the apex to the base, and w times the place on the
 *                   base, 0 to 1 along both of its sides: 0 <= w s <= w <= 1 holds inside
 */
#ifndef TSR_GRID_CUT_CUT_FIELD_MATH_H
#define TSR_GRID_CUT_CUT_FIELD_MATH_H

#include "grid/criteria/measure_math.h"
#include "grid/cut/cut_math.h"

/** A part with its forms: form[k] is 3 factors and a summand. */
typedef struct tsr_cut_part {
  tsr_cut_cell cell;
  double form[3][4];
} tsr_cut_part;

/** Where a place is, 0 to 1 along each axis. middle: by axis, where it is between the ends. */
TSR_FN void tsr_cut_place_at(int dimension, const double middle[3], int place, double x[3]) {
  for (int a = 0; a < 3; ++a) {
    const int u = tsr_place_on(place, a);
    x[a] = place == TSR_CUT_CENTRE ? (a < dimension ? 0.5 : 0.0) : u == 1 ? middle[a] : 0.5 * u;
  }
}

/** The value at the centre, as an array of the type stores it: the mean of the corners, rounded. */
TSR_FN double tsr_cut_centre_value(int dimension, tsr_type type,
                                   const double value[TSR_CUT_PLACES]) {
  const int corners = 1 << dimension;
  double sum = 0.0;
  for (int k = 0; k < corners; ++k)
    sum += value[2 * (k & 1) + 6 * ((k >> 1) & 1) + 18 * (k >> 2)];
  return tsr_stored_value(type, sum / (double)corners);
}

/** The forms of a tetrahedron or triangle with corners x. A flat one holds nothing. */
TSR_FN void tsr_simplex_forms(int dimension, const double x[5][3], double form[3][4]) {
  double e[3][3] = {{0.0}}, r[3][3];
  for (int k = 0; k < dimension; ++k)
    for (int a = 0; a < 3; ++a)
      e[k][a] = x[k + 1][a] - x[0][a];
  for (int k = 0; k < 3; ++k)
    for (int a = 0; a < 4; ++a)
      form[k][a] = k == 0 && a == 3 ? -1.0 : 0.0;
  if (!tsr_reciprocal_axes(dimension, (const double(*)[3])e, r))
    return;
  for (int k = 0; k < dimension; ++k) {
    for (int a = 0; a < 3; ++a)
      form[k][a] = r[k][a];
    form[k][3] = -tsr_dot3(x[0], r[k]);
  }
}

/** The forms of a pyramid, whose base is a rectangle in a side of the leaf. */
TSR_FN void tsr_pyramid_forms(const double x[5][3], double form[3][4]) {
  double h[3];
  int normal = 0;
  for (int a = 0; a < 3; ++a) {
    normal = x[1][a] == x[0][a] && x[3][a] == x[0][a] ? a : normal;
    h[a] = x[4][a] - x[0][a];
    form[0][a] = 0.0;
  }
  form[0][normal] = 1.0 / (x[0][normal] - x[4][normal]);
  form[0][3] = -x[4][normal] * form[0][normal];
  for (int k = 1; k < 3; ++k) {
    double e[3], square, lean;
    for (int a = 0; a < 3; ++a)
      e[a] = x[2 * k - 1][a] - x[0][a];
    square = tsr_dot3(e, e);
    lean = tsr_dot3(h, e) / square;
    for (int a = 0; a < 3; ++a)
      form[k][a] = e[a] / square + lean * form[0][a];
    form[k][3] = lean * form[0][3] - tsr_dot3(x[4], e) / square;
  }
}

/** Makes a part of a cell. */
TSR_FN void tsr_cut_part_set(int dimension, const double middle[3], const tsr_cut_cell *cell,
                             tsr_cut_part *part) {
  double x[5][3];
  for (int c = 0; c < cell->n; ++c)
    tsr_cut_place_at(dimension, middle, cell->at[c], x[c]);
  part->cell = *cell;
  if (cell->n == 5)
    tsr_pyramid_forms((const double(*)[3])x, part->form);
  else
    tsr_simplex_forms(dimension, (const double(*)[3])x, part->form);
}

/** The forms of a part at t. Returns how far t is inside of it: below 0, outside. */
TSR_FN double tsr_cut_inside(const tsr_cut_part *part, const double t[3], double f[3]) {
  double first, second, inside;
  for (int k = 0; k < 3; ++k)
    f[k] = ((part->form[k][0] * t[0] + part->form[k][1] * t[1]) + part->form[k][2] * t[2]) +
           part->form[k][3];
  if (part->cell.n == 5) {
    first = f[0] - f[1] < f[0] - f[2] ? f[0] - f[1] : f[0] - f[2];
    second = 1.0 - f[0];
  } else {
    first = f[0];
    second = ((1.0 - f[0]) - f[1]) - f[2];
  }
  inside = first < second ? first : second;
  inside = f[1] < inside ? f[1] : inside;
  return part->cell.n != 3 && f[2] < inside ? f[2] : inside; /* a triangle has two forms */
}

/** Makes of the forms f what tsr_cut_part_mix takes: those of a pyramid become w and the place on
 *  the base. */
TSR_FN void tsr_cut_part_project(const tsr_cut_part *part, double f[3]) {
  if (part->cell.n == 5) {
    f[1] /= f[0];
    f[2] /= f[0];
  }
}

/** Value of a part where its forms, projected, are f. value: at the places. */
TSR_FN double tsr_cut_part_mix(const tsr_cut_part *part, const double f[3],
                               const double value[TSR_CUT_PLACES]) {
  const int *at = part->cell.at;
  double sum = 0.0, w = 1.0;
  if (part->cell.n == 5) {
    const double s = f[1], t = f[2];
    if (f[0] <= 0.0)
      return value[at[4]];
    return f[0] * ((value[at[0]] * (1.0 - s) + value[at[1]] * s) * (1.0 - t) +
                   (value[at[3]] * (1.0 - s) + value[at[2]] * s) * t) +
           value[at[4]] * (1.0 - f[0]);
  }
  for (int k = 0; k + 1 < part->cell.n; ++k) {
    sum += f[k] * value[at[k + 1]];
    w -= f[k];
  }
  return sum + w * value[at[0]];
}

/** Value of a part where its forms are f. value: at the places. */
TSR_FN double tsr_cut_part_value(const tsr_cut_part *part, const double f[3],
                                 const double value[TSR_CUT_PLACES]) {
  double projected[3] = {f[0], f[1], f[2]};
  tsr_cut_part_project(part, projected);
  return tsr_cut_part_mix(part, projected, value);
}

/** The first of n parts that holds t, but for rounding, else that which it is closest to; its forms
 *  there. */
TSR_FN int tsr_cut_part_at(const tsr_cut_part *parts, int n, const double t[3], double best[3]) {
  double most = -TSR_INFINITY;
  int which = 0;
  best[0] = best[1] = best[2] = 0.0;
  for (int k = 0; k < n && most < -1e-12; ++k) {
    double f[3];
    const double inside = tsr_cut_inside(&parts[k], t, f);
    if (!(inside > most))
      continue;
    most = inside;
    which = k;
    for (int a = 0; a < 3; ++a)
      best[a] = f[a];
  }
  return which;
}

/** Where lattice coordinate x of an input point is between those of two others, 0 to 1. */
TSR_FN double tsr_cut_parameter(const tsr_space *space, const tsr_lattice *lattice, int axis,
                                const int64_t at[3]) {
  const int deep = lattice->levels - lattice->coarsen;
  return tsr_axis_parameter(space, lattice, axis, at[0] >> deep, at[2] >> deep, at[1] >> deep);
}

/** First and last input point of a leaf above the input cells, and, by axis, where the middle is
 *  between them. */
TSR_FN void tsr_cut_box(const tsr_lattice *lattice, const tsr_space *space, const tsr_cut *cut,
                        int64_t first[3], int64_t last[3], double middle[3]) {
  const int deep = lattice->levels - lattice->coarsen;
  for (int a = 0; a < 3; ++a) {
    first[a] = cut->at[a][0] >> (a < lattice->dimension ? deep : 0);
    last[a] = cut->at[a][2] >> (a < lattice->dimension ? deep : 0);
    middle[a] = 0.0;
    if (a < lattice->dimension && cut->at[a][1] < cut->at[a][2])
      middle[a] = tsr_cut_parameter(space, lattice, a, cut->at[a]);
  }
}

/** Value of the input at a place that a leaf above the input cells has. */
TSR_FN double tsr_cut_place_value(const tsr_lattice *lattice, const tsr_array *array, int component,
                                  const tsr_cut *cut, int place) {
  int64_t x[3];
  tsr_cut_lattice(cut, place, x);
  for (int a = 0; a < lattice->dimension; ++a)
    x[a] >>= lattice->levels - lattice->coarsen;
  return tsr_load(array, tsr_point_at(lattice, x) * array->components + component);
}

#endif
