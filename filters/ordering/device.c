/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: the executors of a plan, and the fill of CUDA. */
#include "ordering/plan.h"

TSR_ORDERING_STEPS(TSR_STEP_LOOP)
TSR_ORDERING_REDUCTIONS(TSR_REDUCTION_LOOP)

/* A plan is on a device only where there is a table. */
static const tsr_ordering_backend *ordering_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_ordering_cuda();
#else
  return NULL;
#endif
}

tsr_status tsr_ordering_open(tsr_ordering_plan *plan, tsr_error *error) {
  static const tsr_task loops[] = {TSR_ORDERING_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction *const reductions[] = {TSR_ORDERING_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  tsr_executor_on_cpu(&plan->executor, &plan->base.execution, loops, reductions);
  return plan->base.on_device ? ordering_backend()->open(&plan->base.execution, &plan->base.report,
                                                         &plan->device, &plan->executor, error)
                              : TSR_OK;
}

tsr_status tsr_ordering_device_fill(tsr_ordering_plan *plan, const tsr_ordering_output *output,
                                    tsr_error *error) {
  const tsr_ordering_request request = {.view = &plan->placed,
                                        .curves = &plan->curves,
                                        .sizes = &plan->sizes,
                                        .execution = &plan->base.execution,
                                        .report = &plan->base.report};
  return ordering_backend()->fill(plan->device, &request, output, error);
}

void tsr_ordering_device_close(tsr_ordering_plan *plan) {
  if (plan->device)
    ordering_backend()->close(plan->device);
  plan->device = NULL;
}
