// SPDX-License-Identifier: BSD-3-Clause
// Counting segments and making leaves, a thread a span; see spans.cuh. A .cu file that includes
// this has nothing else but the table of its kernels.
#include "cuda/common/warp.cuh"
#include "cuda/curves/sampling/leaves.cuh"
#include "cuda/curves/span/spans.cuh"

namespace {

const int count_block = 128;

// Blocks a multiprocessor, at least: as many registers a thread as its control points take.
#if TSR_ANY_SPAN || TSR_ONE_DEGREE <= 3
const int count_blocks = 3, whole_blocks = 5;
#else
const int count_blocks = 2, whole_blocks = 3;
#endif

#if !TSR_ANY_SPAN && TSR_ONE_DEGREE == 1
const bool straight = true;
#else
const bool straight = false;
#endif

// Equal steps, as many as the span may have, where bisection would make more. By itself and on a
// copy, so that the case of all other spans can stay in registers.
__device__ __noinline__ int64_t most_steps(tsr_span_case *copy) { return tsr_most_steps(copy); }

// What a thread is looking at.
enum stage { CANDIDATE, BISECTION };

// State of a thread that looks for the best way to divide its span: it tries one candidate after
// another. In every step each thread of a warp handles one segment, whichever candidate it is at.
// (With a loop for each candidate, the threads waited for the longest one each time.)
struct counting {
  tsr_density *density; // declared outside the struct: it is accessed by a computed index, and the
                        // compiler keeps the rest in registers
  uint32_t *later;
  tsr_search search;
  tsr_walk walk;
  stage at;
  int64_t n;     // segments of the candidate so far
  uint32_t *own; // the leaves of the candidate's first segments; NULL: not wanted
  uint32_t *few; // receives the leaves of the best candidate
};

// Stores the leaf of the candidate's current segment in c->own.
__device__ void keep_leaf(counting *c) {
  if (c->own && c->n < tsr_few_leaves)
    c->own[c->n] = tsr_walk_leaf(&c->walk);
}

// Copies the leaves of a finished candidate from c->own to c->few.
__device__ void keep_few(const counting *c) {
  static_assert(tsr_few_leaves % 4 == 0, "in pieces of 16 bytes");
  for (int k = 0; c->own && c->n <= tsr_few_leaves && k < tsr_few_leaves; k += 4) {
    const uint4 four = {c->own[k], c->own[k + 1], c->own[k + 2], c->own[k + 3]};
    *(uint4 *)(c->few + k) = four;
  }
}

__device__ void look_at(counting *c, const tsr_span_case *it, stage at) {
  c->at = at;
  c->n = 0;
  if (at != CANDIDATE)
    tsr_walk_start(&c->walk, c->later, c->density, it, 1);
  tsr_walk_pass(&c->walk);
}

// Starts the next candidate. Returns false if the search is over and has chosen one.
__device__ bool next_candidate(counting *c, tsr_span_case *it) {
  if (tsr_search_next(&c->search, it, c->density, &c->walk, c->later)) {
    look_at(c, it, CANDIDATE);
    return true;
  }
  if (c->search.choice != TSR_CHOICE_BISECTION)
    return false;
  it->at_limit = 0;
  look_at(c, it, BISECTION);
  return true;
}

// Handles the end of a segment of a candidate. Returns false if the search is over. *over: true if
// counting as a whole should end.
__device__ bool pass_segment(counting *c, tsr_span_case *it, int64_t limit,
                             tsr_plan_summary *summary, bool *over) {
  const tsr_choice best = c->search.choice;
  keep_leaf(c);
  const bool gives_up = tsr_search_gives_up(&c->search, &c->walk, ++c->n);
  *over = c->n % tsr_leaves_a_look == 0 && tsr_counting_over(summary, 0, (unsigned long long)limit);
  if (*over)
    return false;
  if (!gives_up && tsr_walk_pass(&c->walk))
    return true;
  tsr_search_tell(&c->search, it, &c->walk, gives_up ? c->search.most + 1 : c->n);
  if (c->search.choice != best)
    keep_few(c);
  return next_candidate(c, it);
}

// As pass_segment, for bisection, if that was chosen or asked for. *told: number of leaves that
// this thread has already added to the summary. Returns false early if there are too many leaves,
// or if the user has aborted.
__device__ bool pass_leaf(counting *c, tsr_span_case *it, int64_t limit, tsr_plan_summary *summary,
                          int64_t *told) {
  if (TSR_ANY_SPAN && c->n == it->most) {
    tsr_span_case copy = *it;
    c->n = most_steps(&copy);
    it->at_limit = copy.at_limit;
    return false;
  }
  keep_leaf(c);
  if (++c->n % tsr_leaves_a_look == 0) {
    *told = c->n;
    if (tsr_counting_over(summary, tsr_leaves_a_look, (unsigned long long)limit))
      return false;
  }
  if (tsr_walk_pass(&c->walk))
    return true;
  keep_few(c);
  return false;
}

// Segments of a span by equal errors, which is more than one, or by bisection; 1 where counting is
// over. choice: NULL for bisection. few: as of the plan, for this span.
__device__ int64_t search_span(tsr_span_case *it, int64_t limit, tsr_plan_summary *summary,
                               tsr_choice *choice, uint32_t *few, int64_t *told) {
  tsr_density density;
  uint32_t later[TSR_WALK_DEPTH], own[tsr_few_leaves] = {0};
  counting c;
  bool going = true, over = false;
  density.form = TSR_DENSITY_CONSTANT;
  c.density = &density;
  c.later = later;
  c.own = few ? own : nullptr;
  c.few = few;
  tsr_search_clear(&c.search, it);
  if (choice) {
    tsr_density_of_span(&density, it);
    tsr_search_aim(&c.search, it, &density);
    going = next_candidate(&c, it);
  } else {
    look_at(&c, it, BISECTION);
  }
  while (going) {
    if (!tsr_walk_fulfilled(&c.walk, it) && tsr_walk_halve(&c.walk, it))
      continue;
    if (c.at == CANDIDATE)
      going = pass_segment(&c, it, limit, summary, &over);
    else
      going = pass_leaf(&c, it, limit, summary, told);
  }
  if (over)
    return 1;
  if (choice)
    *choice = c.search.choice;
  if (c.at == BISECTION)
    return c.n;
  it->at_limit = c.search.limited;
  return c.search.count;
}

// Where this thread keeps `components` fields of its span; NULL: nowhere.
__device__ double *kept_fields(double *shared, int components) {
  return components > 0 ? shared + threadIdx.x : nullptr;
}

// Parameters of the kernels that count.
struct count_params {
  tsr_curves_view view;
  tsr_curves_criteria criteria;
  tsr_places places;
  int64_t limit;   // most segments
  int kept;        // components of fields that a thread keeps; see tsr_kept_bytes
  int64_t *counts; // n_spans + 1; receives the segments of each span
  // As of tsr_curves_device.
  tsr_choice *choices;
  int64_t *searched;
  uint32_t *few;
  uint8_t *limited;
  tsr_plan_summary *summary;
};

// Records that a span of the item ended at the level limit.
__device__ void note_limit(const count_params &params, int64_t item) {
  params.limited[item] = 1;
  params.summary->limited = 1;
}

// Appends the span to the list of spans to search, if it is `open`. All threads of a warp call it.
__device__ void list_span(int64_t s, bool open, int64_t *list, tsr_plan_summary *summary) {
  const unsigned long long at = tsr_warp_place(&summary->n_searched, open);
  if (open)
    list[at] = s;
}

// First step of counting by equal errors: finds the spans for which one segment is enough. The
// other spans are listed, so that the threads of a warp then have about equally much to do.
__global__ void __launch_bounds__(count_block, whole_blocks) whole_kernel(count_params params) {
  const int64_t s = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_span = s < params.places.n_spans;
  bool open = false;
  if (is_span) {
    tsr_loaded loaded;
    tsr_search search;
    tsr_load_case(params.view, params.criteria, params.places, s, nullptr, &loaded);
    tsr_span_case_begin(&loaded.it);
    open = tsr_search_start(&search, &loaded.it);
    params.choices[s] = search.choice;
    if (!open && search.limited)
      note_limit(params, loaded.item);
    params.counts[s] = 1;
  } else if (s == params.places.n_spans) {
    params.counts[s] = 0;
  }
  list_span(s, open, params.searched, params.summary);
  tsr_tell_counts(params.summary, is_span && !open, 0);
}

// First step where one segment is enough for every span, whatever the input: for straight spans
// without criteria but the chord error (tsr_stretch_known).
__global__ void straight_kernel(count_params params) {
  const int64_t s = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (s < params.places.n_spans)
    params.choices[s] = 1 | TSR_CHOICE_WHOLE;
  if (s <= params.places.n_spans)
    params.counts[s] = s < params.places.n_spans;
  if (s > 0 || params.places.n_spans == 0)
    return;
  params.summary->running = (unsigned long long)params.places.n_spans;
  params.summary->most_segments = 1;
}

// Second step: searches spans for the best way to divide them: the n of params.searched, or, if
// that is NULL, all. params.choices receives the results of the search by equal errors; NULL: spans
// are bisected.
__global__ void __launch_bounds__(count_block, count_blocks)
    search_kernel(count_params params, int64_t n) {
  extern __shared__ double shared[];
  const int64_t t = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  int64_t told = 0, segments = 0;
  if (t < n) {
    const int64_t s = params.searched ? params.searched[t] : t;
    tsr_loaded loaded;
    tsr_load_case(params.view, params.criteria, params.places, s, kept_fields(shared, params.kept),
                  &loaded);
    tsr_span_case_begin(&loaded.it);
    segments = 1;
    if (!tsr_counting_over(params.summary, 0, (unsigned long long)params.limit))
      segments = search_span(&loaded.it, params.limit, params.summary,
                             params.choices ? params.choices + s : nullptr,
                             params.few ? params.few + s * tsr_few_leaves : nullptr, &told);
    if (loaded.it.at_limit)
      note_limit(params, loaded.item);
    params.counts[s] = segments;
  } else if (t == n && !params.searched) {
    params.counts[t] = 0;
  }
  tsr_tell_counts(params.summary, segments, told);
}

__global__ void __launch_bounds__(count_block, count_blocks) uniform_kernel(count_params params) {
  extern __shared__ double shared[];
  const int64_t s = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  int64_t n = 0;
  if (s < params.places.n_spans) {
    tsr_loaded loaded;
    tsr_load_case(params.view, params.criteria, params.places, s, kept_fields(shared, params.kept),
                  &loaded);
    tsr_span_case_start(&loaded.it);
    n = loaded.it.uniform_count;
    if (loaded.it.at_limit)
      note_limit(params, loaded.item);
  }
  if (s <= params.places.n_spans)
    params.counts[s] = n;
  tsr_tell_counts(params.summary, n, 0);
}

// The leaves of a span by the choice of the count; incomplete where the caller wants to stop.
__device__ void write_chosen(tsr_span_case *it, tsr_choice choice, uint32_t *to, const int *stop) {
  const bool bisection = choice == TSR_CHOICE_BISECTION;
  tsr_density density;
  tsr_walk walk;
  uint32_t later[TSR_WALK_DEPTH];
  density.form = TSR_DENSITY_CONSTANT;
  if (choice & TSR_CHOICE_EQUAL)
    tsr_density_of_span(&density, it);
  tsr_walk_start(&walk, later, &density, it, bisection ? 1 : choice);
  for (int64_t n = 0; tsr_walk_next(&walk, it);) {
    if (TSR_ANY_SPAN && bisection && n == it->most) {
      for (int64_t k = 0; k < n; ++k)
        to[k] = tsr_uniform_fixed(k, n);
      return;
    }
    to[n++] = tsr_walk_leaf(&walk);
    if (n % tsr_leaves_a_look == 0 && tsr_stop_asked(stop))
      return;
  }
}

__global__ void __launch_bounds__(count_block, count_blocks)
    leaves_kernel(tsr_fill_piece piece, const tsr_choice *choices, const uint32_t *few, int kept,
                  uint32_t *leaves, const int *stop) {
  extern __shared__ double shared[];
  const int64_t s = piece.span_begin + (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= piece.span_end)
    return;
  const int64_t *start = piece.places.segment_start;
  const tsr_choice choice = choices ? choices[s] : TSR_CHOICE_BISECTION;
  uint32_t *to = leaves + (start[s] - start[piece.span_begin]);
  tsr_loaded loaded;
  if (choice == (1 | TSR_CHOICE_WHOLE)) {
    *to = 0;
    return;
  }
  if (few && start[s + 1] - start[s] <= tsr_few_leaves) {
    for (int k = 0; k < start[s + 1] - start[s]; ++k)
      to[k] = few[s * tsr_few_leaves + k];
    return;
  }
  tsr_load_case(piece.view, piece.criteria, piece.places, s, kept_fields(shared, kept), &loaded);
  tsr_span_case_begin(&loaded.it);
  write_chosen(&loaded.it, choice, to, stop);
}

count_params params_of(const tsr_curves_device &plan) {
  return {plan.view, plan.criteria,      plan.places,  0,
          0,         plan.segment_start, plan.choices, plan.searched,
          plan.few,  plan.limited,       plan.summary};
}

cudaError_t find_whole(const tsr_curves_device &plan) {
  const unsigned blocks = tsr_blocks(plan.places.n_spans + 1, count_block);
  if (straight && !tsr_other_criteria(&plan.criteria))
    straight_kernel<<<blocks, count_block, 0, plan.stream>>>(params_of(plan));
  else
    whole_kernel<<<blocks, count_block, 0, plan.stream>>>(params_of(plan));
  return cudaGetLastError();
}

cudaError_t count(const tsr_curves_device &plan, int64_t n, int64_t limit) {
  const unsigned blocks = tsr_blocks(n + 1, count_block);
  count_params params = params_of(plan);
  const size_t shared = tsr_kept_bytes(plan.n_kept, count_block, &params.kept);
  params.limit = limit;
  if (plan.criteria.sampling == TSR_SAMPLING_UNIFORM)
    uniform_kernel<<<blocks, count_block, shared, plan.stream>>>(params);
  else
    search_kernel<<<blocks, count_block, shared, plan.stream>>>(params, n);
  return cudaGetLastError();
}

cudaError_t make_leaves(const tsr_fill_piece &piece, const tsr_curves_device &plan,
                        uint32_t *leaves) {
  int kept;
  const size_t shared = tsr_kept_bytes(piece.n_kept, count_block, &kept);
  leaves_kernel<<<tsr_blocks(piece.span_end - piece.span_begin, count_block), count_block, shared,
                  plan.stream>>>(piece, plan.choices, plan.few, kept, leaves, &plan.summary->stop);
  return cudaGetLastError();
}

} // namespace
