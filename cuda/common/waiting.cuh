// SPDX-License-Identifier: BSD-3-Clause
// Waiting for kernels that may run long, such that the user can still abort.
#ifndef TSR_COMMON_WAITING_CUH
#define TSR_COMMON_WAITING_CUH

#include "cuda/common/common.cuh"

// True if the user has aborted. stop: a flag in device memory, or in host memory that the device
// sees.
static __device__ inline bool tsr_stop_asked(const int *stop) {
  return *(const volatile int *)stop != 0;
}

// A stop flag in host memory, which kernels read over the bus. A flag in device memory would not
// do: while kernels that launch kernels run, a copy to the device, which would set it, may wait
// until they have ended.
class tsr_host_flag {
public:
  tsr_host_flag() = default;
  ~tsr_host_flag(); // waits for the stream, whose kernels may read the flag
  tsr_host_flag(const tsr_host_flag &) = delete;
  tsr_host_flag &operator=(const tsr_host_flag &) = delete;
  // Makes the flag, not set. *seen: its address for the stream's kernels.
  tsr_status make(cudaStream_t stream, const int **seen, tsr_error *error);
  void set();

private:
  int *value = nullptr;
  cudaStream_t reader = nullptr;
};

// Waits for the stream's work, and asks 20 times a second whether the user wants to abort. Returns
// true on an abort, false if the work is done or has failed. fraction: the progress to show
// meanwhile.
bool tsr_caller_stops(cudaStream_t stream, const tsr_execution *execution, double fraction);

#endif
