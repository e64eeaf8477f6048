// SPDX-License-Identifier: BSD-3-Clause
// Leaves by prefixes of the sorted keys. A cell holds more than the maximum of points if the key of
// its first one and the key that many places later have the cell in common. So each key says by
// itself which of the cells that it is the first of are split: those from below the level that it
// has in common with the key before it, down to the level that it has in common with the later one.
#include "cuda/common/executor.cuh"
#include "cuda/pointgrid/device.cuh"

#include "cuda/common/policy.cuh"
#include "cuda/common/scan.cuh"

namespace {

// A cell that is split, and its first key.
struct split_cell {
  uint64_t key;
  int64_t begin;
  int level;
};

// Levels (first, last] of the split cells that begin at key i.
__device__ void split_levels(const tsr_pointgrid_frame &f, int64_t i, int *first, int *last) {
  *first = i > 0 ? tsr_pointgrid_common_level(f.keys[i - 1], f.keys[i], f.rule.dimension) : -1;
  *last =
      f.rule.max_points < f.n - i
          ? tsr_pointgrid_common_level(f.keys[i], f.keys[i + f.rule.max_points], f.rule.dimension)
          : -1;
  if (*last > f.rule.max_level - 1)
    *last = f.rule.max_level - 1;
}

__device__ void count_splits(int64_t i, const tsr_pointgrid_frame &f, int64_t *counts) {
  int first, last;
  split_levels(f, i, &first, &last);
  counts[i] = last > first ? last - first : 0;
}

__device__ void emit_splits(int64_t i, const tsr_pointgrid_frame &f, const int64_t *places,
                            split_cell *cells) {
  int first, last;
  split_levels(f, i, &first, &last);
  for (int level = first + 1; level <= last; ++level) {
    const int shift = tsr_pointgrid_shift(f.rule.dimension, level);
    cells[places[i] + level - first - 1] = {f.keys[i] >> shift << shift, i, level};
  }
}

__device__ void emit_leaves(int64_t i, const tsr_pointgrid_frame &f, const split_cell *cells,
                            const tsr_pointgrid_found &out, unsigned long long *n_leaves) {
  const int dimension = f.rule.dimension;
  const split_cell above = cells[i >> dimension];
  const uint64_t size = (uint64_t)1 << tsr_pointgrid_shift(dimension, above.level + 1);
  const uint64_t number = (uint64_t)(i & (((int64_t)1 << dimension) - 1));
  tsr_pointgrid_cell cell = {};
  cell.key = above.key + number * size;
  cell.level = above.level + 1;
  const int64_t begin = tsr_pointgrid_lower_bound(f.keys, above.begin, f.n, cell.key);
  cell.count = tsr_pointgrid_lower_bound(f.keys, begin, f.n, cell.key + size) - begin;
  if (tsr_pointgrid_splits(&f.rule, &cell))
    return;
  const unsigned long long at = atomicAdd(n_leaves, 1ull);
  out.keys[at] = cell.key;
  out.leaves[at] = {cell.key, begin, cell.count, cell.level};
}

__global__ void root_leaf(tsr_pointgrid_frame f, tsr_pointgrid_found out) {
  out.keys[0] = 0;
  out.leaves[0] = {0, 0, f.n, 0};
}

} // namespace

tsr_status tsr_pointgrid_flat(const tsr_pointgrid_frame &f, tsr_memory *memory, cudaStream_t stream,
                              tsr_pointgrid_found *leaves, tsr_error *error) {
  int64_t *counts, splits = 0;
  split_cell *cells;
  unsigned long long *n_leaves;
  TSR_STEP(memory->get(&counts, f.n + 1, "the split cells", error));
  TSR_CUDA(tsr_launch_each<count_splits>(f.n, stream, f, counts), "counting the split cells");
  TSR_STEP(tsr_scan_counts(counts, f.n, memory, stream, error));
  TSR_STEP(
      tsr_bring(&splits, counts + f.n, sizeof splits, stream, "counting the split cells", error));
  // Every split cell is one leaf less, and makes 4 or 8.
  leaves->n = 1 + splits * (((int64_t)1 << f.rule.dimension) - 1);
  TSR_STEP(memory->get(&leaves->keys, leaves->n, "the leaves", error));
  TSR_STEP(memory->get(&leaves->leaves, leaves->n, "the leaves", error));
  if (splits == 0) {
    root_leaf<<<1, 1, 0, stream>>>(f, *leaves);
  } else {
    TSR_STEP(memory->get(&cells, splits, "the split cells", error));
    TSR_STEP(memory->get(&n_leaves, 1, "the leaves", error));
    TSR_CUDA(cudaMemsetAsync(n_leaves, 0, sizeof *n_leaves, stream), "making the leaves");
    TSR_CUDA(tsr_launch_each<emit_splits>(f.n, stream, f, counts, cells),
             "listing the split cells"); // or the next reads at random places
    TSR_CUDA(tsr_launch_each<emit_leaves>(splits << f.rule.dimension, stream, f, cells, *leaves,
                                          n_leaves),
             "making the leaves");
  }
  TSR_CUDA(cudaGetLastError(), "making the leaves");
  memory->free_one(counts);
  return TSR_OK;
}
