/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the range of an array or a measure, for thresholds that are fractions of it. */
#include "grid/criteria/rows.h"

#include <stdlib.h>

/* The search, in tiles of rows of owned cells. */
typedef struct tsr_range_work {
  const tsr_grid_input *input;
  const tsr_rule *rule;
  int measure;
  tsr_job *job;
  double (*parts)[2];
  int64_t first[2], n[2]; /* rows of owned cells, along axes 1 and 2 */
} tsr_range_work;

static void range_add(double range[2], double v) {
  if (!tsr_finite(v))
    return;
  if (v < range[0])
    range[0] = v;
  if (v > range[1])
    range[1] = v;
}

/* Adds n values, without those that `hidden` (may be NULL) hides. */
static void range_row(double range[2], int64_t n, const double *values, const uint8_t *hidden) {
  double low = range[0], high = range[1];
  if (hidden) {
    for (int64_t x = 0; x < n; ++x)
      if (!hidden[x])
        range_add(range, values[x]);
    return;
  }
  for (int64_t x = 0; x < n; ++x) {
    const double v = tsr_finite(values[x]) ? values[x] : low;
    low = v < low ? v : low;
  }
  for (int64_t x = 0; x < n; ++x) {
    const double v = tsr_finite(values[x]) ? values[x] : high;
    high = v > high ? v : high;
  }
  range[0] = low;
  range[1] = high;
}

/* Samples of the owned cells along the row (y, z). */
static void range_samples(const tsr_range_work *work, tsr_rows *rows, int64_t y, int64_t z,
                          double range[2]) {
  const tsr_grid_input *input = work->input;
  const tsr_array *array = &work->rule->array;
  const int64_t n = rows->n + (work->rule->cell_data ? 0 : 1);
  const int64_t s[3] = {rows->begin, y, z};
  const int64_t at = tsr_sample_at(&input->lattice, work->rule, s);
  const uint8_t *hidden = work->rule->cell_data ? input->hidden : input->view.hidden_points;
  const int all = work->rule->component < 0 && array->components > 1 &&
                  work->rule->measure == TSR_MEASURE_INTERPOLATION_ERROR;
  hidden = hidden ? hidden + at : NULL;
  if (!all)
    range_row(range, n, tsr_rows_samples(rows, y, z).values + (rows->begin - rows->samples.first),
              hidden);
  if (all)
    for (int c = 0; c < array->components; ++c) {
      tsr_row_load(array, at * array->components + c, array->components, n, rows->spare);
      range_row(range, n, rows->spare, hidden);
    }
}

/* Measures of the owned cells of the row; room: for a row of payloads and a byte for each
 * cell. */
static void range_measures(const tsr_range_work *work, tsr_rows *rows, int64_t y, int64_t z,
                           double *room, double range[2]) {
  const int64_t c[3] = {rows->begin, y, z};
  const uint8_t *hidden = work->input->hidden;
  tsr_rows_cells(rows, y, z, room, (unsigned char *)(room + TSR_ROW_PARTS * rows->n));
  range_row(range, rows->n, room, hidden ? hidden + tsr_cell_at(&work->input->lattice, c) : NULL);
}

/* Finds the range in tiles of side x side rows of cells. For point data a tile has all rows of
 * points around its cells, so rows on the border of two tiles are read twice. */
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
    double *range = work->parts[tile];
    range[0] = TSR_INFINITY;
    range[1] = -TSR_INFINITY;
    tsr_rows_move(&rows, work->first[0] + y0, work->first[1] + z0);
    for (int64_t z = z0; z < z0 + nz + (points && lattice->dimension > 2); ++z)
      for (int64_t y = y0; y < y0 + ny + (points && lattice->dimension > 1); ++y) {
        if (work->measure)
          range_measures(work, &rows, work->first[0] + y, work->first[1] + z, room, range);
        else
          range_samples(work, &rows, work->first[0] + y, work->first[1] + z, range);
      }
  }
  free(room);
  free(memory);
}

tsr_status tsr_rule_range(const tsr_grid_input *input, const tsr_rule *rule, int measure,
                          double range[2], tsr_error *error) {
  const int64_t side = 1 << TSR_ROW_LEVELS;
  tsr_range_work work = {.input = input, .rule = rule, .measure = measure};
  tsr_job job = {.execution = &input->execution, .task = range_task, .data = &work};
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
  work.parts = tsr_alloc(job.n, sizeof *work.parts, "the range of an array", error);
  if (!work.parts)
    return TSR_NO_MEMORY;
  work.job = &job;
  job.done_last = 0.05;
  status = tsr_job_run(&job, 1);
  range[0] = TSR_INFINITY;
  range[1] = -TSR_INFINITY;
  for (int64_t tile = 0; tile < job.n && status == TSR_OK; ++tile) {
    range_add(range, work.parts[tile][0]);
    range_add(range, work.parts[tile][1]);
  }
  free(work.parts);
  if (status == TSR_NO_MEMORY)
    return tsr_fail(error, status, -1, "there is no memory for rows of the grid");
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the range of an array was found");
  return TSR_OK;
}
