/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves worked out by hand on which the bounds that decide are tight, and ties. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "curve_set.h"
#include "ranks.h"

static tsr_curves_options field_options(tsr_sampling sampling, double error,
                                        const tsr_array *field) {
  tsr_curves_options o = options_chord_error(sampling, 1e6);
  o.use_field_error = 1;
  o.field_error = error;
  o.fields = field;
  o.n_fields = 1;
  return o;
}

/** A rational line: its field goes as fast as the line itself, so that two points draw it all. All
 *  weights times a number are the same curve. */
static void check_rational_field(tsr_sampling sampling, double scale) {
  static const double xyz[] = {0, 0, 0, 1, 0, 0}, values[] = {0, 1};
  const double weights[] = {scale, 9 * scale};
  const tsr_array field = {values, TSR_DOUBLE, 1, 2};
  const tsr_curves_options o = field_options(sampling, 0.01, &field);
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 2, xyz, weights, 0);
  const tsr_curves_view view = curve_set_view(&set);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 2);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** A straight quadratic of speed 2 u: x = u^2, and the field u is the root of x. One segment draws
 *  it 0.25 too low at x = 1/4. With weights w 1 w: x = w u^2 / d, field = (w u^2 + u (1 - u)) / d,
 *  d = w (1 - u)^2 + 2 u (1 - u) + w u^2. */
static void check_drawn_field(tsr_sampling sampling, double w) {
  static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 0, 0}, values[] = {0, 1, 0.5};
  const double weights[] = {w, w, 1};
  const tsr_array field = {values, TSR_DOUBLE, 1, 3};
  const tsr_curves_options o = field_options(sampling, 0.01, &field);
  const int64_t ids[] = {0, 1, 2};
  curve_set set;
  curve_set_init(&set);
  curve_set_add_points(&set, 3, xyz);
  for (int i = 0; i < 3; i++) {
    set.weights[i] = weights[i];
  }
  set.rational = 1;
  curve_set_add_ids(&set, TSR_KIND_BEZIER, 3, ids);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_attribute a = attribute_of(values, TSR_DOUBLE, 1, 3, TSR_INTERPOLATE_CURVE);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, &a, 1, &out), TSR_OK);
  CHECK_SAY(out.sizes.points > 4, "%lld points", (long long)out.sizes.points);
  for (int64_t k = 0; k + 1 < out.sizes.points; k++) {
    const double x0 = out.points[3 * k], x1 = out.points[3 * k + 3];
    const double f0 = ((double *)a.out)[k], f1 = ((double *)a.out)[k + 1];
    for (int i = 1; i < 50; i++) {
      const double u =
          out.parameter[k] + (out.parameter[k + 1] - out.parameter[k]) * (double)i / 50.0;
      const double d = w * (1 - u) * (1 - u) + 2 * u * (1 - u) + w * u * u;
      const double x = w * u * u / d, f = (w * u * u + u * (1 - u)) / d;
      CHECK_AT_MOST(fabs(f - (f0 + (f1 - f0) * (x - x0) / (x1 - x0))), 0.01 * (1 + 1e-9));
    }
  }
  free(a.out);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** A field that goes over linearly has its kinks at i / degree: no segment may cut one off. */
static void check_kinks(int n, const double *values, tsr_sampling sampling) {
  static const double xyz[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  const tsr_array field = {values, TSR_DOUBLE, 1, n};
  tsr_curves_options o = field_options(sampling, 0.1, &field);
  o.interpolation = TSR_INTERPOLATE_LINEAR;
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, n == 3 ? TSR_KIND_BEZIER2_CHAIN : TSR_KIND_BEZIER3_CHAIN, n, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_attribute a = attribute_of(values, TSR_DOUBLE, 1, n, TSR_INTERPOLATE_LINEAR);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, &a, 1, &out), TSR_OK);
  for (int i = 0; i < n; i++) {
    const double at = (double)i / (n - 1);
    for (int64_t k = 0; k + 1 < out.sizes.points; k++) {
      const double u0 = out.parameter[k], u1 = out.parameter[k + 1];
      const double *f = (const double *)a.out + k;
      if (u0 <= at && at <= u1) {
        CHECK_NEAR(f[0] + (f[1] - f[0]) * (at - u0) / (u1 - u0), values[i], 0.1 + 1e-12);
      }
    }
  }
  free(a.out);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Halfway between two points the later one is the nearest. */
static void check_tie(void) {
  static const double xyz[] = {0, 0, 0, 1, 0, 0};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 2, xyz, NULL, 0);
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_UNIFORM, 1.0);
  o.use_max_length = 1;
  o.max_length = 0.25;
  const tsr_curves_view view = curve_set_view(&set);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  if (CHECK_INT(out.sizes.points, 5)) {
    const int64_t expected[5] = {0, 0, 1, 1, 1};
    for (int k = 0; k < 5; k++) {
      CHECK_INT(out.nearest_point[k], expected[k]);
    }
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Segments by bisection of the cubic whose height is 3 u (1-u)^2 h1 + 3 u^2 (1-u) h2. */
static int64_t cubic_segments(double h1, double h2, double error) {
  const double xyz[] = {0, 0, 0, 1, h1, 0, 2, h2, 0, 3, 0, 0};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER3_CHAIN, 4, xyz, NULL, 0);
  const tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, error);
  const tsr_curves_view view = curve_set_view(&set);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  const int64_t segments = out.sizes.points - 1;
  CHECK_AT_MOST(out.achieved_error[0], error * (1 + 1e-12));
  tessellation_free(&out);
  curve_set_free(&set);
  return segments;
}

/** 3 u (1-u)^2 is at most 4/9, at u = 1/3; two of opposite sign are never more together, two of the
 *  same sign at most 3/4. */
static void check_cubics(void) {
  for (int side = 0; side < 2; side++) {
    CHECK(cubic_segments(side ? -1e-9 : 1, side ? 1 : -1e-9, 0.444) > 1);
    CHECK(cubic_segments(side ? 0 : 1, side ? 1 : 0, 0.444) > 1);
    CHECK_INT(cubic_segments(side ? 0 : 1, side ? 1 : 0, 0.445), 1);
    CHECK_INT(cubic_segments(side ? -1 : 1, side ? 1 : -1, 0.445), 1);
    CHECK(cubic_segments(side ? -1 : 1, side ? -1 : 1, 0.749) > 1);
    CHECK_INT(cubic_segments(side ? -1 : 1, side ? -1 : 1, 0.751), 1);
  }
}

/** An S whose inner control points lie a distance `beyond` the ends of its chord and `h` beside it:
 *  each is d = sqrt(beyond^2 + h^2) from the end beside it, so that the curve, which is never
 * further than 4/9 d away, is one segment for that error. */
static void check_wide_s(double beyond, double h) {
  const double xyz[] = {0, 0, 0, -beyond, h, 0, 3 + beyond, -h, 0, 3, 0, 0};
  const double error = 4.0 / 9.0 * sqrt(beyond * beyond + h * h) * (1 + 1e-9);
  double most = 0.0;
  for (int i = 0; i <= 1000; i++) {
    const double u = i / 1000.0, b1 = 3 * u * (1 - u) * (1 - u), b2 = 3 * u * u * (1 - u);
    const double x = b1 * xyz[3] + b2 * xyz[6] + 3 * u * u * u, y = b1 * xyz[4] + b2 * xyz[7];
    most = fmax(most, hypot(fmax(0.0, fmax(-x, x - 3)), y));
  }
  CHECK_AT_MOST(most, error);
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER3_CHAIN, 4, xyz, NULL, 0);
  const tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, error);
  const tsr_curves_view view = curve_set_view(&set);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 2);
  CHECK(out.achieved_error[0] >= most && out.achieved_error[0] <= error);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Offsets of 1 nearly across each other: the curve is sqrt(2) * 3/8 = 0.53 off in its middle. */
static void check_twisted_cubic(void) {
  const double xyz[] = {0, 0, 0, 1, 1, 0, 2, -1e-3, 1, 3, 0, 0};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER3_CHAIN, 4, xyz, NULL, 0);
  const tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, 0.5);
  const tsr_curves_view view = curve_set_view(&set);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK(out.sizes.points > 2);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** The box around those of all processes, of which the odd ones have no point. */
typedef struct process {
  double bounds[6];
  tsr_status status;
} process;

static void agree(void *data, const tsr_processes *processes) {
  process *p = data;
  tsr_error error;
  for (int c = 0; c < 6; c++) {
    p->bounds[c] = c % 2 == 0 ? (double)INFINITY : -(double)INFINITY;
    if (processes->rank % 2 == 0) {
      p->bounds[c] = c % 2 == 0 ? c - 2.0 * processes->rank : c + 3.0 * processes->rank;
    }
  }
  p->status = tsr_curves_agree_bounds(p->bounds, processes, &error);
}

static void check_boxes(void) {
  const double none[6] = {1, -1, 1, -1, 1, -1}, box[6] = {-1, 2, 5, 9, 7, 7};
  for (int n = 1; n <= MAX_RANKS; n++) {
    const int last = (n - 1) / 2 * 2; /* the last even one */
    process p[MAX_RANKS];
    ranks_run(n, agree, p, sizeof *p);
    for (int r = 0; r < n; r++) {
      CHECK_INT(p[r].status, TSR_OK);
      for (int c = 0; c < 6; c++) {
        CHECK(p[r].bounds[c] == (c % 2 == 0 ? c - 2.0 * last : c + 3.0 * last));
      }
    }
  }
  CHECK(tsr_curves_diagonal(box) == 5.0 && tsr_curves_diagonal(none) == 0.0);
}

/** Half of a last digit at 2^24 is 1: a quarter of a chord error of 4. */
static void check_too_coarse(void) {
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  for (int relative = 0; relative <= 1; relative++) {
    o.chord_relative = relative;
    o.reference_length = 8.0; /* not looked at where the chord error is a length */
    o.chord_error = relative ? 0.5 : 4.0;
    CHECK_INT(tsr_curves_is_too_coarse(&o, 16777216.0), 0);
    CHECK_INT(tsr_curves_is_too_coarse(&o, 16777218.0), 1);
  }
  o.reference_length = 0.0;
  CHECK_INT(tsr_curves_is_too_coarse(&o, 16777218.0), 0); /* nothing to be too coarse for */
}

int main(void) {
  static const double hats[][4] = {{0, 1, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}, {1, 1, 0, 1}};
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    check_rational_field((tsr_sampling)sampling, 1.0);
    check_rational_field((tsr_sampling)sampling, 0.01);
    check_drawn_field((tsr_sampling)sampling, 1.0);
    check_drawn_field((tsr_sampling)sampling, 0.2);
    for (int k = 0; k < 4; k++) {
      check_kinks(k == 0 ? 3 : 4, hats[k], (tsr_sampling)sampling);
    }
  }
  check_tie();
  check_boxes();
  check_too_coarse();
  check_cubics();
  check_twisted_cubic();
  check_wide_s(0.5, 1.0);
  check_wide_s(2.0, 1.0);
  return check_result();
}
