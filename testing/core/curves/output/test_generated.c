/* SPDX-License-Identifier: BSD-3-Clause */
/** The arrays made along the way: parameter, length, curvature, tangents, source, error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "reference.h"

static const double root_half = 0.70710678118654752440;

/** A quarter circle of the given radius in the plane of x and z, as a rational quadratic. */
static void add_quarter(curve_set *set, double radius) {
  const double xyz[] = {radius, 5, 0, radius, 5, radius, 0, 5, radius};
  const double weights[] = {1, root_half, 1};
  curve_set_add(set, TSR_KIND_BEZIER, 3, xyz, weights, 0);
}

static void check_circle(void) {
  static const double radii[] = {1.0, 0.001, 1000.0};
  for (int r = 0; r < 3; r++) {
    const double radius = radii[r];
    curve_set set;
    curve_set_init(&set);
    add_quarter(&set, radius);
    const tsr_curves_view view = curve_set_view(&set);
    for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
      const tsr_curves_options o = options_chord_error((tsr_sampling)sampling, 1e-6 * radius);
      tessellation out;
      CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
      double length = 0.0;
      double sagitta = 0.0;
      for (int64_t i = 0; i < out.sizes.points; i++) {
        const double *p = out.points + 3 * i;
        const double *t = out.tangents + 3 * i;
        if (i > 0) {
          const double step = hypot(p[0] - p[-3], p[2] - p[-1]);
          length += step;
          sagitta = fmax(sagitta, radius - sqrt(radius * radius - 0.25 * step * step));
        }
        CHECK_NEAR(out.curvature[i] * radius, 1.0, 1e-10);
        CHECK_NEAR(t[0], -p[2] / radius, 1e-12);
        CHECK_NEAR(t[1], 0.0, 1e-12);
        CHECK_NEAR(t[2], p[0] / radius, 1e-12);
        CHECK_NEAR(out.arc_length[i], length, 1e-12 * radius);
      }
      CHECK_AT_MOST(length, 2.0 * atan(1.0) * radius);
      CHECK_AT_MOST(sagitta, out.achieved_error[0] * (1.0 + 1e-9));
      CHECK_AT_MOST(out.achieved_error[0], 1e-6 * radius);
      tessellation_free(&out);
    }
    curve_set_free(&set);
  }
}

/** The parabola x = 2u, y = u^2: curvature 4 / (4 + 4u^2)^(3/2), tangent along (2, 2u). */
static void check_parabola(void) {
  const double xyz[] = {0, 0, 0, 1, 0, 0, 2, 1, 0};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 3, xyz, NULL, 0);
  curve_set_add(&set, TSR_KIND_BEZIER2_CHAIN, 3, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(17);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 34);
  for (int64_t i = 0; i < out.sizes.points; i++) {
    const double u = (double)(i % 17) / 16.0;
    const double speed = 2.0 * sqrt(1.0 + u * u);
    CHECK(out.parameter[i] >= u && out.parameter[i] <= u);
    CHECK_NEAR(out.curvature[i], 4.0 / (speed * speed * speed), 1e-13);
    CHECK_NEAR(out.tangents[3 * i], 2.0 / speed, 1e-13);
    CHECK_NEAR(out.tangents[3 * i + 1], 2.0 * u / speed, 1e-13);
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Curvature by differences of the slow evaluator, for every kind, inside the spans. */
static void check_curvature_by_differences(void) {
  curve_set set;
  uint64_t state = 41;
  curve_set_init(&set);
  for (int kind = TSR_KIND_CATMULL_ROM; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    double xyz[21];
    for (int i = 0; i < 21; i++) {
      xyz[i] = random_in(&state, -1.0, 1.0);
    }
    curve_set_add(&set, (tsr_curve_kind)kind, 7, xyz, NULL, 0);
  }
  for (int64_t i = 0; i < set.n_points; i++) {
    set.weights[i] = random_in(&state, 0.5, 2.0);
  }
  set.rational = 1;
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(9);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  for (int64_t i = 0, cell = 0; i < out.sizes.points; i++) {
    cell += i >= out.offsets[cell + 1];
    const double at = out.parameter[i];
    const double h = 1e-4;
    if (at - floor(at) < 2.0 * h) {
      continue;
    }
    double p[3][3];
    for (int k = 0; k < 3; k++) {
      reference_value(&set, cell, o.knots, 0.0, set.points, 3, (int64_t)at,
                      at - floor(at) + (k - 1) * h, p[k]);
    }
    double first[3];
    double second[3];
    double speed = 0.0;
    for (int c = 0; c < 3; c++) {
      first[c] = (p[2][c] - p[0][c]) / (2.0 * h);
      second[c] = (p[2][c] - 2.0 * p[1][c] + p[0][c]) / (h * h);
      speed += first[c] * first[c];
    }
    speed = sqrt(speed);
    const double x = first[1] * second[2] - first[2] * second[1];
    const double y = first[2] * second[0] - first[0] * second[2];
    const double z = first[0] * second[1] - first[1] * second[0];
    const double curvature = sqrt(x * x + y * y + z * z) / (speed * speed * speed);
    CHECK_SAY(fabs(out.curvature[i] - curvature) <= 1e-4 * (1.0 + curvature),
              "kind %d at %g: curvature %.10g, not %.10g", set.kinds[cell], at, out.curvature[i],
              curvature);
    for (int c = 0; c < 3; c++) {
      CHECK_NEAR(out.tangents[3 * i + c], first[c] / speed, 1e-5);
    }
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Straight lines: curvature 0, unit tangents; a curve of no length: 0 0 0. */
static void check_straight_and_nothing(void) {
  const double line[] = {0, 0, 0, 3, 4, 0, 6, 8, 0};
  const double dot[] = {1, 2, 3, 1, 2, 3, 1, 2, 3};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 3, line, NULL, 0);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, 3, line, NULL, 0);
  curve_set_add(&set, TSR_KIND_BEZIER, 3, line, NULL, 0);
  const int64_t lines = set.n_items;
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    curve_set_add(&set, (tsr_curve_kind)kind, 3, dot, NULL, 0);
  }
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(5);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.cells, set.n_items);
  for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
    const int is_line = cell < lines;
    for (int64_t k = out.offsets[cell]; k < out.offsets[cell + 1]; k++) {
      CHECK_NEAR(out.curvature[k], 0.0, 1e-12);
      CHECK_NEAR(out.tangents[3 * k], is_line ? 0.6 : 0.0, is_line ? 1e-14 : 0.0);
      CHECK_NEAR(out.tangents[3 * k + 1], is_line ? 0.8 : 0.0, is_line ? 1e-14 : 0.0);
      CHECK(out.tangents[3 * k + 2] == 0.0);
      CHECK(is_line || (out.points[3 * k] == 1.0 && out.arc_length[k] == 0.0));
    }
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

/** At a cusp the speed is 0: the curvature is 0 there and the tangent is still a unit vector. */
static void check_cusp(void) {
  const double cusp[] = {0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0}; /* stands still at u = 1/2 */
  const double stop[] = {0, 0, 0, 0, 0, 0, 1, 2, 0, 2, 2, 0}; /* starts from rest */
  const double rest[] = {0, 0, 0, 1, 0, 0, 3, 1, 0, 3, 1, 0}; /* comes to rest */
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 4, cusp, NULL, 0);
  curve_set_add(&set, TSR_KIND_BEZIER, 4, stop, NULL, 0);
  curve_set_add(&set, TSR_KIND_BEZIER, 4, rest, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(5);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  if (CHECK_INT(out.sizes.points, 15)) {
    CHECK(out.parameter[2] == 0.5 && out.curvature[2] == 0.0);
    CHECK(out.parameter[5] == 0.0 && out.curvature[5] == 0.0);
    CHECK_NEAR(out.tangents[15], 1.0 / sqrt(5.0), 1e-12); /* towards the next control point */
    CHECK_NEAR(out.tangents[16], 2.0 / sqrt(5.0), 1e-12);
    CHECK(out.parameter[14] == 1.0 && out.curvature[14] == 0.0);
    CHECK_NEAR(out.tangents[42], 2.0 / sqrt(5.0), 1e-12); /* from the distinct one before */
    CHECK_NEAR(out.tangents[43], 1.0 / sqrt(5.0), 1e-12);
  }
  for (int64_t i = 0; i < out.sizes.points; i++) {
    const double *t = out.tangents + 3 * i;
    CHECK_NEAR(sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]), 1.0, 1e-12);
    CHECK(isfinite(out.curvature[i]));
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Everything in float is the double result rounded; the length is that of the stored points. */
static void check_float_output(void) {
  curve_set set;
  uint64_t state = 42;
  double xyz[24];
  for (int i = 0; i < 24; i++) {
    xyz[i] = random_in(&state, -1.0, 1.0);
  }
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, 8, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, 1e-4);
  tessellation exact;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &exact), TSR_OK);
  tsr_curves_plan *plan = NULL;
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, NULL), TSR_OK);
  const tsr_curves_sizes sizes = *tsr_curves_plan_sizes(plan);
  const size_t n = (size_t)sizes.points;
  CHECK_INT(sizes.points, exact.sizes.points);
  float *numbers = malloc(n * 9 * sizeof *numbers);
  int32_t *offsets = malloc(((size_t)sizes.cells + 1) * sizeof *offsets);
  int32_t *ids = malloc((size_t)sizes.connectivity * sizeof *ids);
  tsr_curves_output output;
  tsr_curves_output_init(&output);
  output.points = numbers;
  output.parameter = numbers + 3 * n;
  output.arc_length = numbers + 4 * n;
  output.curvature = numbers + 5 * n;
  output.tangents = numbers + 6 * n;
  output.index_type = TSR_INT32;
  output.offsets = offsets;
  output.connectivity = ids;
  CHECK_INT(tsr_curves_fill(plan, &output, NULL), TSR_OK);
  tsr_curves_plan_free(plan);
  double length = 0.0;
  for (size_t i = 0; i < n; i++) {
    for (size_t c = 0; c < 3; c++) {
      CHECK(numbers[3 * i + c] == (float)exact.points[3 * i + c]);
      CHECK(numbers[6 * n + 3 * i + c] == (float)exact.tangents[3 * i + c]);
    }
    if (i > 0) {
      const double x = (double)numbers[3 * i] - (double)numbers[3 * i - 3];
      const double y = (double)numbers[3 * i + 1] - (double)numbers[3 * i - 2];
      const double z = (double)numbers[3 * i + 2] - (double)numbers[3 * i - 1];
      length += sqrt(x * x + y * y + z * z);
    }
    CHECK(numbers[3 * n + i] == (float)exact.parameter[i]);
    CHECK(numbers[5 * n + i] == (float)exact.curvature[i]);
    CHECK_NEAR(numbers[4 * n + i], length, 1e-7 * length);
    CHECK_INT(ids[i], i);
  }
  CHECK_INT(offsets[0], 0);
  CHECK_INT(offsets[1], sizes.points);
  free(numbers);
  free(offsets);
  free(ids);
  tessellation_free(&exact);
  curve_set_free(&set);
}

/** Items of kind NONE and bad ones leave a gap in the source items, in order. */
static void check_source_items(void) {
  const double line[] = {0, 0, 0, 1, 0, 0};
  const int64_t bad[] = {0, 99};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 2, line, NULL, 0);
  curve_set_add(&set, TSR_KIND_NONE, 2, line, NULL, 0);
  curve_set_add_ids(&set, TSR_KIND_STRAIGHT, 2, bad);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, 2, line, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.cells, 2);
  CHECK_INT(out.source_item[0], 0);
  CHECK_INT(out.source_item[1], 3);
  CHECK_INT(out.sizes.notes[TSR_NOTE_BAD_ID].count, 1);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Weights and coordinates whose derivatives overflow: still numbers. */
static void check_overflow(void) {
  const double xyz[] = {-1e100, 0, 1e100, 1e100, 1, 0, 0, 1e100, 1e-100, 1e-100, 0, 1};
  const double weights[4][4] = {{1e100, 1e-100, 1, 1e100},
                                {1e-100, 1e100, 1e100, 1e-100},
                                {1, 1e100, 1e-100, 1},
                                {1e-100, 1e-100, 1e100, 1e-100}};
  curve_set set;
  tessellation out;
  curve_set_init(&set);
  for (int i = 0; i < 4; i++) {
    curve_set_add(&set, TSR_KIND_BEZIER, 4, xyz, weights[i], 0);
  }
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(33);
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  for (int64_t i = 0; i < out.sizes.points; i++) {
    CHECK(out.curvature[i] >= 0.0);
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Two curves of 16 segments: one class, as long as their arc lengths; refused without the points.
 */
static void check_classes(void) {
  enum { POINTS = 17, CURVES = 2, OF_16_SEGMENTS = 5 };
  const double xyz[] = {0, 0, 0, 1, 0, 0, 2, 1, 0};
  double points[3 * POINTS * CURVES], lengths[POINTS * CURVES];
  int64_t offsets[CURVES + 1], ids[POINTS * CURVES];
  tsr_polyline_class classes[TSR_POLYLINE_CLASSES];
  tsr_curves_plan *plan = NULL;
  tsr_curves_output out;
  tsr_error error;
  curve_set set;
  curve_set_init(&set);
  add_quarter(&set, 2.0);
  curve_set_add(&set, TSR_KIND_BEZIER, 3, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(POINTS);
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, &error), TSR_OK);
  tsr_curves_output_init(&out);
  out.points_type = TSR_DOUBLE;
  out.offsets = offsets;
  out.connectivity = ids;
  out.classes = classes;
  CHECK_INT(tsr_curves_fill(plan, &out, &error), TSR_BAD_OPTION);
  CHECK(strstr(error.text, "classes need the points") != NULL);
  out.points = points;
  out.arc_length = lengths;
  memset(classes, 0xA5, sizeof classes);
  CHECK_INT(tsr_curves_fill(plan, &out, &error), TSR_OK);
  for (int k = 0; k < TSR_POLYLINE_CLASSES; k++) {
    const int here = k == OF_16_SEGMENTS;
    const double length = lengths[POINTS - 1] + lengths[2 * POINTS - 1];
    CHECK_INT(classes[k].polylines, here ? CURVES : 0);
    CHECK_INT(classes[k].points, here ? CURVES * POINTS : 0);
    CHECK_INT(classes[k].segments, here ? CURVES * (POINTS - 1) : 0);
    CHECK_NEAR(classes[k].length, here ? length : 0.0, 1e-12);
  }
  tsr_curves_plan_free(plan);
  curve_set_free(&set);
}

int main(void) {
  check_overflow();
  check_circle();
  check_classes();
  check_parabola();
  check_curvature_by_differences();
  check_straight_and_nothing();
  check_cusp();
  check_float_output();
  check_source_items();
  return check_result();
}
