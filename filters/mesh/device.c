/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the executor of a plan, and its memory. */
#include "mesh/mesh.h"

#include <stdlib.h>
#include <string.h>

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
  return plan->base.on_device ? mesh_backend()->open(&plan->base.execution, &plan->base.report,
                                                     &plan->device, &plan->executor, error)
                              : TSR_OK;
}

void tsr_mesh_close(tsr_mesh_plan *plan) {
  tsr_executor *e = &plan->executor;
  for (int64_t k = 0; k < plan->n_owned; ++k)
    e->free(e, plan->owned[k]);
  free(plan->owned);
  plan->owned = NULL;
  plan->n_owned = plan->owned_room = 0;
  if (plan->device)
    mesh_backend()->close(plan->device);
  plan->device = NULL;
}

tsr_status tsr_mesh_alloc(tsr_mesh_plan *plan, void *to, int64_t n, size_t size, const char *what,
                          tsr_error *error) {
  tsr_executor *e = &plan->executor;
  void *memory = NULL, **more;
  TSR_MESH_TRY(e->alloc(e, &memory, n > 0 ? n : 1, size, what, error));
  more = tsr_grow(plan->owned, plan->n_owned, &plan->owned_room, 64, sizeof *more);
  if (!more) {
    e->free(e, memory);
    return tsr_fail(error, TSR_NO_MEMORY, -1, "there is not enough memory for %s", what);
  }
  plan->owned = more;
  plan->owned[plan->n_owned++] = memory;
  memcpy(to, &memory, sizeof memory);
  return TSR_OK;
}

void tsr_mesh_release(tsr_mesh_plan *plan, void *to) {
  tsr_executor *e = &plan->executor;
  void *memory;
  memcpy(&memory, to, sizeof memory);
  for (int64_t k = plan->n_owned; k-- > 0 && memory;)
    if (plan->owned[k] == memory) {
      e->free(e, memory);
      plan->owned[k] = plan->owned[--plan->n_owned];
      memory = NULL;
    }
  memset(to, 0, sizeof memory);
}

tsr_status tsr_mesh_sum(tsr_mesh_plan *plan, int64_t *counts, int64_t n, int64_t *total,
                        tsr_error *error) {
  tsr_executor *e = &plan->executor;
  TSR_MESH_TRY(e->scan(e, counts, n, error));
  return e->read(e, total, counts + n, sizeof *total, error);
}
