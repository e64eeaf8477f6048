/* SPDX-License-Identifier: BSD-3-Clause */
/** A flat grid of more roots than one block of a device goes through: spikes in the middles of some
 * roots of two cells along each side, each of which is refined and no other. */
#include "check.h"
#include "outputs.h"

#include <stdlib.h>

enum { ROOTS = 184, SIDE = 2 * ROOTS + 1, SPIKES = ((ROOTS + 2) / 3) * ((ROOTS + 4) / 5) };

static void check_spikes(const tsr_execution *execution, const float *values, int use_region,
                         tsr_grid_output_kind output) {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion criterion;
  tsr_grid_plan *plan;
  tsr_error error;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&options);
  tsr_grid_criterion_init(&criterion);
  for (int a = 0; a < 3; ++a) {
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = a < 2 ? SIDE - 1 : 0;
    options.region[2 * a + 1] = a < 2 ? SIDE - 1 : 0;
  }
  criterion.measure = TSR_MEASURE_VALUE_RANGE;
  criterion.array = (tsr_array){values, TSR_FLOAT, 1, (int64_t)SIDE * SIDE};
  criterion.threshold = 0.5;
  options.criteria = &criterion;
  options.n_criteria = 1;
  options.coarsen_levels = 1;
  options.output = output;
  options.use_region = use_region;
  if (!CHECK_SAY(tsr_grid_plan_create(&view, &options, execution, &plan, &error) == TSR_OK, "%s",
                 error.text)) {
    return;
  }
  const tsr_grid_sizes *sizes = tsr_grid_plan_sizes(plan);
  CHECK_INT(sizes->leaves, ROOTS * ROOTS + 3 * SPIKES);
  CHECK_INT(sizes->leaves_of_level[1], 4 * SPIKES);
  CHECK_INT(sizes->trees, output == TSR_GRID_TREES ? ROOTS * ROOTS : 0);
  tsr_grid_plan_free(plan);
}

int main(void) {
  const int missing = gpu_missing();
  float *values = calloc((size_t)SIDE * SIDE, sizeof *values);
  if (missing) {
    free(values);
    return missing;
  }
  CHECK(values != NULL);
  for (int y = 1; y < SIDE && values; y += 10) {
    for (int x = 1; x < SIDE; x += 6) {
      values[y * SIDE + x] = 1.0f;
    }
  }
  for (int cuda = 0; cuda < 2 && values; ++cuda) {
    const tsr_execution execution = cuda ? execution_cuda() : execution_cpu();
    check_spikes(&execution, values, 0, TSR_GRID_TREES);
    check_spikes(&execution, values, 0, TSR_GRID_CELLS);
    check_spikes(&execution, values, 1, TSR_GRID_CELLS);
  }
  free(values);
  return check_result();
}
