/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Points at equal arc length: beside closed forms (circle, line, parabola, semicubical parabola,
 * helix), beside a sum of a million chords, and on curves that are degenerate.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "reference.h"
#include "segment.h"

static const double pi = 3.14159265358979323846;

static tsr_curves_options by_number(int n) {
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  o.sampling = TSR_SAMPLING_EQUAL_ARC_LENGTH;
  o.n_segments = n;
  return o;
}

static tsr_curves_options by_length(double length) {
  tsr_curves_options o = by_number(100);
  o.use_max_length = 1;
  o.max_length = length;
  return o;
}

/** One curve, divided. */
static void divide(tsr_curve_kind kind, int n, const double *xyz, const double *weights, int closed,
                   const tsr_curves_options *options, tessellation *out) {
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, kind, n, xyz, weights, closed);
  const tsr_curves_view view = curve_set_view(&set);
  CHECK_SAY(tessellate(&view, options, NULL, NULL, 0, out) == TSR_OK, "%s", out->error.text);
  curve_set_free(&set);
}

/** Four rational quarters of a circle: all arcs are 2 pi r / n, whatever n is. A point is as exact
 *  as its parameter, 2^-31 of a span on which the speed is at most 2 r. */
static void check_circle(double r) {
  const double w = sqrt(0.5),
               at[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  double xyz[24], weights[8];
  for (int k = 0; k < 8; k++) {
    xyz[3 * k] = r * at[k][0];
    xyz[3 * k + 1] = r * at[k][1];
    xyz[3 * k + 2] = 5.0;
    weights[k] = k % 2 ? w : 1.0;
  }
  for (int n = 3; n <= 1000; n += 1 + n / 3) {
    const tsr_curves_options o = by_number(n);
    tessellation out;
    divide(TSR_KIND_BEZIER2_CHAIN, 8, xyz, weights, 1, &o, &out);
    CHECK_INT(out.sizes.points, n);
    CHECK_INT(out.sizes.connectivity, n + 1);
    for (int k = 0; k < out.sizes.points; k++) {
      double angle = atan2(out.points[3 * k + 1], out.points[3 * k]);
      angle += angle < -1e-6 ? 2.0 * pi : 0.0;
      CHECK_NEAR(r * angle, r * 2.0 * pi * k / n, 1e-9 * r);
    }
    tessellation_free(&out);
  }
}

/** A straight line through uneven points: exact places, arrays that go linearly, and a joint that a
 *  point falls on is met exactly. */
static void check_line(void) {
  static const double x[5] = {0.0, 1.0, 4.0, 4.0, 10.0};
  double xyz[15] = {0.0}, values[5];
  curve_set set;
  tsr_attribute attribute;
  tessellation out;
  for (int k = 0; k < 5; k++) {
    xyz[3 * k] = x[k];
    values[k] = k == 3 ? 8.0 : 2.0 * x[k];
  }
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 5, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = by_number(5);
  attribute = attribute_of(values, TSR_DOUBLE, 1, 5, TSR_INTERPOLATE_CURVE);
  CHECK_INT(tessellate(&view, &o, NULL, &attribute, 1, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 6);
  for (int k = 0; k < 6; k++) {
    CHECK_NEAR(out.points[3 * k], 2.0 * k, 6e-9);
    CHECK_NEAR(((double *)attribute.out)[k], 4.0 * k, 12e-9);
  }
  CHECK(out.points[6] == 4.0 && out.points[15] == 10.0);
  CHECK_AT_MOST(out.achieved_error[0], 1e-14);
  free(attribute.out);
  tessellation_free(&out);
  curve_set_free(&set);
}

static double parabola_length(double x) {
  return 0.5 * x * sqrt(1.0 + 4.0 * x * x) + 0.25 * asinh(2.0 * x);
}

/** y = x^2 from -1 to 2, and y^2 = x^3, whose speed is 0 at the beginning: u (4 + 9 u^2)^(1/2). */
static void check_closed_forms(void) {
  static const double parabola[9] = {-1, 1, 0, 0.5, -2, 0, 2, 4, 0};
  static const double cusp[12] = {0, 0, 0, 0, 0, 0, 1.0 / 3.0, 0, 0, 1, 1, 0};
  const tsr_curves_options o = by_number(37);
  tessellation out;
  divide(TSR_KIND_BEZIER, 3, parabola, NULL, 0, &o, &out);
  CHECK_INT(out.sizes.points, 38);
  const double whole = parabola_length(2.0) - parabola_length(-1.0);
  for (int k = 0; k <= 37; k++)
    CHECK_NEAR(parabola_length(out.points[3 * k]) - parabola_length(-1.0), whole * k / 37, 7e-9);
  tessellation_free(&out);
  divide(TSR_KIND_BEZIER, 4, cusp, NULL, 0, &o, &out);
  CHECK_INT(out.sizes.points, 38);
  for (int k = 0; k <= 37; k++) {
    const double u = sqrt(out.points[3 * k]);
    CHECK_NEAR((pow(4.0 + 9.0 * u * u, 1.5) - 8.0) / 27.0, (pow(13.0, 1.5) - 8.0) / 27.0 * k / 37,
               2e-9);
  }
  tessellation_free(&out);
}

/** x' = u - c, y' = u (u - c): the speed falls to 0 inside, with a kink. */
static double kinked_length(double u, double c) {
  const double root = sqrt(1.0 + u * u);
  return root * root * root / 3.0 - 0.5 * c * (u * root + asinh(u));
}

static void check_kink(void) {
  const tsr_curves_options o = by_number(50);
  const double c = sqrt(0.5);
  tessellation out;
  curve_set set;
  curve_set_init(&set);
  curve_set_add_cusp(&set);
  const tsr_curves_view view = curve_set_view(&set);
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  const double before = kinked_length(0.0, c) - kinked_length(c, c);
  const double whole = before + kinked_length(1.0, c) - kinked_length(c, c);
  for (int k = 0; k <= 50; k++) {
    const double u = out.parameter[k];
    const double s = u < c ? kinked_length(0.0, c) - kinked_length(u, c)
                           : before + kinked_length(u, c) - kinked_length(c, c);
    CHECK_NEAR(s, whole * k / 50, 1e-9);
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

/** A helix: all input chords are alike, so that the points divide them evenly; and a spline through
 *  its points, which the helix's turns divide evenly. */
static void check_helix(void) {
  enum { POINTS = 2001 };
  double *xyz = malloc(POINTS * 3 * sizeof *xyz);
  tessellation out;
  for (int k = 0; k < POINTS; k++) {
    const double angle = 8.0 * pi * k / (POINTS - 1);
    xyz[3 * k] = cos(angle);
    xyz[3 * k + 1] = sin(angle);
    xyz[3 * k + 2] = 0.1 * angle;
  }
  const tsr_curves_options o = by_number(77);
  for (int kind = 0; kind < 3; kind++) {
    static const tsr_curve_kind kinds[3] = {TSR_KIND_STRAIGHT, TSR_KIND_CATMULL_ROM,
                                            TSR_KIND_NATURAL_SPLINE};
    divide(kinds[kind], POINTS, xyz, NULL, 0, &o, &out);
    CHECK_INT(out.sizes.points, 78);
    for (int k = 0; k <= 77; k++) {
      CHECK_NEAR(out.parameter[k], (POINTS - 1) * (double)k / 77.0, kind == 0 ? 1e-8 : 1e-3);
      CHECK_NEAR(out.points[3 * k + 2], 0.8 * pi * k / 77.0, kind == 0 ? 1e-10 : 1e-6);
    }
    CHECK(out.achieved_error[0] > 1e-3 && out.achieved_error[0] < 1.0);
    tessellation_free(&out);
  }
  free(xyz);
}

/** Length of the item up to each of `steps` equal parts of each of its spans, by chords, in the
 *  reference's own evaluation. spans * steps + 1 numbers. */
static double *fine_lengths(const curve_set *set, int64_t item, int64_t spans, int steps) {
  double *lengths = malloc((size_t)(spans * steps + 1) * sizeof *lengths);
  double x[3], y[3];
  long double sum = 0.0L;
  lengths[0] = 0.0;
  reference_value(set, item, TSR_KNOTS_CENTRIPETAL, 0.0, set->points, 3, 0, 0.0, x);
  for (int64_t k = 1; k <= spans * steps; k++) {
    const int64_t span = (k - 1) / steps;
    const double u = (double)(k - span * steps) / steps;
    reference_value(set, item, TSR_KNOTS_CENTRIPETAL, 0.0, set->points, 3, span, u, y);
    sum += sqrtl((long double)(y[0] - x[0]) * (y[0] - x[0]) +
                 (long double)(y[1] - x[1]) * (y[1] - x[1]) +
                 (long double)(y[2] - x[2]) * (y[2] - x[2]));
    lengths[k] = (double)sum;
    memcpy(x, y, sizeof x);
  }
  return lengths;
}

/** Greatest distance of polyline `cell` from the curve, whose joints it passes over, at 40 points
 * of each segment. */
static double farthest(const curve_set *set, const tessellation *out, int64_t cell, int64_t spans) {
  const int64_t *ids = out->connectivity + out->offsets[cell];
  const int64_t n = out->offsets[cell + 1] - out->offsets[cell] - 1;
  double most = 0.0;
  for (int64_t k = 0; k < n; k++) {
    const double from = out->parameter[ids[k]];
    const double to = ids[k + 1] > ids[k] ? out->parameter[ids[k + 1]] : (double)spans;
    for (int look = 0; look <= 40; look++) {
      const double at = from + (to - from) * look / 40.0;
      const int64_t span = at < (double)spans ? (int64_t)at : spans - 1;
      double x[3];
      reference_value(set, out->source_item[cell], TSR_KNOTS_CENTRIPETAL, 0.0, set->points, 3, span,
                      at - (double)span, x);
      const double d =
          sqrt(segment_distance2(out->points + 3 * ids[k], out->points + 3 * ids[k + 1], x));
      most = d > most ? d : most;
    }
  }
  return most;
}

/** The n arcs of polyline `cell` have equal lengths, by the sums of chords; its error is within
 *  what it says. */
static void check_arcs(const curve_set *set, const tessellation *out, int64_t cell, int steps,
                       double tolerance) {
  const int64_t item = out->source_item[cell], spans = reference_spans(set, item);
  const int64_t first = out->offsets[cell], n = out->offsets[cell + 1] - first - 1;
  double *lengths = fine_lengths(set, item, spans, steps);
  const double whole = lengths[spans * steps];
  for (int64_t k = 0; k < n; k++) {
    const double at = out->parameter[out->connectivity[first + k]] * steps;
    const int64_t below = at < (double)(spans * steps) ? (int64_t)at : spans * steps - 1;
    const double s = lengths[below] + (at - (double)below) * (lengths[below + 1] - lengths[below]);
    CHECK_SAY(fabs(s - whole * (double)k / (double)n) <= tolerance * whole,
              "kind %d, item %lld, point %lld of %lld: %.12g, not %.12g", set->kinds[item],
              (long long)item, (long long)k, (long long)n, s, whole * (double)k / (double)n);
  }
  const double far = farthest(set, out, cell, spans);
  CHECK_SAY(far <= out->achieved_error[cell] * (1.0 + 1e-9) + 1e-13,
            "kind %d, item %lld: %.12g away, above %.12g", set->kinds[item], (long long)item, far,
            out->achieved_error[cell]);
  free(lengths);
}

/** A cubic beside a million chords. */
static void check_million(void) {
  static const double xyz[12] = {0, 0, 0, 3, 1, -1, -2, 2, 0, 1, 3, 2};
  const tsr_curves_options o = by_number(23);
  tessellation out;
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 4, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  check_arcs(&set, &out, 0, 1000000, 2e-9);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Random curves of every kind, open and closed, rational and not, by number and by length. */
static void check_kinds(void) {
  uint64_t state = 5;
  for (int pass = 0; pass < 400; pass++) {
    const tsr_curve_kind kinds[8] = {
        TSR_KIND_STRAIGHT, TSR_KIND_CATMULL_ROM, TSR_KIND_BEZIER2_CHAIN, TSR_KIND_BEZIER3_CHAIN,
        TSR_KIND_BSPLINE2, TSR_KIND_BSPLINE3,    TSR_KIND_LAGRANGE,      TSR_KIND_BEZIER};
    const tsr_curve_kind kind = kinds[pass % 8];
    const int n = 2 + (int)(random_bits(&state) % 8);
    const int closed = kind < TSR_KIND_LAGRANGE && n > 2 && pass % 3 == 0;
    double xyz[27], weights[9];
    curve_set set;
    tessellation out;
    for (int k = 0; k < 3 * n; k++)
      xyz[k] = random_in(&state, -1.0, 1.0);
    for (int k = 0; k < n; k++)
      weights[k] = random_in(&state, 0.5, 2.0);
    curve_set_init(&set);
    curve_set_add(&set, kind, n, xyz, weights, closed);
    set.rational = pass % 2;
    const tsr_curves_view view = curve_set_view(&set);
    const tsr_curves_options o =
        pass % 5 ? by_number(1 + pass % 41) : by_length(random_in(&state, 0.05, 3.0));
    CHECK_SAY(tessellate(&view, &o, NULL, NULL, 0, &out) == TSR_OK, "%s", out.error.text);
    CHECK_INT(out.sizes.cells, 1);
    if (pass % 5) {
      const int asked = 1 + pass % 41;
      CHECK_INT(out.sizes.connectivity - 1, closed && asked < 3 ? 3 : asked);
    }
    check_arcs(&set, &out, 0, 3000, 1e-5);
    tessellation_free(&out);
    curve_set_free(&set);
  }
}

/** Spacing: the least number of segments that are no longer. */
static void check_spacing(void) {
  static const double line[6] = {0, 0, 0, 10, 0, 0};
  static const double square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  static const struct {
    double length;
    int open, closed;
  } known[] = {{1.0, 10, 4},      {3.0, 4, 3},      {0.7, 15, 6},
               {20.0, 1, 3},      {10.0, 1, 3},     {9.99, 2, 3},
               {0.01, 1000, 400}, {10.0 / 7, 7, 3}, {10.0 / 333, 333, 134}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    const tsr_curves_options o = by_length(known[k].length);
    tessellation out;
    divide(TSR_KIND_STRAIGHT, 2, line, NULL, 0, &o, &out);
    CHECK_INT(out.sizes.points, known[k].open + 1);
    tessellation_free(&out);
    divide(TSR_KIND_STRAIGHT, 4, square, NULL, 1, &o, &out);
    CHECK_INT(out.sizes.points, known[k].closed);
    tessellation_free(&out);
  }
}

/** All numbers of the output are finite, and there is the number of segments that is promised. */
static void check_degenerate(const char *what, tsr_curve_kind kind, int n, const double *xyz,
                             const double *weights, int closed, int asked, int expected) {
  const tsr_curves_options o = asked > 0 ? by_number(asked) : by_length(0.25);
  tessellation out;
  divide(kind, n, xyz, weights, closed, &o, &out);
  CHECK_SAY(out.sizes.connectivity - 1 == expected, "%s: %lld segments, not %d", what,
            (long long)out.sizes.connectivity - 1, expected);
  for (int64_t k = 0; k < 3 * out.sizes.points; k++)
    CHECK_SAY(isfinite(out.points[k]), "%s: point %lld", what, (long long)(k / 3));
  for (int64_t k = 1; k < out.sizes.points; k++)
    CHECK_SAY(out.parameter[k] >= out.parameter[k - 1], "%s: order at %lld", what, (long long)k);
  CHECK_SAY(out.achieved_error[0] >= 0.0 && isfinite(out.achieved_error[0]), "%s: the error is %g",
            what, out.achieved_error[0]);
  tessellation_free(&out);
}

static void check_all_degenerate(void) {
  static const double same[15] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
  static const double pairs[18] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0};
  static const double back[9] = {0, 0, 0, 1, 0, 0, 0, 0, 0};
  static const double far[12] = {-1e100, 1e100, 0, 1e100, 1e100, 0, 1e100, -1e100, 1e100, 0, 0, 0};
  static const double near[9] = {0, 0, 0, 1e-160, 0, 0, 1e-160, 1e-160, 0};
  static const double arc[9] = {0, 0, 0, 1, 1, 0, 2, 0, 0};
  static const double steep[3] = {1.0, 1e12, 1e-6}, extreme[3] = {1e-100, 1e100, 1e-100};
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    const tsr_curve_kind k = (tsr_curve_kind)kind;
    check_degenerate("coinciding points", k, 5, same, NULL, 0, 7, 7);
    check_degenerate("coinciding points by length", k, 5, same, NULL, 0, 0, 1);
    check_degenerate("pairs of points", k, 6, pairs, NULL, 0, 9, 9);
    check_degenerate("one segment", k, 2, back, NULL, 0, 3, 3);
    check_degenerate("one segment of all", k, 3, back, NULL, 0, 1, 1);
    check_degenerate("far points", k, 4, far, NULL, 0, 11, 11);
    check_degenerate("near points", k, 3, near, NULL, 0, 11, 11);
    if (kind < TSR_KIND_LAGRANGE || kind == TSR_KIND_NATURAL_SPLINE) {
      check_degenerate("a closed curve", k, 5, pairs, NULL, 1, 1, 3);
      check_degenerate("a closed point", k, 4, same, NULL, 1, 2, 3);
      check_degenerate("a closed point by length", k, 4, same, NULL, 1, 0, 3);
    }
  }
  check_degenerate("steep weights", TSR_KIND_BEZIER, 3, arc, steep, 0, 20, 20);
  check_degenerate("extreme weights", TSR_KIND_BEZIER, 3, arc, extreme, 0, 20, 20);
}

/** Bad curves are left out with their notes, and single points come out as they are. */
static void check_notes(void) {
  static const double bad[6] = {0, 0, 0, NAN, 0, 0}, good[6] = {0, 0, 0, 1, 0, 0};
  curve_set set;
  tessellation out;
  tsr_curves_options o = by_number(4);
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 2, bad, NULL, 0);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 1, good, NULL, 0);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 2, good, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 6);
  CHECK_INT(out.sizes.notes[TSR_NOTE_NOT_FINITE].count, 1);
  CHECK_INT(out.sizes.notes[TSR_NOTE_ONE_POINT].count, 1);
  CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count, 0);
  tessellation_free(&out);
  o.max_level = 1;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 4);
  CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count, 1);
  CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].first, 2);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** The other criteria ask for nothing; limits and budgets hold; wrong numbers are refused. */
static void check_options(void) {
  static const double xyz[15] = {0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1, 1, 4, 0, 0};
  tsr_curves_options o = by_number(9), all = o;
  tessellation one, two;
  all.use_turning_angle = all.use_curvature = 1;
  all.chord_error = all.field_error = 1e-12;
  o.use_chord_error = o.use_field_error = 0;
  divide(TSR_KIND_CATMULL_ROM, 5, xyz, NULL, 0, &o, &one);
  divide(TSR_KIND_CATMULL_ROM, 5, xyz, NULL, 0, &all, &two);
  CHECK_INT(two.sizes.points, one.sizes.points);
  CHECK(memcmp(one.points, two.points, (size_t)one.sizes.points * 3 * sizeof(double)) == 0);
  CHECK(one.report.chord_tolerance == 0.0 && two.report.chord_tolerance == 0.0);
  tessellation_free(&one);
  tessellation_free(&two);

  curve_set set;
  curve_set_init(&set);
  for (int k = 0; k < 10; k++)
    curve_set_add(&set, TSR_KIND_CATMULL_ROM, 5, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_plan *plan = NULL;
  tsr_error error;
  o.limit_points = 99;
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, &error), TSR_TOO_LARGE);
  CHECK_SAY(strstr(error.text, "ask for fewer or longer segments") != NULL, "%s", error.text);
  o.limit_points = 100;
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, &error), TSR_OK);
  tsr_curves_plan_free(plan);
  o.limit_points = 1000;
  o.use_max_length = 1;
  o.max_length = 1e-8;
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, &error), TSR_TOO_LARGE);
  o.max_length = 1e-300;
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, &error), TSR_BAD_OPTION);
  for (int length = 0; length < 2; length++) {
    double scale = 0.0;
    o = length ? by_length(0.01) : by_number(9);
    o.defer_count = 1;
    CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, &error), TSR_OK);
    CHECK_INT(tsr_curves_fit_budget(&plan, 1, 60, NULL, NULL, &scale, &error), TSR_OK);
    CHECK_INT(tsr_curves_plan_sizes(plan)->points, 60);
    CHECK_SAY(scale > 1.0, "the scale is %g", scale);
    CHECK_INT(tsr_curves_fit_budget(&plan, 1, 5, NULL, NULL, &scale, &error), TSR_OK);
    CHECK(isinf(scale));
    CHECK_INT(tsr_curves_plan_sizes(plan)->points, 20);
    tsr_curves_plan_free(plan);
  }
  for (int bad = 0; bad < 3; bad++) {
    o = bad == 2 ? by_length(NAN) : by_number(bad ? 0 : 5);
    o.vertices = bad ? TSR_VERTICES_ON_CURVE : TSR_VERTICES_WITHIN_TOLERANCE;
    CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, &error), TSR_BAD_OPTION);
  }
  curve_set_free(&set);
}

int main(void) {
  check_circle(1.0);
  check_circle(1e6);
  check_line();
  check_closed_forms();
  check_kink();
  check_helix();
  check_million();
  check_kinds();
  check_spacing();
  check_all_degenerate();
  check_notes();
  check_options();
  return check_result();
}
