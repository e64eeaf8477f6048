/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: the way to the CUDA backend. */
#include "discs/plan.h"

#include <string.h>

/* NULL where there is none. */
static const tsr_discs_backend *discs_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_discs_cuda();
#else
  return NULL;
#endif
}

static tsr_discs_job job_of(tsr_discs_plan *plan) {
  const tsr_discs_job job = {&plan->view,   &plan->options, &plan->execution, &plan->rules,
                             plan->falloff, &plan->sizes,   &plan->report};
  return job;
}

/* Auto goes on without the device, and says why. */
static tsr_status after(tsr_discs_plan *plan, tsr_status status, const tsr_error *why,
                        tsr_error *error) {
  if (status == TSR_OK)
    return TSR_OK;
  if (plan->execution.backend != TSR_BACKEND_AUTO ||
      (status != TSR_NO_BACKEND && status != TSR_DEVICE && status != TSR_NO_MEMORY))
    return tsr_fail(error, status, why->item, "%s", why->text);
  tsr_discs_device_close(plan);
  memset(&plan->report, 0, sizeof plan->report);
  memcpy(plan->report.fallback, why->text, sizeof plan->report.fallback);
  return TSR_OK;
}

tsr_status tsr_discs_device_open(tsr_discs_plan *plan, tsr_error *error) {
  const tsr_discs_job job = job_of(plan);
  const tsr_discs_backend *backend = discs_backend();
  const tsr_backend_id wanted = plan->execution.backend;
  tsr_error why;
  if ((unsigned)wanted > (unsigned)TSR_BACKEND_CPU)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the backend %d is unknown", (int)wanted);
  if (!backend && wanted == TSR_BACKEND_CUDA)
    return tsr_fail(error, TSR_NO_BACKEND, -1, "the backend CUDA is not built into this Tessera");
  if (!backend || wanted == TSR_BACKEND_CPU)
    return TSR_OK;
  return after(plan, backend->open(&job, &plan->device, &why), &why, error);
}

tsr_status tsr_discs_device_fill(tsr_discs_plan *plan, const tsr_discs_output *output,
                                 tsr_error *error) {
  const tsr_discs_job job = job_of(plan);
  tsr_error why;
  tsr_status status =
      after(plan, discs_backend()->fill(plan->device, &job, output, &why), &why, error);
  if (status == TSR_OK && !plan->device)
    status = tsr_discs_sort(plan, error);
  if (status == TSR_OK && !plan->device)
    status = tsr_discs_make(plan, error);
  return status;
}

void tsr_discs_device_close(tsr_discs_plan *plan) {
  if (plan->device)
    discs_backend()->close(plan->device);
  plan->device = NULL;
}
