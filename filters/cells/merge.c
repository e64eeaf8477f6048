/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: points with equal positions as one. */
#include "cells/plan.h"

tsr_status tsr_cells_merge(tsr_cells_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_view *view = &plan->work.view;
  const int64_t points = view->points.tuples, n = view->n_connectivity;
  const size_t size = view->index_type == TSR_INT32 ? sizeof(int32_t) : sizeof(int64_t);
  tsr_cells_merger merger = {.view = *view, .places = {.key_bits = TSR_MERGE_BITS}};
  tsr_status status = e->alloc_pairs(e, &merger.places, points, "the sorting of points", error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&merger.leader, points, sizeof *merger.leader,
                      "the points that are merged", error);
  if (status == TSR_OK)
    status = e->alloc(e, &plan->merged, n, size, "the merged points of cells", error);
  merger.ids = plan->merged;
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_hash_place, merger, points, error);
  if (status == TSR_OK)
    status = e->sort(e, &merger.places, TSR_MERGE_BITS, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_find_leaders, merger, points, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_cells_rename, merger, n, error);
  if (status == TSR_OK)
    view->connectivity = plan->merged;
  e->free_pairs(e, &merger.places);
  e->free(e, merger.leader);
  return status;
}
