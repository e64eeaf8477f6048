// SPDX-License-Identifier: BSD-3-Clause
// The plainest case by aggregated child grids. A few parents launch one child each for most of the
// tiles; until the children run, which takes 0.02 ms, the other parents make the rest themselves.
#include "cuda/common/policy.cuh"
#include "cuda/curves/strategy/children.cuh"
#include "cuda/curves/strategy/tuned_tile.cuh"
#include "cuda/launching/tickets.cuh"

namespace {

struct tile_family {
  tsr_tuned_params params;
  int64_t tiles;
  int64_t kept, kept_share; // the first tiles, that parents make, and how many of them each
  int64_t launchers, share; // the first parents, that launch, and their tiles
  tsr_tickets *tickets;
  tsr_child_stream where;
  size_t shared;
};

// Bounds for 1024 threads, though it has 128: shared memory is set aside for one block of the
// largest size, and then more of the small ones run at once.
template <int ORDER, int NC>
__global__ void __launch_bounds__(tsr_policy::child_bounds)
    child_kernel(tsr_tuned_params params, int64_t first, int64_t n) {
  extern __shared__ double shared[];
  if (blockIdx.x < n)
    tsr_tuned_tile<ORDER, NC>(params, first + blockIdx.x, (char *)shared);
}

// Curves that start before tile t.
__device__ int64_t lines_before(const tsr_tuned_params &params, int64_t t, int64_t tiles) {
  if (t >= tiles)
    return params.n_lines;
  const int64_t i = params.tile_lines[t];
  return params.segment_start[i] + i < t * params.tile ? i + 1 : i;
}

template <int ORDER, int NC>
__global__ void __launch_bounds__(tsr_policy::child_bounds) parent_kernel(tile_family f) {
  extern __shared__ double shared[];
  __shared__ int launched;
  const bool launches = blockIdx.x < f.launchers;
  int64_t first = (blockIdx.x - f.launchers) * f.kept_share, last = first + f.kept_share;
  last = last < f.kept ? last : f.kept;
  if (launches) {
    first = f.kept + blockIdx.x * f.share;
    last = first + f.share < f.tiles ? first + f.share : f.tiles;
  }
  if (first >= last)
    return;
  if (threadIdx.x == 0) {
    const unsigned long long lines = (unsigned long long)(lines_before(f.params, last, f.tiles) -
                                                          lines_before(f.params, first, f.tiles));
    launched = launches && tsr_launch_child(f.tickets, f.where, child_kernel<ORDER, NC>,
                                            (unsigned)(last - first), tsr_policy::tile_block,
                                            f.shared, f.params, first, last - first);
    atomicAdd(launched ? &f.tickets->child_items : &f.tickets->inline_items, lines);
  }
  __syncthreads();
  for (int64_t t = first; !launched && t < last; ++t) {
    tsr_tuned_tile<ORDER, NC>(f.params, t, (char *)shared);
    __syncthreads();
  }
}

template <int ORDER, int NC>
cudaError_t start(const tsr_launch &launch, tile_family f, int64_t parents, int block) {
  void *arguments[] = {&f};
  if (f.shared > tsr_policy::shared_unasked) {
    const cudaError_t code = cudaFuncSetAttribute(
        child_kernel<ORDER, NC>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)f.shared);
    if (code != cudaSuccess)
      return code;
  }
  return tsr_launch_kernel(launch, (const void *)parent_kernel<ORDER, NC>, parents, block,
                           tsr_tuned_bytes(f.params, block), arguments);
}

} // namespace

tsr_status tsr_children_tuned(const tsr_launch &launch, tsr_curves_device *plan,
                              const tsr_curves_request *request, const tsr_tuned_params &tuned,
                              bool account, tsr_error *error) {
  tsr_report *report = request->report;
  const int64_t tiles = (tuned.n_points + tuned.tile - 1) / tuned.tile;
  tile_family f = {tuned,
                   tiles,
                   tiles,
                   1,
                   0,
                   0,
                   nullptr,
                   request->launch->child_stream,
                   tsr_tuned_bytes(tuned, tsr_policy::tile_block)};
  tsr_pool pool;
  const int64_t pending = request->launch->pending_launches;
  const int64_t alone = tsr_policy::parents_alone(plan->state->properties);
  f.kept_share = (tiles + alone - 1) / alone;
  if (tuned.n_points >= tsr_policy::many_points) {
    const int64_t beside = tsr_policy::parents_beside(plan->state->properties);
    f.kept = tsr_policy::points_kept(tuned.n_points) / tuned.tile;
    f.kept_share = (f.kept + beside - 1) / beside;
    f.launchers = tsr_policy::tuned_launchers;
    f.share = (tiles - f.kept + f.launchers - 1) / f.launchers;
  }
  const int64_t slots = pending > 0 ? pending : tsr_policy::least_slots;
  TSR_STEP(pool.give(plan, f.launchers > 0 ? slots : 0, &f.tickets, report, error));
  const int64_t parents = f.launchers + (f.kept + f.kept_share - 1) / f.kept_share;
  const int block = launch.block > 0 ? launch.block : tsr_policy::tile_block;
  const bool three = tuned.components == 3;
  TSR_CUDA(cudaEventRecord(plan->begin, launch.stream), "starting the parents");
  TSR_CUDA(tuned.order == 3 ? (three ? start<3, 3>(launch, f, parents, block)
                                     : start<3, 1>(launch, f, parents, block))
                            : (three ? start<4, 3>(launch, f, parents, block)
                                     : start<4, 1>(launch, f, parents, block)),
           "starting the parents");
  TSR_STEP(tsr_tickets_end(plan, f.tickets, account, report, error));
  TSR_CUDA(pool.put_back(), "putting the pending launch count back");
  return TSR_OK;
}
