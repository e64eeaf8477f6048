// SPDX-License-Identifier: BSD-3-Clause
// The bounds of dense.cuh, one pass over all values. The criterion wants them, and so do the
// largest errors of the output; they do not depend on the threshold.
#include "cuda/grid/criteria/dense.cuh"

namespace {

// A node has its bound, whether anybody asks for it or not.
__global__ void __launch_bounds__(32 * tsr_dense_warps, 8)
    bound_kernel(const tsr_grid_frame *frame, tsr_dense_args args, tsr_dense_bound *bounds) {
  __shared__ tsr_dense_found found;
  const tsr_grid_frame &f = *frame;
  int64_t first[3], i[3];
  tsr_dense_bound bound;
  tsr_dense_first(f, args.level, first);
  tsr_dense_find(f, args, first, &found);
  __syncthreads();
  if (threadIdx.x < tsr_dense_nodes &&
      tsr_dense_node(f, args.level, first, found, (int)threadIdx.x, i, &bound.far, &bound.slack))
    bounds[tsr_number_in(f.range[args.level], i)] = bound;
}

// Changes by each number (FNV-1a); never 0.
uint64_t mix(uint64_t sum, int64_t number) {
  for (int byte = 0; byte < 8; ++byte)
    sum = (sum ^ (uint64_t)(number >> (8 * byte) & 255)) * 1099511628211ull;
  return sum ? sum : 1;
}

// All that bounds follow from but for the array's numbers.
uint64_t bounds_of_what(const tsr_grid_frame &f, int level) {
  uint64_t sum = 14695981039346656037ull;
  for (int a = 0; a < 3; ++a) {
    for (int end = 0; end < 2; ++end) {
      sum = mix(sum, f.range[level][a][end]);
      sum = mix(sum, f.lattice.held[a][end]);
    }
    sum = mix(sum, f.lattice.cells[a]);
    sum = mix(sum, f.lattice.point_step[a]);
  }
  return sum;
}

} // namespace

tsr_status tsr_dense_bounds(tsr_grid_device *grid, const tsr_array &array, int level,
                            const tsr_dense_bound **to, tsr_error *error) {
  const tsr_grid_frame &f = grid->frame;
  const int64_t nodes = tsr_range_nodes(f, level);
  const char *what = "the nodes to look at";
  tsr_dense_args args = {(const float *)tsr_field_origin(f.lattice, array), {0, 0, 0}, level};
  tsr_dense_bound *bounds = nullptr;
  bool made = false;
  if (grid->slabs.frames.empty())
    TSR_STEP(tsr_derive(grid, array.data, bounds_of_what(f, level), nodes * (int64_t)sizeof *bounds,
                        (void **)&bounds, &made, error));
  if (!bounds)
    TSR_STEP(grid->memory.get(&bounds, nodes, what, error));
  *to = bounds;
  if (made)
    return TSR_OK;
  for (int a = 0; a < 3; ++a)
    args.step[a] = f.lattice.point_step[a];
  bound_kernel<<<tsr_dense_blocks(f, level), 32 * tsr_dense_warps, 0, grid->stream>>>(grid->frame_d,
                                                                                      args, bounds);
  TSR_CUDA(cudaGetLastError(), "bounding the interpolation error");
  tsr_derive_made(grid, bounds);
  return TSR_OK;
}
