/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: the point budget that scales what is allowed. */
#include "common/budget/budget.h"
#include "cells/plan.h"

/* Largest factor that is tried before the coarsest output of all is. */
#define COARSEST 1e30

/* The plans that share a budget. */
typedef struct tsr_cells_plans {
  tsr_cells_plan *const *plan;
  int n;
} tsr_cells_plans;

/* Divides the plans at a scale, each up to `limit` points (0: none) or its own limit. */
static tsr_status divide_at(const void *plans, double scale, int64_t limit, int64_t *points,
                            tsr_error *error) {
  const tsr_cells_plans *all = plans;
  tsr_status status = TSR_OK;
  for (int i = 0; i < all->n && status == TSR_OK; ++i) {
    tsr_cells_plan *plan = all->plan[i];
    const int64_t own = plan->options.limit_points;
    const int tight = limit > 0 && (own == 0 || limit < own);
    tsr_error why;
    if (tight)
      plan->options.limit_points = limit;
    status = tsr_cells_divide_at(plan, scale, &why);
    plan->options.limit_points = own;
    *points += plan->sizes.points;
    if (status == TSR_TOO_LARGE && tight)
      status = TSR_OK;
    if (status != TSR_OK)
      tsr_fail(error, status, why.item, "%s", why.text);
  }
  return status;
}

tsr_status tsr_cells_fit_budget(tsr_cells_plan *const *plans, int n_plans, int64_t budget,
                                int64_t (*sum)(void *context, int64_t value), void *context,
                                double *scale, tsr_error *error) {
  const tsr_cells_plans all = {plans, n_plans};
  const tsr_point_budget it = {divide_at, &all, budget, sum, context, COARSEST};
  double tried;
  int64_t points;
  tsr_status status;
  if (tsr_check_list(plans, n_plans, "plans", TSR_BAD_OPTION, error))
    return TSR_BAD_OPTION;
  for (int k = 0; k < n_plans; ++k)
    if (tsr_need(plans[k] != NULL, "a plan of the list", error))
      return TSR_BAD_INPUT;
  status = tsr_point_budget_fit(&it, scale, &tried, error);
  if (status != TSR_OK || tried == *scale)
    return status;
  return tsr_point_budget_count(&it, *scale, 0, &points, error);
}
