/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curves: how few points there could be, estimated: the companion of the achieved error.
 *
 * A segment of length s is k s^2 / 8 away from a curve of curvature k, so the integral of
 * sqrt(k / (8 e)) along a curve is the least number of segments with vertices on it that an error e
 * takes. A polyline bends at its points: an angle there, on the half of both its sides.
 */
#include "curves/coarsen/vertex_math.h"
#include "curves/output/fill.h"
#include "curves/sampling/density_math.h"

typedef struct tsr_least_work {
  const tsr_curves_plan *plan;
  double error;
  int joints_stay;
  _Atomic int64_t points;
} tsr_least_work;

/* Segments, not rounded, that the span asks for by its own bend. */
static double demand_of_span(const tsr_least_work *work, const tsr_span *span) {
  tsr_density density;
  tsr_net net;
  tsr_span_net(&work->plan->view, span, &net);
  tsr_density_of_net(&density, &net, work->error, 0.0);
  if (span->degree > 3) /* the least number knows nothing of our bound */
    density.total /= sqrt(tsr_flatness_excess(span->degree));
  return density.total <= 1e15 ? density.total : 1e15;
}

/* Segments, not rounded, that the bend of a polyline at a point asks for; before, after: the legs
 * that meet there. At most 1, since a vertex at the point follows the bend exactly. */
static double demand_of_bend(const double *before, const double *after, double error) {
  const double a = sqrt(tsr_dot(before, before)), b = sqrt(tsr_dot(after, after));
  const double most = a * b, along = tsr_dot(before, after);
  double angle, bent;
  if (!(most > 0.0))
    return 0.0;
  angle = acos(along < most ? (along > -most ? along / most : -1.0) : 1.0);
  bent = sqrt(angle * 0.5 * (a + b) / (8.0 * error));
  return bent < 1.0 ? bent : 1.0;
}

static double demand_of_polyline(const tsr_least_work *work, const tsr_item *item) {
  const tsr_curves_view *view = &work->plan->view;
  double before[3], after[3], here[3], next[3], sum = 0.0;
  tsr_load3(&view->points, tsr_item_id(view, item, 0), here);
  for (int64_t k = 1; k < item->n; ++k) {
    tsr_load3(&view->points, tsr_item_id(view, item, k), next);
    for (int c = 0; c < 3; ++c)
      after[c] = next[c] - here[c];
    sum += k > 1 ? demand_of_bend(before, after, work->error) : 0.0;
    memcpy(before, after, sizeof before);
    memcpy(here, next, sizeof here);
  }
  return sum;
}

/* Points of a good item. */
static int64_t least_of_item(const tsr_least_work *work, const tsr_item *item) {
  const tsr_curves_plan *plan = work->plan;
  const int64_t most = (int64_t)1 << 50;
  int64_t segments = 0;
  double sum = 0.0;
  if (item->n_spans == 0)
    return 1;
  if (item->kind == TSR_KIND_STRAIGHT && work->joints_stay)
    return item->n_spans + !item->closed;
  if (item->kind == TSR_KIND_STRAIGHT)
    return tsr_ceil_count(demand_of_polyline(work, item), most) + !item->closed;
  for (int64_t s = 0; s < item->n_spans; ++s) {
    tsr_span span;
    tsr_span_make(&plan->view, item, &plan->criteria.rules, s, &span);
    if (work->joints_stay)
      segments += tsr_ceil_count(demand_of_span(work, &span), most);
    else
      sum += demand_of_span(work, &span);
  }
  return (work->joints_stay ? segments : tsr_ceil_count(sum, most)) + !item->closed;
}

static void least_task(void *data, int64_t begin, int64_t end) {
  tsr_least_work *work = data;
  int64_t points = 0;
  for (int64_t i = begin; i < end; ++i) {
    const unsigned notes = tsr_curves_check_item(&work->plan->view, i);
    if (!(notes & TSR_NOTES_BAD)) {
      const tsr_item item = tsr_item_at(&work->plan->view, i);
      points += tsr_item_good(notes, &item) ? least_of_item(work, &item) : 0;
    }
  }
  atomic_fetch_add(&work->points, points);
}

tsr_status tsr_curves_least_points(tsr_curves_plan *plan, tsr_error *error) {
  tsr_least_work work = {.plan = plan, .error = plan->chord_tolerance};
  tsr_job job = {.execution = &plan->base.execution, .task = least_task, .data = &work};
  tsr_status status;
  plan->base.report.least_points = 0;
  if (!plan->criteria.use_chord)
    return TSR_OK;
  work.joints_stay = !tsr_joints_may_go(&plan->criteria);
  job.n = plan->view.n_items;
  job.done_first = job.done_last = 1.0;
  status = tsr_job_run(&job, 256);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the least number of points was estimated");
  plan->base.report.least_points = atomic_load(&work.points);
  return TSR_OK;
}
