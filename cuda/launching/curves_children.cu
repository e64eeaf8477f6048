// SPDX-License-Identifier: BSD-3-Clause
// Filling by children.
#include "cuda/curves/strategy/children.cuh"

#include "cuda/common/policy.cuh"
#include "cuda/launching/tickets.cuh"

#include <algorithm>

namespace {

// Arguments of the parents beside the piece.
struct family {
  const tsr_fill_piece *piece;
  tsr_tickets *tickets;
  tsr_child_stream where;
  int block;         // threads of a child's block
  int64_t tile;      // points of a child's block
  int64_t threshold; // AGGREGATED: children do curves of at least so many points
  size_t shared;     // bytes that tsr_fill_range needs
};

// The points [first, last) in tiles, one a block.
__global__ void __launch_bounds__(tsr_policy::child_bounds)
    child_kernel(const tsr_fill_piece *piece, tsr_item_part part, int64_t tile, tsr_wanted wanted) {
  extern __shared__ double shared[];
  const int64_t first = part.first + blockIdx.x * tile;
  const int64_t last = first + tile < part.last ? first + tile : part.last;
  const int64_t s = tsr_span_at_point(piece->places, part.span, part.span_end, first);
  tsr_fill_range(*piece, s, part.span_end, first, last, wanted, (char *)shared);
}

__device__ bool launch_part(const family &f, const tsr_item_part &part, tsr_wanted wanted) {
  return tsr_launch_child(f.tickets, f.where, child_kernel,
                          (unsigned)((part.last - part.first + f.tile - 1) / f.tile),
                          (unsigned)f.block, f.shared, f.piece, part, f.tile, wanted);
}

__device__ bool starts_here(const tsr_fill_piece &piece, int64_t i) {
  return tsr_first_point(piece.places, i) >= piece.point_begin;
}

__device__ bool has_spans(const tsr_fill_piece &piece, int64_t i) {
  return tsr_first_span(piece.places, i) < tsr_first_span(piece.places, i + 1);
}

// A warp for 32 items: its first lane launches a child for each; what was refused is done here.
__global__ void __launch_bounds__(tsr_policy::child_bounds) child_per_item_kernel(family f) {
  extern __shared__ double shared[];
  __shared__ unsigned refused;
  const tsr_fill_piece &piece = *f.piece;
  const int64_t begin = piece.item_begin + (int64_t)blockIdx.x * 32;
  if (threadIdx.x == 0) {
    refused = 0;
    for (int k = 0; k < 32 && begin + k < piece.item_end; ++k) {
      if (!has_spans(piece, begin + k))
        continue;
      const bool launched = launch_part(f, tsr_part_of_item(piece, begin + k), {0, INT64_MAX});
      if (!launched)
        refused |= 1u << k;
      if (starts_here(piece, begin + k))
        atomicAdd(launched ? &f.tickets->child_items : &f.tickets->inline_items, 1ull);
    }
  }
  __syncthreads();
  for (int k = 0; k < 32; ++k) {
    if (!(refused >> k & 1u))
      continue;
    const tsr_item_part part = tsr_part_of_item(piece, begin + k);
    tsr_fill_range(piece, part.span, part.span_end, part.first, part.last, {0, INT64_MAX},
                   (char *)shared);
  }
}

// First item of a parent: the items are shared out so that all have about equally many points.
__device__ int64_t first_item(const tsr_fill_piece &piece, int64_t parent, int64_t parents) {
  if (parent == 0)
    return piece.item_begin;
  if (parent >= parents)
    return piece.item_end;
  const double share = (double)parent / (double)parents;
  const int64_t point =
      piece.point_begin + (int64_t)(share * (double)(piece.point_end - piece.point_begin));
  return tsr_item_of(piece.places,
                     tsr_span_at_point(piece.places, piece.span_begin, piece.span_end, point));
}

// A block for a range of items: one child does all that reach the threshold.
__global__ void __launch_bounds__(tsr_policy::child_bounds)
    aggregated_kernel(family f, int64_t parents) {
  extern __shared__ double shared[];
  __shared__ unsigned large, small, large_here, small_here;
  __shared__ int launched;
  const tsr_fill_piece &piece = *f.piece;
  const int64_t parent = blockIdx.x;
  if (parent >= parents)
    return;
  const int64_t begin = first_item(piece, parent, parents);
  const int64_t end = first_item(piece, parent + 1, parents);
  if (threadIdx.x == 0)
    large = small = large_here = small_here = 0;
  __syncthreads();
  for (int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
    if (!has_spans(piece, i))
      continue;
    const int64_t points = tsr_first_point(piece.places, i + 1) - tsr_first_point(piece.places, i);
    atomicAdd(points >= f.threshold ? &large : &small, 1u);
    if (starts_here(piece, i))
      atomicAdd(points >= f.threshold ? &large_here : &small_here, 1u);
  }
  __syncthreads();
  if (large + small == 0)
    return;
  const tsr_item_part first = tsr_part_of_item(piece, begin),
                      last = tsr_part_of_item(piece, end - 1);
  const tsr_item_part part = {first.span, last.span_end, first.first, last.last};
  if (threadIdx.x == 0) {
    launched = large > 0 && launch_part(f, part, {f.threshold, INT64_MAX});
    atomicAdd(&f.tickets->child_items, launched ? large_here : 0u);
    atomicAdd(&f.tickets->inline_items, launched ? small_here : large_here + small_here);
  }
  __syncthreads();
  if (small > 0 || !launched)
    tsr_fill_range(piece, part.span, part.span_end, part.first, part.last,
                   {0, launched ? f.threshold : INT64_MAX}, (char *)shared);
}

// How many parents share the items, and from which size on a curve goes into a child. A small
// output is made by the parents alone, and a large one by few children.
struct sharing {
  int64_t parents, threshold;
};

sharing share_out(const tsr_curves_request *request, const tsr_fill_piece &piece) {
  const int64_t items = piece.item_end - piece.item_begin;
  const int64_t points = piece.point_end - piece.point_begin;
  const int64_t wished = request->launch->launch_threshold;
  sharing it = {std::max<int64_t>(1, std::min(tsr_policy::parents_of_children, items)), wished};
  if (wished > 0) {
    it.parents = std::max<int64_t>(1, std::min(tsr_policy::parents_by_wish, items));
  } else if (points < tsr_policy::few_points) {
    it.parents =
        std::max<int64_t>(1, (items + tsr_policy::curves_kept - 1) / tsr_policy::curves_kept);
    it.threshold = INT64_MAX;
  }
  return it;
}

} // namespace

static tsr_status start_family(cudaStream_t stream, const tsr_curves_request *request,
                               const tsr_fill_piece &piece, const sharing &given, family f,
                               tsr_error *error) {
  const int64_t items = piece.item_end - piece.item_begin;
  const int block = tsr_policy::tile_block;
  cudaError_t code;
  if (f.shared > tsr_policy::shared_unasked)
    TSR_CUDA(cudaFuncSetAttribute(child_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)f.shared),
             "preparing the child grids");
  if (request->report->strategy == TSR_STRATEGY_CHILD_PER_ITEM) {
    void *arguments[] = {&f};
    f.block = 32;
    f.tile = f.block;
    code = tsr_launch_kernel(stream, (const void *)child_per_item_kernel, (items + 31) / 32, 32,
                             f.shared, arguments);
  } else {
    sharing it = given;
    void *arguments[] = {&f, &it.parents};
    f.threshold = it.threshold;
    f.block = block;
    f.tile = tsr_policy::flat_tile;
    code = tsr_launch_kernel(stream, (const void *)aggregated_kernel, it.parents, block, f.shared,
                             arguments);
  }
  TSR_CUDA(code, "starting the parents");
  return TSR_OK;
}

tsr_status tsr_children_fill(tsr_curves_device *plan, const tsr_curves_request *request,
                             const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                             tsr_error *error) {
  tsr_report *report = request->report;
  const int64_t items = piece.item_end - piece.item_begin;
  family f = {device_piece,
              nullptr,
              request->launch->child_stream,
              0,
              0,
              0,
              tsr_stage_bytes(piece.batch, piece.order)};
  const bool each = report->strategy == TSR_STRATEGY_CHILD_PER_ITEM;
  const sharing shares = each ? sharing{0, 0} : share_out(request, piece);
  tsr_pool pool;
  int64_t wanted = request->launch->pending_launches;
  if (wanted == 0)
    wanted = each ? tsr_policy::slots_for(items) : tsr_policy::least_slots;
  if (shares.threshold == INT64_MAX) // the parents launch nothing
    wanted = 0;
  TSR_STEP(pool.give(plan, wanted, &f.tickets, report, error));
  TSR_CUDA(cudaEventRecord(plan->begin, plan->stream), "starting the parents");
  TSR_STEP(start_family(plan->stream, request, piece, shares, f, error));
  TSR_STEP(tsr_tickets_end(plan, f.tickets, true, report, error));
  TSR_CUDA(pool.put_back(), "putting the pending launch count back");
  return TSR_OK;
}
