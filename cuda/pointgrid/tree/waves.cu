// SPDX-License-Identifier: BSD-3-Clause
// Leaves level by level. A warp examines a cell: its count is the length of its range of keys, and
// where that is not too long already, its lanes look for the least and greatest value. The lanes of
// a cell that is split then look for where its children's keys begin.
#include "cuda/pointgrid/device.cuh"

#include <vector>

namespace {

const int WARPS = 8; // of a block

struct node {
  uint64_t key;
  int64_t begin, end;
};

struct wave {
  const node *nodes;
  int64_t n;
  int level;
  node *next;
  tsr_pointgrid_found leaves;
  unsigned long long *counts; // split cells, leaves
};

__device__ tsr_pointgrid_cell examine(const tsr_pointgrid_frame &f, const node &it, int level) {
  tsr_pointgrid_cell cell = {};
  cell.key = it.key;
  cell.count = it.end - it.begin;
  cell.level = level;
  cell.low = INFINITY;
  cell.high = -INFINITY;
  if (!f.rule.use_spread || cell.count > f.rule.max_points)
    return cell;
  for (int64_t i = it.begin + (threadIdx.x & 31u); i < it.end; i += 32) {
    const double v = tsr_pointgrid_value(&f.spread, f.spread_component, f.points_of[i]);
    cell.low = v < cell.low ? v : cell.low;
    cell.high = v > cell.high ? v : cell.high;
  }
  for (int step = 16; step > 0; step /= 2) {
    const double low = __shfl_xor_sync(~0u, cell.low, step);
    const double high = __shfl_xor_sync(~0u, cell.high, step);
    cell.low = low < cell.low ? low : cell.low;
    cell.high = high > cell.high ? high : cell.high;
  }
  return cell;
}

// count_only: nothing is written but the counts.
__global__ void __launch_bounds__(32 * WARPS)
    do_wave(tsr_pointgrid_frame f, wave w, int count_only) {
  const int64_t i = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32;
  const unsigned lane = threadIdx.x & 31u;
  unsigned long long at = 0;
  if (i >= w.n)
    return;
  const node it = w.nodes[i];
  const tsr_pointgrid_cell cell = examine(f, it, w.level);
  const int split = tsr_pointgrid_splits(&f.rule, &cell);
  if (!split && !tsr_pointgrid_is_owned(&f.rule, cell.key, cell.level))
    return;
  if (lane == 0)
    at = atomicAdd(&w.counts[split ? 0 : 1], 1ull);
  at = __shfl_sync(~0u, at, 0);
  if (count_only)
    return;
  if (!split && lane == 0) {
    w.leaves.keys[at] = cell.key;
    w.leaves.leaves[at] = {cell.key, it.begin, cell.count, cell.level};
  } else if (split && lane < 1u << f.rule.dimension) {
    const uint64_t size = (uint64_t)1 << tsr_pointgrid_shift(f.rule.dimension, w.level + 1);
    const uint64_t key = it.key + lane * size;
    const int64_t begin = tsr_pointgrid_lower_bound(f.keys, it.begin, it.end, key);
    w.next[(at << f.rule.dimension) + lane] = {
        key, begin, tsr_pointgrid_lower_bound(f.keys, begin, it.end, key + size)};
  }
}

tsr_status run(const tsr_pointgrid_frame &f, const wave &w, int count_only,
               unsigned long long counts[2], cudaStream_t stream, tsr_error *error) {
  TSR_CUDA(cudaMemsetAsync(w.counts, 0, 2 * sizeof *w.counts, stream), "refining a level");
  do_wave<<<tsr_blocks(w.n, WARPS), 32 * WARPS, 0, stream>>>(f, w, count_only);
  TSR_CUDA(cudaGetLastError(), "refining a level");
  TSR_STEP(tsr_bring(counts, w.counts, 2 * sizeof *counts, stream, "refining a level", error));
  return TSR_OK;
}

// All levels' leaves, one after the other.
tsr_status join(const std::vector<tsr_pointgrid_found> &levels, tsr_memory *memory,
                cudaStream_t stream, tsr_pointgrid_found *leaves, tsr_error *error) {
  int64_t at = 0;
  leaves->n = 0;
  for (const tsr_pointgrid_found &one : levels)
    leaves->n += one.n;
  TSR_STEP(memory->get(&leaves->keys, leaves->n, "the leaves", error));
  TSR_STEP(memory->get(&leaves->leaves, leaves->n, "the leaves", error));
  for (const tsr_pointgrid_found &one : levels) {
    TSR_CUDA(tsr_copy_async(leaves->keys + at, one.keys, (size_t)one.n * sizeof *one.keys,
                            cudaMemcpyDeviceToDevice, stream),
             "joining the leaves");
    TSR_CUDA(tsr_copy_async(leaves->leaves + at, one.leaves, (size_t)one.n * sizeof *one.leaves,
                            cudaMemcpyDeviceToDevice, stream),
             "joining the leaves");
    at += one.n;
  }
  return TSR_OK;
}

} // namespace

tsr_status tsr_pointgrid_waves(const tsr_pointgrid_frame &f, tsr_memory *memory,
                               cudaStream_t stream, tsr_pointgrid_found *leaves, tsr_error *error) {
  std::vector<tsr_pointgrid_found> levels;
  const node root = {0, 0, f.n};
  node *nodes;
  wave w = {};
  TSR_STEP(memory->get(&nodes, 1, "the cells of a level", error));
  TSR_STEP(memory->get(&w.counts, 2, "the cells of a level", error));
  TSR_CUDA(tsr_copy_async(nodes, &root, sizeof root, cudaMemcpyHostToDevice, stream),
           "starting at the root");
  w.nodes = nodes;
  for (w.n = 1; w.n > 0; ++w.level) {
    unsigned long long counts[2];
    TSR_STEP(run(f, w, 1, counts, stream, error));
    const int64_t next = (int64_t)counts[0] << f.rule.dimension;
    w.leaves = {(int64_t)counts[1], nullptr, nullptr};
    TSR_STEP(memory->get(&w.next, next, "the cells of a level", error));
    TSR_STEP(memory->get(&w.leaves.keys, w.leaves.n, "the leaves", error));
    TSR_STEP(memory->get(&w.leaves.leaves, w.leaves.n, "the leaves", error));
    TSR_STEP(run(f, w, 0, counts, stream, error));
    levels.push_back(w.leaves);
    memory->free_one((void *)w.nodes);
    w.nodes = w.next;
    w.n = next;
  }
  return join(levels, memory, stream, leaves, error);
}
