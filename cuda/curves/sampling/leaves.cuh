// SPDX-License-Identifier: BSD-3-Clause
// Code shared by the kernels that count the leaves of a span and those that list them, one thread
// for each span.
#ifndef TSR_CURVES_SAMPLING_LEAVES_CUH
#define TSR_CURVES_SAMPLING_LEAVES_CUH

#include "cuda/common/policy.cuh"
#include "cuda/curves/waiting.cuh"

// Bytes of shared memory in which the `threads` of a block keep n components each. *kept becomes n;
// or 0, with 0 bytes, if that is more than a kernel gets without asking. Thread t passes the
// address of double number t to tsr_load_case.
static inline size_t tsr_kept_bytes(int n, int threads, int *kept) {
  const size_t bytes = (size_t)n * TSR_MAX_ORDER * (size_t)threads * sizeof(double);
  *kept = bytes <= tsr_policy::shared_unasked ? n : 0;
  return *kept > 0 ? bytes : 0;
}

// A span and what it takes to sample it.
struct tsr_loaded {
  int64_t item; // number of its curve
  tsr_span span;
  tsr_span_case it; // points to `span`
};

// Loads span s. kept: where this thread keeps its fields, one every blockDim.x doubles; NULL:
// nowhere.
static __device__ inline void tsr_load_case(const tsr_curves_view &view,
                                            const tsr_curves_criteria &criteria,
                                            const tsr_places &places, int64_t s, double *kept,
                                            tsr_loaded *loaded) {
  loaded->item = tsr_item_of(places, s);
  const tsr_item curve = tsr_item_at(&view, loaded->item);
  tsr_span_make(&view, &curve, &criteria.rules, s - tsr_first_span(places, loaded->item),
                &loaded->span);
  tsr_span_case_load(&loaded->it, &view, &criteria, &loaded->span, kept, blockDim.x);
}

// Adds the counts n of all threads, and their maximum, to the summary: first within each warp,
// since atomic additions to one address wait for each other. told: the part of n that was added
// earlier. All threads of a block call it.
static __device__ inline void tsr_tell_counts(tsr_plan_summary *summary, int64_t n, int64_t told) {
  int64_t sum = n - told;
  for (int d = 16; d > 0; d /= 2) {
    const int64_t other = __shfl_down_sync(~0u, n, d);
    sum += __shfl_down_sync(~0u, sum, d);
    n = other > n ? other : n;
  }
  if (threadIdx.x % 32 != 0)
    return;
  if (sum > 0)
    atomicAdd(&summary->running, (unsigned long long)sum);
  if (n > *(volatile long long *)&summary->most_segments)
    atomicMax(&summary->most_segments, (long long)n);
}

#endif
