/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curved cells: the spine.
 *
 *     take                       check.c     the caller's structs, checked
 *     make                                   on the plan's executor:
 *       tsr_cells_merge          merge.c       points with equal positions as one, on request
 *       tsr_cells_find_items     items.c       what is drawn: outside/items_math.h
 *       tsr_cells_find_fields    criteria.c    ranges, forms of the degrees
 *     make again, from here, for each scale that budget.c tries
 *       tsr_cells_set_criteria                 what the options allow
 *       tsr_cells_divide_all     count.c     calls:
 *         tsr_cells_find_edges   items.c       corners and flat faces: outside/plain_math.h; edges
 *                                              and their steps: outside/edges_math.h
 *         tsr_cells_count                      divided faces: divide/; sizes
 *     fill                       fill.c      points, then cells: output/
 *       tsr_cells_placed_*       placed.c      where the steps write
 *
 * All work is steps (steps.h), which the executor runs on the CPU or on a device.
 * volumes/solids_plan.h has what is added to these steps where the output is TSR_CELLS_VOLUMES.
 *
 * common/run/plan.c calls take, make and fill.
 */
#include "cells/plan.h"
#include "cells/volumes/solids_plan.h"

#include <stdlib.h>
#include <string.h>

/* Copies the caller's structs and checks them. */
static tsr_status take(void *data, const void *view, const void *options, tsr_error *error) {
  tsr_cells_plan *plan = data;
  tsr_status status;
  tsr_cells_view_init(&plan->view);
  tsr_cells_options_init(&plan->options);
  status = tsr_copy_versioned(&plan->view, sizeof plan->view, view, "view", TSR_BAD_INPUT, error);
  if (status == TSR_OK)
    status = tsr_copy_versioned(&plan->options, sizeof plan->options, options, "options",
                                TSR_BAD_OPTION, error);
  plan->scale = 1.0;
  return status == TSR_OK ? tsr_cells_check(&plan->view, &plan->options, error) : status;
}

/* Brings the view's arrays to where the steps can read them. */
static tsr_status place_view(tsr_cells_plan *plan, tsr_error *error) {
  tsr_cells_view *view = &plan->work.view;
  const tsr_array from[] = {
      plan->view.points,
      plan->view.weights,
      plan->view.degrees,
      {plan->view.types, TSR_UINT8, 1, plan->view.n_cells},
      {plan->view.roles, TSR_UINT8, 1, plan->view.roles ? plan->view.n_cells : 0},
      {plan->view.offsets, plan->view.index_type, 1,
       plan->view.n_cells > 0 ? plan->view.n_cells + 1 : 0},
      {plan->view.connectivity, plan->view.index_type, 1, plan->view.n_connectivity}};
  void *to[7];
  const tsr_status status = plan->executor.input(&plan->executor, from, 7, 1, to, error);
  *view = plan->view;
  if (status != TSR_OK)
    return status;
  view->points.data = to[0];
  view->weights.data = to[1];
  view->degrees.data = to[2];
  view->types = to[3];
  view->roles = to[4];
  view->offsets = to[5];
  view->connectivity = to[6];
  return TSR_OK;
}

/* Finds what no scale of the criteria changes. */
static tsr_status prepare(tsr_cells_plan *plan, tsr_error *error) {
  tsr_status status = tsr_cells_open(plan, error);
  if (status == TSR_OK)
    status = place_view(plan, error);
  if (status == TSR_OK && plan->options.merge_points)
    status = tsr_cells_merge(plan, error);
  plan->work.curves = plan->options.output == TSR_CELLS_CURVES;
  plan->work.solids.on = plan->options.output == TSR_CELLS_VOLUMES;
  if (status == TSR_OK)
    status = tsr_cells_find_items(plan, error);
  if (status == TSR_OK)
    status = tsr_cells_find_fields(plan, error);
  for (int k = 0; status == TSR_OK && k < TSR_CELLS_NOTES; ++k)
    plan->sizes.notes[k] = k < TSR_CELLS_NOTE_LIMIT    ? plan->facts.notes[k]
                           : k == TSR_CELLS_NOTE_SOLID ? plan->facts.notes[TSR_LOOK_SOLID]
                                                       : (tsr_note_count){0, -1};
  plan->prepared = status == TSR_OK;
  return status;
}

static tsr_status make(void *data, tsr_error *error) {
  tsr_cells_plan *plan = data;
  tsr_status status = plan->prepared ? TSR_OK : prepare(plan, error);
  if (status == TSR_OK)
    status = tsr_cells_set_criteria(plan, error);
  if (status == TSR_OK && !(plan->options.defer_count && !plan->fits))
    status = tsr_cells_divide_all(plan, error);
  return status == TSR_OK ? plan->executor.finish(&plan->executor, NULL, error) : status;
}

static tsr_status fill(void *plan, const void *output, tsr_error *error) {
  return tsr_cells_fill_output(plan, output, error);
}

static void drop(void *data) {
  static const tsr_cells_work none;
  static const tsr_cells_sizes no_sizes;
  tsr_cells_plan *plan = data;
  tsr_executor *e = &plan->executor;
  if (e->free) {
    tsr_cells_forget(plan);
    e->free(e, plan->work.items);
    e->free(e, plan->scaled);
    e->free(e, plan->merged);
    tsr_solids_drop(plan);
  }
  tsr_cells_close(plan);
  free(plan->forms);
  free(plan->tetra_forms);
  free(plan->fields);
  plan->forms = plan->tetra_forms = NULL;
  plan->merged = NULL;
  plan->fields = plan->scaled = NULL;
  *e = (tsr_executor){0};
  plan->work = none;
  plan->sizes = no_sizes;
  plan->counted = plan->prepared = 0;
}

/* On an H200 beside 16 threads of the CPU, surfaces take as long at about 50,000 ids of cells, and
 * tetrahedra of 27,000 ids 0.42 times as long (testing/bench/bench_cells_backends.py). Those of a
 * few cells may be millions, or so few that a device that has not started yet takes longer. */
static int suits_device(const void *data) {
  const tsr_cells_plan *plan = data;
  const int64_t least = plan->options.output == TSR_CELLS_VOLUMES ? 10000 : 50000;
  return plan->view.n_connectivity >= least;
}

static const tsr_plan_steps STEPS = {.size = sizeof(tsr_cells_plan),
                                     .take = take,
                                     .suits_device = suits_device,
                                     .make = make,
                                     .fill = fill,
                                     .drop = drop,
                                     .on_host_only = "cells"};

tsr_status tsr_cells_divide_at(tsr_cells_plan *plan, double scale, tsr_error *error) {
  plan->scale = scale;
  plan->fits = 1;
  return tsr_plan_make(&STEPS, plan, error);
}

tsr_status tsr_cells_plan_create(const tsr_cells_view *view, const tsr_cells_options *options,
                                 const tsr_execution *execution, tsr_cells_plan **plan,
                                 tsr_error *error) {
  return tsr_plan_create(&STEPS, view, options, execution, plan, error);
}

void tsr_cells_plan_free(tsr_cells_plan *plan) { tsr_plan_free(&STEPS, plan); }

const tsr_cells_sizes *tsr_cells_plan_sizes(const tsr_cells_plan *plan) { return &plan->sizes; }

void tsr_cells_plan_report(const tsr_cells_plan *plan, tsr_report *report) {
  const tsr_cells_sizes *sizes = &plan->sizes;
  *report = tsr_plan_report(&plan->base);
  report->items = plan->view.n_cells;
  report->spans = sizes->faces;
  report->points = sizes->points;
  report->cells = sizes->verts + sizes->lines + sizes->polys + sizes->solids;
  report->chord_tolerance = sizes->chord;
  report->tolerance_scale = sizes->scale;
}

tsr_status tsr_cells_fill(tsr_cells_plan *plan, const tsr_cells_output *output, tsr_error *error) {
  tsr_cells_output out;
  tsr_status status = tsr_need(plan != NULL, "the plan", error);
  if (status != TSR_OK)
    return status;
  tsr_cells_output_init(&out);
  status = tsr_copy_versioned(&out, sizeof out, output, "output", TSR_BAD_OPTION, error);
  if (status == TSR_OK && !plan->counted)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the plan has not been fitted to its budget");
  if (status == TSR_OK && plan->work.solids.on &&
      (out.normals || out.parameters || out.parameter_cell))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the output of volume cells has no normals and no parametric coordinates");
  if (status == TSR_OK)
    status = tsr_cells_check_output(&plan->view, &out, error);
  return status == TSR_OK ? tsr_plan_fill(&STEPS, plan, &out, error) : status;
}
