/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: measures of nodes, stored where they are needed more than once. Calls the passes and the
 *  interpolation error, which do not call back. */
#include "grid/criteria/criteria.h"

#include <stdlib.h>
#include <string.h>

/* Number of an owned node of a level; *count: how many there are. */
static int64_t number_of(const tsr_lattice *lattice, int level, const int64_t i[3],
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

/* Where the measure by rule r of an owned node above the input cells is. */
static double *measure_at(const tsr_lattice *lattice, const tsr_measures *measures, int r,
                          int level, const int64_t i[3]) {
  int64_t count;
  return measures->level[(int64_t)r * lattice->coarsen + level] +
         number_of(lattice, level, i, &count);
}

/* Room for the measures of a rule. */
static tsr_status make_room(const tsr_lattice *lattice, double **levels, tsr_error *error) {
  for (int level = 0; level < lattice->coarsen; ++level) {
    const int64_t none[3] = {0, 0, 0};
    int64_t count;
    (void)number_of(lattice, level, none, &count);
    levels[level] = tsr_alloc(count, sizeof **levels, "the measures of the criteria", error);
    if (!levels[level])
      return TSR_NO_MEMORY;
    for (int64_t k = 0; k < count; ++k)
      levels[level][k] = -1.0;
  }
  return TSR_OK;
}

/* Evaluates a rule into `levels`. */
static tsr_status evaluate(const tsr_grid_input *input, const tsr_rule *rule,
                           tsr_pass_target target, double **levels, tsr_error *error) {
  if (rule->measure != TSR_MEASURE_INTERPOLATION_ERROR)
    target.measures = levels;
  else if (!target.tree)
    return TSR_OK;
  return tsr_rule_evaluate(input, rule, &target, error);
}

/* Copies the bits of the dense levels. */
static tsr_status copy_bits(const tsr_lattice *lattice, const tsr_tree *tree,
                            tsr_measures *measures, tsr_error *error) {
  for (int level = 0; level <= lattice->coarsen; ++level) {
    if (!tree->dense[level])
      continue;
    measures->bits[level] =
        tsr_alloc(tsr_tree_bytes(tree, level), 1, "the levels that a cell budget needs", error);
    if (!measures->bits[level])
      return TSR_NO_MEMORY;
    memcpy(measures->bits[level], tree->dense[level], (size_t)tsr_tree_bytes(tree, level));
  }
  return TSR_OK;
}

tsr_status tsr_measures_create(const tsr_grid_input *input, const tsr_grid_criteria *criteria,
                               tsr_pass_target target, tsr_measures *measures, tsr_error *error) {
  const int coarsen = input->lattice.coarsen;
  tsr_status status = TSR_OK;
  memset(measures, 0, sizeof *measures);
  measures->n = (int64_t)criteria->n * coarsen;
  measures->level = tsr_alloc(measures->n, sizeof(double *), "the criteria", error);
  if (!measures->level)
    return TSR_NO_MEMORY;
  for (int64_t k = 0; k < measures->n; ++k)
    measures->level[k] = NULL;
  for (int r = 0; r < criteria->n && status == TSR_OK; ++r) {
    double **levels = measures->level + (int64_t)r * coarsen;
    status = make_room(&input->lattice, levels, error);
    if (status == TSR_OK)
      status = evaluate(input, &criteria->in_force[r], target, levels, error);
  }
  if (status == TSR_OK && target.tree)
    status = copy_bits(&input->lattice, target.tree, measures, error);
  return status;
}

void tsr_measures_free(tsr_measures *measures) {
  if (measures->level)
    for (int64_t k = 0; k < measures->n; ++k)
      free(measures->level[k]);
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level)
    free(measures->bits[level]);
  free(measures->level);
  memset(measures, 0, sizeof *measures);
}

tsr_status tsr_measures_mark(const tsr_measures *measures, const tsr_lattice *lattice,
                             tsr_tree *tree, tsr_error *error) {
  const tsr_status status = tsr_tree_clear(tree, lattice, error);
  for (int level = 0; level < lattice->coarsen && status == TSR_OK; ++level)
    if (tree->dense[level])
      memcpy(tree->dense[level], measures->bits[level], (size_t)tsr_tree_bytes(tree, level));
  return status;
}

/* The measure of an input cell. */
static double cell_measure(const tsr_grid_input *input, const tsr_rule *rule, const int64_t i[3]) {
  const tsr_lattice *lattice = &input->lattice;
  double p[3];
  int flat = 0;
  tsr_payload_empty(rule, p);
  if (!tsr_node_hidden(input, lattice->coarsen, i))
    tsr_cell_payload(lattice, &input->space, rule, i, p, &flat);
  return tsr_payload_measure(lattice, rule->measure, lattice->coarsen, p);
}

int tsr_measures_ask(const tsr_grid_input *input, const tsr_grid_criteria *criteria,
                     const tsr_measures *measures, const tsr_tree *tree, int level,
                     const int64_t i[3]) {
  const tsr_lattice *lattice = &input->lattice;
  const uint8_t *cells = measures->bits[lattice->coarsen];
  if (level == lattice->coarsen &&
      !(cells && (cells[tsr_tree_dense_at(tree, level, i)] >> tsr_child_number(i)) & 1))
    return 0;
  for (int r = 0; r < criteria->n; ++r) {
    const tsr_rule *rule = &criteria->in_force[r];
    if (rule->measure != TSR_MEASURE_INTERPOLATION_ERROR &&
        tsr_rule_asks(lattice, rule, level,
                      level < lattice->coarsen ? *measure_at(lattice, measures, r, level, i)
                                               : cell_measure(input, rule, i)))
      return 1;
  }
  return 0;
}

/* The interpolation error by rule r, looked up. */
static double error_once(const tsr_grid_input *input, const tsr_grid_criteria *criteria,
                         tsr_measures *measures, int r, int level, const int64_t i[3]) {
  double *error = measure_at(&input->lattice, measures, r, level, i);
  if (*error < 0.0)
    *error = tsr_interpolation_error(input, &criteria->in_force[r], level, i, TSR_INFINITY, NULL);
  return *error;
}

int tsr_error_asks(const tsr_grid_input *input, const tsr_grid_criteria *criteria,
                   tsr_measures *measures, int level, const int64_t i[3]) {
  if (level >= input->lattice.coarsen)
    return 0;
  for (int r = 0; r < criteria->n; ++r) {
    const tsr_rule *rule = &criteria->in_force[r];
    double measure, largest = TSR_INFINITY;
    if (rule->measure != TSR_MEASURE_INTERPOLATION_ERROR || tsr_node_hidden(input, level, i))
      continue;
    measure = measures ? error_once(input, criteria, measures, r, level, i)
                       : tsr_interpolation_error(input, rule, level, i, rule->threshold, &largest);
    if (tsr_rule_asks(&input->lattice, rule, level, measure))
      return 1;
    tsr_bounds_note(&criteria->bounds, rule, level, i, largest);
  }
  return 0;
}

double tsr_grid_indicator(const tsr_grid_input *input, const tsr_grid_criteria *criteria,
                          const tsr_measures *measures, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &input->lattice;
  double most = 0.0;
  for (int r = 0; r < criteria->n; ++r) {
    const tsr_rule *rule = &criteria->in_force[r];
    double measure, ratio;
    if (rule->measure == TSR_MEASURE_INTERPOLATION_ERROR)
      measure = tsr_interpolation_error(input, rule, level, i, TSR_INFINITY, NULL);
    else if (level > lattice->coarsen)
      measure = tsr_part_measure(lattice, &input->space, rule, level, i);
    else if (level == lattice->coarsen)
      measure = cell_measure(input, rule, i);
    else
      measure = *measure_at(lattice, measures, r, level, i);
    ratio = measure > 0.0 ? measure / rule->threshold : 0.0;
    most = ratio > most ? ratio : most;
  }
  return most;
}
