/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: looks at the leaves of the output, which threads share
 * evenly.
 */
#include "grid/octree/octree.h"

tsr_status tsr_octree_look_at_entries(tsr_octree_plan *plan, tsr_octree_error_job *job,
                                      tsr_error *error) {
  const int64_t n = plan->entries.cells.n;
  tsr_executor *e = &plan->executor;
  const char *what = "the errors of leaves";
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
                                .cuts = plan->grid.options.output == TSR_GRID_CONFORMING};
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
