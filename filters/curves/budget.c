/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the point budget that scales tolerances. */
#include "common/bracket.h"
#include "curves/plan.h"

/* What the search for a scale works on. */
typedef struct tsr_budget {
  tsr_curves_plan *const *plans;
  int n_plans;
  int64_t budget;
  int64_t (*sum)(void *context, int64_t value);
  void *context;
} tsr_budget;

static int64_t budget_sum(const tsr_budget *it, int64_t value) {
  return it->sum ? it->sum(it->context, value) : value;
}

/* How far the curves are from the origin, which bounds the tolerances that mean anything. */
static tsr_status find_place(tsr_curves_plan *plan, tsr_error *error) {
  double bounds[6];
  tsr_status status;
  if (!plan->options.use_chord_error || plan->place > 0.0)
    return TSR_OK;
  status = tsr_curves_bounds(&plan->view, &plan->execution, bounds, error);
  if (status == TSR_OK)
    plan->place = tsr_curves_largest_place(bounds);
  return status;
}

/* Counts all plans at a scale, each up to `limit` points or its own limit; *total over all
 * processes, which fail together. More than the limit is an answer and no failure: it does not fit.
 */
static tsr_status budget_count(const tsr_budget *it, double scale, int64_t limit, int64_t *total,
                               tsr_error *error) {
  tsr_status status = TSR_OK;
  int64_t points = 0, failures;
  for (int i = 0; i < it->n_plans && status == TSR_OK; ++i) {
    tsr_curves_plan *plan = it->plans[i];
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
      points += limit;
    } else if (status != TSR_OK) {
      tsr_fail(error, status, why.item, "%s", why.text);
    }
    points += plan->counted ? plan->sizes.points : 1;
  }
  failures = budget_sum(it, status != TSR_OK);
  *total = budget_sum(it, points);
  if (failures > 0 && status == TSR_OK)
    return tsr_fail(error, TSR_ABORTED, -1, "another process failed while the budget was fitted");
  return status;
}

static tsr_status attempt(void *context, double factor, tsr_fit *fits, tsr_error *error) {
  const tsr_budget *it = context;
  int64_t total = 0;
  const tsr_status status = budget_count(it, factor, it->budget, &total, error);
  *fits = status == TSR_OK && total <= it->budget ? TSR_FITS : TSR_FITS_NOT;
  return status;
}

tsr_status tsr_curves_fit_budget(tsr_curves_plan *const *plans, int n_plans, int64_t budget,
                                 int64_t (*sum)(void *context, int64_t value), void *context,
                                 double *scale, tsr_error *error) {
  tsr_budget it = {plans, n_plans, budget, sum, context};
  const tsr_bracket bracket = {attempt, &it, 1e30, 1.0 / 64.0};
  double tried = 1.0;
  int64_t points;
  tsr_status status;
  if (budget <= 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the point budget must be above 0, but is %lld",
                    (long long)budget);
  if (!scale)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "there is no place for the scale");
  if (tsr_check_list(plans, n_plans, "plans", TSR_BAD_OPTION, error))
    return TSR_BAD_OPTION;
  for (int k = 0; k < n_plans; ++k)
    if (tsr_need(plans[k] != NULL, "a plan of the list", error))
      return TSR_BAD_INPUT;
  status = tsr_bracket_search(&bracket, scale, &tried, error);
  if (status != TSR_OK || tried == *scale)
    return status;
  if (!isinf(*scale))
    return budget_count(&it, *scale, budget, &points, error);
  status = budget_count(&it, bracket.coarsest, TSR_MOST_POINTS, &points, error);
  for (int i = 0; i < n_plans; ++i)
    plans[i]->report.tolerance_scale = INFINITY;
  return status;
}
