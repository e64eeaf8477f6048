// SPDX-License-Identifier: BSD-3-Clause
// Trees, patches and polygons of a whole plan: the steps of filters/grid/steps.h as kernels.
#include "cuda/common/executor.cuh"
#include "cuda/grid/output/fill.cuh"
#include "grid/steps.h"

TSR_GRID_STEPS(TSR_STEP_KERNEL)
TSR_STEP_KERNEL(tsr_trees_root, tsr_trees_roots)
TSR_STEP_KERNEL(tsr_sides_fill, tsr_sides_filling)

namespace {

// Calls list(executor), and adds the time of its kernels to the plan's.
template <class List>
tsr_status run(tsr_grid_device *grid, const tsr_grid_request *request, const List &list,
               tsr_error *error) {
  static const tsr_launch launches[] = {TSR_GRID_STEPS(TSR_STEP_ENTRY)};
  tsr_report times = {};
  tsr_executor e;
  tsr_executor_on_device(&e, grid, request->execution, &times, launches, nullptr);
  TSR_STEP(list(&e));
  TSR_STEP(e.finish(&e, nullptr, error));
  request->report->device_plan_seconds += times.device_seconds;
  tsr_note_peak(*grid, request->report);
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_list_nodes(tsr_grid_device *grid, const tsr_grid_request *request,
                               tsr_plan_lists *lists, tsr_grid_counts *counts, tsr_error *error) {
  const tsr_grid_frame &f = grid->frame;
  const tsr_made_tree made = {&grid->frame_d->lattice, &grid->frame_d->tree, f.hidden};
  tsr_grid_lists &made_lists = lists->trees;
  made_lists = {};
  const auto list = [&](tsr_executor *e) {
    return f.options.output == TSR_GRID_TREES
               ? tsr_list_trees(e, &f.lattice, &made, &made_lists, error)
               : tsr_list_patches(e, &f.lattice, &made, f.options.block_size, &made_lists, error);
  };
  TSR_STEP(run(grid, request, list, error));
  if (made_lists.n >= tsr_whole_most)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                           "CUDA cannot be used for %lld cells at once: take Backend CPU",
                           (long long)made_lists.n);
  lists->leaves.nodes = made_lists.nodes;
  lists->leaves.n = counts->cells = made_lists.n;
  counts->trees = made_lists.trees;
  counts->tree_level = made_lists.tree_level;
  counts->patches = made_lists.n_patches;
  return TSR_OK;
}

tsr_status tsr_grid_count_sides(tsr_grid_device *grid, const tsr_grid_request *request,
                                tsr_plan_lists *lists, tsr_error *error) {
  const auto list = [&](tsr_executor *e) {
    return tsr_list_sides(e, &grid->frame_d->lattice, lists->leaves.nodes, lists->leaves.n,
                          &lists->points.bits, error);
  };
  return run(grid, request, list, error);
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
