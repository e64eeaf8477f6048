// SPDX-License-Identifier: BSD-3-Clause
// Means of an array in any node: of cells of different volumes, of hidden ones, and of points; and
// how far the input in a leaf is from them. A warp or a block has a node that is larger than an
// input cell. Sums are made by one thread, in the order of the CPU's, of what the others bring.
#include "cuda/grid/output/values.cuh"
#include "grid/output/mean_math.h"

namespace {

const int block = 128, share = 8; // numbers that a thread brings at once

struct node_job {
  const tsr_grid_frame *frame;
  tsr_space space; // on the device
  tsr_array array;
  int cell_data;
  const tsr_grid_node *nodes;
  const uint8_t *states; // NULL: all are leaves
  const int32_t *list;   // NULL: all nodes
  int64_t n;
  int64_t cells[2]; // only nodes whose first cell, along the slowest axis, is one of these
  double *means;
  unsigned long long *most; // bits of the largest error; NULL: not wanted
};

// A node larger than an input cell: its cells and its points.
struct node_box {
  int64_t i[3], cells[3][2], first[3], last[3];
  int level, hides; // some of its cells are hidden
};

// 1 if the node is to be looked at.
__device__ int is_mine(const node_job &job, int64_t n, int64_t i[3]) {
  const tsr_lattice &lattice = job.frame->lattice;
  const tsr_grid_node node = job.nodes[n];
  int64_t range[2];
  tsr_leaf_index(lattice, node, i);
  tsr_node_cells(&lattice, 2, node.level, i[2], range);
  return !(job.states && job.states[n] == TSR_STATE_OUTSIDE) && range[0] >= job.cells[0] &&
         range[0] < job.cells[1];
}

__device__ int is_leaf(const node_job &job, int64_t n) {
  return !job.states || job.states[n] == TSR_STATE_LEAF;
}

__device__ double larger(double most, double e) { return e > most && tsr_finite(e) ? e : most; }

__device__ void raise(const node_job &job, double most) {
  if (job.most && most > 0.0)
    atomicMax(job.most, (unsigned long long)__double_as_longlong(most));
}

// Input cells and parts of them, a thread each.
__global__ void __launch_bounds__(block) small_kernel(node_job job) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  const tsr_lattice &lattice = job.frame->lattice;
  const int components = job.array.components;
  int64_t i[3], first[3], last[3];
  double most = 0.0;
  if (n >= job.n || job.nodes[n].level < lattice.coarsen || !is_mine(job, n, i))
    return;
  const int level = job.nodes[n].level;
  tsr_node_points(&lattice, level, i, first, last);
  for (int c = 0; c < components; ++c) {
    const double value = tsr_part_value(&lattice, &job.array, job.cell_data, c, level, i);
    job.means[n * components + c] = value;
    // The difference of an input cell to itself is none; parts of cells have no input points.
    for (int k = 0; !job.cell_data && level == lattice.coarsen && k < 1 << lattice.dimension; ++k) {
      const int64_t p[3] = {k & 1 ? last[0] : first[0], k & 2 ? last[1] : first[1],
                            k & 4 ? last[2] : first[2]};
      most = larger(most,
                    fabs(tsr_load(&job.array, tsr_point_at(&lattice, p) * components + c) - value));
    }
  }
  if (is_leaf(job, n))
    raise(job, most);
}

template <int GROUP> __device__ void wait_for_group() {
  if (GROUP == 32)
    __syncwarp();
  else
    __syncthreads();
}

__device__ node_box box_of(const node_job &job, const tsr_grid_node &node, const int64_t i[3]) {
  const tsr_grid_frame &f = *job.frame;
  node_box box;
  box.level = node.level;
  box.hides = 0;
  for (int a = 0; a < 3; ++a) {
    box.i[a] = i[a];
    tsr_node_cells(&f.lattice, a, node.level, i[a], box.cells[a]);
  }
  tsr_node_points(&f.lattice, node.level, i, box.first, box.last);
  if (f.hidden) {
    const int64_t(*r)[2] = f.range[node.level];
    const int64_t row = (i[2] - r[2][0]) * (r[1][1] - r[1][0]) + (i[1] - r[1][0]);
    box.hides = f.seen[node.level][row * (r[0][1] - r[0][0]) + (i[0] - r[0][0])] >> 1 & 1;
  }
  return box;
}

// Sample k of a box [begin, end), axis 0 fastest.
__device__ void sample_of(const int64_t begin[3], const int64_t n[3], int64_t k, int64_t s[3]) {
  s[0] = begin[0] + k % n[0];
  s[1] = begin[1] + k / n[0] % n[1];
  s[2] = begin[2] + k / n[0] / n[1];
}

// Sums of what part(k, &value, &weight) gives, k from 0 to count, one after another; in lane 0.
template <int GROUP, class Part>
__device__ void sum_up(int64_t count, int lane, double *staged, double sums[2], Part part) {
  const int chunk = share * GROUP;
  sums[0] = sums[1] = 0.0;
  for (int64_t begin = 0; begin < count; begin += chunk) {
    const int n = count - begin < chunk ? (int)(count - begin) : chunk;
    for (int k = lane; k < n; k += GROUP)
      part(begin + k, &staged[k], &staged[chunk + k]);
    wait_for_group<GROUP>();
    for (int k = 0; lane == 0 && k < n; ++k) {
      sums[0] += staged[k];
      sums[1] += staged[chunk + k];
    }
    wait_for_group<GROUP>();
  }
}

// As box_mean of values.c.
template <int GROUP>
__device__ int cells_mean(const node_job &job, const node_box &box, int component, int hidden,
                          int weighted, int lane, double *staged, double *mean) {
  const tsr_grid_frame &f = *job.frame;
  const int64_t begin[3] = {box.cells[0][0], box.cells[1][0], box.cells[2][0]};
  int64_t n[3], count = 1;
  double sums[2];
  for (int a = 0; a < 3; ++a) {
    n[a] = box.cells[a][1] - box.cells[a][0];
    count *= n[a];
  }
  // Adding 0 changes no sum.
  sum_up<GROUP>(count, lane, staged, sums, [&](int64_t k, double *value, double *weight) {
    int64_t c[3];
    sample_of(begin, n, k, c);
    *value = *weight = 0.0;
    if (!hidden && box.hides && f.hidden[tsr_cell_at(&f.lattice, c)])
      return;
    *weight = weighted ? tsr_cell_volume(&f.lattice, &job.space, c) : 1.0;
    *value = *weight * tsr_cell_value(&f.lattice, &job.array, job.cell_data, component, c);
  });
  if (lane == 0) {
    staged[0] = sums[0] / sums[1];
    staged[1] = sums[1] > 0.0 && tsr_finite(sums[1]) ? 1.0 : 0.0;
  }
  wait_for_group<GROUP>();
  *mean = staged[0];
  const int good = staged[1] > 0.0;
  wait_for_group<GROUP>();
  return good;
}

// As points_mean of values.c: a lane sums up a row.
template <int GROUP>
__device__ double points_mean(const node_job &job, const node_box &box, int component, int lane,
                              double *staged) {
  const tsr_lattice &lattice = job.frame->lattice;
  const int components = job.array.components;
  const int64_t nx = box.last[0] - box.first[0] + 1, ny = box.last[1] - box.first[1] + 1;
  double cells = 1.0, sums[2];
  for (int a = 0; a < lattice.dimension; ++a)
    cells *= 2.0 * (double)(box.last[a] - box.first[a]);
  const auto row = [&](int64_t k, double *value, double *weight) {
    const int64_t p[3] = {box.first[0], box.first[1] + k % ny, box.first[2] + k / ny};
    const int64_t at = tsr_point_at(&lattice, p) * components + component;
    double sum = 0.0;
    for (int64_t x = 0; x < nx; ++x)
      sum += tsr_row_weight(x, nx) * tsr_load(&job.array, at + x * components);
    *value = sum * tsr_rows_weight(box.first, box.last, p);
    *weight = 0.0;
  };
  sum_up<GROUP>(ny * (box.last[2] - box.first[2] + 1), lane, staged, sums, row);
  if (lane == 0)
    staged[0] = sums[0] / cells;
  wait_for_group<GROUP>();
  const double mean = staged[0];
  wait_for_group<GROUP>();
  return mean;
}

template <int GROUP>
__device__ double mean_of(const node_job &job, const node_box &box, int component, int lane,
                          double *staged) {
  double mean = 0.0;
  if (!job.cell_data && job.space.geometry == TSR_GEOMETRY_UNIFORM && !box.hides)
    return points_mean<GROUP>(job, box, component, lane, staged);
  for (int k = 0; k < 4; ++k) // with all cells if none is visible, unweighted if all are flat
    if (cells_mean<GROUP>(job, box, component, k >> 1, !(k & 1), lane, staged, &mean))
      break;
  return mean;
}

// The largest difference to a value that a thread, of `step`, finds.
__device__ double error_of(const node_job &job, const node_box &box, int component, double value,
                           int lane, int step) {
  const tsr_lattice &lattice = job.frame->lattice;
  int64_t begin[3], n[3], count = 1, s[3];
  double most = 0.0;
  for (int a = 0; a < 3; ++a) {
    begin[a] = job.cell_data ? box.cells[a][0] : box.first[a];
    n[a] = (job.cell_data ? box.cells[a][1] : box.last[a] + 1) - begin[a];
    count *= n[a];
  }
  for (int64_t k = lane; k < count; k += step) {
    sample_of(begin, n, k, s);
    const int64_t at = job.cell_data ? tsr_cell_at(&lattice, s) : tsr_point_at(&lattice, s);
    most = larger(most, fabs(tsr_load(&job.array, at * job.array.components + component) - value));
  }
  return most;
}

template <int GROUP> __global__ void __launch_bounds__(block) large_kernel(node_job job) {
  __shared__ double staged[2 * share * block];
  const int lane = (int)threadIdx.x % GROUP, components = job.array.components;
  double *const mine = staged + (int)threadIdx.x / GROUP * 2 * share * GROUP;
  const int64_t k = ((int64_t)blockIdx.x * block + threadIdx.x) / GROUP;
  int64_t i[3];
  double most = 0.0;
  if (k >= job.n || !is_mine(job, job.list[k], i))
    return;
  const int64_t n = job.list[k];
  const node_box box = box_of(job, job.nodes[n], i);
  for (int c = 0; c < components; ++c) {
    const double mean = mean_of<GROUP>(job, box, c, lane, mine);
    if (lane == 0)
      job.means[n * components + c] = mean;
    const double e = job.most && is_leaf(job, n) ? error_of(job, box, c, mean, lane, GROUP) : 0.0;
    most = e > most ? e : most;
  }
  for (int step = 16; step > 0; step /= 2)
    most = larger(most, __shfl_xor_sync(0xffffffffu, most, step));
  if (lane % 32 == 0)
    raise(job, most);
}

} // namespace

tsr_status tsr_grid_node_means(tsr_grid_device *grid, const tsr_grid_counts &counts,
                               const tsr_space &space, const tsr_measuring &what,
                               tsr_error *error) {
  const tsr_grid_whole &w = grid->whole;
  const tsr_lattice &lattice = grid->frame.lattice;
  const int64_t *of_level = w.states ? w.nodes_of_level : counts.of_level;
  node_job job = {grid->frame_d,  space,    what.array,
                  what.cell_data, w.nodes,  w.states,
                  nullptr,        w.n,      {what.cells[0], what.cells[1]},
                  what.means,     what.most};
  if (!what.cell_data && w.n > 0)
    small_kernel<<<tsr_blocks(w.n, block), block, 0, grid->stream>>>(job);
  TSR_CUDA(cudaGetLastError(), "taking the means of cells");
  TSR_STEP(tsr_grid_list_larger(grid, w.nodes, w.n, of_level, error));
  job.list = grid->list;
  for (int level = 0; level < lattice.coarsen; ++level) {
    job.n = of_level[level];
    if (job.n > 0 && (lattice.coarsen - level) * lattice.dimension > 6)
      large_kernel<block><<<tsr_blocks(job.n, 1), block, 0, grid->stream>>>(job);
    else if (job.n > 0)
      large_kernel<32><<<tsr_blocks(job.n, block / 32), block, 0, grid->stream>>>(job);
    TSR_CUDA(cudaGetLastError(), "taking the means of cells");
    job.list += job.n;
  }
  return TSR_OK;
}
