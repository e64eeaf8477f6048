/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: the way to the CUDA backend, which orders, makes and draws the discs. */
#include "discs/plan.h"

/* A plan has a device only where there is a table. */
static const tsr_discs_backend *discs_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_discs_cuda();
#else
  return NULL;
#endif
}

static tsr_discs_job job_of(tsr_discs_plan *plan) {
  const tsr_discs_job job = {.view = &plan->view,
                             .options = &plan->options,
                             .execution = &plan->execution,
                             .rules = &plan->rules,
                             .falloff = plan->falloff,
                             .sizes = &plan->sizes,
                             .report = &plan->report};
  return job;
}

static tsr_status open_device(void *data, tsr_error *error) {
  tsr_discs_plan *plan = data;
  const tsr_discs_job job = job_of(plan);
  return discs_backend()->open(&job, &plan->device, error);
}

tsr_status tsr_discs_device_open(tsr_discs_plan *plan, tsr_error *error) {
  return tsr_open_on_device(&plan->execution, &plan->report, open_device, plan, error);
}

tsr_status tsr_discs_device_fill(tsr_discs_plan *plan, const tsr_discs_output *output,
                                 tsr_error *error) {
  const tsr_discs_job job = job_of(plan);
  tsr_report without = {.plan_seconds = plan->report.plan_seconds};
  tsr_error why;
  const tsr_status status = discs_backend()->fill(plan->device, &job, output, &why);
  if (status == TSR_OK)
    return TSR_OK;
  if (!tsr_device_gave_up(&plan->execution, status, &why, &without))
    return tsr_fail(error, status, why.item, "%s", why.text);
  tsr_discs_device_close(plan);
  plan->report = without;
  return TSR_OK;
}

void tsr_discs_device_close(tsr_discs_plan *plan) {
  if (plan->device)
    discs_backend()->close(plan->device);
  plan->device = NULL;
}
