/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: the leaves of the refined tree, and the guarantee of their
 *  interpolation error. */
#include "grid/octree/octree.h"

/* Counts the leaves below each split node, from the lowest up, and where they begin, back down. */
static tsr_status place_leaves(tsr_octree_plan *plan, int64_t *n, tsr_error *error) {
  tsr_octree_close_job job = plan->close;
  const tsr_octree_splits *splits = &job.splits;
  const int top = plan->tree.shape.top;
  tsr_executor *e = &plan->executor;
  for (int h = 1; h <= top; ++h) {
    job.from = splits->at[h];
    TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_leaves, job, splits->at[h + 1] - job.from, error));
  }
  for (int h = top; h > 0; --h) {
    job.from = splits->at[h];
    TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_begin_leaves, job, splits->at[h + 1] - job.from, error));
  }
  *n = 1;
  return splits->n > 0 ? e->read(e, n, &splits->leaves[splits->at[top]], sizeof *n, error) : TSR_OK;
}

tsr_status tsr_octree_list_leaves(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_grid_output_kind kind = plan->grid.options.output;
  tsr_octree_entries *entries = &plan->entries;
  tsr_octree_cells *leaves = &entries->cells;
  const char *what = "the leaves";
  tsr_executor *e = &plan->executor;
  tsr_octree_release(plan, &leaves->key);
  tsr_octree_release(plan, &leaves->height);
  tsr_octree_release(plan, &leaves->from);
  tsr_octree_release(plan, &entries->has);
  tsr_octree_drop_ways(plan);
  TSR_OCTREE_TRY(place_leaves(plan, &leaves->n, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &leaves->key, leaves->n, sizeof *leaves->key, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &leaves->height, leaves->n, 1, what, error));
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &leaves->from, leaves->n, sizeof *leaves->from, what, error));
  if (kind == TSR_GRID_CONFORMING || kind == TSR_GRID_POLYGONS)
    TSR_OCTREE_TRY(
        tsr_octree_alloc(plan, &entries->has, leaves->n, sizeof *entries->has, what, error));
  const tsr_octree_leaf_job job = {plan->tree, plan->close.splits, *leaves, entries->has};
  return job.splits.n > 0 ? TSR_EACH(e, tsr_octree_put_leaves, job, job.splits.n, error)
                          : TSR_EACH(e, tsr_octree_put_only_leaf, job, 1, error);
}

/* Looks at the leaves that need it, by one rule. */
static tsr_status look(tsr_octree_plan *plan, int rule, tsr_octree_guard_job *job, int64_t looks,
                       tsr_error *error) {
  tsr_octree_guard_job one = *job;
  one.rule = tsr_octree_rule_job_of(plan, rule);
  one.rule.tasks = job->rule.tasks;
  one.rule.hits = job->rule.hits;
  one.rule.ways = plan->ways;
  return TSR_EACH(&plan->executor, tsr_octree_look_again, one, looks, error);
}

/* One round of the guarantee. *hits: receives how many leaves are refined. */
static tsr_status check_leaves(tsr_octree_plan *plan, tsr_octree_guard_job *job, int64_t *hits,
                               tsr_error *error) {
  const int64_t n = job->leaves.n;
  tsr_executor *e = &plan->executor;
  int64_t looks;
  const char *what = "looks at leaves";
  if (job->has)
    TSR_OCTREE_TRY(tsr_octree_need_ways(plan, error));
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &job->rule.tasks, n + 1, sizeof *job->rule.tasks, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_looks, *job, n, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job->rule.tasks, n, &looks, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job->rule.hits, n, 1, what, error));
  const tsr_octree_clear_job none = {job->rule.hits, 0};
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_clear, none, n, error));
  for (int r = 0; r < plan->criteria.n; ++r)
    if (tsr_octree_rule_looks(plan, r))
      TSR_OCTREE_TRY(look(plan, r, job, looks, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job->before, n + 1, sizeof *job->before, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_hit, *job, n, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job->before, n, hits, error));
  if (*hits > 0) {
    TSR_OCTREE_TRY(tsr_octree_ready_words(plan, *hits, error));
    job->close = plan->close;
    TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_put_hit, *job, n, error));
  }
  tsr_octree_release(plan, &job->rule.tasks);
  tsr_octree_release(plan, &job->rule.hits);
  tsr_octree_release(plan, &job->before);
  return TSR_OK;
}

tsr_status tsr_octree_guarantee(tsr_octree_plan *plan, tsr_error *error) {
  const int64_t n = plan->tree.nodes.at[plan->tree.shape.top + 1];
  tsr_octree_guard_job seen = {.rule = tsr_octree_rule_job_of(plan, -1)};
  int64_t hits = 1;
  int any = 0;
  for (int r = 0; r < plan->criteria.n; ++r)
    any = any || tsr_octree_rule_looks(plan, r);
  if (!any || plan->grid.options.mode != TSR_GRID_ADAPTIVE)
    return TSR_OK;
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &seen.seen, n, sizeof *seen.seen, "looks at leaves", error));
  TSR_OCTREE_TRY(TSR_EACH(&plan->executor, tsr_octree_begin_seen, seen, n, error));
  while (hits > 0) {
    tsr_octree_guard_job job = {
        .rule = tsr_octree_rule_job_of(plan, -1),
        .close = plan->close,
        .leaves = plan->entries.cells,
        .has = plan->grid.options.output == TSR_GRID_CONFORMING ? plan->entries.has : NULL,
        .seen = seen.seen};
    TSR_OCTREE_TRY(check_leaves(plan, &job, &hits, error));
    if (hits == 0)
      break;
    TSR_OCTREE_TRY(tsr_octree_add_words(plan, hits, error));
    TSR_OCTREE_TRY(tsr_octree_list_leaves(plan, error));
  }
  tsr_octree_release(plan, &seen.seen);
  return TSR_OK;
}

tsr_status tsr_octree_count_cells(tsr_octree_plan *plan, int64_t *cells, tsr_error *error) {
  tsr_octree_put job = tsr_octree_put_of(plan);
  const int64_t n = plan->entries.cells.n;
  tsr_executor *e = &plan->executor;
  const char *what = "the cells of the output";
  *cells = n;
  if (plan->grid.options.output != TSR_GRID_CONFORMING)
    return TSR_OK;
  for (int k = 0; k < 3; ++k) {
    int64_t **counts = k == 0   ? &job.entries.cell
                       : k == 1 ? &job.entries.corner
                                : &job.entries.centre;
    TSR_OCTREE_TRY(tsr_octree_alloc(plan, counts, n + 1, sizeof **counts, what, error));
  }
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_parts, job, n, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job.entries.cell, n, cells, error));
  tsr_octree_release(plan, &job.entries.cell);
  tsr_octree_release(plan, &job.entries.corner);
  tsr_octree_release(plan, &job.entries.centre);
  return TSR_OK;
}
