// SPDX-License-Identifier: BSD-3-Clause
// One level on the way down, as the host's and the device's launches share it.
#ifndef TSR_GRID_WAVE_CUH
#define TSR_GRID_WAVE_CUH

#include "grid.cuh"

static __device__ inline int tsr_is_forced(const tsr_grid_frame &f, int level, const int64_t i[3]) {
  if ((f.options.output == TSR_GRID_TREES || f.options.output == TSR_GRID_PATCHES) &&
      tsr_node_sticks_out(&f.lattice, level, i))
    return 1;
  if (!f.hidden || level >= f.lattice.coarsen)
    return 0;
  const int64_t(*r)[2] = f.range[level];
  return f.seen[level]
               [((i[2] - r[2][0]) * (r[1][1] - r[1][0]) + (i[1] - r[1][0])) * (r[0][1] - r[0][0]) +
                (i[0] - r[0][0])] == 3;
}

static __device__ inline int tsr_is_refined(const tsr_grid_frame &f, int level, const int64_t i[3],
                                            int asked) {
  if (f.options.mode == TSR_GRID_FINE)
    return 1;
  if (f.may_force && tsr_is_forced(f, level, i))
    return 1;
  return asked && f.options.mode == TSR_GRID_ADAPTIVE &&
         level < tsr_region_limit(&f.lattice, &f.options, f.whole, level, i);
}

// The byte's bits of nodes that exist and are refined. The level above is done.
static __device__ inline unsigned tsr_wave_byte(const tsr_grid_frame &f, int level, int64_t n) {
  const int64_t *size = f.tree.size[level], *first = f.tree.first[level];
  const unsigned asked = f.tree.dense[level][n];
  unsigned bits = 0;
  if (!asked && !f.may_force)
    return 0;
  const int64_t parent[3] = {first[0] + n % size[0], first[1] + n / size[0] % size[1],
                             first[2] + n / size[0] / size[1]};
  if (level > 0 && !(tsr_node_known(&f.lattice, level - 1, parent) &&
                     tsr_tree_get(&f.tree, &f.lattice, level - 1, parent)))
    return 0;
  for (unsigned k = 0; k < (1u << f.lattice.dimension); ++k) {
    int64_t i[3];
    int inside = 1;
    for (int a = 0; a < 3; ++a) {
      i[a] = a < f.lattice.dimension ? 2 * parent[a] + ((k >> a) & 1) : 0;
      inside = inside && i[a] >= f.range[level][a][0] && i[a] < f.range[level][a][1];
    }
    if (inside && tsr_is_refined(f, level, i, (asked >> k) & 1))
      bits |= 1u << k;
  }
  return bits;
}

// The same where only the parent matters: the bits of nodes that do not exist were never set.
static __device__ inline unsigned tsr_wave_mask(const tsr_grid_frame &f, int level, unsigned n,
                                                unsigned asked) {
  const int64_t *size = f.tree.size[level], *first = f.tree.first[level];
  const unsigned nx = (unsigned)size[0], ny = (unsigned)size[1];
  if (level == 0)
    return asked;
  const int64_t parent[3] = {first[0] + n % nx, first[1] + n / nx % ny, first[2] + n / nx / ny};
  const unsigned bits = f.tree.dense[level - 1][tsr_tree_dense_at(&f.tree, level - 1, parent)];
  return (bits >> tsr_child_number(parent)) & 1 ? asked : 0u;
}

// Four bytes of masks at a time: most of them are 0. Levels begin at multiples of 16, and what lies
// between them is 0.
static __device__ inline unsigned tsr_wave_masks(const tsr_grid_frame &f, int level, int64_t begin,
                                                 int64_t end, int64_t step) {
  unsigned *words = (unsigned *)f.tree.dense[level];
  unsigned refined = 0;
  for (int64_t w = begin; 4 * w < end; w += step) {
    const unsigned asked = words[w];
    unsigned bits = 0;
    if (!asked)
      continue;
    for (unsigned k = 0; k < 4; ++k)
      if ((asked >> (8 * k)) & 255)
        bits |= tsr_wave_mask(f, level, (unsigned)(4 * w) + k, (asked >> (8 * k)) & 255) << (8 * k);
    if (bits != asked)
      words[w] = bits;
    refined += __popc(bits);
  }
  return refined;
}

// Bytes [begin, end) in steps; returns how many nodes this thread refined.
static __device__ inline unsigned tsr_wave_bytes(const tsr_grid_frame &f, int level, int64_t begin,
                                                 int64_t end, int64_t step) {
  unsigned refined = 0;
  if (f.masks_only)
    return tsr_wave_masks(f, level, begin, end, step);
  for (int64_t n = begin; n < end; n += step) {
    const unsigned asked = f.tree.dense[level][n];
    const unsigned bits = tsr_wave_byte(f, level, n);
    if (bits != asked)
      f.tree.dense[level][n] = (uint8_t)bits;
    refined += __popc(bits);
  }
  return refined;
}

// Adds up over the block; the sum is in thread 0.
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

static __device__ inline int64_t tsr_level_size(const tsr_grid_frame &f, int level) {
  return f.tree.size[level][0] * f.tree.size[level][1] * f.tree.size[level][2];
}

// Levels [0, levels), small ones, by one block. Returns, in thread 0, the last one's count.
static __device__ inline unsigned long long tsr_small_waves(const tsr_grid_frame &f, int levels,
                                                            tsr_wave_state *waves) {
  unsigned long long refined = 0;
  for (int level = 0; level < levels; ++level) {
    __syncthreads();
    refined =
        tsr_block_sum(tsr_wave_bytes(f, level, threadIdx.x, tsr_level_size(f, level), blockDim.x));
    if (threadIdx.x == 0)
      waves->refined[level] = refined;
  }
  return refined;
}

// One large level by the whole grid. Returns 1 in the one thread that is last, with the count.
static __device__ inline int tsr_large_wave(const tsr_grid_frame &f, int level,
                                            tsr_wave_count *count, unsigned long long *refined) {
  const unsigned long long sum =
      tsr_block_sum(tsr_wave_bytes(f, level, (int64_t)blockIdx.x * blockDim.x + threadIdx.x,
                                   tsr_level_size(f, level), (int64_t)gridDim.x * blockDim.x));
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

// Blocks of 256 for a level.
static __host__ __device__ inline unsigned tsr_wave_blocks(int64_t bytes) {
  const int64_t blocks = (bytes + 1023) / 1024;
  return (unsigned)(blocks < 2048 ? (blocks > 0 ? blocks : 1) : 2048);
}

#endif
