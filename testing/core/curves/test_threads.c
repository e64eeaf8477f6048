/* SPDX-License-Identifier: BSD-3-Clause */
/** Any number of threads gives the same bytes, and work can be stopped at any moment. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "executor.h"

static void many_curves(curve_set *set, int items) {
  uint64_t state = 61;
  curve_set_init(set);
  for (int i = 0; i < items; i++) {
    const int kind = i % (TSR_KIND_NATURAL_SPLINE + 1);
    const int n = 1 + (int)(random_bits(&state) % 15);
    double xyz[48];
    for (int k = 0; k < 48; k++) {
      xyz[k] = random_in(&state, -1.0, 1.0);
    }
    if (i % 97 == 0) {
      xyz[0] = (double)NAN;
    }
    curve_set_add(set, (tsr_curve_kind)kind, n, xyz, NULL, kind <= TSR_KIND_BSPLINE3 && i % 5 == 0);
  }
}

static void same(const void *a, const void *b, int64_t count, size_t size, const char *what,
                 int threads) {
  CHECK_SAY(memcmp(a, b, (size_t)count * size) == 0, "%s differs with %d threads", what, threads);
}

static void compare(const tessellation *a, const tessellation *b, int threads) {
  if (!CHECK_INT(b->sizes.points, a->sizes.points) || !CHECK_INT(b->sizes.cells, a->sizes.cells) ||
      !CHECK_INT(b->sizes.connectivity, a->sizes.connectivity)) {
    return;
  }
  const int64_t n = a->sizes.points;
  const int64_t cells = a->sizes.cells;
  for (int note = 0; note < TSR_NOTES; note++) {
    CHECK_INT(b->sizes.notes[note].count, a->sizes.notes[note].count);
    CHECK_INT(b->sizes.notes[note].first, a->sizes.notes[note].first);
  }
  same(a->points, b->points, 3 * n, sizeof(double), "points", threads);
  same(a->offsets, b->offsets, cells + 1, sizeof(int64_t), "offsets", threads);
  same(a->connectivity, b->connectivity, a->sizes.connectivity, sizeof(int64_t), "connectivity",
       threads);
  same(a->source_item, b->source_item, cells, sizeof(int64_t), "source_item", threads);
  same(a->nearest_point, b->nearest_point, n, sizeof(int64_t), "nearest_point", threads);
  same(a->parameter, b->parameter, n, sizeof(double), "parameter", threads);
  same(a->arc_length, b->arc_length, n, sizeof(double), "arc_length", threads);
  same(a->curvature, b->curvature, n, sizeof(double), "curvature", threads);
  same(a->tangents, b->tangents, 3 * n, sizeof(double), "tangents", threads);
  same(a->achieved_error, b->achieved_error, cells, sizeof(double), "achieved_error", threads);
}

static void check_same_bytes(const curve_set *set, const tsr_curves_options *o) {
  static const int counts[] = {1, 2, 3, 8};
  const tsr_curves_view view = curve_set_view(set);
  float *values = malloc((size_t)set->n_points * 2 * sizeof *values);
  for (int64_t i = 0; i < 2 * set->n_points; i++) {
    values[i] = (float)set->points[i];
  }
  tsr_attribute attribute =
      attribute_of(values, TSR_FLOAT, 2, set->n_points, TSR_INTERPOLATE_CURVE);
  tessellation alone;
  CHECK_INT(tessellate(&view, o, NULL, &attribute, 1, &alone), TSR_OK);
  void *expected = attribute.out;
  for (int i = 0; i < 4; i++) {
    executor exec = {.threads = counts[i]};
    const tsr_execution execution = executor_execution(&exec);
    tessellation out;
    CHECK_INT(tessellate(&view, o, &execution, &attribute, 1, &out), TSR_OK);
    compare(&alone, &out, counts[i]);
    if (out.sizes.points == alone.sizes.points) {
      same(expected, attribute.out, 2 * out.sizes.points, sizeof(float), "attribute", counts[i]);
    }
    CHECK_SAY(exec.pieces > 4, "the work came in %lld pieces", (long long)exec.pieces);
    CHECK_INT(out.report.threads, counts[i]);
    free(attribute.out);
    tessellation_free(&out);
  }
  free(expected);
  free(values);
  tessellation_free(&alone);
}

/** Stops at the `at`-th call; threads call it at the same time. */
typedef struct stopper {
  pthread_mutex_t lock;
  int64_t calls, at;
  int in_range;
} stopper;

static int progress(void *context, double fraction) {
  stopper *s = context;
  pthread_mutex_lock(&s->lock);
  s->calls++;
  s->in_range = s->in_range && fraction >= 0.0 && fraction <= 1.0;
  const int stop = s->at > 0 && s->calls >= s->at;
  pthread_mutex_unlock(&s->lock);
  return stop;
}

/** Plans and fills with a stopper; returns how often progress was called. */
static int64_t run_with_stopper(const tsr_curves_view *view, tsr_sampling sampling, int threads,
                                int64_t at, tsr_status *status) {
  stopper s = {.at = at, .in_range = 1};
  executor exec = {.threads = threads};
  tsr_execution execution = executor_execution(&exec);
  pthread_mutex_init(&s.lock, NULL);
  execution.progress = progress;
  execution.progress_context = &s;
  const tsr_curves_options o = options_chord_error(sampling, 1e-3);
  tessellation out;
  *status = tessellate(view, &o, &execution, NULL, 0, &out);
  CHECK(s.in_range);
  CHECK(*status == TSR_OK || out.error.status == *status);
  tessellation_free(&out);
  pthread_mutex_destroy(&s.lock);
  return s.calls;
}

static void check_abort(const curve_set *set, tsr_sampling sampling) {
  const tsr_curves_view view = curve_set_view(set);
  for (int threads = 1; threads <= 3; threads++) {
    tsr_status status = TSR_OK;
    const int64_t calls = run_with_stopper(&view, sampling, threads, 0, &status);
    CHECK_INT(status, TSR_OK);
    CHECK_SAY(calls >= 10, "progress was called %lld times", (long long)calls);
    for (int64_t at = 1; at < calls; at += 1 + calls / 12) {
      run_with_stopper(&view, sampling, threads, at, &status);
      CHECK_SAY(status == TSR_ABORTED, "stopped at call %lld of %lld: status %d", (long long)at,
                (long long)calls, (int)status);
    }
  }
}

int main(void) {
  curve_set set;
  many_curves(&set, 3000);
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  check_same_bytes(&set, &o);
  o.sampling = TSR_SAMPLING_UNIFORM;
  o.knots = TSR_KNOTS_CHORDAL;
  o.use_curvature = o.use_turning_angle = o.use_max_length = 1;
  check_same_bytes(&set, &o);
  o.sampling = TSR_SAMPLING_BISECTION;
  check_same_bytes(&set, &o);
  o.sampling = TSR_SAMPLING_EQUAL_ERROR;
  check_same_bytes(&set, &o);
  o.sampling = TSR_SAMPLING_EQUAL_ARC_LENGTH;
  check_same_bytes(&set, &o);
  for (int s = 0; s <= TSR_SAMPLING_EQUAL_ARC_LENGTH; s++) {
    check_abort(&set, (tsr_sampling)s);
  }
  curve_set_free(&set);
  return check_result();
}
