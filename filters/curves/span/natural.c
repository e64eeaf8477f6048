/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curves: natural cubic splines. A spline is cubic between its knots, and its second derivative is
 * continuous, which makes a tridiagonal system of the slopes m at the points (de Boor, A Practical
 * Guide to Splines, IV):
 *   h[k] m[k-1] + 2 (h[k-1] + h[k]) m[k] + h[k-1] m[k+1] = 3 (h[k] d[k-1] + h[k-1] d[k]),
 * h: knot intervals, d: slopes of the legs. At an open end 2 m[0] + m[1] = 3 d[0], so that the
 * second derivative is 0; a closed curve goes round. The system is solved by elimination without
 * pivots, which is stable since the diagonal is twice the rest of its row. It is solved here for
 * every backend. Repeated points are one point of the spline.
 */
#include "curves/plan.h"

#include <stdlib.h>
#include <string.h>

/** A spline that is being solved: n legs of a length above 0, and as many slopes, or one more where
 *  it is open. */
typedef struct tsr_spline {
  int64_t room, n;
  int closed;
  double *h, (*d)[3];  /**< of a leg */
  double (*m)[3];      /**< of a point */
  double *next, *last; /**< elimination: how much of the next point's slope is left in a row, and of
                            the last one's where the curve is closed */
} tsr_spline;

typedef struct tsr_slopes_work {
  const tsr_curves_plan *plan;
  double *slopes;
  tsr_job *job;
} tsr_slopes_work;

static void spline_free(tsr_spline *spline) {
  free(spline->h);
  free(spline->d);
  free(spline->m);
  free(spline->next);
  free(spline->last);
}

/* Room for n points. 0 where there is no memory. */
static int spline_grow(tsr_spline *spline, int64_t n) {
  const size_t room = 2 * (size_t)n;
  if (n <= spline->room)
    return 1;
  spline_free(spline);
  memset(spline, 0, sizeof *spline);
  spline->h = malloc(room * sizeof *spline->h);
  spline->d = malloc(room * sizeof *spline->d);
  spline->m = malloc(room * sizeof *spline->m);
  spline->next = malloc(room * sizeof *spline->next);
  spline->last = malloc(room * sizeof *spline->last);
  spline->room = (int64_t)room;
  return spline->h && spline->d && spline->m && spline->next && spline->last;
}

/* The knot interval after point k of the item. */
static double interval_after(const tsr_curves_plan *plan, const tsr_item *item, int64_t k) {
  const tsr_curves_view *view = &plan->view;
  return tsr_knot_interval(view, &plan->criteria.rules, tsr_item_id(view, item, k),
                           tsr_item_id(view, item, k + 1));
}

/* The legs of the item. */
static void load_legs(const tsr_curves_plan *plan, const tsr_item *item, tsr_spline *spline) {
  const tsr_curves_view *view = &plan->view;
  spline->n = 0;
  spline->closed = item->closed;
  for (int64_t k = 0; k + 1 < item->n; ++k) {
    const double h = interval_after(plan, item, k);
    double a[3], b[3];
    if (!(h > 0.0))
      continue;
    tsr_load3(&view->points, tsr_item_id(view, item, k), a);
    tsr_load3(&view->points, tsr_item_id(view, item, k + 1), b);
    spline->h[spline->n] = h;
    for (int c = 0; c < 3; ++c)
      spline->d[spline->n][c] = (b[c] - a[c]) / h;
    ++spline->n;
  }
}

/* Row g of the system, 2 on its diagonal: factors of the slopes before and after it, and the right
 * side. An open end has one neighbour. */
static void row_of(const tsr_spline *spline, int64_t g, double *before, double *after,
                   double right[3]) {
  const int at_start = !spline->closed && g == 0, at_end = !spline->closed && g == spline->n;
  const int64_t leg = at_end ? g - 1 : g,
                other = at_start || at_end ? leg : (g > 0 ? g : spline->n) - 1;
  const double sum = spline->h[leg] + spline->h[other];
  *before = at_start ? 0.0 : (at_end ? 1.0 : spline->h[leg] / sum);
  *after = at_end ? 0.0 : (at_start ? 1.0 : spline->h[other] / sum);
  for (int c = 0; c < 3; ++c)
    right[c] = 3.0 * (*before * spline->d[other][c] + *after * spline->d[leg][c]);
}

/* Eliminates the slope before from each of the first `rows` rows. */
static void eliminate(tsr_spline *spline, int64_t rows) {
  for (int64_t g = 0; g < rows; ++g) {
    double before, after, right[3], pivot, to_last = 0.0;
    row_of(spline, g, &before, &after, right);
    if (spline->closed && g == 0)
      to_last += before;
    if (spline->closed && g + 1 == rows)
      to_last += after;
    pivot = g > 0 ? 2.0 - before * spline->next[g - 1] : 2.0;
    for (int c = 0; c < 3; ++c)
      spline->m[g][c] = (g > 0 ? right[c] - before * spline->m[g - 1][c] : right[c]) / pivot;
    spline->next[g] = g + 1 < rows ? after / pivot : 0.0;
    spline->last[g] = (g > 0 ? to_last - before * spline->last[g - 1] : to_last) / pivot;
  }
}

/* Puts the slopes in from behind. */
static void substitute(tsr_spline *spline, int64_t rows) {
  for (int64_t g = rows - 2; g >= 0; --g) {
    for (int c = 0; c < 3; ++c)
      spline->m[g][c] -= spline->next[g] * spline->m[g + 1][c];
    spline->last[g] -= spline->next[g] * spline->last[g + 1];
  }
}

/* Slopes of all points. A closed curve: those of all but the last point as far as they do not hang
 * on the last one's, then that from its own row, then the rest. */
static void solve(tsr_spline *spline) {
  const int64_t rows = spline->closed ? spline->n - 1 : spline->n + 1;
  double before, after, right[3], pivot;
  eliminate(spline, rows);
  substitute(spline, rows);
  if (!spline->closed)
    return;
  row_of(spline, rows, &before, &after, right);
  pivot = 2.0 - (before * spline->last[rows - 1] + after * spline->last[0]);
  for (int c = 0; c < 3; ++c) {
    const double last =
        (right[c] - (before * spline->m[rows - 1][c] + after * spline->m[0][c])) / pivot;
    for (int64_t g = 0; g < rows; ++g)
      spline->m[g][c] -= spline->last[g] * last;
    spline->m[rows][c] = last;
  }
}

/* Slopes of the item's points; those of repeated ones are alike. */
static void store_slopes(const tsr_curves_plan *plan, const tsr_item *item,
                         const tsr_spline *spline, double *slopes) {
  int64_t g = 0;
  for (int64_t k = 0; k < item->n; ++k) {
    memcpy(slopes + 3 * (item->first + k), spline->m[spline->closed ? g % spline->n : g],
           3 * sizeof *slopes);
    if (k + 1 < item->n && interval_after(plan, item, k) > 0.0)
      ++g;
  }
}

static void slopes_task(void *data, int64_t begin, int64_t end) {
  const tsr_slopes_work *work = data;
  const tsr_curves_plan *plan = work->plan;
  tsr_spline spline = {0};
  for (int64_t i = begin; i < end; ++i) {
    const tsr_curves_view *view = &plan->view;
    tsr_item item;
    if ((view->kinds ? view->kinds[i] : view->kind) != TSR_KIND_NATURAL_SPLINE ||
        tsr_curves_check_item(view, i) & TSR_NOTES_BAD)
      continue;
    item = tsr_item_at(view, i);
    if (!spline_grow(&spline, item.n)) {
      tsr_job_stop(work->job, TSR_NO_MEMORY);
      break;
    }
    load_legs(plan, &item, &spline);
    if (spline.n > 0) {
      solve(&spline);
      store_slopes(plan, &item, &spline, work->slopes);
    }
  }
  spline_free(&spline);
}

static int has_splines(const tsr_curves_view *view) {
  int found = !view->kinds && view->kind == TSR_KIND_NATURAL_SPLINE;
  for (int64_t i = 0; view->kinds && i < view->n_items && !found; ++i)
    found = view->kinds[i] == TSR_KIND_NATURAL_SPLINE;
  return found;
}

tsr_status tsr_curves_take_slopes(tsr_curves_plan *plan, tsr_error *error) {
  const int64_t n = plan->view.n_connectivity;
  tsr_slopes_work work = {plan, NULL, NULL};
  tsr_job job = {.execution = &plan->base.execution, .task = slopes_task, .data = &work};
  tsr_status status;
  if (!has_splines(&plan->view))
    return TSR_OK;
  status = tsr_refuse_device_arrays(&plan->base.execution, "natural splines", error);
  if (status != TSR_OK)
    return status;
  plan->slopes = tsr_alloc(n, 3 * sizeof *plan->slopes, "the slopes of splines", error);
  if (!plan->slopes)
    return TSR_NO_MEMORY;
  memset(plan->slopes, 0, (size_t)n * 3 * sizeof *plan->slopes);
  work.slopes = plan->slopes;
  work.job = &job;
  job.n = plan->view.n_items;
  status = tsr_job_run(&job, 64);
  if (status == TSR_NO_MEMORY)
    return tsr_fail(error, status, -1, "there is no memory for the slopes of splines");
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while splines were solved");
  plan->criteria.rules.slopes = plan->slopes;
  return TSR_OK;
}
