/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: how far the interpolant of a node's corners is from the input. */
#include "grid/criteria/rows.h"

#define TSR_ERROR_PIECE 64 /* points of a row at a time */

/* A piece of the rows of points of a node. */
typedef struct tsr_error_rows {
  int64_t n;
  double t[TSR_ERROR_PIECE]; /* where each is between the ends of its row */
  double value[TSR_ERROR_PIECE];
  double most[TSR_ERROR_PIECE]; /* largest difference so far */
} tsr_error_rows;

/* Differences along a row to the interpolant, whose ends are given; `odd` for those that are not
 * finite. The type is a constant where this is called. */
static inline void error_row_of(tsr_type type, const void *values, tsr_error_rows *restrict rows,
                                const double end[2], double odd) {
  const double low = end[0], high = end[1];
  for (int64_t x = 0; x < rows->n; ++x) {
    const double t = rows->t[x];
    const double value =
        type == TSR_FLOAT ? (double)((const float *)values)[x] : ((const double *)values)[x];
    const double difference = fabs(value - (low * (1.0 - t) + high * t));
    const double e = tsr_finite(difference) ? difference : odd;
    rows->most[x] = e > rows->most[x] ? e : rows->most[x];
  }
}

/* error_row_of for values of an array, from value `at` on and `components` apart. */
static void error_row(const tsr_array *array, int64_t at, tsr_error_rows *rows, const double end[2],
                      double odd) {
  if (array->components == 1 && array->type == TSR_FLOAT) {
    error_row_of(TSR_FLOAT, (const float *)array->data + at, rows, end, odd);
    return;
  }
  tsr_row_load(array, at, array->components, rows->n, rows->value);
  error_row_of(TSR_DOUBLE, rows->value, rows, end, odd);
}

/* The largest so far. */
static double error_most(const tsr_error_rows *rows) {
  double most = 0.0;
  for (int64_t x = 0; x < rows->n; ++x)
    most = rows->most[x] > most ? rows->most[x] : most;
  return most;
}

/* The piece of the rows that begins at p[0]; stops above `enough`, after a plane. */
static double error_piece(const tsr_lattice *lattice, const tsr_space *space,
                          const tsr_array *array, int component, const int64_t first[3],
                          const int64_t last[3], const double corner[8], int64_t begin,
                          double enough, double odd) {
  tsr_error_rows rows;
  int64_t p[3] = {begin, 0, 0};
  double t[3] = {0.0, 0.0, 0.0}, most = 0.0;
  rows.n = last[0] + 1 - begin < TSR_ERROR_PIECE ? last[0] + 1 - begin : TSR_ERROR_PIECE;
  for (int64_t x = 0; x < rows.n; ++x) {
    rows.t[x] = tsr_axis_parameter(space, lattice, 0, first[0], last[0], begin + x);
    rows.most[x] = 0.0;
  }
  for (p[2] = first[2]; p[2] <= last[2] && most <= enough; ++p[2]) {
    t[2] = tsr_axis_parameter(space, lattice, 2, first[2], last[2], p[2]);
    for (p[1] = first[1]; p[1] <= last[1]; ++p[1]) {
      double end[2];
      t[1] = tsr_axis_parameter(space, lattice, 1, first[1], last[1], p[1]);
      tsr_row_ends(lattice->dimension, corner, t, end);
      error_row(array, tsr_point_at(lattice, p) * array->components + component, &rows, end, odd);
    }
    if (enough < TSR_INFINITY || p[2] == last[2])
      most = error_most(&rows);
  }
  return most;
}

double tsr_node_error(const tsr_grid_input *input, const tsr_array *array, int component, int level,
                      const int64_t i[3], const double corner[8], double enough, double odd) {
  int64_t first[3], last[3];
  double most = 0.0;
  tsr_node_points(&input->lattice, level, i, first, last);
  for (int64_t begin = first[0]; begin <= last[0] && most <= enough; begin += TSR_ERROR_PIECE) {
    const double e = error_piece(&input->lattice, &input->space, array, component, first, last,
                                 corner, begin, enough, odd);
    most = e > most ? e : most;
  }
  return most;
}

double tsr_interpolation_error(const tsr_grid_input *input, const tsr_rule *rule, int level,
                               const int64_t i[3], double enough) {
  double most = 0.0;
  if (level >= input->lattice.coarsen)
    return 0.0;
  for (int c = 0; c < rule->array.components && most <= enough; ++c) {
    double v[8] = {0.0}, rounding, e;
    if (rule->component >= 0 && c != rule->component)
      continue;
    tsr_node_corner_values(&input->lattice, &rule->array, c, level, i, v);
    rounding = tsr_corners_rounding(input->lattice.dimension, v);
    e = tsr_node_error(input, &rule->array, c, level, i, v, enough > rounding ? enough : rounding,
                       TSR_INFINITY);
    most = e > most && e > rounding ? e : most;
  }
  return most;
}
