// SPDX-License-Identifier: BSD-3-Clause
// Which leaves are still too far from the input. First they are noted: the new ones by a bit each,
// in a tree of bits; those that are cut in a list where the table's weights decide for them, else
// in another tree of bits. Then warps look at the list, and at the bits level by level, from the
// roots down, as a leaf that is refined leaves its children to be looked at.
#include "cuda/grid/refine/guarantee.cuh"

#include "cuda/grid/criteria/columns.cuh"
#include "cuda/grid/criteria/far.cuh"
#include "cuda/grid/cut_estimate.cuh"
#include "cuda/grid/slabs.cuh"
#include "grid/refine/descent_math.h"

#include <algorithm>

namespace {

const int block = 128, warps = block / 32;
const unsigned list_blocks = 132 * 10;

struct round_job {
  const tsr_grid_frame *frame; // the tree after closure
  const tsr_grid_frame *last;  // that of the round before; NULL: there was none
  uint8_t *base;               // the tree before closure
  uint8_t *look, *cut;         // leaves to look at
  tsr_cut_table *table;
  const tsr_rule *rules;
  int n_rules, level;
  int64_t begin, bytes; // of the level: the first byte to look at, and the end
  unsigned *added;
  uint64_t *list; // of leaves that are cut; NULL: none can be decided by weights
  unsigned
      *n_list; // how many there are, or would be; whether any has its bit in `cut`, or in `look`
  unsigned room;
};

// A leaf of the list: a child of byte n of a level, cut as a slot of the table says.
__device__ uint64_t pack_leaf(int level, int64_t n, unsigned child, int slot) {
  return (uint64_t)n << 20 | (uint64_t)level << 15 | (uint64_t)child << 12 | (uint64_t)slot;
}

// The first byte and the end of each level that the kernel is to look at.
struct level_bytes {
  int64_t at[TSR_GRID_MAX_LEVEL + 1][2];
};

// 1 if a node's leaf may be refined. Input cells have no points within.
__device__ int is_open(const tsr_grid_frame &f, int level, const int64_t i[3]) {
  return level < f.lattice.coarsen &&
         level < tsr_region_limit(&f.lattice, &f.options, f.whole, level, i) &&
         !tsr_frame_hides(f, level, i);
}

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
  if (bits) {
    job.look[f.tree.dense[level] - f.tree.dense[0] + n] = (uint8_t)bits;
    job.n_list[2] = 1;
  }
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

// Puts a leaf into the list. 0: it is not for it.
__device__ int put_cut(const round_job &job, int level, int64_t n, unsigned child,
                       const int64_t i[3], uint32_t has) {
  const int slot = tsr_cut_claim(job.table, has);
  if (!job.list || slot < 0 || !tsr_estimates_leaf(*job.frame, level, i))
    return 0;
  const unsigned at = atomicAdd(job.n_list, 1u);
  if (at < job.room)
    job.list[at] = pack_leaf(level, n, child, slot);
  return at < job.room;
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
    tsr_frame_parent(f, level, n, parent);
    if (!((f.tree.dense[level][n] >> k) & 1) && child_of(f, level, parent, k, i) &&
        is_open(f, level, i) && tsr_frame_cut(f, level, i, &cut) &&
        !was_cut(job, level, parent, i, cut.has) && !put_cut(job, level, n, k, i, cut.has)) {
      tsr_or_byte(to + n, 1u << k);
      job.n_list[1] = 1;
    }
  }
}

template <class T>
__device__ int columns_ask(const tsr_grid_frame &f, const tsr_rule &rule, int size,
                           const int64_t i[3], int lane) {
  const tsr_column_job job = tsr_columns_of(f.lattice, rule, nullptr);
  return size == 2   ? tsr_columns_are_far<T, 2>(job, i, size, lane)
         : size == 4 ? tsr_columns_are_far<T, 4>(job, i, size, lane)
         : size == 8 ? tsr_columns_are_far<T, 8>(job, i, size, lane)
                     : tsr_columns_are_far<T, 0>(job, i, size, lane);
}

// 1 in every lane if the rule asks to refine a leaf.
__device__ int leaf_asks(const tsr_grid_frame &f, const tsr_rule &rule, int level,
                         const int64_t i[3], int lane) {
  const int by = f.lattice.coarsen - level;
  if (by < 1 || by > 10 || !tsr_estimates(f, rule.array) ||
      tsr_node_sticks_out(&f.lattice, level, i))
    return tsr_node_is_far<32>(f, rule, level, i, lane);
  return rule.array.type == TSR_FLOAT ? columns_ask<float>(f, rule, 1 << by, i, lane)
                                      : columns_ask<double>(f, rule, 1 << by, i, lane);
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

// 1 in every lane if a point of the leaf is too far, 0 if none is, -1 if the estimate cannot tell.
template <class T>
__device__ int estimate_asks(const round_job &job, const tsr_rule &rule, int level,
                             const int64_t i[3], int slot, tsr_cut_floats *floats, int lane) {
  const tsr_grid_frame &f = *job.frame;
  const tsr_estimate<T> e =
      tsr_estimate_of(f, (const T *)rule.array.data, level, i, job.table, slot, floats, lane);
  const float limit = (float)fmin(rule.threshold, 1e38);
  int unsure = 0;
  for (int k = lane; k - lane < e.n * e.n * e.n; k += 32) {
    float far, slack;
    tsr_estimate_point(e, f.lattice.point_step, k, &far, &slack);
    slack += 1e-6f * limit;
    const int near = far + slack < limit;
    const int sure = far - slack > limit && far < 1e38f; // beyond, floats may have overflowed
    if (__any_sync(0xffffffffu, sure))
      return 1;
    unsure |= !near;
  }
  return __any_sync(0xffffffffu, unsure) ? -1 : 0;
}

// The same of all rules.
__device__ int estimates_ask(const round_job &job, int level, const int64_t i[3], int slot,
                             tsr_cut_floats *floats, int lane) {
  int unsure = 0;
  for (int r = 0; r < job.n_rules; ++r) {
    const tsr_rule &rule = job.rules[r];
    if (rule.measure != TSR_MEASURE_INTERPOLATION_ERROR ||
        (rule.max_level >= 0 && level >= rule.max_level))
      continue;
    const int asks = rule.array.type == TSR_FLOAT
                         ? estimate_asks<float>(job, rule, level, i, slot, floats, lane)
                         : estimate_asks<double>(job, rule, level, i, slot, floats, lane);
    if (asks > 0)
      return 1;
    unsure |= asks;
  }
  return unsure;
}

__device__ __noinline__ int exactly_asks(const round_job &job, int level, const int64_t i[3],
                                         tsr_cut_room *room, int lane) {
  round_job here = job;
  here.level = level;
  return node_asks<true>(here, i, room, lane);
}

// A warp has a leaf of the list.
__global__ void __launch_bounds__(block) list_kernel(round_job job, level_bytes bytes) {
  __shared__ tsr_cut_room rooms[warps];
  __shared__ tsr_cut_floats floats[warps];
  const tsr_grid_frame &f = *job.frame;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned n = min(*job.n_list, job.room);
  for (unsigned k = blockIdx.x * warps + warp; k < n; k += gridDim.x * warps) {
    const uint64_t leaf = job.list[k];
    const int level = (int)(leaf >> 15 & 31), slot = (int)(leaf & 4095);
    const int64_t at = (int64_t)(leaf >> 20);
    int64_t parent[3], i[3];
    if (at < bytes.at[level][0] || at >= bytes.at[level][1])
      continue;
    tsr_frame_parent(f, level, at, parent);
    tsr_descent_child(&f.lattice, parent, (unsigned)(leaf >> 12 & 7), i);
    int asks = estimates_ask(job, level, i, slot, &floats[warp], lane);
    if (asks < 0)
      asks = exactly_asks(job, level, i, &rooms[warp], lane);
    if (asks && lane == 0)
      add_node(job, level, i);
    __syncwarp();
  }
}

const int most_share = 2 * block; // bytes of a block

// The block gathers the nodes of its bytes, and its warps share them out.
template <bool CUT> __global__ void __launch_bounds__(block) look_kernel(round_job job, int share) {
  __shared__ tsr_cut_room rooms[CUT ? warps : 1];
  __shared__ uint16_t nodes[8 * most_share]; // byte and child
  __shared__ int n_nodes, next;
  const tsr_grid_frame &f = *job.frame;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, t = (int)threadIdx.x;
  const int64_t first = job.begin + (int64_t)blockIdx.x * share;
  const uint8_t *bytes = (CUT ? job.cut : job.look) + (f.tree.dense[job.level] - f.tree.dense[0]);
  if (CUT && job.n_list[1] == 0)
    return;
  if (t == 0)
    n_nodes = next = 0;
  unsigned mine[2];
  for (int h = 0; h < 2; ++h) {
    const int at = t + h * block;
    mine[h] = at < share && first + at < job.bytes ? bytes[first + at] : 0u;
  }
  if (!__syncthreads_or((int)(mine[0] | mine[1])))
    return;
  for (unsigned k = 0; k < 16; ++k)
    if ((mine[k / 8] >> (k % 8)) & 1)
      nodes[atomicAdd(&n_nodes, 1)] = (uint16_t)(8 * (t + (int)(k / 8) * block) + (int)(k % 8));
  __syncthreads();
  for (;;) {
    int64_t parent[3], i[3];
    int at = lane == 0 ? atomicAdd(&next, 1) : 0;
    at = __shfl_sync(0xffffffffu, at, 0);
    if (at >= n_nodes)
      return;
    tsr_frame_parent(f, job.level, first + nodes[at] / 8, parent);
    tsr_descent_child(&f.lattice, parent, nodes[at] % 8, i);
    if (node_asks<CUT>(job, i, &rooms[CUT ? warp : 0], lane) && lane == 0)
      add_node(job, job.level, i);
    __syncwarp();
  }
}

// So many bytes a block that large levels have enough blocks and small ones as many as they can.
int share_of(int64_t bytes) {
  return (int)std::max<int64_t>(1, std::min<int64_t>(most_share, bytes >> 13));
}

tsr_status look_at(tsr_grid_device *grid, const round_job &job, bool conforming, tsr_error *error) {
  const int share = share_of(job.bytes - job.begin);
  const unsigned blocks = tsr_blocks(job.bytes - job.begin, share);
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

// The rules, with their arrays as the device has them now.
tsr_status upload_rules(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  w.rules_h.assign(job->rules, job->rules + job->n_rules);
  for (tsr_rule &rule : w.rules_h)
    rule.array.data = tsr_find_uploaded(*grid, rule.array);
  TSR_CUDA(cudaMemcpyAsync(w.rules, w.rules_h.data(), w.rules_h.size() * sizeof(tsr_rule),
                           cudaMemcpyHostToDevice, grid->stream),
           "uploading the rules");
  return TSR_OK;
}

// Those with the nodes of a frame.
level_bytes bytes_of(const tsr_grid_frame &nodes) {
  level_bytes bytes = {};
  for (int level = 0; level < nodes.levels; ++level)
    for (int end = 0; end < 2; ++end)
      bytes.at[level][end] =
          (((nodes.range[level][2][end] + end) >> 1) - nodes.tree.first[level][2]) *
          nodes.tree.size[level][0] * nodes.tree.size[level][1];
  return bytes;
}

// Memory for the list, where every rule that looks at leaves leaves that to the weights.
tsr_status make_list(tsr_grid_device *grid, const tsr_grid_job *job, bool conforming,
                     tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  const int64_t room =
      std::min<int64_t>(std::max<int64_t>(grid->n_bytes / 2, 4096), (int64_t)1 << 30);
  int all = grid->n_bytes < (int64_t)1 << 43;
  for (int r = 0; r < job->n_rules; ++r)
    all = all && (job->rules[r].measure != TSR_MEASURE_INTERPOLATION_ERROR ||
                  tsr_estimates(grid->frame, job->rules[r].array));
  if (!w.n_list)
    TSR_STEP(grid->memory.get(&w.n_list, 3, "the rounds of the guarantee", error));
  TSR_CUDA(cudaMemsetAsync(w.n_list, 0, 3 * sizeof *w.n_list, grid->stream),
           "looking at new cells");
  if (all && conforming && !w.list)
    TSR_STEP(grid->memory.get(&w.list, room, "the rounds of the guarantee", error));
  w.list_room = w.list ? (unsigned)room : 0;
  return TSR_OK;
}

// *noted: 1 if any leaf is.
tsr_status any_noted(tsr_grid_device *grid, int *noted, tsr_error *error) {
  unsigned n[3];
  TSR_CUDA(cudaMemcpyAsync(n, grid->whole.n_list, sizeof n, cudaMemcpyDeviceToHost, grid->stream),
           "looking at new cells");
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "looking at new cells");
  *noted = n[0] || n[1] || n[2];
  return TSR_OK;
}

// Looks at the leaves that are noted, slab by slab.
tsr_status look_at_all(tsr_grid_device *grid, const tsr_grid_job *job, round_job it,
                       bool conforming, tsr_error *error) {
  std::vector<tsr_array> arrays;
  for (int r = 0; r < job->n_rules; ++r)
    if (job->rules[r].measure == TSR_MEASURE_INTERPOLATION_ERROR)
      arrays.push_back(job->rules[r].array);
  const auto work = [&](const tsr_grid_frame &nodes) {
    const level_bytes bytes = bytes_of(nodes);
    TSR_STEP(upload_rules(grid, job, error));
    if (it.list)
      list_kernel<<<list_blocks, block, 0, grid->stream>>>(it, bytes);
    TSR_CUDA(cudaGetLastError(), "looking at cells that are cut");
    for (it.level = 0; it.level < grid->frame.levels; ++it.level) {
      it.begin = bytes.at[it.level][0];
      it.bytes = bytes.at[it.level][1];
      TSR_STEP(look_at(grid, it, conforming, error));
    }
    return TSR_OK;
  };
  return tsr_each_slab(grid, job, arrays, work, error);
}

} // namespace

tsr_status tsr_grid_look_again(tsr_grid_device *grid, const tsr_grid_job *job, bool again,
                               int *added, tsr_error *error) {
  const tsr_grid_whole &w = grid->whole;
  const bool conforming = grid->frame.options.output == TSR_GRID_CONFORMING;
  TSR_STEP(make_list(grid, job, conforming, error));
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
                  0,
                  w.added,
                  w.list,
                  w.n_list,
                  w.list_room};
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
  if (conforming)
    TSR_STEP(tsr_cut_make_claimed(grid, error));
  int noted = 1;
  if (!grid->slabs.frames.empty()) // the input comes once more only if it has to
    TSR_STEP(any_noted(grid, &noted, error));
  if (noted)
    TSR_STEP(look_at_all(grid, job, it, conforming, error));
  TSR_CUDA(cudaMemcpyAsync(grid->waves->totals, w.added, sizeof *w.added, cudaMemcpyDeviceToHost,
                           grid->stream),
           "looking at new cells");
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "looking at new cells");
  unsigned any;
  memcpy(&any, grid->waves->totals, sizeof any);
  *added = any != 0;
  return TSR_OK;
}
