/* SPDX-License-Identifier: BSD-3-Clause */
/** Any number of threads gives the same bytes, of every type of array; work can be stopped. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "grid_case.h"

static void same(const void *a, const void *b, int64_t count, size_t size, const char *what) {
  CHECK_SAY(count == 0 || memcmp(a, b, (size_t)count * size) == 0, "%s differs", what);
}

static void compare(const grid_out *a, const grid_out *b) {
  if (!CHECK(memcmp(&a->sizes, &b->sizes, sizeof a->sizes) == 0)) {
    return;
  }
  same(a->nodes, b->nodes, a->sizes.cells, sizeof *a->nodes, "nodes");
  same(a->state, b->state, a->sizes.cells, 1, "state");
  same(a->points, b->points, 3 * a->sizes.points, sizeof(double), "points");
  same(a->connectivity, b->connectivity, a->sizes.connectivity, sizeof(int64_t), "connectivity");
  same(a->point_values, b->point_values, a->sizes.points, sizeof(double), "point_values");
  same(a->cell_values, b->cell_values, a->sizes.cells, sizeof(double), "cell_values");
  same(a->indicator, b->indicator, a->sizes.cells, sizeof(double), "indicator");
  CHECK(a->point_error == b->point_error && a->cell_error == b->cell_error);
}

/** Integers are rounded, and copied where the point or cell is one of the input. */
static void check_types(const grid_case *g, const tsr_grid_options *o) {
  const tsr_grid_view view = grid_case_view(g);
  grid_out out;
  tsr_error error;
  CHECK_INT(grid_run(g, &view, o, NULL, &out), TSR_OK);
  int64_t *in = malloc((size_t)g->n_points * sizeof *in);
  int64_t *got = malloc((size_t)out.sizes.points * sizeof *got);
  uint8_t *in8 = malloc((size_t)g->n_points), *got8 = malloc((size_t)out.sizes.points);
  for (int64_t k = 0; k < g->n_points; k++) {
    in[k] = INT64_MAX - k * 3;
    in8[k] = (uint8_t)(k * 37 % 256);
  }
  const tsr_grid_attribute attributes[2] = {{{in, TSR_INT64, 1, g->n_points}, 0, got, NULL, {0}},
                                            {{in8, TSR_UINT8, 1, g->n_points}, 0, got8, NULL, {0}}};
  tsr_grid_output output;
  tsr_grid_output_init(&output);
  output.attributes = attributes;
  output.n_attributes = 2;
  CHECK_INT(tsr_grid_fill(out.plan, &output, &error), TSR_OK);
  for (int64_t p = 0; p < out.sizes.points; p++) {
    const double *x = out.points + 3 * p;
    const int64_t i[3] = {(int64_t)x[0], (int64_t)x[1], (int64_t)x[2]};
    const int64_t n[2] = {g->cells[0] + 1, g->cells[1] + 1};
    const int64_t at = (i[2] * n[1] + i[1]) * n[0] + i[0];
    if ((double)i[0] == x[0] && (double)i[1] == x[1] && (double)i[2] == x[2]) {
      CHECK_INT(got[p], in[at]);
      CHECK_INT(got8[p], in8[at]);
    } else if ((double)i[1] == x[1] && (double)i[2] == x[2]) { /* halfway along x */
      const int sum = in8[at] + in8[at + 1];
      CHECK_INT(got8[p], (sum + 1) / 2);
    }
  }
  free(in);
  free(got);
  free(in8);
  free(got8);
  grid_out_free(&out);
}

typedef struct stopper {
  _Atomic int64_t calls;
  int64_t at;
} stopper;

static int progress(void *context, double fraction) {
  stopper *s = context;
  const int64_t call = ++s->calls;
  CHECK(fraction >= 0.0 && fraction <= 1.0);
  return s->at > 0 && call >= s->at;
}

static void check_abort(const grid_case *g, const tsr_grid_options *o) {
  const tsr_grid_view view = grid_case_view(g);
  stopper s = {0, 0};
  tsr_execution execution;
  grid_out out;
  tsr_execution_init(&execution);
  execution.progress = progress;
  execution.progress_context = &s;
  CHECK_INT(grid_run(g, &view, o, &execution, &out), TSR_OK);
  grid_out_free(&out);
  const int64_t calls = s.calls;
  CHECK(calls > 20);
  for (int64_t at = 1; at <= calls; at += 1 + calls / 60) {
    s.calls = 0;
    s.at = at;
    const tsr_status status = grid_run(g, &view, o, &execution, &out);
    CHECK_SAY(status == TSR_ABORTED && out.error.status == TSR_ABORTED,
              "stopped at call %lld of %lld: status %d, %s", (long long)at, (long long)calls,
              (int)status, out.error.text);
    grid_out_free(&out);
  }
}

int main(void) {
  grid_case g;
  grid_case_init(&g, 61, 54, 47);
  grid_case_fill(&g, 2);
  tsr_grid_options o;
  tsr_grid_options_init(&o);
  for (int k = 0; k < 6; k++) {
    static const tsr_grid_measure measures[6] = {
        TSR_MEASURE_VALUE_RANGE, TSR_MEASURE_STANDARD_DEVIATION,  TSR_MEASURE_SECOND_DERIVATIVE,
        TSR_MEASURE_GRADIENT,    TSR_MEASURE_INTERPOLATION_ERROR, TSR_MEASURE_VALUE_RANGE};
    static const double thresholds[6] = {0.2, 0.05, 0.5, 0.2, 0.01, 0.3};
    const tsr_grid_criterion c = grid_criterion(&g, measures[k], thresholds[k]);
    const tsr_grid_view view = grid_case_view(&g);
    grid_out alone;
    o.criteria = &c;
    o.n_criteria = 1;
    o.refine_levels = k % 3;
    o.coarsen_levels = 1 + k;
    o.buffer_cells = k % 2;
    o.output = k == 3 ? TSR_GRID_TREES : k == 5 ? TSR_GRID_PATCHES : TSR_GRID_CELLS;
    CHECK_INT(grid_run(&g, &view, &o, NULL, &alone), TSR_OK);
    for (int threads = 2; threads <= 8; threads += 3) {
      executor exec = {.threads = threads};
      const tsr_execution execution = executor_execution(&exec);
      grid_out out;
      CHECK_INT(grid_run(&g, &view, &o, &execution, &out), TSR_OK);
      CHECK(exec.pieces > 10);
      compare(&alone, &out);
      grid_out_free(&out);
    }
    grid_out_free(&alone);
  }
  const tsr_grid_criterion c = grid_criterion(&g, TSR_MEASURE_VALUE_RANGE, 0.4);
  o.criteria = &c;
  o.output = TSR_GRID_CELLS;
  o.coarsen_levels = 3;
  o.refine_levels = 1;
  check_types(&g, &o);
  check_abort(&g, &o);
  o.refine_levels = 2;
  check_abort(&g, &o);
  grid_case_free(&g);
  return check_result();
}
