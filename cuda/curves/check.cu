// SPDX-License-Identifier: BSD-3-Clause
// What is refused before anything starts.
#include "cuda/curves/check.cuh"

#include "cuda/common/opened.cuh"

// Numbers out of their range.
static tsr_status check_numbers(const tsr_curves_launch &e, tsr_error *error) {
  if ((unsigned)e.strategy > TSR_STRATEGY_RECURSIVE_CHILDREN ||
      (unsigned)e.output_memory > TSR_MEMORY_DEVICE_HEAP)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "the launch strategy %d or output memory %d is unknown", (int)e.strategy,
                           (int)e.output_memory);
  TSR_STEP(tsr_check_children(e.child_stream, e.pending_launches, error));
  if (e.heap_bytes < 0 || e.launch_threshold < 0 || e.device_bytes < 0)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "the device heap size, the launch threshold and the device memory must "
                           "not be negative, but are %lld, %lld and %lld",
                           (long long)e.heap_bytes, (long long)e.launch_threshold,
                           (long long)e.device_bytes);
  if (e.keep_bytes < 0)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "the bytes of input kept on a device must not be negative, but are %lld",
                           (long long)e.keep_bytes);
  return tsr_check_nesting(e.nesting_depth, error);
}

tsr_status tsr_check_launch(const tsr_curves_request *request, tsr_error *error) {
  const tsr_curves_launch &e = *request->launch;
  tsr_report *report = request->report;
  TSR_STEP(check_numbers(e, error));
  report->strategy = e.strategy;
  report->child_stream = e.child_stream;
  report->output_memory = e.output_memory;
  // Flat was the fastest at every size and kind of input (docs/cuda.md). Memory from the device
  // heap needs a strategy where every curve has an owner.
  if (e.strategy == TSR_STRATEGY_AUTO)
    report->strategy =
        e.output_memory == TSR_MEMORY_DEVICE_HEAP ? TSR_STRATEGY_BLOCK_PER_ITEM : TSR_STRATEGY_FLAT;
  if (report->strategy == TSR_STRATEGY_RECURSIVE_CHILDREN &&
      request->criteria->sampling != TSR_SAMPLING_BISECTION)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "Recursive Child Grids divide pieces in halves: they need the sampling "
                           "by bisection");
  if (report->strategy == TSR_STRATEGY_RECURSIVE_CHILDREN && request->criteria->use_curvature)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "Recursive Child Grids cannot keep to Maximum Points: switch the "
                           "curvature factor off or take another strategy");
  if (e.output_memory == TSR_MEMORY_DEVICE_HEAP &&
      (report->strategy == TSR_STRATEGY_FLAT ||
       report->strategy == TSR_STRATEGY_RECURSIVE_CHILDREN))
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "output memory from the device heap is allocated by each curve's owner, "
                           "and %s have none: take Block Per Item, Child Grid Per Item or "
                           "Aggregated Grids, or another output memory",
                           report->strategy == TSR_STRATEGY_FLAT ? "the blocks of Flat"
                                                                 : "Recursive Child Grids");
  return TSR_OK;
}
