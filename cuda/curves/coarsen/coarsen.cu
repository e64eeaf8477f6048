// SPDX-License-Identifier: BSD-3-Clause
// Coarsening: a few threads a span make the vertices, a thread a walk decides which vertices stay,
// and a thread a span closes up the leaves. Walks, and so the bits, are the CPU's.
#include "cuda/common/executor.cuh"
#include "cuda/curves/coarsen/coarsen.cuh"

#include "common/part_math.h"
#include "cuda/common/scan.cuh"
#include "cuda/curves/span/spans.cuh"
#include "cuda/curves/waiting.cuh"
#include "curves/coarsen/vertex_math.h"

namespace {

const int block = 128;

// Blocks of a warp each that a multiprocessor holds at least: this bounds the registers of a walk.
const int walk_blocks = 12;

typedef tsr_thinning thinning;

__device__ int64_t segments_before(const thinning &it, int64_t item) {
  return it.places.segment_start[tsr_first_span(it.places, item)];
}

__device__ void list_uniform(int64_t s, const tsr_places &places, uint32_t *leaves) {
  const int64_t first = places.segment_start[s], n = places.segment_start[s + 1] - first;
  for (int64_t k = 0; k < n; ++k)
    leaves[first + k] = tsr_uniform_fixed(k, n);
}

__device__ void count_walks(int64_t i, const thinning &it) {
  int64_t walks = 0;
  if (i < it.places.n_items &&
      tsr_first_span(it.places, i + 1) - tsr_first_span(it.places, i) >= 2) {
    const int64_t n = segments_before(it, i + 1) - segments_before(it, i);
    walks = (n + TSR_WALK_POINTS - 1) / TSR_WALK_POINTS;
  }
  it.walk_start[i] = walks;
}

// The item that walk w is one of: as a rule each of those before has one.
__device__ int64_t item_of_walk(const thinning &it, int64_t w) {
  if (w < it.places.n_items && it.walk_start[w] == w && it.walk_start[w + 1] > w)
    return w;
  return tsr_part_at(it.walk_start, 0, it.places.n_items, w);
}

// A walk: its item, its segments, and its chain.
struct walk_part {
  int64_t first, n;
  int closed, bound; // bound: as of tsr_chain_finish
  tsr_chain chain;
};

__device__ walk_part part_of_walk(const thinning &it, int64_t w) {
  walk_part part;
  const int64_t i = item_of_walk(it, w);
  const int64_t begin = segments_before(it, i), end = segments_before(it, i + 1);
  const int64_t first = begin + (w - it.walk_start[i]) * TSR_WALK_POINTS;
  const int64_t n = end - first < TSR_WALK_POINTS ? end - first : TSR_WALK_POINTS;
  const int closed = tsr_item_at(&it.view, i).closed;
  part.first = first;
  part.n = n;
  part.closed = closed && n == end - begin;
  part.bound = (closed || first > begin) + 2 * (closed || first + n < end);
  part.chain = tsr_chain_of(&it.criteria, it.v + first + w, it.room, n);
  return part;
}

__device__ tsr_meeting meeting_before(const tsr_meeting &at, const tsr_meeting &last_chunk,
                                      int lane) {
  const tsr_meeting below = {__shfl_up_sync(~0u, at.error, 1), __shfl_up_sync(~0u, at.share, 1),
                             __shfl_up_sync(~0u, at.none, 1)};
  return lane > 0 ? below : last_chunk;
}

// Does the same as tsr_chain_finish with one warp for each walk; neighbouring lanes handle
// neighbouring vertices. walk_error: receives the largest error of the walk's pieces.
__global__ void __launch_bounds__(block) finish_kernel(thinning it, int64_t n_walks) {
  const int64_t w = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = (int)(threadIdx.x % 32);
  if (w >= n_walks)
    return;
  const walk_part part = part_of_walk(it, w);
  double *reach = tsr_chain_plane(&part.chain, TSR_PLANE_REACH);
  tsr_meeting last_chunk = {0.0, 0.0, 0};
  double most = 0.0;
  for (int64_t chunk = 0; chunk <= part.n; chunk += 32) {
    const int64_t k = chunk + lane;
    tsr_meeting at = {0.0, 0.0, 0};
    if (k <= part.n)
      at = tsr_chain_meeting(&part.chain, k);
    const tsr_meeting before = meeting_before(at, last_chunk, lane);
    if (k <= part.n) {
      const double worse = tsr_chain_settle(&part.chain, part.bound, k, &before, &at);
      most = worse > most ? worse : most;
    }
    __syncwarp();
    if (k <= part.n && tsr_chain_breaks(k, &before, &at))
      reach[k - 1] = -1.0;
    __syncwarp();
    last_chunk = {__shfl_sync(~0u, at.error, 31), __shfl_sync(~0u, at.share, 31),
                  __shfl_sync(~0u, at.none, 31)};
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const double other = __shfl_xor_sync(~0u, most, distance);
    most = other > most ? other : most;
  }
  if (lane == 0)
    it.walk_error[w] = most;
}

__global__ void __launch_bounds__(32, walk_blocks) walk_kernel(thinning it, int64_t n_walks) {
  const int64_t w = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= n_walks)
    return;
  const walk_part part = part_of_walk(it, w);
  it.walk_error[w] =
      tsr_chain_coarsen(&part.chain, it.walk_error[w], part.closed, it.keep + part.first);
}

__device__ void count_kept(int64_t s, const thinning &it, int64_t *counts) {
  int64_t n = 0;
  for (int64_t at = it.places.segment_start[s];
       s < it.places.n_spans && at < it.places.segment_start[s + 1]; ++at)
    n += it.keep[at];
  counts[s] = n;
}

__device__ void gather_leaves(int64_t s, const thinning &it, const int64_t *starts,
                              uint32_t *leaves) {
  int64_t to = starts[s];
  for (int64_t at = it.places.segment_start[s]; at < it.places.segment_start[s + 1]; ++at)
    if (it.keep[at])
      leaves[to++] = it.leaves[at];
}

// The leaves of all n segments, where counting has not kept them. With one segment a span, each
// leaf begins where its span does.
tsr_status fine_leaves(tsr_curves_device *plan, const tsr_execution *execution, int64_t n,
                       tsr_memory *memory, const uint32_t **leaves, tsr_error *error) {
  const int64_t n_spans = plan->places.n_spans;
  uint32_t *made = nullptr;
  tsr_fill_piece all = {};
  *leaves = plan->leaves;
  if (plan->leaves)
    return TSR_OK;
  TSR_STEP(memory->get(&made, n, "the leaves", error));
  *leaves = made;
  all.view = plan->view;
  all.criteria = plan->criteria;
  all.places = plan->places;
  all.span_end = n_spans;
  all.n_kept = plan->n_kept;
  if (n == n_spans) {
    TSR_CUDA(cudaMemsetAsync(made, 0, (size_t)n * sizeof *made, plan->stream), "making the leaves");
  } else if (plan->criteria.sampling != TSR_SAMPLING_UNIFORM) {
    TSR_CUDA(tsr_count_of(*plan).leaves(all, *plan, made), "making the leaves");
  } else {
    TSR_CUDA(tsr_launch_each<list_uniform>(n_spans, plan->stream, plan->places, made),
             "making the leaves");
  }
  return tsr_plan_wait(plan, execution, 0.3, "making the leaves", error);
}

// Numbers the walks: plan->walk_start gets the number of walks before each item, *n_walks the
// number of all.
tsr_status number_walks(tsr_curves_device *plan, thinning *it, int64_t *n_walks, tsr_error *error) {
  const int64_t n = plan->places.n_items;
  plan->memory.free_one(plan->walk_start);
  plan->memory.free_one(plan->walk_error);
  plan->walk_start = nullptr;
  plan->walk_error = nullptr;
  TSR_STEP(plan->memory.get(&plan->walk_start, n + 1, "the walks", error));
  it->walk_start = plan->walk_start;
  TSR_CUDA(tsr_launch_each<count_walks>(n + 1, plan->stream, *it), "counting the walks");
  TSR_STEP(tsr_scan_counts(plan->walk_start, n, &plan->memory, plan->stream, error));
  TSR_STEP(tsr_bring(n_walks, plan->walk_start + n, sizeof *n_walks, plan->stream,
                     "counting the walks", error));
  TSR_STEP(plan->memory.get(&plan->walk_error, *n_walks, "the walks", error));
  it->walk_error = plan->walk_error;
  return TSR_OK;
}

// Decides which points stay.
tsr_status walk(tsr_curves_device *plan, const tsr_execution *execution, thinning *it, int64_t n,
                tsr_memory *memory, tsr_error *error) {
  int64_t n_walks = 0;
  TSR_STEP(number_walks(plan, it, &n_walks, error));
  it->room = n + n_walks;
  TSR_STEP(memory->get((void **)&it->v, it->room,
                       (size_t)tsr_chain_planes(plan->n_values, plan->criteria.use_turning) *
                           sizeof(double),
                       "the points that are compared", error));
  TSR_STEP(memory->get(&it->keep, n, "the points that stay", error));
  TSR_CUDA(cudaMemsetAsync(it->keep, 1, (size_t)n, plan->stream), "thinning the points out");
  TSR_CUDA(tsr_points_of(*plan).vertices(*it, n, &plan->summary->stop, plan->stream),
           "comparing the points");
  if (n_walks > 0) {
    finish_kernel<<<tsr_blocks(n_walks * 32, block), block, 0, plan->stream>>>(*it, n_walks);
    TSR_CUDA(cudaGetLastError(), "comparing the points");
    walk_kernel<<<tsr_blocks(n_walks, 32), 32, 0, plan->stream>>>(*it, n_walks);
  }
  TSR_CUDA(cudaGetLastError(), "thinning the points out");
  return tsr_plan_wait(plan, execution, 0.35, "thinning the points out", error);
}

} // namespace

bool tsr_device_coarsens(const tsr_curves_device &plan) {
  return tsr_joints_may_go(&plan.criteria) && plan.places.n_spans > plan.places.n_items;
}

tsr_status tsr_device_coarsen(tsr_curves_device *plan, const tsr_execution *execution,
                              int64_t n_segments, tsr_error *error) {
  const int64_t n_spans = plan->places.n_spans;
  int64_t *counts = nullptr, left = 0;
  uint32_t *leaves = nullptr;
  thinning it = {};
  tsr_memory memory;
  memory.use(plan->state, plan->stream);
  it.view = plan->view;
  it.criteria = plan->criteria;
  it.places = plan->places;
  it.n_kept = plan->n_kept;
  TSR_STEP(fine_leaves(plan, execution, n_segments, &memory, &it.leaves, error));
  TSR_STEP(walk(plan, execution, &it, n_segments, &memory, error));
  TSR_STEP(memory.get(&counts, n_spans + 1, "the spans", error));
  TSR_CUDA(tsr_launch_each<count_kept>(n_spans + 1, plan->stream, it, counts),
           "counting what stays");
  TSR_STEP(tsr_scan_counts(counts, n_spans, &memory, plan->stream, error));
  TSR_STEP(
      tsr_bring(&left, counts + n_spans, sizeof left, plan->stream, "counting what stays", error));
  TSR_STEP(plan->memory.get(&leaves, left, "the leaves", error));
  TSR_CUDA(tsr_launch_each<gather_leaves>(n_spans, plan->stream, it, counts, leaves),
           "gathering what stays");
  TSR_CUDA(tsr_copy_async(plan->segment_start, counts, (size_t)(n_spans + 1) * sizeof *counts,
                          cudaMemcpyDeviceToDevice, plan->stream),
           "gathering what stays");
  TSR_CUDA(cudaStreamSynchronize(plan->stream), "gathering what stays");
  plan->memory.free_one(plan->leaves);
  plan->leaves = leaves;
  return TSR_OK;
}
