// SPDX-License-Identifier: BSD-3-Clause
// One level of the descent from the roots. Kernels that the host launches and kernels that kernels
// launch share this code.
#ifndef TSR_GRID_REFINE_WAVE_CUH
#define TSR_GRID_REFINE_WAVE_CUH

#include "cuda/grid/plan.cuh"
#include "grid/refine/descent_math.h"

// Bits of those of a parent's `children`, nodes of `level`, that have both hidden and visible
// cells.
static __device__ inline unsigned tsr_wave_mixed(const tsr_grid_frame &f, int level,
                                                 const int64_t parent[3], unsigned children) {
  unsigned bits = 0;
  if (!f.hidden || level >= f.lattice.coarsen)
    return 0;
  for (unsigned k = 0; k < (1u << f.lattice.dimension); ++k) {
    int64_t i[3];
    if (!((children >> k) & 1))
      continue;
    tsr_descent_child(&f.lattice, parent, k, i);
    if (f.seen[level][tsr_number_in(f.range[level], i)] == 3)
      bits |= 1u << k;
  }
  return bits;
}

// Bits of byte n: the nodes that exist and are refined. The level above must be done.
static __device__ inline unsigned tsr_wave_byte(const tsr_grid_frame &f, int level, int64_t n) {
  const unsigned asked = f.tree.dense[level][n];
  int64_t parent[3];
  if (!asked && !f.may_force)
    return 0;
  tsr_tree_parent(&f.tree, level, n, parent);
  if (!tsr_descent_reaches(&f.lattice, &f.tree, level, parent))
    return 0;
  const unsigned owned = tsr_descent_owned(&f.lattice, f.range[level], parent);
  const unsigned forced = f.may_force
                              ? tsr_descent_forced(&f.lattice, &f.options, level, parent, owned,
                                                   tsr_wave_mixed(f, level, parent, owned))
                              : 0u;
  return forced |
         tsr_descent_open(&f.lattice, &f.options, f.whole, level, parent, owned & asked & ~forced);
}

// As tsr_wave_byte, if a node is refined exactly if it is asked for and its parent is refined:
// whole bytes then stay or are cleared. It takes byte n of the level above, whose eight bits say
// which of eight parents are refined, and clears the bytes of the children of all other parents.
// Returns the number of refined children. Nodes that do not exist have no bits set. Places in the
// tree must fit into 32 bits.
static __device__ inline unsigned tsr_wave_masks(const tsr_grid_frame &f, int level, unsigned n) {
  const unsigned nx = (unsigned)f.tree.size[level - 1][0], ny = (unsigned)f.tree.size[level - 1][1];
  const unsigned row = n / nx, place[3] = {n - row * nx, row % ny, row / ny};
  const int sx = (int)f.tree.size[level][0], sy = (int)f.tree.size[level][1];
  const unsigned parents = f.tree.dense[level - 1][n];
  unsigned refined = 0, asked[8];
  int low[3], high[3], i[3]; // i: the first of the eight, in the level's box; maybe one before it
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    i[a] = 2 * (int)place[a] + (int)(2 * f.tree.first[level - 1][a] - f.tree.first[level][a]);
    low[a] = i[a] >= 0;
    high[a] = i[a] + 1 < (int)f.tree.size[level][a];
  }
  uint8_t *const bytes = f.tree.dense[level] + (i[2] * sy + i[1]) * sx + i[0];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int inside =
        (k & 1 ? high[0] : low[0]) & (k & 2 ? high[1] : low[1]) & (k & 4 ? high[2] : low[2]);
    asked[k] = inside ? bytes[(k & 1) + sx * ((k >> 1 & 1) + sy * (k >> 2))] : 0u;
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    if (parents >> k & 1)
      refined += __popc(asked[k]);
    else if (asked[k])
      bytes[(k & 1) + sx * ((k >> 1 & 1) + sy * (k >> 2))] = 0;
  }
  return refined;
}

static __host__ __device__ inline int64_t tsr_level_size(const tsr_grid_frame &f, int level) {
  return f.tree.size[level][0] * f.tree.size[level][1] * f.tree.size[level][2];
}

// Number of work items of a level: its bytes or, with masks_only, the bytes of the level above it.
static __host__ __device__ inline int64_t tsr_wave_items(const tsr_grid_frame &f, int level) {
  return tsr_level_size(f, f.masks_only && level > 0 ? level - 1 : level);
}

// Handles the items begin, begin + step, ... of a level. Returns the number of nodes that this
// thread refined.
static __device__ inline unsigned tsr_wave_share(const tsr_grid_frame &f, int level, int64_t begin,
                                                 int64_t step) {
  const int64_t end = tsr_wave_items(f, level);
  unsigned refined = 0;
  if (f.masks_only &&
      level == 0) { // all marked roots are refined; bytes up to the next multiple of 16 are 0
    for (int64_t n = begin; 4 * n < end; n += step)
      refined += __popc(((const unsigned *)f.tree.dense[0])[n]);
    return refined;
  }
  for (int64_t n = begin; n < end; n += step) {
    if (f.masks_only) {
      refined += tsr_wave_masks(f, level, (unsigned)n);
      continue;
    }
    const unsigned asked = f.tree.dense[level][n];
    const unsigned bits = tsr_wave_byte(f, level, n);
    if (bits != asked)
      f.tree.dense[level][n] = (uint8_t)bits;
    refined += __popc(bits);
  }
  return refined;
}

// Sum of the values of a block's threads, returned in thread 0.
static __device__ inline unsigned long long tsr_block_sum(unsigned value) {
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, step);
  if (threadIdx.x % 32 == 0 && value > 0)
    atomicAdd(&sum, (unsigned long long)value);
  __syncthreads();
  return sum;
}

// Handles the levels [0, levels), which are small, by one block. It first clears the counts of the
// larger levels. Returns, in thread 0, the count of the last level.
static __device__ inline unsigned long long
tsr_small_waves(const tsr_grid_frame &f, int levels, tsr_wave_count *count, tsr_wave_state *waves) {
  unsigned long long refined = 0;
  if (threadIdx.x <= TSR_GRID_MAX_LEVEL) {
    count->refined[threadIdx.x] = 0;
    count->done[threadIdx.x] = 0;
  }
  for (int level = 0; level < levels; ++level) {
    __syncthreads();
    refined = tsr_block_sum(tsr_wave_share(f, level, threadIdx.x, blockDim.x));
    if (threadIdx.x == 0)
      waves->refined[level] = refined;
  }
  return refined;
}

// Handles one large level by all blocks. Returns 1 in exactly one thread, the last to finish, which
// receives the level's count.
static __device__ inline int tsr_large_wave(const tsr_grid_frame &f, int level,
                                            tsr_wave_count *count, unsigned long long *refined) {
  const unsigned long long sum = tsr_block_sum(tsr_wave_share(
      f, level, (int64_t)blockIdx.x * blockDim.x + threadIdx.x, (int64_t)gridDim.x * blockDim.x));
  if (threadIdx.x != 0)
    return 0;
  if (sum > 0)
    atomicAdd(&count->refined[level], sum);
  __threadfence();
  if (atomicAdd(&count->done[level], 1u) != gridDim.x - 1)
    return 0;
  *refined = *(volatile unsigned long long *)&count->refined[level];
  return 1;
}

// Tells the host that all levels up to this one are done.
static __device__ inline void tsr_wave_tell(tsr_wave_state *waves, int level,
                                            unsigned long long refined) {
  waves->refined[level] = refined;
  __threadfence_system();
  waves->level = level;
}

// Number of blocks of 256 threads for a level.
static __host__ __device__ inline unsigned tsr_wave_blocks(const tsr_grid_frame &f, int level) {
  const int64_t blocks = (tsr_wave_items(f, level) + 511) / 512;
  return (unsigned)(blocks < 2048 ? (blocks > 0 ? blocks : 1) : 2048);
}

#endif
