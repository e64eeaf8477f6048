/* SPDX-License-Identifier: BSD-3-Clause */
/** Adaptive grids: the plan, from the view to exact sizes. */
#include "grid/plan.h"

#include <stdlib.h>
#include <string.h>

static tsr_status tsr_grid_take(tsr_grid_plan *plan, const tsr_grid_view *view,
                                const tsr_grid_options *options, const tsr_execution *execution,
                                tsr_error *error) {
  tsr_status status;
  tsr_grid_view_init(&plan->view);
  tsr_grid_options_init(&plan->options);
  status = tsr_copy_versioned(&plan->options, sizeof plan->options, options, "options",
                              TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = tsr_copy_versioned(&plan->view, sizeof plan->view, view, "view", TSR_BAD_INPUT, error);
  return status == TSR_OK ? tsr_take_execution(&plan->execution, execution, error) : status;
}

/* What must be right before anything is computed. Nothing here is collective. */
static tsr_status tsr_grid_prepare(tsr_grid_plan *plan, tsr_error *error) {
  tsr_status status = tsr_grid_check_options(&plan->options, error);
  if (status != TSR_OK)
    return status;
  status = tsr_grid_set_lattice(plan, error);
  if (status == TSR_OK)
    status = tsr_grid_check_criteria(plan, error);
  if (status == TSR_OK && plan->options.output == TSR_GRID_POLYGONS && plan->lattice.dimension != 2)
    status = tsr_fail(error, TSR_BAD_OPTION, -1, "polygons need a grid of 2 dimensions, not %d",
                      plan->lattice.dimension);
  if (status == TSR_OK && plan->lattice.dimension == 0)
    return TSR_OK;
  if (status == TSR_OK)
    status = tsr_tree_create(&plan->tree, &plan->lattice, error);
  if (status == TSR_OK)
    status = tsr_grid_set_hidden(plan, error);
  plan->rules = tsr_alloc(plan->options.n_criteria, sizeof *plan->rules, "the criteria", error);
  if (status == TSR_OK && !plan->rules)
    return TSR_NO_MEMORY;
  return status == TSR_OK ? tsr_grid_device_open(plan, error) : status;
}

/* The range that a relative criterion is a fraction of, agreed on by all processes. */
static tsr_status tsr_grid_find_range(tsr_grid_plan *plan, const tsr_grid_criterion *c,
                                      const tsr_rule *rule, double range[2], tsr_error *error) {
  const int measure = c->measure == TSR_MEASURE_VORTICITY || c->measure == TSR_MEASURE_Q;
  tsr_status status;
  range[0] = c->range[0];
  range[1] = c->range[1];
  if (range[0] <= range[1])
    return TSR_OK;
  status = tsr_grid_agree(plan, tsr_grid_rule_range(plan, rule, measure, range, error), error);
  if (status == TSR_OK)
    status = tsr_grid_agree_range(plan, range, error);
  if (measure && range[0] <= range[1])
    range[0] = 0.0;
  return status;
}

/* The rules with thresholds in absolute numbers. */
static tsr_status tsr_grid_set_rules(tsr_grid_plan *plan, tsr_error *error) {
  tsr_status status = TSR_OK;
  for (int r = 0; r < plan->options.n_criteria && status == TSR_OK; ++r) {
    const tsr_grid_criterion *c = &plan->options.criteria[r];
    tsr_rule *rule = &plan->rules[r];
    double range[2];
    rule->measure = c->measure;
    rule->array = c->array;
    rule->cell_data = c->cell_data;
    rule->component = c->component;
    rule->threshold = c->threshold;
    rule->lower = c->lower;
    rule->upper = c->upper;
    rule->max_level = c->max_level;
    plan->n_rules = r + 1;
    if (!c->relative || c->measure == TSR_MEASURE_SECOND_DERIVATIVE)
      continue;
    status = tsr_grid_find_range(plan, c, rule, range, error);
    if (!(range[0] <= range[1]))
      range[0] = range[1] = 0.0;
    rule->threshold = c->threshold * (range[1] - range[0]);
    rule->lower = range[0] + c->lower * (range[1] - range[0]);
    rule->upper = range[0] + c->upper * (range[1] - range[0]);
  }
  return status;
}

int64_t tsr_grid_most_leaves(const tsr_grid_plan *plan) {
  return plan->options.limit_cells > 0 ? plan->options.limit_cells : INT64_MAX / 64;
}

tsr_status tsr_grid_check_leaves(const tsr_grid_plan *plan, tsr_error *error) {
  const int64_t most = tsr_grid_most_leaves(plan);
  if (plan->sizes.leaves <= most)
    return TSR_OK;
  return tsr_fail(
      error, TSR_TOO_LARGE, -1,
      "the grid has %lld cells or more, above the limit of %lld; raise the thresholds or "
      "set a cell budget",
      (long long)plan->sizes.leaves, (long long)most);
}

/* The leaves of the fixed fine grid in all processes; as soon as they are known to be too many, it
 * is said. */
static tsr_status tsr_grid_count_fine(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_lattice *lattice = &plan->lattice;
  const int deep = (lattice->levels - lattice->coarsen) * lattice->dimension;
  tsr_status status = TSR_OK;
  int64_t n = 1;
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_level_range(lattice, a, lattice->coarsen, lattice->owned[a], range);
    n *= range[1] - range[0];
  }
  n -= plan->n_hidden;
  plan->sizes.fine_cells =
      deep < 62 && n <= INT64_MAX >> deep ? n * ((int64_t)1 << deep) : INT64_MAX;
  if (plan->options.mode == TSR_GRID_FINE && plan->sizes.fine_cells > tsr_grid_most_leaves(plan))
    status = tsr_fail(error, TSR_TOO_LARGE, -1,
                      "the fixed fine grid has %lld cells, more than the limit of %lld; take fewer "
                      "refine levels",
                      (long long)plan->sizes.fine_cells, (long long)tsr_grid_most_leaves(plan));
  status = tsr_grid_agree(plan, status, error);
  return status == TSR_OK ? tsr_grid_sum(plan, &plan->sizes.fine_cells, error) : status;
}

/* The output's cells, in this process. */
static tsr_status tsr_grid_list(tsr_grid_plan *plan, tsr_error *error) {
  tsr_status status = tsr_grid_check_leaves(plan, error);
  if (status != TSR_OK)
    return status;
  if (plan->options.output == TSR_GRID_TREES)
    return tsr_grid_list_trees(plan, error);
  if (plan->options.output == TSR_GRID_PATCHES)
    return tsr_grid_list_patches(plan, error);
  status = tsr_grid_list_leaves(plan, error);
  if (status == TSR_OK)
    status = tsr_grid_make_points(plan, error);
  if (status == TSR_OK && plan->options.output == TSR_GRID_POLYGONS)
    status = tsr_grid_count_sides(plan, error);
  return status;
}

/* Everything after the structs were copied. */
static tsr_status tsr_grid_plan_make(tsr_grid_plan *plan, tsr_error *error) {
  tsr_status status = tsr_grid_agree(plan, tsr_grid_prepare(plan, error), error);
  plan->sizes.dimension = plan->lattice.dimension;
  plan->sizes.levels = plan->lattice.levels;
  if (status != TSR_OK || plan->lattice.dimension == 0)
    return status;
  status = tsr_grid_set_rules(plan, error);
  if (status == TSR_OK)
    status = tsr_grid_count_fine(plan, error);
  if (status == TSR_OK)
    status = tsr_grid_fit(plan, error);
  if (tsr_grid_has_states(plan))
    tsr_grid_device_close(plan); /* else it goes on in the fill */
  if (status != TSR_OK)
    return status;
  return tsr_grid_agree(plan, tsr_grid_list(plan, error), error);
}

tsr_status tsr_grid_plan_create(const tsr_grid_view *view, const tsr_grid_options *options,
                                const tsr_execution *execution, tsr_grid_plan **plan,
                                tsr_error *error) {
  tsr_status status;
  tsr_grid_plan *made = tsr_plan_alloc(sizeof *made, plan, view, options, &status, error);
  if (made)
    status = tsr_grid_take(made, view, options, execution, error);
  if (status == TSR_OK) {
    const double start = tsr_now(&made->execution);
    status = tsr_grid_plan_make(made, error);
    made->report.plan_seconds = tsr_now(&made->execution) - start;
  }
  if (status != TSR_OK) {
    tsr_grid_plan_free(made);
    made = NULL;
  }
  if (plan)
    *plan = made;
  return status;
}

void tsr_grid_plan_free(tsr_grid_plan *plan) {
  if (!plan)
    return;
  tsr_grid_device_close(plan);
  tsr_grid_free_kept(plan);
  tsr_tree_free(&plan->tree);
  tsr_grid_free_points(&plan->points);
  free(plan->rules);
  free(plan->hidden);
  free(plan->units.first);
  free(plan->nodes);
  free(plan->states);
  free(plan->tree_first);
  free(plan->patches);
  free(plan->offsets);
  free(plan->received);
  free(plan);
}

const tsr_grid_sizes *tsr_grid_plan_sizes(const tsr_grid_plan *plan) { return &plan->sizes; }

const tsr_grid_node *tsr_grid_plan_nodes(const tsr_grid_plan *plan) { return plan->nodes; }

void tsr_grid_plan_report(const tsr_grid_plan *plan, tsr_report *report) {
  int64_t items = plan->lattice.dimension > 0;
  for (int a = 0; a < plan->lattice.dimension; ++a) {
    int64_t range[2];
    tsr_level_range(&plan->lattice, a, plan->lattice.coarsen, plan->lattice.owned[a], range);
    items *= range[1] - range[0];
  }
  *report = plan->report;
  if (report->backend != TSR_BACKEND_CUDA)
    report->backend = TSR_BACKEND_CPU;
  report->threads = plan->execution.threads;
  report->items = items;
  report->points = plan->sizes.points;
  report->cells = plan->sizes.cells;
  report->tolerance_scale = plan->sizes.threshold_scale;
}
