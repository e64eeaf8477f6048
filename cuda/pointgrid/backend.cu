// SPDX-License-Identifier: BSD-3-Clause
// The tables that filters/pointgrid gets: the steps as kernels, and what is written by hand.
#include "cuda/pointgrid/device.cuh"
#include "pointgrid/steps.h"

TSR_POINTGRID_STEPS(TSR_STEP_KERNEL)
TSR_POINTGRID_REDUCTIONS(TSR_REDUCTION_KERNEL)

namespace {

tsr_status check_launch(const tsr_pointgrid_input *input, tsr_error *error) {
  const tsr_pointgrid_launch &e = input->options.launch;
  const int wanted = (int)e.strategy;
  if (wanted != TSR_POINTGRID_STRATEGY_AUTO &&
      (wanted < TSR_POINTGRID_FLAT || wanted > TSR_POINTGRID_HOST_WAVES))
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "point grids have no launch strategy %d: take Auto, Flat, "
                           "Recursive Child Grids or Host Waves",
                           wanted);
  if (input->rule.use_spread &&
      (wanted == TSR_POINTGRID_FLAT || wanted == TSR_POINTGRID_RECURSIVE_CHILDREN))
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "%s by their numbers of points alone: for the spread of an array take "
                           "Auto or Host Waves",
                           wanted == TSR_POINTGRID_FLAT ? "Flat finds cells"
                                                        : "Recursive Child Grids find cells");
  TSR_STEP(tsr_check_children(e.child_stream, e.pending_launches, error));
  return tsr_check_nesting(e.nesting_depth, error);
}

void close(tsr_pointgrid_device *plan) {
  const tsr_on_device scope(plan->state->device);
  tsr_opened_stop(plan);
  delete plan;
}

tsr_status open(const tsr_pointgrid_input *input, tsr_pointgrid_device **made,
                tsr_executor *executor, tsr_error *error) {
  static const tsr_launch launches[] = {TSR_POINTGRID_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction_launch *const reductions[] = {
      TSR_POINTGRID_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  const auto nothing = [](tsr_pointgrid_device *, tsr_error *) { return TSR_OK; };
  TSR_STEP(check_launch(input, error));
  TSR_STEP(tsr_open_plan(*input->execution, input->report, nothing, close, made, error));
  tsr_executor_on_device(executor, *made, input->execution, input->report, launches, reductions);
  return TSR_OK;
}

} // namespace

const tsr_pointgrid_backend *tsr_pointgrid_cuda(void) {
  static const tsr_pointgrid_backend backend = {open, tsr_pointgrid_cuda_sort,
                                                tsr_pointgrid_cuda_values, close};
  return &backend;
}
