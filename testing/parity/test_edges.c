/* SPDX-License-Identifier: BSD-3-Clause */
/** No curves at all, an error that somebody else left behind, and a caller who wants to stop while
 * a kernel runs. */
#include "check.h"
#include "views.h"

#include <cuda_runtime_api.h>

#include <stdlib.h>
#include <string.h>

static const wanted floats = {.points_type = TSR_FLOAT, .index_type = TSR_INT64, .generated = 1};

static void compare(const curve_set *set, const char *what) {
  const tsr_curves_view view = curve_set_view(set);
  tsr_curves_options o = option_case(0, TSR_SAMPLING_BISECTION, &floats);
  const tsr_execution on_cpu = execution_cpu();
  outputs cpu;
  CHECK_INT(outputs_make(&view, &o, &on_cpu, &floats, &cpu), TSR_OK);
  for (int strategy = 0; strategy <= TSR_STRATEGY_RECURSIVE_CHILDREN; strategy++) {
    const tsr_execution e = execution_cuda();
    outputs cuda;
    o.launch.strategy = (tsr_curves_strategy)strategy;
    outputs_make(&view, &o, &e, &floats, &cuda);
    CHECK_SAME(&cpu, &cuda, what);
    outputs_free(&cuda);
  }
  outputs_free(&cpu);
}

/** No items, and items without a span. */
static void no_curves(void) {
  const double point[3] = {1.0, 2.0, 3.0};
  curve_set set;
  curve_set_init(&set);
  curve_set_add_points(&set, 1, point);
  compare(&set, "no curves");
  for (int i = 0; i < 5; i++) {
    curve_set_add(&set, TSR_KIND_STRAIGHT, 1, point, NULL, 0);
  }
  compare(&set, "only points");
  curve_set_free(&set);
}

/** The error is not ours, and must not be taken for one. */
static void foreign_error(void) {
  const tsr_curves_options o = option_case(0, TSR_SAMPLING_BISECTION, &floats);
  const tsr_execution e = execution_cuda();
  curve_set set;
  curve_set_init(&set);
  random_curves(&set, TSR_KIND_NONE, 40, 0, 0, 7);
  const tsr_curves_view view = curve_set_view(&set);
  for (int run = 0; run < 3; run++) {
    outputs out;
    CHECK(cudaSetDevice(9999) != cudaSuccess);
    CHECK(cudaPeekAtLastError() != cudaSuccess);
    outputs_make(&view, &o, &e, &floats, &out);
    CHECK_SAY(out.status == TSR_OK, "an error of somebody else: %s", out.error.text);
    outputs_free(&out);
  }
  curve_set_free(&set);
}

/** A caller who stops as soon as the work has come so far. */
typedef struct caller {
  double (*clock)(void);
  double from;    /**< the share of the work */
  double stopped; /**< when; 0: not yet */
} caller;

static int stop_from(void *context, double fraction) {
  caller *it = context;
  if (fraction < it->from) {
    return 0;
  }
  it->stopped = it->stopped > 0.0 ? it->stopped : it->clock();
  return 1;
}

/** One curve that takes one thread long: the chord error is just above the rounding of its points.
 */
static tsr_curves_options long_walk(int level) {
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, 5e-16);
  o.max_level = level;
  return o;
}

static void stop_while(const char *what, tsr_curves_strategy strategy, int level, double from) {
  static const double xyz[12] = {0, 0, 0, 1, 3, 0, 2, -3, 1, 3, 0, 0};
  tsr_curves_options o = long_walk(level);
  tsr_execution e = execution_cuda();
  caller it = {e.clock, from, 0.0};
  outputs out;
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 4, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  o.launch.strategy = strategy;
  o.launch.nesting_depth = 2;
  e.progress = stop_from;
  e.progress_context = &it;
  outputs_make(&view, &o, &e, &floats, &out);
  const double waited = e.clock() - it.stopped;
  CHECK_INT(out.status, TSR_ABORTED);
  CHECK_SAY(it.stopped > 0.0 && waited < 0.2, "%s: stopped after %g s", what, waited);
  printf("%s: stopped after %.4f s\n", what, waited);
  outputs_free(&out);
  curve_set_free(&set);
}

/** Very many points in one place: blocks go down with all of them, level by level. */
static void stop_recursion(void) {
  const int64_t n = 30000000;
  float *xyz = malloc((size_t)n * 3 * sizeof *xyz);
  tsr_execution e = execution_cuda();
  caller it = {e.clock, 0.2, 0.0};
  tsr_pointgrid_view view;
  tsr_pointgrid_options o;
  tsr_pointgrid_plan *plan = NULL;
  tsr_error error;
  CHECK(xyz != NULL);
  for (int64_t i = 0; xyz && i < 3 * n; i++) {
    xyz[i] = i < 3 ? 1.0f : 0.3f;
  }
  tsr_pointgrid_view_init(&view);
  tsr_pointgrid_options_init(&o);
  view.points = (tsr_array){xyz, TSR_FLOAT, 3, n};
  o.launch.strategy = TSR_POINTGRID_RECURSIVE_CHILDREN;
  e.progress = stop_from;
  e.progress_context = &it;
  CHECK_INT(tsr_pointgrid_plan_create(&view, &o, &e, &plan, &error), TSR_ABORTED);
  const double waited = e.clock() - it.stopped;
  CHECK_SAY(it.stopped > 0.0 && waited < 0.2, "points: stopped after %g s", waited);
  printf("sorting by child grids: stopped after %.4f s: %s\n", waited, error.text);
  tsr_pointgrid_plan_free(plan);
  free(xyz);
}

int main(void) {
  const int missing = gpu_missing();
  if (missing) {
    return missing;
  }
  no_curves();
  foreign_error();
  /* 2^26 leaves take a thread most of a minute, 2^18 about a quarter of a second. */
  stop_while("counting", TSR_STRATEGY_FLAT, 26, 0.3);
  stop_while("counting by child grids", TSR_STRATEGY_RECURSIVE_CHILDREN, 26, 0.3);
  stop_while("making the leaves", TSR_STRATEGY_FLAT, 18, 0.4);
  stop_recursion();
  no_curves();
  return check_result();
}
