/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the way to the CUDA backend, which decides the levels down to the input cells. */
#include "backend.h"
#include "grid.h"

#include <string.h>

static const tsr_backend *tsr_grid_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_cuda_backend();
#else
  return NULL;
#endif
}

static tsr_grid_job tsr_grid_job_of(tsr_grid_plan *plan, const tsr_rule *rules) {
  const tsr_grid_job job = {.view = &plan->view,
                            .options = &plan->options,
                            .execution = &plan->execution,
                            .lattice = &plan->lattice,
                            .space = &plan->space,
                            .hidden = plan->hidden,
                            .rules = rules,
                            .n_rules = rules ? plan->n_rules : 0,
                            .tree = &plan->tree,
                            .notes = plan->sizes.notes,
                            .report = &plan->report};
  return job;
}

/* Auto goes on without the device, and says why. */
static int tsr_grid_gave_up(tsr_grid_plan *plan, tsr_status status, const tsr_error *error) {
  if (plan->execution.backend != TSR_BACKEND_AUTO ||
      (status != TSR_NO_BACKEND && status != TSR_DEVICE && status != TSR_NO_MEMORY))
    return 0;
  tsr_grid_device_close(plan);
  memset(&plan->report, 0, sizeof plan->report);
  memcpy(plan->report.fallback, error->text, sizeof plan->report.fallback);
  return 1;
}

tsr_status tsr_grid_device_open(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_backend *backend = tsr_grid_backend();
  const tsr_grid_job job = tsr_grid_job_of(plan, NULL);
  tsr_error own;
  tsr_status status;
  if ((unsigned)plan->execution.backend > (unsigned)TSR_BACKEND_CPU)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the backend %d is unknown",
                    (int)plan->execution.backend);
  if (plan->execution.backend == TSR_BACKEND_CPU)
    return TSR_OK;
  if (!backend && plan->execution.backend == TSR_BACKEND_CUDA)
    return tsr_fail(error, TSR_NO_BACKEND, -1, "the backend CUDA is not built into this Tessera");
  if (!backend)
    return TSR_OK;
  status = backend->grid_open(&job, &plan->device, &own);
  if (status == TSR_OK || tsr_grid_gave_up(plan, status, &own))
    return TSR_OK;
  return tsr_fail(error, status, own.item, "%s", own.text);
}

tsr_status tsr_grid_device_decide(tsr_grid_plan *plan, const tsr_rule *rules, tsr_error *error) {
  const tsr_grid_job job = tsr_grid_job_of(plan, rules);
  tsr_error own;
  const tsr_status status = tsr_grid_backend()->grid_decide(plan->device, &job, &own);
  if (status == TSR_OK) {
    plan->report.backend = TSR_BACKEND_CUDA;
    return TSR_OK;
  }
  if (tsr_grid_gave_up(plan, status, &own))
    return TSR_OK;
  return tsr_fail(error, status, own.item, "%s", own.text);
}

void tsr_grid_device_close(tsr_grid_plan *plan) {
  if (plan->device)
    tsr_grid_backend()->grid_close(plan->device);
  plan->device = NULL;
}
