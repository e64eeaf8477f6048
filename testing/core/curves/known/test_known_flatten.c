/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Facts from the tests of programs that flatten Bezier curves (numbers only):
 * - kurbo, linebender/kurbo at 11cb7f11, kurbo/src/{quadbez,cubicbez}.rs (Apache-2.0 or MIT);
 * - lyon, nical/lyon at 8071ec06, crates/geom/src/{quadratic_bezier,cubic_bezier}.rs (MIT or
 *   Apache-2.0);
 * - verb, pboyer/verb at f3ba23cd, test/testEval.js (MIT).
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "reference.h"

/** A set of one Bezier cell with 2-D control points. */
static void one_cell(curve_set *set, int n, const double (*xy)[2], const double *weights) {
  double xyz[3 * 16] = {0};
  for (int i = 0; i < n; i++) {
    xyz[3 * i] = xy[i][0];
    xyz[3 * i + 1] = xy[i][1];
  }
  curve_set_init(set);
  curve_set_add(set, TSR_KIND_BEZIER, n, xyz, weights, 0);
}

static void flatten(const curve_set *set, tsr_sampling sampling, double chord_error,
                    tessellation *out) {
  const tsr_curves_options o = options_chord_error(sampling, chord_error);
  const tsr_curves_view view = curve_set_view(set);
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, out), TSR_OK);
  CHECK_INT(out->sizes.cells, 1);
}

/** The polyline is never longer than the curve, and within `short_by` of it at error e. */
static void check_kurbo_length(int n, const double (*xy)[2], double length, double e,
                               double short_by) {
  curve_set set;
  one_cell(&set, n, xy, NULL);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    double previous = 0.0;
    for (double error = e * 1e6; error > 0.5 * e; error /= 100.0) {
      tessellation out;
      flatten(&set, (tsr_sampling)sampling, error, &out);
      const double got = polyline_length(&out, 0);
      CHECK_AT_MOST(got, length * (1.0 + 1e-12));
      CHECK_AT_MOST(previous, got * (1.0 + 1e-12));
      previous = got;
      tessellation_free(&out);
    }
    CHECK_AT_MOST(length - previous, short_by);
  }
  curve_set_free(&set);
}

static void check_kurbo(void) {
  static const double arc[3][2] = {{0, 0}, {0, 0.5}, {1, 1}};
  static const double back[3][2] = {{-1, 0}, {1.03, 0}, {1, 0}};
  static const double cubic[4][2] = {{0, 0}, {1.0 / 3, 0}, {2.0 / 3, 1.0 / 3}, {1, 1}};
  check_kurbo_length(3, arc, 1.4789428575445975, 1e-10, 1e-9);
  /* Folded on itself: the tip is missed by at most the error, on both ways. */
  check_kurbo_length(3, back, 2.0008737864167325, 1e-10, 2.1e-10);
  check_kurbo_length(4, cubic, 1.4789428575445975, 1e-10, 1e-9);
}

/** The cubic is y = 1 - x^3 for x from 1 to 0: area 3/4 below it. */
static void check_kurbo_area(void) {
  static const double xy[4][2] = {{1, 0}, {2.0 / 3, 1}, {1.0 / 3, 1}, {0, 1}};
  curve_set set;
  one_cell(&set, 4, xy, NULL);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    for (double error = 0.1; error > 1e-7; error /= 10.0) {
      tessellation out;
      flatten(&set, (tsr_sampling)sampling, error, &out);
      double area = 0.0;
      for (int64_t i = 0; i + 1 < out.sizes.points; i++) {
        const double *p = out.points + 3 * i;
        area += 0.5 * (p[0] - p[3]) * (p[1] + p[4]);
      }
      CHECK_AT_MOST(area, 0.75 + 1e-15); /* a concave arc lies above its chords */
      CHECK_AT_MOST(0.75 - area, error * 1.6);
      tessellation_free(&out);
    }
  }
  curve_set_free(&set);
}

/** lyon demands the tolerance at the middle of each segment; here everywhere. */
static void check_lyon_tolerance(void) {
  static const double quads[3][3][2] = {
      {{0, 0}, {5, 0}, {5, 5}}, {{0, 0}, {50, 0}, {50, 50}}, {{0, 0}, {100, 100}, {5, 0}}};
  static const double tolerances[] = {1, 0.1, 0.01, 0.001, 0.0001};
  for (int q = 0; q < 3; q++) {
    curve_set set;
    one_cell(&set, 3, quads[q], NULL);
    for (int t = 0; t < 15; t++) {
      tessellation out;
      flatten(&set, (tsr_sampling)(t % 3), tolerances[t / 3], &out);
      CHECK_AT_MOST(measured_error(&set, &out, 0, TSR_KNOTS_UNIFORM, 0.0, 1), tolerances[t / 3]);
      CHECK_AT_MOST(measured_error(&set, &out, 0, TSR_KNOTS_UNIFORM, 0.0, 40), tolerances[t / 3]);
      tessellation_free(&out);
    }
    curve_set_free(&set);
  }
}

static void check_lyon_cases(tsr_sampling sampling) {
  static const double point[3][2] = {{0, 0}, {0, 0}, {0, 0}};
  static const double cusp[4][2] = {{-1061, -3327}, {-1061, -3177}, {-1061, -3477}, {-1061, -3327}};
  static const double issue194[4][2] = {{0, 0}, {0, 0}, {50, 70}, {100, 100}};
  static const double ends[4][2] = {{0, 0}, {100, 0}, {100, 100}, {100, 200}};
  static const double tolerances[] = {1, 0.1, 0.01};
  curve_set set;
  tessellation out;

  one_cell(&set, 3, point, NULL);
  flatten(&set, sampling, 0.1, &out);
  CHECK_INT(out.sizes.points, 2); /* one segment */
  tessellation_free(&out);
  curve_set_free(&set);

  one_cell(&set, 4, cusp, NULL);
  for (int t = 0; t < 3; t++) {
    flatten(&set, sampling, tolerances[t], &out);
    CHECK_AT_MOST(out.sizes.points, 10000);
    CHECK_AT_MOST(measured_error(&set, &out, 0, TSR_KNOTS_UNIFORM, 0.0, 100), tolerances[t]);
    tessellation_free(&out);
  }
  curve_set_free(&set);

  one_cell(&set, 4, issue194, NULL);
  flatten(&set, sampling, 0.1, &out);
  CHECK_SAY(out.sizes.points > 2, "only %lld points", (long long)out.sizes.points);
  tessellation_free(&out);
  curve_set_free(&set);

  one_cell(&set, 4, ends, NULL);
  flatten(&set, sampling, 0.0001, &out);
  const double *last = out.points + 3 * (out.sizes.points - 1);
  CHECK(last[0] == 100.0 && last[1] == 200.0 && last[2] == 0.0);
  CHECK(out.points[0] == 0.0 && out.points[1] == 0.0 && out.points[2] == 0.0);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Length of a quadratic by many long double chords: good to 1e-9 of it. */
static double dense_length(const curve_set *set) {
  enum { STEPS = 200000 };
  double length = 0.0;
  double p[3];
  double q[3];
  reference_value(set, 0, TSR_KNOTS_UNIFORM, 0.0, set->points, 3, 0, 0.0, p);
  for (int i = 1; i <= STEPS; i++) {
    reference_value(set, 0, TSR_KNOTS_UNIFORM, 0.0, set->points, 3, 0, (double)i / STEPS, q);
    length += hypot(q[0] - p[0], q[1] - p[1]);
    memcpy(p, q, sizeof p);
  }
  return length;
}

static void check_lyon_lengths(void) {
  static const double quads[3][3][2] = {
      {{0, 0}, {100, 0}, {0, 100}}, {{0, 0}, {100, 0}, {200, 0}}, {{100, 0}, {0, 0}, {50, 1}}};
  for (int q = 0; q < 3; q++) {
    curve_set set;
    one_cell(&set, 3, quads[q], NULL);
    const double expected = dense_length(&set);
    for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
      tessellation out;
      flatten(&set, (tsr_sampling)sampling, 1e-8, &out);
      CHECK_NEAR(polyline_length(&out, 0), expected, 1e-5);
      tessellation_free(&out);
    }
    curve_set_free(&set);
  }
}

static void check_verb(void) {
  static const double line[2][2] = {{0, 0}, {10, 0}};
  static const double zigzag[] = {0, 0, 0, 10, 10, 0, 14, 20, 0, 10, 32, 4, 12, 16, 22};
  static const double arc[3][2] = {{1, 0}, {1, 1}, {0, 1}};
  static const double weights[] = {1, 0.70710678118654752440, 1};
  curve_set set;
  tessellation out;
  tessellation fine;

  one_cell(&set, 2, line, NULL);
  flatten(&set, TSR_SAMPLING_BISECTION, 1e-5, &out);
  CHECK_INT(out.sizes.points, 2);
  tessellation_free(&out);
  curve_set_free(&set);

  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 5, zigzag, NULL, 0);
  flatten(&set, TSR_SAMPLING_BISECTION, 1e-5, &out);
  CHECK_INT(out.sizes.points, 5);
  for (int i = 0; i < 15 && out.sizes.points == 5; i++) {
    CHECK(out.points[i] == zigzag[i]);
  }
  tessellation_free(&out);
  curve_set_free(&set);

  one_cell(&set, 3, arc, weights);
  flatten(&set, TSR_SAMPLING_BISECTION, 1e-4, &out);
  flatten(&set, TSR_SAMPLING_BISECTION, 1e-8, &fine);
  CHECK(fine.sizes.points > out.sizes.points);
  for (int64_t i = 1; i < fine.sizes.points; i++) {
    CHECK(fine.parameter[i] > fine.parameter[i - 1]);
  }
  CHECK(fine.parameter[fine.sizes.points - 1] == 1.0);
  tessellation_free(&out);
  tessellation_free(&fine);
  curve_set_free(&set);
}

int main(void) {
  check_kurbo();
  check_kurbo_area();
  check_lyon_tolerance();
  check_lyon_cases(TSR_SAMPLING_UNIFORM);
  check_lyon_cases(TSR_SAMPLING_BISECTION);
  check_lyon_lengths();
  check_verb();
  return check_result();
}
