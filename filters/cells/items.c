/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: from cells to the items that are drawn, and to their edges. */
#include "cells/volumes/solids_plan.h"

/* Progress. */
#define LOOKED 0.05
#define MATCHED 0.15
#define EDGES 0.25

#define ALLOC(MEMBER, N, WHAT)                                                                     \
  e->alloc(e, (void **)&work->MEMBER, (N), sizeof *work->MEMBER, (WHAT), error)

/* Reads one number of an array of the executor. */
static tsr_status read_one(tsr_executor *e, const int64_t *from, int64_t *to, tsr_error *error) {
  return e->read(e, to, from, sizeof *to, error);
}

/* Lists the candidates. */
static tsr_status list_candidates(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_work *work = &plan->work;
  const int64_t n = work->view.n_cells;
  tsr_status status = e->scan(e, work->counts, 3 * n, error);
  if (status == TSR_OK)
    status = read_one(e, work->counts + 2 * n, &work->first_face, error);
  if (status == TSR_OK)
    status = read_one(e, work->counts + 3 * n, &work->n_candidates, error);
  if (status == TSR_OK)
    status = ALLOC(candidates, work->n_candidates, "the faces of cells");
  if (status == TSR_OK && work->volumes)
    status = ALLOC(kept, work->n_candidates + 1, "the marks of faces");
  return status == TSR_OK ? TSR_EACH(e, tsr_cells_list, *work, n, error) : status;
}

/* Finds out which faces of volumes are outside. */
static tsr_status match_faces(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_work *work = &plan->work;
  const int64_t n = work->n_candidates - work->first_face;
  tsr_status status = TSR_OK;
  if (!work->volumes)
    return TSR_OK;
  work->faces.key_bits = tsr_id_key_bits(work);
  status = e->alloc_pairs(e, &work->faces, n, "the sorting of faces", error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_hash_face, *work, n, error);
  if (status == TSR_OK)
    status = e->sort(e, &work->faces, tsr_id_key_bits(work), error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_match, *work, n, error);
  e->free_pairs(e, &work->faces);
  return status;
}

/* Copies the candidates that are kept to the items. Without volumes these are all candidates. */
static tsr_status keep_items(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_work *work = &plan->work;
  int64_t first_line;
  tsr_status status = read_one(e, work->counts + work->view.n_cells, &first_line, error);
  if (status == TSR_OK && !work->volumes) {
    work->items = work->candidates;
    work->candidates = NULL;
    work->first_line_item = first_line;
    work->first_face_item = work->first_face;
    work->n_items = work->n_candidates;
    return TSR_OK;
  }
  if (status == TSR_OK)
    status = e->scan(e, work->kept, work->n_candidates, error);
  if (status == TSR_OK)
    status = read_one(e, work->kept + first_line, &work->first_line_item, error);
  if (status == TSR_OK)
    status = read_one(e, work->kept + work->first_face, &work->first_face_item, error);
  if (status == TSR_OK)
    status = read_one(e, work->kept + work->n_candidates, &work->n_items, error);
  if (status == TSR_OK)
    status = ALLOC(items, work->n_items, "the faces that are drawn");
  return status == TSR_OK ? TSR_EACH(e, tsr_cells_keep, *work, work->n_candidates, error) : status;
}

tsr_status tsr_cells_find_items(tsr_cells_plan *plan, tsr_error *error) {
  tsr_cells_facts *facts = &plan->facts;
  tsr_executor *e = &plan->executor;
  tsr_cells_work *work = &plan->work;
  const int64_t n = work->view.n_cells;
  tsr_cells_progress(plan, 0.0, LOOKED);
  tsr_status status = ALLOC(counts, 3 * n + 1, "the counts of faces");
  if (status == TSR_OK && work->solids.on)
    status = ALLOC(solids.number, n + 1, "the list of volume cells");
  if (status == TSR_OK)
    status = TSR_REDUCE(e, tsr_cells_look, *work, n, facts, error);
  work->volumes = status == TSR_OK && facts->volumes > 0 && !work->solids.on;
  if (status == TSR_OK)
    tsr_cells_set_degree(plan, facts->degree);
  if (status == TSR_OK)
    status = list_candidates(plan, error);
  tsr_cells_progress(plan, LOOKED, MATCHED);
  if (status == TSR_OK)
    status = match_faces(plan, error);
  if (status == TSR_OK)
    status = keep_items(plan, error);
  if (status == TSR_OK)
    status = tsr_solids_find(plan, error);
  e->free(e, work->counts);
  e->free(e, work->candidates);
  e->free(e, work->kept);
  work->counts = work->candidates = work->kept = NULL;
  return status;
}

/* Finds the corners of the items, and the flat faces. */
static tsr_status find_corners(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_work *work = &plan->work;
  const int64_t n = work->view.points.tuples;
  tsr_status status = ALLOC(plain, work->n_items, "the flat faces");
  if (status == TSR_OK)
    status = ALLOC(bent, n + 1, "the corners of faces");
  if (status == TSR_OK)
    status = ALLOC(corners, n + 1, "the corners of faces");
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_clear_corner, *work, n + 1, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_find_corners, *work, work->n_items, error);
  if (status == TSR_OK)
    status = tsr_solids_mark(plan, error);
  return status == TSR_OK ? e->scan(e, work->corners, n, error) : status;
}

/* Sets the slots, sorted by the ends of their edges. */
static tsr_status sort_slots(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_work *work = &plan->work;
  tsr_status status = ALLOC(sides, work->n_items + 1, "the sides of faces");
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_count_sides, *work, work->n_items, error);
  if (status == TSR_OK)
    status = e->scan(e, work->sides, work->n_items, error);
  if (status == TSR_OK)
    status = read_one(e, work->sides + work->n_items, &work->n_slots, error);
  if (status == TSR_OK)
    status = ALLOC(slot_item, work->n_slots, "the sides of faces");
  work->slots.key_bits = tsr_id_key_bits(work);
  if (status == TSR_OK)
    status = e->alloc_pairs(e, &work->slots, work->n_slots, "the sorting of edges", error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_hash_sides, *work, work->n_items, error);
  return status == TSR_OK ? e->sort(e, &work->slots, tsr_id_key_bits(work), error) : status;
}

/* Numbers the edges. */
static tsr_status number_edges(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_work *work = &plan->work;
  const int64_t n = work->n_slots;
  tsr_status status = ALLOC(lead, n, "the edges of faces");
  if (status == TSR_OK)
    status = ALLOC(numbers, n + 1, "the numbers of edges");
  if (status == TSR_OK)
    status = ALLOC(own_steps, n, "the steps of edges");
  if (status == TSR_OK)
    status = ALLOC(edge_of, n, "the edges of faces");
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_lead, *work, n, error);
  if (status == TSR_OK)
    status = e->scan(e, work->numbers, n, error);
  if (status == TSR_OK)
    status = read_one(e, work->numbers + n, &work->n_edges, error);
  if (status == TSR_OK)
    status = ALLOC(edge_slot, work->n_edges, "the edges");
  if (status == TSR_OK)
    status = ALLOC(edge_steps, work->n_edges, "the steps of edges");
  if (status == TSR_OK)
    status = ALLOC(edge_first, work->n_edges + 1, "the points of edges");
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_number_edge, *work, n, error);
  return status == TSR_OK ? e->scan(e, work->edge_first, work->n_edges, error) : status;
}

tsr_status tsr_cells_find_edges(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_work *work = &plan->work;
  tsr_cells_progress(plan, MATCHED, EDGES);
  tsr_status status = tsr_solids_measure(plan, error);
  if (status == TSR_OK)
    status = find_corners(plan, error);
  if (status == TSR_OK)
    status = tsr_solids_pair(plan, error);
  if (status == TSR_OK)
    status = sort_slots(plan, error);
  if (status == TSR_OK)
    status = number_edges(plan, error);
  e->free_pairs(e, &work->slots);
  e->free(e, work->bent);
  e->free(e, work->lead);
  e->free(e, work->numbers);
  e->free(e, work->own_steps);
  work->lead = work->numbers = NULL;
  work->own_steps = NULL;
  work->bent = NULL;
  return status;
}
