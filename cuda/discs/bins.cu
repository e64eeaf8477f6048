// SPDX-License-Identifier: BSD-3-Clause
// Pairs of a tile and a disc: counted, summed up, written in the order of the ranks, and sorted by
// tile. The sort is stable, so that each tile has its discs in the order of the ranks.
#include "cuda/common/executor.cuh"
#include "cuda/common/scan.cuh"
#include "cuda/common/sort.cuh"
#include "cuda/discs/plan.cuh"

namespace {

// More pairs than this take more memory than looking through all discs is worth.
const int64_t most_pairs = (int64_t)1 << 30;

__device__ void count_tiles(int64_t rank, const tsr_discs_input &scene, int64_t *counts) {
  int64_t count = 0;
  const int4 box = tsr_discs_box(scene, rank);
  if (tsr_discs_is_drawn(box))
    for (int64_t row = box.z / tsr_discs_tile; row <= box.w / tsr_discs_tile; ++row) {
      int64_t range[2];
      tsr_discs_tiles_of(scene, rank, box, row, range);
      count += range[1] - range[0];
    }
  counts[rank] = count;
}

// First pair of each tile, by halving.
__device__ void begin_tile(int64_t tile, const tsr_discs_pairs &pairs) {
  int64_t low = 0, high = pairs.n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (pairs.tiles[middle] < tile)
      low = middle + 1;
    else
      high = middle;
  }
  pairs.begin[tile] = low;
}

tsr_status sort_by_tile(tsr_discs_device *device, tsr_discs_pairs *pairs, int bits,
                        tsr_error *error) {
  uint32_t *tiles[2] = {pairs->tiles, nullptr}, *ranks[2] = {pairs->ranks, nullptr};
  TSR_STEP(device->memory.get(&tiles[1], pairs->n, "the tiles of the discs", error));
  TSR_STEP(device->memory.get(&ranks[1], pairs->n, "the tiles of the discs", error));
  TSR_STEP(tsr_sort_pairs(tiles, ranks, pairs->n, 0, bits, &device->memory, error));
  pairs->tiles = tiles[0];
  pairs->ranks = ranks[0];
  device->memory.free_one(tiles[1]);
  device->memory.free_one(ranks[1]);
  return TSR_OK;
}

} // namespace

tsr_status tsr_discs_bin_pairs(tsr_discs_device *device, const tsr_discs_request *request,
                               tsr_discs_pairs *pairs, int *made, tsr_error *error) {
  const tsr_discs_input &s = device->scene;
  const int64_t tiles = (int64_t)s.tiles[0] * s.tiles[1];
  int bits = 1;
  if (s.n == 0)
    return TSR_OK;
  TSR_STEP(device->memory.get(&pairs->first, s.n + 1, "the tiles of the discs", error));
  TSR_CUDA(cudaMemsetAsync(pairs->first + s.n, 0, sizeof *pairs->first, device->stream),
           "counting the tiles of the discs");
  TSR_CUDA(tsr_launch_each<count_tiles>(s.n, device->stream, s, pairs->first),
           "counting the tiles of the discs");
  TSR_STEP(tsr_scan_counts(pairs->first, s.n, &device->memory, device->stream, error));
  TSR_STEP(tsr_bring(&pairs->n, pairs->first + s.n, sizeof pairs->n, device->stream,
                     "counting the tiles of the discs", error));
  if (pairs->n == 0 || pairs->n > most_pairs)
    return TSR_OK;
  TSR_STEP(device->memory.get(&pairs->tiles, pairs->n, "the tiles of the discs", error));
  TSR_STEP(device->memory.get(&pairs->ranks, pairs->n, "the tiles of the discs", error));
  TSR_STEP(device->memory.get(&pairs->begin, tiles + 1, "the tiles of the discs", error));
  TSR_STEP(tsr_discs_expand(device, request, *pairs, error));
  while (bits < 32 && (int64_t)1 << bits < tiles)
    ++bits;
  TSR_STEP(sort_by_tile(device, pairs, bits, error));
  TSR_CUDA(tsr_launch_each<begin_tile>(tiles + 1, device->stream, *pairs),
           "finding the discs of the tiles");
  *made = 1;
  return TSR_OK;
}
