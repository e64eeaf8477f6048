// SPDX-License-Identifier: BSD-3-Clause
// The interpolation error where that is plain: one float or double a point in three dimensions, and
// nodes whose points are at even steps between their corners. A warp has a node of 8 cubed cells,
// and goes on to its children where it is to be refined; larger nodes take a block each. Of floats
// without larger nodes an estimate finds the few nodes of 8 cubed cells that are worth a warp.
#include "cuda/grid/criteria/columns.cuh"
#include "cuda/grid/criteria/dense.cuh"
#include "cuda/grid/criteria/far.cuh"

#include <algorithm>

namespace {

const int block = 128, warps = block / 32, large_block = 256;
const int small_levels = 3; // of a warp

struct pass_job {
  const tsr_grid_frame *frame;
  tsr_column_job of;
  int level; // of the nodes that the launch has
  int skip;  // 1: the children of a node that is not refined are of no interest
};

// Looks at all points of a node that the box cuts.
template <class T>
__device__ void look_for_odd(const pass_job &job, const int64_t i[3], int level, int lane) {
  const tsr_grid_frame &f = *job.frame;
  int64_t first[3], last[3];
  tsr_node_points(&f.lattice, level, i, first, last);
  const int nx = (int)(last[0] - first[0]) + 1, ny = (int)(last[1] - first[1]) + 1;
  for (int k = lane; k < nx * ny * (int)(last[2] - first[2] + 1); k += 32) {
    const int64_t p[3] = {first[0] + k % nx, first[1] + k / nx % ny, first[2] + k / nx / ny};
    if (tsr_is_odd(
            ((const T *)job.of.rule.array
                 .data)[(p[0] * job.of.step[0] + p[1] * job.of.step[1]) + p[2] * job.of.step[2]]))
      *job.of.odd = 1;
  }
}

// 1 in every lane if a node is refined by the rule, whose size is known to the compiler.
template <class T, int SIZE>
__device__ int node_asks(const pass_job &job, const int64_t i[3], int lane) {
  const tsr_grid_frame &f = *job.frame;
  const int level = f.lattice.coarsen - (SIZE == 8 ? 3 : SIZE == 4 ? 2 : 1);
  if (job.of.rule.max_level >= 0 && level >= job.of.rule.max_level)
    return 0;
  if (tsr_node_sticks_out(&f.lattice, level, i)) {
    if (SIZE == 2)
      look_for_odd<T>(job, i, level, lane);
    return tsr_node_is_far<32>(f, job.of.rule, level, i, lane);
  }
  return tsr_columns_are_far<T, SIZE>(job.of, i, SIZE, lane);
}

__device__ void put(const tsr_grid_frame &f, int level, const int64_t i[3], int lane) {
  if (lane == 0)
    tsr_set_in(f, f.tree.dense[0], level, i);
}

template <class T, int SIZE>
__device__ void walk(const pass_job &job, const int64_t i[3], int lane) {
  const tsr_grid_frame &f = *job.frame;
  const int level = f.lattice.coarsen - (SIZE == 8 ? 3 : SIZE == 4 ? 2 : 1);
  const int asks = node_asks<T, SIZE>(job, i, lane);
  if (asks)
    put(f, level, i, lane);
  if (!asks && job.skip)
    return;
  for (unsigned k = 0; SIZE > 2 && k < 8; ++k) {
    int64_t child[3];
    if (tsr_node_child(&f.lattice, level, i, k, child))
      walk<T, (SIZE > 2 ? SIZE / 2 : 2)>(job, child, lane);
  }
}

// The node that a thread's group has; 0 where it is of no interest.
__device__ int node_of(const pass_job &job, int64_t n, int64_t i[3]) {
  const tsr_grid_frame &f = *job.frame;
  const int64_t(*range)[2] = f.range[job.level];
  const int64_t nx = range[0][1] - range[0][0], ny = range[1][1] - range[1][0];
  int64_t up[3];
  i[0] = range[0][0] + n % nx;
  i[1] = range[1][0] + n / nx % ny;
  i[2] = range[2][0] + n / nx / ny;
  for (int a = 0; a < 3; ++a)
    up[a] = i[a] >> 1;
  return !job.skip || job.level == 0 || tsr_bit_in(f, f.tree.dense[0], job.level - 1, up);
}

template <class T, int SIZE>
__global__ void __launch_bounds__(block) small_kernel(pass_job job, int64_t nodes) {
  const int64_t n = ((int64_t)blockIdx.x * block + threadIdx.x) / 32;
  int64_t i[3];
  if (n < nodes && node_of(job, n, i))
    walk<T, SIZE>(job, i, threadIdx.x % 32);
}

// Nodes that may be far.
struct node_list {
  unsigned *n;
  unsigned *number; // in the order of node_of
};

__global__ void __launch_bounds__(32 * tsr_dense_warps, 8)
    dense_kernel(pass_job job, node_list list) {
  __shared__ tsr_dense_found found;
  const tsr_grid_frame &f = *job.frame;
  const tsr_column_job &of = job.of;
  const tsr_dense_job look = {
      (const float *)of.rule.array.data, {of.step[0], of.step[1], of.step[2]}, job.level};
  int64_t first[3], i[3];
  float bound, slack;
  tsr_dense_first(f, job.level, first);
  tsr_dense_look(f, look, first, &found);
  __syncthreads();
  if (threadIdx.x < tsr_dense_nodes &&
      tsr_dense_node(f, job.level, first, found, (int)threadIdx.x, i, &bound, &slack) &&
      !(bound < of.limit - of.limit_slack))
    list.number[atomicAdd(list.n, 1u)] = tsr_dense_number(f, job.level, i);
}

// Warps share out the list.
__global__ void __launch_bounds__(block) list_kernel(pass_job job, node_list list) {
  const unsigned n = *list.n, step = gridDim.x * warps;
  for (unsigned k = blockIdx.x * warps + threadIdx.x / 32; k < n; k += step) {
    int64_t i[3];
    if (node_of(job, list.number[k], i))
      walk<float, 8>(job, i, threadIdx.x % 32);
  }
}

template <class T> __global__ void __launch_bounds__(large_block) large_kernel(pass_job job) {
  const tsr_grid_frame &f = *job.frame;
  const int size = 1 << (f.lattice.coarsen - job.level), n = size + 1;
  int64_t i[3];
  int asks = 0;
  if (!node_of(job, blockIdx.x, i))
    return;
  if (tsr_node_sticks_out(&f.lattice, job.level, i)) {
    asks = tsr_node_is_far<large_block>(f, job.of.rule, job.level, i, (int)threadIdx.x);
  } else {
    const tsr_corner_field<T> field =
        tsr_field_of((const T *)job.of.rule.array.data, job.of.step, i, size);
    for (int first = 0; first < n * n && !asks; first += large_block) {
      const int k = first + (int)threadIdx.x;
      asks = __syncthreads_or(k < n * n && tsr_column_is_far<0>(job.of, field, size, k % n, k / n));
    }
  }
  if (asks)
    put(f, job.level, i, (int)threadIdx.x);
}

// By an estimate of all nodes first.
tsr_status start_dense(tsr_grid_device *grid, const pass_job &job, tsr_error *error) {
  node_list list;
  TSR_STEP(grid->memory.get(&list.n, 1, "the nodes to look at", error));
  TSR_STEP(grid->memory.get(&list.number, tsr_range_nodes(grid->frame, job.level),
                            "the nodes to look at", error));
  TSR_CUDA(cudaMemsetAsync(list.n, 0, sizeof *list.n, grid->stream),
           "evaluating the interpolation error");
  dense_kernel<<<tsr_dense_blocks(grid->frame, job.level), 32 * tsr_dense_warps, 0, grid->stream>>>(
      job, list);
  TSR_CUDA(cudaGetLastError(), "evaluating the interpolation error");
  list_kernel<<<16 * grid->state->properties.multiProcessorCount, block, 0, grid->stream>>>(job,
                                                                                            list);
  TSR_CUDA(cudaGetLastError(), "evaluating the interpolation error");
  grid->memory.free_one(list.n);
  grid->memory.free_one(list.number);
  return TSR_OK;
}

template <class T> cudaError_t start(const tsr_grid_device *grid, pass_job job, int first_small) {
  const tsr_grid_frame &f = grid->frame;
  const int coarsen = f.lattice.coarsen;
  const int most = job.of.rule.max_level < 0 ? coarsen : std::min(job.of.rule.max_level, coarsen);
  cudaError_t code = cudaSuccess;
  for (job.level = 0; job.level < std::min(first_small, most) && code == cudaSuccess; ++job.level) {
    large_kernel<T><<<(unsigned)tsr_range_nodes(f, job.level), large_block, 0, grid->stream>>>(job);
    code = cudaGetLastError();
  }
  job.level = first_small;
  if (code != cudaSuccess || job.level >= most)
    return code;
  const int64_t nodes = tsr_range_nodes(f, job.level);
  const unsigned blocks = tsr_blocks(nodes, warps);
  if (coarsen - first_small == 3)
    small_kernel<T, 8><<<blocks, block, 0, grid->stream>>>(job, nodes);
  else if (coarsen - first_small == 2)
    small_kernel<T, 4><<<blocks, block, 0, grid->stream>>>(job, nodes);
  else
    small_kernel<T, 2><<<blocks, block, 0, grid->stream>>>(job, nodes);
  return cudaGetLastError();
}

} // namespace

int tsr_grid_is_plain_error(const tsr_grid_device *grid, const tsr_rule &rule) {
  const tsr_grid_frame &f = grid->frame;
  const tsr_lattice &lattice = f.lattice;
  int fits = lattice.dimension == 3 && lattice.coarsen > 0 && lattice.coarsen <= 10 &&
             rule.array.components == 1 &&
             (rule.array.type == TSR_FLOAT || rule.array.type == TSR_DOUBLE) && !f.hidden &&
             f.space.geometry != TSR_GEOMETRY_RECTILINEAR;
  for (int level = 0; level < lattice.coarsen && level < lattice.levels; ++level)
    fits = fits && tsr_range_nodes(f, level) < INT32_MAX;
  return fits && rule.measure == TSR_MEASURE_INTERPOLATION_ERROR &&
         lattice.levels >= lattice.coarsen;
}

tsr_status tsr_grid_mark_plain_errors(tsr_grid_device *grid, const tsr_rule &rule, int alone,
                                      tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  pass_job job = {grid->frame_d, tsr_columns_of(lattice, rule, &grid->found->odd), 0, alone};
  int64_t origin = 0;
  for (int a = 0; a < 3; ++a)
    origin += lattice.held[a][0] * lattice.point_step[a];
  // Nodes count from the lowest corner of the whole grid, values from that of the held one.
  job.of.rule.array.data =
      (const char *)rule.array.data - origin * (int64_t)tsr_type_size(rule.array.type);
  const int first_small = std::max(0, lattice.coarsen - small_levels);
  if (rule.array.type == TSR_FLOAT && alone && lattice.coarsen == small_levels &&
      rule.max_level != 0 && tsr_dense_fits(grid->frame, 0))
    return start_dense(grid, job, error);
  TSR_CUDA(rule.array.type == TSR_FLOAT ? start<float>(grid, job, first_small)
                                        : start<double>(grid, job, first_small),
           "evaluating the interpolation error");
  return TSR_OK;
}
