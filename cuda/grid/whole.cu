// SPDX-License-Identifier: BSD-3-Clause
// A whole plan on the device, step by step.
#include "cuda/grid/whole.cuh"

namespace {

// Seconds of the device's clock from `begin` on, added to the report.
tsr_status start_clock(tsr_grid_device *grid, tsr_error *error) {
  TSR_CUDA(cudaEventRecord(grid->begin, grid->stream), "starting the device's clock");
  return TSR_OK;
}

const int most_deep = 10; // levels below the input cells

tsr_status stop_clock(tsr_grid_device *grid, const tsr_grid_request *request, tsr_error *error) {
  float milliseconds = 0.0f;
  TSR_CUDA(cudaEventRecord(grid->end, grid->stream), "stopping the device's clock");
  TSR_CUDA(cudaEventSynchronize(grid->end), "making the plan");
  TSR_CUDA(cudaEventElapsedTime(&milliseconds, grid->begin, grid->end), "reading the clock");
  request->report->device_plan_seconds += 1e-3 * (double)milliseconds;
  tsr_note_peak(*grid, request->report);
  return TSR_OK;
}

// Counts the leaves of the tree as it is.
tsr_status count_leaves(tsr_grid_device *grid, tsr_leaf_list *leaves, tsr_grid_counts *counts,
                        tsr_error *error) {
  TSR_STEP(tsr_grid_count_leaves(grid, leaves, counts, error));
  if (tsr_is_deep(grid->frame.lattice))
    TSR_STEP(tsr_grid_count_part_leaves(grid, leaves, counts, error));
  return TSR_OK;
}

// Lists the leaves that were counted, and of conforming grids counts the parts of those that are
// cut.
tsr_status list_leaves(tsr_grid_device *grid, tsr_grid_whole *whole, tsr_error *error) {
  tsr_leaf_list *leaves = &whole->lists.leaves;
  TSR_STEP(tsr_is_deep(grid->frame.lattice) ? tsr_grid_list_part_leaves(grid, leaves, error)
                                            : tsr_grid_list_leaves(grid, leaves, error));
  return grid->frame.options.output == TSR_GRID_CONFORMING
             ? tsr_grid_count_parts(grid, *leaves, &whole->ways, &whole->lists.cuts, error)
             : TSR_OK;
}

// Drops what a step of the search for a budget listed.
void drop_leaves(tsr_grid_device *grid, tsr_plan_lists *lists) {
  tsr_cut_list &cuts = lists->cuts;
  for (void *memory : {(void *)lists->leaves.nodes, (void *)cuts.has, (void *)cuts.list,
                       (void *)cuts.cell, (void *)cuts.entry, (void *)cuts.centre})
    grid->memory.free_one(memory);
  lists->leaves.nodes = nullptr;
  cuts = {};
}

// Counts the cells after leaves are cut, where a budget bounds them, and the leaves alone are
// within it. Their lists stay.
tsr_status count_cells(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error) {
  const tsr_grid_options &o = grid->frame.options;
  counts->cells = counts->leaves;
  if (o.output != TSR_GRID_CONFORMING || o.mode != TSR_GRID_ADAPTIVE ||
      counts->leaves > o.cell_budget || counts->leaves >= tsr_whole_most)
    return TSR_OK;
  TSR_STEP(list_leaves(grid, grid->whole, error));
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "counting the parts of cells");
  tsr_grid_take_parts(grid, &grid->whole->ways, &grid->whole->lists.cuts);
  counts->cells = grid->whole->lists.cuts.cells;
  return TSR_OK;
}

// Lists the leaves, their points and the parts of those that are cut.
tsr_status list_cells(tsr_grid_device *grid, tsr_executor *e, tsr_grid_counts *counts,
                      tsr_error *error) {
  tsr_plan_lists &lists = grid->whole->lists;
  if (!lists.leaves.nodes)
    TSR_STEP(list_leaves(grid, grid->whole, error));
  TSR_STEP(tsr_grid_number_points(grid, e, &lists, error));
  TSR_STEP(tsr_grid_list_places(grid, &lists.points, error));
  counts->points = lists.points.n;
  counts->connectivity = lists.points.bits.connectivity;
  if (grid->frame.options.output == TSR_GRID_CONFORMING) {
    tsr_grid_take_parts(grid, &grid->whole->ways, &lists.cuts);
    counts->cells = lists.cuts.cells;
    counts->connectivity = lists.cuts.entries;
    counts->cut_leaves = lists.cuts.n;
    counts->points += lists.cuts.centres;
  }
  return TSR_OK;
}

} // namespace

int tsr_grid_cuda_can_list(const tsr_grid_device *grid, const tsr_grid_request *request) {
  const tsr_lattice &lattice = *request->lattice;
  const tsr_grid_options &o = *request->options;
  const int deep = lattice.levels - lattice.coarsen;
  // The sides of polygons and the values of constrained points depend on leaves of other processes.
  const int crosses = o.output == TSR_GRID_POLYGONS || (o.constrain && o.output == TSR_GRID_CELLS);
  int fits = deep <= most_deep && !(crosses && o.n_ranks > 1);
  for (int a = 0; a < 3; ++a)
    fits = fits && lattice.cells[a] < ((int64_t)1 << (TSR_PLACE_BITS - 1)) >> deep;
  return fits && tsr_range_nodes(grid->frame, lattice.coarsen) > 0 &&
         tsr_range_nodes(grid->frame, tsr_unit_level(&lattice)) < tsr_whole_most &&
         grid->n_bytes < tsr_whole_most;
}

int tsr_grid_cuda_is_whole(const tsr_grid_device *grid, const tsr_grid_request *request) {
  const tsr_lattice &lattice = *request->lattice;
  const tsr_grid_options &o = *request->options;
  int fits = o.n_ranks <= 1;
  for (int a = 0; a < 3; ++a)
    fits = fits && lattice.owned[a][0] == 0 && lattice.owned[a][1] == lattice.roots[a] &&
           lattice.held[a][0] == 0 && lattice.held[a][1] == lattice.cells[a];
  return fits && tsr_grid_cuda_can_list(grid, request);
}

tsr_status tsr_grid_cuda_refine(tsr_grid_device *grid, const tsr_grid_request *request,
                                tsr_grid_counts *counts, tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  TSR_STEP(scope.check(error));
  TSR_STEP(start_clock(grid, error));
  tsr_grid_refining &r = grid->whole->refining;
  drop_leaves(grid, &grid->whole->lists);
  const int coarsen = grid->frame.lattice.coarsen;
  TSR_STEP(tsr_grid_add_marks(grid, request, 0, coarsen + 1, &r.marks, error));
  if (tsr_has_bricks(grid->frame.lattice)) {
    TSR_STEP(tsr_grid_descend_parts(grid, request, &r.bricks, error));
    TSR_STEP(tsr_grid_add_marks(grid, request, coarsen + 1, TSR_GRID_MAX_LEVEL, &r.marks, error));
  }
  TSR_STEP(tsr_grid_close_tree(grid, request, &r, &grid->whole->ways, error));
  TSR_STEP(count_leaves(grid, &grid->whole->lists.leaves, counts, error));
  TSR_STEP(count_cells(grid, counts, error));
  return stop_clock(grid, request, error);
}

tsr_status tsr_grid_cuda_take_tree(tsr_grid_device *grid, const tsr_grid_request *request,
                                   tsr_grid_counts *counts, tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  TSR_STEP(scope.check(error));
  TSR_STEP(tsr_grid_upload_tree(grid, request, error));
  TSR_STEP(start_clock(grid, error));
  TSR_STEP(count_leaves(grid, &grid->whole->lists.leaves, counts, error));
  return stop_clock(grid, request, error);
}

tsr_status tsr_grid_cuda_list(tsr_grid_device *grid, const tsr_grid_request *request,
                              tsr_grid_counts *counts, tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  TSR_STEP(scope.check(error));
  if (counts->leaves >= tsr_whole_most)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                           "CUDA cannot be used for %lld cells at once: take Backend CPU",
                           (long long)counts->leaves);
  tsr_report times;
  tsr_executor e;
  counts->cells = counts->leaves;
  counts->cut_leaves = counts->points = counts->connectivity = 0;
  TSR_STEP(tsr_grid_begin_steps(grid, request, &times, &e, error));
  TSR_STEP(grid->frame.options.output == TSR_GRID_TREES ||
                   grid->frame.options.output == TSR_GRID_PATCHES
               ? tsr_grid_list_nodes(grid, &e, &grid->whole->lists, counts, error)
               : list_cells(grid, &e, counts, error));
  return tsr_grid_end_steps(grid, request, &e, error);
}
