// SPDX-License-Identifier: BSD-3-Clause
// Buffer and balance of a whole plan, as filters/grid/refine/closure.c has them.
#include "cuda/common/executor.cuh"
#include "cuda/grid/refine/round.cuh"

namespace {

const int block = 128;

// A parent of a node, or a neighbour of that parent; 13: the parent.
__device__ __forceinline__ void direction_of(const int64_t parent[3], int number, int64_t q[3]) {
  q[0] = parent[0] + number % 3 - 1;
  q[1] = parent[1] + number / 3 % 3 - 1;
  q[2] = parent[2] + number / 9 - 1;
}

// The refined children of one parent, on a level, ask for the parent and its neighbours: those of
// them that are not refined yet, by direction. The loads need not wait for each other.
__device__ __forceinline__ unsigned missing_around(const tsr_grid_frame &f, int level,
                                                   const int64_t parent[3], unsigned children,
                                                   const tsr_sides &sides) {
  const uint8_t *bytes = f.tree.dense[0];
  unsigned missing = 0;
#pragma unroll
  for (int number = 0; number < 27; ++number) {
    int64_t q[3];
    direction_of(parent, number, q);
    const int asked = number == 13 || (children & sides.of[number]);
    missing |= asked && tsr_in_frame(f, level - 1, q) && !tsr_bit_in(f, bytes, level - 1, q)
                   ? 1u << number
                   : 0u;
  }
  return missing;
}

__device__ void balance_parent(const tsr_grid_frame &f, int level, int64_t n, unsigned children,
                               const tsr_sides &sides) {
  int64_t parent[3], q[3];
  tsr_frame_parent(f, level, n, parent);
  for (unsigned missing = missing_around(f, level, parent, children, sides); missing;
       missing &= missing - 1) {
    direction_of(parent, __ffs((int)missing) - 1, q);
    tsr_set_in(f, f.tree.dense[0], level - 1, q);
  }
}

// A thread has four bytes, and most of them are 0.
__device__ void balance_word(int64_t n, const tsr_grid_frame *frame, int level,
                             const tsr_sides &sides) {
  const unsigned four = ((const unsigned *)frame->tree.dense[level])[n];
  for (int k = 0; k < 4 && four >> (8 * k); ++k)
    if (four >> (8 * k) & 255u)
      balance_parent(*frame, level, 4 * n + k, four >> (8 * k) & 255u, sides);
}

// source: a copy of the level, since the level itself changes.
__device__ void buffer_byte(int64_t n, const tsr_grid_frame *frame, int level,
                            const uint8_t *source) {
  const unsigned children = source[n];
  const tsr_closing it = tsr_closing_of(*frame, source, nullptr);
  int64_t parent[3];
  if (children == 0)
    return;
  tsr_frame_parent(*frame, level, n, parent);
  tsr_closing_buffer(&it, level, parent, children, tsr_set_node);
}

tsr_status buffer(tsr_grid_device *grid, uint8_t *copy, tsr_error *error) {
  for (int level = 0; level < grid->frame.levels; ++level) {
    const int64_t bytes = grid->level_bytes[level];
    TSR_CUDA(tsr_copy_async(copy, grid->frame.tree.dense[level], (size_t)bytes,
                            cudaMemcpyDeviceToDevice, grid->stream),
             "copying a level");
    TSR_CUDA(tsr_launch_each<buffer_byte>(bytes, grid->stream, grid->frame_d, level, copy),
             "making the buffer");
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
  // Calls `what` with the place of byte k of the group, if it exists.
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

// Refines a node. 1 if nobody did that before.
__device__ int refine_node(const tsr_grid_frame &f, int level, const int64_t i[3]) {
  uint8_t *const byte = tsr_byte_in(f, f.tree.dense[0], level, i);
  const unsigned bit = 1u << (8 * (unsigned)((uintptr_t)byte % 4) + tsr_child_number(i));
  return !(atomicOr((unsigned *)((uintptr_t)byte & ~(uintptr_t)3), bit) & bit);
}

// Refines what balance asks for on account of a node that was refined, and on account of that in
// turn; what was not refined before is fresh.
__device__ void climb(const tsr_round &round, const tsr_sides &sides, int level,
                      const int64_t i[3]) {
  const tsr_grid_frame &f = *round.frame;
  int64_t q[3] = {i[0], i[1], i[2]};
  int parent[TSR_GRID_MAX_LEVEL + 1][3]; // by level: of the node there that asks
  unsigned missing[TSR_GRID_MAX_LEVEL + 1];
  for (int l = level, asks = 1; l <= level;) {
    if (asks && l > 0) {
      const int64_t p[3] = {q[0] >> 1, q[1] >> 1, q[2] >> 1};
      for (int a = 0; a < 3; ++a)
        parent[l][a] = (int)p[a];
      missing[l] = missing_around(f, l, p, 1u << tsr_child_number(q), sides);
    }
    asks = 0;
    if (l == 0 || missing[l] == 0) {
      ++l;
      continue;
    }
    const int64_t p[3] = {parent[l][0], parent[l][1], parent[l][2]};
    direction_of(p, __ffs((int)missing[l]) - 1, q);
    missing[l] &= missing[l] - 1;
    if (!refine_node(f, l - 1, q))
      continue;
    const unsigned at = atomicAdd(&round.result->fresh, 1u);
    if (at < round.room)
      round.fresh[at] = tsr_pack_leaf(l - 1, tsr_tree_dense_at(&f.tree, l - 1, q),
                                      (unsigned)tsr_child_number(q), 0);
    --l;
    asks = 1;
  }
}

// A thread has a leaf that asked for more.
__global__ void __launch_bounds__(block) added_kernel(tsr_round round, tsr_sides sides) {
  const tsr_grid_frame &f = *round.frame;
  if (!tsr_goes_on(round))
    return;
  for (unsigned first = blockIdx.x * block; first < round.before->added;
       first += gridDim.x * block) {
    const int here = first + threadIdx.x < round.before->added;
    const tsr_packed_leaf leaf = here ? round.asked[first + threadIdx.x] : tsr_packed_leaf{};
    int64_t n, i[3];
    int level;
    tsr_unpack_leaf(f, leaf, &level, &n, i);
    const int fresh = here && refine_node(f, level, i);
    (void)tsr_append(&round.result->fresh, round.fresh, round.room, fresh, leaf);
    if (fresh)
      climb(round, sides, level, i);
    __syncwarp();
  }
}

} // namespace

tsr_status tsr_close_all(tsr_grid_device *grid, tsr_grid_refining *refining, tsr_error *error) {
  const tsr_grid_options &o = grid->frame.options;
  const bool blocks = o.output == TSR_GRID_PATCHES && o.block_size > 2;
  const bool bricks = tsr_has_bricks(grid->frame.lattice);
  const tsr_sides sides = tsr_sides_of(grid->frame);
  if (o.buffer_cells > 0)
    TSR_STEP(buffer(grid, refining->copy, error));
  if (o.buffer_cells > 0 && bricks)
    TSR_STEP(tsr_grid_buffer_bricks(grid, &refining->bricks, error));
  if (bricks)
    TSR_STEP(tsr_grid_balance_bricks(grid, refining->bricks, sides, error));
  for (int level = grid->frame.levels - 1; level >= 0; --level) {
    if (blocks)
      TSR_STEP(refine_blocks(grid, level, error));
    if (level == 0)
      break;
    const int64_t words = (grid->level_bytes[level] + 3) / 4;
    TSR_CUDA(tsr_launch_each<balance_word>(words, grid->stream, grid->frame_d, level, sides),
             "balancing the grid");
  }
  return TSR_OK;
}

tsr_status tsr_close_added(tsr_grid_device *grid, const tsr_round &round, tsr_error *error) {
  const unsigned blocks = 2 * (unsigned)grid->state->properties.multiProcessorCount;
  added_kernel<<<blocks, block, 0, grid->stream>>>(round, tsr_sides_of(grid->frame));
  TSR_CUDA(cudaGetLastError(), "balancing the grid");
  return TSR_OK;
}
