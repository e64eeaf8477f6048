/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the way to the CUDA backend, which sorts the points into leaves. Balance, corners
 * and values are the CPU's. */
#include "pointgrid/plan.h"

#include <stdlib.h>

static const tsr_pointgrid_backend *device_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_pointgrid_cuda_backend();
#else
  return NULL;
#endif
}

tsr_status tsr_pointgrid_choose_backend(tsr_pointgrid_plan *plan, tsr_error *error) {
  const tsr_backend_id wanted = plan->execution.backend;
  if ((unsigned)wanted > (unsigned)TSR_BACKEND_CPU)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the backend %d is unknown", (int)wanted);
  /* Auto stays with the CPU as long as nobody has measured from where on the device is faster. */
  if (wanted == TSR_BACKEND_CUDA)
    plan->backend = device_backend();
  if (wanted == TSR_BACKEND_CUDA && !plan->backend)
    return tsr_fail(error, TSR_NO_BACKEND, -1, "the backend CUDA is not built into this Tessera");
  return TSR_OK;
}

tsr_status tsr_pointgrid_device_sort(tsr_pointgrid_plan *plan, tsr_error *error) {
  const tsr_pointgrid_job job = {.execution = &plan->execution,
                                 .cube = &plan->cube,
                                 .rule = &plan->rule,
                                 .points = &plan->points,
                                 .hidden = plan->route.sent ? NULL : plan->view.hidden,
                                 .spread = &plan->spread,
                                 .spread_component = plan->options.spread_component,
                                 .n_items = plan->n_items,
                                 .leaves = &plan->leaves,
                                 .report = &plan->report};
  tsr_pointgrid_job filled = job;
  tsr_error own;
  tsr_status status;
  free(plan->items);
  plan->items = NULL;
  plan->order = tsr_alloc(plan->n_items, sizeof *plan->order, "sorting the points", error);
  if (!plan->order)
    return TSR_NO_MEMORY;
  if (plan->rule.begin >= plan->rule.end)
    return TSR_OK;
  filled.order = plan->order;
  status = plan->backend->sort(&filled, &own);
  if (status == TSR_OK)
    plan->report.backend = TSR_BACKEND_CUDA;
  return status == TSR_OK ? status : tsr_fail(error, status, own.item, "%s", own.text);
}
