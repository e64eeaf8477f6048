/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: the executor of a plan, and its memory. */
#include "grid/octree/octree.h"

TSR_OCTREE_STEPS(TSR_STEP_LOOP)
TSR_OCTREE_REDUCTIONS(TSR_REDUCTION_LOOP)

/* A plan is on a device only where there is a table. */
static const tsr_octree_backend *octree_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_octree_cuda();
#else
  return NULL;
#endif
}

tsr_status tsr_octree_open(tsr_octree_plan *plan, tsr_error *error) {
  static const tsr_task loops[] = {TSR_OCTREE_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction *const reductions[] = {TSR_OCTREE_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  for (int k = 0; k < 2; ++k)
    plan->samples[k].look = plan->base.on_device ? TSR_OCTREE_LOOK_ON_DEVICE : TSR_OCTREE_LOOK;
  tsr_executor_on_cpu(&plan->executor, &plan->base.execution, loops, reductions);
  return plan->base.on_device
             ? octree_backend()->open(&plan->base.execution, plan->grid.options.keep_bytes,
                                      &plan->base.report, &plan->device, &plan->executor, error)
             : TSR_OK;
}

void tsr_octree_close(tsr_octree_plan *plan) {
  tsr_held_free(&plan->held, &plan->executor);
  if (plan->device)
    octree_backend()->close(plan->device);
  plan->device = NULL;
}

tsr_status tsr_octree_alloc(tsr_octree_plan *plan, void *to, int64_t n, size_t size,
                            const char *what, tsr_error *error) {
  return tsr_held_alloc(&plan->held, &plan->executor, to, n, size, what, error);
}

void tsr_octree_release(tsr_octree_plan *plan, void *to) {
  tsr_held_release(&plan->held, &plan->executor, to);
}

tsr_status tsr_octree_sum(tsr_octree_plan *plan, int64_t *counts, int64_t n, int64_t *total,
                          tsr_error *error) {
  tsr_executor *e = &plan->executor;
  TSR_OCTREE_TRY(e->scan(e, counts, n, error));
  return e->read(e, total, counts + n, sizeof *total, error);
}
