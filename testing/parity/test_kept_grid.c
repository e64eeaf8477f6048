/* SPDX-License-Identifier: BSD-3-Clause */
/** A grid whose input stays on the device, and what was found of it: the range, of which a
 * threshold is a fraction, and how far numbers are from the interpolant. Both are those of the
 * numbers that count, and of what lies there by now. */
#include "check.h"
#include "grid_outputs.h"
#include "outputs.h"

#include <stddef.h>

enum { SIDE = 33, TUPLES = SIDE * SIDE * SIDE };

static double values[3 * TUPLES];

/** Ramps along the first axis: component c ends at top[c]. */
static void set_ramps(double x, double y, double z) {
  const double top[3] = {x, y, z};
  for (int k = 0; k < 3 * TUPLES; ++k) {
    values[k] = top[k % 3] * (double)(k / 3 % SIDE) / (SIDE - 1);
  }
}

/** Leaves where cells may span `threshold` of the range of a component; -1: of the magnitude. */
static int64_t leaves(const tsr_execution *execution, tsr_grid_measure measure, int component,
                      double threshold) {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion criterion;
  tsr_grid_plan *plan;
  tsr_error error;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&options);
  tsr_grid_criterion_init(&criterion);
  for (int a = 0; a < 3; ++a) {
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = SIDE - 1;
  }
  criterion.measure = measure;
  criterion.array = (tsr_array){values, TSR_DOUBLE, 3, TUPLES};
  criterion.component = component;
  criterion.threshold = threshold;
  criterion.relative = 1;
  options.criteria = &criterion;
  options.n_criteria = 1;
  options.coarsen_levels = 3;
  if (!CHECK_INT(tsr_grid_plan_create(&view, &options, execution, &plan, &error), TSR_OK)) {
    return -1;
  }
  const int64_t n = tsr_grid_plan_sizes(plan)->leaves;
  tsr_grid_plan_free(plan);
  return n;
}

/** The threshold asks for cells of a quarter of the side of a root, whatever the range. */
static void check_ramps(const tsr_execution *cuda) {
  for (int component = -1; component < 3; ++component) {
    CHECK_INT(leaves(cuda, TSR_MEASURE_VALUE_RANGE, component, 0.07), 16 * 16 * 16);
    CHECK_INT(leaves(cuda, TSR_MEASURE_VALUE_RANGE, component, 0.14), 8 * 8 * 8);
  }
}

static float bumps[2][TUPLES];

/** A bump; 0 away from it. */
static void set_bump(float *to, double centre) {
  for (int k = 0; k < TUPLES; ++k) {
    const double x = k % SIDE / (double)SIDE - centre, y = k / SIDE % SIDE / (double)SIDE - 0.4,
                 z = k / SIDE / SIDE / (double)SIDE - 0.6;
    const double d = 1.0 - 20.0 * (x * x + y * y + z * z);
    to[k] = d > 0.0 ? (float)d : 0.0f;
  }
}

/** The grid of an array of points that lie as `cells` says, made with what is kept, and anew. */
static void check_bump(const tsr_execution *cuda, const float *bump, const int cells[3],
                       double threshold, int coarsen, int64_t keep_bytes) {
  const tsr_execution cpu = execution_cpu();
  const tsr_array array = {bump, TSR_FLOAT, 1, TUPLES};
  const int of_points = 0;
  const grid_wanted want = {&array, &of_points, 1, TSR_FLOAT, TSR_INT32, 0, 0, 0};
  tsr_grid_plan *plan[2] = {NULL, NULL};
  grid_filled filled[2] = {{TSR_OK}, {TSR_OK}};
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion criterion;
  tsr_error error;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&options);
  tsr_grid_criterion_init(&criterion);
  for (int a = 0; a < 3; ++a) {
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = cells[a];
  }
  criterion.measure = TSR_MEASURE_INTERPOLATION_ERROR;
  criterion.array = array;
  criterion.threshold = threshold;
  options.criteria = &criterion;
  options.n_criteria = 1;
  options.coarsen_levels = coarsen;
  options.output = TSR_GRID_CONFORMING;
  options.keep_bytes = keep_bytes;
  for (int k = 0; k < 2; ++k) {
    if (CHECK_INT(tsr_grid_plan_create(&view, &options, k == 0 ? &cpu : cuda, &plan[k], &error),
                  TSR_OK)) {
      CHECK_INT(grid_fill(plan[k], &want, &filled[k]), TSR_OK);
    }
  }
  if (plan[0] && plan[1] &&
      CHECK_INT(tsr_grid_plan_sizes(plan[1])->leaves, tsr_grid_plan_sizes(plan[0])->leaves)) {
    const char *difference = grid_difference(&want, &filled[0], &filled[1]);
    CHECK_SAY(difference == NULL, "threshold %g, %d levels: %s", threshold, coarsen, difference);
  }
  for (int k = 0; k < 2; ++k) {
    grid_filled_free(&filled[k]);
    tsr_grid_plan_free(plan[k]);
  }
}

/** Other thresholds, roots, arrays, places of the points, numbers, and limits, in turn. */
static void check_bumps(const tsr_execution *cuda) {
  const int cube[3] = {SIDE - 1, SIDE - 1, SIDE - 1}, slab[3] = {10, SIDE - 1, 98},
            turned[3] = {98, SIDE - 1, 10};
  const int64_t all = 1 << 30, one = sizeof bumps[0];
  for (int k = 0; k < 2; ++k) {
    set_bump(bumps[0], 0.2 + 0.6 * k);
    set_bump(bumps[1], 0.8 - 0.6 * k);
    ++generation_now;
    check_bump(cuda, bumps[0], cube, 0.05, 3, all);
    check_bump(cuda, bumps[0], cube, 0.02, 3, all);
    check_bump(cuda, bumps[0], cube, 0.3, 4, all);
    check_bump(cuda, bumps[1], cube, 0.05, 3, all);
    check_bump(cuda, bumps[0], turned, 0.05, 3, all);
    check_bump(cuda, bumps[0], slab, 0.05, 3, all);
    check_bump(cuda, bumps[0], cube, 0.1, 3, all);
    check_bump(cuda, bumps[1], cube, 0.1, 3, all);
  }
  ++generation_now;
  for (int k = 0; k < 2; ++k) { /* nothing fits beside it */
    check_bump(cuda, bumps[0], cube, 0.1 - 0.05 * k, 3, one);
  }
}

int main(void) {
  const int missing = gpu_missing();
  tsr_execution cuda, cpu;
  if (missing) {
    return missing;
  }
  cuda = execution_cuda();
  cpu = execution_cpu();
  cuda.generation = generation_of_all;
  cuda.owner = values;
  set_ramps(1.0, 10.0, 100.0);
  generation_now = 1;
  check_ramps(&cuda);
  check_ramps(&cuda); /* the range is known */
  set_ramps(100.0, 1.0, 10.0);
  generation_now = 2;
  check_ramps(&cuda);
  generation_now = 0; /* nothing is kept */
  set_ramps(7.0, 70.0, 0.7);
  check_ramps(&cuda);
  generation_now = 3; /* of vectors every component counts here, and the magnitude above */
  for (int k = 0; k < 2; ++k) {
    CHECK_INT(leaves(&cuda, TSR_MEASURE_INTERPOLATION_ERROR, -1, 0.01),
              leaves(&cpu, TSR_MEASURE_INTERPOLATION_ERROR, -1, 0.01));
    check_ramps(&cuda);
  }
  check_bumps(&cuda);
  tsr_device_forget(values);
  return check_result();
}
