// SPDX-License-Identifier: BSD-3-Clause
// The leaves of a whole plan that are cut: which, into how many cells, and how far those are from
// the input.
#include "cuda/common/executor.cuh"
#include "cuda/grid/cut/cut_estimate.cuh"
#include "cuda/grid/output/fill.cuh"

#include "cuda/common/scan.cuh"

#include <algorithm>
#include <cstring>

namespace {

const int block = 128, warps = block / 32;

struct part_args {
  const tsr_grid_frame *frame;
  const tsr_grid_node *nodes;
  int64_t n;
  uint32_t *has;
  int32_t *list;
  unsigned long long *n_cut;
  int64_t *cell, *entry, *centre;
  tsr_cut_table *table;
};

__device__ int find_cut(const tsr_grid_frame &f, const tsr_grid_node &node, tsr_cut *cut) {
  int64_t i[3];
  tsr_node_inner(&f.lattice, &node, i);
  return tsr_frame_cut(f, node.level, i, cut);
}

__global__ void __launch_bounds__(block) find_kernel(part_args args) {
  const tsr_grid_frame &f = *args.frame;
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  tsr_cut cut;
  int is_cut = 0;
  if (n < args.n) {
    is_cut = find_cut(f, args.nodes[n], &cut);
    args.has[n] = is_cut ? cut.has : 0u;
    if (is_cut)
      (void)tsr_cut_claim(args.table, cut.has);
    args.cell[n] = 1;
    args.entry[n] = (int64_t)1 << f.lattice.dimension;
    args.centre[n] = 0;
  }
  const unsigned long long at = tsr_warp_place(args.n_cut, is_cut);
  if (is_cut)
    args.list[at] = (int32_t)n;
}

// A warp has a leaf.
__global__ void __launch_bounds__(block) count_kernel(part_args args) {
  __shared__ tsr_cut_room rooms[warps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int64_t n_cut = (int64_t)*args.n_cut, step = (int64_t)gridDim.x * warps;
  const double middle[3] = {0.5, 0.5, 0.5}; // counts do not depend on it
  for (int64_t k = (int64_t)blockIdx.x * warps + warp; k < n_cut; k += step) {
    const int32_t n = args.list[k];
    tsr_cut cut;
    cut.dimension = args.frame->lattice.dimension;
    cut.has = args.has[n];
    const tsr_cut_entry *entry = tsr_cut_find_entry(args.table, cut, middle, &rooms[warp], lane);
    if (lane == 0) {
      args.cell[n] = entry->n;
      args.entry[n] = entry->entries;
      args.centre[n] = entry->centre;
    }
  }
}

struct error_args {
  const tsr_grid_frame *frame;
  const tsr_grid_node *nodes;
  const int32_t *list;
  const uint32_t *has;
  int64_t n_cut;
  int32_t *large; // leaves that several warps share out
  unsigned *n_large;
  int64_t leaves[2]; // only these are looked at
  tsr_array array;
  const tsr_cut_table *table;
  unsigned long long *most;
};

const int share = 1024; // points of a leaf that a warp takes at once
const int sharers = 64; // warps that share out a large leaf

// The share of a leaf that a warp handles: share `number` of `of`.
struct warp_share {
  int number, of;
};

// After 32 points: the next, or the first of the warp's next share.
__device__ int next_piece(int m, int of) {
  return (m + 32) % share != 0 ? m + 32 : m + 32 + (of - 1) * share;
}

__device__ unsigned long long side_of(const tsr_lattice &lattice, const tsr_grid_node &node) {
  return (1ull << max(lattice.coarsen - node.level, 0)) + 1;
}

__device__ unsigned long long points_of(const tsr_lattice &lattice, const tsr_grid_node &node) {
  unsigned long long points = 1;
  for (int a = 0; a < lattice.dimension; ++a)
    points *= side_of(lattice, node);
  return points;
}

// 1 if a leaf has points for this share, or columns of points, and is one to be shared out so.
__device__ int has_share(const tsr_lattice &lattice, const tsr_grid_node &node, warp_share mine) {
  const unsigned long long side = side_of(lattice, node), points = points_of(lattice, node);
  const unsigned long long layer = lattice.dimension == 3 ? side * side : 0;
  return side > 2 && (points > share) == (mine.of > 1) &&
         ((unsigned long long)share * mine.number < points || 32ull * mine.number < layer);
}

// The largest error of a leaf whose points are estimated: only those that may be above the largest
// so far are looked at in double. In a large leaf lanes follow columns of points from one end to
// the other, which stay in a part for a while, and warps share out the columns.
template <class T>
__device__ double estimated_error(const error_args &args, int32_t n, warp_share mine, int slot,
                                  const int64_t i[3], tsr_cut_room *room, tsr_cut_floats *floats,
                                  int lane, double most) {
  const tsr_grid_frame &f = *args.frame;
  const tsr_estimate<T> e = tsr_estimate_of(f, (const T *)args.array.data, args.nodes[n].level, i,
                                            args.table, slot, floats, lane);
  const int all = e.n * e.n * e.n, layer = e.weights ? all : e.n * e.n;
  const int step_over = e.weights ? 32 : 32 * mine.of;
  const tsr_cut_entry *entry = &args.table->entries[slot];
  tsr_cut_points points;
  int ready = 0;
  const auto look = [&](int k, int here, int *part) {
    float far, slack;
    tsr_estimate_point(e, f.lattice.point_step, k, part, &far, &slack);
    const int above = here && !(far + slack < __double2float_rd(most));
    if (!__any_sync(0xffffffffu, above))
      return;
    if (!ready) {
      tsr_cut cut;
      find_cut(f, args.nodes[n], &cut);
      tsr_cut_prepare(f, args.table, cut, room, &points, lane);
      tsr_cut_values(f, args.array, 0, cut, room->value, lane);
      ready = 1;
    }
    const double d = above ? tsr_cut_difference(f, args.array, 0, points, entry,
                                                tsr_estimate_part(e, k), room->value, (unsigned)k)
                           : 0.0;
    most = d > most && tsr_finite(d) ? d : most;
    most = tsr_warp_most(most);
  };
  for (int first = e.weights ? 0 : 32 * mine.number; first < layer; first += step_over) {
    int part = 0;
    for (int m = first; m < all; m += layer)
      look(m + lane, first + lane < layer, &part);
  }
  return most;
}

// The largest error that a warp finds in its share of the points of a leaf.
__device__ double leaf_error(const error_args &args, int32_t n, warp_share mine, tsr_cut_room *room,
                             int lane) {
  const tsr_grid_frame &f = *args.frame;
  tsr_cut_points points;
  tsr_cut cut;
  double most = 0.0;
  find_cut(f, args.nodes[n], &cut);
  const tsr_cut_entry *entry = tsr_cut_prepare(f, args.table, cut, room, &points, lane);
  for (int c = 0; c < args.array.components; ++c) {
    tsr_cut_values(f, args.array, c, cut, room->value, lane);
    for (int m = mine.number * share; m < (int)points.count; m = next_piece(m, mine.of)) {
      const unsigned k = (unsigned)(m + lane);
      if (k >= points.count)
        break;
      const double e = tsr_cut_difference(f, args.array, c, points, entry, -1, room->value, k);
      most = e > most && tsr_finite(e) ? e : most;
    }
  }
  return most;
}

// The slot of a leaf whose points are estimated, else -1; in every lane.
__device__ int slot_of(const error_args &args, int32_t n, int lane) {
  const tsr_grid_frame &f = *args.frame;
  int64_t i[3];
  tsr_node_inner(&f.lattice, &args.nodes[n], i);
  if (!tsr_estimates(f, args.array) || !tsr_estimates_leaf(f, args.nodes[n].level, i))
    return -1;
  const int slot = lane == 0 ? tsr_cut_slot(args.table, args.has[n]) : 0;
  return __shfl_sync(0xffffffffu, slot, 0);
}

// Its errors: the warp takes up what others have found, and tells what it finds.
__device__ double estimated(const error_args &args, int32_t n, warp_share mine, int slot,
                            tsr_cut_room *room, tsr_cut_floats *floats, int lane, double most) {
  int64_t i[3];
  const double found = __longlong_as_double((long long)*(volatile unsigned long long *)args.most);
  most = found > most ? found : most;
  most = __shfl_sync(0xffffffffu, most, 0);
  tsr_node_inner(&args.frame->lattice, &args.nodes[n], i);
  const double e = args.array.type == TSR_FLOAT
                       ? estimated_error<float>(args, n, mine, slot, i, room, floats, lane, most)
                       : estimated_error<double>(args, n, mine, slot, i, room, floats, lane, most);
  if (lane == 0 && e > found)
    atomicMax(args.most, (unsigned long long)__double_as_longlong(e));
  return e;
}

// Large leaves lie beside each other in the list of those that are cut, far from what they are cut
// for: in a list of their own they are shared out evenly.
__device__ void list_large(int64_t k, const error_args &args) {
  if (points_of(args.frame->lattice, args.nodes[args.list[k]]) > share)
    args.large[atomicAdd(args.n_large, 1u)] = args.list[k];
}

// First the large leaves, which take longest, then the others.
__global__ void __launch_bounds__(block) error_kernel(error_args args) {
  __shared__ tsr_cut_room rooms[warps];
  __shared__ tsr_cut_floats floats[warps];
  const tsr_lattice &lattice = args.frame->lattice;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int64_t n_large = *args.n_large, n_shares = n_large * sharers;
  double most = 0.0;
  for (int64_t k = (int64_t)blockIdx.x * warps + warp; k < n_shares + args.n_cut;
       k += (int64_t)gridDim.x * warps) {
    const int is_share = k < n_shares;
    const int32_t n = is_share ? args.large[k % n_large] : args.list[k - n_shares];
    const warp_share mine = is_share ? warp_share{(int)(k / n_large), sharers} : warp_share{0, 1};
    if (n < args.leaves[0] || n >= args.leaves[1] || !has_share(lattice, args.nodes[n], mine))
      continue;
    const int slot = slot_of(args, n, lane);
    const double e = slot >= 0
                         ? estimated(args, n, mine, slot, &rooms[warp], &floats[warp], lane, most)
                         : leaf_error(args, n, mine, &rooms[warp], lane);
    most = e > most ? e : most;
  }
  tsr_warp_raise(args.most, most);
}

// Where the counts are copied to, in the order of tsr_grid_take_parts. It starts behind the totals
// that counting the points uses.
unsigned long long *totals_of(const tsr_grid_device *grid) { return grid->waves->totals + 64; }

tsr_status sum_up(tsr_grid_device *grid, int64_t *counts, int64_t n, unsigned long long *to,
                  tsr_error *error) {
  TSR_STEP(tsr_scan_counts(counts, n, &grid->memory, grid->stream, error));
  TSR_CUDA(tsr_copy_async(to, counts + n, sizeof *counts, cudaMemcpyDeviceToHost, grid->stream),
           "counting the parts of cells");
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_count_parts(tsr_grid_device *grid, const tsr_leaf_list &leaves,
                                tsr_cut_ways *ways, tsr_cut_list *cuts, tsr_error *error) {
  const int64_t n = leaves.n;
  const char *what = "the parts of cells", *doing = "counting the parts of cells";
  unsigned long long *n_cut, *const totals = totals_of(grid);
  TSR_STEP(tsr_cut_ways_make(grid, ways, error));
  cuts->table = ways->table;
  TSR_STEP(grid->memory.get(&cuts->has, n, what, error));
  TSR_STEP(grid->memory.get(&cuts->list, n, what, error));
  TSR_STEP(grid->memory.get(&cuts->cell, n + 1, what, error));
  TSR_STEP(grid->memory.get(&cuts->entry, n + 1, what, error));
  TSR_STEP(grid->memory.get(&cuts->centre, n + 1, what, error));
  TSR_STEP(grid->memory.get(&n_cut, 1, what, error));
  TSR_CUDA(cudaMemsetAsync(n_cut, 0, sizeof *n_cut, grid->stream), doing);
  const part_args args = {grid->frame_d, leaves.nodes, n,           cuts->has,    cuts->list,
                          n_cut,         cuts->cell,   cuts->entry, cuts->centre, ways->table};
  if (n > 0) {
    find_kernel<<<tsr_blocks(n, block), block, 0, grid->stream>>>(args);
    TSR_CUDA(cudaGetLastError(), "looking for cells that are cut");
    TSR_STEP(tsr_cut_make_claimed(grid, ways->table, error));
    count_kernel<<<(unsigned)std::min<int64_t>(tsr_blocks(n, warps), 2112), block, 0,
                   grid->stream>>>(args);
    TSR_CUDA(cudaGetLastError(), doing);
  }
  TSR_STEP(sum_up(grid, cuts->cell, n, &totals[0], error));
  TSR_STEP(sum_up(grid, cuts->entry, n, &totals[1], error));
  TSR_STEP(sum_up(grid, cuts->centre, n, &totals[2], error));
  TSR_CUDA(tsr_copy_async(&totals[3], n_cut, sizeof *n_cut, cudaMemcpyDeviceToHost, grid->stream),
           doing);
  TSR_CUDA(tsr_copy_async(&totals[4], &ways->table->n_used, sizeof ways->table->n_used,
                          cudaMemcpyDeviceToHost, grid->stream),
           doing);
  grid->memory.free_one(n_cut);
  return TSR_OK;
}

void tsr_grid_take_parts(const tsr_grid_device *grid, tsr_cut_ways *ways, tsr_cut_list *cuts) {
  const unsigned long long *const totals = totals_of(grid);
  cuts->cells = (int64_t)totals[0];
  cuts->entries = (int64_t)totals[1];
  cuts->centres = (int64_t)totals[2];
  cuts->n = (int64_t)totals[3];
  memcpy(&ways->used, &totals[4], sizeof ways->used);
}

tsr_status tsr_grid_cut_errors(tsr_grid_device *grid, const tsr_plan_lists &lists,
                               const tsr_array &array, const int64_t leaves[2],
                               unsigned long long *most, tsr_error *error) {
  const tsr_cut_list &cuts = lists.cuts;
  if (cuts.n == 0)
    return TSR_OK;
  const char *what = "the large leaves", *doing = "measuring the errors in the parts of cells";
  error_args args = {grid->frame_d, lists.leaves.nodes,     cuts.list, cuts.has,   cuts.n, nullptr,
                     nullptr,       {leaves[0], leaves[1]}, array,     cuts.table, most};
  TSR_STEP(grid->memory.get(&args.large, cuts.n, what, error));
  TSR_STEP(grid->memory.get(&args.n_large, 1, what, error));
  TSR_CUDA(cudaMemsetAsync(args.n_large, 0, sizeof *args.n_large, grid->stream), doing);
  TSR_CUDA(tsr_launch_each<list_large>(cuts.n, grid->stream, args), doing);
  const int64_t blocks = std::min<int64_t>(tsr_blocks(sharers * cuts.n, warps), 2112);
  error_kernel<<<(unsigned)blocks, block, 0, grid->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), doing);
  grid->memory.free_one(args.n_large);
  grid->memory.free_one(args.large);
  return TSR_OK;
}
