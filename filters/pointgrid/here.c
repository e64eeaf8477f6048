/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: what a device would have done, by the CPU. */
#include "pointgrid/plan.h"

tsr_status tsr_pointgrid_sort_here(tsr_pointgrid_plan *plan, tsr_error *error) {
  const int travelled = plan->options.gather != NULL;
  tsr_pointgrid_box box;
  tsr_status status = TSR_OK;
  if (!plan->items && !plan->before && !travelled)
    status = tsr_pointgrid_find_box(plan, &box, &plan->before, error);
  if (status == TSR_OK && !plan->items)
    status = tsr_pointgrid_make_items(plan, travelled ? NULL : plan->before, error);
  return status == TSR_OK ? tsr_pointgrid_sort(plan, error) : status;
}

tsr_status tsr_pointgrid_start_again(tsr_pointgrid_plan *plan, tsr_error *error) {
  const tsr_status status = tsr_pointgrid_sort_here(plan, error);
  return status == TSR_OK && plan->options.output == TSR_POINTGRID_CELLS
             ? tsr_pointgrid_find_corners(plan, error)
             : status;
}
