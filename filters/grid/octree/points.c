/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: points of cells, and values at them. */
#include "grid/octree/octree.h"

#include <string.h>

/* Bits of the key of a point: places along an axis go one cell beyond the highest node. */
static int key_bits(const tsr_octree_corner_job *job) {
  return tsr_octree_shift(&job->shape, job->shape.top + 1);
}

/* Notes the cells of each point. */
static tsr_status hold_slots(tsr_octree_plan *plan, tsr_octree_corner_job *job, int64_t slots,
                             tsr_error *error) {
  tsr_octree_points *points = &job->points;
  tsr_executor *e = &plan->executor;
  const char *what = "the cells of the octree's points";
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &points->owner, slots, sizeof *points->owner, what, error));
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &points->holder, slots, sizeof *points->holder, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &points->place, slots, sizeof *points->place, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_own, *job, job->cells.n, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_hold, *job, slots, error));
  tsr_octree_release(plan, &points->owner);
  return TSR_OK;
}

/* Numbers the sorted slots. What one part alone needs is released before the next one begins: slots
 * are most of a plan's memory. */
static tsr_status number_slots(tsr_octree_plan *plan, tsr_octree_corner_job *job, int64_t slots,
                               int keep, tsr_error *error) {
  const int64_t chunks = (slots + TSR_OCTREE_PAIRS - 1) / TSR_OCTREE_PAIRS;
  tsr_octree_points *points = &job->points;
  tsr_executor *e = &plan->executor;
  const char *what = "the points of the octree";
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_make_slots, *job, job->cells.n, error));
  TSR_OCTREE_TRY(e->sort(e, &job->pairs, key_bits(job), error));
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &job->before, chunks + 1, sizeof *job->before, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_points, *job, chunks, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job->before, chunks, &points->n, error));
  if (points->n > INT32_MAX)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the octree has %lld points, and at most 2^31 are possible",
                    (long long)points->n);
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &points->key, points->n, sizeof *points->key, what, error));
  if (keep)
    TSR_OCTREE_TRY(
        tsr_octree_alloc(plan, &points->begin, points->n + 1, sizeof *points->begin, what, error));
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &points->point_of, slots, sizeof *points->point_of, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_number_chunk, *job, chunks, error));
  tsr_octree_release(plan, &job->before);
  return keep ? hold_slots(plan, job, slots, error) : TSR_OK;
}

tsr_status tsr_octree_number_points(tsr_octree_plan *plan, tsr_octree_corner_job *job, int keep,
                                    tsr_error *error) {
  tsr_executor *e = &plan->executor;
  const char *what = "the points of the octree";
  int64_t slots;
  tsr_status status;
  job->shape = plan->tree.shape;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job->points.first, job->cells.n + 1,
                                  sizeof *job->points.first, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job->points.family, job->cells.n, 1, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_flag_family, *job, job->cells.n, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_slots, *job, job->cells.n, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job->points.first, job->cells.n, &slots, error));
  job->pairs.key_bits = key_bits(job);
  status = e->alloc_pairs(e, &job->pairs, slots, what, error);
  if (status == TSR_OK)
    status = number_slots(plan, job, slots, keep, error);
  e->free_pairs(e, &job->pairs);
  return status;
}

/* Fails for a cell with a point that the octree does not have. */
static tsr_status fail_tuple(const tsr_octree_plan *plan, int64_t cell, tsr_error *error) {
  const tsr_grid_octree *cells = &plan->cells;
  const int64_t *tuple = cells->corners + (cell << plan->tree.shape.dimension);
  while (*tuple >= 0 && *tuple < cells->points)
    ++tuple;
  return tsr_fail(error, TSR_BAD_INPUT, cell,
                  "cell %lld has point %lld, and the octree has %lld points", (long long)cell,
                  (long long)*tuple, (long long)cells->points);
}

/* Brings the tuples of the cells' corners to the executor, and checks them. */
static tsr_status need_tuples(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_array corners = {plan->cells.corners, TSR_INT64, 1 << plan->tree.shape.dimension,
                             plan->cells.n};
  tsr_executor *e = &plan->executor;
  tsr_octree_found found;
  void *to;
  if (plan->corner_tuple || !plan->cells.corners)
    return TSR_OK;
  TSR_OCTREE_TRY(e->input(e, &corners, 1, 1, &to, error));
  const tsr_octree_tuple_job job = {to, plan->cells.points, corners.components};
  TSR_OCTREE_TRY(TSR_REDUCE(e, tsr_octree_stray, job, corners.tuples, &found, error));
  if (found.bad >= 0)
    return fail_tuple(plan, found.bad, error);
  plan->corner_tuple = to;
  return TSR_OK;
}

/* Checks that point arrays without `corners` have a tuple for each point. */
static tsr_status check_order(const tsr_octree_plan *plan, tsr_error *error) {
  const tsr_grid_octree *cells = &plan->cells;
  const int64_t n = plan->in.points.n;
  if (cells->corners || cells->points == 0 || cells->points == n)
    return TSR_OK;
  return tsr_fail(error, TSR_BAD_INPUT, -1,
                  "the cells of the octree have %lld corners, each counted once, and its point "
                  "arrays have %lld tuples: without a list of corners they must have as many",
                  (long long)n, (long long)cells->points);
}

tsr_status tsr_octree_need_points(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_octree_nodes *nodes = &plan->tree.nodes;
  const int top = plan->tree.shape.top;
  tsr_executor *e = &plan->executor;
  TSR_OCTREE_TRY(need_tuples(plan, error));
  if (plan->in.points.n > 0)
    return TSR_OK;
  plan->in.cells = plan->tree.cells;
  TSR_OCTREE_TRY(tsr_octree_number_points(plan, &plan->in, 1, error));
  TSR_OCTREE_TRY(check_order(plan, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &plan->node_corner,
                                  nodes->at[top + 1] << plan->tree.shape.dimension,
                                  sizeof *plan->node_corner, "the corners of nodes", error));
  tsr_octree_rule_job job = {
      .tree = plan->tree, .corners = plan->in, .set_corner = plan->node_corner};
  for (int h = 1; h <= top; ++h) {
    job.from = nodes->at[h];
    TSR_OCTREE_TRY(
        TSR_EACH(e, tsr_octree_find_corners, job, nodes->at[h + 1] - nodes->at[h], error));
  }
  return TSR_OK;
}

/* Moves cell data to the points of the input. */
static tsr_status move(tsr_octree_plan *plan, const tsr_array *array, double **values,
                       tsr_error *error) {
  tsr_octree_move_job job = {
      .tree = plan->tree, .space = plan->space, .corners = plan->in, .array = *array};
  const int64_t n = plan->in.points.n;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, values, n * array->components, sizeof **values,
                                  "cell data at points", error));
  job.to = *values;
  return TSR_EACH(&plan->executor, tsr_octree_move_point, job, n, error);
}

/* The kept columns that are alike, or NULL. */
static const tsr_octree_columns *find_columns(const tsr_octree_plan *plan,
                                              const tsr_octree_columns *wanted) {
  for (int k = 0; k < plan->n_columns; ++k) {
    const tsr_octree_columns *one = &plan->columns[k];
    if (one->host == wanted->host && one->moved == wanted->moved &&
        one->component == wanted->component && one->n == wanted->n)
      return one;
  }
  return NULL;
}

tsr_status tsr_octree_make_columns(tsr_octree_plan *plan, const tsr_array *host,
                                   const tsr_array *array, int moved, int component, int columns,
                                   double **values, tsr_error *error) {
  const tsr_octree_columns wanted = {host->data, moved, component, columns, NULL};
  const tsr_octree_columns *kept = find_columns(plan, &wanted);
  double *at_points = NULL;
  if (kept) {
    *values = kept->values;
    return TSR_OK;
  }
  TSR_OCTREE_TRY(tsr_octree_need_points(plan, error));
  if (moved)
    TSR_OCTREE_TRY(move(plan, array, &at_points, error));
  if (moved && columns == array->components) {
    *values = at_points;
    return TSR_OK;
  }
  tsr_octree_column_job job = {.corners = plan->in,
                               .corner_tuple = plan->corner_tuple,
                               .array = *array,
                               .moved = at_points,
                               .component = component,
                               .columns = columns};
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, values, job.corners.points.n * columns, sizeof **values,
                                  "values at points", error));
  job.to = *values;
  TSR_OCTREE_TRY(
      TSR_EACH(&plan->executor, tsr_octree_put_columns, job, job.corners.points.n, error));
  TSR_OCTREE_TRY(plan->executor.finish(&plan->executor, NULL, error));
  tsr_octree_release(plan, &at_points);
  return TSR_OK;
}

tsr_status tsr_octree_keep_columns(tsr_octree_plan *plan, const tsr_array *host,
                                   const tsr_array *array, int moved, int component, int columns,
                                   double **values, tsr_error *error) {
  tsr_octree_columns wanted = {host->data, moved, component, columns, NULL}, *more;
  int64_t room = plan->columns_room;
  TSR_OCTREE_TRY(
      tsr_octree_make_columns(plan, host, array, moved, component, columns, values, error));
  if (find_columns(plan, &wanted))
    return TSR_OK;
  more = tsr_grow(plan->columns, plan->n_columns, &room, 8, sizeof *more);
  if (!more)
    return tsr_fail(error, TSR_NO_MEMORY, -1, "there is not enough memory for the criteria");
  wanted.values = *values;
  plan->columns = more;
  plan->columns_room = room;
  plan->columns[plan->n_columns++] = wanted;
  return TSR_OK;
}

void tsr_octree_drop_columns(tsr_octree_plan *plan, double **values) {
  for (int k = 0; k < plan->n_columns; ++k)
    if (plan->columns[k].values == *values)
      return;
  tsr_octree_release(plan, values);
}
