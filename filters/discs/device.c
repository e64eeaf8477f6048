/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: the executors of a plan, and the fill of CUDA. */
#include "discs/plan.h"

TSR_DISCS_STEPS(TSR_STEP_LOOP)
TSR_DISCS_REDUCTIONS(TSR_REDUCTION_LOOP)

/* A plan is on a device only where there is a table. */
static const tsr_discs_backend *discs_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_discs_cuda();
#else
  return NULL;
#endif
}

tsr_status tsr_discs_open(tsr_discs_plan *plan, tsr_error *error) {
  static const tsr_task loops[] = {TSR_DISCS_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction *const reductions[] = {TSR_DISCS_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  tsr_executor_on_cpu(&plan->executor, &plan->base.execution, loops, reductions);
  return plan->base.on_device
             ? discs_backend()->open(&plan->options.launch, &plan->base.execution,
                                     &plan->base.report, &plan->device, &plan->executor, error)
             : TSR_OK;
}

tsr_status tsr_discs_device_fill(tsr_discs_plan *plan, const tsr_discs_output *output,
                                 tsr_error *error) {
  const tsr_discs_request request = {.list = &plan->list,
                                     .sizes = &plan->sizes,
                                     .execution = &plan->base.execution,
                                     .report = &plan->base.report};
  return discs_backend()->fill(plan->device, &request, output, error);
}

void tsr_discs_device_close(tsr_discs_plan *plan) {
  if (plan->device)
    discs_backend()->close(plan->device);
  plan->device = NULL;
}
