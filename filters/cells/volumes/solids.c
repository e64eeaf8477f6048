/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells, output Cells: the solids of a plan. */
#include "cells/volumes/solids_plan.h"

#include "common/support.h"

#define ALLOC(MEMBER, N, WHAT)                                                                     \
  e->alloc(e, (void **)&it->MEMBER, (N), sizeof *it->MEMBER, (WHAT), error)

tsr_status tsr_solids_find(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_solids *it = &plan->work.solids;
  const int64_t n = plan->work.view.n_cells;
  tsr_status status;
  if (!it->on)
    return TSR_OK;
  status = e->scan(e, it->number, n, error);
  if (status == TSR_OK)
    status = e->read(e, &it->n, it->number + n, sizeof it->n, error);
  if (status == TSR_OK)
    status = ALLOC(cell, it->n, "the list of volume cells");
  if (status == TSR_OK)
    status = ALLOC(item, it->n, "the list of volume cells");
  if (status == TSR_OK)
    status = ALLOC(bends, n * TSR_SOLID_KINDS, "the bends of volume cells");
  return status == TSR_OK ? TSR_EACH(e, tsr_solid_list, plan->work, n, error) : status;
}

tsr_status tsr_solids_measure(tsr_cells_plan *plan, tsr_error *error) {
  const tsr_solids *it = &plan->work.solids;
  return it->on ? TSR_EACH(&plan->executor, tsr_solid_bend, plan->work, it->n, error) : TSR_OK;
}

tsr_status tsr_solids_pair(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_work *work = &plan->work;
  tsr_solids *it = &work->solids;
  const int64_t n = work->n_items;
  const int bits = tsr_id_key_bits(work);
  uint8_t bent = 0;
  int64_t near = 0;
  tsr_status status = TSR_OK;
  if (it->on)
    status = e->read(e, &bent, work->bent + work->view.points.tuples, sizeof bent, error);
  if (status != TSR_OK || !bent)
    return status;
  status = ALLOC(near_count, n + 1, "the pairs of faces");
  if (status == TSR_OK)
    status = ALLOC(mate, n, "the pairs of faces");
  if (status == TSR_OK)
    status = ALLOC(turn, n, "the pairs of faces");
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_solid_find_near, *work, n, error);
  if (status == TSR_OK)
    status = e->scan(e, it->near_count, n, error);
  if (status == TSR_OK)
    status = e->read(e, &near, it->near_count + n, sizeof near, error);
  if (status == TSR_OK)
    status = ALLOC(near, near, "the pairs of faces");
  work->faces.key_bits = bits;
  if (status == TSR_OK)
    status = e->alloc_pairs(e, &work->faces, near, "the sorting of faces", error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_solid_list_near, *work, n, error);
  if (status == TSR_OK)
    status = e->sort(e, &work->faces, bits, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_solid_pair, *work, near, error);
  e->free_pairs(e, &work->faces);
  e->free(e, it->near_count);
  e->free(e, it->near);
  it->near_count = it->near = NULL;
  return status;
}

/* Makes the rims. */
static tsr_status make_rims(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_solids *it = &plan->work.solids;
  int64_t points = 0;
  tsr_status status = ALLOC(rim_points, it->n + 1, "the rims of volume cells");
  if (status == TSR_OK)
    status = ALLOC(rim_triangles, it->n + 1, "the rims of volume cells");
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_solid_count_rim, plan->work, it->n, error);
  if (status == TSR_OK)
    status = e->scan(e, it->rim_points, it->n, error);
  if (status == TSR_OK)
    status = e->scan(e, it->rim_triangles, it->n, error);
  if (status == TSR_OK)
    status = e->read(e, &points, it->rim_points + it->n, sizeof points, error);
  if (status == TSR_OK)
    status = e->read(e, &it->triangles, it->rim_triangles + it->n, sizeof it->triangles, error);
  if (status == TSR_OK)
    status = ALLOC(place, 3 * points, "the rims of volume cells");
  if (status == TSR_OK)
    status = ALLOC(point, points, "the rims of volume cells");
  if (status == TSR_OK)
    status = ALLOC(triangle, 3 * it->triangles, "the rims of volume cells");
  if (status == TSR_OK) {
    tsr_cells_filler filler = {.work = plan->work, .first_edge_point = plan->sizes.corners};
    status = e->read(e, &filler.first_face_point, plan->work.edge_first + plan->work.n_edges,
                     sizeof filler.first_face_point, error);
    filler.first_face_point += plan->sizes.corners;
    if (status == TSR_OK)
      status = TSR_EACH(e, tsr_solid_fill_rim, filler, it->n, error);
  }
  return status;
}

/* Divides the solids, and counts their cells. */
static tsr_status divide_solids(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_solids *it = &plan->work.solids;
  tsr_status status = ALLOC(shells, it->n, "the divided volume cells");
  if (status == TSR_OK)
    status = ALLOC(limit, it->n, "the divided volume cells");
  if (status == TSR_OK)
    status = ALLOC(inside, it->n + 1, "the points of volume cells");
  if (status == TSR_OK)
    status = ALLOC(cells, it->n + 1, "the tetrahedra of volume cells");
  if (status == TSR_OK)
    status = ALLOC(ids, it->n + 1, "the tetrahedra of volume cells");
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_solid_divide, plan->work, it->n, error);
  if (status == TSR_OK)
    status = e->scan(e, it->inside, it->n, error);
  if (status == TSR_OK)
    status = e->scan(e, it->cells, it->n, error);
  return status == TSR_OK ? e->scan(e, it->ids, it->n, error) : status;
}

tsr_status tsr_solids_count(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_sizes *sizes = &plan->sizes;
  tsr_solids *it = &plan->work.solids;
  tsr_note_count limit;
  tsr_status status;
  sizes->solids = sizes->solid_connectivity = 0;
  if (!it->on)
    return TSR_OK;
  status = make_rims(plan, error);
  if (status == TSR_OK)
    status = divide_solids(plan, error);
  if (status == TSR_OK)
    status = TSR_REDUCE(e, tsr_solid_sum, plan->work, it->n, &limit, error);
  if (status == TSR_OK)
    status = e->read(e, &it->points, it->inside + it->n, sizeof it->points, error);
  if (status == TSR_OK)
    status = e->read(e, &sizes->solids, it->cells + it->n, sizeof sizes->solids, error);
  if (status == TSR_OK)
    status = e->read(e, &sizes->solid_connectivity, it->ids + it->n,
                     sizeof sizes->solid_connectivity, error);
  if (status != TSR_OK)
    return status;
  sizes->points += it->points;
  tsr_note_join(&sizes->notes[TSR_CELLS_NOTE_LIMIT], limit);
  return TSR_OK;
}

tsr_status tsr_solids_mark(tsr_cells_plan *plan, tsr_error *error) {
  const tsr_solids *it = &plan->work.solids;
  return it->on ? TSR_EACH(&plan->executor, tsr_solid_mark, plan->work, it->n, error) : TSR_OK;
}

tsr_status tsr_solids_fill_points(tsr_cells_plan *plan, tsr_cells_filler *filler,
                                  tsr_error *error) {
  const tsr_solids *it = &plan->work.solids;
  return it->on ? TSR_EACH(&plan->executor, tsr_cells_fill_solid_points, *filler,
                           tsr_shares(it->points, filler->share), error)
                : TSR_OK;
}

tsr_status tsr_solids_fill_cells(tsr_cells_plan *plan, tsr_cells_filler *filler, tsr_error *error) {
  const tsr_solids *it = &plan->work.solids;
  tsr_executor *e = &plan->executor;
  tsr_status status = TSR_OK;
  if (it->on)
    status = TSR_EACH(e, tsr_cells_fill_solid, *filler, it->n, error);
  return it->on && status == TSR_OK ? TSR_EACH(e, tsr_cells_fill_walls, *filler,
                                               tsr_shares(it->triangles, filler->share), error)
                                    : status;
}

void tsr_solids_forget(tsr_cells_plan *plan) {
  tsr_executor *e = &plan->executor;
  tsr_solids *it = &plan->work.solids;
  const void *const arrays[] = {it->rim_points, it->rim_triangles, it->place, it->point,
                                it->triangle,   it->shells,        it->limit, it->inside,
                                it->cells,      it->ids,           it->mate,  it->turn};
  for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; ++k)
    e->free(e, arrays[k]);
  it->rim_points = it->rim_triangles = it->point = it->triangle = NULL;
  it->inside = it->cells = it->ids = it->mate = NULL;
  it->turn = NULL;
  it->place = NULL;
  it->shells = NULL;
  it->limit = NULL;
}

void tsr_solids_drop(tsr_cells_plan *plan) {
  tsr_executor *e = &plan->executor;
  const tsr_solids *it = &plan->work.solids;
  e->free(e, it->number);
  e->free(e, it->cell);
  e->free(e, it->item);
  e->free(e, it->bends);
}
