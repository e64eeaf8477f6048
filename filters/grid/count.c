/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: how many leaves and cells a plan has, and whether that is within the limit. */
#include "grid/plan.h"

int64_t tsr_grid_most_leaves(const tsr_grid_plan *plan) {
  return plan->input.options.limit_cells > 0 ? plan->input.options.limit_cells : INT64_MAX / 64;
}

tsr_status tsr_grid_check_cells(const tsr_grid_plan *plan, int64_t cells, tsr_error *error) {
  const int64_t most = tsr_grid_most_leaves(plan);
  if (cells <= most)
    return TSR_OK;
  return tsr_fail(
      error, TSR_TOO_LARGE, -1,
      "the grid has %lld cells or more, above the limit of %lld; raise the thresholds or "
      "set a cell budget",
      (long long)cells, (long long)most);
}

tsr_status tsr_grid_check_leaves(const tsr_grid_plan *plan, tsr_error *error) {
  return tsr_grid_check_cells(plan, plan->leaves.n, error);
}

tsr_status tsr_grid_sum_fine(tsr_grid_plan *plan, tsr_error *error) {
  int64_t *fine = &plan->sizes.fine_cells;
  tsr_status status = TSR_OK;
  *fine = tsr_grid_fine_cells(&plan->input);
  if (plan->input.options.mode == TSR_GRID_FINE && *fine > tsr_grid_most_leaves(plan))
    status = tsr_fail(error, TSR_TOO_LARGE, -1,
                      "the fixed fine grid has %lld cells, more than the limit of %lld; take fewer "
                      "refine levels",
                      (long long)*fine, (long long)tsr_grid_most_leaves(plan));
  status = tsr_grid_agree(&plan->input.options, status, error);
  return status == TSR_OK ? tsr_grid_sum(&plan->input.options, fine, error) : status;
}

tsr_status tsr_grid_sum_leaves(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_options *o = &plan->input.options;
  tsr_status status = tsr_leaves_count(&plan->input, &plan->tree, &plan->leaves, error);
  status = tsr_grid_agree(o, status, error);
  plan->leaves.all = plan->leaves.n;
  if (status == TSR_OK)
    status = tsr_grid_sum(o, &plan->leaves.all, error);
  plan->all_cells = plan->leaves.all;
  return status;
}

tsr_status tsr_grid_sum_cells(tsr_grid_plan *plan, int64_t most, tsr_error *error) {
  const tsr_grid_options *o = &plan->input.options;
  tsr_status status;
  if (o->output != TSR_GRID_CONFORMING || plan->leaves.all > most)
    return TSR_OK;
  status =
      tsr_leaves_count_parts(&plan->input, &plan->tree, &plan->leaves, &plan->all_cells, error);
  status = tsr_grid_agree(o, status, error);
  return status == TSR_OK ? tsr_grid_sum(o, &plan->all_cells, error) : status;
}
