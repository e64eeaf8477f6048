// SPDX-License-Identifier: BSD-3-Clause
// Waiting for kernels that may run long, without making the caller wait who wants to stop.
#ifndef TSR_WAITING_CUH
#define TSR_WAITING_CUH

#include "cuda/common/common.cuh"

// 1 where the caller wants to stop. stop: on the device, or a flag of the host's.
static __device__ inline bool tsr_stop_asked(const int *stop) {
  return *(const volatile int *)stop != 0;
}

// A flag of host memory that kernels read over the bus. While kernels that launch kernels run, a
// copy to the device may wait until they have ended, and so would a flag there.
class tsr_host_flag {
public:
  tsr_host_flag() = default;
  ~tsr_host_flag(); // waits for the stream's kernels, which may read it
  tsr_host_flag(const tsr_host_flag &) = delete;
  tsr_host_flag &operator=(const tsr_host_flag &) = delete;
  // *seen: where the stream's kernels find it, not set.
  tsr_status make(cudaStream_t stream, const int **seen, tsr_error *error);
  void set();

private:
  int *value = nullptr;
  cudaStream_t reader = nullptr;
};

// Returns when the stream's work is done or has failed: false; or when the caller, who is asked 20
// times a second, wants to stop: true.
bool tsr_caller_stops(cudaStream_t stream, const tsr_execution *execution, double fraction);

#endif
