/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the bounding box. */
#include "common/tessera_rounding.h"
#include "curves/check_math.h"
#include "curves/plan.h"

#include <stdlib.h>

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

static void bounds_join(double b[6], const double part[6]) {
  for (int c = 0; c < 6; c += 2) {
    b[c] = part[c] < b[c] ? part[c] : b[c];
    b[c + 1] = part[c + 1] > b[c + 1] ? part[c + 1] : b[c + 1];
  }
}

/* Finds the box of an item in the look that checks it. */
static void bounds_item(const tsr_curves_view *view, int64_t i, double b[6]) {
  tsr_item_look look;
  unsigned notes = tsr_check_offsets(view, i, &look);
  double x[3], box[6];
  bounds_clear(box);
  for (int64_t k = look.first; !notes && k < look.last; ++k) {
    notes = tsr_check_point(view, k, &look, x);
    for (int c = 0; c < 3 && !notes; ++c) {
      box[2 * c] = x[c] < box[2 * c] ? x[c] : box[2 * c];
      box[2 * c + 1] = x[c] > box[2 * c + 1] ? x[c] : box[2 * c + 1];
    }
  }
  if (!((notes ? notes : tsr_check_shape(view, i, &look)) & TSR_NOTES_BAD))
    bounds_join(b, box);
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
  if (tsr_need(view && bounds, "the view or the place for the bounds", error))
    return TSR_BAD_INPUT;
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
  for (int64_t part = 0; part < job.n; ++part)
    bounds_join(bounds, work.parts[part]);
  free(work.parts);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the bounds were found");
  return TSR_OK;
}

tsr_status tsr_curves_agree_bounds(double bounds[6], const tsr_processes *processes,
                                   tsr_error *error) {
  tsr_status status;
  for (int c = 0; c < 6; c += 2)
    bounds[c] = -bounds[c];
  status = tsr_processes_max(processes, bounds, 6, error);
  for (int c = 0; c < 6; c += 2)
    bounds[c] = -bounds[c];
  return status;
}

double tsr_curves_diagonal(const double bounds[6]) {
  double square = 0.0;
  for (int c = 0; c < 6; c += 2) {
    const double side = bounds[c + 1] > bounds[c] ? bounds[c + 1] - bounds[c] : 0.0;
    square += side * side;
  }
  return sqrt(square);
}

double tsr_curves_rounding(double largest_place) { return largest_place / 16777216.0; }

int tsr_curves_is_too_coarse(const tsr_curves_options *options, double largest_place) {
  const double chord =
      options->chord_error * (options->chord_relative ? options->reference_length : 1.0);
  return tsr_rounding_is_much(tsr_curves_rounding(largest_place), chord);
}

double tsr_curves_largest_place(const double bounds[6]) {
  double far2 = 0.0, diagonal2 = 0.0;
  for (int c = 0; c < 6; c += 2) {
    const double lo = bounds[c], hi = bounds[c + 1];
    const double far = fabs(lo) > fabs(hi) ? fabs(lo) : fabs(hi);
    if (!(lo <= hi))
      return 0.0;
    far2 += far * far;
    diagonal2 += (hi - lo) * (hi - lo);
  }
  return sqrt(far2) + sqrt(diagonal2);
}
