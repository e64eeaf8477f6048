// SPDX-License-Identifier: BSD-3-Clause
// The largest error of an array in leaves that are larger than an input cell, by one warp or block
// for each leaf; and the means and errors of a plan whose output the CPU makes.
#include "cuda/common/warp.cuh"
#include "cuda/grid/output/values/errors.cuh"
#include "cuda/grid/output/values/sums.cuh"
#include "cuda/grid/whole.cuh"

#include <cstring>

namespace {

const int block = 128;

struct values_args {
  const tsr_grid_frame *frame;
  tsr_array array; // on the device, of points
  const tsr_grid_node *nodes;
  const uint32_t *cut; // NULL, or not 0 for leaves to leave out
  const int32_t *list; // leaves of the level
  int64_t n_list;
  int64_t leaves[2];        // only these are looked at
  unsigned long long *most; // bits of the largest error
};

// Samples of a leaf, axis 0 fastest.
struct sample_box {
  int64_t first[3];
  unsigned n[3], count;
};

__device__ sample_box box_of(const tsr_lattice &lattice, const tsr_grid_node &node, int64_t i[3]) {
  sample_box box;
  box.count = 1;
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    i[a] = node.index[lattice.axis[a]];
    tsr_node_cells(&lattice, a, node.level, i[a], range);
    box.first[a] = range[0];
    box.n[a] = (unsigned)(range[1] - range[0]) + (a < lattice.dimension);
    box.count *= box.n[a];
  }
  return box;
}

__device__ void sample_of(const sample_box &box, unsigned k, int64_t s[3]) {
  const unsigned row = k / box.n[0];
  s[0] = box.first[0] + k - row * box.n[0];
  s[1] = box.first[1] + row % box.n[1];
  s[2] = box.first[2] + row / box.n[1];
}

__device__ double larger(double most, double e) { return e > most && tsr_finite(e) ? e : most; }

// The largest difference that a thread, of `step`, finds between input points and the interpolant.
__device__ double points_error(const values_args &args, const sample_box &box, int component,
                               const double corner[8], unsigned lane, unsigned step) {
  const tsr_lattice &lattice = args.frame->lattice;
  int64_t last[3];
  double most = 0.0;
  for (int a = 0; a < 3; ++a)
    last[a] = box.first[a] + box.n[a] - 1;
  for (unsigned k = lane; k < box.count; k += step) {
    int64_t p[3];
    double t[3];
    sample_of(box, k, p);
    for (int a = 0; a < 3; ++a)
      t[a] = tsr_axis_parameter(&args.frame->space, &lattice, a, box.first[a], last[a], p[a]);
    most = larger(
        most,
        fabs(tsr_load(&args.array, tsr_point_at(&lattice, p) * args.array.components + component) -
             tsr_multilinear(lattice.dimension, corner, t)));
  }
  return most;
}

template <int GROUP> __global__ void __launch_bounds__(block) error_kernel(values_args args) {
  const int lane = threadIdx.x % GROUP;
  const int64_t leaf = ((int64_t)blockIdx.x * block + threadIdx.x) / GROUP;
  double most = 0.0;
  int64_t i[3];
  if (leaf >= args.n_list)
    return;
  const int32_t n = args.list[leaf];
  if (n < args.leaves[0] || n >= args.leaves[1] || (args.cut && args.cut[n]))
    return;
  const int level = args.nodes[n].level;
  const sample_box box = box_of(args.frame->lattice, args.nodes[n], i);
  for (int c = 0; c < args.array.components; ++c) {
    double corner[8];
    tsr_node_corner_values(&args.frame->lattice, &args.array, c, level, i, corner);
    most = larger(most, points_error(args, box, c, corner, (unsigned)lane, GROUP));
  }
  tsr_warp_raise(args.most, most);
}

// Where the leaves of each level begin in the list, and how many the list has already.
struct level_lists {
  int64_t first[TSR_GRID_MAX_LEVEL + 1];
  unsigned n[TSR_GRID_MAX_LEVEL + 1];
};

// Lists the leaves of levels above `levels`, in any order.
__global__ void list_kernel(const tsr_grid_node *nodes, int64_t n_nodes, int levels,
                            level_lists *lists, int32_t *list) {
  const int64_t n = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  const int level = n < n_nodes ? nodes[n].level : levels;
  for (int l = 0; l < levels; ++l) {
    const unsigned at = tsr_warp_place(&lists->n[l], level == l);
    if (level == l)
      list[lists->first[l] + at] = (int32_t)n;
  }
}

// Makes the list of the larger nodes, which the kernels need.
tsr_status make_list(tsr_grid_device *grid, const tsr_grid_node *nodes, int64_t n_nodes,
                     const int64_t *of_level, level_lists *lists, tsr_error *error) {
  const int levels = grid->frame.lattice.coarsen;
  level_lists *lists_d;
  int32_t *list;
  int64_t n = 0;
  memset(lists, 0, sizeof *lists);
  for (int level = 0; level < levels; ++level) {
    lists->first[level] = n;
    n += of_level[level];
  }
  if (grid->list)
    return TSR_OK;
  TSR_STEP(grid->memory.get(&lists_d, 1, "the larger cells", error));
  TSR_STEP(grid->memory.get(&list, n, "the larger cells", error));
  TSR_CUDA(tsr_copy_async(lists_d, lists, sizeof *lists, cudaMemcpyHostToDevice, grid->stream),
           "listing the larger cells");
  if (n_nodes > 0)
    list_kernel<<<tsr_blocks(n_nodes, 256), 256, 0, grid->stream>>>(nodes, n_nodes, levels, lists_d,
                                                                    list);
  TSR_CUDA(cudaGetLastError(), "listing the larger cells");
  grid->memory.free_one(lists_d);
  grid->list = list; // not before all of it is asked for: where that fails, it is made anew
  return TSR_OK;
}

tsr_status start_kernels(tsr_grid_device *grid, values_args it, const int64_t *of_level,
                         const level_lists &lists, tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  for (int level = 0; level < lattice.coarsen; ++level) {
    const int64_t n = of_level[level];
    it.list = grid->list + lists.first[level];
    it.n_list = n;
    if (n > 0 && (lattice.coarsen - level) * lattice.dimension > 6)
      error_kernel<block><<<tsr_blocks(n, 1), block, 0, grid->stream>>>(it);
    else if (n > 0)
      error_kernel<32><<<tsr_blocks(n, block / 32), block, 0, grid->stream>>>(it);
    TSR_CUDA(cudaGetLastError(), "measuring the errors of cells");
  }
  return TSR_OK;
}

// Starts the kernels for point arrays that tsr_errors_are_plain accepts.
tsr_status start_errors(tsr_grid_device *grid, const values_args &it, const int64_t *of_level,
                        const level_lists &larger, const tsr_plan_lists *lists,
                        const double *values, tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  for (int level = 0; level < lattice.coarsen; ++level) {
    const tsr_error_args args = {
        it.frame,
        it.array,
        tsr_field_origin(lattice, it.array),
        it.nodes,
        it.cut,
        grid->list + larger.first[level],
        of_level[level],
        level,
        {it.leaves[0], it.leaves[1]},
        {lattice.point_step[0], lattice.point_step[1], lattice.point_step[2]},
        it.most,
        values,
        lists ? lists->points.bits : tsr_grid_points{}};
    if (args.n > 0)
      TSR_STEP(tsr_errors_start(grid, args, error));
  }
  return TSR_OK;
}

// Brings what `what` asks for, of the nodes of a plan that the CPU made.
tsr_status measure(tsr_grid_device *grid, const tsr_grid_request *request,
                   const tsr_grid_values *values, tsr_measuring what, tsr_error *error) {
  const int64_t n = values->n * values->array->components;
  unsigned long long most = 0;
  const tsr_array nodes = {values->nodes, TSR_UINT8, (int)sizeof(tsr_grid_node), values->n};
  void *nodes_d = nullptr;
  TSR_STEP(tsr_upload(grid, request->execution, request->report, &grid->memory, true, {nodes},
                      &nodes_d, error));
  what.nodes = (const tsr_grid_node *)nodes_d;
  if (values->error) {
    TSR_STEP(grid->memory.get(&what.most, 1, "the error", error));
    TSR_CUDA(cudaMemsetAsync(what.most, 0, sizeof most, grid->stream), "clearing the error");
  }
  if (values->means) {
    TSR_STEP(grid->memory.get(&what.means, n, "the means of cells", error));
    TSR_CUDA(cudaMemsetAsync(what.means, 0, (size_t)n * sizeof(double), grid->stream),
             "clearing the means");
  }
  TSR_STEP(what.cell_data
               ? tsr_grid_node_means(grid, grid->frame.space, what, nullptr, error)
               : tsr_grid_measure_leaves(grid, nullptr, values->of_level, what, nullptr, error));
  if (values->error)
    TSR_CUDA(tsr_copy_async(&most, what.most, sizeof most, cudaMemcpyDeviceToHost, grid->stream),
             "reading the error");
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "taking the means of cells");
  if (values->error)
    memcpy(values->error, &most, sizeof most);
  if (values->means)
    TSR_STEP(tsr_transfer_down(grid->state, request->execution,
                               {{values->means, what.means, (size_t)n * sizeof(double)}}, nullptr,
                               0.7, 0.7, error));
  tsr_note_peak(*grid, request->report);
  grid->memory.free_one(what.most);
  grid->memory.free_one(what.means);
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_cuda_values(tsr_grid_device *grid, const tsr_grid_request *request,
                                const tsr_grid_values *values, int *done, tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  TSR_STEP(scope.check(error));
  const tsr_grid_frame &f = grid->frame;
  tsr_measuring what = {};
  what.array = *values->array;
  what.array.data = tsr_find_uploaded(*grid, *values->array);
  what.leaves[1] = what.n = values->n;
  what.cells[1] = INT64_MAX;
  what.cell_data = values->cell_data;
  // Volumes and hidden cells are the CPU's.
  *done = !grid->failed && what.array.data && !f.hidden && !f.options.constrain &&
          values->n < INT32_MAX && (f.space.geometry == TSR_GEOMETRY_UNIFORM || !values->cell_data);
  const tsr_status status = *done ? measure(grid, request, values, what, error) : TSR_OK;
  grid->failed = grid->failed || status != TSR_OK;
  return status;
}

tsr_status tsr_grid_list_larger(tsr_grid_device *grid, const tsr_grid_node *nodes, int64_t n_nodes,
                                const int64_t *of_level, tsr_error *error) {
  level_lists lists;
  return make_list(grid, nodes, n_nodes, of_level, &lists, error);
}

tsr_status tsr_grid_measure_leaves(tsr_grid_device *grid, const tsr_plan_lists *lists,
                                   const int64_t *of_level, const tsr_measuring &what,
                                   const double *values, tsr_error *error) {
  level_lists larger;
  values_args it = {};
  it.frame = grid->frame_d;
  it.array = what.array;
  it.nodes = what.nodes;
  it.cut = lists ? lists->cuts.has : nullptr;
  it.leaves[0] = what.leaves[0];
  it.leaves[1] = what.leaves[1];
  it.most = what.most;
  TSR_STEP(make_list(grid, what.nodes, what.n, of_level, &larger, error));
  if (tsr_errors_are_plain(grid->frame, what.array))
    return start_errors(grid, it, of_level, larger, lists, values, error);
  return start_kernels(grid, it, of_level, larger, error);
}
