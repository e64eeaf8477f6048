/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: rows of samples, of the estimator of second derivatives, and of places of points; and
 *  payloads cell by cell, for the cells that loops along a row leave out. */
#include "grid/criteria/rows.h"

#include <string.h>

/* Differences of values up to this, and sums of eight of them, are finite. */
#define TSR_FAR_FROM_OVERFLOW 1e300

int tsr_rows_are_flow(tsr_grid_measure measure) {
  return measure == TSR_MEASURE_VORTICITY || measure == TSR_MEASURE_Q;
}

/* Samples (or, cell_data 0, points) along axis 0 that the owned cells and their neighbours have. */
static void rows_extent(const tsr_grid_input *input, int cell_data, int64_t range[2]) {
  const tsr_lattice *lattice = &input->lattice;
  const int64_t most = lattice->held[0][1] + (cell_data ? 0 : 1);
  int64_t cells[2];
  tsr_level_range(lattice, 0, lattice->coarsen, lattice->owned[0], cells);
  range[0] = cells[0] - 1 > lattice->held[0][0] ? cells[0] - 1 : lattice->held[0][0];
  range[1] = cells[1] + (cell_data ? 1 : 2) < most ? cells[1] + (cell_data ? 1 : 2) : most;
}

/* Sets up a cache but for its memory; returns how many numbers it needs memory for. */
static int64_t rows_cache(const tsr_grid_input *input, int in_use, int cell_data, int parts,
                          tsr_row_cache *cache) {
  int64_t range[2];
  memset(cache, 0, sizeof *cache);
  if (!in_use)
    return 0;
  rows_extent(input, cell_data, range);
  cache->first = range[0];
  cache->n = range[1] - range[0];
  cache->parts = parts;
  return TSR_ROW_SIDE * TSR_ROW_SIDE * parts * cache->n;
}

/* Sets up all caches of the rows, but for their memory; returns how many numbers they need memory
 * for. */
static int64_t rows_set(tsr_rows *rows, const tsr_grid_input *input, const tsr_rule *rule) {
  const int flow = tsr_rows_are_flow(rule->measure);
  int64_t total = 0, cells[2];
  memset(rows, 0, sizeof *rows);
  rows->input = input;
  rows->rule = rule;
  tsr_level_range(&input->lattice, 0, input->lattice.coarsen, input->lattice.owned[0], cells);
  rows->begin = cells[0];
  rows->n = cells[1] - cells[0];
  total += rows_cache(input, 1, rule->cell_data, flow ? 3 : 1, &rows->samples);
  total += rows_cache(input, rule->measure == TSR_MEASURE_SECOND_DERIVATIVE, rule->cell_data, 1,
                      &rows->estimates);
  total +=
      rows_cache(input, flow && input->space.geometry == TSR_GEOMETRY_POINTS, 0, 3, &rows->places);
  return total + rows->samples.n;
}

int64_t tsr_rows_doubles(const tsr_grid_input *input, const tsr_rule *rule) {
  tsr_rows rows;
  return rows_set(&rows, input, rule);
}

void tsr_rows_init(tsr_rows *rows, const tsr_grid_input *input, const tsr_rule *rule,
                   double *memory) {
  tsr_row_cache *caches[3] = {&rows->samples, &rows->estimates, &rows->places};
  rows_set(rows, input, rule);
  for (int c = 0; c < 3; ++c) {
    caches[c]->values = memory;
    memory += TSR_ROW_SIDE * TSR_ROW_SIDE * caches[c]->parts * caches[c]->n;
  }
  rows->spare = memory;
}

void tsr_rows_move(tsr_rows *rows, int64_t y, int64_t z) {
  rows->origin[0] = y;
  rows->origin[1] = z;
  memset(rows->samples.state, 0, sizeof rows->samples.state);
  memset(rows->estimates.state, 0, sizeof rows->estimates.state);
  memset(rows->places.state, 0, sizeof rows->places.state);
}

void tsr_row_load(const tsr_array *array, int64_t at, int64_t step, int64_t n, double *to) {
  if (array->type == TSR_FLOAT) {
    const float *from = (const float *)array->data + at;
    if (step == 1)
      for (int64_t k = 0; k < n; ++k)
        to[k] = (double)from[k];
    else
      for (int64_t k = 0; k < n; ++k)
        to[k] = (double)from[k * step];
  } else if (array->type == TSR_DOUBLE) {
    const double *from = (const double *)array->data + at;
    for (int64_t k = 0; k < n; ++k)
      to[k] = from[k * step];
  } else {
    for (int64_t k = 0; k < n; ++k)
      to[k] = tsr_load(array, at + k * step);
  }
}

/* 1 if all magnitudes are at most `most`. */
static int row_within(const double *values, int64_t n, double most) {
  int64_t beyond = 0;
  for (int64_t k = 0; k < n; ++k)
    beyond += fabs(values[k]) <= most ? 0 : 1;
  return beyond == 0;
}

/* The row of a cache at (y, z). *state: where to note that it was made. */
static double *row_slot(const tsr_rows *rows, tsr_row_cache *cache, int64_t y, int64_t z,
                        signed char **state) {
  const int64_t slot = (z - rows->origin[1] + 1) * TSR_ROW_SIDE + (y - rows->origin[0] + 1);
  *state = &cache->state[slot];
  return cache->values + slot * cache->parts * cache->n;
}

/* One number a sample: a component or the magnitude, as tsr_sample. */
static void samples_scalar(const tsr_rows *rows, int64_t at, double *to) {
  const tsr_rule *rule = rows->rule;
  const int components = rule->array.components;
  const int64_t n = rows->samples.n;
  double *square = rows->spare;
  if (rule->component >= 0 || components == 1) {
    tsr_row_load(&rule->array, at * components + (rule->component > 0 ? rule->component : 0),
                 components, n, to);
    return;
  }
  for (int64_t k = 0; k < n; ++k)
    to[k] = 0.0;
  for (int c = 0; c < components; ++c) {
    tsr_row_load(&rule->array, at * components + c, components, n, square);
    for (int64_t k = 0; k < n; ++k)
      to[k] += square[k] * square[k];
  }
  for (int64_t k = 0; k < n; ++k)
    to[k] = sqrt(to[k]);
}

tsr_row tsr_rows_samples(tsr_rows *rows, int64_t y, int64_t z) {
  const tsr_rule *rule = rows->rule;
  const tsr_row_cache *cache = &rows->samples;
  const int64_t s[3] = {cache->first, y, z};
  const int flow = tsr_rows_are_flow(rule->measure);
  signed char *state;
  double *to = row_slot(rows, &rows->samples, y, z, &state);
  if (*state == 0) {
    const int64_t at = tsr_sample_at(&rows->input->lattice, rule, s);
    if (!flow)
      samples_scalar(rows, at, to);
    if (flow)
      for (int c = 0; c < 3; ++c)
        tsr_row_load(&rule->array, 3 * at + c, 3, cache->n, to + c * cache->n);
    *state =
        row_within(to, cache->parts * cache->n, flow ? TSR_FAR_FROM_OVERFLOW : TSR_LARGEST_VALUE)
            ? 1
            : 2;
  }
  return (tsr_row){to, *state == 1};
}

const double *tsr_rows_places(tsr_rows *rows, int64_t y, int64_t z) {
  const tsr_row_cache *cache = &rows->places;
  const int64_t p[3] = {cache->first, y, z};
  signed char *state;
  double *to = row_slot(rows, &rows->places, y, z, &state);
  if (*state == 0)
    for (int c = 0; c < 3; ++c)
      tsr_row_load(&rows->input->space.points, 3 * tsr_point_at(&rows->input->lattice, p) + c, 3,
                   cache->n, to + c * cache->n);
  *state = 1;
  return to;
}

/* The estimator at n samples that have neighbours along axis 0, and along those in use; r: rows
 * around them, by 1 + step along axis 1 + 3 (1 + step along axis 2). */
static inline void estimate(int64_t n, const double *const r[9], int use_y, int use_z,
                            double *restrict to) {
  for (int64_t x = 0; x < n; ++x) {
    const double m = r[4][x];
    double above = 0.0, below = 0.0;
    tsr_second_derivative_along(r[4][x - 1], m, r[4][x + 1], &above, &below);
    if (use_y)
      tsr_second_derivative_across(r[3][x - 1], r[5][x - 1], r[3][x + 1], r[5][x + 1], &above,
                                   &below);
    if (use_z)
      tsr_second_derivative_across(r[1][x - 1], r[7][x - 1], r[1][x + 1], r[7][x + 1], &above,
                                   &below);
    if (use_y)
      tsr_second_derivative_along(r[3][x], m, r[5][x], &above, &below);
    if (use_y && use_z)
      tsr_second_derivative_across(r[0][x], r[6][x], r[2][x], r[8][x], &above, &below);
    if (use_z)
      tsr_second_derivative_along(r[1][x], m, r[7][x], &above, &below);
    to[x] = tsr_second_derivative_ratio(m, above, below);
  }
}

/* The estimator at the samples [begin, end) of the row. */
static void estimates_make(tsr_rows *rows, int64_t y, int64_t z, int64_t begin, int64_t end,
                           double *to) {
  const tsr_lattice *lattice = &rows->input->lattice;
  const tsr_row_cache *cache = &rows->samples;
  const int64_t s[3] = {0, y, z};
  const double *r[9] = {NULL};
  int use[3] = {1, 0, 0};
  for (int a = 1; a < lattice->dimension; ++a)
    use[a] = s[a] >= 1 && s[a] <= tsr_sample_count(lattice, rows->rule, a) - 2;
  for (int k = 0; k < 9; ++k)
    if ((k % 3 == 1 || use[1]) && (k / 3 == 1 || use[2]))
      r[k] = tsr_rows_samples(rows, y + k % 3 - 1, z + k / 3 - 1).values + (begin - cache->first);
  if (use[1] && use[2])
    estimate(end - begin, r, 1, 1, to);
  else if (use[1])
    estimate(end - begin, r, 1, 0, to);
  else if (use[2])
    estimate(end - begin, r, 0, 1, to);
  else
    estimate(end - begin, r, 0, 0, to);
}

tsr_row tsr_rows_estimates(tsr_rows *rows, int64_t y, int64_t z) {
  const tsr_lattice *lattice = &rows->input->lattice;
  const tsr_row_cache *cache = &rows->estimates;
  const int64_t begin = rows->begin, end = rows->begin + rows->n + (rows->rule->cell_data ? 0 : 1);
  const int64_t last = tsr_sample_count(lattice, rows->rule, 0) - 1;
  const int64_t first = begin > 1 ? begin : 1, most = end < last ? end : last;
  signed char *state;
  double *to = row_slot(rows, &rows->estimates, y, z, &state);
  if (*state == 0) {
    if (first < most)
      estimates_make(rows, y, z, first, most, to + (first - cache->first));
    for (int64_t x = begin; x < end; ++x) { /* at the ends of the grid */
      const int64_t s[3] = {x, y, z};
      if (x >= first && x < most)
        x = most - 1;
      else
        to[x - cache->first] = tsr_second_derivative(lattice, rows->rule, s);
    }
    *state = row_within(to + (begin - cache->first), end - begin, TSR_LARGEST_VALUE) ? 1 : 2;
  }
  return (tsr_row){to, *state == 1};
}

void tsr_rows_one_by_one(tsr_rows *rows, int64_t y, int64_t z, int64_t begin, int64_t end,
                         double *out, unsigned char *flat) {
  const tsr_grid_input *input = rows->input;
  for (int64_t x = begin; x < end; ++x) {
    const int64_t c[3] = {rows->begin + x, y, z};
    double p[3];
    int is_flat = 0;
    tsr_cell_payload(&input->lattice, &input->space, rows->rule, c, p, &is_flat);
    tsr_row_put(rows->rule->measure, out, rows->n, x, p);
    flat[x] = (unsigned char)is_flat;
  }
}
