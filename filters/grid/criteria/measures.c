/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the measures of nodes, evaluated once where they are needed more than once. */
#include "grid/plan.h"

#include <stdlib.h>

/* Number of an owned node of a level; *count: how many there are. */
static int64_t tsr_measures_at(const tsr_lattice *lattice, int level, const int64_t i[3],
                               int64_t *count) {
  int64_t at = 0;
  *count = 1;
  for (int a = 2; a >= 0; --a) {
    int64_t range[2];
    tsr_level_range(lattice, a, level, lattice->owned[a], range);
    at = at * (range[1] - range[0]) + (i[a] - range[0]);
    *count *= range[1] - range[0];
  }
  return at;
}

double *tsr_measures_of(const tsr_grid_plan *plan, const tsr_measures *measures, int r, int level,
                        const int64_t i[3]) {
  int64_t count;
  return measures->level[(int64_t)r * plan->lattice.coarsen + level] +
         tsr_measures_at(&plan->lattice, level, i, &count);
}

/* Room for the measures of a rule. */
static tsr_status tsr_measures_room(const tsr_grid_plan *plan, double **levels, tsr_error *error) {
  for (int level = 0; level < plan->lattice.coarsen; ++level) {
    const int64_t none[3] = {0, 0, 0};
    int64_t count;
    (void)tsr_measures_at(&plan->lattice, level, none, &count);
    levels[level] = tsr_alloc(count, sizeof **levels, "the measures of the criteria", error);
    if (!levels[level])
      return TSR_NO_MEMORY;
    for (int64_t k = 0; k < count; ++k)
      levels[level][k] = -1.0;
  }
  return TSR_OK;
}

/* Evaluates a rule into `levels`. */
static tsr_status tsr_measures_fill(tsr_grid_plan *plan, const tsr_rule *rule, int decides,
                                    double **levels, tsr_error *error) {
  const int coarsen = plan->lattice.coarsen;
  tsr_rule only = *rule;
  if (rule->measure == TSR_MEASURE_INTERPOLATION_ERROR)
    return decides ? tsr_grid_apply_rule(plan, rule, NULL, error) : TSR_OK;
  if (!decides && (only.max_level < 0 || only.max_level > coarsen))
    only.max_level = coarsen;
  return tsr_grid_apply_rule(plan, &only, levels, error);
}

tsr_status tsr_measures_create(tsr_grid_plan *plan, const tsr_rule *rules, int decides,
                               tsr_measures *measures, tsr_error *error) {
  const int coarsen = plan->lattice.coarsen;
  tsr_status status = TSR_OK;
  measures->n = (int64_t)plan->n_rules * coarsen;
  measures->level = tsr_alloc(measures->n, sizeof(double *), "the criteria", error);
  if (!measures->level)
    return TSR_NO_MEMORY;
  for (int64_t k = 0; k < measures->n; ++k)
    measures->level[k] = NULL;
  for (int r = 0; r < plan->n_rules && status == TSR_OK; ++r) {
    double **levels = measures->level + (int64_t)r * coarsen;
    status = tsr_measures_room(plan, levels, error);
    if (status == TSR_OK)
      status = tsr_measures_fill(plan, &rules[r], decides, levels, error);
  }
  return status;
}

void tsr_measures_free(tsr_measures *measures) {
  for (int64_t k = 0; measures->level && k < measures->n; ++k)
    free(measures->level[k]);
  free(measures->level);
  measures->level = NULL;
}

double tsr_cell_measure(const tsr_grid_plan *plan, const tsr_rule *rule, const int64_t i[3]) {
  const tsr_lattice *lattice = &plan->lattice;
  double p[3];
  int flat = 0;
  tsr_payload_empty(rule, p);
  if (!tsr_node_hidden(plan, lattice->coarsen, i))
    tsr_cell_payload(lattice, &plan->space, rule, i, p, &flat);
  return tsr_payload_measure(lattice, rule->measure, lattice->coarsen, p);
}

double tsr_grid_indicator(const tsr_grid_plan *plan, const tsr_rule *rules,
                          const tsr_measures *measures, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &plan->lattice;
  double most = 0.0;
  for (int r = 0; r < plan->n_rules; ++r) {
    const tsr_rule *rule = &rules[r];
    double measure, ratio;
    if (rule->measure == TSR_MEASURE_INTERPOLATION_ERROR)
      measure = tsr_grid_error(plan, rule, level, i, TSR_INFINITY);
    else if (level > lattice->coarsen)
      measure = tsr_part_measure(lattice, &plan->space, rule, level, i);
    else if (level == lattice->coarsen)
      measure = tsr_cell_measure(plan, rule, i);
    else
      measure = *tsr_measures_of(plan, measures, r, level, i);
    ratio = measure > 0.0 ? measure / rule->threshold : 0.0;
    most = ratio > most ? ratio : most;
  }
  return most;
}
