/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the points that leaves share. The corners of all leaves are sorted by their places;
 *  corners at the same place become one point. */
#include "pointgrid/output/output.h"
#include "pointgrid/steps.h"

/** Numbers the sorted corners, each place once. */
static tsr_status number_corners(tsr_executor *e, tsr_pointgrid_corners *job, int64_t n,
                                 int64_t *n_points, tsr_error *error) {
  const char *what = "the points of the cells";
  tsr_status status = e->alloc(e, (void **)&job->before, n + 1, sizeof *job->before, what, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_pointgrid_flag_corner, *job, n, error);
  if (status == TSR_OK)
    status = e->scan(e, job->before, n, error);
  if (status == TSR_OK)
    status = e->read(e, n_points, job->before + n, sizeof *n_points, error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&job->points, *n_points, sizeof *job->points, what, error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&job->corner_of, n, sizeof *job->corner_of, what, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_pointgrid_number_corner, *job, n, error);
  return status == TSR_OK ? e->finish(e, NULL, error) : status;
}

tsr_status tsr_pointgrid_find_corners(tsr_executor *e, const tsr_pointgrid_leaves *leaves,
                                      int dimension, int finest, tsr_pointgrid_cells *cells,
                                      tsr_error *error) {
  const int64_t n = leaves->n << dimension;
  int64_t n_points = 0;
  tsr_pointgrid_corners job = {.leaves = leaves->at, .dimension = dimension, .finest = finest};
  tsr_status status = e->alloc_pairs(e, &job.pairs, n, "the points of the cells", error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_pointgrid_make_corner, job, n, error);
  if (status == TSR_OK)
    status = e->sort(e, &job.pairs, dimension * tsr_pointgrid_corner_bits(finest), error);
  if (status == TSR_OK)
    status = number_corners(e, &job, n, &n_points, error);
  e->free_pairs(e, &job.pairs);
  e->free(e, job.before);
  if (status == TSR_OK) {
    *cells = (tsr_pointgrid_cells){job.points, job.corner_of, n_points};
  } else {
    e->free(e, job.points);
    e->free(e, job.corner_of);
  }
  return status;
}
