// SPDX-License-Identifier: BSD-3-Clause
// Waiting for the kernels that count or make points, and telling them to stop.
#ifndef TSR_CURVES_WAITING_CUH
#define TSR_CURVES_WAITING_CUH

#include "cuda/common/waiting.cuh"
#include "cuda/curves/plan.cuh"

// A thread checks after this many leaves whether it should stop.
const int tsr_leaves_a_look = 128;

// Adds `leaves`, which this thread has counted since its last call, to the sum of all threads.
// Returns true if counting should end: the sum is above `limit`, or the user has aborted.
static __device__ inline bool
tsr_counting_over(tsr_plan_summary *summary, unsigned long long leaves, unsigned long long limit) {
  const unsigned long long before = leaves > 0 ? atomicAdd(&summary->running, leaves)
                                               : *(volatile unsigned long long *)&summary->running;
  return before + leaves > limit || tsr_stop_asked(&summary->stop);
}

// Waits for the plan's stream, and asks 20 times a second whether the user wants to abort. If so,
// it tells the kernels, through the summary and, unless NULL, through `flag`, and returns
// TSR_ABORTED. what: the work, for an error: "counting the points".
tsr_status tsr_plan_wait(tsr_curves_device *plan, const tsr_execution *execution, double fraction,
                         const char *what, tsr_error *error, tsr_host_flag *flag = nullptr);

#endif
