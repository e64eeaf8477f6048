/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: samples, in the order of the cells. */
#include "grid/octree/octree.h"
#include "grid/tessera_grid_choices.h"

#include <stdio.h>

int tsr_octree_moves(const tsr_grid_options *o, const tsr_grid_criterion *c) {
  return c->cell_data && (o->move_cells || tsr_grid_measure_is_flow(c->measure) ||
                          c->measure == TSR_MEASURE_GRADIENT);
}

const tsr_array *tsr_octree_rule_samples(const tsr_octree_plan *plan, const tsr_rule *rule) {
  const tsr_grid_criterion *c = &plan->given[rule->criterion];
  return c->measure == TSR_MEASURE_INTERPOLATION_ERROR && c->samples.data &&
                 !tsr_octree_moves(&plan->grid.options, c)
             ? &c->samples
             : NULL;
}

static const tsr_grid_samples *samples_of(const tsr_octree_plan *plan, int cell_data) {
  return cell_data ? &plan->cells.at_cells : &plan->cells.at_points;
}

tsr_status tsr_octree_check_sample_array(const tsr_octree_plan *plan, const tsr_array *samples,
                                         const tsr_array *array, int cell_data, const char *name,
                                         tsr_error *error) {
  return tsr_check_array(samples, name, array->components, samples_of(plan, cell_data)->n, error);
}

tsr_status tsr_octree_check_samples(const tsr_octree_plan *plan, tsr_error *error) {
  const tsr_grid_options *o = &plan->grid.options;
  for (int k = 0; k < 2; ++k) {
    const tsr_grid_samples *all = samples_of(plan, k);
    TSR_OCTREE_TRY(tsr_check_list(all->places, all->n, "places of samples", TSR_BAD_INPUT, error));
    if (all->n > INT32_MAX)
      return tsr_fail(error, TSR_TOO_LARGE, -1,
                      "the octree has %lld samples, and at most 2^31 are possible",
                      (long long)all->n);
  }
  for (int r = 0; r < o->n_criteria; ++r) {
    const tsr_grid_criterion *c = &o->criteria[r];
    const tsr_rule rule = {.criterion = r};
    const tsr_array *samples = tsr_octree_rule_samples(plan, &rule);
    char name[64];
    snprintf(name, sizeof name, "the array of samples of criterion %d", r);
    if (samples)
      TSR_OCTREE_TRY(
          tsr_octree_check_sample_array(plan, samples, &c->array, c->cell_data, name, error));
  }
  return TSR_OK;
}

/* Writes the sorted entries of a list. */
static tsr_status make_list(tsr_octree_plan *plan, tsr_octree_sample_job *job, tsr_error *error) {
  tsr_octree_sample_list *list = &job->list;
  const int64_t cells = plan->tree.cells.n;
  tsr_executor *e = &plan->executor;
  const char *what = "the samples";
  int bits = 1;
  while (cells >> bits > 0)
    ++bits;
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_put_sample, *job, job->samples, error));
  TSR_OCTREE_TRY(e->sort(e, &job->pairs, bits, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &list->begin, cells + 1, sizeof *list->begin, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &list->from, list->n, sizeof *list->from, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &list->at, 3 * list->n, sizeof *list->at, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_take_sample, *job, list->n, error));
  return TSR_EACH(e, tsr_octree_begin_samples, *job, cells + 1, error);
}

/* Lists the samples, if that was not done before. */
static tsr_status need_list(tsr_octree_plan *plan, int cell_data, tsr_error *error) {
  const tsr_grid_samples *all = samples_of(plan, cell_data);
  const tsr_array places = {all->places, TSR_DOUBLE, 3, all->n};
  tsr_octree_sample_job job = {.tree = plan->tree,
                               .scale = (double)((int64_t)1 << plan->input.deepest),
                               .points = !cell_data,
                               .samples = all->n,
                               .list = plan->samples[cell_data]};
  tsr_executor *e = &plan->executor;
  const char *what = "the samples";
  tsr_status status;
  void *to;
  if (plan->samples[cell_data].begin)
    return TSR_OK;
  TSR_OCTREE_TRY(e->input(e, &places, 1, 0, &to, error));
  job.places = to;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job.before, all->n + 1, sizeof *job.before, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_sample, job, all->n, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job.before, all->n, &job.list.n, error));
  status = e->alloc_pairs(e, &job.pairs, job.list.n, what, error);
  if (status == TSR_OK)
    status = make_list(plan, &job, error);
  e->free_pairs(e, &job.pairs);
  TSR_OCTREE_TRY(status);
  TSR_OCTREE_TRY(e->finish(e, to, error));
  tsr_octree_release(plan, &job.before);
  plan->samples[cell_data] = job.list;
  return TSR_OK;
}

tsr_status tsr_octree_take_samples(tsr_octree_plan *plan, const tsr_array *samples, int cell_data,
                                   int component, double **values, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  void *to;
  TSR_OCTREE_TRY(need_list(plan, cell_data, error));
  const tsr_octree_sample_list *list = &plan->samples[cell_data];
  tsr_octree_gather_job job = {.from = list->from,
                               .array = *samples,
                               .component = component,
                               .columns = component < 0 ? samples->components : 1};
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, values, list->n * job.columns, sizeof **values, "the samples", error));
  TSR_OCTREE_TRY(e->input(e, samples, 1, 0, &to, error));
  job.array.data = to;
  job.to = *values;
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_gather, job, list->n, error));
  return e->finish(e, to, error);
}
