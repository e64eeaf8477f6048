// SPDX-License-Identifier: BSD-3-Clause
// Buffer and balance of a whole plan, as filters/grid/refine/closure.c has them.
#include "cuda/grid/refine/guarantee.cuh"
#include "grid/refine/closure_math.h"
#include "grid/refine/descent_math.h"

namespace {

const int block = 128;

struct side_bits {
  uint8_t of[27]; // by direction: children on that side, if balance looks there; else 0
};

// The refined children of one parent ask for the parent and its neighbours. Which of them are not
// refined yet is found before any of them is: the loads need not wait for each other.
__device__ void balance_parent(const tsr_grid_frame &f, int level, int64_t n, unsigned children,
                               const side_bits &sides) {
  const uint8_t *bytes = f.tree.dense[0];
  unsigned missing = 0;
  int64_t parent[3];
  tsr_frame_parent(f, level, n, parent);
#pragma unroll
  for (int number = 0; number < 27; ++number) {
    const int64_t q[3] = {parent[0] + number % 3 - 1, parent[1] + number / 3 % 3 - 1,
                          parent[2] + number / 9 - 1};
    const int asked = number == 13 || (children & sides.of[number]);
    missing |= asked && tsr_in_frame(f, level - 1, q) && !tsr_bit_in(f, bytes, level - 1, q)
                   ? 1u << number
                   : 0u;
  }
  for (; missing; missing &= missing - 1) {
    const int number = __ffs((int)missing) - 1;
    const int64_t q[3] = {parent[0] + number % 3 - 1, parent[1] + number / 3 % 3 - 1,
                          parent[2] + number / 9 - 1};
    tsr_set_in(f, f.tree.dense[0], level - 1, q);
  }
}

// A thread has four bytes, and most of them are 0.
__global__ void __launch_bounds__(block)
    balance_kernel(const tsr_grid_frame *frame, int level, int64_t words, side_bits sides) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  if (n >= words)
    return;
  const unsigned four = ((const unsigned *)frame->tree.dense[level])[n];
  for (int k = 0; k < 4 && four >> (8 * k); ++k)
    if (four >> (8 * k) & 255u)
      balance_parent(*frame, level, 4 * n + k, four >> (8 * k) & 255u, sides);
}

// 1 if all neighbours of a refined node are refined, too.
__device__ int is_inner(const tsr_grid_frame &f, const uint8_t *source, int level,
                        const int64_t i[3]) {
  for (int number = 0; number < 27; ++number) {
    int64_t d[3], q[3];
    tsr_direction(number, d);
    for (int a = 0; a < 3; ++a)
      q[a] = i[a] + (a < f.lattice.dimension ? d[a] : 0);
    if (tsr_in_frame(f, level, q) &&
        !((source[tsr_tree_dense_at(&f.tree, level, q)] >> tsr_child_number(q)) & 1))
      return 0;
  }
  return 1;
}

// The nodes around a refined one, below the limits.
__device__ void set_box(const tsr_grid_frame &f, int level, const int64_t i[3]) {
  const int64_t b = f.options.buffer_cells;
  const int64_t reach[3] = {b, f.lattice.dimension > 1 ? b : 0, f.lattice.dimension > 2 ? b : 0};
  int64_t q[3];
  for (q[2] = i[2] - reach[2]; q[2] <= i[2] + reach[2]; ++q[2])
    for (q[1] = i[1] - reach[1]; q[1] <= i[1] + reach[1]; ++q[1])
      for (q[0] = i[0] - reach[0]; q[0] <= i[0] + reach[0]; ++q[0])
        if (tsr_in_frame(f, level, q) &&
            level < tsr_region_limit(&f.lattice, &f.options, f.whole, level, q))
          tsr_set_in(f, f.tree.dense[0], level, q);
}

// source: a copy of the level, since the level itself changes.
__global__ void __launch_bounds__(block)
    buffer_kernel(const tsr_grid_frame *frame, int level, int64_t bytes, const uint8_t *source) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  const unsigned children = n < bytes ? source[n] : 0;
  int64_t parent[3];
  if (children == 0)
    return;
  tsr_frame_parent(*frame, level, n, parent);
  for (unsigned k = 0; k < 8; ++k) {
    int64_t i[3];
    if (!((children >> k) & 1))
      continue;
    tsr_descent_child(&frame->lattice, parent, k, i);
    if (!is_inner(*frame, source, level, i))
      set_box(*frame, level, i);
  }
}

tsr_status buffer(tsr_grid_device *grid, tsr_error *error) {
  for (int level = 0; level < grid->frame.levels; ++level) {
    const int64_t bytes = grid->level_bytes[level];
    TSR_CUDA(cudaMemcpyAsync(grid->whole.copy, grid->frame.tree.dense[level], (size_t)bytes,
                             cudaMemcpyDeviceToDevice, grid->stream),
             "copying a level");
    buffer_kernel<<<tsr_blocks(bytes, block), block, 0, grid->stream>>>(grid->frame_d, level, bytes,
                                                                        grid->whole.copy);
    TSR_CUDA(cudaGetLastError(), "making the buffer");
  }
  return TSR_OK;
}

// A group of nodes that make a block of the next level is refined as a whole. THREADS have a group;
// its bytes are theirs alone.
template <int THREADS>
__global__ void __launch_bounds__(block)
    block_kernel(const tsr_grid_frame *frame, int level, int64_t groups) {
  const tsr_grid_frame &f = *frame;
  const int64_t n = ((int64_t)blockIdx.x * block + threadIdx.x) / THREADS;
  const int dimension = f.lattice.dimension, side = f.options.block_size / 4; // of parents
  const int64_t *size = f.tree.size[level];
  const int64_t nx = (size[0] + side - 1) / side,
                ny = dimension > 1 ? (size[1] + side - 1) / side : 1;
  const int64_t first[3] = {n % nx * side, n / nx % ny * side, n / nx / ny * side};
  const int count = side * (dimension > 1 ? side : 1) * (dimension > 2 ? side : 1);
  int any = 0;
  // What a thread does with byte k of the group.
  const auto visit = [&](int k, auto what) {
    const int64_t at[3] = {first[0] + k % side, first[1] + (dimension > 1 ? k / side % side : 0),
                           first[2] + (dimension > 2 ? k / side / side : 0)};
    if (n < groups && at[0] < size[0] && at[1] < size[1] && at[2] < size[2])
      what((at[2] * size[1] + at[1]) * size[0] + at[0]);
  };
  for (int k = (int)threadIdx.x % THREADS; k < count; k += THREADS)
    visit(k, [&](int64_t byte) { any |= f.tree.dense[level][byte]; });
  if (THREADS > 1)
    any = __syncthreads_or(any);
  for (int k = (int)threadIdx.x % THREADS; any && k < count; k += THREADS)
    visit(k, [&](int64_t byte) {
      int64_t parent[3];
      tsr_frame_parent(f, level, byte, parent);
      f.tree.dense[level][byte] = (uint8_t)tsr_descent_owned(&f.lattice, f.range[level], parent);
    });
}

tsr_status refine_blocks(tsr_grid_device *grid, int level, tsr_error *error) {
  const tsr_grid_frame &f = grid->frame;
  const int64_t side = f.options.block_size / 4;
  int64_t groups = 1;
  for (int a = 0; a < f.lattice.dimension; ++a)
    groups *= (f.tree.size[level][a] + side - 1) / side;
  if (side <= 2)
    block_kernel<1>
        <<<tsr_blocks(groups, block), block, 0, grid->stream>>>(grid->frame_d, level, groups);
  else
    block_kernel<block><<<(unsigned)groups, block, 0, grid->stream>>>(grid->frame_d, level, groups);
  TSR_CUDA(cudaGetLastError(), "refining whole blocks");
  return TSR_OK;
}

// Buffer, blocks and balance.
tsr_status close_once(tsr_grid_device *grid, tsr_error *error) {
  const tsr_grid_options &o = grid->frame.options;
  const bool patches = o.output == TSR_GRID_PATCHES;
  side_bits sides;
  for (int number = 0; number < 27; ++number)
    sides.of[number] = (uint8_t)tsr_balance_side(grid->frame.lattice.dimension,
                                                 patches ? TSR_BALANCE_CORNER : o.balance, number);
  const bool bricks = tsr_has_bricks(grid->frame.lattice);
  if (o.buffer_cells > 0)
    TSR_STEP(buffer(grid, error));
  if (o.buffer_cells > 0 && bricks)
    TSR_STEP(tsr_grid_buffer_bricks(grid, error));
  if (bricks)
    TSR_STEP(tsr_grid_balance_bricks(grid, patches ? TSR_BALANCE_CORNER : o.balance, error));
  for (int level = grid->frame.levels - 1; level >= 0; --level) {
    if (patches && o.block_size > 2)
      TSR_STEP(refine_blocks(grid, level, error));
    if (level == 0)
      break;
    const int64_t words = (grid->level_bytes[level] + 3) / 4;
    balance_kernel<<<tsr_blocks(words, block), block, 0, grid->stream>>>(grid->frame_d, level,
                                                                         words, sides);
    TSR_CUDA(cudaGetLastError(), "balancing the grid");
  }
  return TSR_OK;
}

tsr_status copy_tree(tsr_grid_device *grid, uint8_t *to, const uint8_t *from, tsr_error *error) {
  TSR_CUDA(cudaMemcpyAsync(to, from, (size_t)grid->n_bytes, cudaMemcpyDeviceToDevice, grid->stream),
           "copying the tree");
  return TSR_OK;
}

// Memory for the rounds: trees and rules.
tsr_status make_rounds(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  if (!w.base) {
    TSR_STEP(grid->memory.get(&w.base, grid->n_bytes, "the rounds of the guarantee", error));
    TSR_STEP(grid->memory.get(&w.last, grid->n_bytes, "the rounds of the guarantee", error));
    TSR_STEP(grid->memory.get(&w.look, 2 * grid->n_bytes, "the rounds of the guarantee", error));
    TSR_STEP(grid->memory.get(&w.rules, job->n_rules, "the rules", error));
    TSR_STEP(grid->memory.get(&w.last_d, 1, "the rounds of the guarantee", error));
    w.last_h = grid->frame;
    for (int level = 0; level < grid->frame.levels; ++level)
      w.last_h.tree.dense[level] = w.last + (grid->frame.tree.dense[level] - grid->bytes);
    TSR_CUDA(
        cudaMemcpyAsync(w.last_d, &w.last_h, sizeof w.last_h, cudaMemcpyHostToDevice, grid->stream),
        "uploading the grid");
  }
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_close_tree(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  bool guaranteed = false;
  for (int r = 0; r < job->n_rules; ++r)
    guaranteed = guaranteed || job->rules[r].measure == TSR_MEASURE_INTERPOLATION_ERROR;
  if (grid->frame.options.buffer_cells > 0 && !w.copy)
    TSR_STEP(grid->memory.get(&w.copy, grid->n_bytes, "a copy of a level", error));
  if (!guaranteed || grid->frame.options.mode != TSR_GRID_ADAPTIVE)
    return close_once(grid, error);
  TSR_STEP(make_rounds(grid, job, error));
  TSR_STEP(copy_tree(grid, w.base, grid->bytes, error));
  if (tsr_has_bricks(grid->frame.lattice))
    TSR_STEP(tsr_grid_keep_bricks(grid, error));
  for (int round = 0;; ++round) {
    int added = 0;
    TSR_STEP(close_once(grid, error));
    TSR_STEP(tsr_grid_look_again(grid, job, round > 0, &added, error));
    if (!added)
      return TSR_OK;
    if (tsr_cuda_stopped(job->execution, 0.35))
      return tsr_cuda_refuse(error, TSR_ABORTED, "stopped while the grid was balanced");
    TSR_STEP(copy_tree(grid, w.last, grid->bytes, error));
    TSR_STEP(copy_tree(grid, grid->bytes, w.base, error));
    if (tsr_has_bricks(grid->frame.lattice))
      TSR_STEP(tsr_grid_restore_bricks(grid, error));
  }
}
