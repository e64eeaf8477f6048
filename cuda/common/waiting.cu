// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/waiting.cuh"

#include "cuda/common/transfer/transfer.cuh"

#include <chrono>
#include <thread>

namespace {

typedef std::chrono::steady_clock watch;

const std::chrono::milliseconds ask_every(50), wake_after(5);

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

bool tsr_caller_stops(cudaStream_t stream, const tsr_execution *execution, double fraction) {
  if (!execution->progress)
    return false;
  const watch::time_point start = watch::now();
  for (watch::time_point asked = start;;) {
    const cudaError_t code = cudaStreamQuery(stream);
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
