/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/budget/budget.h"

#include "common/budget/bracket.h"
#include "common/support.h"

static int64_t sum_over(const tsr_point_budget *it, int64_t value) {
  return it->sum ? it->sum(it->context, value) : value;
}

tsr_status tsr_point_budget_count(const tsr_point_budget *it, double factor, int64_t limit,
                                  int64_t *total, tsr_error *error) {
  int64_t points = 0;
  const tsr_status status = it->count(it->plans, factor, limit, &points, error);
  const int64_t failures = sum_over(it, status != TSR_OK);
  *total = sum_over(it, points);
  if (failures > 0 && status == TSR_OK)
    return tsr_fail(error, TSR_ABORTED, -1, "another process failed while the budget was fitted");
  return status;
}

static tsr_status attempt(void *context, double factor, tsr_fit *fits, tsr_error *error) {
  const tsr_point_budget *it = context;
  int64_t total = 0;
  const tsr_status status = tsr_point_budget_count(it, factor, it->budget, &total, error);
  *fits = status == TSR_OK && total <= it->budget ? TSR_FITS : TSR_FITS_NOT;
  return status;
}

tsr_status tsr_point_budget_fit(const tsr_point_budget *it, double *factor, double *tried,
                                tsr_error *error) {
  tsr_point_budget own = *it;
  const tsr_bracket bracket = {attempt, &own, it->coarsest, 1.0 / 64.0};
  *tried = 1.0;
  if (it->budget <= 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the point budget must be above 0, but is %lld",
                    (long long)it->budget);
  if (!factor)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "there is no place for the scale");
  return tsr_bracket_search(&bracket, factor, tried, error);
}
