// SPDX-License-Identifier: BSD-3-Clause
// Expanding discs to pairs of a tile and a disc. FLAT: a thread does all tiles of its disc.
// AGGREGATED_CHILDREN: the large discs of a block go into a child grid, a block each; where that
// cannot be launched, the parent does them. A disc's pairs have their places from the prefix sum,
// so whoever writes them, they are the same.
#include "cuda/common/policy.cuh"
#include "cuda/discs/plan.cuh"
#include "cuda/launching/tickets.cuh"

namespace {

const int block = tsr_policy::block, child_block = tsr_policy::tile_block;

struct expansion {
  tsr_discs_input scene;
  tsr_discs_pairs pairs;
  int64_t threshold; // tiles of a large disc; INT64_MAX: none is
  uint32_t *large;   // ranks of the large discs of each block, `block` apart
  tsr_tickets *tickets;
  tsr_child_stream where;
};

// Lists the pairs of one disc by one thread.
__device__ void expand(const expansion &e, int64_t rank) {
  const int4 box = tsr_discs_box(e.scene, rank);
  int64_t at = e.pairs.first[rank];
  for (int64_t row = box.z / tsr_discs_tile; row <= box.w / tsr_discs_tile; ++row) {
    int64_t range[2];
    tsr_discs_tiles_of(e.scene, rank, box, row, range);
    for (int64_t tile = range[0]; tile < range[1]; ++tile, ++at) {
      e.pairs.tiles[at] = (uint32_t)(row * e.scene.tiles[0] + tile);
      e.pairs.ranks[at] = (uint32_t)rank;
    }
  }
}

// Lists the pairs of one disc by a whole block: its threads share the tiles of each row.
__device__ void expand_together(const expansion &e, int64_t rank) {
  const int4 box = tsr_discs_box(e.scene, rank);
  int64_t at = e.pairs.first[rank];
  for (int64_t row = box.z / tsr_discs_tile; row <= box.w / tsr_discs_tile; ++row) {
    int64_t range[2];
    tsr_discs_tiles_of(e.scene, rank, box, row, range);
    for (int64_t tile = range[0] + threadIdx.x; tile < range[1]; tile += blockDim.x) {
      e.pairs.tiles[at + tile - range[0]] = (uint32_t)(row * e.scene.tiles[0] + tile);
      e.pairs.ranks[at + tile - range[0]] = (uint32_t)rank;
    }
    at += range[1] - range[0];
  }
}

// A block a large disc.
__global__ void __launch_bounds__(tsr_policy::child_bounds)
    child_kernel(expansion e, const uint32_t *large) {
  expand_together(e, large[blockIdx.x]);
}

__global__ void __launch_bounds__(block) parent_kernel(expansion e) {
  __shared__ unsigned n_large;
  __shared__ int launched;
  const int64_t rank = (int64_t)blockIdx.x * block + threadIdx.x;
  uint32_t *large = e.large ? e.large + (int64_t)blockIdx.x * block : nullptr;
  const int64_t tiles = rank < e.scene.n ? e.pairs.first[rank + 1] - e.pairs.first[rank] : 0;
  if (threadIdx.x == 0)
    n_large = 0;
  __syncthreads();
  if (tiles >= e.threshold)
    large[atomicAdd(&n_large, 1u)] = (uint32_t)rank; // in any order: their places are known
  else if (tiles > 0)
    expand(e, rank);
  __threadfence(); // the child sees the list
  __syncthreads();
  if (n_large == 0) {
    if (e.tickets && threadIdx.x == 0)
      atomicAdd(&e.tickets->inline_items,
                (unsigned long long)min((int64_t)block, e.scene.n - (int64_t)blockIdx.x * block));
    return;
  }
  if (threadIdx.x == 0) {
    const int64_t all = min((int64_t)block, e.scene.n - (int64_t)blockIdx.x * block);
    launched = tsr_launch_child(e.tickets, e.where, child_kernel, n_large, (unsigned)child_block,
                                (size_t)0, e, (const uint32_t *)large);
    atomicAdd(&e.tickets->child_items, launched ? (unsigned long long)n_large : 0ull);
    atomicAdd(&e.tickets->inline_items,
              (unsigned long long)all - (launched ? (unsigned long long)n_large : 0ull));
  }
  __syncthreads();
  for (unsigned k = 0; k < n_large && !launched; ++k)
    expand_together(e, large[k]);
}

tsr_status start(tsr_discs_device *device, const expansion &e, tsr_error *error) {
  parent_kernel<<<tsr_blocks(e.scene.n, block), block, 0, device->stream>>>(e);
  TSR_CUDA(cudaGetLastError(), "expanding the discs");
  return TSR_OK;
}

} // namespace

tsr_status tsr_discs_expand(tsr_discs_device *device, const tsr_discs_request *request,
                            const tsr_discs_pairs &pairs, tsr_error *error) {
  const tsr_discs_launch &launch = request->list->options.launch;
  expansion e = {device->scene, pairs, INT64_MAX, nullptr, nullptr, launch.child_stream};
  if (request->report->strategy != TSR_DISCS_AGGREGATED_CHILDREN) {
    request->report->inline_items += e.scene.n;
    return start(device, e, error);
  }
  const int64_t blocks = (int64_t)tsr_blocks(e.scene.n, block);
  const int64_t wanted =
      launch.pending_launches > 0 ? launch.pending_launches : tsr_policy::least_slots;
  tsr_pool pool;
  e.threshold =
      launch.launch_threshold > 0 ? launch.launch_threshold : tsr_policy::tiles_of_a_large_disc;
  TSR_STEP(pool.give(device, wanted, &e.tickets, request->report, error));
  TSR_STEP(device->memory.get(&e.large, blocks * block, "the large discs", error));
  TSR_STEP(start(device, e, error));
  TSR_STEP(tsr_tickets_end(device, e.tickets, true, request->report, error));
  TSR_CUDA(pool.put_back(), "putting the pending launch count back");
  device->memory.free_one(e.large);
  return TSR_OK;
}
