// SPDX-License-Identifier: BSD-3-Clause
// The tables that filters/ordering gets: the steps as kernels, and the fill.
#include "cuda/ordering/plan.cuh"

TSR_ORDERING_STEPS(TSR_STEP_KERNEL)
TSR_ORDERING_REDUCTIONS(TSR_REDUCTION_KERNEL)

namespace {

void close(tsr_ordering_device *device) {
  const tsr_on_device scope(device->state->device);
  tsr_opened_stop(device);
  delete device;
}

tsr_status open(const tsr_execution *execution, tsr_report *report, tsr_ordering_device **made,
                tsr_executor *executor, tsr_error *error) {
  static const tsr_launch launches[] = {TSR_ORDERING_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction_launch *const reductions[] = {
      TSR_ORDERING_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  const auto nothing = [](tsr_ordering_device *, tsr_error *) { return TSR_OK; };
  TSR_STEP(tsr_open_plan(*execution, report, nothing, close, made, error));
  tsr_executor_on_device(executor, *made, execution, report, launches, reductions);
  return TSR_OK;
}

} // namespace

const tsr_ordering_backend *tsr_ordering_cuda(void) {
  static const tsr_ordering_backend backend = {open, tsr_ordering_cuda_fill, close};
  return &backend;
}
