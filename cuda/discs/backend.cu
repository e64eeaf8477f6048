// SPDX-License-Identifier: BSD-3-Clause
// The tables that filters/discs gets: the steps as kernels, and the fill.
#include "cuda/discs/plan.cuh"

TSR_DISCS_STEPS(TSR_STEP_KERNEL)
TSR_DISCS_REDUCTIONS(TSR_REDUCTION_KERNEL)

namespace {

tsr_status check_launch(const tsr_discs_launch &e, tsr_report *report, tsr_error *error) {
  if (e.strategy != TSR_DISCS_STRATEGY_AUTO && e.strategy != TSR_DISCS_FLAT &&
      e.strategy != TSR_DISCS_AGGREGATED_CHILDREN)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "disc images have no launch strategy %d: take Auto, Flat or "
                           "Aggregated Grids",
                           (int)e.strategy);
  TSR_STEP(tsr_check_children(e.child_stream, e.pending_launches, error));
  if (e.launch_threshold < 0)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "the launch threshold must not be negative, but is %lld",
                           (long long)e.launch_threshold);
  report->child_stream = e.child_stream;
  report->strategy = e.strategy == TSR_DISCS_STRATEGY_AUTO ? TSR_DISCS_FLAT : e.strategy;
  return TSR_OK;
}

void close(tsr_discs_device *device) {
  const tsr_on_device scope(device->state->device);
  tsr_opened_stop(device);
  delete device;
}

tsr_status open(const tsr_discs_launch *launch, const tsr_execution *execution, tsr_report *report,
                tsr_discs_device **made, tsr_executor *executor, tsr_error *error) {
  static const tsr_launch launches[] = {TSR_DISCS_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction_launch *const reductions[] = {
      TSR_DISCS_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  const auto nothing = [](tsr_discs_device *, tsr_error *) { return TSR_OK; };
  TSR_STEP(check_launch(*launch, report, error));
  TSR_STEP(tsr_open_plan(*execution, report, nothing, close, made, error));
  tsr_executor_on_device(executor, *made, execution, report, launches, reductions);
  return TSR_OK;
}

} // namespace

const tsr_discs_backend *tsr_discs_cuda(void) {
  static const tsr_discs_backend backend = {open, tsr_discs_cuda_fill, close};
  return &backend;
}
