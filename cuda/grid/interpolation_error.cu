// SPDX-License-Identifier: BSD-3-Clause
// The interpolation error, of every node: a thread, a warp or a block looks for a point that is too
// far from the interpolant. Any such point decides, so the order does not matter.
#include "cuda/grid/plan.cuh"

namespace {

const int block = 256;

// Points that a thread looks at before it asks the others of its group.
template <int GROUP> constexpr unsigned tsr_error_share = GROUP == 1 ? 125 : 16;

struct error_job {
  const tsr_grid_frame *frame;
  tsr_rule rule;
  int level;
};

// 1 if this thread found a point of the node above the threshold, or not finite, among the next
// ones from number `begin` on: a share for each thread of the group.
template <int GROUP>
__device__ int far_point(const tsr_grid_frame &f, const tsr_rule &rule, int component,
                         const int64_t first[3], const int64_t last[3], const double corner[8],
                         int64_t begin, int lane) {
  const double rounding = tsr_corners_rounding(f.lattice.dimension, corner);
  // Each axis has fewer than 2^31 points, but a node can have more rows than 32 bits can count.
  const unsigned nx = (unsigned)(last[0] - first[0] + 1), ny = (unsigned)(last[1] - first[1] + 1);
  const unsigned nz = (unsigned)(last[2] - first[2] + 1);
  const int64_t rows_before = begin / nx;
  const unsigned first_x = (unsigned)(begin % nx);
  const unsigned first_y = (unsigned)(rows_before % ny), first_z = (unsigned)(rows_before / ny);
  for (unsigned k = (unsigned)lane; k < tsr_error_share<GROUP> * GROUP; k += GROUP) {
    const unsigned y = first_y + (first_x + k) / nx, z = first_z + y / ny;
    if (z >= nz)
      return 0;
    const int64_t p[3] = {first[0] + (first_x + k) % nx, first[1] + y % ny, first[2] + z};
    double t[3];
    for (int a = 0; a < 3; ++a)
      t[a] = tsr_axis_parameter(&f.space, &f.lattice, a, first[a], last[a], p[a]);
    const double e = fabs(
        tsr_load(&rule.array, tsr_point_at(&f.lattice, p) * rule.array.components + component) -
        tsr_multilinear(f.lattice.dimension, corner, t));
    if (!tsr_finite(e) || (e > rule.threshold && e > rounding))
      return 1;
  }
  return 0;
}

// 1 in every thread if any of the group found one.
template <int GROUP> __device__ int any_of(int found) {
  return GROUP == 1    ? found
         : GROUP == 32 ? __any_sync(0xffffffffu, found)
                       : __syncthreads_or(found);
}

template <int GROUP>
__device__ int node_is_far(const tsr_grid_frame &f, const tsr_rule &rule, int level,
                           const int64_t i[3], int lane) {
  int64_t first[3], last[3], points = 1;
  tsr_node_points(&f.lattice, level, i, first, last);
  for (int a = 0; a < 3; ++a)
    points *= last[a] - first[a] + 1;
  for (int c = 0; c < rule.array.components; ++c) {
    double corner[8];
    if (rule.component >= 0 && c != rule.component)
      continue;
    tsr_node_corner_values(&f.lattice, &rule.array, c, level, i, corner);
    for (int64_t begin = 0; begin < points; begin += tsr_error_share<GROUP> * GROUP)
      if (any_of<GROUP>(far_point<GROUP>(f, rule, c, first, last, corner, begin, lane)))
        return 1;
  }
  return 0;
}

template <int GROUP>
__global__ void __launch_bounds__(block) error_kernel(error_job job, int64_t n_nodes) {
  const tsr_grid_frame &f = *job.frame;
  const int64_t(*range)[2] = f.range[job.level];
  const int64_t n = ((int64_t)blockIdx.x * block + threadIdx.x) / GROUP;
  const int lane = threadIdx.x % GROUP;
  if (n >= n_nodes)
    return;
  const int64_t nx = range[0][1] - range[0][0], ny = range[1][1] - range[1][0];
  const int64_t i[3] = {range[0][0] + n % nx, range[1][0] + n / nx % ny, range[2][0] + n / nx / ny};
  if (f.hidden) {
    int64_t c[3], cells[2];
    for (int a = 0; a < 3; ++a) {
      tsr_node_cells(&f.lattice, a, job.level, i[a], cells);
      c[a] = cells[0];
    }
    if (f.hidden[tsr_cell_at(&f.lattice, c)])
      return;
  }
  if (node_is_far<GROUP>(f, job.rule, job.level, i, lane) && lane == 0) {
    const int64_t at = tsr_tree_dense_at(&f.tree, job.level, i);
    uint8_t *byte = f.tree.dense[job.level] + at;
    const unsigned shift = 8 * (unsigned)((uintptr_t)byte % 4);
    atomicOr((unsigned *)((uintptr_t)byte & ~(uintptr_t)3), (1u << tsr_child_number(i)) << shift);
  }
}

} // namespace

tsr_status tsr_grid_mark_errors(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  for (int level = 0; level < lattice.coarsen && level < lattice.levels; ++level) {
    const error_job job = {grid->frame_d, rule, level};
    const int64_t n = tsr_range_nodes(grid->frame, level);
    if (rule.max_level >= 0 && level >= rule.max_level)
      break;
    const int size = (lattice.coarsen - level) * lattice.dimension; // 2 to the power of it
    if (size <= 6)
      error_kernel<1><<<tsr_blocks(n, block), block, 0, grid->stream>>>(job, n);
    else if (size > 12)
      error_kernel<block><<<tsr_blocks(n * block, block), block, 0, grid->stream>>>(job, n);
    else
      error_kernel<32><<<tsr_blocks(n * 32, block), block, 0, grid->stream>>>(job, n);
    TSR_CUDA(cudaGetLastError(), "evaluating the interpolation error");
  }
  return TSR_OK;
}
