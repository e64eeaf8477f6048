/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the bounding box, and the point budget that scales tolerances. */
#include "common/bracket.h"
#include "curves/plan.h"

#include <stdlib.h>
#include <string.h>

#define TSR_BOUNDS_ITEMS 1024 /* items a partial bounding box covers */

typedef struct tsr_bounds_work {
  const tsr_curves_view *view;
  double (*parts)[6];
} tsr_bounds_work;

static void bounds_clear(double b[6]) {
  for (int c = 0; c < 3; ++c) {
    b[2 * c] = INFINITY;
    b[2 * c + 1] = -INFINITY;
  }
}

static void bounds_item(const tsr_curves_view *view, int64_t i, double b[6]) {
  const unsigned notes = tsr_curves_check_item(view, i);
  tsr_item item;
  if (notes & TSR_NOTES_BAD)
    return;
  item = tsr_item_at(view, i);
  if (item.kind == TSR_KIND_NONE)
    return;
  for (int64_t k = item.first; k < item.first + item.n; ++k) {
    const int64_t id = tsr_load_index(view->connectivity, view->index_type, k);
    for (int c = 0; c < 3; ++c) {
      const double x = tsr_load(&view->points, 3 * id + c);
      if (x < b[2 * c])
        b[2 * c] = x;
      if (x > b[2 * c + 1])
        b[2 * c + 1] = x;
    }
  }
}

static void bounds_task(void *data, int64_t begin, int64_t end) {
  const tsr_bounds_work *work = data;
  for (int64_t part = begin; part < end; ++part) {
    const int64_t first = part * TSR_BOUNDS_ITEMS;
    for (int64_t i = first; i < first + TSR_BOUNDS_ITEMS && i < work->view->n_items; ++i)
      bounds_item(work->view, i, work->parts[part]);
  }
}

tsr_status tsr_curves_bounds(const tsr_curves_view *view, const tsr_execution *execution,
                             double bounds[6], tsr_error *error) {
  tsr_execution defaults;
  tsr_curves_view own;
  tsr_bounds_work work = {&own, NULL};
  tsr_job job = {.task = bounds_task, .data = &work};
  tsr_status status;
  if (!view || !bounds)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "the view or the place for the bounds is missing");
  tsr_curves_view_init(&own);
  status = tsr_copy_versioned(&own, sizeof own, view, "view", TSR_BAD_INPUT, error);
  if (status == TSR_OK)
    status = tsr_curves_check_view(&own, error);
  if (status != TSR_OK)
    return status;
  tsr_execution_init(&defaults);
  job.execution = execution ? execution : &defaults;
  job.n = (own.n_items + TSR_BOUNDS_ITEMS - 1) / TSR_BOUNDS_ITEMS;
  work.parts = tsr_alloc(job.n, sizeof *work.parts, "bounding boxes", error);
  if (!work.parts)
    return TSR_NO_MEMORY;
  for (int64_t part = 0; part < job.n; ++part)
    bounds_clear(work.parts[part]);
  status = tsr_job_run(&job, 1);
  bounds_clear(bounds);
  for (int64_t part = 0; part < job.n; ++part) {
    for (int c = 0; c < 6; c += 2) {
      if (work.parts[part][c] < bounds[c])
        bounds[c] = work.parts[part][c];
      if (work.parts[part][c + 1] > bounds[c + 1])
        bounds[c + 1] = work.parts[part][c + 1];
    }
  }
  free(work.parts);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the bounds were found");
  return TSR_OK;
}

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
    tsr_curves_set_criteria(plan, scale);
    status = tsr_curves_count(plan, &why);
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

static tsr_status attempt(void *context, double factor, int *fits, tsr_error *error) {
  const tsr_budget *it = context;
  int64_t total = 0;
  const tsr_status status = budget_count(it, factor, it->budget, &total, error);
  *fits = status == TSR_OK && total <= it->budget;
  return status;
}

tsr_status tsr_curves_fit_budget(tsr_curves_plan *const *plans, int n_plans, int64_t budget,
                                 int64_t (*sum)(void *context, int64_t value), void *context,
                                 double *scale, tsr_error *error) {
  tsr_budget it = {plans, n_plans, budget, sum, context};
  const tsr_bracket bracket = {attempt, &it, 1e30};
  double tried = 1.0;
  int64_t points;
  tsr_status status;
  if (budget <= 0 || n_plans < 0 || (n_plans > 0 && !plans) || !scale)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the point budget must be above 0, but is %lld",
                    (long long)budget);
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
