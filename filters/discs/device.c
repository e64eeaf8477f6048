/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: the way to the CUDA backend, which orders, makes and draws the discs. */
#include "discs/plan.h"

/* A plan is on a device only where there is a table. */
static const tsr_discs_backend *discs_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_discs_cuda();
#else
  return NULL;
#endif
}

static tsr_discs_request request_of(tsr_discs_plan *plan) {
  const tsr_discs_request request = {.view = &plan->view,
                                     .options = &plan->options,
                                     .execution = &plan->base.execution,
                                     .rules = &plan->rules,
                                     .falloff = plan->falloff,
                                     .sizes = &plan->sizes,
                                     .report = &plan->base.report};
  return request;
}

tsr_status tsr_discs_device_make(tsr_discs_plan *plan, tsr_error *error) {
  const tsr_discs_request request = request_of(plan);
  return discs_backend()->open(&request, &plan->device, error);
}

tsr_status tsr_discs_device_fill(tsr_discs_plan *plan, const tsr_discs_output *output,
                                 tsr_error *error) {
  const tsr_discs_request request = request_of(plan);
  return discs_backend()->fill(plan->device, &request, output, error);
}

void tsr_discs_device_close(tsr_discs_plan *plan) {
  if (plan->device)
    discs_backend()->close(plan->device);
  plan->device = NULL;
}
