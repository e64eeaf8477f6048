// SPDX-License-Identifier: BSD-3-Clause
// A warp or a block has a leaf. What others have found already spares most points the double
// precision: an estimate tells that they are below it.
#include "cuda/grid/output/errors.cuh"

#include "cuda/grid/criteria/corner_field.cuh"

namespace {

const int block = 128;
const unsigned large_share = 8; // blocks that share out a large leaf

__device__ __forceinline__ double larger(double most, double e) {
  return e > most && tsr_finite(e) ? e : most;
}

// The largest error of a column of points, or `most`.
template <int SIZE>
__device__ __forceinline__ double column_error(const tsr_error_job &job,
                                               const tsr_corner_field<float> &f, int size, int x,
                                               int y, double most) {
  float enough = __double2float_rd(most);
  const auto look = [&](int z, float value, float e) {
    if (e + tsr_slack(f.most, value) < enough)
      return;
    most = larger(most, tsr_difference(f, size, x, y, z, value));
    enough = __double2float_rd(most);
  };
  tsr_visit_column<SIZE>(f, job.step, size, x, y, look);
  return most;
}

template <int SIZE>
__device__ __forceinline__ double column_error(const tsr_error_job &job,
                                               const tsr_corner_field<double> &f, int size, int x,
                                               int y, double most) {
  for (int z = 0; z <= size; ++z)
    most =
        larger(most, tsr_difference(f, size, x, y, z,
                                    f.at[(x * job.step[0] + y * job.step[1]) + z * job.step[2]]));
  return most;
}

// The points of a leaf that the box cuts, by n threads.
__device__ double clipped_error(const tsr_error_job &job, const int64_t i[3], int lane, int n,
                                double most) {
  const tsr_grid_frame &f = *job.frame;
  int64_t first[3], last[3];
  double corner[8], t[3];
  tsr_node_points(&f.lattice, job.level, i, first, last);
  tsr_node_corner_values(&f.lattice, &job.array, 0, job.level, i, corner);
  const int64_t nx = last[0] - first[0] + 1, ny = last[1] - first[1] + 1;
  for (int64_t k = lane; k < nx * ny * (last[2] - first[2] + 1); k += n) {
    const int64_t p[3] = {first[0] + k % nx, first[1] + k / nx % ny, first[2] + k / nx / ny};
    for (int a = 0; a < 3; ++a)
      t[a] = tsr_axis_parameter(&f.space, &f.lattice, a, first[a], last[a], p[a]);
    most = larger(most, fabs(tsr_load(&job.array, tsr_point_at(&f.lattice, p)) -
                             tsr_multilinear(3, corner, t)));
  }
  return most;
}

// A thread has every so many columns. SIZE 0: of any size, by the blocks of a column of the grid.
template <class T, int SIZE>
__device__ double leaf_error(const tsr_error_job &job, const int64_t i[3], int lane, double most) {
  const int size = SIZE > 0 ? SIZE : 1 << (job.frame->lattice.coarsen - job.level), n = size + 1;
  const tsr_corner_field<T> f = tsr_field_of((const T *)job.array.data, job.step, i, size);
  const int step = SIZE > 0 ? 32 : block * (int)gridDim.y;
  for (int k = lane + (SIZE > 0 ? 0 : block * (int)blockIdx.y); k < n * n; k += step)
    most = column_error<SIZE>(job, f, size, k % n, k / n, most);
  return most;
}

template <class T, int SIZE>
__global__ void __launch_bounds__(block) error_kernel(tsr_error_job job) {
  const int group = SIZE > 0 ? 32 : block, lane = threadIdx.x % group;
  const int64_t groups = (int64_t)gridDim.x * (block / group);
  double most = 0.0;
  for (int64_t k = ((int64_t)blockIdx.x * block + threadIdx.x) / group; k < job.n; k += groups) {
    const int32_t leaf = job.list[k];
    int64_t i[3];
    if (leaf < job.leaves[0] || leaf >= job.leaves[1] || (job.cut && job.cut[leaf]))
      continue;
    const double found = __longlong_as_double((long long)*(volatile unsigned long long *)job.most);
    most = found > most ? found : most;
    tsr_leaf_index(job.frame->lattice, job.nodes[leaf], i);
    most = tsr_node_sticks_out(&job.frame->lattice, job.level, i)
               ? clipped_error(job, i, lane + group * (int)blockIdx.y, group * (int)gridDim.y, most)
               : leaf_error<T, SIZE>(job, i, lane, most);
    for (int step = 16; step > 0; step /= 2) {
      const double other = __shfl_xor_sync(0xffffffffu, most, step);
      most = other > most ? other : most;
    }
    if (threadIdx.x % 32 == 0 && most > found)
      atomicMax(job.most, (unsigned long long)__double_as_longlong(most));
  }
}

template <class T> void start(const tsr_error_job &job, int by, cudaStream_t stream) {
  const int64_t groups = by > 3 ? job.n : (job.n + block / 32 - 1) / (block / 32);
  const unsigned blocks = (unsigned)(groups < 132 * 64 ? groups : 132 * 64);
  if (by == 1)
    error_kernel<T, 2><<<blocks, block, 0, stream>>>(job);
  else if (by == 2)
    error_kernel<T, 4><<<blocks, block, 0, stream>>>(job);
  else if (by == 3)
    error_kernel<T, 8><<<blocks, block, 0, stream>>>(job);
  else
    error_kernel<T, 0><<<dim3(blocks, large_share), block, 0, stream>>>(job);
}

} // namespace

int tsr_errors_are_plain(const tsr_grid_frame &frame, const tsr_array &array) {
  return frame.lattice.dimension == 3 && frame.lattice.coarsen <= 10 && array.components == 1 &&
         (array.type == TSR_FLOAT || array.type == TSR_DOUBLE) &&
         frame.space.geometry != TSR_GEOMETRY_RECTILINEAR;
}

cudaError_t tsr_errors_start(tsr_error_job job, int coarsen, cudaStream_t stream) {
  if (job.array.type == TSR_FLOAT)
    start<float>(job, coarsen - job.level, stream);
  else
    start<double>(job, coarsen - job.level, stream);
  return cudaGetLastError();
}
