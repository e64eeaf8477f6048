/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: criteria become rules with thresholds in absolute numbers,
 * and decide which nodes are refined. */
#include "grid/octree/octree.h"
#include "grid/tessera_grid_choices.h"

#include <stdlib.h>
#include <string.h>

/* Columns that a rule looks at, which is no rule of cell data. */
static int columns_of(const tsr_rule *rule) {
  if (tsr_grid_measure_is_flow(rule->measure))
    return 3;
  return rule->measure == TSR_MEASURE_INTERPOLATION_ERROR && rule->component < 0
             ? rule->array.components
             : 1;
}

int tsr_octree_rule_looks(const tsr_octree_plan *plan, int rule) {
  return plan->criteria.rules[rule].measure == TSR_MEASURE_INTERPOLATION_ERROR;
}

tsr_octree_rule_job tsr_octree_rule_job_of(const tsr_octree_plan *plan, int rule) {
  const tsr_grid_options *o = &plan->grid.options;
  tsr_octree_rule_job job = {.tree = plan->tree,
                             .space = plan->space,
                             .corners = plan->in,
                             .node_corner = plan->node_corner,
                             .samples = plan->samples[0],
                             .mode = (int)o->mode,
                             .asks = plan->asks,
                             .reached = plan->reached,
                             .refine = plan->refine,
                             .tasks = plan->tasks,
                             .limits = plan->close.limits};
  for (int r = 0; r < plan->criteria.n; ++r)
    job.looks = job.looks || tsr_octree_rule_looks(plan, r);
  job.rule.max_level = -1;
  if (rule < 0)
    return job;
  job.rule = plan->criteria.in_force[rule];
  job.rule.array = plan->fields[rule].array;
  job.values = plan->fields[rule].values;
  job.columns = plan->fields[rule].columns;
  job.payload = plan->fields[rule].payload;
  job.samples = plan->samples[job.rule.cell_data];
  job.sample_values = plan->fields[rule].samples;
  job.sample_columns = plan->fields[rule].sample_columns;
  return job;
}

/* Brings the array of a rule to the executor, and makes its columns. */
static tsr_status make_field(tsr_octree_plan *plan, const tsr_rule *rule, tsr_octree_field *field,
                             tsr_error *error) {
  tsr_executor *e = &plan->executor;
  const int moved = tsr_octree_moves(&plan->grid.options, &plan->given[rule->criterion]);
  const tsr_array *samples = tsr_octree_rule_samples(plan, rule);
  void *to;
  memset(field, 0, sizeof *field);
  TSR_OCTREE_TRY(e->input(e, &rule->array, 1, 1, &to, error));
  field->array = rule->array;
  field->array.data = to;
  field->sample_columns = rule->component < 0 ? rule->array.components : 1;
  if (samples)
    TSR_OCTREE_TRY(tsr_octree_take_samples(plan, samples, rule->cell_data, rule->component,
                                           &field->samples, error));
  if (rule->cell_data)
    return TSR_OK;
  field->columns = columns_of(rule);
  return tsr_octree_keep_columns(plan, &rule->array, &field->array, moved, rule->component,
                                 field->columns, &field->values, error);
}

/* Finds the range of the values of a field, without its samples, or of its measure. */
static tsr_status bound(tsr_octree_plan *plan, const tsr_rule *rule, const tsr_octree_field *field,
                        tsr_octree_range *range, tsr_error *error) {
  tsr_octree_rule_job job = tsr_octree_rule_job_of(plan, -1);
  job.rule = *rule;
  job.rule.array = field->array;
  job.values = field->values;
  job.columns = field->columns;
  const tsr_octree_span_job all = {field->values};
  if (field->values && !tsr_octree_is_flow(rule) && !plan->tree.cells.outside)
    return TSR_REDUCE(&plan->executor, tsr_octree_span, all, plan->in.points.n * field->columns,
                      range, error);
  return TSR_REDUCE(&plan->executor, tsr_octree_bounds, job, plan->tree.cells.n, range, error);
}

/* Adds the samples of a field to its range. */
static tsr_status add_samples(tsr_octree_plan *plan, const tsr_rule *rule,
                              const tsr_octree_field *field, tsr_octree_range *range,
                              tsr_error *error) {
  const tsr_octree_span_job all = {field->samples};
  const int64_t n = field->samples ? plan->samples[rule->cell_data].n : 0;
  tsr_octree_range part;
  TSR_OCTREE_TRY(
      TSR_REDUCE(&plan->executor, tsr_octree_span, all, n * field->sample_columns, &part, error));
  tsr_octree_bounds_join(range, &part);
  return TSR_OK;
}

/* As tsr_range_finder. Of cell data, all components count together for an interpolation error. */
static tsr_status find_range(void *data, const tsr_rule *rule, int measure, double range[2],
                             tsr_error *error) {
  tsr_octree_plan *plan = data;
  tsr_octree_field field;
  tsr_octree_range all = tsr_octree_bounds_none();
  tsr_rule one = *rule;
  (void)measure;
  TSR_OCTREE_TRY(make_field(plan, rule, &field, error));
  const int joint =
      rule->measure == TSR_MEASURE_INTERPOLATION_ERROR && rule->component < 0 && !field.values;
  for (int c = 0; c < (joint ? rule->array.components : 1); ++c) {
    tsr_octree_range part;
    one.component = joint ? c : rule->component;
    TSR_OCTREE_TRY(bound(plan, &one, &field, &part, error));
    tsr_octree_bounds_join(&all, &part);
  }
  TSR_OCTREE_TRY(add_samples(plan, rule, &field, &all, error));
  tsr_octree_release(plan, &field.samples);
  range[0] = all.low;
  range[1] = all.high;
  return TSR_OK;
}

/* Raises the note about values that are not finite to the count of a rule. */
static tsr_status note_odd(tsr_octree_plan *plan, int rule, tsr_error *error) {
  const tsr_octree_rule_job job = tsr_octree_rule_job_of(plan, rule);
  tsr_note_count *note = &plan->sizes.notes[TSR_GRID_NOTE_NOT_FINITE], found;
  tsr_octree_range range;
  TSR_OCTREE_TRY(bound(plan, &plan->criteria.rules[rule], &plan->fields[rule], &range, error));
  TSR_OCTREE_TRY(
      add_samples(plan, &plan->criteria.rules[rule], &plan->fields[rule], &range, error));
  if (range.odd == 0)
    return TSR_OK;
  TSR_OCTREE_TRY(
      TSR_REDUCE(&plan->executor, tsr_octree_odd, job, plan->tree.cells.n, &found, error));
  if (found.count > note->count)
    *note = found;
  return TSR_OK;
}

/* Finds the payloads of all nodes, from the lowest up. */
static tsr_status find_payloads(tsr_octree_plan *plan, int rule, tsr_error *error) {
  const tsr_octree_nodes *nodes = &plan->tree.nodes;
  const int top = plan->tree.shape.top;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &plan->fields[rule].payload, 3 * nodes->at[top + 1],
                                  sizeof(double), "the measures of nodes", error));
  tsr_octree_rule_job job = tsr_octree_rule_job_of(plan, rule);
  for (int h = 1; h <= top; ++h) {
    job.from = nodes->at[h];
    TSR_OCTREE_TRY(TSR_EACH(&plan->executor, tsr_octree_find_payload, job,
                            nodes->at[h + 1] - nodes->at[h], error));
  }
  return TSR_OK;
}

/* Copies the criteria, those of moved cell data as of point data. */
static tsr_status choose_criteria(tsr_octree_plan *plan, tsr_error *error) {
  tsr_grid_options *o = &plan->grid.options;
  plan->chosen = tsr_alloc(o->n_criteria, sizeof *plan->chosen, "the criteria", error);
  if (!plan->chosen)
    return TSR_NO_MEMORY;
  for (int r = 0; r < o->n_criteria; ++r) {
    plan->chosen[r] = plan->given[r];
    if (plan->given[r].measure == TSR_MEASURE_SECOND_DERIVATIVE)
      return tsr_fail(error, TSR_BAD_OPTION, r,
                      "the second derivative needs cells of one size: take another criterion for "
                      "an octree, as the gradient");
    if (tsr_octree_moves(o, &plan->given[r]))
      plan->chosen[r].cell_data = 0;
  }
  o->criteria = plan->chosen;
  return TSR_OK;
}

tsr_status tsr_octree_find_rules(tsr_octree_plan *plan, tsr_error *error) {
  const int top = plan->tree.shape.top;
  const int64_t n = plan->tree.nodes.at[top + 1];
  TSR_OCTREE_TRY(choose_criteria(plan, error));
  TSR_OCTREE_TRY(tsr_grid_criteria_create(&plan->criteria, &plan->grid, error));
  TSR_OCTREE_TRY(tsr_grid_criteria_find(&plan->criteria, &plan->grid, find_range, plan, error));
  plan->fields = tsr_alloc_clear(plan->criteria.n, sizeof *plan->fields, "the criteria", error);
  if (!plan->fields)
    return TSR_NO_MEMORY;
  for (int r = 0; r < plan->criteria.n; ++r) {
    TSR_OCTREE_TRY(make_field(plan, &plan->criteria.rules[r], &plan->fields[r], error));
    TSR_OCTREE_TRY(note_odd(plan, r, error));
    if (!tsr_octree_rule_looks(plan, r))
      TSR_OCTREE_TRY(find_payloads(plan, r, error));
  }
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &plan->asks, n, 1, "marks of nodes", error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &plan->reached, n, 1, "marks of nodes", error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &plan->refine, n, 1, "marks of nodes", error));
  return tsr_octree_alloc(plan, &plan->tasks, n + 1, sizeof *plan->tasks, "marks of nodes", error);
}

/* The looks at the nodes of a height by all rules: those that come first, or the others. */
static tsr_status look_in_turn(tsr_octree_plan *plan, const tsr_octree_rule_job *at, int first,
                               int64_t looks, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  for (int r = 0; r < plan->criteria.n && looks > 0; ++r) {
    tsr_octree_rule_job job = tsr_octree_rule_job_of(plan, r);
    job.from = at->from;
    job.height = at->height;
    job.n = at->n;
    job.hits = at->hits;
    job.first = first;
    if (tsr_octree_rule_looks(plan, r) && tsr_octree_looks_at(&job, job.height))
      TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_look, job, looks, error));
  }
  return TSR_EACH(e, tsr_octree_settle, *at, at->n, error);
}

/* Looks at the points below the nodes of a height that are still to be kept, and settles the
 * height. */
static tsr_status look_at_height(tsr_octree_plan *plan, tsr_octree_rule_job *at, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  int64_t looks;
  TSR_OCTREE_TRY(tsr_octree_sum(plan, at->tasks, at->n, &looks, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &at->hits, at->n, 1, "looks at points", error));
  const tsr_octree_clear_job none = {at->hits, 0};
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_clear, none, at->n, error));
  if (looks > 0)
    TSR_OCTREE_TRY(look_in_turn(plan, at, 1, looks, error));
  return look_in_turn(plan, at, 0, looks, error);
}

tsr_status tsr_octree_refine(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_octree_nodes *nodes = &plan->tree.nodes;
  const int top = plan->tree.shape.top;
  tsr_executor *e = &plan->executor;
  const tsr_octree_clear_job none = {plan->asks, 0}, root = {plan->reached, 1};
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_clear, none, nodes->at[top + 1], error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_clear, root, nodes->at[top + 1], error));
  for (int r = 0; r < plan->criteria.n; ++r) {
    const tsr_octree_rule_job job = tsr_octree_rule_job_of(plan, r);
    if (!tsr_octree_rule_looks(plan, r))
      TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_ask, job, nodes->at[top + 1], error));
  }
  for (int h = top; h > 0; --h) {
    tsr_octree_rule_job job = tsr_octree_rule_job_of(plan, -1);
    job.from = nodes->at[h];
    job.height = h;
    job.n = nodes->at[h + 1] - nodes->at[h];
    TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_decide, job, job.n, error));
    TSR_OCTREE_TRY(look_at_height(plan, &job, error));
    tsr_octree_release(plan, &job.hits);
  }
  return TSR_OK;
}

void tsr_octree_free_rules(tsr_octree_plan *plan) {
  tsr_grid_criteria_free(&plan->criteria);
  free(plan->chosen);
  free(plan->fields);
  plan->chosen = NULL;
  plan->fields = NULL;
  plan->grid.options.criteria = plan->given;
}
