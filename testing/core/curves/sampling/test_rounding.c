/* SPDX-License-Identifier: BSD-3-Clause */
/** The chord error of what is stored: single precision, far from the origin, with every kind of
 *  joint. The curve's points and distances are found here in long double. And a chord error that a
 *  sampling only just keeps, so that a step rounded the wrong way would break it. */
#include <stdlib.h>

#include "check.h"
#include "curve_set.h"

enum { CURVES = 50, SAMPLES = 40 };

/** Distance of x from the segment a b of stored points. */
static long double distance(const float *a, const float *b, const long double *x) {
  long double along = 0.0L, square = 0.0L, off = 0.0L;
  for (int c = 0; c < 3; c++) {
    const long double d = (long double)b[c] - a[c];
    along += (x[c] - a[c]) * d;
    square += d * d;
  }
  long double t = square > 0.0L ? along / square : 0.0L;
  t = t < 0.0L ? 0.0L : (t > 1.0L ? 1.0L : t);
  for (int c = 0; c < 3; c++) {
    const long double d = a[c] + t * ((long double)b[c] - a[c]) - x[c];
    off += d * d;
  }
  return sqrtl(off);
}

/** Cubic Bezier curves and polylines about a place far out. */
static void make(curve_set *set, double offset) {
  uint64_t state = 5;
  curve_set_init(set);
  for (int i = 0; i < CURVES; i++) {
    double xyz[3 * 40];
    for (int k = 0; k < 40; k++) {
      xyz[3 * k] = offset + 0.1 * k;
      xyz[3 * k + 1] = -offset + random_in(&state, -1, 1) * (i % 2 ? 1.0 : 0.01);
      xyz[3 * k + 2] = 0.3 * offset + random_in(&state, -1, 1) * (i % 2 ? 1.0 : 0.01);
    }
    curve_set_add(set, i % 2 ? TSR_KIND_BEZIER : TSR_KIND_STRAIGHT, i % 2 ? 4 : 40, xyz, NULL, 0);
  }
}

/** Point of item i at the parameter (span + u). */
static void place(const curve_set *set, int64_t i, double parameter, long double *x) {
  const int64_t *ids = set->ids + set->offsets[i];
  const int bezier = set->kinds[i] == TSR_KIND_BEZIER;
  const int64_t n = set->offsets[i + 1] - set->offsets[i];
  int64_t span = bezier ? 0 : (int64_t)parameter;
  span = !bezier && span > n - 2 ? n - 2 : span;
  const long double u = (long double)parameter - (long double)span, s = 1.0L - u;
  for (int c = 0; c < 3; c++) {
    const double *p = set->points + c;
    if (bezier) { /* both ends first */
      x[c] = s * s * s * p[3 * ids[0]] + 3 * u * s * s * p[3 * ids[2]] +
             3 * u * u * s * p[3 * ids[3]] + u * u * u * p[3 * ids[1]];
    } else {
      x[c] = s * p[3 * ids[span]] + u * p[3 * ids[span + 1]];
    }
  }
}

static void check_offset(double offset, double error, tsr_sampling sampling) {
  curve_set set;
  make(&set, offset);
  tsr_curves_view view = curve_set_view(&set);
  view.single_points = 1;
  tsr_curves_options o = options_chord_error(sampling, error);
  o.joints = TSR_JOINTS_WHERE_NEEDED;
  tsr_curves_plan *plan = NULL;
  tsr_error why;
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, &why), TSR_OK);
  const tsr_curves_sizes *sizes = tsr_curves_plan_sizes(plan);
  tsr_curves_output out;
  tsr_curves_output_init(&out);
  const size_t n = (size_t)sizes->points;
  float *points = out.points = malloc(n * 3 * sizeof *points);
  double reached[CURVES];
  float *stored = out.parameter = malloc(n * sizeof *stored);
  int64_t offsets[CURVES + 1];
  out.offsets = offsets;
  out.achieved_error = reached;
  CHECK_INT(tsr_curves_fill(plan, &out, &why), TSR_OK);
  double bounds[6];
  CHECK_INT(tsr_curves_bounds(&view, NULL, bounds, &why), TSR_OK);
  const double rounding = tsr_curves_rounding(tsr_curves_largest_place(bounds));
  for (int64_t i = 0; i < CURVES; i++) {
    const int64_t spans = set.kinds[i] == TSR_KIND_BEZIER ? 1 : 39;
    if (rounding < 0.5 * error) {
      CHECK_AT_MOST(reached[i], error * (1.0 + 1e-12));
    }
    for (int64_t k = offsets[i]; k + 1 < offsets[i + 1]; k++) {
      const double from = stored[k];
      const double to = k + 2 == offsets[i + 1] ? (double)spans : stored[k + 1];
      for (int m = 2; m < SAMPLES - 1; m++) { /* the parameter is rounded, too */
        long double x[3];
        place(&set, i, from + (to - from) * m / SAMPLES, x);
        CHECK_AT_MOST((double)distance(points + 3 * k, points + 3 * k + 3, x),
                      reached[i] * (1.0 + 1e-9));
      }
    }
  }
  free(points);
  free(stored);
  tsr_curves_plan_free(plan);
  curve_set_free(&set);
}

/** The achieved error of a chain of two spans, the only item of the set. */
static double reached_with(const curve_set *set, tsr_curves_options o) {
  const tsr_curves_view view = curve_set_view(set);
  tessellation t;
  double reached = NAN;
  if (CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &t), TSR_OK)) {
    reached = t.achieved_error[0];
  }
  tessellation_free(&t);
  return reached;
}

/** The error that the steps of a sampling come to is asked for, or a little less: as many steps
 * keep it by nothing at all, or miss it by little. Where joints may go, steps are rounded to 2^-30,
 * and far from the origin the last digits of pieces that are equally far from their chords scatter.
 */
static void check_edge(tsr_curve_kind kind, int rational, double offset) {
  enum { CHAINS = 60 };
  uint64_t state = 3;
  for (int i = 0; i < CHAINS; i++) {
    const int n = kind == TSR_KIND_BEZIER2_CHAIN ? 5 : 7;
    const double bend = i % 2 ? 1.0 : 0.01;
    double xyz[3 * 7], weights[7];
    curve_set set;
    for (int k = 0; k < n; k++) {
      for (int c = 0; c < 3; c++) {
        xyz[3 * k + c] = offset + (c == 0 ? k : 0) + bend * random_in(&state, -1, 1);
      }
      weights[k] = pow(10.0, random_in(&state, -3, 3));
    }
    curve_set_init(&set);
    curve_set_add(&set, kind, n, xyz, weights, 0);
    set.rational = rational;
    for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
      const double about = pow(10.0, random_in(&state, -7, -3));
      tsr_curves_options o = options_chord_error((tsr_sampling)sampling, about);
      const double reached = reached_with(&set, o);
      CHECK_AT_MOST(reached, about);
      for (int less = 0; less < 2; less++) {
        o.chord_error = reached * (1.0 - less * 1e-9);
        o.joints = TSR_JOINTS_KEEP_ALL;
        CHECK_AT_MOST(reached_with(&set, o), o.chord_error);
        o.joints = TSR_JOINTS_WHERE_NEEDED;
        CHECK_AT_MOST(reached_with(&set, o), o.chord_error);
      }
    }
    curve_set_free(&set);
  }
}

int main(void) {
  for (int far = 0; far < 2; far++) {
    for (int rational = 0; rational < 2; rational++) {
      check_edge(TSR_KIND_BEZIER2_CHAIN, rational, far ? 1e8 : 0.0);
      check_edge(TSR_KIND_BEZIER3_CHAIN, rational, far ? 1e8 : 0.0);
    }
  }
  for (double offset = 1e3; offset < 2e8; offset *= 10.0) {
    for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
      check_offset(offset, 1e-3, (tsr_sampling)sampling);
      check_offset(offset, 0.1, (tsr_sampling)sampling);
    }
  }
  return check_result();
}
