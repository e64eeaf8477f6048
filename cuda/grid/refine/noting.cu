// SPDX-License-Identifier: BSD-3-Clause
// Which leaves a round of the guarantee looks at: those that closure made, and those that are cut
// in another way than in the round before. They go into a list, or, where it has no room for them,
// get bits in two trees. One kernel goes through all levels, as each of them alone is small.
#include "cuda/grid/cut_estimate.cuh"
#include "cuda/grid/refine/round.cuh"

namespace {

const int block = 128;

// Which level a block has: those from first[level] on.
struct level_blocks {
  unsigned first[TSR_GRID_MAX_LEVEL + 2];
};

// The parent whose children byte n of the level holds, as far as they exist: 0 where they do not.
__device__ int parent_of(const tsr_grid_frame &f, int level, int64_t n, int64_t parent[3]) {
  tsr_frame_parent(f, level, n, parent);
  return level == 0 ||
         (tsr_in_frame(f, level - 1, parent) && tsr_bit_in(f, f.tree.dense[0], level - 1, parent));
}

// Child k of that parent, also of the parents of the roots.
__device__ int child_of(const tsr_grid_frame &f, int level, const int64_t parent[3], unsigned k,
                        int64_t i[3]) {
  if (k >= (1u << f.lattice.dimension))
    return 0;
  tsr_descent_child(&f.lattice, parent, k, i);
  return tsr_in_frame(f, level, i);
}

// The bytes of a level around byte n: whether any node there is refined, and whether all is as it
// was in the round before. They are on their way together.
struct surroundings {
  unsigned any, changed;
};

__device__ surroundings look_around(const tsr_round &job, int level, const int64_t parent[3]) {
  const tsr_grid_frame &f = *job.frame;
  const int64_t *first = f.tree.first[level], *size = f.tree.size[level];
  const uint8_t *now = f.tree.dense[level], *before = job.last ? job.last->tree.dense[level] : now;
  const int x = (int)(parent[0] - first[0]), y = (int)(parent[1] - first[1]),
            z = (int)(parent[2] - first[2]);
  surroundings to = {0, !job.last};
#pragma unroll
  for (int k = 0; k < 27; ++k) {
    const int px = x + k % 3 - 1, py = y + k / 3 % 3 - 1, pz = z + k / 9 - 1;
    if ((unsigned)px >= (unsigned)size[0] || (unsigned)py >= (unsigned)size[1] ||
        (unsigned)pz >= (unsigned)size[2])
      continue;
    const int64_t at = ((int64_t)pz * size[1] + py) * size[0] + px;
    to.any |= now[at];
    to.changed |= now[at] ^ before[at];
  }
  return to;
}

// 1 if a parent was refined in the round before.
__device__ int was_refined(const tsr_round &job, int level, const int64_t parent[3]) {
  return job.last &&
         (level == 0 || tsr_bit_in(*job.last, job.last->tree.dense[0], level - 1, parent));
}

// Leaves of a parent that closure alone refined, in this round.
__device__ unsigned new_leaves(const tsr_round &job, int level, const int64_t parent[3],
                               unsigned refined) {
  const tsr_grid_frame &f = *job.frame;
  unsigned bits = 0;
  int64_t i[3];
  if (level == 0 || was_refined(job, level, parent) || tsr_bit_in(f, job.base, level - 1, parent))
    return 0;
  for (unsigned k = 0; k < 8; ++k)
    if (!((refined >> k) & 1) && child_of(f, level, parent, k, i) && tsr_is_open(f, level, i))
      bits |= 1u << k;
  return bits;
}

// 1 if the leaf was one in the round before, cut in the same way.
__device__ int was_cut(const tsr_round &job, int level, const int64_t parent[3], const int64_t i[3],
                       uint32_t has) {
  tsr_cut cut;
  return was_refined(job, level, parent) && tsr_frame_cut(*job.last, level, i, &cut) &&
         cut.has == has;
}

// The same of one that is cut. 0: it is not for the list, or there is no room.
__device__ int put_cut(const tsr_round &job, int level, int64_t n, unsigned child,
                       const int64_t i[3], uint32_t has) {
  const int slot = tsr_cut_claim(job.table, has);
  return job.by_weights && slot >= 0 && tsr_estimates_leaf(*job.frame, level, i) &&
         tsr_put_leaf(job, 0, tsr_pack_leaf(level, n, child, slot));
}

// Bits without the n lowest of those that are set.
__device__ unsigned skip_lowest(unsigned bits, int n) {
  for (; n > 0; --n)
    bits &= bits - 1;
  return bits;
}

// Of the bytes of a warp whose parent is refined (todo) it takes four at once, a lane a node.
__device__ void note_cut(const tsr_round &job, int level, int64_t first, unsigned todo) {
  const tsr_grid_frame &f = *job.frame;
  const int lane = threadIdx.x % 32;
  uint8_t *const to = job.cut + (f.tree.dense[level] - f.tree.dense[0]);
  int64_t parent[3], i[3];
  for (; todo; todo = skip_lowest(todo, 4)) {
    const unsigned left = skip_lowest(todo, lane / 8);
    if (left == 0)
      continue;
    const int64_t n = first + __ffs((int)left) - 1;
    const unsigned k = (unsigned)lane % 8;
    tsr_cut cut;
    tsr_frame_parent(f, level, n, parent);
    if (!((f.tree.dense[level][n] >> k) & 1) && child_of(f, level, parent, k, i) &&
        tsr_is_open(f, level, i) && tsr_frame_cut(f, level, i, &cut) &&
        !was_cut(job, level, parent, i, cut.has) && !put_cut(job, level, n, k, i, cut.has)) {
      tsr_or_byte(to + n, 1u << k);
      job.noted->cut = 1;
    }
  }
}

// A lane has a byte.
__global__ void __launch_bounds__(block)
    note_kernel(tsr_round job, level_blocks blocks, int conforming) {
  const tsr_grid_frame &f = *job.frame;
  int level = 0;
  while (blockIdx.x >= blocks.first[level + 1])
    ++level;
  const int64_t bytes = f.tree.size[level][0] * f.tree.size[level][1] * f.tree.size[level][2];
  const int64_t n = (int64_t)(blockIdx.x - blocks.first[level]) * block + threadIdx.x;
  int64_t parent[3];
  int is_open = 0; // leaves may be cut in another way
  if (n < bytes && parent_of(f, level, n, parent)) {
    const unsigned refined = f.tree.dense[level][n];
    const surroundings around = look_around(job, level, parent);
    is_open =
        refined != 0xffu && around.any && (around.changed || !was_refined(job, level, parent));
    unsigned bits = new_leaves(job, level, parent, refined);
    for (unsigned left = bits; left; left &= left - 1)
      if (tsr_put_leaf(job, 0,
                       tsr_pack_leaf(level, n, (unsigned)__ffs((int)left) - 1, tsr_not_cut)))
        bits &= ~(left & -left);
    if (bits) {
      job.look[f.tree.dense[level] - f.tree.dense[0] + n] = (uint8_t)bits;
      job.noted->look = 1;
    }
  }
  const unsigned todo = __ballot_sync(0xffffffffu, is_open);
  if (conforming && todo)
    note_cut(job, level, n - threadIdx.x % 32, todo);
}

} // namespace

tsr_status tsr_note_leaves(tsr_grid_device *grid, const tsr_round &round, bool conforming,
                           tsr_error *error) {
  level_blocks blocks = {};
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level)
    blocks.first[level + 1] =
        level < grid->frame.levels
            ? blocks.first[level] + tsr_blocks(grid->level_bytes[level], block)
            : UINT32_MAX;
  note_kernel<<<blocks.first[grid->frame.levels], block, 0, grid->stream>>>(round, blocks,
                                                                            conforming);
  TSR_CUDA(cudaGetLastError(), "looking for new cells");
  return TSR_OK;
}
