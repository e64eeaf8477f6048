// SPDX-License-Identifier: BSD-3-Clause
// Means of an array in any node: of cells of different volumes, of hidden ones, and of points; and
// how far the input in a leaf is from them. A thread has a node: sums are there already where it is
// two levels above the input cells or more, and so are the least and the largest value.
#include "cuda/common/warp.cuh"
#include "cuda/grid/output/values/sums.cuh"

namespace {

const int block = 128;

struct node_args {
  const tsr_grid_frame *frame;
  tsr_space space; // on the device
  tsr_array array;
  int cell_data, component;
  const tsr_grid_node *nodes;
  const uint8_t *states; // NULL: all are leaves
  int64_t n;
  int64_t cells[2]; // only nodes whose first cell, along the slowest axis, is one of these
  tsr_level_sums sums;
  double *means;
  int are_made;             // 1: the means are there, and only errors are wanted
  unsigned long long *most; // bits of the largest error; NULL: not wanted
};

// 1 if the node has a mean that is wanted here.
__device__ int is_mine(const node_args &args, int64_t n, int64_t i[3]) {
  const tsr_lattice &lattice = args.frame->lattice;
  const tsr_grid_node node = args.nodes[n];
  int64_t range[2];
  tsr_node_inner(&lattice, &node, i);
  tsr_node_cells(&lattice, 2, node.level, i[2], range);
  return !(args.states && args.states[n] == TSR_STATE_OUTSIDE) &&
         !(args.cell_data && node.level >= lattice.coarsen) && range[0] >= args.cells[0] &&
         range[0] < args.cells[1];
}

__device__ tsr_sums sums_of(const node_args &args, int kind, int level, const int64_t i[3]) {
  const tsr_grid_frame &f = *args.frame;
  const tsr_mean_of of = {&f.lattice,  &args.space,    f.hidden,
                          &args.array, args.cell_data, args.component};
  if (level > tsr_finest_sums(f.lattice))
    return tsr_pair_sums(&of, kind, i);
  const int64_t at = tsr_sums_at(f, args.sums, level, i);
  tsr_sums sums = {args.sums.value[kind][at], 1.0};
  if (args.sums.weight[kind]) {
    sums.weight = args.sums.weight[kind][at];
    return sums;
  }
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_node_cells(&f.lattice, a, level, i[a], range);
    sums.weight *= (double)(range[1] - range[0]);
  }
  return sums;
}

// Mean of a node, computed as tsr_node_value does.
__device__ double mean_of(const node_args &args, int level, const int64_t i[3]) {
  const tsr_grid_frame &f = *args.frame;
  const tsr_mean_of of = {&f.lattice,  &args.space,    f.hidden,
                          &args.array, args.cell_data, args.component};
  int kind = TSR_MEAN_VISIBLE;
  tsr_sums sums;
  if (level >= f.lattice.coarsen)
    return tsr_part_value(&f.lattice, &args.array, args.cell_data, args.component, level, i);
  do {
    sums = sums_of(args, kind, level, i);
    kind = tsr_mean_next(&of, kind);
  } while (kind < TSR_MEAN_KINDS && !tsr_sums_have_mean(&sums));
  return sums.value / sums.weight;
}

// The largest finite difference of a sample of the node to its mean.
__device__ double error_of(const node_args &args, int level, const int64_t i[3], double mean) {
  const tsr_lattice &lattice = args.frame->lattice;
  double most = 0.0;
  if (level > lattice.coarsen || !tsr_finite(mean)) // parts of cells have no input points
    return 0.0;
  if (level <= tsr_finest_sums(lattice)) {
    const int64_t at = tsr_sums_at(*args.frame, args.sums, level, i);
    const double low = args.sums.low[at], high = args.sums.high[at];
    if (!(low <= high)) // no sample is finite
      return 0.0;
    most = fmax(fabs(low - mean), fabs(high - mean)); // rounding keeps the order
    if (tsr_finite(most))
      return most;
    most = 0.0;
  }
  const tsr_sample_box box = tsr_samples_of(lattice, args.cell_data, level, i);
  tsr_each_sample(lattice, args.array, args.cell_data, args.component, box, [&](double value) {
    const double e = fabs(value - mean);
    most = e > most && tsr_finite(e) ? e : most;
  });
  return most;
}

__global__ void __launch_bounds__(block) mean_kernel(node_args args) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  double most = 0.0;
  int64_t i[3];
  if (n < args.n && is_mine(args, n, i)) {
    const int level = args.nodes[n].level;
    double *const to =
        args.means ? args.means + n * args.array.components + args.component : nullptr;
    const double mean = args.are_made ? *to : mean_of(args, level, i);
    if (to && !args.are_made)
      *to = mean;
    if (args.most && (!args.states || args.states[n] == TSR_STATE_LEAF))
      most = error_of(args, level, i, mean);
  }
  if (args.most)
    tsr_warp_raise(args.most, most);
}

tsr_status start(tsr_grid_device *grid, const tsr_space &space, const tsr_measuring &what,
                 int component, const tsr_level_sums &sums, int are_made, unsigned long long *most,
                 tsr_error *error) {
  const node_args args = {grid->frame_d,
                          space,
                          what.array,
                          what.cell_data,
                          component,
                          what.nodes,
                          what.states,
                          what.n,
                          {what.cells[0], what.cells[1]},
                          sums,
                          what.means,
                          are_made,
                          most};
  mean_kernel<<<tsr_blocks(what.n, block), block, 0, grid->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), "taking the means of cells");
  return TSR_OK;
}

} // namespace

int tsr_errors_may_wait(const tsr_grid_device *grid, const tsr_measuring &what) {
  return what.most && what.means && what.array.components == 1 && what.n > 0 &&
         grid->slabs.frames.empty();
}

tsr_status tsr_grid_node_means(tsr_grid_device *grid, const tsr_space &space,
                               const tsr_measuring &what, tsr_level_sums *left, tsr_error *error) {
  const tsr_slab_nodes slab(grid);
  tsr_level_sums sums;
  TSR_STEP(tsr_grid_make_sums(grid, space, what.most != nullptr, &sums, error));
  for (int c = 0; c < what.array.components && what.n > 0; ++c) {
    TSR_STEP(tsr_grid_sum_up(grid, space, what.array, what.cell_data, c, sums, error));
    TSR_STEP(start(grid, space, what, c, sums, 0, left ? nullptr : what.most, error));
  }
  if (left)
    *left = sums;
  else
    tsr_grid_free_sums(grid, sums);
  return TSR_OK;
}

tsr_status tsr_grid_mean_errors(tsr_grid_device *grid, const tsr_space &space,
                                const tsr_measuring &what, const tsr_level_sums &left,
                                tsr_error *error) {
  TSR_STEP(start(grid, space, what, 0, left, 1, what.most, error));
  tsr_grid_free_sums(grid, left);
  return TSR_OK;
}
