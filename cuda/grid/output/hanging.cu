// SPDX-License-Identifier: BSD-3-Clause
// Points that hang on coarser leaves, and their values where these are constrained. A leaf's
// corners hang, if at all, on coarser leaves than it: so points that hang on the coarsest leaves
// come first, and each level finds the values that it needs made.
#include "cuda/common/executor.cuh"
#include "cuda/common/warp.cuh"
#include "cuda/grid/output/fill.cuh"
#include "cuda/grid/output/values/errors.cuh"
#include "cuda/grid/output/values/values.cuh"
#include "grid/output/hang_math.h"

namespace {

const int block = 128;

struct hang_args {
  const tsr_grid_frame *frame;
  const uint64_t *places; // of the points
  tsr_hangs hangs;
};

struct value_args {
  hang_args points;
  tsr_grid_points bits;
  int components, level; // of the leaves that points hang on
  double *values;
  void *to; // NULL: not wanted
  tsr_type type;
};

struct error_args {
  const tsr_grid_frame *frame;
  const tsr_grid_node *nodes;
  int64_t leaves[2];
  int first, last; // levels of those
  tsr_grid_points points;
  tsr_array array;
  const double *values;
  unsigned long long *most;
};

__device__ void find_leaf(int64_t id, const hang_args &args) {
  const tsr_grid_frame &f = *args.frame;
  int64_t x[3], node[3] = {0, 0, 0};
  int level;
  tsr_place_unpack(args.places[id], x);
  const int hangs = tsr_hangs_on(&f.lattice, &f.tree, f.hidden, x, &level, node);
  args.hangs.level[id] = (int8_t)(hangs ? level : -1);
  args.hangs.node[id] = tsr_place_pack(node);
}

__device__ void tell_point(int64_t id, const int8_t *level, uint8_t *to) {
  to[id] = level[id] >= 0;
}

__device__ void constrain_point(int64_t id, const value_args &args) {
  const tsr_grid_frame &f = *args.points.frame;
  int64_t x[3], node[3], corner[8][3], ids[8];
  double weight[8];
  if (args.points.hangs.level[id] != args.level)
    return;
  tsr_place_unpack(args.points.places[id], x);
  tsr_place_unpack(args.points.hangs.node[id], node);
  const int corners = tsr_hang_corners(&f.space, &f.lattice, x, args.level, node, corner, weight);
  for (int k = 0; k < corners; ++k)
    ids[k] = weight[k] != 0.0 ? tsr_point_id(&f.lattice, &args.bits, corner[k]) : -1;
  for (int c = 0; c < args.components; ++c) {
    const int64_t at = id * args.components + c;
    double sum = 0.0;
    for (int k = 0; k < corners; ++k)
      if (ids[k] >= 0)
        sum += weight[k] * args.values[ids[k] * args.components + c];
    args.values[at] = sum;
    if (args.to)
      tsr_store((char *)args.to + (size_t)at * tsr_value_bytes(args.type), args.type, 1, &sum, 1);
  }
}

// GROUP threads have a leaf.
template <int GROUP> __global__ void __launch_bounds__(block) error_kernel(error_args args) {
  const int lane = (int)threadIdx.x % GROUP, components = args.array.components;
  const int64_t n = args.leaves[0] + ((int64_t)blockIdx.x * block + threadIdx.x) / GROUP;
  const tsr_lattice &lattice = args.frame->lattice;
  int64_t i[3], first[3], last[3], range[3][2], ids[8], count = 0;
  double all = 0.0;
  if (n < args.leaves[1] && args.nodes[n].level >= args.first && args.nodes[n].level <= args.last) {
    tsr_node_inner(&lattice, &args.nodes[n], i);
    tsr_node_points(&lattice, args.nodes[n].level, i, first, last);
    count = 1;
    for (int a = 0; a < 3; ++a) {
      count *= last[a] - first[a] + 1;
      tsr_node_lattice(&lattice, a, args.nodes[n].level, i[a], range[a]);
    }
    for (int k = 0; k < 1 << lattice.dimension; ++k) {
      const int64_t x[3] = {range[0][k & 1], range[1][k >> 1 & 1], range[2][k >> 2 & 1]};
      ids[k] = tsr_point_id(&args.frame->lattice, &args.points, x);
    }
  }
  for (int c = 0; c < components && count > 0; ++c) {
    const int64_t nx = last[0] - first[0] + 1, ny = last[1] - first[1] + 1;
    double v[8] = {0.0};
    for (int k = 0; k < 1 << lattice.dimension; ++k)
      v[k] = args.values[ids[k] * components + c];
    for (int64_t k = lane; k < count; k += GROUP) {
      const int64_t p[3] = {first[0] + k % nx, first[1] + k / nx % ny, first[2] + k / nx / ny};
      double t[3];
      for (int a = 0; a < 3; ++a)
        t[a] = tsr_axis_parameter(&args.frame->space, &lattice, a, first[a], last[a], p[a]);
      const double e = fabs(tsr_load(&args.array, tsr_point_at(&lattice, p) * components + c) -
                            tsr_multilinear(lattice.dimension, v, t));
      all = e > all && tsr_finite(e) ? e : all;
    }
  }
  tsr_warp_raise(args.most, all);
}

template <int GROUP> void start_errors(const error_args &args, cudaStream_t stream) {
  const int64_t n = args.leaves[1] - args.leaves[0];
  if (n > 0 && args.first <= args.last)
    error_kernel<GROUP><<<tsr_blocks(n, block / GROUP), block, 0, stream>>>(args);
}

} // namespace

tsr_status tsr_grid_find_hanging(tsr_grid_device *grid, const tsr_point_list &points,
                                 tsr_memory *memory, tsr_hangs *hangs, tsr_error *error) {
  TSR_STEP(memory->get(&hangs->level, points.n, "the points that hang", error));
  TSR_STEP(memory->get(&hangs->node, points.n, "the points that hang", error));
  const hang_args args = {grid->frame_d, points.places, *hangs};
  TSR_CUDA(tsr_launch_each<find_leaf>(points.n, grid->stream, args),
           "looking for points that hang");
  return TSR_OK;
}

tsr_status tsr_grid_tell_hanging(tsr_grid_device *grid, const tsr_hangs &hangs, int64_t n,
                                 uint8_t *to, tsr_error *error) {
  TSR_CUDA(tsr_launch_each<tell_point>(n, grid->stream, hangs.level, to),
           "looking for points that hang");
  return TSR_OK;
}

tsr_status tsr_grid_hang_values(tsr_grid_device *grid, const tsr_point_list &points,
                                const tsr_hangs &hangs, const tsr_array &array, double *values,
                                void *to, tsr_type type, tsr_error *error) {
  value_args args = {
      {grid->frame_d, points.places, hangs}, points.bits, array.components, 0, values, to, type};
  for (; args.level < grid->frame.lattice.levels; ++args.level) {
    TSR_CUDA(tsr_launch_each<constrain_point>(points.n, grid->stream, args),
             "constraining the points that hang");
  }
  return TSR_OK;
}

tsr_status tsr_grid_hang_errors(tsr_grid_device *grid, const tsr_plan_lists &lists,
                                const tsr_grid_counts &counts, const tsr_measuring &what,
                                const double *values, tsr_error *error) {
  const int coarsen = grid->frame.lattice.coarsen;
  error_args args = {grid->frame_d,
                     lists.leaves.nodes,
                     {what.leaves[0], what.leaves[1]},
                     coarsen,
                     coarsen,
                     lists.points.bits,
                     what.array,
                     values,
                     what.most};
  start_errors<1>(args, grid->stream); // no input point is within smaller leaves
  TSR_CUDA(cudaGetLastError(), "measuring the errors of constrained cells");
  if (tsr_errors_are_plain(grid->frame, what.array))
    return tsr_grid_measure_leaves(grid, &lists, counts.of_level, what, values, error);
  args.first = 0;
  args.last = coarsen - 1;
  start_errors<32>(args, grid->stream);
  TSR_CUDA(cudaGetLastError(), "measuring the errors of constrained cells");
  return TSR_OK;
}
