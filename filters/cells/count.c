/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: how each item is divided, and the sizes of the output. */
#include "cells/volumes/solids_plan.h"

/* Progress. */
#define EDGES 0.25
#define PLANNED 0.4

#define ALLOC(MEMBER, N, WHAT)                                                                     \
  e->alloc(e, (void **)&work->MEMBER, (N), sizeof *work->MEMBER, (WHAT), error)

static tsr_status divide_items(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_work *work = &plan->work;
  const int64_t n = work->n_items;
  tsr_divided_facts facts;
  tsr_status status = ALLOC(divided, n, "the divided faces");
  if (status == TSR_OK)
    status = ALLOC(item_points, n + 1, "the points of faces");
  if (status == TSR_OK)
    status = ALLOC(item_cells, n + 1, "the triangles of faces");
  if (status == TSR_OK)
    status = ALLOC(item_ids, n + 1, "the triangles of faces");
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_divide, *work, n, error);
  if (status == TSR_OK)
    status = e->scan(e, work->item_points, n, error);
  if (status == TSR_OK)
    status = e->scan(e, work->item_cells, n, error);
  if (status == TSR_OK)
    status = e->scan(e, work->item_ids, n, error);
  if (status == TSR_OK)
    status = TSR_REDUCE(e, tsr_cells_sum, *work, n, &facts, error);
  if (status == TSR_OK) {
    plan->sizes.notes[TSR_CELLS_NOTE_LIMIT] = facts.limit;
    plan->sizes.notes[TSR_CELLS_NOTE_ANGLE] = facts.angle;
    plan->sizes.faces = facts.faces;
  }
  return status;
}

/* Reads the sums at the places where a kind of items begins, and at the end. */
static tsr_status read_kinds(tsr_cells_plan *plan, const int64_t *sums, int64_t *verts,
                             int64_t *lines, int64_t *polys, tsr_error *error) {
  const tsr_cells_work *work = &plan->work;
  tsr_executor *e = &plan->executor;
  const int64_t at[3] = {work->first_line_item, work->first_face_item, work->n_items};
  int64_t sum[3] = {0, 0, 0};
  tsr_status status = TSR_OK;
  for (int k = 0; k < 3 && status == TSR_OK; ++k)
    status = e->read(e, &sum[k], sums + at[k], sizeof sum[k], error);
  *verts = sum[0];
  *lines = sum[1] - sum[0];
  *polys = sum[2] - sum[1];
  return status;
}

static tsr_status read_sizes(tsr_cells_plan *plan, tsr_error *error) {
  const tsr_cells_work *work = &plan->work;
  tsr_executor *e = &plan->executor;
  tsr_cells_sizes *sizes = &plan->sizes;
  int64_t edge_points = 0;
  tsr_status status = e->read(e, &sizes->corners, work->corners + work->view.points.tuples,
                              sizeof sizes->corners, error);
  if (status == TSR_OK)
    status = e->read(e, &edge_points, work->edge_first + work->n_edges, sizeof edge_points, error);
  if (status == TSR_OK)
    status =
        e->read(e, &plan->inside, work->item_points + work->n_items, sizeof plan->inside, error);
  if (status == TSR_OK)
    status = read_kinds(plan, work->item_cells, &sizes->verts, &sizes->lines, &sizes->polys, error);
  if (status == TSR_OK)
    status = read_kinds(plan, work->item_ids, &sizes->vert_connectivity, &sizes->line_connectivity,
                        &sizes->poly_connectivity, error);
  plan->cells = sizes->verts + sizes->lines + sizes->polys;
  if (status == TSR_OK && work->curves) {
    sizes->lines += work->n_edges;
    sizes->line_connectivity += edge_points + 2 * work->n_edges;
  }
  sizes->points = sizes->corners + edge_points + plan->inside;
  sizes->edges = work->n_edges;
  return status;
}

tsr_status tsr_cells_count(tsr_cells_plan *plan, tsr_error *error) {
  const int64_t limit = plan->options.limit_points;
  tsr_cells_progress(plan, EDGES, PLANNED);
  tsr_status status = divide_items(plan, error);
  if (status == TSR_OK)
    status = read_sizes(plan, error);
  if (status == TSR_OK && (limit == 0 || plan->sizes.points <= limit))
    status = tsr_solids_count(plan, error);
  if (status == TSR_OK && limit > 0 && plan->sizes.points > limit)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the output has %lld points, but at most %lld are allowed",
                    (long long)plan->sizes.points, (long long)limit);
  return status;
}

void tsr_cells_forget(tsr_cells_plan *plan) {
  tsr_executor *e = &plan->executor;
  tsr_cells_work *work = &plan->work;
  tsr_solids_forget(plan);
  const void *const arrays[] = {work->plain,      work->sides,     work->slot_item,
                                work->edge_of,    work->edge_slot, work->edge_steps,
                                work->edge_first, work->divided,   work->item_points,
                                work->item_cells, work->item_ids,  work->corners};
  for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; ++k)
    e->free(e, arrays[k]);
  work->sides = work->slot_item = work->edge_of = work->edge_slot = work->edge_first = NULL;
  work->item_points = work->item_cells = work->item_ids = work->corners = NULL;
  work->edge_steps = NULL;
  work->divided = NULL;
  work->plain = NULL;
}

tsr_status tsr_cells_divide_all(tsr_cells_plan *plan, tsr_error *error) {
  tsr_status status;
  tsr_cells_forget(plan);
  plan->counted = 0;
  status = tsr_cells_find_edges(plan, error);
  if (status == TSR_OK)
    status = tsr_cells_count(plan, error);
  plan->counted = status == TSR_OK;
  return status;
}
