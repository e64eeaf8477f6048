/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: looks at the leaves of the output, which threads share
 * evenly.
 */
#include "grid/octree/octree.h"

tsr_status tsr_octree_need_ways(tsr_octree_plan *plan, tsr_error *error) {
  tsr_octree_way_job job = {.dimension = plan->sizes.dimension, .has = plan->entries.has};
  const int64_t codes = TSR_OCTREE_WAY_CODES;
  tsr_executor *e = &plan->executor;
  const char *what = "the ways to cut leaves";
  int64_t n;
  if (plan->ways.way || !job.has || !plan->device || plan->space.uneven)
    return TSR_OK;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job.ways.flags, codes, 1, what, error));
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &job.ways.before, codes + 1, sizeof *job.ways.before, what, error));
  const tsr_octree_clear_job none = {job.ways.flags, 0};
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_clear, none, codes, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_flag_way, job, plan->entries.cells.n, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_way, job, codes, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job.ways.before, codes, &n, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job.ways.way, n, sizeof *job.ways.way, what, error));
  plan->ways = job.ways;
  return TSR_EACH(e, tsr_octree_make_way, job, codes, error);
}

void tsr_octree_drop_ways(tsr_octree_plan *plan) {
  tsr_octree_release(plan, &plan->ways.flags);
  tsr_octree_release(plan, &plan->ways.before);
  tsr_octree_release(plan, &plan->ways.way);
}

tsr_status tsr_octree_look_at_entries(tsr_octree_plan *plan, tsr_octree_error_job *job,
                                      tsr_error *error) {
  const int64_t n = plan->entries.cells.n;
  tsr_executor *e = &plan->executor;
  const char *what = "the errors of leaves";
  if (job->cuts)
    TSR_OCTREE_TRY(tsr_octree_need_ways(plan, error));
  job->rule.ways = plan->ways;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job->looks, n + 1, sizeof *job->looks, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_error_looks, *job, n, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job->looks, n, &job->n_looks, error));
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &job->found, job->n_looks, sizeof *job->found, what, error));
  return TSR_EACH(e, tsr_octree_error_look, *job, job->n_looks, error);
}

void tsr_octree_end_looks(tsr_octree_plan *plan, tsr_octree_error_job *job) {
  tsr_octree_release(plan, &job->looks);
  tsr_octree_release(plan, &job->found);
}

/* Notes by one rule which leaves are off. */
static tsr_status flag_off(tsr_octree_plan *plan, int rule, tsr_octree_off_job *job,
                           tsr_error *error) {
  tsr_octree_error_job looks = {.put = tsr_octree_put_of(plan),
                                .rule = tsr_octree_rule_job_of(plan, rule),
                                .cuts = plan->grid.options.output == TSR_GRID_CONFORMING,
                                .small = 1};
  if (tsr_octree_rule_looks(plan, rule))
    TSR_OCTREE_TRY(tsr_octree_look_at_entries(plan, &looks, error));
  job->rule = looks.rule;
  job->looks = looks.looks;
  job->found = looks.found;
  TSR_OCTREE_TRY(
      TSR_EACH(&plan->executor, tsr_octree_flag_off, *job, plan->entries.cells.n, error));
  tsr_octree_end_looks(plan, &looks);
  return TSR_OK;
}

tsr_status tsr_octree_note_samples(tsr_octree_plan *plan, tsr_error *error) {
  tsr_octree_off_job job = {.entries = plan->entries, .rule = tsr_octree_rule_job_of(plan, -1)};
  const int64_t n = plan->entries.cells.n;
  tsr_note_count found;
  int any = 0;
  for (int r = 0; r < plan->criteria.n; ++r)
    any = any || plan->fields[r].samples;
  if (!any || plan->grid.options.mode != TSR_GRID_ADAPTIVE)
    return TSR_OK;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job.off, n, 1, "the errors of leaves", error));
  const tsr_octree_clear_job none = {job.off, 0};
  TSR_OCTREE_TRY(TSR_EACH(&plan->executor, tsr_octree_clear, none, n, error));
  for (int r = 0; r < plan->criteria.n; ++r)
    if (plan->fields[r].samples)
      TSR_OCTREE_TRY(flag_off(plan, r, &job, error));
  TSR_OCTREE_TRY(TSR_REDUCE(&plan->executor, tsr_octree_off, job, n, &found, error));
  if (found.count > 0)
    plan->sizes.notes[TSR_GRID_NOTE_SAMPLES] = found;
  tsr_octree_release(plan, &job.off);
  return TSR_OK;
}
