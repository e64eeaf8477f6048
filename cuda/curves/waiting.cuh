// SPDX-License-Identifier: BSD-3-Clause
// Waiting for kernels that may run long, so that a caller who wants to stop need not.
#ifndef TSR_WAITING_CUH
#define TSR_WAITING_CUH

#include "cuda/curves/plan.cuh"

// Leaves that a thread goes through between two looks at whether to go on.
const int tsr_leaves_a_look = 128;

// 1 where the caller wants to stop. stop: of the plan's summary.
static __device__ inline bool tsr_stop_asked(const int *stop) {
  return *(const volatile int *)stop != 0;
}

// Tells how many leaves were counted since it was told last; 1 where counting is over: there are
// more than `limit` of them together, or the caller wants to stop.
static __device__ inline bool tsr_counting_over(tsr_summary *summary, unsigned long long leaves,
                                                unsigned long long limit) {
  const unsigned long long before = leaves > 0 ? atomicAdd(&summary->running, leaves)
                                               : *(volatile unsigned long long *)&summary->running;
  return before + leaves > limit || tsr_stop_asked(&summary->stop);
}

// A flag of host memory that kernels read over the bus. While kernels that launch kernels run, a
// copy to the device may wait until they have ended, and so would the summary's flag.
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

// Waits for the plan's stream, and asks the caller 20 times a second whether to go on. If not, the
// kernels are told, by `flag` too where it is not NULL, and the status is TSR_ABORTED. what:
// "counting the points".
tsr_status tsr_plan_wait(tsr_curves_device *plan, const tsr_execution *execution, double fraction,
                         const char *what, tsr_error *error, tsr_host_flag *flag = nullptr);

#endif
