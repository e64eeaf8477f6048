/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: criteria become rules, with thresholds in absolute numbers and times a scale. */
#include "grid/criteria/criteria.h"

#include <stdlib.h>
#include <string.h>

tsr_status tsr_criteria_create(tsr_grid_criteria *criteria, const tsr_grid_input *input,
                               tsr_error *error) {
  const int n = input->options.n_criteria;
  criteria->rules = tsr_alloc(n, sizeof *criteria->rules, "the criteria", error);
  criteria->in_force = tsr_alloc(n, sizeof *criteria->in_force, "the criteria", error);
  return criteria->rules && criteria->in_force ? TSR_OK : TSR_NO_MEMORY;
}

void tsr_criteria_free(tsr_grid_criteria *criteria) {
  free(criteria->rules);
  free(criteria->in_force);
  memset(criteria, 0, sizeof *criteria);
}

/* The range that a relative criterion is a fraction of, agreed on by all processes. */
static tsr_status find_range(const tsr_grid_input *input, const tsr_grid_criterion *c,
                             const tsr_rule *rule, double range[2], tsr_error *error) {
  const int measure = c->measure == TSR_MEASURE_VORTICITY || c->measure == TSR_MEASURE_Q;
  tsr_status status;
  range[0] = c->range[0];
  range[1] = c->range[1];
  if (range[0] <= range[1])
    return TSR_OK;
  status = tsr_rule_range(input, rule, measure, range, error);
  status = tsr_grid_agree(&input->options, status, error);
  if (status == TSR_OK)
    status = tsr_grid_agree_range(&input->options, range, error);
  if (measure && range[0] <= range[1])
    range[0] = 0.0;
  return status;
}

tsr_status tsr_criteria_find(tsr_grid_criteria *criteria, const tsr_grid_input *input,
                             tsr_error *error) {
  tsr_status status = TSR_OK;
  for (int r = 0; r < input->options.n_criteria && status == TSR_OK; ++r) {
    const tsr_grid_criterion *c = &input->options.criteria[r];
    tsr_rule *rule = &criteria->rules[r];
    double range[2];
    rule->measure = c->measure;
    rule->array = c->array;
    rule->cell_data = c->cell_data;
    rule->component = c->component;
    rule->threshold = c->threshold;
    rule->lower = c->lower;
    rule->upper = c->upper;
    rule->max_level = c->max_level;
    criteria->n = r + 1;
    if (!c->relative || c->measure == TSR_MEASURE_SECOND_DERIVATIVE)
      continue;
    status = find_range(input, c, rule, range, error);
    if (!(range[0] <= range[1]))
      range[0] = range[1] = 0.0;
    /* A fraction of nothing: an array of one value asks for nothing, whatever rounding does. */
    rule->threshold = range[1] > range[0] ? c->threshold * (range[1] - range[0]) : TSR_INFINITY;
    rule->lower = range[0] + c->lower * (range[1] - range[0]);
    rule->upper = range[0] + c->upper * (range[1] - range[0]);
  }
  tsr_criteria_scale(criteria, 1.0);
  return status;
}

void tsr_criteria_scale(tsr_grid_criteria *criteria, double scale) {
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
