/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A node of more rows of points than 32 bits can count: one root over 65,536 x 65,536 cells of a
 * plane x = 0, whose 65,537 x 65,537 points are as many rows of one point each. All values are 0
 * but one, in row 2^32, so the interpolation error refines the one node of each level around it,
 * and 1 + 3 x 16 leaves come out. Who loses the upper bits of a row's number sees zeros alone: 1
 * leaf. It takes 8 GB of memory on both sides and is skipped where there is less.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "outputs.h"

enum { LEVELS = 16 };

int main(void) {
  const int missing = gpu_missing();
  const int64_t side = ((int64_t)1 << LEVELS) + 1, row = (int64_t)1 << 32;
  uint8_t *values;
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion criterion;
  tsr_grid_plan *plan = NULL;
  tsr_error error = {TSR_OK, 0, ""};
  tsr_report report;
  const tsr_execution cuda = execution_cuda();
  if (missing != 0) {
    return missing;
  }
  values = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) > 12e9
               ? calloc((size_t)(side * side), 1)
               : NULL;
  if (values == NULL) {
    printf("skipped: there are no 12 GB of free memory\n");
    return CHECK_SKIPPED;
  }
  values[row] = 200;
  tsr_grid_view_init(&view);
  for (int a = 0; a < 3; a++) {
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = a == 0 ? 0 : side - 1;
  }
  tsr_grid_criterion_init(&criterion);
  criterion.measure = TSR_MEASURE_INTERPOLATION_ERROR;
  criterion.array = (tsr_array){values, TSR_UINT8, 1, side * side};
  criterion.threshold = 1.0;
  tsr_grid_options_init(&options);
  options.coarsen_levels = LEVELS;
  options.balance = TSR_BALANCE_NONE;
  options.criteria = &criterion;
  options.n_criteria = 1;
  CHECK_SAY(tsr_grid_plan_create(&view, &options, &cuda, &plan, &error) == TSR_OK, "%s",
            error.text);
  if (plan != NULL) {
    tsr_grid_plan_report(plan, &report);
    CHECK_SAY(report.backend == TSR_BACKEND_CUDA, "it did not run on the device");
    CHECK_SAY(tsr_grid_plan_sizes(plan)->leaves == 1 + 3 * LEVELS, "%lld leaves, not %d",
              (long long)tsr_grid_plan_sizes(plan)->leaves, 1 + 3 * LEVELS);
  }
  tsr_grid_plan_free(plan);
  free(values);
  return check_result();
}
