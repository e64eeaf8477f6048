/* SPDX-License-Identifier: BSD-3-Clause */
/** Every kind of curve, point for point against the slow evaluators in reference.c. */
#include <math.h>

#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "reference.h"

enum { POINTS_PER_SPAN = 13 };

static void random_points(uint64_t *state, int n, double *xyz, double *weights) {
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < 3; c++) {
      xyz[3 * i + c] = random_in(state, -1.0, 1.0);
    }
    weights[i] = random_in(state, 0.25, 4.0);
  }
}

static void add_random(curve_set *set, uint64_t *state, tsr_curve_kind kind, int n, int rational,
                       int closed) {
  double xyz[3 * 64];
  double weights[64];
  random_points(state, n, xyz, weights);
  curve_set_add(set, kind, n, xyz, rational ? weights : NULL, closed);
}

/** Greatest difference of a polyline from the reference at its parameters and, to be sure of
 *  those, at u = i / (POINTS_PER_SPAN - 1). `shift` turns the spans of a closed B-spline. */
static double difference(const curve_set *set, const tessellation *out, int64_t cell,
                         const tsr_curves_options *o, int64_t shift) {
  const int64_t item = out->source_item[cell];
  const int64_t spans = reference_spans(set, item);
  const int64_t first = out->offsets[cell];
  double greatest = 0.0;
  for (int64_t k = first; k < out->offsets[cell + 1]; k++) {
    int64_t span = (k - first) / (POINTS_PER_SPAN - 1);
    double u = (double)((k - first) % (POINTS_PER_SPAN - 1)) / (POINTS_PER_SPAN - 1);
    if (span == spans) {
      span--;
      u = 1.0;
    }
    double p[3];
    reference_value(set, item, o->knots, o->tension, set->points, 3, (span + shift) % spans, u, p);
    for (int c = 0; c < 3; c++) {
      const double d = fabs(p[c] - out->points[3 * out->connectivity[k] + c]);
      greatest = d > greatest || isnan(d) ? d : greatest;
    }
  }
  return greatest;
}

static void check_positions(const curve_set *set, const tsr_curves_options *o, double tolerance) {
  const tsr_curves_view view = curve_set_view(set);
  tessellation out;
  CHECK_INT(tessellate(&view, o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.cells, set->n_items);
  for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
    const int kind = set->kinds[cell];
    const int64_t spans = reference_spans(set, cell);
    const int64_t n = out.offsets[cell + 1] - out.offsets[cell];
    CHECK_INT(out.source_item[cell], cell);
    if (!CHECK_SAY(n == spans * (POINTS_PER_SPAN - 1) + 1, "kind %d, item %lld: %lld points", kind,
                   (long long)cell, (long long)n)) {
      continue;
    }
    double least = difference(set, &out, cell, o, 0);
    const int turns = kind == TSR_KIND_BSPLINE2 || kind == TSR_KIND_BSPLINE3;
    for (int64_t shift = 1; turns && spans > 1 && shift < spans && least > tolerance; shift++) {
      const double d = difference(set, &out, cell, o, shift);
      least = d < least ? d : least;
    }
    CHECK_SAY(least <= tolerance, "kind %d, item %lld, knots %d: off by %g", kind, (long long)cell,
              (int)o->knots, least);
  }
  tessellation_free(&out);
}

static void check_catmull_rom(void) {
  const double tensions[] = {0.0, 0.3, 1.0};
  uint64_t state = 1;
  curve_set set;
  curve_set_init(&set);
  for (int n = 2; n < 10; n++) {
    add_random(&set, &state, TSR_KIND_CATMULL_ROM, n, 0, 0);
  }
  for (int n = 3; n < 10; n++) {
    add_random(&set, &state, TSR_KIND_CATMULL_ROM, n, 0, 1);
  }
  for (int k = 0; k < 3; k++) {
    for (int t = 0; t < 3; t++) {
      tsr_curves_options o = options_points_per_span(POINTS_PER_SPAN);
      o.knots = (tsr_knots)k;
      o.tension = tensions[t];
      check_positions(&set, &o, 1e-13);
    }
  }
  curve_set_free(&set);
}

/** Natural splines beside a dense solve of their second derivatives, with repeated points, and far
 *  from the origin. */
static void check_natural_splines(void) {
  uint64_t state = 5;
  curve_set set;
  curve_set_init(&set);
  for (int n = 2; n < 24; n++) {
    add_random(&set, &state, TSR_KIND_NATURAL_SPLINE, n, 0, 0);
    if (n > 2) {
      add_random(&set, &state, TSR_KIND_NATURAL_SPLINE, n - 1, 0, 1);
    }
  }
  for (int n = 2; n < 10; n++) {
    for (int closed = 0; closed < 2; closed++) {
      double xyz[3 * 24];
      for (int i = 0; i < 3 * n; i++) {
        xyz[i] = random_in(&state, -1.0, 1.0) + 8.0;
        xyz[i + 3 * n] = xyz[i]; /* the way again, each point up to three times */
      }
      for (int i = 1; i < n; i++) {
        memcpy(xyz + 3 * i, xyz + 3 * (i - (int)(random_bits(&state) % 2)), 3 * sizeof *xyz);
      }
      curve_set_add(&set, TSR_KIND_NATURAL_SPLINE, 2 * n, xyz, NULL, closed);
    }
  }
  for (int k = 0; k < 3; k++) {
    tsr_curves_options o = options_points_per_span(POINTS_PER_SPAN);
    o.knots = (tsr_knots)k;
    check_positions(&set, &o, 1e-12);
  }
  curve_set_free(&set);
}

static void check_splines_and_chains(int rational) {
  const tsr_curves_options o = options_points_per_span(POINTS_PER_SPAN);
  uint64_t state = 2;
  curve_set set;
  curve_set_init(&set);
  for (int n = 3; n < 14; n++) {
    add_random(&set, &state, TSR_KIND_BSPLINE2, n, rational, 0);
    add_random(&set, &state, TSR_KIND_BSPLINE3, n, rational, 0);
    add_random(&set, &state, TSR_KIND_BSPLINE2, n, rational, 1);
    if (n > 3) {
      add_random(&set, &state, TSR_KIND_BSPLINE3, n, rational, 1);
    }
  }
  for (int n = 1; n < 6; n++) {
    add_random(&set, &state, TSR_KIND_BEZIER2_CHAIN, 2 * n + 1, rational, 0);
    add_random(&set, &state, TSR_KIND_BEZIER3_CHAIN, 3 * n + 1, rational, 0);
    add_random(&set, &state, TSR_KIND_BEZIER2_CHAIN, 2 * n + 2, rational, 1);
    add_random(&set, &state, TSR_KIND_BEZIER3_CHAIN, 3 * n, rational, 1);
  }
  add_random(&set, &state, TSR_KIND_BEZIER3_CHAIN, 6, rational, 0); /* ends with a quadratic */
  check_positions(&set, &o, 1e-13);
  curve_set_free(&set);
}

static void check_cells(void) {
  const tsr_curves_options o = options_points_per_span(POINTS_PER_SPAN);
  uint64_t state = 3;
  for (int degree = 2; degree <= TSR_MAX_DEGREE; degree++) {
    curve_set plain;
    curve_set rational;
    curve_set_init(&plain);
    curve_set_init(&rational);
    for (int i = 0; i < 4; i++) {
      add_random(&plain, &state, TSR_KIND_BEZIER, degree + 1, 0, 0);
      add_random(&rational, &state, TSR_KIND_BEZIER, degree + 1, 1, 0);
    }
    check_positions(&plain, &o, 1e-13);
    check_positions(&rational, &o, 1e-13);
    curve_set_free(&plain);
    curve_set_free(&rational);
  }
}

/** A Lagrange cell takes no weights, and the count as a whole, so ask through the parameter. What
 *  nodes are multiplied by grows with the degree (the Lebesgue constant: 3 at degree 5, 18 at
 * degree 9, 512 at degree 15, always less than 2^degree), and no evaluation rounds by less than
 * they do. */
static void check_lagrange(void) {
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, 1e-3);
  uint64_t state = 4;
  curve_set set;
  curve_set_init(&set);
  for (int degree = 1; degree <= TSR_MAX_DEGREE; degree++) {
    for (int i = 0; i < 16; i++) {
      add_random(&set, &state, TSR_KIND_LAGRANGE, degree + 1, i % 2, 0);
    }
  }
  const tsr_curves_view view = curve_set_view(&set);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    tessellation out;
    o.sampling = (tsr_sampling)sampling;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
      const int64_t spans = reference_spans(&set, cell); /* as many as its degree */
      const double rounding = (8.0 + pow(2.0, (double)spans)) * 0x1p-53;
      for (int64_t k = out.offsets[cell]; k < out.offsets[cell + 1]; k++) {
        const int64_t point = out.connectivity[k];
        const double at = out.parameter[point];
        const int64_t span = at >= (double)spans ? spans - 1 : (int64_t)at;
        double p[3];
        reference_value(&set, cell, o.knots, 0.0, set.points, 3, span, at - (double)span, p);
        for (int c = 0; c < 3; c++) {
          CHECK_NEAR(out.points[3 * point + c], p[c], rounding);
        }
      }
    }
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

/** Straight lines keep their points, whatever the criterion. */
static void check_straight(void) {
  const tsr_curves_options o = options_points_per_span(POINTS_PER_SPAN);
  uint64_t state = 5;
  curve_set set;
  curve_set_init(&set);
  add_random(&set, &state, TSR_KIND_STRAIGHT, 20, 1, 0);
  const tsr_curves_view view = curve_set_view(&set);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 20);
  for (int i = 0; i < 60 && out.sizes.points == 20; i++) {
    CHECK(out.points[i] == set.points[i]);
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

int main(void) {
  check_catmull_rom();
  check_natural_splines();
  check_splines_and_chains(0);
  check_splines_and_chains(1);
  check_cells();
  check_lagrange();
  check_straight();
  return check_result();
}
