/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: what the caller gets to see of a plan. */
#include "grid/octree/octree.h"
#include "grid/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t tsr_grid_fine_cells(const tsr_grid_input *input) {
  const tsr_lattice *lattice = &input->lattice;
  const int deep = (lattice->levels - lattice->coarsen) * lattice->dimension;
  const int64_t n = tsr_grid_owned_cells(lattice) - input->n_hidden;
  return deep < 62 && n <= INT64_MAX >> deep ? n * ((int64_t)1 << deep) : INT64_MAX;
}

tsr_status tsr_grid_count_fine(const tsr_grid_view *view, const tsr_grid_options *options,
                               int64_t *cells, tsr_error *error) {
  tsr_grid_input input = {.n_hidden = 0};
  tsr_status status;
  if (!cells)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the number of cells has no place to go to");
  *cells = 0;
  status = tsr_grid_take_input(&input, view, options, NULL, error);
  if (status == TSR_OK)
    status = tsr_grid_check_options(&input.options, error);
  if (status == TSR_OK && input.view.octree)
    return tsr_octree_count_fine(&input.view, cells, error);
  if (status == TSR_OK)
    status = tsr_grid_set_lattice(&input, error);
  if (status != TSR_OK || input.lattice.dimension == 0)
    return status;
  status = tsr_grid_set_hidden(&input, error);
  if (status == TSR_OK)
    *cells = tsr_grid_fine_cells(&input);
  free(input.hidden);
  return status;
}

void tsr_grid_set_sizes(tsr_grid_plan *plan) {
  tsr_grid_sizes *sizes = &plan->sizes;
  const tsr_grid_parts *parts = plan->cuts.has ? &plan->cuts.all : NULL;
  tsr_grid_counts here = {.cells = parts ? parts->cells : plan->lists.n,
                          .cut_leaves = plan->cuts.all.cut,
                          .points = plan->points.n + plan->cuts.all.centres,
                          .connectivity = parts ? parts->entries : plan->points.connectivity,
                          .trees = plan->lists.trees,
                          .patches = plan->lists.n_patches,
                          .tree_level = plan->lists.tree_level};
  const tsr_grid_counts *counts = plan->on_device.output ? &plan->counts : &here;
  sizes->leaves = plan->leaves.n;
  sizes->cells = counts->cells;
  sizes->cut_leaves = counts->cut_leaves;
  sizes->points = counts->points;
  sizes->connectivity = counts->connectivity;
  sizes->trees = counts->trees;
  sizes->tree_level = counts->tree_level;
  sizes->patches = counts->patches;
  memcpy(sizes->leaves_of_level, plan->leaves.of_level, sizeof sizes->leaves_of_level);
  sizes->all_leaves = plan->leaves.all;
  sizes->threshold_scale = plan->criteria.scale;
}

tsr_status tsr_grid_tell(const tsr_grid_plan *plan, tsr_status status, const tsr_error *why,
                         tsr_error *error) {
  static const char *const advice[] = {
      [TSR_GRID_ADAPTIVE] = ": take fewer refine levels, raise the thresholds or set a cell budget",
      [TSR_GRID_COARSE] = ": take more coarsen levels",
      [TSR_GRID_FINE] = ": take fewer refine levels"};
  const int advises = status == TSR_NO_MEMORY && !plan->on_device.criteria;
  return tsr_fail(error, status, why->item, "%s%s", why->text,
                  advises ? advice[plan->input.options.mode] : "");
}

const tsr_grid_sizes *tsr_grid_plan_sizes(const tsr_grid_plan *plan) { return &plan->sizes; }

tsr_grid_marks tsr_grid_plan_marks(const tsr_grid_plan *plan) {
  const tsr_grid_marks marks = {plan->marks, plan->n_marks};
  return marks;
}

void tsr_grid_set_by_cpu(tsr_grid_plan *plan) {
  const tsr_grid_on_device *on_device = &plan->on_device;
  const tsr_lattice *lattice = &plan->input.lattice;
  const char *const names[] = {"levels below the input cells", "buffer and balance",
                               "cells, points and their arrays"};
  const int by_cpu[] = {!on_device->tree && lattice->levels > lattice->coarsen, !on_device->tree,
                        !on_device->output && plan->leaves.n > 0};
  char *text = plan->report.by_cpu;
  text[0] = '\0';
  for (int k = 0; k < 3 && on_device->criteria; ++k) {
    const size_t length = strlen(text);
    if (by_cpu[k])
      snprintf(text + length, sizeof plan->report.by_cpu - length, "%s%s", length > 0 ? ", " : "",
               names[k]);
  }
}

void tsr_grid_plan_report(const tsr_grid_plan *plan, tsr_report *report) {
  const tsr_lattice *lattice = &plan->input.lattice;
  if (plan->octree) {
    tsr_octree_plan_report(plan->octree, report);
    return;
  }
  *report = plan->report;
  if (report->backend != TSR_BACKEND_CUDA)
    report->backend = TSR_BACKEND_CPU;
  report->threads = plan->input.execution.threads;
  report->items = lattice->dimension > 0 ? tsr_grid_owned_cells(lattice) : 0;
  report->points = plan->sizes.points;
  report->cells = plan->sizes.cells;
  report->tolerance_scale = plan->sizes.threshold_scale;
}
