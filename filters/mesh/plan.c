/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Octrees of unstructured meshes: the spine. This file calls the phases in the order of the work,
 * and none of them calls back:
 *
 *     tsr_mesh_take              check.c    the caller's structs, copied and checked
 *     make
 *       tsr_mesh_check_cells     check.c    ids, kinds, finite points
 *       tsr_mesh_make_lattice    lattice.c  median edge, domain, places of points
 *       tsr_mesh_ask             touch/     nodes that cells ask for, corners that they hold
 *       tsr_mesh_find_boundary   boundary.c faces that one cell alone has, for whole cells
 *       until no field splits a leaf:
 *         tsr_mesh_make_tree       tree.c     leaves, and the cells of nodes that are split
 *         tsr_mesh_make_corners    corners.c  corners of leaves, and where their values come from
 *         tsr_mesh_split_by_fields values.c
 *     tsr_mesh_write             fill.c     every element once
 *
 * All work is steps (steps.h), which the executor runs on the CPU or on a device; common/run/plan.c
 * falls back to the CPU.
 */
#include "mesh/mesh.h"

#include <string.h>

static tsr_status make(void *data, tsr_error *error) {
  tsr_mesh_plan *plan = data;
  int done = 0;
  for (int note = 0; note < TSR_MESH_NOTES; ++note)
    plan->sizes.notes[note] = (tsr_note_count){0, -1};
  TSR_MESH_TRY(tsr_mesh_open(plan, error));
  plan->executor.done_first = 0.0;
  plan->executor.done_last = 0.1;
  TSR_MESH_TRY(tsr_mesh_check_cells(plan, error));
  if (plan->mesh.dimension == 0)
    return plan->executor.finish(&plan->executor, NULL, error);
  TSR_MESH_TRY(tsr_mesh_make_lattice(plan, error));
  plan->executor.done_first = 0.1;
  plan->executor.done_last = 0.4;
  TSR_MESH_TRY(tsr_mesh_ask(plan, error));
  if (plan->options.whole_cells)
    TSR_MESH_TRY(tsr_mesh_find_boundary(plan, error));
  for (;;) {
    TSR_MESH_TRY(tsr_mesh_make_tree(plan, error));
    TSR_MESH_TRY(tsr_mesh_make_corners(plan, error));
    if (plan->options.n_fields == 0)
      break;
    TSR_MESH_TRY(tsr_mesh_split_by_fields(plan, &done, error));
    if (done)
      break;
    tsr_mesh_drop_corners(plan);
    tsr_mesh_drop_leaves(plan);
  }
  return plan->executor.finish(&plan->executor, NULL, error);
}

static void drop(void *data) {
  tsr_mesh_plan *plan = data;
  tsr_mesh_plan none;
  tsr_mesh_close(plan);
  memset(&none, 0, sizeof none);
  none.base = plan->base;
  none.view = plan->view;
  none.options = plan->options;
  *plan = none;
}

static const tsr_plan_steps STEPS = {.size = sizeof(tsr_mesh_plan),
                                     .take = tsr_mesh_take,
                                     .make = make,
                                     .fill = tsr_mesh_write,
                                     .drop = drop,
                                     .on_host_only = "octrees of meshes"};

tsr_status tsr_mesh_plan_create(const tsr_mesh_view *view, const tsr_mesh_options *options,
                                const tsr_execution *execution, tsr_mesh_plan **plan,
                                tsr_error *error) {
  tsr_mesh_options defaults;
  tsr_mesh_options_init(&defaults);
  return tsr_plan_create(&STEPS, view, options ? options : &defaults, execution, plan, error);
}

void tsr_mesh_plan_free(tsr_mesh_plan *plan) { tsr_plan_free(&STEPS, plan); }

const tsr_mesh_sizes *tsr_mesh_plan_sizes(const tsr_mesh_plan *plan) { return &plan->sizes; }

void tsr_mesh_plan_report(const tsr_mesh_plan *plan, tsr_report *report) {
  *report = tsr_plan_report(&plan->base);
  report->items = plan->view.n_cells;
  report->points = plan->sizes.points;
  report->cells = plan->sizes.n;
}

tsr_status tsr_mesh_fill(tsr_mesh_plan *plan, const tsr_mesh_output *output, tsr_error *error) {
  tsr_mesh_output out;
  tsr_mesh_output_init(&out);
  TSR_MESH_TRY(tsr_copy_versioned(&out, sizeof out, output, "output", TSR_BAD_OPTION, error));
  TSR_MESH_TRY(
      tsr_check_list(out.attributes, out.n_attributes, "attributes", TSR_BAD_OPTION, error));
  return tsr_plan_fill(&STEPS, plan, &out, error);
}
