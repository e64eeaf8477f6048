// SPDX-License-Identifier: BSD-3-Clause
// The leaves of a whole plan, counted and listed unit by unit: 64 threads have a unit's slots.
#include "cuda/grid/output/lists.cuh"

#include "cuda/common/scan.cuh"

namespace {

const int units_at_once = 4, block = TSR_UNIT_SLOTS * units_at_once;

struct leaf_args {
  const tsr_grid_frame *frame;
  int64_t begin[3], units[3], n_units;
  int64_t *unit_first;
  unsigned long long *of_level;
  tsr_grid_node *nodes;
};

__device__ void index_of(const leaf_args &args, unsigned unit, int64_t u[3]) {
  const unsigned nx = (unsigned)args.units[0], ny = (unsigned)args.units[1], row = unit / nx;
  u[0] = args.begin[0] + (unit - row * nx);
  u[1] = args.begin[1] + row % ny;
  u[2] = args.begin[2] + row / ny;
}

// Most units are not refined, or are input cells: then the first slot has all that there may be,
// and a thread deals with the unit by itself, one(unit, slot). The others are gathered in
// `refined`, unless is_done(unit, index). They lie close together, so a block has units from
// everywhere. The whole block calls it.
template <class One, class Refined>
__device__ void split_units(const leaf_args &args, unsigned *refined, unsigned *n_refined, One one,
                            Refined is_done) {
  const tsr_grid_frame &f = *args.frame;
  const int64_t unit = (int64_t)threadIdx.x * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0)
    *n_refined = 0;
  __syncthreads();
  if (unit < args.n_units) {
    int64_t u[3];
    index_of(args, (unsigned)unit, u);
    if (f.lattice.coarsen > 0 && tsr_bit_in(f, f.tree.dense[0], tsr_unit_level(&f.lattice), u)) {
      if (!is_done((unsigned)unit, u))
        refined[atomicAdd(n_refined, 1u)] = (unsigned)unit;
    } else {
      tsr_slot slot;
      tsr_slot_leaves(&f.lattice, &f.tree, f.hidden, u, 0, &slot);
      one((unsigned)unit, slot);
    }
  }
  __syncthreads();
}

// The leaves of this thread's slot in a refined unit, and how many the slots before it have; *all:
// the unit's. The whole block calls it. here: 0 where there is no unit for this thread.
__device__ unsigned place_of(const leaf_args &args, int here, unsigned unit, tsr_slot *slot,
                             unsigned *all) {
  __shared__ unsigned sums[block / 32];
  const tsr_grid_frame &f = *args.frame;
  const int number = threadIdx.x % TSR_UNIT_SLOTS, lane = threadIdx.x % 32;
  slot->n = 0;
  if (here && number < tsr_slot_count(&f.lattice)) {
    int64_t u[3];
    index_of(args, unit, u);
    tsr_slot_leaves(&f.lattice, &f.tree, f.hidden, u, number, slot);
  }
  unsigned before = (unsigned)slot->n;
  for (int step = 1; step < 32; step *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, before, step);
    before += lane >= step ? other : 0u;
  }
  if (lane == 31)
    sums[threadIdx.x / 32] = before;
  __syncthreads();
  const unsigned *pair = sums + threadIdx.x / TSR_UNIT_SLOTS * 2;
  before += number >= 32 ? pair[0] : 0u;
  *all = pair[0] + pair[1];
  __syncthreads();
  return before - (unsigned)slot->n;
}

// The bits of a refined unit of 8 cubed cells: of its children, and of theirs, which are slots.
struct unit_bits {
  unsigned children, of[8];
};

// 0: the unit is of another kind.
__device__ int bits_of(const tsr_grid_frame &f, const int64_t u[3], unit_bits *bits) {
  const int level = tsr_unit_level(&f.lattice);
  const int64_t child[3] = {2 * u[0], 2 * u[1], 2 * u[2]};
  if (f.lattice.dimension != 3 || f.hidden || tsr_slot_level(&f.lattice) != level + 2 ||
      tsr_node_sticks_out(&f.lattice, level, u))
    return 0;
  bits->children = *tsr_byte_in(f, f.tree.dense[0], level + 1, child);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int64_t below[3] = {4 * u[0] + 2 * (k & 1), 4 * u[1] + (k & 2), 4 * u[2] + (k >> 1 & 2)};
    bits->of[k] = *tsr_byte_in(f, f.tree.dense[0], level + 2, below);
  }
  return 1;
}

// The leaves of a slot of such a unit, as tsr_slot_leaves finds them. Returns how many the slots
// before it have: a child that is refined has a leaf in each of its slots, and seven more in those
// that are refined.
__device__ unsigned slot_by_bits(const tsr_grid_frame &f, const int64_t u[3], const unit_bits &bits,
                                 unsigned number, tsr_slot *slot) {
  const unsigned child = number / 8, lower = (1u << number % 8) - 1;
  const int unit_level = tsr_unit_level(&f.lattice);
  unsigned before = 0, mine = 0;
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned slots = bits.children >> k & 1 ? 8 + 7 * __popc(bits.of[k]) : 1;
    before += k < child ? slots : 0;
    mine = k == child ? bits.of[k] : mine;
  }
  const int is_divided = (int)(bits.children >> child & 1),
            is_refined = (int)(mine >> number % 8 & 1);
  tsr_slot_node(&f.lattice, u, (int)number, slot->i);
  slot->level = unit_level + (is_refined ? 3 : is_divided ? 2 : 1);
  slot->children = is_refined ? 0xffu : 0u;
  slot->n = is_refined ? 8 : is_divided || number % 8 == 0;
  for (int a = 0; a < 3 && !is_divided; ++a)
    slot->i[a] >>= 1;
  return before + (is_divided ? number % 8 + 7 * __popc(mine & lower) : (number % 8 != 0));
}

// Counts the leaves of such a unit. 0: it is of another kind.
__device__ int count_bits(const leaf_args &args, unsigned unit, const int64_t u[3],
                          unsigned *of_level) {
  const int level = tsr_unit_level(&args.frame->lattice);
  unsigned grandchildren = 0;
  unit_bits bits;
  if (!bits_of(*args.frame, u, &bits))
    return 0;
  const unsigned children = __popc(bits.children);
#pragma unroll
  for (int k = 0; k < 8; ++k)
    grandchildren += __popc(bits.of[k]);
  args.unit_first[unit] = 8 + 7 * (children + grandchildren);
  if (children < 8)
    atomicAdd(&of_level[level + 1], 8 - children);
  if (children > 0)
    atomicAdd(&of_level[level + 2], 8 * children - grandchildren);
  if (grandchildren > 0)
    atomicAdd(&of_level[level + 3], 8 * grandchildren);
  return 1;
}

__global__ void __launch_bounds__(block) count_kernel(leaf_args args) {
  __shared__ unsigned of_level[TSR_GRID_MAX_LEVEL + 1], refined[block], n_refined;
  if (threadIdx.x <= TSR_GRID_MAX_LEVEL)
    of_level[threadIdx.x] = 0;
  __syncthreads();
  const auto one = [&](unsigned unit, const tsr_slot &slot) {
    args.unit_first[unit] = slot.n;
    if (slot.n > 0)
      atomicAdd(&of_level[slot.level], (unsigned)slot.n);
  };
  split_units(args, refined, &n_refined, one, [&](unsigned unit, const int64_t u[3]) {
    return count_bits(args, unit, u, of_level);
  });
  for (unsigned first = 0; first < n_refined; first += units_at_once) {
    const unsigned at = first + threadIdx.x / TSR_UNIT_SLOTS;
    const unsigned unit = at < n_refined ? refined[at] : 0u;
    tsr_slot slot;
    unsigned all;
    place_of(args, at < n_refined, unit, &slot, &all);
    if (at < n_refined && threadIdx.x % TSR_UNIT_SLOTS == 0)
      args.unit_first[unit] = all;
    if (slot.n > 0)
      atomicAdd(&of_level[slot.level], (unsigned)slot.n);
  }
  __syncthreads();
  if (threadIdx.x <= TSR_GRID_MAX_LEVEL && of_level[threadIdx.x] > 0)
    atomicAdd(&args.of_level[threadIdx.x], (unsigned long long)of_level[threadIdx.x]);
}

__device__ void put_leaves(const leaf_args &args, const tsr_slot &slot, int64_t at) {
  const tsr_lattice &lattice = args.frame->lattice;
  for (int k = 0; k < slot.n; ++k) {
    int64_t i[3];
    tsr_slot_leaf(&lattice, &slot, k, i);
    args.nodes[at + k] = tsr_node_outer(&lattice, slot.level, i);
  }
}

__global__ void __launch_bounds__(block) list_kernel(leaf_args args) {
  __shared__ unsigned refined[block], n_refined, plain[block], n_plain;
  const auto one = [&](unsigned unit, const tsr_slot &slot) {
    put_leaves(args, slot, args.unit_first[unit]);
  };
  const auto by_bits = [&](unsigned unit, const int64_t u[3]) {
    unit_bits bits;
    const int is_plain = bits_of(*args.frame, u, &bits);
    if (is_plain)
      plain[atomicAdd(&n_plain, 1u)] = unit;
    return is_plain;
  };
  if (threadIdx.x == 0)
    n_plain = 0;
  split_units(args, refined, &n_refined, one, by_bits);
  for (unsigned k = threadIdx.x; k < n_plain * TSR_UNIT_SLOTS; k += block) {
    const unsigned unit = plain[k / TSR_UNIT_SLOTS];
    tsr_slot slot;
    unit_bits bits;
    int64_t u[3];
    index_of(args, unit, u);
    (void)bits_of(*args.frame, u, &bits);
    const unsigned before = slot_by_bits(*args.frame, u, bits, k % TSR_UNIT_SLOTS, &slot);
    put_leaves(args, slot, args.unit_first[unit] + before);
  }
  for (unsigned first = 0; first < n_refined; first += units_at_once) {
    const unsigned at = first + threadIdx.x / TSR_UNIT_SLOTS;
    const unsigned unit = at < n_refined ? refined[at] : 0u;
    tsr_slot slot;
    unsigned all;
    const unsigned before = place_of(args, at < n_refined, unit, &slot, &all);
    if (at < n_refined)
      put_leaves(args, slot, args.unit_first[unit] + before);
  }
}

leaf_args args_of(const tsr_grid_device *grid, const tsr_leaf_list &leaves) {
  return {grid->frame_d,
          {leaves.begin[0], leaves.begin[1], leaves.begin[2]},
          {leaves.units[0], leaves.units[1], leaves.units[2]},
          leaves.n_units,
          leaves.unit_first,
          leaves.of_level,
          leaves.nodes};
}

} // namespace

tsr_status tsr_grid_read_counts(tsr_grid_device *grid, tsr_leaf_list *leaves,
                                tsr_grid_counts *counts, tsr_error *error) {
  const int levels = TSR_GRID_MAX_LEVEL + 1;
  TSR_STEP(tsr_bring(grid->waves->totals, leaves->of_level, levels * sizeof *leaves->of_level,
                     grid->stream, "counting the cells", error));
  counts->leaves = 0;
  for (int level = 0; level < levels; ++level) {
    counts->of_level[level] = (int64_t)grid->waves->totals[level];
    counts->leaves += counts->of_level[level];
  }
  leaves->n = counts->leaves;
  return TSR_OK;
}

tsr_status tsr_grid_count_leaves(tsr_grid_device *grid, tsr_leaf_list *leaves,
                                 tsr_grid_counts *counts, tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  const int levels = TSR_GRID_MAX_LEVEL + 1;
  if (!leaves->unit_first) {
    leaves->n_units = 1;
    for (int a = 0; a < 3; ++a) {
      int64_t range[2];
      tsr_level_range(&lattice, a, tsr_unit_level(&lattice), lattice.owned[a], range);
      leaves->begin[a] = range[0];
      leaves->units[a] = range[1] - range[0];
      leaves->n_units *= leaves->units[a];
    }
    TSR_STEP(grid->memory.get(&leaves->unit_first, leaves->n_units + 1, "the cells", error));
    TSR_STEP(grid->memory.get(&leaves->of_level, levels, "the cells", error));
  }
  TSR_CUDA(cudaMemsetAsync(leaves->of_level, 0, levels * sizeof *leaves->of_level, grid->stream),
           "counting the cells");
  count_kernel<<<tsr_odd_blocks(leaves->n_units, block), block, 0, grid->stream>>>(
      args_of(grid, *leaves));
  TSR_CUDA(cudaGetLastError(), "counting the cells");
  TSR_STEP(
      tsr_scan_counts(leaves->unit_first, leaves->n_units, &grid->memory, grid->stream, error));
  return tsr_grid_read_counts(grid, leaves, counts, error);
}

tsr_status tsr_grid_list_leaves(tsr_grid_device *grid, tsr_leaf_list *leaves, tsr_error *error) {
  TSR_STEP(grid->memory.get(&leaves->nodes, leaves->n, "the cells", error));
  list_kernel<<<tsr_odd_blocks(leaves->n_units, block), block, 0, grid->stream>>>(
      args_of(grid, *leaves));
  TSR_CUDA(cudaGetLastError(), "listing the cells");
  return TSR_OK;
}
