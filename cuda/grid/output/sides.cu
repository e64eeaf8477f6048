// SPDX-License-Identifier: BSD-3-Clause
// Leaves of a whole plan as polygons, with all points that lie on their sides. Threads have a leaf,
// and go around it together.
#include "cuda/grid/output/fill.cuh"

#include "grid/output/side_math.h"

namespace {

const int block = 128, group = 8; // threads of a leaf: most have few places

struct side_args {
  const tsr_grid_frame *frame;
  const tsr_grid_node *nodes;
  int64_t n;
  tsr_grid_points points;
  int64_t *entry; // n + 1
  tsr_grid_shapes to;
};

// Goes around the leaf of a group of threads, which has `sides`: put(k, id) for the k-th point.
// Returns how many there are. The whole warp calls it.
template <class Put>
__device__ int64_t go_around(const side_args &args, const tsr_grid_sides &sides, Put put) {
  const unsigned lane = threadIdx.x % group, shift = threadIdx.x % 32 - lane;
  int64_t count = 0, x[3];
  for (int64_t k = lane; __any_sync(0xffffffffu, k < sides.n); k += group) {
    int64_t id = -1;
    if (k < sides.n) {
      tsr_sides_place(&sides, k, x);
      id = tsr_point_id(&args.frame->lattice, &args.points, x);
    }
    const unsigned all = __ballot_sync(0xffffffffu, id >= 0) >> shift & ((1u << group) - 1);
    if (id >= 0)
      put(count + __popc(all & ((1u << lane) - 1)), id);
    count += __popc(all);
  }
  return count;
}

// The leaf of a group of threads; none has no places.
__device__ tsr_grid_sides sides_of(const side_args &args, int64_t n) {
  tsr_grid_sides sides = {};
  int64_t i[3];
  if (n >= args.n)
    return sides;
  tsr_leaf_index(args.frame->lattice, args.nodes[n], i);
  tsr_sides_set(&args.frame->lattice, args.nodes[n].level, i, &sides);
  return sides;
}

__global__ void __launch_bounds__(block) count_kernel(side_args args) {
  const int64_t n = ((int64_t)blockIdx.x * block + threadIdx.x) / group;
  const int64_t count = go_around(args, sides_of(args, n), [](int64_t, int64_t) {});
  if (n < args.n && threadIdx.x % group == 0)
    args.entry[n] = count;
}

__global__ void __launch_bounds__(block) fill_kernel(side_args args) {
  const int64_t n = ((int64_t)blockIdx.x * block + threadIdx.x) / group;
  const tsr_grid_shapes &to = args.to;
  const int64_t first = n < args.n ? args.entry[n] : 0;
  if (n < args.n && threadIdx.x % group == 0) {
    if (to.offsets)
      tsr_store_index(to.offsets, to.index_type, n, first);
    if (to.cell_type)
      to.cell_type[n] = to.type_of[TSR_GRID_CELL_LEAF];
  }
  if (to.connectivity)
    (void)go_around(args, sides_of(args, n), [&](int64_t k, int64_t id) {
      tsr_store_index(to.connectivity, to.index_type, first + k, id);
    });
}

side_args args_of(const tsr_grid_device *grid, const tsr_leaf_list &leaves,
                  const tsr_point_list &points, int64_t *entry, const tsr_grid_shapes &to) {
  return {grid->frame_d, leaves.nodes, leaves.n, points.bits, entry, to};
}

} // namespace

tsr_status tsr_grid_count_sides(tsr_grid_device *grid, const tsr_leaf_list &leaves,
                                const tsr_point_list &points, tsr_cut_list *cuts,
                                tsr_grid_counts *counts, tsr_error *error) {
  const int64_t n = leaves.n;
  TSR_STEP(grid->memory.get(&cuts->entry, n + 1, "the polygons", error));
  if (n > 0)
    count_kernel<<<tsr_blocks(n, block / group), block, 0, grid->stream>>>(
        args_of(grid, leaves, points, cuts->entry, {}));
  TSR_CUDA(cudaGetLastError(), "counting the sides of polygons");
  return tsr_grid_sum(grid, cuts->entry, n, &counts->connectivity, "counting the sides of polygons",
                      error);
}

tsr_status tsr_grid_fill_sides(tsr_grid_device *grid, const tsr_plan_lists &lists,
                               const tsr_grid_shapes &to, tsr_error *error) {
  const int64_t n = lists.leaves.n;
  if (n > 0)
    fill_kernel<<<tsr_blocks(n, block / group), block, 0, grid->stream>>>(
        args_of(grid, lists.leaves, lists.points, lists.cuts.entry, to));
  TSR_CUDA(cudaGetLastError(), "making the polygons");
  return TSR_OK;
}
