// SPDX-License-Identifier: BSD-3-Clause
// The leaves of a whole plan, counted and listed unit by unit: 64 threads have a unit's slots.
#include "cuda/grid/whole.cuh"

#include "cuda/common/scan.cuh"

#include <algorithm>

namespace {

const int units_at_once = 4, block = TSR_UNIT_SLOTS * units_at_once;

struct leaf_job {
  const tsr_grid_frame *frame;
  int64_t units[3], n_units;
  int64_t *unit_first;
  unsigned long long *of_level;
  tsr_grid_node *nodes;
};

// The leaves of this thread's slot, and how many the slots before it in the unit have; *all: the
// unit's. The whole block calls it.
__device__ unsigned place_of(const leaf_job &job, int64_t unit, tsr_slot *slot, unsigned *all) {
  __shared__ unsigned sums[block / 32];
  const tsr_grid_frame &f = *job.frame;
  const int number = threadIdx.x % TSR_UNIT_SLOTS, lane = threadIdx.x % 32;
  slot->n = 0;
  if (unit < job.n_units && number < tsr_slot_count(&f.lattice)) {
    const unsigned nx = (unsigned)job.units[0], ny = (unsigned)job.units[1];
    const unsigned row = (unsigned)unit / nx;
    const int64_t u[3] = {(unsigned)unit - row * nx, row % ny, row / ny};
    // Most units are not refined: then the first slot has all that there may be.
    if (number == 0 || tsr_bit_in(f, f.tree.dense[0], tsr_unit_level(&f.lattice), u))
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

__global__ void __launch_bounds__(block) count_kernel(leaf_job job) {
  __shared__ unsigned of_level[TSR_GRID_MAX_LEVEL + 1];
  if (threadIdx.x <= TSR_GRID_MAX_LEVEL)
    of_level[threadIdx.x] = 0;
  __syncthreads();
  for (int64_t first = (int64_t)blockIdx.x * units_at_once; first < job.n_units;
       first += (int64_t)gridDim.x * units_at_once) {
    const int64_t unit = first + threadIdx.x / TSR_UNIT_SLOTS;
    tsr_slot slot;
    unsigned all;
    place_of(job, unit, &slot, &all);
    if (unit < job.n_units && threadIdx.x % TSR_UNIT_SLOTS == 0)
      job.unit_first[unit] = all;
    if (slot.n > 0)
      atomicAdd(&of_level[slot.level], (unsigned)slot.n);
  }
  __syncthreads();
  if (threadIdx.x <= TSR_GRID_MAX_LEVEL && of_level[threadIdx.x] > 0)
    atomicAdd(&job.of_level[threadIdx.x], (unsigned long long)of_level[threadIdx.x]);
}

__device__ tsr_grid_node node_of(const tsr_lattice &lattice, int level, const int64_t i[3]) {
  tsr_grid_node node;
  node.level = level;
  for (int a = 0; a < 3; ++a)
    node.index[lattice.axis[a]] = (int32_t)i[a];
  return node;
}

__global__ void __launch_bounds__(block) list_kernel(leaf_job job) {
  const tsr_grid_frame &f = *job.frame;
  const int64_t unit = (int64_t)blockIdx.x * units_at_once + threadIdx.x / TSR_UNIT_SLOTS;
  tsr_slot slot;
  unsigned all;
  const unsigned before = place_of(job, unit, &slot, &all);
  if (unit >= job.n_units)
    return;
  tsr_grid_node *to = job.nodes + job.unit_first[unit] + before;
  for (int k = 0; k < slot.n; ++k) {
    int64_t i[3];
    tsr_slot_leaf(&f.lattice, &slot, k, i);
    to[k] = node_of(f.lattice, slot.level, i);
  }
}

leaf_job job_of(const tsr_grid_device *grid) {
  const tsr_grid_whole &w = grid->whole;
  return {grid->frame_d, {w.units[0], w.units[1], w.units[2]}, w.n_units, w.unit_first, w.of_level,
          w.nodes};
}

} // namespace

tsr_status tsr_grid_count_leaves(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  const tsr_lattice &lattice = grid->frame.lattice;
  const int levels = TSR_GRID_MAX_LEVEL + 1;
  if (!w.unit_first) {
    w.n_units = 1;
    for (int a = 0; a < 3; ++a) {
      int64_t range[2];
      tsr_level_range(&lattice, a, tsr_unit_level(&lattice), lattice.owned[a], range);
      w.units[a] = range[1] - range[0];
      w.n_units *= w.units[a];
    }
    TSR_STEP(grid->memory.get(&w.unit_first, w.n_units + 1, "the cells", error));
    TSR_STEP(grid->memory.get(&w.of_level, levels, "the cells", error));
  }
  TSR_CUDA(cudaMemsetAsync(w.of_level, 0, levels * sizeof *w.of_level, grid->stream),
           "counting the cells");
  const unsigned blocks = (unsigned)std::min<int64_t>(tsr_blocks(w.n_units, units_at_once), 2112);
  count_kernel<<<blocks, block, 0, grid->stream>>>(job_of(grid));
  TSR_CUDA(cudaGetLastError(), "counting the cells");
  TSR_CUDA(cudaMemcpyAsync(grid->waves->totals, w.of_level, levels * sizeof *w.of_level,
                           cudaMemcpyDeviceToHost, grid->stream),
           "counting the cells");
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "counting the cells");
  counts->leaves = 0;
  for (int level = 0; level < levels; ++level) {
    counts->of_level[level] = (int64_t)grid->waves->totals[level];
    counts->leaves += counts->of_level[level];
  }
  w.n = counts->leaves;
  return TSR_OK;
}

tsr_status tsr_grid_list_leaves(tsr_grid_device *grid, tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  TSR_STEP(tsr_scan_counts(w.unit_first, w.n_units, &grid->memory, grid->stream, error));
  TSR_STEP(grid->memory.get(&w.nodes, w.n, "the cells", error));
  list_kernel<<<tsr_blocks(w.n_units, units_at_once), block, 0, grid->stream>>>(job_of(grid));
  TSR_CUDA(cudaGetLastError(), "listing the cells");
  return TSR_OK;
}
