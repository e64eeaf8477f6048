/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the sides of polygons, with all points that lie on them, hanging ones included. */
#include "grid/output/lists.h"
#include "grid/steps.h"

tsr_status tsr_list_sides(tsr_executor *e, const tsr_lattice *lattice, const tsr_grid_node *nodes,
                          int64_t n, tsr_grid_points *points, tsr_error *error) {
  tsr_sides_job job = {lattice, nodes, *points, NULL};
  tsr_status status =
      e->alloc(e, (void **)&points->offsets, n + 1, sizeof *points->offsets, "the polygons", error);
  job.entry = points->offsets;
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_sides_count, job, n, error);
  if (status == TSR_OK)
    status = e->scan(e, points->offsets, n, error);
  return status == TSR_OK ? e->read(e, &points->connectivity, points->offsets + n,
                                    sizeof points->connectivity, error)
                          : status;
}
