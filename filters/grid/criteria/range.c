/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the range of an array or a measure, for thresholds that are fractions of it. */
#include "grid/criteria/rows.h"

#include <stdlib.h>

/* What is found in a tile. */
typedef struct tsr_range_found {
  double low, high; /* of the finite values; low > high: there is none */
  int odd;          /* 1: a value was not finite */
} tsr_range_found;

/* The search, in tiles of rows of owned cells. */
typedef struct tsr_range_work {
  const tsr_grid_input *input;
  const tsr_rule *rule;
  int measure;
  tsr_job *job;
  tsr_range_found *found; /* of each tile */
  int64_t first[2], n[2]; /* rows of owned cells, along axes 1 and 2 */
} tsr_range_work;

static void range_add(tsr_range_found *found, double v) {
  if (!tsr_finite(v)) {
    found->odd = 1;
    return;
  }
  if (v < found->low)
    found->low = v;
  if (v > found->high)
    found->high = v;
}

/* Adds n values of type T, LANES at a time; all that are left over, and all of a row with a value
 * that is not finite, one at a time. Gcc makes vectors of loops over 32 lanes, but not of those
 * over 16 and less, which it unrolls before. */
#define TSR_DEFINE_RANGE(NAME, T)                                                                  \
  static void NAME(tsr_range_found *found, int64_t n, const T *values) {                           \
    enum { LANES = 32 };                                                                           \
    T low[LANES], high[LANES], sum[LANES];                                                         \
    int64_t x = 0;                                                                                 \
    int finite = 1;                                                                                \
    for (int k = 0; k < LANES; ++k) {                                                              \
      low[k] = (T)INFINITY;                                                                        \
      high[k] = -(T)INFINITY;                                                                      \
      sum[k] = (T)0;                                                                               \
    }                                                                                              \
    for (; x + LANES <= n; x += LANES)                                                             \
      for (int k = 0; k < LANES; ++k) {                                                            \
        const T v = values[x + k];                                                                 \
        low[k] = v < low[k] ? v : low[k];                                                          \
        high[k] = v > high[k] ? v : high[k];                                                       \
        sum[k] += v - v; /* not a number as soon as one value is not finite */                     \
      }                                                                                            \
    for (int k = 0; k < LANES; ++k)                                                                \
      finite = finite && sum[k] == (T)0;                                                           \
    x = finite ? x : 0;                                                                            \
    for (int k = 0; k < LANES && x > 0; ++k) {                                                     \
      found->low = (double)low[k] < found->low ? (double)low[k] : found->low;                      \
      found->high = (double)high[k] > found->high ? (double)high[k] : found->high;                 \
    }                                                                                              \
    for (; x < n; ++x)                                                                             \
      range_add(found, (double)values[x]);                                                         \
  }
TSR_DEFINE_RANGE(range_floats, float)
TSR_DEFINE_RANGE(range_doubles, double)

/* Adds n values, without those that `hidden` (may be NULL) hides. */
static void range_row(tsr_range_found *found, int64_t n, const double *values,
                      const uint8_t *hidden) {
  if (!hidden)
    range_doubles(found, n, values);
  for (int64_t x = 0; hidden && x < n; ++x)
    if (!hidden[x])
      range_add(found, values[x]);
}

/* Samples of the owned cells along the row (y, z). */
static void range_samples(const tsr_range_work *work, tsr_rows *rows, int64_t y, int64_t z,
                          tsr_range_found *found) {
  const tsr_grid_input *input = work->input;
  const tsr_rule *rule = work->rule;
  const tsr_array *array = &rule->array;
  const int64_t n = rows->n + (rule->cell_data ? 0 : 1);
  const int64_t s[3] = {rows->begin, y, z};
  const int64_t at = tsr_sample_at(&input->lattice, rule, s);
  const uint8_t *hidden = rule->cell_data ? input->hidden : input->view.hidden_points;
  const int one = rule->component >= 0 || array->components == 1,
            magnitudes = !one && rule->measure != TSR_MEASURE_INTERPOLATION_ERROR;
  const int first = one && rule->component > 0 ? rule->component : 0,
            end = one ? first + 1 : array->components;
  hidden = hidden ? hidden + at : NULL;
  if (magnitudes)
    range_row(found, n, tsr_rows_samples(rows, y, z).values + (rows->begin - rows->samples.first),
              hidden);
  if (array->type == TSR_FLOAT && array->components == 1 && !hidden) {
    range_floats(found, n, (const float *)array->data + at);
    return;
  }
  for (int c = first; c < end && !magnitudes; ++c) {
    tsr_row_load(array, at * array->components + c, array->components, n, rows->spare);
    range_row(found, n, rows->spare, hidden);
  }
}

/* Measures of the owned cells of the row; room: for a row of payloads and a byte for each
 * cell. */
static void range_measures(const tsr_range_work *work, tsr_rows *rows, int64_t y, int64_t z,
                           double *room, tsr_range_found *found) {
  const int64_t c[3] = {rows->begin, y, z};
  const uint8_t *hidden = work->input->hidden;
  tsr_rows_cells(rows, y, z, room, (unsigned char *)(room + TSR_ROW_PARTS * rows->n));
  range_row(found, rows->n, room, hidden ? hidden + tsr_cell_at(&work->input->lattice, c) : NULL);
}

/* Finds the range in tiles of side x side rows of cells. For point data a tile has the row of
 * points before each of its rows of cells; the last tile of an axis has one more. */
static void range_task(void *data, int64_t begin, int64_t end) {
  const tsr_range_work *work = data;
  const tsr_lattice *lattice = &work->input->lattice;
  const int64_t side = 1 << TSR_ROW_LEVELS, tiles = (work->n[0] + side - 1) / side;
  const int points = !work->measure && !work->rule->cell_data;
  const int64_t numbers = tsr_rows_doubles(work->input, work->rule);
  tsr_rows rows;
  double *memory = malloc((size_t)numbers * sizeof *memory), *room = NULL;
  if (memory) {
    tsr_rows_init(&rows, work->input, work->rule, memory);
    room = malloc((size_t)((TSR_ROW_PARTS + 1) * rows.n) * sizeof *room);
  }
  if (!room)
    tsr_job_stop(work->job, TSR_NO_MEMORY);
  for (int64_t tile = begin; tile < end && room; ++tile) {
    const int64_t y0 = tile % tiles * side, z0 = tile / tiles * side;
    const int64_t ny = work->n[0] - y0 < side ? work->n[0] - y0 : side,
                  nz = work->n[1] - z0 < side ? work->n[1] - z0 : side;
    const int more_y = points && lattice->dimension > 1 && y0 + ny == work->n[0],
              more_z = points && lattice->dimension > 2 && z0 + nz == work->n[1];
    tsr_range_found *found = &work->found[tile];
    *found = (tsr_range_found){TSR_INFINITY, -TSR_INFINITY, 0};
    tsr_rows_move(&rows, work->first[0] + y0, work->first[1] + z0);
    for (int64_t z = z0; z < z0 + nz + more_z; ++z)
      for (int64_t y = y0; y < y0 + ny + more_y; ++y) {
        if (work->measure)
          range_measures(work, &rows, work->first[0] + y, work->first[1] + z, room, found);
        else
          range_samples(work, &rows, work->first[0] + y, work->first[1] + z, found);
      }
  }
  free(room);
  free(memory);
}

tsr_status tsr_rule_range(const tsr_grid_input *input, const tsr_rule *rule, int measure,
                          double range[2], int *finite, tsr_error *error) {
  const int64_t side = 1 << TSR_ROW_LEVELS;
  tsr_range_work work = {.input = input, .rule = rule, .measure = measure};
  tsr_job job = {.execution = &input->execution, .task = range_task, .data = &work};
  tsr_range_found all = {TSR_INFINITY, -TSR_INFINITY, 0};
  tsr_status status;
  job.n = 1;
  for (int a = 0; a < 3; ++a) {
    int64_t cells[2];
    tsr_level_range(&input->lattice, a, input->lattice.coarsen, input->lattice.owned[a], cells);
    job.n *= a > 0 ? (cells[1] - cells[0] + side - 1) / side : cells[1] > cells[0];
    if (a > 0) {
      work.first[a - 1] = cells[0];
      work.n[a - 1] = cells[1] - cells[0];
    }
  }
  work.found = tsr_alloc(job.n, sizeof *work.found, "the range of an array", error);
  if (!work.found)
    return TSR_NO_MEMORY;
  work.job = &job;
  job.done_last = 0.05;
  status = tsr_job_run(&job, 1);
  for (int64_t tile = 0; tile < job.n && status == TSR_OK; ++tile) {
    const tsr_range_found *found = &work.found[tile];
    all.odd |= found->odd;
    if (found->low <= found->high) {
      range_add(&all, found->low);
      range_add(&all, found->high);
    }
  }
  range[0] = all.low;
  range[1] = all.high;
  *finite = !all.odd;
  free(work.found);
  if (status == TSR_NO_MEMORY)
    return tsr_fail(error, status, -1, "there is no memory for rows of the grid");
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the range of an array was found");
  return TSR_OK;
}
