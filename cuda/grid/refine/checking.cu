// SPDX-License-Identifier: BSD-3-Clause
// Checks the leaves that finding.cu found. Warps share out the lists; leaves that are marked by
// bits follow level by level, from the roots down, since the children of a refined leaf are
// checked, too.
#include "cuda/grid/criteria/columns.cuh"
#include "cuda/grid/criteria/far.cuh"
#include "cuda/grid/cut/cut_estimate.cuh"
#include "cuda/grid/refine/round.cuh"

#include <algorithm>

namespace {

const int block = 128, warps = block / 32;

// Warps that share the points of a leaf: this thread's number among them, and how many they are. A
// leaf of 16 cells along each side has 4,913 points, and one warp takes half a millisecond for
// them, while the others have nothing left to do: the whole block shares such a leaf.
struct tsr_team {
  int member, members;
};

__host__ __device__ bool has_large_leaves(const tsr_grid_frame &f, int level) {
  return f.lattice.coarsen - level > tsr_cut_sizes;
}

__device__ __forceinline__ tsr_team team_of(const tsr_grid_frame &f, int level) {
  const bool is_large = has_large_leaves(f, level);
  return {is_large ? (int)threadIdx.x / 32 : 0, is_large ? warps : 1};
}

template <class T>
__device__ int columns_ask(const tsr_grid_frame &f, const tsr_rule &rule, int size,
                           const int64_t i[3], int lane) {
  const tsr_column_args args = tsr_columns_of(f.lattice, rule, nullptr);
  return size == 2   ? tsr_columns_are_far<T, 2>(args, i, size, lane)
         : size == 4 ? tsr_columns_are_far<T, 4>(args, i, size, lane)
         : size == 8 ? tsr_columns_are_far<T, 8>(args, i, size, lane)
                     : tsr_columns_are_far<T, 0>(args, i, size, lane);
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

// 1 in every lane if the rule asks to refine a cut leaf, by the interpolation in its parts at the
// points of this member of the team.
__device__ int parts_ask(const tsr_grid_frame &f, const tsr_rule &rule, const tsr_cut &cut,
                         const tsr_cut_points &points, const tsr_cut_entry *entry,
                         tsr_cut_room *room, tsr_team team, int lane) {
  for (int c = 0; c < rule.array.components; ++c) {
    if (rule.component >= 0 && c != rule.component)
      continue;
    tsr_cut_values(f, rule.array, c, cut, room->value, lane);
    const unsigned step = 32 * (unsigned)team.members;
    for (unsigned begin = 32 * (unsigned)team.member; begin < points.count; begin += step) {
      int far = 0;
      if (begin + lane < points.count) {
        const double e =
            tsr_cut_difference(f, rule.array, c, points, entry, -1, room->value, begin + lane);
        far = !tsr_finite(e) || e > rule.threshold;
      }
      if (__any_sync(0xffffffffu, far))
        return 1;
    }
  }
  return 0;
}

// Refines a leaf in the tree before closure and has its children checked: they go to list number
// `to`, or get bits if `to` is 0. All threads of the warp call it.
__device__ void add_node(const tsr_round &round, int level, const int64_t i[3], int to, int lane) {
  const tsr_grid_frame &f = *round.frame;
  int64_t node[3], child[3] = {0, 0, 0};
  for (int a = 0; a < 3; ++a)
    node[a] = tsr_shift(&f.lattice, a, i[a], lane < level ? level - lane : 0);
  if (lane <= level) // a lane has a level
    tsr_set_in(f, round.base, lane, node);
  (void)tsr_append(
      &round.result->added, round.asked, round.room, lane == 0,
      tsr_pack_leaf(level, tsr_tree_dense_at(&f.tree, level, i), (unsigned)tsr_child_number(i), 0));
  if (level + 1 >= f.levels)
    return;
  const int here = lane < 8 && tsr_frame_child(f, level + 1, i, (unsigned)lane, child) &&
                   tsr_is_open(f, level + 1, child);
  tsr_packed_leaf leaf = {};
  if (here)
    leaf = tsr_pack_leaf(level + 1, tsr_tree_dense_at(&f.tree, level + 1, child), (unsigned)lane,
                         tsr_not_cut);
  if (to > 0 && tsr_put_leaves(round, to, here, leaf))
    return;
  if (here) {
    tsr_set_in(f, round.made, level + 1, child);
    round.result->made = 1;
  }
}

// A cut leaf whose points a warp computes in double.
struct exact_leaf {
  tsr_cut_points points;
  const tsr_cut_entry *entry; // NULL: not needed yet, nothing is set
  double *value;              // at its places, in shared memory
};

// 1 if a lane's point, which lies in a part, is too far in double, as the CPU decides; `here` says
// which lanes have one.
__device__ __noinline__ int points_ask(const tsr_round &round, const tsr_rule &rule, int level,
                                       const int64_t i[3], int slot, unsigned k, int part, int here,
                                       exact_leaf *leaf, int lane) {
  const tsr_grid_frame &f = *round.frame;
  if (!leaf->entry) {
    tsr_cut cut;
    double middle[3];
    tsr_frame_cut(f, level, i, &cut);
    tsr_cut_points_set(f, cut, &leaf->points, middle);
    tsr_cut_values(f, rule.array, 0, cut, leaf->value, lane);
    leaf->entry = &round.table->entries[slot];
  }
  if (!here)
    return 0;
  const double e =
      tsr_cut_difference(f, rule.array, 0, leaf->points, leaf->entry, part, leaf->value, k);
  return !tsr_finite(e) || e > rule.threshold;
}

// True if a rule checks the errors of leaves of a level.
__device__ __forceinline__ int looks_at(const tsr_rule &rule, int level) {
  return rule.measure == TSR_MEASURE_INTERPOLATION_ERROR &&
         !(rule.max_level >= 0 && level >= rule.max_level);
}

const int at_once = 4; // points of a lane: their loads need not wait for each other

// The threshold in single precision. *slack: its rounding error, which is added to that of an
// estimate.
__device__ __forceinline__ float limit_of(const tsr_rule &rule, float *slack) {
  const float limit = (float)fmin(rule.threshold, 1e38);
  *slack = 1e-6f * limit;
  return limit;
}

// Which of a lane's points k, k + 32, ... (at_once of them) the estimate cannot decide: one bit
// each. Sets *sure if one is certainly too far. part: as for tsr_estimate_point.
template <class T>
__device__ __forceinline__ unsigned open_points(const tsr_estimate<T> &e, const int64_t step[3],
                                                float limit, float more, int k, int *part,
                                                int *sure) {
  const int all = e.n * e.n * e.n;
  unsigned open = 0;
#pragma unroll
  for (int u = 0; u < at_once; ++u) {
    float far, slack;
    tsr_estimate_point(e, step, k + 32 * u, part, &far, &slack);
    slack += more;
    *sure |= far - slack > limit && far < 1e38f; // beyond, floats may have overflowed
    open |= k + 32 * u < all && !(far + slack < limit) ? 1u << u : 0u;
  }
  return open;
}

// 1 in every lane if a point of the leaf is too far from the interpolation. Only points for which
// the estimate is not sure are computed in double.
template <class T>
__device__ int open_points_ask(const tsr_round &round, const tsr_rule &rule, int level,
                               const int64_t i[3], int slot, tsr_cut_floats *floats, double *value,
                               int lane) {
  const tsr_grid_frame &f = *round.frame;
  const tsr_estimate<T> e =
      tsr_estimate_of(f, (const T *)rule.array.data, level, i, round.table, slot, floats, lane);
  const int all = e.n * e.n * e.n;
  float more;
  const float limit = limit_of(rule, &more);
  exact_leaf leaf = {};
  leaf.value = value;
  int part = 0, sure = 0;
  for (int k = lane; k - lane < all; k += 32 * at_once) {
    const unsigned open = open_points(e, f.lattice.point_step, limit, more, k, &part, &sure);
    for (int u = 0; u < at_once; ++u) {
      const int here = (int)(open >> u & 1), point = k + 32 * u;
      if (__any_sync(0xffffffffu, here) &&
          __any_sync(0xffffffffu,
                     points_ask(round, rule, level, i, slot, (unsigned)point,
                                here ? tsr_estimate_part(e, point) : -1, here, &leaf, lane)))
        return 1;
    }
  }
  return 0;
}

// 1 in every lane if any rule asks to refine a cut leaf, by the estimate and, if that is not sure,
// in double. slot: the leaf's slot in the table.
__device__ int cut_asks(const tsr_round &round, int level, const int64_t i[3], int slot,
                        tsr_cut_floats *floats, double *value, int lane) {
  for (int r = 0; r < round.n_rules; ++r) {
    const tsr_rule &rule = round.rules[r];
    if (!looks_at(rule, level))
      continue;
    if (rule.array.type == TSR_FLOAT
            ? open_points_ask<float>(round, rule, level, i, slot, floats, value, lane)
            : open_points_ask<double>(round, rule, level, i, slot, floats, value, lane))
      return 1;
  }
  return 0;
}

// 1 in every lane if a rule asks for a leaf that closure made.
__device__ __noinline__ int new_asks(const tsr_round &round, int level, const int64_t i[3],
                                     int lane) {
  for (int r = 0; r < round.n_rules; ++r) {
    const tsr_rule &rule = round.rules[r];
    if (looks_at(rule, level) && leaf_asks(*round.frame, rule, level, i, lane))
      return 1;
  }
  return 0;
}

// The tree of the round before becomes that of this one, as long as nobody reads it.
__device__ void keep_fresh(const tsr_round &round) {
  const unsigned n = round.result->fresh;
  for (unsigned k = blockIdx.x * block + threadIdx.x; n <= round.room && k < n;
       k += gridDim.x * block) {
    int64_t at, i[3];
    int level;
    tsr_unpack_leaf(*round.frame, round.fresh[k], &level, &at, i);
    tsr_set_in(*round.last, round.last->tree.dense[0], level, i);
  }
}

// Result of the estimate for a cut leaf at the points of a member of the team, the same in every
// lane: it stays a leaf, is not decided, or is refined.
enum estimated { TSR_STAYS, TSR_OPEN, TSR_ASKS };

template <class T>
__device__ estimated estimate_leaf(const tsr_grid_frame &f, const tsr_rule &rule,
                                   const tsr_cut_table *table, int level, const int64_t i[3],
                                   int slot, tsr_cut_floats *floats, tsr_team team, int lane) {
  const tsr_estimate<T> e =
      tsr_estimate_of(f, (const T *)rule.array.data, level, i, table, slot, floats, lane);
  const int all = e.n * e.n * e.n;
  float more;
  const float limit = limit_of(rule, &more);
  const int look = 32 * at_once;
  unsigned open = 0;
  int part = 0;
  for (int k = lane + look * team.member; k - lane < all; k += look * team.members) {
    int sure = 0;
    open |= open_points(e, f.lattice.point_step, limit, more, k, &part, &sure);
    if (__any_sync(0xffffffffu, sure))
      return TSR_ASKS;
  }
  return __any_sync(0xffffffffu, open) ? TSR_OPEN : TSR_STAYS;
}

__device__ estimated estimate(const tsr_round &round, int level, const int64_t i[3], int slot,
                              tsr_cut_floats *floats, tsr_team team, int lane) {
  estimated most = TSR_STAYS;
  for (int r = 0; r < round.n_rules && most != TSR_ASKS; ++r) {
    const tsr_rule &rule = round.rules[r];
    if (!looks_at(rule, level))
      continue;
    const estimated e = rule.array.type == TSR_FLOAT
                            ? estimate_leaf<float>(*round.frame, rule, round.table, level, i, slot,
                                                   floats, team, lane)
                            : estimate_leaf<double>(*round.frame, rule, round.table, level, i, slot,
                                                    floats, team, lane);
    most = e > most ? e : most;
  }
  return most;
}

// Leaves the rest of a leaf to the next list, or to its bits. By the whole warp.
__device__ void pass_on(const tsr_round &round, tsr_packed_leaf leaf, int level, int64_t at,
                        int lane) {
  const int is_cut = leaf.slot != tsr_not_cut;
  if (tsr_put_leaves(round, 1, lane == 0, leaf) || lane > 0)
    return;
  tsr_or_byte((is_cut ? round.cut : round.made) +
                  (round.frame->tree.dense[level] - round.frame->tree.dense[0]) + at,
              1u << leaf.child);
  (is_cut ? round.result->cut : round.result->made) = 1;
}

// Calls check(leaf, level, at, i) for the leaves of list `number` that this process checks, one for
// each team of so many warps: 1, or those of a block. at, i: the leaf's place in the level and its
// indices.
template <class Check>
__device__ __forceinline__ void for_list(const tsr_round &round, const tsr_level_bytes &bytes,
                                         int number, const tsr_packed_leaf *list, int members,
                                         const Check &check) {
  const unsigned n = min(round.result->list[number], round.room), teams = warps / members;
  const unsigned first = blockIdx.x * teams + threadIdx.x / 32 % teams;
  for (unsigned k = first; k < n; k += gridDim.x * teams) {
    const tsr_packed_leaf leaf = list[k];
    int64_t at, i[3];
    int level;
    tsr_unpack_leaf(*round.frame, leaf, &level, &at, i);
    if (at < bytes.at[level][0] || at >= bytes.at[level][1])
      continue;
    check(leaf, level, at, i);
    __syncwarp();
  }
}

// What all members of a team have found, when the last one has.
__device__ __forceinline__ estimated joint(tsr_team team, estimated e) {
  if (team.members == 1)
    return e;
  const int asks = __syncthreads_or(e == TSR_ASKS), open = __syncthreads_or(e == TSR_OPEN);
  return asks ? TSR_ASKS : open ? TSR_OPEN : TSR_STAYS;
}

// Checks the leaves of the first list, large ones first. Of those that are cut the estimate decides
// nearly all, in a kernel of few registers; the next list takes the others.
__global__ void __launch_bounds__(block, 8)
    estimate_kernel(const __grid_constant__ tsr_round round,
                    const __grid_constant__ tsr_level_bytes bytes) {
  __shared__ tsr_cut_floats floats[warps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (round.before)
    keep_fresh(round);
#pragma unroll 1 // its code once
  for (int members : {warps, 1})
    for_list(round, bytes, 0, round.list[0], members,
             [&](tsr_packed_leaf leaf, int level, int64_t at, const int64_t i[3]) {
               const int slot = (int)leaf.slot;
               const tsr_team team = team_of(*round.frame, level);
               if (team.members != members)
                 return;
               const estimated e =
                   joint(team, slot == (int)tsr_not_cut
                                   ? TSR_OPEN
                                   : estimate(round, level, i, slot, &floats[warp], team, lane));
               if (team.member == 0 && e == TSR_ASKS)
                 add_node(round, level, i, 1, lane);
               else if (team.member == 0 && e == TSR_OPEN)
                 pass_on(round, leaf, level, at, lane);
             });
}

// Checks the leaves of list `number`, above 0. The arguments are grid constants, so that functions
// that take their addresses need no copies: most of these lists are empty.
__global__ void __launch_bounds__(block)
    list_kernel(const __grid_constant__ tsr_round round,
                const __grid_constant__ tsr_level_bytes bytes, int number) {
  __shared__ tsr_cut_floats floats[warps];
  __shared__ double values[warps][TSR_CUT_PLACES];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for_list(round, bytes, number, round.list[1 + number % 2], 1,
           [&](tsr_packed_leaf leaf, int level, int64_t, const int64_t i[3]) {
             const int slot = (int)leaf.slot;
             const int asks =
                 slot == (int)tsr_not_cut
                     ? new_asks(round, level, i, lane)
                     : cut_asks(round, level, i, slot, &floats[warp], values[warp], lane);
             if (asks)
               add_node(round, level, i, number + 1, lane);
           });
}

// 1 in every lane if any rule asks to refine a cut leaf that is not in a list, without the
// estimate, at the points of this member of the team.
__device__ __noinline__ int parts_of_leaf_ask(const tsr_round &round, const int64_t i[3],
                                              tsr_cut_room *room, tsr_team team, int lane) {
  const tsr_grid_frame &f = *round.frame;
  tsr_cut_points points;
  tsr_cut cut;
  tsr_frame_cut(f, round.level, i, &cut);
  const tsr_cut_entry *entry = tsr_cut_prepare(f, round.table, cut, room, &points, lane);
  for (int r = 0; r < round.n_rules; ++r) {
    const tsr_rule &rule = round.rules[r];
    if (looks_at(rule, round.level) && parts_ask(f, rule, cut, points, entry, room, team, lane))
      return 1;
  }
  return 0;
}

const int most_share = 2 * block; // bytes of a block

// Clears bits of a byte, of which other blocks may clear others.
__device__ __forceinline__ void clear_bits(uint8_t *byte, unsigned bits) {
  const unsigned shift = 8 * (unsigned)((uintptr_t)byte % 4);
  atomicAnd((unsigned *)((uintptr_t)byte & ~(uintptr_t)3), ~(bits << shift));
}

// The block gathers the nodes of its bytes, of all children or of one (gridDim.y is 8 then), and
// its warps share them out.
template <bool CUT>
__global__ void __launch_bounds__(block)
    bits_kernel(const __grid_constant__ tsr_round round, int share) {
  __shared__ tsr_cut_room rooms[CUT ? warps : 1];
  __shared__ uint16_t nodes[8 * most_share]; // byte and child
  __shared__ int n_nodes, next;
  const tsr_grid_frame &f = *round.frame;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, t = (int)threadIdx.x;
  const int64_t first = round.begin + (int64_t)blockIdx.x * share;
  uint8_t *bytes = (CUT ? round.cut : round.made) + (f.tree.dense[round.level] - f.tree.dense[0]);
  if (!(CUT ? round.result->cut : round.result->made))
    return;
  const unsigned own = gridDim.y > 1 ? 1u << blockIdx.y : 0xffu;
  if (t == 0)
    n_nodes = next = 0;
  unsigned mine[2];
  for (int h = 0; h < 2; ++h) {
    const int at = t + h * block;
    mine[h] = at < share && first + at < round.bytes ? bytes[first + at] & own : 0u;
    if (mine[h])
      clear_bits(&bytes[first + at], mine[h]);
  }
  if (!__syncthreads_or((int)(mine[0] | mine[1])))
    return;
  for (unsigned k = 0; k < 16; ++k)
    if ((mine[k / 8] >> (k % 8)) & 1)
      nodes[atomicAdd(&n_nodes, 1)] = (uint16_t)(8 * (t + (int)(k / 8) * block) + (int)(k % 8));
  __syncthreads();
  const tsr_team team = CUT ? team_of(f, round.level) : tsr_team{0, 1};
  for (int turn = 0;; ++turn) {
    int64_t parent[3], i[3];
    int at = team.members == 1 && lane == 0 ? atomicAdd(&next, 1) : 0;
    at = team.members == 1 ? __shfl_sync(0xffffffffu, at, 0) : turn;
    if (at >= n_nodes)
      return;
    tsr_frame_parent(f, round.level, first + nodes[at] / 8, parent);
    tsr_descent_child(&f.lattice, parent, nodes[at] % 8, i);
    int asks = CUT ? parts_of_leaf_ask(round, i, &rooms[CUT ? warp : 0], team, lane)
                   : new_asks(round, round.level, i, lane);
    if (team.members > 1)
      asks = __syncthreads_or(asks);
    if (asks && team.member == 0)
      add_node(round, round.level, i, 0, lane);
    __syncwarp();
  }
}

// Number of bytes that a block checks: large levels get enough blocks to fill the device, small
// ones as many blocks as they have bytes.
int share_of(int64_t bytes) {
  return (int)std::max<int64_t>(1, std::min<int64_t>(most_share, bytes >> 13));
}

} // namespace

tsr_status tsr_check_bits(tsr_grid_device *grid, tsr_round it, const tsr_level_bytes &bytes,
                          tsr_error *error) {
  const bool conforming = grid->frame.options.output == TSR_GRID_CONFORMING;
  for (it.level = 0; it.level < grid->frame.levels; ++it.level) {
    it.begin = bytes.at[it.level][0];
    it.bytes = bytes.at[it.level][1];
    const int share = share_of(it.bytes - it.begin);
    const unsigned blocks = tsr_blocks(it.bytes - it.begin, share);
    bits_kernel<false><<<blocks, block, 0, grid->stream>>>(it, share);
    TSR_CUDA(cudaGetLastError(), "checking new cells");
    // Large leaves take a whole block each: those of a byte get blocks of their own.
    const dim3 cut(blocks, has_large_leaves(grid->frame, it.level) ? 8 : 1);
    if (conforming)
      bits_kernel<true><<<cut, block, 0, grid->stream>>>(it, share);
    TSR_CUDA(cudaGetLastError(), "looking at cells that are cut");
  }
  return TSR_OK;
}

tsr_status tsr_check_lists(tsr_grid_device *grid, const tsr_round &it, const tsr_level_bytes &bytes,
                           tsr_error *error) {
  const unsigned processors = (unsigned)grid->state->properties.multiProcessorCount;
  estimate_kernel<<<8 * processors, block, 0, grid->stream>>>(it, bytes);
  TSR_CUDA(cudaGetLastError(), "looking at cells that are cut");
  for (int number = 1; number <= grid->frame.levels; ++number) {
    list_kernel<<<4 * processors, block, 0, grid->stream>>>(it, bytes, number);
    TSR_CUDA(cudaGetLastError(), "looking at cells that are cut");
  }
  return TSR_OK;
}
