/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: the executor of a plan. */
#include "cells/plan.h"

/* Fewest faces or volume cells that a thread takes at a time: they take up to milliseconds. With 16
 * threads surfaces of 97,336 hexahedra of degree 2 take 15.6 ms, with 16 in place of 4 18.7 ms;
 * those of 8 hexahedra of degree 10 take 4.6 ms, with 64 13.5 ms. */
#define LEAST_ITEMS 4

TSR_CELLS_STEPS(TSR_STEP_LOOP)
TSR_CELLS_REDUCTIONS(TSR_REDUCTION_LOOP)

/* A plan is on a device only where there is a table. */
static const tsr_cells_backend *cells_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_cells_cuda();
#else
  return NULL;
#endif
}

tsr_status tsr_cells_open(tsr_cells_plan *plan, tsr_error *error) {
  static const tsr_task loops[] = {TSR_CELLS_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction *const reductions[] = {TSR_CELLS_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  tsr_executor_on_cpu(&plan->executor, &plan->base.execution, loops, reductions);
  plan->executor.least_items = LEAST_ITEMS;
  return plan->base.on_device
             ? cells_backend()->open(&plan->base.execution, plan->options.keep_bytes,
                                     &plan->base.report, &plan->device, &plan->executor, error)
             : TSR_OK;
}

void tsr_cells_set_degree(tsr_cells_plan *plan, int degree) {
  if (plan->device)
    cells_backend()->set_degree(&plan->executor, degree);
}

void tsr_cells_close(tsr_cells_plan *plan) {
  if (plan->device)
    cells_backend()->close(plan->device);
  plan->device = NULL;
}

void tsr_cells_progress(tsr_cells_plan *plan, double first, double last) {
  plan->executor.done_first = first;
  plan->executor.done_last = last;
}
