// SPDX-License-Identifier: BSD-3-Clause
// Finds the leaves that a round of the guarantee checks: those that closure made, and those that
// are cut in another way than in the round before. They go into a list; if that is full, they get
// bits in two trees. One kernel goes through all levels, since each of them alone is small. In a
// round that continues another, it only visits the surroundings of nodes that were refined since
// then.
#include "cuda/grid/cut/cut_estimate.cuh"
#include "cuda/grid/refine/round.cuh"

namespace {

const int block = 128, warps = block / 32;
const int at_once = 16; // bytes of a warp

// Which level a block has: those from first[level] on.
struct level_blocks {
  unsigned first[TSR_GRID_MAX_LEVEL + 2];
};

// Child k of a parent, also of the parents of the roots; 0 where it does not exist.
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

__device__ surroundings look_around(const tsr_round &round, int level, const int64_t parent[3]) {
  const tsr_grid_frame &f = *round.frame;
  const int64_t *first = f.tree.first[level], *size = f.tree.size[level];
  const uint8_t *now = f.tree.dense[level],
                *before = round.last ? round.last->tree.dense[level] : now;
  const int x = (int)(parent[0] - first[0]), y = (int)(parent[1] - first[1]),
            z = (int)(parent[2] - first[2]);
  surroundings to = {0, !round.last};
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
__device__ int was_refined(const tsr_round &round, int level, const int64_t parent[3]) {
  return round.last &&
         (level == 0 || tsr_bit_in(*round.last, round.last->tree.dense[0], level - 1, parent));
}

// Leaves of a parent that closure alone refined, in this round.
__device__ unsigned new_leaves(const tsr_round &round, int level, const int64_t parent[3],
                               unsigned refined) {
  const tsr_grid_frame &f = *round.frame;
  unsigned bits = 0;
  int64_t i[3];
  if (level == 0 || was_refined(round, level, parent) ||
      tsr_bit_in(f, round.seen, level - 1, parent))
    return 0;
  for (unsigned k = 0; k < 8; ++k)
    if (!((refined >> k) & 1) && child_of(f, level, parent, k, i) && tsr_is_open(f, level, i))
      bits |= 1u << k;
  return bits;
}

// 1 if the leaf was a leaf in the round before, cut in the same way.
__device__ int was_cut(const tsr_round &round, int level, const int64_t parent[3],
                       const int64_t i[3], uint32_t has) {
  tsr_cut cut;
  return was_refined(round, level, parent) && tsr_frame_cut(*round.last, level, i, &cut) &&
         cut.has == has;
}

// Lists the leaves of a warp, each child k of byte n, that are cut in another way than in the round
// before. All threads of the warp call it. here: 0 if the lane has no leaf.
__device__ void list_if_cut(const tsr_round &round, int here, int level, int64_t n, unsigned k,
                            const int64_t parent[3], const int64_t i[3]) {
  const tsr_grid_frame &f = *round.frame;
  tsr_cut cut;
  const int is_cut =
      here && tsr_frame_cut(f, level, i, &cut) && !was_cut(round, level, parent, i, cut.has);
  const int slot = is_cut ? tsr_cut_claim(round.table, cut.has) : -1;
  const int fits = slot >= 0 && round.by_weights && tsr_estimates_leaf(f, level, i);
  const int put = tsr_put_leaves(round, 0, fits, tsr_pack_leaf(level, n, k, (unsigned)slot));
  if (is_cut && !put) {
    tsr_or_byte(round.cut + (f.tree.dense[level] - f.tree.dense[0]) + n, 1u << k);
    round.result->cut = 1;
  }
}

// Lists the leaves of a warp that closure has made. All threads of the warp call it. here: 0 if the
// lane has no such leaf.
__device__ void list_new(const tsr_round &round, int here, int level, int64_t n, unsigned k) {
  const tsr_grid_frame &f = *round.frame;
  if (!__any_sync(0xffffffffu, here))
    return;
  const int put = tsr_put_leaves(round, 0, here, tsr_pack_leaf(level, n, k, tsr_not_cut));
  if (here && !put) {
    tsr_or_byte(round.made + (f.tree.dense[level] - f.tree.dense[0]) + n, 1u << k);
    round.result->made = 1;
  }
}

// Bits without the n lowest of those that are set.
__device__ unsigned skip_lowest(unsigned bits, int n) {
  for (; n > 0; --n)
    bits &= bits - 1;
  return bits;
}

// Lists the cut leaves in those of a warp's bytes that are set in `chosen`: four bytes at once,
// with one lane for each node.
__device__ void list_cut(const tsr_round &round, int level, const unsigned *bytes,
                         unsigned chosen) {
  const tsr_grid_frame &f = *round.frame;
  const int lane = threadIdx.x % 32;
  const unsigned k = (unsigned)lane % 8;
  int64_t parent[3], i[3];
  for (; chosen; chosen = skip_lowest(chosen, 4)) {
    const unsigned left = skip_lowest(chosen, lane / 8);
    const int64_t n = bytes[left ? __ffs((int)left) - 1 : 0];
    tsr_frame_parent(f, level, n, parent);
    const int here = left && !((f.tree.dense[level][n] >> k) & 1) &&
                     child_of(f, level, parent, k, i) && tsr_is_open(f, level, i);
    list_if_cut(round, here, level, n, k, parent, i);
  }
}

// The bytes of a warp, `count` of them: a lane has one.
__device__ void list_bytes(const tsr_round &round, int level, const unsigned *bytes, int count,
                           int conforming) {
  const tsr_grid_frame &f = *round.frame;
  const int lane = threadIdx.x % 32;
  const int64_t n = bytes[lane < count ? lane : 0];
  int64_t parent[3];
  int is_open = 0; // leaves may be cut in another way
  unsigned bits = 0;
  if (lane < count) {
    const unsigned refined = f.tree.dense[level][n];
    tsr_frame_parent(f, level, n, parent);
    const surroundings around = look_around(round, level, parent);
    is_open =
        refined != 0xffu && around.any && (around.changed || !was_refined(round, level, parent));
    bits = new_leaves(round, level, parent, refined);
  }
  if (__any_sync(0xffffffffu, bits != 0))
    for (unsigned k = 0; k < 8; ++k)
      list_new(round, (int)(bits >> k) & 1, level, n, k);
  const unsigned chosen = __ballot_sync(0xffffffffu, is_open);
  if (conforming && chosen)
    list_cut(round, level, bytes, chosen);
}

// Number of threads for a level: one for each byte of the level above, whose nodes' children have
// one byte each; for the roots, one for each byte.
int64_t starts_of(const tsr_grid_device *grid, int level) {
  return grid->level_bytes[level > 0 ? level - 1 : 0];
}

// Lists the bytes of a level whose parent is refined, among those of thread `start`.
__device__ void gather(const tsr_grid_frame &f, int level, int64_t start, unsigned *bytes, int *n) {
  const int above = level > 0 ? level - 1 : 0;
  int64_t parent[3], i[3];
  if (start >= f.tree.size[above][0] * f.tree.size[above][1] * f.tree.size[above][2])
    return;
  if (level == 0) {
    bytes[atomicAdd(n, 1)] = (unsigned)start;
    return;
  }
  tsr_frame_parent(f, above, start, parent);
  for (unsigned left = f.tree.dense[above][start]; left; left &= left - 1) {
    if (!child_of(f, above, parent, (unsigned)__ffs((int)left) - 1, i))
      continue;
    const int64_t child[3] = {2 * i[0], 2 * i[1], 2 * i[2]};
    bytes[atomicAdd(n, 1)] = (unsigned)tsr_tree_dense_at(&f.tree, level, child);
  }
}

// A block gathers bytes, and its warps share them out. They lie close together, so a block has some
// from everywhere.
__global__ void __launch_bounds__(block)
    list_kernel(const __grid_constant__ tsr_round round, level_blocks blocks, int conforming) {
  __shared__ unsigned bytes[8 * block];
  __shared__ int n;
  int level = 0;
  while (blockIdx.x >= blocks.first[level + 1])
    ++level;
  const unsigned here = blocks.first[level + 1] - blocks.first[level];
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  gather(*round.frame, level, (int64_t)threadIdx.x * here + (blockIdx.x - blocks.first[level]),
         bytes, &n);
  __syncthreads();
  for (int first = (int)threadIdx.x / 32 * at_once; first < n; first += warps * at_once)
    list_bytes(round, level, bytes + first, min(at_once, n - first), conforming);
}

// The neighbours of a fresh node: a lane has one. Of the fresh nodes around a leaf the first notes
// it, and none whose parent is fresh as well.
__device__ void list_neighbour(const tsr_round &round, int level, const int64_t node[3], int lane) {
  const tsr_grid_frame &f = *round.frame, &last = *round.last;
  const uint8_t *now = f.tree.dense[0], *before = last.tree.dense[0];
  const int64_t i[3] = {node[0] + lane % 3 - 1, node[1] + lane / 3 % 3 - 1, node[2] + lane / 9 - 1};
  const int64_t parent[3] = {i[0] >> 1, i[1] >> 1, i[2] >> 1};
  int here =
      lane < 27 && lane != 13 && tsr_in_frame(f, level, i) && !tsr_bit_in(f, now, level, i) &&
      (level == 0 || tsr_bit_in(last, before, level - 1, parent)) && tsr_is_open(f, level, i);
  if (here) {
    const unsigned fresh =
        tsr_tree_around(&f.tree, level, i) & ~tsr_tree_around(&last.tree, level, i);
    here = __ffs((int)fresh) - 1 == 26 - lane;
  }
  list_if_cut(round, here, level, here ? tsr_tree_dense_at(&f.tree, level, i) : 0,
              (unsigned)tsr_child_number(i), parent, i);
}

// The children of a fresh node, which lie on `level`: a lane has one.
__device__ void list_children(const tsr_round &round, int level, const int64_t node[3], int lane,
                              int conforming) {
  const tsr_grid_frame &f = *round.frame;
  if (level >= f.levels)
    return;
  const unsigned k = (unsigned)lane % 8;
  int64_t i[3];
  const int here = lane < 8 && child_of(f, level, node, k, i) &&
                   !tsr_bit_in(f, f.tree.dense[0], level, i) && tsr_is_open(f, level, i);
  const int64_t n = here ? tsr_tree_dense_at(&f.tree, level, i) : 0;
  if (conforming)
    list_if_cut(round, here, level, n, k, node, i);
  list_new(round, here && !tsr_bit_in(f, round.seen, level - 1, node), level, n, k);
}

// A warp has a fresh node: what is around it, or its children.
__global__ void __launch_bounds__(block)
    near_kernel(const __grid_constant__ tsr_round round, int conforming) {
  const int lane = threadIdx.x % 32;
  if (!tsr_goes_on(round) || round.result->fresh > round.room)
    return;
  for (unsigned k = (blockIdx.x * block + threadIdx.x) / 32; k < 2 * round.result->fresh;
       k += gridDim.x * block / 32) {
    int64_t n, i[3];
    int level;
    tsr_unpack_leaf(*round.frame, round.fresh[k / 2], &level, &n, i);
    if (k % 2 == 1)
      list_children(round, level + 1, i, lane, conforming);
    else if (conforming)
      list_neighbour(round, level, i, lane);
  }
}

} // namespace

tsr_status tsr_find_leaves(tsr_grid_device *grid, const tsr_round &round, bool conforming,
                           tsr_error *error) {
  if (round.before) {
    near_kernel<<<10 * (unsigned)grid->state->properties.multiProcessorCount, block, 0,
                  grid->stream>>>(round, conforming);
    TSR_CUDA(cudaGetLastError(), "looking for new cells");
    return TSR_OK;
  }
  level_blocks blocks = {};
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level)
    blocks.first[level + 1] =
        level < grid->frame.levels
            ? blocks.first[level] + tsr_odd_blocks(starts_of(grid, level), block)
            : UINT32_MAX;
  list_kernel<<<blocks.first[grid->frame.levels], block, 0, grid->stream>>>(round, blocks,
                                                                            conforming);
  TSR_CUDA(cudaGetLastError(), "looking for new cells");
  return TSR_OK;
}
