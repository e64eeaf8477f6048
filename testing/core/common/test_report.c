/* SPDX-License-Identifier: BSD-3-Clause */
/** What the report says, the clock, and the choice of the backend. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"

static double seconds_passed;

/** A clock that moves on by a second each time it is read. */
static double ticking(void) { return seconds_passed += 1.0; }

static void three_items(curve_set *set) {
  const double xyz[] = {0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1, 4};
  const int64_t bad[] = {0, 100};
  curve_set_init(set);
  curve_set_add(set, TSR_KIND_CATMULL_ROM, 4, xyz, NULL, 0);
  curve_set_add_ids(set, TSR_KIND_CATMULL_ROM, 2, bad);
  curve_set_add(set, TSR_KIND_BEZIER, 4, xyz, NULL, 0);
}

static void check_counts(void) {
  curve_set set;
  three_items(&set);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(5);
  tsr_execution execution;
  tsr_execution_init(&execution);
  execution.backend = TSR_BACKEND_CPU;
  execution.clock = ticking;
  tessellation out;
  CHECK_INT(tessellate(&view, &o, &execution, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.report.backend, TSR_BACKEND_CPU);
  CHECK_INT(out.report.threads, 1);
  CHECK_INT(out.report.items, 3);
  CHECK_INT(out.report.spans, 4);
  CHECK_INT(out.report.points, 13 + 5);
  CHECK_INT(out.report.cells, 2);
  CHECK(out.report.tolerance_scale == 1.0);
  CHECK(out.report.chord_tolerance == 0.0);
  CHECK(out.report.plan_seconds >= 1.0);
  CHECK(out.report.fill_seconds >= 1.0);
  tessellation_free(&out);

  execution.clock = NULL;
  CHECK_INT(tessellate(&view, &o, &execution, NULL, 0, &out), TSR_OK);
  CHECK(out.report.plan_seconds == 0.0 && out.report.fill_seconds == 0.0);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** A unit circle takes pi / acos(1 - e) chords with their ends on it; a polyline of as many points
 *  as it should have is at its least, whether it is one or comes out of many; and a straight line
 *  takes two points. */
static void check_least_points(void) {
  enum { FINE = 2000 };
  const double pi = 3.14159265358979323846, error = 1e-4;
  double xyz[3 * (FINE + 1)];
  curve_set set;
  tessellation out;
  curve_set_init(&set);
  for (int i = 0; i <= FINE; i++) {
    xyz[3 * i] = cos(2.0 * pi * i / FINE);
    xyz[3 * i + 1] = sin(2.0 * pi * i / FINE);
    xyz[3 * i + 2] = 0.0;
  }
  curve_set_add(&set, TSR_KIND_STRAIGHT, FINE + 1, xyz, NULL, 0);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, FINE + 1, xyz, NULL, 0);
  const double line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 5, 5, 5};
  curve_set_add(&set, TSR_KIND_BEZIER, 4, line, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, error);
  o.joints = TSR_JOINTS_WHERE_NEEDED;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  const double circle = pi / acos(1.0 - error) + 1.0;
  CHECK_NEAR((double)out.report.least_points, 2.0 * circle + 2.0, 4.0);
  CHECK_NEAR(tsr_report_over_least(&out.report),
             (double)out.sizes.points / (double)out.report.least_points, 1e-12);
  tessellation_free(&out);
  /* Every joint: no fewer than the input has. */
  o.joints = TSR_JOINTS_KEEP_ALL;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.report.least_points, 2 * (FINE + 1) + 2);
  CHECK_INT(out.report.points, 2 * (FINE + 1) + 2);
  CHECK(tsr_report_over_least(&out.report) == 1.0);
  tessellation_free(&out);
  o.use_chord_error = 0;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.report.least_points, 0);
  CHECK(tsr_report_over_least(&out.report) == 0.0);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** A parabola x = 2u, y = u^2 takes the integral of sqrt(curvature / (8 error)) along it, whatever
 *  the degree that its control points are raised to. */
static void check_least_points_of_degrees(void) {
  enum { STEPS = 100000 };
  const double error = 1e-8;
  double xyz[3 * (TSR_MAX_DEGREE + 1)] = {0, 0, 0, 1, 0, 0, 2, 1, 0}, segments = 0.0;
  for (int i = 0; i < STEPS; i++) {
    const double u = (i + 0.5) / STEPS;
    segments += 2.0 * pow(4.0 + 4.0 * u * u, -0.25) / sqrt(8.0 * error) / STEPS;
  }
  for (int degree = 2; degree <= TSR_MAX_DEGREE; degree++) {
    curve_set set;
    tessellation out;
    curve_set_init(&set);
    curve_set_add(&set, TSR_KIND_BEZIER, degree + 1, xyz, NULL, 0);
    const tsr_curves_view view = curve_set_view(&set);
    const tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, error);
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    /* Levien's closed form of a quadratic's integral is an approximation. */
    CHECK_NEAR((double)out.report.least_points, segments + 1.5,
               (degree == 2 ? 2e-3 : 1e-4) * segments + 1.0);
    tessellation_free(&out);
    curve_set_free(&set);
    for (int k = degree; degree < TSR_MAX_DEGREE && k >= 0; k--) { /* Farin, 6.1 */
      const double share = (double)(k + 1) / (degree + 1);
      for (int c = 0; c < 3; c++) {
        const double next = k < degree ? xyz[3 * (k + 1) + c] : 0.0;
        xyz[3 * (k + 1) + c] = share * xyz[3 * k + c] + (1.0 - share) * next;
      }
    }
  }
}

static void check_backends(void) {
  curve_set set;
  three_items(&set);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  tsr_execution execution;
  tsr_execution_init(&execution);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, &execution, NULL, 0, &out), TSR_OK); /* AUTO always runs */
  CHECK(out.report.backend == TSR_BACKEND_CPU || out.report.backend == TSR_BACKEND_CUDA);
  tessellation_free(&out);

  execution.backend = TSR_BACKEND_CUDA; /* runs there, or says that it cannot */
  const tsr_status status = tessellate(&view, &o, &execution, NULL, 0, &out);
  CHECK(status == TSR_NO_BACKEND || out.report.backend == TSR_BACKEND_CUDA);
  CHECK(status == TSR_OK || strlen(out.error.text) > 10);
  tessellation_free(&out);

  execution.backend = (tsr_backend_id)9;
  CHECK_INT(tessellate(&view, &o, &execution, NULL, 0, &out), TSR_BAD_OPTION);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Arrays that are not wanted are left alone, and a plan may be filled again. */
static void check_fill_again(void) {
  curve_set set;
  three_items(&set);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  tsr_curves_plan *plan = NULL;
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, NULL), TSR_OK);
  const size_t values = 3 * (size_t)tsr_curves_plan_sizes(plan)->points;
  double *first = calloc(values, sizeof *first);
  double *second = calloc(values, sizeof *second);
  tsr_curves_output output;
  tsr_curves_output_init(&output);
  output.points_type = TSR_DOUBLE;
  output.points = first;
  CHECK_INT(tsr_curves_fill(plan, &output, NULL), TSR_OK);
  output.points = second;
  CHECK_INT(tsr_curves_fill(plan, &output, NULL), TSR_OK);
  CHECK(memcmp(first, second, values * sizeof *first) == 0);
  memset(second, 0, values * sizeof *second);
  output.points = NULL;
  output.tangents = second; /* needs no points */
  CHECK_INT(tsr_curves_fill(plan, &output, NULL), TSR_OK);
  CHECK_NEAR(hypot(hypot(second[0], second[1]), second[2]), 1.0, 1e-12);
  tsr_curves_plan_free(plan);
  free(first);
  free(second);
  curve_set_free(&set);
}

int main(void) {
  check_counts();
  check_least_points();
  check_least_points_of_degrees();
  check_backends();
  check_fill_again();
  return check_result();
}
