// SPDX-License-Identifier: BSD-3-Clause
// Which leaves are still too far from the input. First they get a bit each, in trees of bits: the
// new ones, and those that are cut; then warps look at them level by level, from the roots down, as
// a leaf that is refined leaves its children to be looked at.
#include "cuda/grid/refine/guarantee.cuh"

#include "cuda/grid/criteria/far.cuh"
#include "cuda/grid/cut.cuh"
#include "grid/refine/descent_math.h"

#include <algorithm>

namespace {

const int block = 128, warps = block / 32;

struct round_job {
  const tsr_grid_frame *frame; // the tree after closure
  const tsr_grid_frame *last;  // that of the round before; NULL: there was none
  uint8_t *base;               // the tree before closure
  uint8_t *look, *cut;         // leaves to look at
  tsr_cut_table *table;
  const tsr_rule *rules;
  int n_rules, level;
  int64_t bytes; // of the level
  unsigned *added;
};

// 1 if a node's leaf may be refined.
__device__ int is_open(const tsr_grid_frame &f, int level, const int64_t i[3]) {
  return level < tsr_region_limit(&f.lattice, &f.options, f.whole, level, i) &&
         !tsr_frame_hides(f, level, i);
}

// The parent whose children byte n of the level holds, as far as they exist: 0 where they do not.
__device__ int parent_of(const tsr_grid_frame &f, int level, int64_t n, int64_t parent[3]) {
  tsr_tree_parent(&f.tree, level, n, parent);
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

// Leaves whose parents closure alone refined, in this round.
__global__ void __launch_bounds__(block) new_kernel(round_job job) {
  const tsr_grid_frame &f = *job.frame;
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  const int level = job.level;
  int64_t parent[3], i[3];
  unsigned bits = 0;
  if (n >= job.bytes || !parent_of(f, level, n, parent) ||
      tsr_bit_in(f, job.base, level - 1, parent) ||
      (job.last && tsr_bit_in(f, job.last->tree.dense[0], level - 1, parent)))
    return;
  const unsigned refined = f.tree.dense[level][n];
  for (unsigned k = 0; k < 8; ++k)
    if (!((refined >> k) & 1) && child_of(f, level, parent, k, i) && is_open(f, level, i))
      bits |= 1u << k;
  if (bits)
    job.look[f.tree.dense[level] - f.tree.dense[0] + n] = (uint8_t)bits;
}

// 1 if the leaf was one in the round before, cut in the same way.
__device__ int was_cut(const round_job &job, int level, const int64_t parent[3], const int64_t i[3],
                       uint32_t has) {
  tsr_cut cut;
  if (!job.last)
    return 0;
  const tsr_grid_frame &f = *job.last;
  return (level == 0 || tsr_bit_in(f, f.tree.dense[0], level - 1, parent)) &&
         tsr_frame_cut(f, level, i, &cut) && cut.has == has;
}

// A lane has a byte; of those whose parent is refined the warp takes four at once, a lane a node.
__global__ void __launch_bounds__(block) cut_kernel(round_job job) {
  const tsr_grid_frame &f = *job.frame;
  const int lane = threadIdx.x % 32, level = job.level;
  const int64_t first = (int64_t)blockIdx.x * block + threadIdx.x - lane, mine = first + lane;
  uint8_t *const to = job.cut + (f.tree.dense[level] - f.tree.dense[0]);
  int64_t parent[3], i[3];
  const int goes_on = mine < job.bytes && parent_of(f, level, mine, parent);
  for (unsigned todo = __ballot_sync(0xffffffffu, goes_on); todo;) {
    unsigned left = todo;
    for (int skip = lane / 8; skip > 0; --skip)
      left &= left - 1;
    for (int four = 0; four < 4; ++four)
      todo &= todo - 1;
    if (left == 0)
      continue;
    const int64_t n = first + __ffs((int)left) - 1;
    const unsigned k = (unsigned)lane % 8;
    tsr_cut cut;
    tsr_tree_parent(&f.tree, level, n, parent);
    if (!((f.tree.dense[level][n] >> k) & 1) && child_of(f, level, parent, k, i) &&
        is_open(f, level, i) && tsr_frame_cut(f, level, i, &cut) &&
        !was_cut(job, level, parent, i, cut.has))
      tsr_or_byte(to + n, 1u << k);
  }
}

// 1 in every lane if the rule asks to refine a leaf.
__device__ int leaf_asks(const tsr_grid_frame &f, const tsr_rule &rule, int level,
                         const int64_t i[3], int lane) {
  return tsr_node_is_far<32>(f, rule, level, i, lane);
}

// The same in the parts of a leaf that is cut.
__device__ int parts_ask(const tsr_grid_frame &f, const tsr_rule &rule, const tsr_cut &cut,
                         const tsr_cut_points &points, const tsr_cut_entry *entry,
                         tsr_cut_room *room, int lane) {
  for (int c = 0; c < rule.array.components; ++c) {
    if (rule.component >= 0 && c != rule.component)
      continue;
    tsr_cut_values(f, rule.array, c, cut, room, lane);
    for (unsigned begin = 0; begin < points.count; begin += 32) {
      int far = 0;
      if (begin + lane < points.count) {
        const double e =
            tsr_cut_difference(f, rule.array, c, points, entry, room->value, begin + lane);
        far = !tsr_finite(e) || e > rule.threshold;
      }
      if (__any_sync(0xffffffffu, far))
        return 1;
    }
  }
  return 0;
}

// Refines a leaf in the tree before closure, and has its children looked at. By one lane.
__device__ void add_node(const round_job &job, int level, const int64_t i[3]) {
  const tsr_grid_frame &f = *job.frame;
  int64_t child[3];
  for (int up = level; up >= 0; --up) {
    int64_t node[3];
    for (int a = 0; a < 3; ++a)
      node[a] = tsr_shift(&f.lattice, a, i[a], level - up);
    tsr_set_in(f, job.base, up, node);
  }
  *job.added = 1;
  for (unsigned k = 0; k < 8 && level + 1 < f.levels; ++k)
    if (tsr_frame_child(f, level + 1, i, k, child) && is_open(f, level + 1, child))
      tsr_set_in(f, job.look, level + 1, child);
}

// Of the rules: 1 in every lane if any asks.
template <bool CUT>
__device__ int node_asks(const round_job &job, const int64_t i[3], tsr_cut_room *room, int lane) {
  const tsr_grid_frame &f = *job.frame;
  tsr_cut_points points;
  const tsr_cut_entry *entry = nullptr;
  tsr_cut cut;
  if (CUT) {
    tsr_frame_cut(f, job.level, i, &cut);
    entry = tsr_cut_prepare(f, job.table, cut, room, &points, lane);
  }
  for (int r = 0; r < job.n_rules; ++r) {
    const tsr_rule &rule = job.rules[r];
    if (rule.measure != TSR_MEASURE_INTERPOLATION_ERROR ||
        (rule.max_level >= 0 && job.level >= rule.max_level))
      continue;
    if (CUT ? parts_ask(f, rule, cut, points, entry, room, lane)
            : leaf_asks(f, rule, job.level, i, lane))
      return 1;
  }
  return 0;
}

const int most_share = 32; // bytes of a block

// The block gathers the nodes of its bytes, and its warps share them out.
template <bool CUT> __global__ void __launch_bounds__(block) look_kernel(round_job job, int share) {
  __shared__ tsr_cut_room rooms[CUT ? warps : 1];
  __shared__ uint16_t nodes[8 * most_share]; // byte and child
  __shared__ int n_nodes, next;
  const tsr_grid_frame &f = *job.frame;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, t = (int)threadIdx.x;
  const int64_t first = (int64_t)blockIdx.x * share;
  const uint8_t *bytes = (CUT ? job.cut : job.look) + (f.tree.dense[job.level] - f.tree.dense[0]);
  if (t == 0)
    n_nodes = next = 0;
  const unsigned mine = t < share && first + t < job.bytes ? bytes[first + t] : 0u;
  if (!__syncthreads_or((int)mine))
    return;
  for (unsigned k = 0; k < 8; ++k)
    if ((mine >> k) & 1)
      nodes[atomicAdd(&n_nodes, 1)] = (uint16_t)(8 * t + k);
  __syncthreads();
  for (;;) {
    int64_t parent[3], i[3];
    int at = lane == 0 ? atomicAdd(&next, 1) : 0;
    at = __shfl_sync(0xffffffffu, at, 0);
    if (at >= n_nodes)
      return;
    tsr_tree_parent(&f.tree, job.level, first + nodes[at] / 8, parent);
    tsr_descent_child(&f.lattice, parent, nodes[at] % 8, i);
    if (node_asks<CUT>(job, i, &rooms[CUT ? warp : 0], lane) && lane == 0)
      add_node(job, job.level, i);
    __syncwarp();
  }
}

// So many bytes a block that large levels have enough blocks and small ones as many as they can.
int share_of(int64_t bytes) {
  return (int)std::max<int64_t>(1, std::min<int64_t>(most_share, bytes >> 15));
}

tsr_status look_at(tsr_grid_device *grid, const round_job &job, bool conforming, tsr_error *error) {
  const int share = share_of(job.bytes);
  const unsigned blocks = tsr_blocks(job.bytes, share);
  if (job.level > 0) {
    look_kernel<false><<<blocks, block, 0, grid->stream>>>(job, share);
    TSR_CUDA(cudaGetLastError(), "looking at new cells");
  }
  if (conforming) {
    look_kernel<true><<<blocks, block, 0, grid->stream>>>(job, share);
    TSR_CUDA(cudaGetLastError(), "looking at cells that are cut");
  }
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_look_again(tsr_grid_device *grid, const tsr_grid_job *job, bool again,
                               int *added, tsr_error *error) {
  const tsr_grid_whole &w = grid->whole;
  const bool conforming = grid->frame.options.output == TSR_GRID_CONFORMING;
  if (conforming)
    TSR_STEP(tsr_grid_cut_table(grid, error));
  round_job it = {grid->frame_d,
                  again ? w.last_d : nullptr,
                  w.base,
                  w.look,
                  w.look + grid->n_bytes,
                  w.table,
                  w.rules,
                  job->n_rules,
                  0,
                  0,
                  w.added};
  TSR_CUDA(cudaMemsetAsync(w.look, 0, (size_t)(2 * grid->n_bytes), grid->stream),
           "looking at new cells");
  TSR_CUDA(cudaMemsetAsync(w.added, 0, sizeof *w.added, grid->stream), "looking at new cells");
  for (it.level = 0; it.level < grid->frame.levels; ++it.level) {
    it.bytes = grid->level_bytes[it.level];
    if (it.level > 0) {
      new_kernel<<<tsr_blocks(it.bytes, block), block, 0, grid->stream>>>(it);
      TSR_CUDA(cudaGetLastError(), "looking for new cells");
    }
    if (conforming) {
      cut_kernel<<<tsr_blocks(it.bytes, block), block, 0, grid->stream>>>(it);
      TSR_CUDA(cudaGetLastError(), "looking for cells that are cut");
    }
  }
  for (it.level = 0; it.level < grid->frame.levels; ++it.level) {
    it.bytes = grid->level_bytes[it.level];
    TSR_STEP(look_at(grid, it, conforming, error));
  }
  TSR_CUDA(cudaMemcpyAsync(grid->waves->totals, w.added, sizeof *w.added, cudaMemcpyDeviceToHost,
                           grid->stream),
           "looking at new cells");
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "looking at new cells");
  unsigned any;
  memcpy(&any, grid->waves->totals, sizeof any);
  *added = any != 0;
  return TSR_OK;
}
