/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the executor of a plan, and its memory. */
#include "mesh/mesh.h"

TSR_MESH_STEPS(TSR_STEP_LOOP)
TSR_MESH_REDUCTIONS(TSR_REDUCTION_LOOP)

/* A plan is on a device only where there is a table. */
static const tsr_mesh_backend *mesh_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_mesh_cuda();
#else
  return NULL;
#endif
}

tsr_status tsr_mesh_open(tsr_mesh_plan *plan, tsr_error *error) {
  static const tsr_task loops[] = {TSR_MESH_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction *const reductions[] = {TSR_MESH_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  tsr_executor_on_cpu(&plan->executor, &plan->base.execution, loops, reductions);
  return plan->base.on_device
             ? mesh_backend()->open(&plan->base.execution, plan->options.keep_bytes,
                                    &plan->base.report, &plan->device, &plan->executor, error)
             : TSR_OK;
}

void tsr_mesh_close(tsr_mesh_plan *plan) {
  tsr_held_free(&plan->held, &plan->executor);
  if (plan->device)
    mesh_backend()->close(plan->device);
  plan->device = NULL;
}

tsr_status tsr_mesh_alloc(tsr_mesh_plan *plan, void *to, int64_t n, size_t size, const char *what,
                          tsr_error *error) {
  return tsr_held_alloc(&plan->held, &plan->executor, to, n, size, what, error);
}

void tsr_mesh_release(tsr_mesh_plan *plan, void *to) {
  tsr_held_release(&plan->held, &plan->executor, to);
}

tsr_status tsr_mesh_sum(tsr_mesh_plan *plan, int64_t *counts, int64_t n, int64_t *total,
                        tsr_error *error) {
  tsr_executor *e = &plan->executor;
  TSR_MESH_TRY(e->scan(e, counts, n, error));
  return e->read(e, total, counts + n, sizeof *total, error);
}
