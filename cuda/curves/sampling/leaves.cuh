// SPDX-License-Identifier: BSD-3-Clause
// The leaves of one span, by one thread: counting and writing them, with a look now and then at
// whether to go on.
#ifndef TSR_LEAVES_CUH
#define TSR_LEAVES_CUH

#include "cuda/curves/waiting.cuh"

// Leaves of a span by bisection. *told: how many of them are in the summary's sum already. It ends
// early where they are too many, or the caller wants to stop.
static __device__ inline int64_t tsr_count_leaves(tsr_span_case *it, int64_t limit,
                                                  tsr_plan_summary *summary, int64_t *told) {
  tsr_leaf node = {0, 0};
  int64_t n = 0;
  while (tsr_next_leaf(it, &node)) {
    if (n == it->most)
      return tsr_most_steps(it);
    ++n;
    tsr_pass_leaf(&node);
    if (n % tsr_leaves_a_look != 0)
      continue;
    *told = n;
    if (tsr_counting_over(summary, tsr_leaves_a_look, (unsigned long long)limit))
      break;
  }
  return n;
}

// Writes them; incomplete where the caller wants to stop.
static __device__ inline void tsr_write_leaves(tsr_span_case *it, uint32_t *to, const int *stop) {
  tsr_leaf node = {0, 0};
  for (int64_t n = 0; tsr_next_leaf(it, &node);) {
    if (n == it->most) {
      for (int64_t k = 0; k < n; ++k)
        to[k] = tsr_uniform_fixed(k, n);
      return;
    }
    to[n++] = tsr_leaf_fixed(&node);
    tsr_pass_leaf(&node);
    if (n % tsr_leaves_a_look == 0 && tsr_stop_asked(stop))
      return;
  }
}

// The case of span s; *item: the number of the curve that it belongs to. span must outlive it.
static __device__ inline void tsr_case_of_span(const tsr_curves_view &view,
                                               const tsr_criteria &criteria,
                                               const tsr_places &places, int64_t s, int64_t *item,
                                               tsr_span *span, tsr_span_case *it) {
  *item = tsr_item_of(places, s);
  const tsr_item curve = tsr_item_at(&view, *item);
  tsr_span_make(&view, &curve, &criteria.rules, s - tsr_first_span(places, *item), span);
  tsr_span_case_init(it, &view, &criteria, span);
}

// Adds up by warp what its threads have counted and not told yet: additions in one place wait for
// each other. Called by all threads of a block.
static __device__ inline void tsr_tell_counts(tsr_plan_summary *summary, int64_t sum) {
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0 && sum > 0)
    atomicAdd(&summary->running, (unsigned long long)sum);
}

#endif
