// SPDX-License-Identifier: BSD-3-Clause
// Points of a whole plan and the values of point arrays: tuples of the input and, at the centres of
// cut leaves, means of the corners.
#include "cuda/common/executor.cuh"
#include "cuda/grid/output/fill.cuh"
#include "cuda/grid/output/values/values.cuh"

namespace {

struct centre_args {
  const tsr_grid_frame *frame;
  const tsr_grid_node *nodes;
  const int32_t *list;
  int64_t n_points;
  const int64_t *centre;
  int64_t leaves[2]; // only these are looked at
};

// Lattice places of the corners of cut leaf `number`, if it has a centre: that point's number, or
// -1.
__device__ int64_t centre_of(const centre_args &args, int64_t number, int64_t corner[8][3]) {
  const tsr_lattice &lattice = args.frame->lattice;
  const int32_t n = args.list[number];
  int64_t i[3], range[3][2];
  if (n < args.leaves[0] || n >= args.leaves[1] || args.centre[n + 1] == args.centre[n])
    return -1;
  tsr_node_inner(&lattice, &args.nodes[n], i);
  for (int a = 0; a < 3; ++a)
    tsr_node_lattice(&lattice, a, args.nodes[n].level, i[a], range[a]);
  for (int k = 0; k < 8; ++k)
    for (int a = 0; a < 3; ++a)
      corner[k][a] = range[a][(k >> a) & 1];
  return args.n_points + args.centre[n];
}

__device__ void put_position(void *to, tsr_type type, int64_t id, const double x[3]) {
  tsr_store((char *)to + (size_t)(3 * id) * (type == TSR_FLOAT ? 4 : 8), type, 1, x, 3);
}

__device__ void place_centre(int64_t number, const centre_args &args, const tsr_space &space,
                             void *to, tsr_type type) {
  const int count = 1 << args.frame->lattice.dimension;
  int64_t corner[8][3];
  double x[3] = {0.0, 0.0, 0.0}, y[3];
  const int64_t id = centre_of(args, number, corner);
  if (id < 0)
    return;
  for (int k = 0; k < count; ++k) {
    tsr_lattice_position(&args.frame->lattice, &space, corner[k], y);
    for (int c = 0; c < 3; ++c)
      x[c] += y[c] / (double)count;
  }
  put_position(to, type, id, x);
}

// Tuples of the input points of a slab's share, value by value: T has the size of the array's type.
template <class T>
__device__ void copy_point(int64_t k, const tsr_grid_frame *frame, const uint64_t *places,
                           const T *from, int components, const tsr_share &of, T *to) {
  int64_t p[3];
  const int64_t id = components == 1 ? k : k / components;
  tsr_place_unpack(places[id], p);
  if (!tsr_shares_point(*frame, of, p))
    return;
  to[k] = from[tsr_point_at(&frame->lattice, p) * components + (k - id * components)];
}

__device__ void value_centre(int64_t number, const centre_args &args, const tsr_array &array,
                             void *to) {
  const int count = 1 << args.frame->lattice.dimension;
  int64_t corner[8][3];
  const int64_t id = centre_of(args, number, corner);
  for (int c = 0; c < array.components && id >= 0; ++c) {
    double sum = 0.0;
    for (int k = 0; k < count; ++k) {
      tsr_corners corners;
      tsr_lattice_corners(&args.frame->lattice, corner[k], &corners);
      sum += tsr_corners_value(&corners, &array, c);
    }
    sum /= (double)count;
    tsr_store((char *)to + (size_t)(id * array.components + c) * tsr_value_bytes(array.type),
              array.type, 1, &sum, 1);
  }
}

centre_args centres(const tsr_grid_device *grid, const tsr_plan_lists &lists,
                    const int64_t leaves[2]) {
  const tsr_cut_list &cuts = lists.cuts;
  return {grid->frame_d,  lists.leaves.nodes, cuts.list,
          lists.points.n, cuts.centre,        {leaves[0], leaves[1]}};
}

template <class T>
cudaError_t copy_points(const tsr_grid_device *grid, const tsr_point_list &points,
                        const tsr_share &of, const tsr_array &array, void *to) {
  return tsr_launch_each<copy_point<T>>(points.n * array.components, grid->stream, grid->frame_d,
                                        points.places, (const T *)array.data, array.components, of,
                                        (T *)to);
}

} // namespace

tsr_status tsr_grid_place_points(tsr_grid_device *grid, const tsr_plan_lists &lists,
                                 const tsr_space &space, void *to, tsr_type type,
                                 tsr_error *error) {
  const int64_t all[2] = {0, lists.leaves.n};
  TSR_STEP(tsr_grid_place_listed(grid, lists.points, space, to, type, error));
  if (lists.cuts.centres > 0)
    TSR_CUDA(tsr_launch_each<place_centre>(lists.cuts.n, grid->stream, centres(grid, lists, all),
                                           space, to, type),
             "placing the centres of cells");
  return TSR_OK;
}

tsr_status tsr_grid_copy_points(tsr_grid_device *grid, const tsr_plan_lists &lists,
                                const tsr_share &of, const tsr_array &array, void *to,
                                tsr_error *error) {
  const size_t size = tsr_value_bytes(array.type);
  if (tsr_is_deep(grid->frame.lattice))
    TSR_STEP(tsr_grid_point_values(grid, lists.points, array, of, to, nullptr, error));
  else
    TSR_CUDA(size == 1   ? copy_points<uint8_t>(grid, lists.points, of, array, to)
             : size == 2 ? copy_points<uint16_t>(grid, lists.points, of, array, to)
             : size == 4 ? copy_points<uint32_t>(grid, lists.points, of, array, to)
                         : copy_points<uint64_t>(grid, lists.points, of, array, to),
             "copying the points' values");
  if (lists.cuts.centres > 0)
    TSR_CUDA(tsr_launch_each<value_centre>(lists.cuts.n, grid->stream,
                                           centres(grid, lists, of.leaves), array, to),
             "taking the values at the centres of cells");
  return TSR_OK;
}
