// SPDX-License-Identifier: BSD-3-Clause
// The first levels of a recursion over many points. A block a cell would leave the device idle
// until there are enough cells: one block counts a million points in the time of the whole rest. So
// the cells of one level are counted by all blocks together; the host goes down from the root to
// the cells that are not split, or to that level, and one stable sort moves the points there.
#include "cuda/common/executor.cuh"
#include "cuda/common/policy.cuh"
#include "cuda/pointgrid/device.cuh"

#include <algorithm>

namespace {

const int BLOCK = tsr_policy::block;
const int MOST_BITS = 12; // of a key: cells that fit into shared memory

__global__ void count_cells(const uint64_t *keys, int64_t n, int shift, int cells,
                            unsigned long long *counts) {
  __shared__ unsigned of_block[1 << MOST_BITS];
  for (int c = (int)threadIdx.x; c < cells; c += BLOCK)
    of_block[c] = 0;
  __syncthreads();
  for (int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x; i < n;
       i += (int64_t)gridDim.x * BLOCK)
    if (keys[i] != ~(uint64_t)0)
      atomicAdd(&of_block[keys[i] >> shift], 1u);
  __syncthreads();
  for (int c = (int)threadIdx.x; c < cells; c += BLOCK)
    if (of_block[c] > 0)
      atomicAdd(&counts[c], (unsigned long long)of_block[c]);
}

// Points of a cell above the level get its key, so that the sort leaves them as they come.
__device__ void raise_keys(int64_t i, uint64_t *keys, int shift, const uint8_t *shifts) {
  if (keys[i] == ~(uint64_t)0)
    return;
  const uint64_t key = keys[i];
  const int above = shifts[key >> shift];
  if (above > shift)
    keys[i] = key >> above << above;
}

// The cells where the recursion begins, in Morton order, and of each cell of the level the bits
// below the one that it is in. counts: of the level's cells.
std::vector<tsr_pointgrid_node> descend(const tsr_pointgrid_rule &rule, int level,
                                        const std::vector<unsigned long long> &counts,
                                        std::vector<uint8_t> *shifts) {
  std::vector<tsr_pointgrid_node> nodes;
  const int64_t cells = (int64_t)counts.size();
  int64_t begin = 0;
  shifts->resize(counts.size());
  for (int64_t cell = 0, next; cell < cells; cell = next) {
    tsr_pointgrid_cell it = {};
    int64_t inside = 0;
    // The cell is the first one of the level in several cells above it: which of these is a leaf?
    for (it.level = 0; it.level <= level; ++it.level) {
      const int64_t width = (int64_t)1 << rule.dimension * (level - it.level);
      if (cell % width != 0)
        continue;
      inside = width;
      it.key = (uint64_t)cell << tsr_pointgrid_shift(rule.dimension, level);
      it.count = 0;
      for (int64_t c = cell; c < cell + width; ++c)
        it.count += (int64_t)counts[(size_t)c];
      if (it.level == level || !tsr_pointgrid_splits(&rule, &it))
        break;
    }
    next = cell + inside;
    for (int64_t c = cell; c < next; ++c)
      (*shifts)[(size_t)c] = (uint8_t)tsr_pointgrid_shift(rule.dimension, it.level);
    nodes.push_back({it.key, begin, begin + it.count, it.level, 0});
    begin += it.count;
  }
  return nodes;
}

} // namespace

int tsr_pointgrid_top_level(const tsr_pointgrid_rule &rule, int64_t n) {
  int level = 0;
  while (n >= tsr_policy::points_from_the_root && level < rule.max_level &&
         (level + 1) * rule.dimension <= MOST_BITS &&
         n >> (level * rule.dimension) > tsr_policy::points_a_first_cell)
    ++level;
  return level;
}

tsr_status tsr_pointgrid_top(tsr_pointgrid_device *s, uint64_t *keys, int level,
                             std::vector<tsr_pointgrid_node> *nodes, tsr_error *error) {
  const tsr_pointgrid_rule &rule = s->frame.rule;
  const int64_t n = s->frame.points.tuples;
  const int shift = tsr_pointgrid_shift(rule.dimension, level);
  std::vector<unsigned long long> counts((size_t)1 << rule.dimension * level);
  std::vector<uint8_t> shifts;
  unsigned long long *on_device;
  uint8_t *shifts_d;
  const char *what = "counting the points of the first levels";
  TSR_STEP(s->memory.get(&on_device, (int64_t)counts.size(), "the first levels", error));
  TSR_STEP(s->memory.get(&shifts_d, (int64_t)counts.size(), "the first levels", error));
  TSR_CUDA(cudaMemsetAsync(on_device, 0, counts.size() * sizeof counts[0], s->stream), what);
  const unsigned blocks = (unsigned)s->state->properties.multiProcessorCount * 8;
  count_cells<<<std::min(blocks, tsr_blocks(n, BLOCK)), BLOCK, 0, s->stream>>>(
      keys, n, shift, (int)counts.size(), on_device);
  TSR_CUDA(cudaGetLastError(), what);
  TSR_STEP(tsr_bring(counts.data(), on_device, counts.size() * sizeof counts[0], s->stream, what,
                     error));
  *nodes = descend(rule, level, counts, &shifts);
  TSR_CUDA(
      tsr_copy_async(shifts_d, shifts.data(), shifts.size(), cudaMemcpyHostToDevice, s->stream),
      what);
  TSR_CUDA(tsr_launch_each<raise_keys>(n, s->stream, keys, shift, shifts_d), what);
  TSR_CUDA(cudaStreamSynchronize(s->stream), what); // the copy has read the host's memory
  s->memory.free_one(on_device);
  s->memory.free_one(shifts_d);
  return TSR_OK;
}
