// SPDX-License-Identifier: BSD-3-Clause
// The leaves of a whole plan with levels below the input cells: first those that are no smaller
// than an input cell, as leaves.cu lists them; then a thread has one of these, and where it is
// refined goes through the leaves in it.
#include "cuda/common/executor.cuh"
#include "cuda/grid/output/lists.cuh"

#include "cuda/common/scan.cuh"
#include "grid/output/part_math.h"

namespace {

const int block = 128;

struct part_args {
  const tsr_grid_frame *frame;
  const tsr_grid_node *large; // n
  int64_t n;
  int64_t *before; // n + 1: leaves before each
  unsigned long long *of_level;
  tsr_grid_node *nodes;
};

// Calls what(level, i) for each leaf of a node that is no smaller than an input cell.
template <class What>
__device__ void visit(const tsr_grid_frame &f, const tsr_grid_node &node, What what) {
  int64_t cell[3], i[3], next;
  tsr_node_inner(&f.lattice, &node, cell);
  if (node.level < f.lattice.coarsen) {
    what(node.level, cell);
    return;
  }
  const int64_t parts = tsr_cell_parts(&f.lattice);
  for (int64_t number = 0; number < parts; number = next)
    what(tsr_part_leaf(&f.lattice, &f.tree, cell, number, i, &next), i);
}

__global__ void __launch_bounds__(block) count_kernel(part_args args) {
  __shared__ unsigned of_level[TSR_GRID_MAX_LEVEL + 1];
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  if (threadIdx.x <= TSR_GRID_MAX_LEVEL)
    of_level[threadIdx.x] = 0;
  __syncthreads();
  if (n < args.n) {
    int64_t count = 0;
    visit(*args.frame, args.large[n], [&](int level, const int64_t *) {
      ++count;
      atomicAdd(&of_level[level], 1u);
    });
    args.before[n] = count;
  }
  __syncthreads();
  if (threadIdx.x <= TSR_GRID_MAX_LEVEL && of_level[threadIdx.x] > 0)
    atomicAdd(&args.of_level[threadIdx.x], (unsigned long long)of_level[threadIdx.x]);
}

__device__ void list_parts(int64_t n, const part_args &args) {
  const tsr_lattice &lattice = args.frame->lattice;
  tsr_grid_node *to = args.nodes + args.before[n];
  visit(*args.frame, args.large[n],
        [&](int level, const int64_t *i) { *to++ = tsr_node_outer(&lattice, level, i); });
}

// Leaves before each unit, which were those no smaller than an input cell.
__device__ void move_unit(int64_t u, const int64_t *before, int64_t *unit_first) {
  unit_first[u] = before[unit_first[u]];
}

part_args args_of(const tsr_grid_device *grid, const tsr_leaf_list &leaves) {
  return {grid->frame_d,       leaves.large,    leaves.n_large,
          leaves.large_before, leaves.of_level, leaves.nodes};
}

} // namespace

tsr_status tsr_grid_count_part_leaves(tsr_grid_device *grid, tsr_leaf_list *leaves,
                                      tsr_grid_counts *counts, tsr_error *error) {
  const int levels = TSR_GRID_MAX_LEVEL + 1;
  grid->memory.free_one(leaves->large);
  grid->memory.free_one(leaves->large_before);
  leaves->large = nullptr;
  leaves->large_before = nullptr;
  TSR_STEP(tsr_grid_list_leaves(grid, leaves, error));
  leaves->large = leaves->nodes;
  leaves->n_large = leaves->n;
  leaves->nodes = nullptr;
  TSR_STEP(grid->memory.get(&leaves->large_before, leaves->n_large + 1, "the cells", error));
  TSR_CUDA(cudaMemsetAsync(leaves->of_level, 0, levels * sizeof *leaves->of_level, grid->stream),
           "counting the cells");
  if (leaves->n_large > 0)
    count_kernel<<<tsr_blocks(leaves->n_large, block), block, 0, grid->stream>>>(
        args_of(grid, *leaves));
  TSR_CUDA(cudaGetLastError(), "counting the cells");
  TSR_STEP(
      tsr_scan_counts(leaves->large_before, leaves->n_large, &grid->memory, grid->stream, error));
  return tsr_grid_read_counts(grid, leaves, counts, error);
}

tsr_status tsr_grid_list_part_leaves(tsr_grid_device *grid, tsr_leaf_list *leaves,
                                     tsr_error *error) {
  TSR_STEP(grid->memory.get(&leaves->nodes, leaves->n, "the cells", error));
  TSR_CUDA(tsr_launch_each<list_parts>(leaves->n_large, grid->stream, args_of(grid, *leaves)),
           "listing the cells");
  TSR_CUDA(tsr_launch_each<move_unit>(leaves->n_units + 1, grid->stream, leaves->large_before,
                                      leaves->unit_first),
           "listing the cells");
  return TSR_OK;
}
