// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/curves/waiting.cuh"

#include "cuda/common/transfer/pinned.cuh"

#include <cstring>

namespace {

// Writes `value` where running kernels see it: on a stream of its own, by the bus alone, since they
// may hold every multiprocessor.
tsr_status tell(const tsr_curves_device *plan, int value, tsr_error *error) {
  std::vector<tsr_lane> lanes;
  cudaError_t code = tsr_lanes_take(plan->state->device, 1, &lanes);
  if (code == cudaSuccess) {
    memcpy(lanes[0].slot[0], &value, sizeof value);
    code = tsr_copy_async(&plan->summary->stop, lanes[0].slot[0], sizeof value,
                          cudaMemcpyHostToDevice, lanes[0].stream);
    const cudaError_t done = cudaStreamSynchronize(lanes[0].stream);
    code = code == cudaSuccess ? done : code;
  }
  tsr_lanes_give(plan->state->device, &lanes);
  TSR_CUDA(code, "telling the kernels to stop");
  return TSR_OK;
}

} // namespace

tsr_status tsr_plan_wait(tsr_curves_device *plan, const tsr_execution *execution, double fraction,
                         const char *what, tsr_error *error, tsr_host_flag *flag) {
  const bool stops = tsr_caller_stops(plan->stream, execution, fraction);
  if (stops && flag)
    flag->set();
  const tsr_status told = stops ? tell(plan, 1, error) : TSR_OK;
  TSR_CUDA(cudaStreamSynchronize(plan->stream), what);
  TSR_STEP(told);
  if (!stops)
    return TSR_OK;
  TSR_STEP(tell(plan, 0, error));
  return tsr_cuda_refuse(error, TSR_ABORTED, "stopped while %s", what);
}
