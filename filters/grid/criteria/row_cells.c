/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: payloads of rows of input cells, from the rows of samples around them. */
#include "grid/criteria/rows.h"

#include <string.h>

/* Values at the corners of cell x, from the rows of points around it. */
static inline void row_corners(int n_rows, const double *const r[4], int64_t x, double v[8]) {
  TSR_UNROLL
  for (int k = 0; k < n_rows; ++k) {
    v[2 * k] = r[k][x];
    v[2 * k + 1] = r[k][x + 1];
  }
}

/* Least and largest of each cell from its rows of points, all finite. */
static void row_bounds(int64_t n, int n_rows, const double *const v[4], double *restrict low,
                       double *restrict high) {
  const double *r0 = v[0], *r1 = v[n_rows > 1 ? 1 : 0], *r2 = v[n_rows > 2 ? 2 : 0],
               *r3 = v[n_rows > 2 ? 3 : 0];
  for (int64_t x = 0; x < n; ++x) {
    const double a = r0[x] < r1[x] ? r0[x] : r1[x], b = r2[x] < r3[x] ? r2[x] : r3[x];
    const double c = r0[x + 1] < r1[x + 1] ? r0[x + 1] : r1[x + 1],
                 d = r2[x + 1] < r3[x + 1] ? r2[x + 1] : r3[x + 1];
    const double e = a < b ? a : b, f = c < d ? c : d;
    low[x] = e < f ? e : f;
  }
  for (int64_t x = 0; x < n; ++x) {
    const double a = r0[x] > r1[x] ? r0[x] : r1[x], b = r2[x] > r3[x] ? r2[x] : r3[x];
    const double c = r0[x + 1] > r1[x + 1] ? r0[x + 1] : r1[x + 1],
                 d = r2[x + 1] > r3[x + 1] ? r2[x + 1] : r3[x + 1];
    const double e = a > b ? a : b, f = c > d ? c : d;
    high[x] = e > f ? e : f;
  }
}

static void row_in_range(const tsr_rule *rule, int64_t n, double *restrict low,
                         const double *restrict high) {
  for (int64_t x = 0; x < n; ++x)
    low[x] = ((high[x] >= rule->lower) & (low[x] <= rule->upper)) ? 1.0 : 0.0;
}

static inline void row_gradient_of(int dimension, int64_t n, const double *const r[4],
                                   double *restrict out) {
  for (int64_t x = 0; x < n; ++x) {
    double v[8];
    row_corners(1 << (dimension - 1), r, x, v);
    out[x] = tsr_corners_gradient(dimension, v);
  }
}

static inline void row_deviation_of(int dimension, int64_t n, const double *const r[4],
                                    double *restrict count, double *restrict mean,
                                    double *restrict squares) {
  for (int64_t x = 0; x < n; ++x) {
    double v[8];
    row_corners(1 << (dimension - 1), r, x, v);
    count[x] = (double)(1 << dimension);
    mean[x] = tsr_corners_mean(dimension, v);
    squares[x] = tsr_corners_squares(dimension, v, mean[x]);
  }
}

/* With the dimension as a constant compilers know how long the short loops are. */
static void row_gradient(int dimension, int64_t n, const double *const r[4], double *out) {
  if (dimension == 3)
    row_gradient_of(3, n, r, out);
  else if (dimension == 2)
    row_gradient_of(2, n, r, out);
  else
    row_gradient_of(1, n, r, out);
}

static void row_deviation(int dimension, int64_t n, const double *const r[4], double *out) {
  if (dimension == 3)
    row_deviation_of(3, n, r, out, out + n, out + 2 * n);
  else if (dimension == 2)
    row_deviation_of(2, n, r, out, out + n, out + 2 * n);
  else
    row_deviation_of(1, n, r, out, out + n, out + 2 * n);
}

/* Point data: from the rows of points around the cells. */
static void rows_by_points(tsr_rows *rows, int64_t y, int64_t z, double *out) {
  const tsr_rule *rule = rows->rule;
  const int dimension = rows->input->lattice.dimension;
  const int n_rows = 1 << (dimension - 1),
            estimates = rule->measure == TSR_MEASURE_SECOND_DERIVATIVE;
  const int64_t n = rows->n;
  const double *r[4] = {NULL, NULL, NULL, NULL};
  int usable = 1;
  for (int k = 0; k < n_rows; ++k) {
    const tsr_row row = estimates ? tsr_rows_estimates(rows, y + (k & 1), z + (k >> 1))
                                  : tsr_rows_samples(rows, y + (k & 1), z + (k >> 1));
    r[k] = row.values + (rows->begin - rows->samples.first);
    usable = usable && row.usable;
  }
  for (int64_t x = 0; x < n && !usable; ++x) {
    double v[8] = {0.0}, p[3];
    row_corners(n_rows, r, x, v);
    tsr_payload_corners(dimension, rule, v, p);
    tsr_row_put(rule->measure, out, rows->n, x, p);
  }
  if (!usable)
    return;
  if (rule->measure == TSR_MEASURE_GRADIENT)
    row_gradient(dimension, n, r, out);
  else if (rule->measure == TSR_MEASURE_STANDARD_DEVIATION)
    row_deviation(dimension, n, r, out);
  else if (rule->measure == TSR_MEASURE_VALUE_RANGE)
    row_bounds(n, n_rows, r, out, out + n);
  else if (rule->measure == TSR_MEASURE_IN_RANGE)
    row_bounds(n, n_rows, r, out, rows->spare);
  else
    row_bounds(n, n_rows, r, rows->spare, out);
  if (rule->measure == TSR_MEASURE_IN_RANGE)
    row_in_range(rule, n, out, rows->spare);
}

/* Magnitudes of gradients of n cells of cell data; l, h: the rows of their neighbours along the
 * axes, steps: how far those are apart, 0 where they are the cell itself. */
static void row_cell_gradient(int64_t n, const double *const l[3], const double *const h[3],
                              const double steps[3], double *restrict out) {
  for (int64_t x = 0; x < n; ++x)
    out[x] = 0.0;
  for (int a = 0; a < 3; ++a) {
    const double *low = l[a], *high = h[a], step = steps[a];
    if (step > 0.0)
      for (int64_t x = 0; x < n; ++x) {
        const double d = (high[x] - low[x]) / step;
        out[x] += d * d;
      }
  }
  for (int64_t x = 0; x < n; ++x) {
    const double magnitude = sqrt(out[x]);
    out[x] = tsr_finite(magnitude) ? magnitude : TSR_INFINITY;
  }
}

/* Cell data: gradients from the rows of neighbours. */
static void rows_cell_gradient(tsr_rows *rows, int64_t y, int64_t z, double *out,
                               unsigned char *flat) {
  const tsr_lattice *lattice = &rows->input->lattice;
  const int64_t last = lattice->cells[0] - 1 - rows->begin;
  const int64_t first = rows->begin == 0 ? 1 : 0, end = last < rows->n ? last : rows->n;
  const int64_t at = rows->begin - rows->samples.first + first;
  const double *l[3] = {NULL}, *h[3] = {NULL};
  double steps[3] = {2.0, 0.0, 0.0};
  if (first >= end) {
    tsr_rows_one_by_one(rows, y, z, 0, rows->n, out, flat);
    return;
  }
  for (int a = 0; a < lattice->dimension; ++a) {
    const int64_t c[3] = {rows->begin + first, y, z};
    int64_t low[3], high[3];
    tsr_cell_neighbours(lattice, a, c, low, high);
    steps[a] = (double)(high[a] - low[a]);
    l[a] = tsr_rows_samples(rows, low[1], low[2]).values + at - (a == 0);
    h[a] = tsr_rows_samples(rows, high[1], high[2]).values + at + (a == 0);
  }
  row_cell_gradient(end - first, l, h, steps, out + first);
  tsr_rows_one_by_one(rows, y, z, 0, first, out, flat);
  tsr_rows_one_by_one(rows, y, z, end, rows->n, out, flat);
}

/* Cell data: from the row of cells. */
static void rows_by_cells(tsr_rows *rows, int64_t y, int64_t z, double *out) {
  const tsr_rule *rule = rows->rule;
  const tsr_row row = rule->measure == TSR_MEASURE_SECOND_DERIVATIVE
                          ? tsr_rows_estimates(rows, y, z)
                          : tsr_rows_samples(rows, y, z);
  const double *v = row.values + (rows->begin - rows->samples.first);
  if (row.usable && rule->measure == TSR_MEASURE_VALUE_RANGE) {
    memcpy(out, v, (size_t)rows->n * sizeof *v);
    memcpy(out + rows->n, v, (size_t)rows->n * sizeof *v);
    return;
  }
  for (int64_t x = 0; x < rows->n; ++x) {
    double p[3];
    tsr_payload_value(rule, v[x], p);
    tsr_row_put(rule->measure, out, rows->n, x, p);
  }
}

void tsr_rows_cells(tsr_rows *rows, int64_t y, int64_t z, double *out, unsigned char *flat) {
  const tsr_rule *rule = rows->rule;
  if (tsr_rows_are_flow(rule->measure)) {
    if (!tsr_rows_flow(rows, y, z, out, flat))
      tsr_rows_one_by_one(rows, y, z, 0, rows->n, out, flat);
  } else if (rule->cell_data && rule->measure == TSR_MEASURE_GRADIENT) {
    rows_cell_gradient(rows, y, z, out, flat);
  } else if (rule->cell_data) {
    rows_by_cells(rows, y, z, out);
  } else {
    rows_by_points(rows, y, z, out);
  }
}
