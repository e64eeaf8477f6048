// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/grid/output/values/sums.cuh"

namespace {

const int block = 128;

struct sum_args {
  const tsr_grid_frame *frame;
  tsr_space space; // on the device
  tsr_array array;
  int cell_data, component;
  int level, kind;
  int64_t n; // nodes of the level
  tsr_level_sums sums;
};

__device__ void store(const sum_args &args, unsigned n, const tsr_sums &sums) {
  const int64_t at = args.sums.first[args.level] + n;
  args.sums.value[args.kind][at] = sums.value;
  if (args.sums.weight[args.kind])
    args.sums.weight[args.kind][at] = sums.weight;
}

__device__ void store_extremes(const sum_args &args, unsigned n, double low, double high) {
  args.sums.low[args.sums.first[args.level] + n] = low;
  args.sums.high[args.sums.first[args.level] + n] = high;
}

// Sums up one of the finest nodes, sample by sample, in one thread.
__device__ void sum_quad(const sum_args &args, unsigned n, const int64_t i[3]) {
  const tsr_lattice &lattice = args.frame->lattice;
  const tsr_mean_of of = {&lattice,    &args.space,    args.frame->hidden,
                          &args.array, args.cell_data, args.component};
  double low = TSR_INFINITY, high = -TSR_INFINITY;
  store(args, n, tsr_quad_sums(&of, args.kind, i));
  if (!args.sums.low || args.kind != TSR_MEAN_VISIBLE)
    return;
  const tsr_sample_box box = tsr_samples_of(lattice, args.cell_data, args.level, i);
  tsr_each_sample(lattice, args.array, args.cell_data, args.component, box, [&](double value) {
    low = tsr_finite(value) && value < low ? value : low;
    high = tsr_finite(value) && value > high ? value : high;
  });
  store_extremes(args, n, low, high);
}

__global__ void __launch_bounds__(block) quad_kernel(sum_args args) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  int64_t i[3];
  if (n >= args.n)
    return;
  tsr_node_in_small(args.frame->range[args.level], (unsigned)n, i);
  sum_quad(args, (unsigned)n, i);
}

// Four cells along each axis, plane by plane: adds plane z of cells, the last of which makes the
// sum.
struct quad_sum {
  double pair[4][4]; // of two planes
  double four[2][2]; // of pairs of rows and columns of these
  double all;
};

__device__ __forceinline__ void add_cell(quad_sum *sum, int z, int y, int x, double value) {
  sum->pair[y][x] = z % 2 ? sum->pair[y][x] + value : value;
}

__device__ __forceinline__ void end_plane(quad_sum *sum, int z) {
#pragma unroll
  for (int k = 0; k < 4 && z % 2; ++k) {
    const int y = k / 2, x = k % 2;
    const double s = (sum->pair[2 * y][2 * x] + sum->pair[2 * y + 1][2 * x]) +
                     (sum->pair[2 * y][2 * x + 1] + sum->pair[2 * y + 1][2 * x + 1]);
    sum->four[y][x] = z == 3 ? sum->four[y][x] + s : s;
  }
  if (z == 3)
    sum->all = (sum->four[0][0] + sum->four[1][0]) + (sum->four[0][1] + sum->four[1][1]);
}

// Value of a cell from the planes of points below and above it, as tsr_cell_value.
template <class T>
__device__ __forceinline__ double corner_mean(const T (&p)[5][5], const T (&q)[5][5], int y,
                                              int x) {
  double v[2];
#pragma unroll
  for (int k = 0; k < 2; ++k)
    v[k] = ((double)p[y][x + k] + (double)q[y][x + k]) +
           ((double)p[y + 1][x + k] + (double)q[y + 1][x + k]);
  return (v[0] + v[1]) * 0.125;
}

__device__ __forceinline__ int is_finite(float value) { return fabsf(value) <= 3.402823466e38f; }
__device__ __forceinline__ int is_finite(double value) { return tsr_finite(value); }

// As sum_quad, for a node that lies wholly in the grid and whose cells have the same size and are
// all visible.
template <class T, int POINTS>
__device__ __forceinline__ void sum_plain_quad(const sum_args &args, unsigned n,
                                               const int64_t i[3]) {
  const int side = POINTS ? 5 : 4;
  const tsr_lattice &lattice = args.frame->lattice;
  const int64_t first[3] = {4 * i[0], 4 * i[1], 4 * i[2]};
  const int64_t *steps = POINTS ? lattice.point_step : lattice.cell_step;
  const int64_t at = POINTS ? tsr_point_at(&lattice, first) : tsr_cell_at(&lattice, first);
  const T *from = (const T *)args.array.data + at * args.array.components + args.component;
  const int64_t dx = steps[0] * args.array.components, dy = steps[1] * args.array.components;
  const int64_t dz = steps[2] * args.array.components;
  const int extremes = args.sums.low != nullptr;
  T plane[2][5][5], low = (T)TSR_INFINITY, high = (T)-TSR_INFINITY;
  quad_sum sum;
#pragma unroll
  for (int z = 0; z < side; ++z) {
#pragma unroll
    for (int y = 0; y < side; ++y)
#pragma unroll
      for (int x = 0; x < side; ++x)
        plane[z % 2][y][x] = from[z * dz + y * dy + x * dx];
#pragma unroll
    for (int y = 0; y < side && extremes; ++y)
#pragma unroll
      for (int x = 0; x < side; ++x) {
        const T value = plane[z % 2][y][x];
        low = is_finite(value) && value < low ? value : low;
        high = is_finite(value) && value > high ? value : high;
      }
#pragma unroll
    for (int k = 0; k < 16 && (!POINTS || z > 0); ++k) {
      const int y = k / 4, x = k % 4;
      if (POINTS)
        add_cell(&sum, z - 1, y, x, corner_mean(plane[(z + 1) % 2], plane[z % 2], y, x));
      else
        add_cell(&sum, z, y, x, (double)plane[z % 2][y][x]);
    }
    if (!POINTS || z > 0)
      end_plane(&sum, POINTS ? z - 1 : z);
  }
  store(args, n, {sum.all, 64.0});
  if (extremes)
    store_extremes(args, n, (double)low, (double)high);
}

template <class T, int POINTS>
__global__ void __launch_bounds__(block) plain_quad_kernel(sum_args args) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  int64_t i[3];
  if (n >= args.n)
    return;
  tsr_node_in_small(args.frame->range[args.level], (unsigned)n, i);
  if (tsr_node_sticks_out(&args.frame->lattice, args.level, i))
    sum_quad(args, (unsigned)n, i);
  else
    sum_plain_quad<T, POINTS>(args, (unsigned)n, i);
}

// Sums up coarser nodes from their children's sums.
__global__ void __launch_bounds__(block) up_kernel(sum_args args) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  const tsr_grid_frame &f = *args.frame;
  const int dimension = f.lattice.dimension;
  double low = TSR_INFINITY, high = -TSR_INFINITY;
  tsr_sums children[8];
  int64_t i[3], child[3];
  if (n >= args.n)
    return;
  const int extremes = args.sums.low && args.kind == TSR_MEAN_VISIBLE;
  tsr_node_in_small(f.range[args.level], (unsigned)n, i);
  for (unsigned k = 0; k < 1u << dimension; ++k) {
    children[k] = {0.0, 0.0};
    if (!tsr_node_child(&f.lattice, args.level, i, k, child))
      continue;
    const int64_t at = tsr_sums_at(f, args.sums, args.level + 1, child);
    children[k].value = args.sums.value[args.kind][at];
    if (args.sums.weight[args.kind])
      children[k].weight = args.sums.weight[args.kind][at];
    if (extremes) {
      low = fmin(low, args.sums.low[at]);
      high = fmax(high, args.sums.high[at]);
    }
  }
  store(args, (unsigned)n, tsr_add_up(dimension, children));
  if (extremes)
    store_extremes(args, (unsigned)n, low, high);
}

int is_plain(const tsr_grid_frame &f, const tsr_space &space) {
  return f.lattice.dimension == 3 && space.geometry == TSR_GEOMETRY_UNIFORM && !f.hidden;
}

void start_quads(const sum_args &args, int plain, cudaStream_t stream) {
  const unsigned blocks = tsr_blocks(args.n, block);
  if (plain && args.array.type == TSR_FLOAT && !args.cell_data)
    plain_quad_kernel<float, 1><<<blocks, block, 0, stream>>>(args);
  else if (plain && args.array.type == TSR_FLOAT)
    plain_quad_kernel<float, 0><<<blocks, block, 0, stream>>>(args);
  else if (plain && args.array.type == TSR_DOUBLE && !args.cell_data)
    plain_quad_kernel<double, 1><<<blocks, block, 0, stream>>>(args);
  else if (plain && args.array.type == TSR_DOUBLE)
    plain_quad_kernel<double, 0><<<blocks, block, 0, stream>>>(args);
  else
    quad_kernel<<<blocks, block, 0, stream>>>(args);
}

} // namespace

tsr_status tsr_grid_make_sums(tsr_grid_device *grid, const tsr_space &space, int extremes,
                              tsr_level_sums *sums, tsr_error *error) {
  const tsr_grid_frame &f = grid->frame;
  const tsr_mean_of of = {&f.lattice, &space, f.hidden, nullptr, 0, 0};
  const int finest = tsr_finest_sums(f.lattice);
  const int alike = space.geometry == TSR_GEOMETRY_UNIFORM && !f.hidden;
  int64_t n = 0;
  *sums = {};
  for (int level = 0; level <= finest; ++level) {
    sums->first[level] = n;
    n += tsr_range_nodes(f, level);
  }
  if (finest < 0)
    return TSR_OK;
  if (n > UINT32_MAX)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                           "CUDA cannot be used for the means of %lld nodes: take Backend CPU",
                           (long long)n);
  for (int kind = 0; kind < TSR_MEAN_KINDS; kind = tsr_mean_next(&of, kind)) {
    TSR_STEP(grid->memory.get(&sums->value[kind], n, "the means of cells", error));
    if (!alike)
      TSR_STEP(grid->memory.get(&sums->weight[kind], n, "the means of cells", error));
  }
  if (extremes)
    TSR_STEP(grid->memory.get(&sums->low, n, "the means of cells", error));
  return extremes ? grid->memory.get(&sums->high, n, "the means of cells", error) : TSR_OK;
}

void tsr_grid_free_sums(tsr_grid_device *grid, const tsr_level_sums &sums) {
  for (int kind = 0; kind < TSR_MEAN_KINDS; ++kind) {
    grid->memory.free_one(sums.value[kind]);
    grid->memory.free_one(sums.weight[kind]);
  }
  grid->memory.free_one(sums.low);
  grid->memory.free_one(sums.high);
}

tsr_status tsr_grid_sum_up(tsr_grid_device *grid, const tsr_space &space, const tsr_array &array,
                           int cell_data, int component, const tsr_level_sums &sums,
                           tsr_error *error) {
  const tsr_grid_frame &f = grid->frame;
  const int finest = tsr_finest_sums(f.lattice), plain = is_plain(f, space);
  sum_args args = {grid->frame_d, space, array, cell_data, component, 0, 0, 0, sums};
  for (int kind = 0; kind < TSR_MEAN_KINDS; ++kind)
    for (args.level = finest; args.level >= 0 && sums.value[kind]; --args.level) {
      args.kind = kind;
      args.n = tsr_range_nodes(f, args.level);
      if (args.n > 0 && args.level == finest)
        start_quads(args, plain, grid->stream);
      else if (args.n > 0)
        up_kernel<<<tsr_blocks(args.n, block), block, 0, grid->stream>>>(args);
      TSR_CUDA(cudaGetLastError(), "taking the means of cells");
    }
  return TSR_OK;
}
