/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the factor on the thresholds that a cell budget makes necessary. The field is evaluated
 * once: what is tried after that are thresholds against the measures that were kept.
 */
#include "grid/plan.h"

#include <stdlib.h>
#include <string.h>

/* What the descent needs to decide at any scale. */
struct tsr_grid_kept {
  uint8_t *bits[TSR_GRID_MAX_LEVEL + 1]; /* dense levels: nodes that a rule refines at any scale;
                                            input cells: that one refines at scale 1 */
  tsr_measures measures; /* of the interpolation error: -1 where it was not looked at yet */
};

static int64_t tsr_kept_bytes(const tsr_grid_plan *plan, int level) {
  const int64_t *size = plan->tree.size[level];
  return size[0] * size[1] * size[2];
}

void tsr_grid_free_kept(tsr_grid_plan *plan) {
  tsr_grid_kept *kept = plan->kept;
  if (!kept)
    return;
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level)
    free(kept->bits[level]);
  tsr_measures_free(&kept->measures);
  free(kept);
  plan->kept = NULL;
}

/* Copies the bits of a dense level. */
static tsr_status tsr_kept_copy(const tsr_grid_plan *plan, int level, uint8_t **to,
                                tsr_error *error) {
  if (!plan->tree.dense[level])
    return TSR_OK;
  *to = tsr_alloc(tsr_kept_bytes(plan, level), 1, "the levels that a cell budget needs", error);
  if (!*to)
    return TSR_NO_MEMORY;
  memcpy(*to, plan->tree.dense[level], (size_t)tsr_kept_bytes(plan, level));
  return TSR_OK;
}

tsr_status tsr_grid_keep(tsr_grid_plan *plan, const tsr_rule *rules, tsr_error *error) {
  tsr_status status;
  plan->kept = tsr_alloc(1, sizeof *plan->kept, "the cell budget", error);
  if (!plan->kept)
    return TSR_NO_MEMORY;
  memset(plan->kept, 0, sizeof *plan->kept);
  status = tsr_measures_create(plan, rules, 1, &plan->kept->measures, error);
  for (int level = 0; level <= plan->lattice.coarsen && status == TSR_OK; ++level)
    status = tsr_kept_copy(plan, level, &plan->kept->bits[level], error);
  return status;
}

void tsr_grid_recall(tsr_grid_plan *plan) {
  tsr_tree_clear(&plan->tree, &plan->lattice);
  for (int level = 0; level < plan->lattice.coarsen; ++level)
    if (plan->tree.dense[level])
      memcpy(plan->tree.dense[level], plan->kept->bits[level], (size_t)tsr_kept_bytes(plan, level));
}

int tsr_grid_kept_asks(const tsr_grid_plan *plan, const tsr_rule *rules, int level,
                       const int64_t i[3]) {
  const tsr_lattice *lattice = &plan->lattice;
  const uint8_t *cells = plan->kept->bits[lattice->coarsen];
  if (level == lattice->coarsen &&
      !(cells && (cells[tsr_tree_dense_at(&plan->tree, level, i)] >> tsr_child_number(i)) & 1))
    return 0;
  for (int r = 0; r < plan->n_rules; ++r) {
    const tsr_rule *rule = &rules[r];
    if (rule->measure != TSR_MEASURE_INTERPOLATION_ERROR &&
        tsr_rule_asks(lattice, rule, level,
                      level < lattice->coarsen
                          ? *tsr_measures_of(plan, &plan->kept->measures, r, level, i)
                          : tsr_cell_measure(plan, rule, i)))
      return 1;
  }
  return 0;
}

double tsr_grid_kept_error(const tsr_grid_plan *plan, const tsr_rule *rules, int r, int level,
                           const int64_t i[3]) {
  double *kept = tsr_measures_of(plan, &plan->kept->measures, r, level, i);
  if (*kept < 0.0)
    *kept = tsr_grid_error(plan, &rules[r], level, i, TSR_INFINITY);
  return *kept;
}

/* Counts the leaves of all processes. */
static tsr_status tsr_budget_count(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_status status = tsr_grid_agree(plan, tsr_grid_count_leaves(plan, error), error);
  plan->sizes.all_leaves = plan->sizes.leaves;
  return status == TSR_OK ? tsr_grid_sum(plan, &plan->sizes.all_leaves, error) : status;
}

/* Decides everything at a scale of the thresholds, and counts the leaves of all processes; but goes
 * no further where those are more than `most` already: what follows only adds to them. */
static tsr_status tsr_budget_try(tsr_grid_plan *plan, double scale, int64_t most,
                                 tsr_error *error) {
  const int limited = most < INT64_MAX;
  tsr_status status;
  plan->scale = plan->sizes.threshold_scale = scale;
  status = tsr_grid_agree(plan, tsr_grid_decide(plan, error), error);
  if (status == TSR_OK && limited)
    status = tsr_budget_count(plan, error);
  if (status != TSR_OK || (limited && plan->sizes.all_leaves > most))
    return status;
  status = tsr_grid_agree(plan, tsr_grid_decide_cells(plan, error), error);
  if (status == TSR_OK && limited)
    status = tsr_budget_count(plan, error);
  if (status != TSR_OK || (limited && plan->sizes.all_leaves > most))
    return status;
  status = tsr_grid_agree(
      plan, tsr_grid_decide_parts(plan, limited ? most : tsr_grid_most_leaves(plan), error), error);
  if (status == TSR_OK)
    status = tsr_budget_count(plan, error);
  if (status == TSR_OK && !limited)
    status = tsr_grid_agree(plan, tsr_grid_check_leaves(plan, error), error);
  if (status != TSR_OK || plan->sizes.all_leaves > most)
    return status;
  status = tsr_grid_settle(plan, error);
  return status == TSR_OK ? tsr_budget_count(plan, error) : status;
}

/* Halves the bracket (lo does not fit, hi does) until it is 1/64 wide, in proportion. */
static tsr_status tsr_budget_refine(tsr_grid_plan *plan, double lo, double hi, tsr_error *error) {
  const int64_t budget = plan->options.cell_budget;
  tsr_status status = TSR_OK;
  while (status == TSR_OK && hi > lo * (1.0 + 1.0 / 64.0)) {
    const double middle = sqrt(lo * hi);
    status = tsr_budget_try(plan, middle, budget, error);
    if (plan->sizes.all_leaves <= budget)
      hi = middle;
    else
      lo = middle;
  }
  if (status == TSR_OK && plan->scale != hi)
    status = tsr_budget_try(plan, hi, INT64_MAX, error);
  return status;
}

tsr_status tsr_grid_fit(tsr_grid_plan *plan, tsr_error *error) {
  const int64_t budget = plan->options.mode == TSR_GRID_ADAPTIVE ? plan->options.cell_budget : 0;
  double lo = 1.0, hi = 1.0;
  tsr_status status;
  for (int note = 0; note < TSR_GRID_NOTES; ++note) {
    plan->sizes.notes[note].count = 0;
    plan->sizes.notes[note].first = -1;
  }
  if (budget == 0)
    return tsr_budget_try(plan, 1.0, INT64_MAX, error);
  for (;;) {
    const int last = hi >= 1e30;
    status = tsr_budget_try(plan, last ? TSR_INFINITY : hi, last ? INT64_MAX : budget, error);
    if (status != TSR_OK || last || plan->sizes.all_leaves <= budget)
      break;
    lo = hi;
    hi *= hi < 1e6 ? 2.0 : 1e6;
  }
  if (status == TSR_OK && hi < 1e30 && hi > 1.0)
    status = tsr_budget_refine(plan, lo, hi, error);
  if (status == TSR_OK && plan->sizes.all_leaves > budget)
    plan->sizes.notes[TSR_GRID_NOTE_BUDGET].count = plan->sizes.all_leaves - budget;
  tsr_grid_free_kept(plan);
  return status;
}
