// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/curves/sampling/equal.cuh"

#include "cuda/curves/sampling/leaves.cuh"

namespace {

// Segments of the search's next candidate; a larger number than search.most where they are too
// many, or -1 where counting is over.
__device__ int64_t count_candidate(tsr_walk *walk, tsr_span_case *it, const tsr_search &search,
                                   int64_t limit, tsr_plan_summary *summary) {
  int64_t n = 0;
  while (tsr_walk_next(walk, it)) {
    if (tsr_search_gives_up(&search, walk, ++n))
      return search.most + 1;
    if (n % tsr_leaves_a_look == 0 && tsr_counting_over(summary, 0, (unsigned long long)limit))
      return -1;
  }
  return n;
}

// Segments of a span; 1 where counting is over. *told: as in tsr_count_leaves.
__device__ int64_t search_span(tsr_span_case *it, int64_t limit, tsr_plan_summary *summary,
                               tsr_choice *choice, int64_t *told) {
  tsr_density density;
  tsr_search search;
  tsr_walk walk;
  if (tsr_search_start(&search, it)) {
    tsr_density_of_span(&density, it);
    tsr_search_aim(&search, it, &density);
  }
  while (tsr_search_next(&search, it, &density, &walk)) {
    const int64_t n = count_candidate(&walk, it, search, limit, summary);
    if (n < 0)
      return 1;
    tsr_search_tell(&search, it, &walk, n);
  }
  *choice = search.choice;
  it->at_limit = search.limited;
  if (search.choice != TSR_CHOICE_BISECTION)
    return search.count;
  it->at_limit = 0;
  return tsr_count_leaves(it, limit, summary, told);
}

__global__ void __launch_bounds__(128)
    count_kernel(tsr_curves_view view, tsr_criteria criteria, tsr_places places, int64_t limit,
                 int64_t *counts, tsr_choice *choices, uint8_t *limited,
                 tsr_plan_summary *summary) {
  const int64_t s = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  int64_t told = 0, n = 0;
  if (s < places.n_spans) {
    int64_t item;
    tsr_span span;
    tsr_span_case it;
    tsr_case_of_span(view, criteria, places, s, &item, &span, &it);
    n = 1;
    if (!tsr_counting_over(summary, 0, (unsigned long long)limit))
      n = search_span(&it, limit, summary, &choices[s], &told);
    if (it.at_limit) {
      limited[item] = 1;
      summary->limited = 1;
    }
  }
  if (s <= places.n_spans)
    counts[s] = n;
  tsr_tell_counts(summary, n - told);
}

__global__ void __launch_bounds__(128)
    leaves_kernel(tsr_fill_job job, const tsr_choice *choices, uint32_t *leaves, const int *stop) {
  const int64_t s = job.span_begin + (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= job.span_end)
    return;
  const int64_t *start = job.places.segment_start;
  uint32_t *to = leaves + (start[s] - start[job.span_begin]);
  int64_t item;
  tsr_span span;
  tsr_span_case it;
  tsr_density density;
  tsr_walk walk;
  if (choices[s] == (1 | TSR_CHOICE_WHOLE)) {
    *to = 0;
    return;
  }
  tsr_case_of_span(job.view, job.criteria, job.places, s, &item, &span, &it);
  if (choices[s] == TSR_CHOICE_BISECTION) {
    tsr_write_leaves(&it, to, stop);
    return;
  }
  density.form = TSR_DENSITY_CONSTANT;
  if (choices[s] & TSR_CHOICE_EQUAL)
    tsr_density_of_span(&density, &it);
  tsr_walk_start(&walk, &density, &it, choices[s]);
  for (int64_t n = 1; tsr_walk_next(&walk, &it); ++n) {
    *to++ = tsr_walk_leaf(&walk);
    if (n % tsr_leaves_a_look == 0 && tsr_stop_asked(stop))
      return;
  }
}

} // namespace

cudaError_t tsr_equal_count(const tsr_curves_device *plan, int64_t limit) {
  count_kernel<<<tsr_blocks(plan->places.n_spans + 1, 128), 128, 0, plan->stream>>>(
      plan->view, plan->criteria, plan->places, limit, plan->segment_start, plan->choices,
      plan->limited, plan->summary);
  return cudaGetLastError();
}

cudaError_t tsr_equal_leaves(const tsr_fill_job &job, const tsr_choice *choices, uint32_t *leaves,
                             const int *stop, cudaStream_t stream) {
  leaves_kernel<<<tsr_blocks(job.span_end - job.span_begin, 128), 128, 0, stream>>>(job, choices,
                                                                                    leaves, stop);
  return cudaGetLastError();
}
