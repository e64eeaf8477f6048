// SPDX-License-Identifier: BSD-3-Clause
// Trees, patches, points and polygons of a whole plan: the steps of filters/grid/steps.h as
// kernels.
#include "cuda/common/executor.cuh"
#include "cuda/grid/output/fill.cuh"
#include "grid/steps.h"

TSR_GRID_STEPS(TSR_STEP_KERNEL)
TSR_STEP_KERNEL(tsr_trees_root, tsr_trees_roots)
TSR_STEP_KERNEL(tsr_sides_fill, tsr_sides_filling)

tsr_status tsr_grid_begin_steps(tsr_grid_device *grid, const tsr_grid_request *request,
                                tsr_report *times, tsr_executor *e, tsr_error *error) {
  static const tsr_launch launches[] = {TSR_GRID_STEPS(TSR_STEP_ENTRY)};
  TSR_CUDA(cudaEventRecord(grid->begin, grid->stream), "starting the device's clock");
  grid->timing = true;
  *times = {};
  tsr_executor_on_device(e, grid, request->execution, times, launches, nullptr);
  return TSR_OK;
}

tsr_status tsr_grid_end_steps(tsr_grid_device *grid, const tsr_grid_request *request,
                              tsr_executor *e, tsr_error *error) {
  TSR_STEP(e->finish(e, nullptr, error));
  request->report->device_plan_seconds += e->report->device_seconds;
  tsr_note_peak(*grid, request->report);
  return TSR_OK;
}

tsr_status tsr_grid_list_nodes(tsr_grid_device *grid, tsr_executor *e, tsr_plan_lists *lists,
                               tsr_grid_counts *counts, tsr_error *error) {
  const tsr_grid_frame &f = grid->frame;
  const tsr_made_tree made = {&grid->frame_d->lattice, &grid->frame_d->tree, f.hidden};
  tsr_grid_lists &trees = lists->trees;
  trees = {};
  TSR_STEP(f.options.output == TSR_GRID_TREES
               ? tsr_list_trees(e, &f.lattice, &made, &trees, error)
               : tsr_list_patches(e, &f.lattice, &made, f.options.block_size, &trees, error));
  if (trees.n >= tsr_whole_most)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                           "CUDA cannot be used for %lld cells at once: take Backend CPU",
                           (long long)trees.n);
  lists->leaves.nodes = trees.nodes;
  lists->leaves.n = counts->cells = trees.n;
  counts->trees = trees.trees;
  counts->tree_level = trees.tree_level;
  counts->patches = trees.n_patches;
  return TSR_OK;
}

tsr_status tsr_grid_number_points(tsr_grid_device *grid, tsr_executor *e, tsr_plan_lists *lists,
                                  tsr_error *error) {
  const tsr_lattice *lattice = &grid->frame_d->lattice;
  const tsr_leaf_list &leaves = lists->leaves;
  const tsr_points_source from = {lattice, leaves.nodes, leaves.n, lists->cuts.has, nullptr, 0};
  tsr_grid_points &points = lists->points.bits;
  points = {};
  TSR_STEP(tsr_number_points(e, &grid->frame.lattice, &from, &points, error));
  return grid->frame.options.output == TSR_GRID_POLYGONS
             ? tsr_list_sides(e, lattice, leaves.nodes, leaves.n, &points, error)
             : TSR_OK;
}

tsr_status tsr_grid_fill_sides(tsr_grid_device *grid, const tsr_plan_lists &lists,
                               const tsr_grid_shapes &to, tsr_error *error) {
  const tsr_sides_filling job = {
      {&grid->frame_d->lattice, lists.leaves.nodes, lists.points.bits, nullptr},
      to.offsets,
      to.connectivity,
      to.index_type,
      to.cell_type,
      to.type_of[TSR_GRID_CELL_LEAF]};
  TSR_CUDA(tsr_sides_fill_entry(&job, lists.leaves.n, grid->stream), "making the polygons");
  return TSR_OK;
}

tsr_status tsr_grid_tree_roots(tsr_grid_device *grid, const tsr_plan_lists &lists, int64_t trees,
                               int32_t *to, tsr_error *error) {
  const tsr_trees_roots job = {to, lists.leaves.nodes, lists.trees.tree_first};
  TSR_CUDA(tsr_trees_root_entry(&job, trees, grid->stream), "listing the trees");
  return TSR_OK;
}
