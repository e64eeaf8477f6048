/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How much a face or an edge bends: bounds of its second derivatives, as shares of what the
 * criteria allow, so that all criteria become one.
 *
 * Linear interpolation over a triangle of the parameter plane with corners v, at the place x with
 * barycentric coordinates l, is off by half of sum l_i D(v_i - x) at most, where D(e) bounds the
 * second derivative along the vector e. The sum is a variance: with du and dv the extents of the
 * triangle it is at most (A du^2 + 2 B du dv + C dv^2) / 4, where A, B and C bound the second
 * derivatives along the axes. It is also the sum of l_i l_j D(v_i - v_j) over the three edges.
 * Second differences of Bernstein coefficients, times d (d - 1), are the coefficients of the second
 * derivative. rational_math.h has what is different for rational faces.
 *
 * Near a side the bounds may be much smaller than on the whole face. So they are kept by rows that
 * are parallel to the side: the largest coefficient of each row is a coefficient of a bound in the
 * distance from the side alone.
 */
#ifndef TSR_CELLS_DIVIDE_BEND_MATH_H
#define TSR_CELLS_DIVIDE_BEND_MATH_H

#include "cells/form/bernstein_math.h"

/** An array of the field error. */
typedef struct tsr_cells_field {
  tsr_array array;
  double over;    /**< 1 / the error that is allowed; 0: the array asks for nothing */
  double allowed; /**< error that the options allow */
  double largest; /**< largest magnitude of a value */
} tsr_cells_field;

/** What writes a field to where the steps read it. */
typedef struct tsr_cells_field_job {
  tsr_cells_field *to;
  tsr_cells_field field;
} tsr_cells_field_job;

TSR_FN void tsr_cells_put_field(const tsr_cells_field_job *job, int64_t i) {
  job->to[i] = job->field;
}

/** The options as the arithmetic needs them. */
typedef struct tsr_cells_criteria {
  double over_chord; /**< 1 / chord error; 0: not in use */
  const tsr_cells_field *fields;
  int n_fields;
  double over_length;        /**< 1 / longest edge; 0: not in use */
  double sine;               /**< sine of the largest angle; 0: not in use */
  double rounding;           /**< what rounding moves a point of the output by, at most */
  int most;                  /**< segments */
  const double *forms;       /**< see form/bernstein_math.h */
  const double *tetra_forms; /**< see volumes/solid_bend_math.h; NULL: the output is not Cells */
} tsr_cells_criteria;

/** Bernstein coefficients of the 1 or 3 components of a criterion, homogeneous where rational. */
typedef struct tsr_bent {
  int components;
  double over; /**< 1 / the error that is allowed */
  double q[3][TSR_FACE_NODES];
} tsr_bent;

/** Largest number that is taken for a bend: what is larger, or not a number, asks for nothing. */
#define TSR_BEND_MOST 1e300

/** Bounds by the distance from a side, as Bernstein coefficients. */
#define TSR_ROWS (3 * TSR_EDGE_NODES - 2)
typedef struct tsr_rows {
  int n;
  double most[TSR_ROWS];
} tsr_rows;

/** Second derivatives of a face near side s: kind 0 along the side, 1 mixed, 2 across. Across
 * means: of a quadrilateral along the other axis, of a triangle from the middle of the side to the
 * opposite corner. */
typedef struct tsr_bends {
  int sides, rational;
  tsr_rows rows[4][3];
  double most[4][3]; /**< on the whole face */
} tsr_bends;

TSR_FN double tsr_larger_bend(double most, double bend) {
  return bend > most && bend <= TSR_BEND_MOST ? bend : most;
}

/** Takes a coefficient into account that lies in row `row` of n. */
TSR_FN void tsr_rows_put(tsr_rows *rows, int n, int row, double bend) {
  for (; rows->n < n; ++rows->n)
    rows->most[rows->n] = 0.0;
  rows->most[row] = tsr_larger_bend(rows->most[row], bend);
}

/** Largest of all rows. */
TSR_FN double tsr_rows_all(const tsr_rows *rows) {
  double most = 0.0;
  for (int i = 0; i < rows->n; ++i)
    most = rows->most[i] > most ? rows->most[i] : most;
  return most;
}

/** Upper bound for distances from 0 to s. */
TSR_FN double tsr_rows_most(const tsr_rows *rows, double s) {
  double q[TSR_ROWS], most = 0.0;
  for (int i = 0; i < rows->n; ++i)
    q[i] = rows->most[i];
  for (int r = 1; r < rows->n; ++r)
    for (int i = rows->n - 1; i >= r; --i)
      q[i] = (1.0 - s) * q[i - 1] + s * q[i];
  for (int i = 0; i < rows->n; ++i)
    most = q[i] > most ? q[i] : most;
  return most;
}

/** Row, as seen from side s, of coefficient (a, b) of columns x rows of a quadrilateral. */
TSR_FN int tsr_quad_row(int s, int columns, int rows, int a, int b) {
  return s == 0 ? b : (s == 1 ? columns - 1 - a : (s == 2 ? rows - 1 - b : a));
}

/** Puts coefficient (a, b) of kind k (0: along u, 1: mixed, 2: along v) of a quadrilateral into the
 *  rows of all sides. columns, rows: of the coefficients of the kind. */
TSR_FN void tsr_bends_put_quad(tsr_bends *bends, int k, int columns, int rows, int a, int b,
                               double bend) {
  for (int s = 0; s < 4; ++s)
    tsr_rows_put(&bends->rows[s][s % 2 == 0 ? k : 2 - k], s % 2 == 0 ? rows : columns,
                 tsr_quad_row(s, columns, rows, a, b), bend);
}

/** Row, as seen from side s, of coefficient (a, b) of a triangle of degree d. */
TSR_FN int tsr_triangle_row(int s, int d, int a, int b) {
  return s == 0 ? b : (s == 1 ? d - a - b : a);
}

/** A second difference: sum over four places k, each with a factor. */
TSR_FN double tsr_bend_of(const tsr_bent *it, const int *k, const double *factor, int terms) {
  double sum = 0.0;
  for (int c = 0; c < it->components; ++c) {
    double d = 0.0;
    for (int t = 0; t < terms; ++t)
      d += factor[t] * it->q[c][k[t]];
    sum += d * d;
  }
  return sqrt(sum) * it->over;
}

/** Adds the bends of one criterion to those of a polynomial quadrilateral of these degrees. */
TSR_FAR_FN void tsr_quad_bend_add(const tsr_bent *it, int du, int dv, tsr_bends *bends) {
  const int row = du + 1;
  const int step[3][4] = {{0, 1, 2, 0}, {0, 1, row, row + 1}, {0, row, 2 * row, 0}};
  static const double factor[3][4] = {
      {1.0, -2.0, 1.0, 0.0}, {1.0, -1.0, -1.0, 1.0}, {1.0, -2.0, 1.0, 0.0}};
  const double scale[3] = {(double)(du * (du - 1)), (double)(du * dv), (double)(dv * (dv - 1))};
  for (int kind = 0; kind < 3; ++kind) {
    const int columns = du - 1 + kind, rows = dv + 1 - kind;
    for (int b = 0; b < rows; ++b) {
      for (int a = 0; a < columns; ++a) {
        int k[4];
        for (int t = 0; t < 4; ++t)
          k[t] = b * row + a + step[kind][t];
        tsr_bends_put_quad(bends, kind, columns, rows, a, b,
                           scale[kind] * tsr_bend_of(it, k, factor[kind], kind == 1 ? 4 : 3));
      }
    }
  }
}

/** Parts of xx, xy and yy in the second derivative of kind k near side s of a triangle, where x and
 * y are the vectors from corner 0 to the corners 1 and 2. */
TSR_FN double tsr_triangle_part(int s, int k, int term) {
  static const double part[3][3][3] = {{{1.0, 0.0, 0.0}, {-0.5, 1.0, 0.0}, {0.25, -1.0, 1.0}},
                                       {{1.0, -2.0, 1.0}, {0.5, 0.0, -0.5}, {0.25, 0.5, 0.25}},
                                       {{0.0, 0.0, 1.0}, {0.0, -1.0, 0.5}, {1.0, -1.0, 0.25}}};
  return part[s][k][term];
}

/** Adds the bends of one criterion to those of a polynomial triangle of degree d. */
TSR_FN void tsr_triangle_bend_add(const tsr_bent *it, int d, tsr_bends *bends) {
  for (int b = 0; b <= d - 2; ++b) {
    for (int a = 0; a <= d - 2 - b; ++a) {
      const int k[6] = {tsr_triangle_place(d, a, b),         tsr_triangle_place(d, a + 1, b),
                        tsr_triangle_place(d, a + 2, b),     tsr_triangle_place(d, a, b + 1),
                        tsr_triangle_place(d, a + 1, b + 1), tsr_triangle_place(d, a, b + 2)};
      for (int s = 0; s < 3; ++s) {
        for (int kind = 0; kind < 3; ++kind) {
          const double xx = tsr_triangle_part(s, kind, 0), xy = tsr_triangle_part(s, kind, 1);
          const double yy = tsr_triangle_part(s, kind, 2);
          const double factor[6] = {xx + xy + yy, -2.0 * xx - xy, xx, -2.0 * yy - xy, xy, yy};
          tsr_rows_put(&bends->rows[s][kind], d - 1, tsr_triangle_row(s, d - 2, a, b),
                       (double)(d * (d - 1)) * tsr_bend_of(it, k, factor, 6));
        }
      }
    }
  }
}

/** Number of criteria: the chord, then all components of all fields. */
TSR_FN int tsr_criteria_count(const tsr_cells_criteria *criteria) {
  int n = 1;
  for (int f = 0; f < criteria->n_fields; ++f)
    n += criteria->fields[f].array.components;
  return n;
}

/** Finds array and component of criterion i, of which the first is the chord's, with 3 components.
 *  Returns 1 / the error that is allowed; 0: it asks for nothing. */
TSR_FN double tsr_criterion(const tsr_cells_view *view, const tsr_cells_criteria *criteria, int i,
                            const tsr_array **array, int *component) {
  *array = &view->points;
  *component = 0;
  if (i == 0)
    return criteria->over_chord;
  --i;
  for (int f = 0; f < criteria->n_fields; ++f) {
    *array = &criteria->fields[f].array;
    *component = i;
    if (i < (*array)->components)
      return criteria->fields[f].over;
    i -= (*array)->components;
  }
  return 0.0;
}

#endif
