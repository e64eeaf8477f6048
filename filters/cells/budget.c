/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: the point budget that scales what is allowed. */
#include "cells/plan.h"
#include "common/bracket.h"

#include <math.h>

/* Largest factor that is tried. What is allowed is then beyond any mesh. */
#define COARSEST 1e30

/* What the search for a scale works on. */
typedef struct tsr_cells_budget {
  tsr_cells_plan *const *plans;
  int n_plans;
  int64_t budget;
  int64_t (*sum)(void *context, int64_t value);
  void *context;
} tsr_cells_budget;

static int64_t sum_over(const tsr_cells_budget *it, int64_t value) {
  return it->sum ? it->sum(it->context, value) : value;
}

/* Divides all plans at a scale, each up to `limit` points (0: none) or its own limit. More points
 * than `limit` are an answer and no failure. *total: points of all processes, which fail together.
 */
static tsr_status divide_at(const tsr_cells_budget *it, double scale, int64_t limit, int64_t *total,
                            tsr_error *error) {
  tsr_status status = TSR_OK;
  int64_t points = 0, failures;
  for (int i = 0; i < it->n_plans && status == TSR_OK; ++i) {
    tsr_cells_plan *plan = it->plans[i];
    const int64_t own = plan->options.limit_points;
    tsr_error why;
    const int tight = limit > 0 && (own == 0 || limit < own);
    if (tight)
      plan->options.limit_points = limit;
    tsr_cells_set_criteria(plan, scale);
    status = tsr_cells_divide_all(plan, &why);
    plan->options.limit_points = own;
    points += plan->sizes.points;
    if (status == TSR_TOO_LARGE && tight)
      status = TSR_OK;
    if (status != TSR_OK)
      tsr_fail(error, status, why.item, "%s", why.text);
  }
  failures = sum_over(it, status != TSR_OK);
  *total = sum_over(it, points);
  if (failures > 0 && status == TSR_OK)
    return tsr_fail(error, TSR_ABORTED, -1, "another process failed while the budget was fitted");
  return status;
}

static tsr_status attempt(void *context, double factor, tsr_fit *fits, tsr_error *error) {
  const tsr_cells_budget *it = context;
  int64_t total = 0;
  const tsr_status status = divide_at(it, factor, it->budget, &total, error);
  *fits = status == TSR_OK && total <= it->budget ? TSR_FITS : TSR_FITS_NOT;
  return status;
}

tsr_status tsr_cells_fit_budget(tsr_cells_plan *const *plans, int n_plans, int64_t budget,
                                int64_t (*sum)(void *context, int64_t value), void *context,
                                double *scale, tsr_error *error) {
  const tsr_cells_budget it = {plans, n_plans, budget, sum, context};
  const tsr_bracket bracket = {attempt, (void *)&it, COARSEST, 1.0 / 64.0};
  double tried = 1.0;
  int64_t points;
  tsr_status status;
  if (budget <= 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the point budget must be above 0, but is %lld",
                    (long long)budget);
  if (tsr_need(scale != NULL, "the place for the scale", error) ||
      tsr_check_list(plans, n_plans, "plans", TSR_BAD_OPTION, error))
    return TSR_BAD_OPTION;
  for (int k = 0; k < n_plans; ++k)
    if (tsr_need(plans[k] != NULL, "a plan of the list", error))
      return TSR_BAD_INPUT;
  status = tsr_bracket_search(&bracket, scale, &tried, error);
  if (status != TSR_OK || tried == *scale)
    return status;
  status = divide_at(&it, isinf(*scale) ? COARSEST : *scale, 0, &points, error);
  for (int i = 0; i < n_plans && isinf(*scale); ++i)
    plans[i]->sizes.scale = INFINITY;
  return status;
}
