/* SPDX-License-Identifier: BSD-3-Clause */
/** A grid whose input stays on the device, and a threshold that is a fraction of its range: the
 * range is that of the numbers that count, and of what lies there by now. */
#include "check.h"
#include "outputs.h"

#include <stddef.h>

enum { SIDE = 33, TUPLES = SIDE * SIDE * SIDE };

static uint64_t generation_now;

static uint64_t generation(void *context, const void *data) {
  (void)context;
  (void)data;
  return generation_now;
}

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

int main(void) {
  const int missing = gpu_missing();
  tsr_execution cuda, cpu;
  if (missing) {
    return missing;
  }
  cuda = execution_cuda();
  cpu = execution_cpu();
  cuda.generation = generation;
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
  tsr_device_forget(values);
  return check_result();
}
