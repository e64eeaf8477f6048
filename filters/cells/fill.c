/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: the fill. */
#include "cells/placed.h"
#include "cells/volumes/solids_plan.h"

/* Progress. */
#define FIRST 0.4
#define CORNERS 0.45
#define ALONG_EDGES 0.55
#define INSIDE 0.8
#define WITH_NORMALS 0.85

/* Points or cells that an item of a step makes: on a device few, so that few large faces give all
 * threads work. */
enum { DEVICE_SHARE = 4, HOST_SHARE = 256 };

/* Bits of the numbers below n. */
static int bits_of(int64_t n) {
  int bits = 1;
  while (n >> bits)
    ++bits;
  return bits;
}

/* Shares of the points inside faces. */
static int64_t inside_shares(const tsr_cells_plan *plan, const tsr_cells_filler *filler) {
  return tsr_shares(plan->inside, filler->share);
}

/* Sorts the corners of items by their points. */
static tsr_status sort_corners(tsr_cells_plan *plan, tsr_cells_filler *filler, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  const tsr_cells_work *work = &plan->work;
  int64_t n = 0;
  tsr_status status = e->alloc(e, (void **)&filler->item_corners, work->n_items + 1,
                               sizeof *filler->item_corners, "the corners of faces", error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_count_corners, *filler, work->n_items, error);
  if (status == TSR_OK)
    status = e->scan(e, filler->item_corners, work->n_items, error);
  if (status == TSR_OK)
    status = e->read(e, &n, filler->item_corners + work->n_items, sizeof n, error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&filler->corner_item, n, sizeof *filler->corner_item,
                      "the corners of faces", error);
  if (status == TSR_OK)
    status = e->alloc_pairs(e, &filler->around_corners, n, "the sorting of corners", error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_pair_corners, *filler, work->n_items, error);
  return status == TSR_OK ? e->sort(e, &filler->around_corners, bits_of(plan->sizes.corners), error)
                          : status;
}

/* Makes the normals. */
static tsr_status make_normals(tsr_cells_plan *plan, tsr_cells_filler *filler, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_status status = TSR_EACH(e, tsr_cells_clear_normal, *filler, plan->sizes.points, error);
  if (status == TSR_OK)
    status = e->alloc_pairs(e, &filler->around_edges, plan->work.n_slots, "normals", error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_pair_slot, *filler, plan->work.n_slots, error);
  if (status == TSR_OK)
    status = e->sort(e, &filler->around_edges, bits_of(plan->work.n_edges), error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_corner_normals, *filler, filler->around_corners.n, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_edge_normals, *filler, filler->around_edges.n, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_face_normals, *filler, inside_shares(plan, filler), error);
  e->free_pairs(e, &filler->around_edges);
  return status;
}

/* Makes the parametric coordinates. */
static tsr_status make_parameters(tsr_cells_plan *plan, tsr_cells_filler *filler,
                                  tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_status status =
      TSR_EACH(e, tsr_cells_corner_parameters, *filler, filler->around_corners.n, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_edge_parameters, *filler, plan->work.n_edges, error);
  return status == TSR_OK
             ? TSR_EACH(e, tsr_cells_inside_parameters, *filler, inside_shares(plan, filler), error)
             : status;
}

/* Makes what items tell of their points: normals and parametric coordinates. */
static tsr_status make_from_items(tsr_cells_plan *plan, tsr_cells_filler *filler,
                                  tsr_error *error) {
  tsr_executor *e = &plan->executor;
  const int parameters = filler->parameters || filler->parameter_cell;
  tsr_status status = TSR_OK;
  if (filler->normals || parameters)
    status = sort_corners(plan, filler, error);
  if (status == TSR_OK && filler->normals)
    status = make_normals(plan, filler, error);
  if (status == TSR_OK && parameters)
    status = make_parameters(plan, filler, error);
  e->free_pairs(e, &filler->around_corners);
  e->free(e, filler->item_corners);
  e->free(e, filler->corner_item);
  return status;
}

static tsr_status run_steps(tsr_cells_plan *plan, tsr_cells_filler *filler, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  const tsr_cells_work *work = &plan->work;
  tsr_status status = TSR_OK;
  if (filler->n_points > 0) {
    tsr_cells_progress(plan, FIRST, CORNERS);
    status = TSR_EACH(e, tsr_cells_fill_corner, *filler, work->view.points.tuples, error);
    tsr_cells_progress(plan, CORNERS, ALONG_EDGES);
    if (status == TSR_OK)
      status = TSR_EACH(e, tsr_cells_fill_edge, *filler, work->n_edges, error);
    tsr_cells_progress(plan, ALONG_EDGES, INSIDE);
    if (status == TSR_OK)
      status = TSR_EACH(e, tsr_cells_fill_inside, *filler, inside_shares(plan, filler), error);
    if (status == TSR_OK)
      status = tsr_solids_fill_points(plan, filler, error);
  }
  tsr_cells_progress(plan, INSIDE, WITH_NORMALS);
  if (status == TSR_OK)
    status = make_from_items(plan, filler, error);
  tsr_cells_progress(plan, WITH_NORMALS, 1.0);
  if (status == TSR_OK)
    status =
        TSR_EACH(e, tsr_cells_fill_item, *filler, tsr_shares(plan->cells, filler->share), error);
  if (status == TSR_OK)
    status = tsr_solids_fill_cells(plan, filler, error);
  return status == TSR_OK && work->curves
             ? TSR_EACH(e, tsr_cells_fill_line, *filler, work->n_edges, error)
             : status;
}

/* Sets the last entry of each list of offsets, which no step writes. */
static void end_offsets(const tsr_cells_sizes *sizes, const tsr_cells_output *out) {
  if (out->vert_offsets)
    out->vert_offsets[sizes->verts] = sizes->vert_connectivity;
  if (out->line_offsets)
    out->line_offsets[sizes->lines] = sizes->line_connectivity;
  if (out->poly_offsets)
    out->poly_offsets[sizes->polys] = sizes->poly_connectivity;
  if (out->solid_offsets)
    out->solid_offsets[sizes->solids] = sizes->solid_connectivity;
}

tsr_status tsr_cells_fill_output(tsr_cells_plan *plan, const tsr_cells_output *out,
                                 tsr_error *error) {
  tsr_cells_filler filler = {.work = plan->work,
                             .share = plan->device ? DEVICE_SHARE : HOST_SHARE,
                             .first_edge_point = plan->sizes.corners};
  tsr_cells_placed placed = {0};
  tsr_status status = tsr_cells_placed_open(&placed, plan, out, &filler, error);
  if (status == TSR_OK)
    status = plan->executor.read(&plan->executor, &filler.first_face_point,
                                 plan->work.edge_first + plan->work.n_edges,
                                 sizeof filler.first_face_point, error);
  filler.first_face_point += plan->sizes.corners;
  if (status == TSR_OK)
    status = run_steps(plan, &filler, error);
  if (status == TSR_OK)
    status = tsr_cells_placed_bring(&placed, plan, error);
  if (status == TSR_OK)
    end_offsets(&plan->sizes, out);
  tsr_cells_placed_close(&placed, plan);
  return status;
}
