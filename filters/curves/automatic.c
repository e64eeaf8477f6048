/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: what the points of polylines mean where the view leaves it to us: samples of a curve,
 * which stays straight between them, or the few points that a curve goes through.
 *
 *  A line is taken for a sketch, and becomes a Catmull-Rom curve, if it has at most
 *  TSR_SKETCH_POINTS points and turns by more than 30 degrees at more than one in ten of them. All
 *  others are straight. Each line is decided by itself, so that neither other lines nor the number
 *  of processes matter. */
#include "curves/check_math.h"
#include "curves/plan.h"

#include <stdlib.h>
#include <string.h>

/** Points of a sketch at most. Stream Tracer's lines have 36 to 2,002 points in the median on a
 * jet, wavelet, combustor and carotid artery, tracts 147; they turn by 1 to 9 degrees, but back and
 *  forth where a stream line ends at a point without flow, so that turning alone does not tell.
 * With 16 points sketches of a few more are not smooth; with 64 the carotid's stream lines have
 * more. */
#define TSR_SKETCH_POINTS 32

/** In a sketch, at least one in this many inner points is a corner. */
#define TSR_SKETCH_CORNERS 10

#define TSR_SKETCH_COS2 0.75 /* of 30 degrees, squared */

typedef struct tsr_kinds_work {
  const tsr_curves_view *view;
  uint8_t *kinds;
} tsr_kinds_work;

/* Points of a good line at which it turns by more than 30 degrees. */
static int64_t corners_of(const tsr_curves_view *view, const tsr_item *item) {
  double before[3] = {0.0, 0.0, 0.0}, at[3], next[3], leg[3], size2 = 0.0;
  int64_t corners = 0;
  tsr_load3(&view->points, tsr_item_id(view, item, 0), at);
  for (int64_t k = 1; k < item->n; ++k) {
    double along = 0.0, leg2 = 0.0;
    tsr_load3(&view->points, tsr_item_id(view, item, k), next);
    for (int c = 0; c < 3; ++c) {
      leg[c] = next[c] - at[c];
      along += leg[c] * before[c];
      leg2 += leg[c] * leg[c];
    }
    if (!(leg2 > 0.0)) /* a repeated point */
      continue;
    corners += size2 > 0.0 && (along < 0.0 || along * along < TSR_SKETCH_COS2 * size2 * leg2);
    memcpy(before, leg, sizeof before);
    memcpy(at, next, sizeof at);
    size2 = leg2;
  }
  return corners;
}

static tsr_curve_kind kind_of(const tsr_curves_view *view, int64_t i) {
  tsr_item item;
  if (tsr_check_item(view, i) & TSR_NOTES_BAD)
    return TSR_KIND_STRAIGHT; /* it is left out later, with a sentence */
  item = tsr_item_at(view, i);
  return item.n <= TSR_SKETCH_POINTS && TSR_SKETCH_CORNERS * corners_of(view, &item) > item.n - 2
             ? TSR_KIND_CATMULL_ROM
             : TSR_KIND_STRAIGHT;
}

static void kinds_task(void *data, int64_t begin, int64_t end) {
  const tsr_kinds_work *work = data;
  const tsr_curves_view *view = work->view;
  for (int64_t i = begin; i < end; ++i) {
    const tsr_curve_kind kind = view->kinds ? (tsr_curve_kind)view->kinds[i] : view->kind;
    work->kinds[i] = (uint8_t)(kind == TSR_KIND_AUTOMATIC ? kind_of(view, i) : kind);
  }
}

tsr_status tsr_curves_take_kinds(tsr_curves_plan *plan, tsr_error *error) {
  tsr_curves_view *view = &plan->view;
  tsr_kinds_work work = {.view = view};
  tsr_job job = {.execution = &plan->base.execution, .task = kinds_task, .data = &work};
  tsr_status status;
  if (view->n_items == 0 ||
      !(view->kinds ? memchr(view->kinds, TSR_KIND_AUTOMATIC, (size_t)view->n_items) != NULL
                    : view->kind == TSR_KIND_AUTOMATIC))
    return TSR_OK;
  status = tsr_refuse_device_arrays(&plan->base.execution, "lines of automatic kind", error);
  if (status != TSR_OK)
    return status;
  work.kinds = plan->kinds = tsr_alloc(view->n_items, 1, "the kinds of curves", error);
  if (!plan->kinds)
    return TSR_NO_MEMORY;
  job.n = view->n_items;
  status = tsr_job_run(&job, 256);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the lines were looked at");
  for (int64_t i = 0; i < view->n_items; ++i)
    plan->smooth_lines += plan->kinds[i] == TSR_KIND_CATMULL_ROM &&
                          (!view->kinds || view->kinds[i] == TSR_KIND_AUTOMATIC);
  view->kinds = plan->kinds;
  return TSR_OK;
}
