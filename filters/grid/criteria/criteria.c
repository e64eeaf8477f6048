/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: criteria become rules, with thresholds in absolute numbers and times a scale. */
#include "grid/criteria/criteria.h"

#include <stdlib.h>
#include <string.h>

/* 1 for an interpolation error where cells have values of their own and nothing is interpolated:
 * cell data, and all of TREES and PATCHES. It bounds the differences to these values, means, by the
 * range of each component: the mean lies within it. */
static int bounds_means(const tsr_grid_input *input, const tsr_grid_criterion *c) {
  return c->measure == TSR_MEASURE_INTERPOLATION_ERROR &&
         (c->cell_data || tsr_grid_has_states(input));
}

/* Rules that a criterion becomes. */
static int rules_of(const tsr_grid_input *input, const tsr_grid_criterion *c) {
  return bounds_means(input, c) && c->component < 0 && c->array.components > 1 ? c->array.components
                                                                               : 1;
}

tsr_status tsr_grid_criteria_create(tsr_grid_criteria *criteria, const tsr_grid_input *input,
                                    tsr_error *error) {
  int64_t n = 0;
  for (int r = 0; r < input->options.n_criteria; ++r)
    n += rules_of(input, &input->options.criteria[r]);
  criteria->rules = tsr_alloc(n, sizeof *criteria->rules, "the criteria", error);
  criteria->in_force = tsr_alloc(n, sizeof *criteria->in_force, "the criteria", error);
  return criteria->rules && criteria->in_force ? TSR_OK : TSR_NO_MEMORY;
}

void tsr_grid_criteria_free(tsr_grid_criteria *criteria) {
  tsr_bounds_free(&criteria->bounds);
  free(criteria->rules);
  free(criteria->in_force);
  memset(criteria, 0, sizeof *criteria);
}

/* Who finds ranges. */
typedef struct tsr_search_range {
  const tsr_grid_input *input;
  tsr_range_finder finder;
  void *data;
} tsr_search_range;

/* Squares of values up to this, and sums of many of them, are finite. */
#define TSR_TAME 1e150

/* The range that a relative criterion is a fraction of, agreed on by all processes. Notes in the
 * rule whether all values here are tame. */
static tsr_status find_range(const tsr_search_range *by, const tsr_grid_criterion *c,
                             tsr_rule *rule, double range[2], tsr_error *error) {
  const int measure = c->measure == TSR_MEASURE_VORTICITY || c->measure == TSR_MEASURE_Q;
  const tsr_grid_input *input = by->input;
  const int hides = input->hidden || input->view.hidden_points;
  int finite = 0;
  tsr_status status;
  range[0] = c->range[0];
  range[1] = c->range[1];
  if (range[0] <= range[1])
    return TSR_OK;
  status = by->finder ? by->finder(by->data, rule, measure, range, error)
                      : tsr_rule_range(input, rule, measure, range, &finite, error);
  rule->tame = finite && !measure && !hides && -TSR_TAME <= range[0] && range[1] <= TSR_TAME;
  status = tsr_grid_agree(&input->options, status, error);
  if (status == TSR_OK)
    status = tsr_grid_agree_range(&input->options, range, error);
  if (measure && range[0] <= range[1])
    range[0] = 0.0;
  return status;
}

/* A criterion with its numbers in force at scale 1. */
static tsr_status find_rule(const tsr_search_range *by, const tsr_grid_criterion *c, tsr_rule *rule,
                            tsr_error *error) {
  tsr_status status;
  double range[2];
  rule->measure = c->measure;
  rule->array = c->array;
  rule->cell_data = c->cell_data;
  rule->component = c->component;
  rule->threshold = c->threshold;
  rule->lower = c->lower;
  rule->upper = c->upper;
  rule->max_level = c->max_level;
  rule->tame = 0;
  if (!c->relative || c->measure == TSR_MEASURE_SECOND_DERIVATIVE)
    return TSR_OK;
  status = find_range(by, c, rule, range, error);
  if (!(range[0] <= range[1]))
    range[0] = range[1] = 0.0;
  /* A fraction of nothing: an array of one value asks for nothing, whatever rounding does. */
  rule->threshold = range[1] > range[0] ? c->threshold * (range[1] - range[0]) : TSR_INFINITY;
  rule->lower = range[0] + c->lower * (range[1] - range[0]);
  rule->upper = range[0] + c->upper * (range[1] - range[0]);
  return status;
}

tsr_status tsr_grid_criteria_find(tsr_grid_criteria *criteria, const tsr_grid_input *input,
                                  tsr_range_finder finder, void *data, tsr_error *error) {
  const tsr_search_range by = {input, finder, data};
  const int coarsen = input->lattice.coarsen;
  tsr_status status = TSR_OK;
  for (int r = 0; r < input->options.n_criteria && status == TSR_OK; ++r) {
    const tsr_grid_criterion *c = &input->options.criteria[r];
    const int n = rules_of(input, c);
    tsr_rule rule;
    rule.criterion = r;
    status = find_rule(&by, c, &rule, error);
    if (bounds_means(input, c)) {
      rule.measure = TSR_MEASURE_VALUE_RANGE;
      rule.max_level = rule.max_level >= 0 && rule.max_level < coarsen ? rule.max_level : coarsen;
    }
    for (int k = 0; k < n; ++k) {
      rule.component = n > 1 ? k : c->component;
      criteria->rules[criteria->n++] = rule;
    }
  }
  tsr_grid_criteria_scale(criteria, 1.0);
  return status;
}

void tsr_grid_criteria_scale(tsr_grid_criteria *criteria, double scale) {
  criteria->scale = scale;
  for (int r = 0; r < criteria->n; ++r) {
    tsr_rule *rule = &criteria->in_force[r];
    *rule = criteria->rules[r];
    if (rule->measure == TSR_MEASURE_IN_RANGE)
      rule->threshold = 0.5; /* the measure is 1 or 0 */
    else
      rule->threshold = scale <= TSR_LARGEST_VALUE ? rule->threshold * scale : TSR_INFINITY;
  }
}
