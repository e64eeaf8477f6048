// SPDX-License-Identifier: BSD-3-Clause
// The interpolation error, of every node: a thread, a warp or a block looks for a point that is too
// far from the interpolant. Any such point decides, so the order does not matter.
#include "cuda/grid/criteria/far.cuh"

namespace {

const int block = 256;

struct error_args {
  const tsr_grid_frame *frame;
  tsr_rule rule;
  int level;
};

template <int GROUP>
__global__ void __launch_bounds__(block) error_kernel(error_args args, int64_t n_nodes) {
  const tsr_grid_frame &f = *args.frame;
  const int64_t n = ((int64_t)blockIdx.x * block + threadIdx.x) / GROUP;
  const int lane = threadIdx.x % GROUP;
  int64_t i[3];
  if (n >= n_nodes)
    return;
  tsr_node_in(f.range[args.level], n, i);
  if (f.hidden) {
    int64_t c[3], cells[2];
    for (int a = 0; a < 3; ++a) {
      tsr_node_cells(&f.lattice, a, args.level, i[a], cells);
      c[a] = cells[0];
    }
    if (f.hidden[tsr_cell_at(&f.lattice, c)])
      return;
  }
  if (tsr_node_is_far<GROUP>(f, args.rule, args.level, i, lane) && lane == 0) {
    const int64_t at = tsr_tree_dense_at(&f.tree, args.level, i);
    uint8_t *byte = f.tree.dense[args.level] + at;
    const unsigned shift = 8 * (unsigned)((uintptr_t)byte % 4);
    atomicOr((unsigned *)((uintptr_t)byte & ~(uintptr_t)3), (1u << tsr_child_number(i)) << shift);
  }
}

} // namespace

tsr_status tsr_mark_by_error_nodes(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  for (int level = 0; level < lattice.coarsen && level < lattice.levels; ++level) {
    const error_args args = {grid->frame_d, rule, level};
    const int64_t n = tsr_range_nodes(grid->frame, level);
    if (rule.max_level >= 0 && level >= rule.max_level)
      break;
    const int size = (lattice.coarsen - level) * lattice.dimension; // 2 to the power of it
    if (size <= 6)
      error_kernel<1><<<tsr_blocks(n, block), block, 0, grid->stream>>>(args, n);
    else if (size > 12)
      error_kernel<block><<<tsr_blocks(n * block, block), block, 0, grid->stream>>>(args, n);
    else
      error_kernel<32><<<tsr_blocks(n * 32, block), block, 0, grid->stream>>>(args, n);
    TSR_CUDA(cudaGetLastError(), "evaluating the interpolation error");
  }
  return TSR_OK;
}
