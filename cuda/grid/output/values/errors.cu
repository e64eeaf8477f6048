// SPDX-License-Identifier: BSD-3-Clause
// A warp or a block has a leaf. What others have found already spares most points the double
// precision: an estimate tells that they are below it. Where nearly all nodes of 8 cubed cells are
// leaves, a bound for each of them comes first, and only those are looked at that may have the
// largest error.
#include "cuda/grid/output/values/errors.cuh"

#include "cuda/common/warp.cuh"
#include "cuda/grid/criteria/dense.cuh"

namespace {

const int block = 128;
const unsigned large_share = 8; // blocks that share out a large leaf

__device__ __forceinline__ double larger(double most, double e) {
  return e > most && tsr_finite(e) ? e : most;
}

// A field with other values at the corners than the array's. In single precision they are off by
// one rounding more, which tsr_slack has room for.
template <class T> struct held_field : tsr_corner_field<T> { double held[8]; };

template <class T>
__device__ double difference(const tsr_corner_field<T> &f, int size, int x, int y, int z, T value) {
  return tsr_difference(f, size, x, y, z, value);
}

template <class T>
__device__ double difference(const held_field<T> &f, int size, int x, int y, int z, T value) {
  const double t[3] = {(double)x / (double)size, (double)y / (double)size,
                       (double)z / (double)size};
  return fabs((double)value - tsr_multilinear(3, f.held, t));
}

__device__ __forceinline__ void get_field(const tsr_error_args &args, const int64_t i[3], int size,
                                          tsr_corner_field<float> *f) {
  *f = tsr_field_of((const float *)args.origin, args.step, i, size);
}

__device__ __forceinline__ void get_field(const tsr_error_args &args, const int64_t i[3], int size,
                                          tsr_corner_field<double> *f) {
  *f = tsr_field_of((const double *)args.origin, args.step, i, size);
}

template <class T>
__device__ __forceinline__ void get_field(const tsr_error_args &args, const int64_t i[3], int size,
                                          held_field<T> *f) {
  (tsr_corner_field<T> &)*f = tsr_field_of((const T *)args.origin, args.step, i, size);
  tsr_numbered_corners(*args.frame, args.points, args.values, args.level, i, f->held);
  f->most = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    f->corner[k] = (T)f->held[k];
    f->most = fmaxf(f->most, fabsf((float)f->held[k]));
  }
}

// The largest error of a column of points, or `most`. The last argument tells the type of values.
template <int SIZE, class Field>
__device__ __forceinline__ double column_error(const tsr_error_args &args, const Field &f, int size,
                                               int x, int y, double most, const float *) {
  float enough = __double2float_rd(most);
  const auto look = [&](int z, float value, float e) {
    if (e + tsr_slack(f.most, value) < enough)
      return;
    most = larger(most, difference(f, size, x, y, z, value));
    enough = __double2float_rd(most);
  };
  tsr_visit_column<SIZE>(f, args.step, size, x, y, look);
  return most;
}

template <int SIZE, class Field>
__device__ __forceinline__ double column_error(const tsr_error_args &args, const Field &f, int size,
                                               int x, int y, double most, const double *) {
  for (int z = 0; z <= size; ++z)
    most = larger(most, difference(f, size, x, y, z,
                                   f.at[(x * args.step[0] + y * args.step[1]) + z * args.step[2]]));
  return most;
}

// The points of a leaf that the box cuts, by n threads.
__device__ double clipped_error(const tsr_error_args &args, const int64_t i[3], int lane, int n,
                                double most) {
  const tsr_grid_frame &f = *args.frame;
  int64_t first[3], last[3];
  double corner[8], t[3];
  tsr_node_points(&f.lattice, args.level, i, first, last);
  if (args.values)
    tsr_numbered_corners(f, args.points, args.values, args.level, i, corner);
  else
    tsr_node_corner_values(&f.lattice, &args.array, 0, args.level, i, corner);
  const int64_t nx = last[0] - first[0] + 1, ny = last[1] - first[1] + 1;
  for (int64_t k = lane; k < nx * ny * (last[2] - first[2] + 1); k += n) {
    const int64_t p[3] = {first[0] + k % nx, first[1] + k / nx % ny, first[2] + k / nx / ny};
    for (int a = 0; a < 3; ++a)
      t[a] = tsr_axis_parameter(&f.space, &f.lattice, a, first[a], last[a], p[a]);
    most = larger(most, fabs(tsr_load(&args.array, tsr_point_at(&f.lattice, p)) -
                             tsr_multilinear(3, corner, t)));
  }
  return most;
}

// A thread has every so many columns. SIZE 0: of any size, by the blocks of a column of the grid.
template <class Field, int SIZE>
__device__ double leaf_error(const tsr_error_args &args, const int64_t i[3], int lane,
                             double most) {
  const int size = SIZE > 0 ? SIZE : 1 << (args.frame->lattice.coarsen - args.level), n = size + 1;
  Field f;
  get_field(args, i, size, &f);
  const int step = SIZE > 0 ? 32 : block * (int)gridDim.y;
  for (int k = lane + (SIZE > 0 ? 0 : block * (int)blockIdx.y); k < n * n; k += step)
    most = column_error<SIZE>(args, f, size, k % n, k / n, most, f.at);
  return most;
}

template <class Field, int SIZE>
__global__ void __launch_bounds__(block) error_kernel(tsr_error_args args) {
  const int group = SIZE > 0 ? 32 : block, lane = threadIdx.x % group;
  const int64_t groups = (int64_t)gridDim.x * (block / group);
  double most = 0.0;
  for (int64_t k = ((int64_t)blockIdx.x * block + threadIdx.x) / group; k < args.n; k += groups) {
    const int32_t leaf = args.list[k];
    int64_t i[3];
    if (leaf < args.leaves[0] || leaf >= args.leaves[1] || (args.cut && args.cut[leaf]))
      continue;
    const double found = __longlong_as_double((long long)*(volatile unsigned long long *)args.most);
    most = found > most ? found : most;
    tsr_node_inner(&args.frame->lattice, &args.nodes[leaf], i);
    most =
        tsr_node_sticks_out(&args.frame->lattice, args.level, i)
            ? clipped_error(args, i, lane + group * (int)blockIdx.y, group * (int)gridDim.y, most)
            : leaf_error<Field, SIZE>(args, i, lane, most);
    most = tsr_warp_most(most);
    if (threadIdx.x % 32 == 0 && most > found)
      atomicMax(args.most, (unsigned long long)__double_as_longlong(most));
  }
}

// 1 if a node is a leaf that is to be looked at.
__device__ int is_leaf(const tsr_error_args &args, const int64_t i[3]) {
  const tsr_grid_frame &f = *args.frame;
  const int64_t parent[3] = {i[0] >> 1, i[1] >> 1, i[2] >> 1};
  tsr_cut cut;
  return !tsr_bit_in(f, f.tree.dense[0], args.level, i) &&
         (args.level == 0 || tsr_bit_in(f, f.tree.dense[0], args.level - 1, parent)) &&
         !tsr_frame_hides(f, args.level, i) && !(args.cut && tsr_frame_cut(f, args.level, i, &cut));
}

// A bound for the errors of each node of a level, -1 for those that are no leaves; and what the
// largest error is at least.
struct bound_list {
  float *of;
  unsigned *least; // bits of a float
};

__global__ void __launch_bounds__(block)
    leaf_kernel(tsr_error_args args, const tsr_dense_bound *all, bound_list bounds, int64_t nodes) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  int64_t i[3];
  if (n >= nodes)
    return;
  const tsr_dense_bound bound = all[n];
  tsr_node_in_small(args.frame->range[args.level], (unsigned)n, i);
  const int leaf = is_leaf(args, i);
  const float least = bound.far - 2.0f * bound.slack; // of numbers: both are
  bounds.of[n] = leaf ? bound.far : -1.0f;
  if (leaf && least > 0.0f && bound.far < 1e37f &&
      __float_as_uint(least) > *(volatile unsigned *)bounds.least)
    atomicMax(bounds.least, __float_as_uint(least));
}

// A lane has a node, and its warp looks at those that may have the largest error.
__global__ void __launch_bounds__(block)
    largest_kernel(tsr_error_args args, bound_list bounds, int64_t nodes) {
  const tsr_grid_frame &f = *args.frame;
  const int64_t mine = (int64_t)blockIdx.x * block + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const float least = __uint_as_float(*bounds.least);
  unsigned left = __ballot_sync(0xffffffffu, mine < nodes && !(bounds.of[mine] < least));
  double most = (double)least;
  if (!left)
    return;
  for (; left; left &= left - 1) {
    int64_t i[3];
    tsr_node_in_small(f.range[args.level], (unsigned)(mine - lane + __ffs((int)left) - 1), i);
    most = tsr_node_sticks_out(&f.lattice, args.level, i)
               ? clipped_error(args, i, lane, 32, most)
               : leaf_error<tsr_corner_field<float>, 8>(args, i, lane, most);
  }
  tsr_warp_raise(args.most, most);
}

template <class Field> void start(const tsr_error_args &args, int by, cudaStream_t stream) {
  const int64_t groups = by > 3 ? args.n : (args.n + block / 32 - 1) / (block / 32);
  const unsigned blocks = (unsigned)(groups < 132 * 64 ? groups : 132 * 64);
  if (by == 1)
    error_kernel<Field, 2><<<blocks, block, 0, stream>>>(args);
  else if (by == 2)
    error_kernel<Field, 4><<<blocks, block, 0, stream>>>(args);
  else if (by == 3)
    error_kernel<Field, 8><<<blocks, block, 0, stream>>>(args);
  else
    error_kernel<Field, 0><<<dim3(blocks, large_share), block, 0, stream>>>(args);
}

tsr_status start_dense(tsr_grid_device *grid, const tsr_error_args &args, int64_t nodes,
                       tsr_error *error) {
  const tsr_dense_bound *all;
  bound_list bounds;
  TSR_STEP(tsr_dense_bounds(grid, args.array, args.level, &all, error));
  TSR_STEP(grid->memory.get(&bounds.of, nodes, "the errors", error));
  TSR_STEP(grid->memory.get(&bounds.least, 1, "the errors", error));
  TSR_CUDA(cudaMemsetAsync(bounds.least, 0, sizeof *bounds.least, grid->stream),
           "measuring the errors");
  leaf_kernel<<<tsr_blocks(nodes, block), block, 0, grid->stream>>>(args, all, bounds, nodes);
  TSR_CUDA(cudaGetLastError(), "measuring the errors");
  largest_kernel<<<tsr_blocks(nodes, block), block, 0, grid->stream>>>(args, bounds, nodes);
  TSR_CUDA(cudaGetLastError(), "measuring the errors");
  grid->memory.free_one(bounds.of);
  grid->memory.free_one(bounds.least);
  return TSR_OK;
}

} // namespace

int tsr_errors_are_plain(const tsr_grid_frame &frame, const tsr_array &array) {
  return frame.lattice.dimension == 3 && frame.lattice.coarsen <= 10 && array.components == 1 &&
         (array.type == TSR_FLOAT || array.type == TSR_DOUBLE) &&
         frame.space.geometry != TSR_GEOMETRY_RECTILINEAR;
}

tsr_status tsr_errors_start(tsr_grid_device *grid, const tsr_error_args &args, tsr_error *error) {
  const int by = grid->frame.lattice.coarsen - args.level;
  const int64_t nodes = tsr_range_nodes(grid->frame, args.level);
  if (by == 3 && args.array.type == TSR_FLOAT && !args.values && grid->slabs.frames.empty() &&
      2 * args.n > nodes && tsr_dense_fits(grid->frame, args.level))
    return start_dense(grid, args, nodes, error);
  if (args.values && args.array.type == TSR_FLOAT)
    start<held_field<float>>(args, by, grid->stream);
  else if (args.values)
    start<held_field<double>>(args, by, grid->stream);
  else if (args.array.type == TSR_FLOAT)
    start<tsr_corner_field<float>>(args, by, grid->stream);
  else
    start<tsr_corner_field<double>>(args, by, grid->stream);
  TSR_CUDA(cudaGetLastError(), "measuring the errors");
  return TSR_OK;
}
