/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: the way to the CUDA backend, which does the plan and the fill as a whole. */
#include "ordering/plan.h"

/* A plan is on a device only where there is a table. */
static const tsr_ordering_backend *ordering_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_ordering_cuda();
#else
  return NULL;
#endif
}

static tsr_ordering_request request_of(tsr_ordering_plan *plan) {
  const tsr_ordering_request request = {.view = &plan->view,
                                        .options = &plan->options,
                                        .execution = &plan->base.execution,
                                        .sizes = &plan->sizes,
                                        .report = &plan->base.report};
  return request;
}

tsr_status tsr_ordering_device_make(tsr_ordering_plan *plan, tsr_error *error) {
  const tsr_ordering_request request = request_of(plan);
  return ordering_backend()->open(&request, &plan->device, error);
}

tsr_status tsr_ordering_device_fill(tsr_ordering_plan *plan, const tsr_ordering_output *output,
                                    tsr_error *error) {
  const tsr_ordering_request request = request_of(plan);
  return ordering_backend()->fill(plan->device, &request, output, error);
}

void tsr_ordering_device_close(tsr_ordering_plan *plan) {
  if (plan->device)
    ordering_backend()->close(plan->device);
  plan->device = NULL;
}
