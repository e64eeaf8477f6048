// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/transfer.cuh"
#include "cuda/curves/waiting.cuh"

#include "cuda/common/pinned.cuh"

#include <chrono>
#include <cstring>
#include <thread>

namespace {

typedef std::chrono::steady_clock watch;

const std::chrono::milliseconds ask_every(50), wake_after(5);

// Writes `value` where running kernels see it: on a stream of its own, by the bus alone, since they
// may hold every multiprocessor.
tsr_status tell(const tsr_curves_device *plan, int value, tsr_error *error) {
  std::vector<tsr_lane> lanes;
  cudaError_t code = tsr_lanes_take(plan->state->device, 1, &lanes);
  if (code == cudaSuccess) {
    memcpy(lanes[0].slot[0], &value, sizeof value);
    code = cudaMemcpyAsync(&plan->summary->stop, lanes[0].slot[0], sizeof value,
                           cudaMemcpyHostToDevice, lanes[0].stream);
    const cudaError_t done = cudaStreamSynchronize(lanes[0].stream);
    code = code == cudaSuccess ? done : code;
  }
  tsr_lanes_give(plan->state->device, &lanes);
  TSR_CUDA(code, "telling the kernels to stop");
  return TSR_OK;
}

// Returns when the stream's work is done or has failed, or the caller wants to stop: 1.
bool caller_stops(const tsr_curves_device *plan, const tsr_execution *execution, double fraction) {
  const watch::time_point start = watch::now();
  for (watch::time_point asked = start;;) {
    const cudaError_t code = cudaStreamQuery(plan->stream);
    tsr_cuda_drop(code); // the synchronization tells it again
    if (code != cudaErrorNotReady)
      return false;
    const watch::time_point now = watch::now();
    if (now - asked >= ask_every) {
      asked = now;
      if (tsr_cuda_stopped(execution, fraction))
        return true;
    }
    if (now - start < wake_after)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

} // namespace

tsr_status tsr_host_flag::make(cudaStream_t stream, const int **seen, tsr_error *error) {
  void *memory = nullptr, *device = nullptr;
  TSR_CUDA(cudaHostAlloc(&memory, sizeof *value, cudaHostAllocMapped), "making a flag");
  value = (int *)memory;
  reader = stream;
  *value = 0;
  TSR_CUDA(cudaHostGetDevicePointer(&device, memory, 0), "making a flag");
  *seen = (const int *)device;
  return TSR_OK;
}

tsr_host_flag::~tsr_host_flag() {
  if (!value)
    return;
  tsr_cuda_drop(cudaStreamSynchronize(reader));
  tsr_cuda_drop(cudaFreeHost(value));
}

void tsr_host_flag::set() { *(volatile int *)value = 1; }

tsr_status tsr_plan_wait(tsr_curves_device *plan, const tsr_execution *execution, double fraction,
                         const char *what, tsr_error *error, tsr_host_flag *flag) {
  const bool stops = execution->progress && caller_stops(plan, execution, fraction);
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
