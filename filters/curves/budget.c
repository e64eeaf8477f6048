/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the point budget that scales tolerances. */
#include "common/budget/budget.h"
#include "curves/plan.h"

/* The plans that share a budget. */
typedef struct tsr_curves_plans {
  tsr_curves_plan *const *plan;
  int n;
} tsr_curves_plans;

/* How far the curves are from the origin, which bounds the tolerances that mean anything. */
static tsr_status find_place(tsr_curves_plan *plan, tsr_error *error) {
  double bounds[6];
  tsr_status status;
  if (!plan->options.use_chord_error || plan->place > 0.0)
    return TSR_OK;
  status = tsr_curves_bounds(&plan->view, &plan->base.execution, bounds, error);
  if (status == TSR_OK)
    plan->place = tsr_curves_largest_place(bounds);
  return status;
}

/* Counts the plans at a scale, each up to `limit` points or its own limit. */
static tsr_status count_at(const void *plans, double scale, int64_t limit, int64_t *points,
                           tsr_error *error) {
  const tsr_curves_plans *all = plans;
  tsr_status status = TSR_OK;
  for (int i = 0; i < all->n && status == TSR_OK; ++i) {
    tsr_curves_plan *plan = all->plan[i];
    const int64_t own = plan->limit;
    tsr_error why;
    plan->limit = limit < own ? limit : own;
    status = find_place(plan, &why);
    if (status == TSR_OK) {
      tsr_curves_set_criteria(plan, scale);
      status = tsr_curves_count(plan, &why);
    }
    plan->limit = own;
    if (status == TSR_TOO_LARGE && limit < own) {
      status = TSR_OK;
      *points += limit;
    } else if (status != TSR_OK) {
      tsr_fail(error, status, why.item, "%s", why.text);
    }
    *points += plan->counted ? plan->sizes.points : 1;
  }
  return status;
}

tsr_status tsr_curves_fit_budget(tsr_curves_plan *const *plans, int n_plans, int64_t budget,
                                 int64_t (*sum)(void *context, int64_t value), void *context,
                                 double *scale, tsr_error *error) {
  const tsr_curves_plans all = {plans, n_plans};
  const tsr_point_budget it = {count_at, &all, budget, sum, context, 1e30};
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
  if (!isinf(*scale))
    return tsr_point_budget_count(&it, *scale, budget, &points, error);
  status = tsr_point_budget_count(&it, it.coarsest, TSR_MOST_POINTS, &points, error);
  for (int i = 0; i < n_plans; ++i)
    plans[i]->tolerance_scale = INFINITY;
  return status;
}
