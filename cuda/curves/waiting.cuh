// SPDX-License-Identifier: BSD-3-Clause
// Waiting for kernels that count or make points, and telling them to stop.
#ifndef TSR_CURVES_WAITING_CUH
#define TSR_CURVES_WAITING_CUH

#include "cuda/common/waiting.cuh"
#include "cuda/curves/plan.cuh"

// Leaves that a thread goes through between two looks at whether to go on.
const int tsr_leaves_a_look = 128;

// Tells how many leaves were counted since it was told last; 1 where counting is over: there are
// more than `limit` of them together, or the caller wants to stop.
static __device__ inline bool
tsr_counting_over(tsr_plan_summary *summary, unsigned long long leaves, unsigned long long limit) {
  const unsigned long long before = leaves > 0 ? atomicAdd(&summary->running, leaves)
                                               : *(volatile unsigned long long *)&summary->running;
  return before + leaves > limit || tsr_stop_asked(&summary->stop);
}

// Waits for the plan's stream, and asks the caller 20 times a second whether to go on. If not, the
// kernels are told, by `flag` too where it is not NULL, and the status is TSR_ABORTED. what:
// "counting the points".
tsr_status tsr_plan_wait(tsr_curves_device *plan, const tsr_execution *execution, double fraction,
                         const char *what, tsr_error *error, tsr_host_flag *flag = nullptr);

#endif
