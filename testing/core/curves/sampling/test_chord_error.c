/* SPDX-License-Identifier: BSD-3-Clause */
/** The chord error is a guarantee: measured densely along the exact curve, for hard curves. */
#include <math.h>

#include "check.h"
#include "curve_set.h"
#include "reference.h"

/** Each curve of the set must be within `error` of its polyline, and say so in achieved_error. */
static void check_set(const char *what, const curve_set *set, tsr_curves_options o) {
  const tsr_curves_view view = curve_set_view(set);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    tessellation out;
    o.sampling = (tsr_sampling)sampling;
    if (!CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK)) {
      continue;
    }
    CHECK_INT(out.sizes.cells, set->n_items);
    CHECK_SAY(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count == 0, "%s: level limit at %g", what,
              o.chord_error);
    for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
      const double d = measured_error(set, &out, cell, o.knots, o.tension, 24);
      const double rounding = 1e-14;
      CHECK_SAY(d <= o.chord_error * (1.0 + 1e-9) + rounding,
                "%s, item %lld, kind %d, sampling %d, knots %d: %g away, above %g", what,
                (long long)out.source_item[cell], set->kinds[cell], sampling, (int)o.knots, d,
                o.chord_error);
      CHECK_SAY(d <= out.achieved_error[cell] * (1.0 + 1e-9) + rounding,
                "%s, item %lld, sampling %d: %g away, achieved_error says %g", what,
                (long long)cell, sampling, d, out.achieved_error[cell]);
      CHECK_AT_MOST(out.achieved_error[cell], o.chord_error * (1.0 + 1e-12));
    }
    tessellation_free(&out);
  }
}

/** At 0.1, 0.01, ... down to `least`. */
static void check_tolerances(const char *what, const curve_set *set, tsr_knots knots,
                             double least) {
  for (double error = 0.1; error > 0.9 * least; error /= 10.0) {
    tsr_curves_options o = options_chord_error(TSR_SAMPLING_UNIFORM, error);
    o.knots = knots;
    check_set(what, set, o);
  }
}

static void add_cell(curve_set *set, int n, const double (*xy)[2]) {
  double xyz[3 * 16];
  for (int i = 0; i < n; i++) {
    xyz[3 * i] = xy[i][0];
    xyz[3 * i + 1] = xy[i][1];
    xyz[3 * i + 2] = 0.0;
  }
  curve_set_add(set, TSR_KIND_BEZIER, n, xyz, NULL, 0);
}

/** What a test at the middle, or of the ends only, lets slip through. */
static void check_famous(void) {
  static const double s_shape[4][2] = {{0, 0}, {1, 1}, {0, -1}, {1, 0}};
  static const double s_through_middle[4][2] = {{0, 0}, {1.0 / 3, 1}, {2.0 / 3, -1}, {1, 0}};
  static const double fold[4][2] = {{0, 0}, {2, 0}, {-1, 0}, {1, 0}};
  static const double fold_quad[3][2] = {{0, 0}, {2, 0}, {0, 0}};
  static const double fold_beyond[3][2] = {{-1, 0}, {1.5, 0}, {1, 0}};
  static const double cusp[4][2] = {{0, 0}, {1, 1}, {0, 1}, {1, 0}};
  static const double near_cusp[4][2] = {{0, 0}, {1, 1.0001}, {0, 1}, {1, 0}};
  static const double loop[4][2] = {{0, 0}, {3, 1}, {-2, 1}, {1, 0}};
  static const double closed_loop[4][2] = {{0, 0}, {1, 1}, {-1, 1}, {0, 0}};
  static const double first_twice[4][2] = {{0, 0}, {0, 0}, {0.5, 0.7}, {1, 1}};
  static const double last_twice[4][2] = {{0, 0}, {0.2, 0.9}, {1, 0}, {1, 0}};
  static const double both_twice[4][2] = {{0, 0}, {0, 0}, {1, 1}, {1, 1}};
  static const double inner_twice[4][2] = {{0, 0}, {0.5, 1}, {0.5, 1}, {1, 0}};
  static const double inner_far[4][2] = {{0, 0}, {1e3, 1e3}, {-1e3, 1e3}, {1, 0}};
  static const double wave[6][2] = {{0, 0}, {0.2, 3}, {0.4, -6}, {0.6, 6}, {0.8, -3}, {1, 0}};
  curve_set set;
  curve_set_init(&set);
  add_cell(&set, 4, s_shape);
  add_cell(&set, 4, s_through_middle);
  add_cell(&set, 4, fold);
  add_cell(&set, 3, fold_quad);
  add_cell(&set, 3, fold_beyond);
  add_cell(&set, 4, cusp);
  add_cell(&set, 4, near_cusp);
  add_cell(&set, 4, loop);
  add_cell(&set, 4, closed_loop);
  add_cell(&set, 4, first_twice);
  add_cell(&set, 4, last_twice);
  add_cell(&set, 4, both_twice);
  add_cell(&set, 4, inner_twice);
  add_cell(&set, 4, inner_far);
  add_cell(&set, 6, wave);
  check_tolerances("famous", &set, TSR_KNOTS_UNIFORM, 1e-6);
  curve_set_free(&set);
}

static void add_random(curve_set *set, uint64_t *state, tsr_curve_kind kind, int n,
                       double log_weight, int closed) {
  double xyz[3 * 64];
  double weights[64];
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < 3; c++) {
      xyz[3 * i + c] = random_in(state, -1.0, 1.0);
    }
    weights[i] = pow(10.0, random_in(state, -log_weight, log_weight));
  }
  curve_set_add(set, kind, n, xyz, log_weight > 0.0 ? weights : NULL, closed);
}

static void check_degrees(void) {
  uint64_t state = 11;
  for (int degree = 1; degree <= TSR_MAX_DEGREE; degree++) {
    curve_set set;
    curve_set_init(&set);
    for (int i = 0; i < 3; i++) {
      add_random(&set, &state, TSR_KIND_BEZIER, degree + 1, 0.0, 0);
    }
    tsr_curves_options o = options_chord_error(TSR_SAMPLING_UNIFORM, 1e-3);
    check_set("Bezier", &set, o);
    curve_set_free(&set);
    curve_set_init(&set);
    add_random(&set, &state, TSR_KIND_LAGRANGE, degree + 1, 0.0, 0);
    o.chord_error = 1e-2;
    check_set("Lagrange", &set, o);
    curve_set_free(&set);
  }
}

static void check_rational(void) {
  uint64_t state = 12;
  for (int degree = 1; degree <= TSR_MAX_DEGREE; degree += degree < 5 ? 1 : 5) {
    curve_set set;
    curve_set_init(&set);
    for (int i = 0; i < 5; i++) {
      add_random(&set, &state, TSR_KIND_BEZIER, degree + 1, 1.0, 0);
    }
    tsr_curves_options o = options_chord_error(TSR_SAMPLING_UNIFORM, 1e-2);
    check_set("rational", &set, o);
    curve_set_free(&set);
  }
}

/** Weights from a millionth to a million: the parameter races through most of the curve. */
static void check_extreme_weights(void) {
  static const double weights[][4] = {{1, 1e6, 1e-6, 1},      {1e6, 1, 1, 1e-6},
                                      {1e-6, 1e6, 1e6, 1e-6}, {1, 1e-6, 1e-6, 1},
                                      {1e-6, 1, 1e6, 1},      {1e6, 1e-6, 1e-6, 1e6}};
  static const double xyz[] = {0, 0, 0, 0.3, 1, 0.2, 0.6, -1, 0.4, 1, 0, 1};
  curve_set set;
  curve_set_init(&set);
  for (int i = 0; i < 6; i++) {
    curve_set_add(&set, TSR_KIND_BEZIER, 4, xyz, weights[i], 0);
  }
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, 1e-3);
  o.max_level = 30;
  const tsr_curves_view view = curve_set_view(&set);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count, 0);
  for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
    const double d = measured_error(&set, &out, cell, o.knots, 0.0, 200);
    CHECK_SAY(d <= 1e-3 * (1.0 + 1e-9), "weights %lld: %g away", (long long)cell, d);
    CHECK_AT_MOST(d, out.achieved_error[cell] * (1.0 + 1e-9));
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

static void check_polylines(void) {
  static const tsr_curve_kind kinds[] = {
      TSR_KIND_STRAIGHT, TSR_KIND_CATMULL_ROM, TSR_KIND_BEZIER2_CHAIN, TSR_KIND_BEZIER3_CHAIN,
      TSR_KIND_BSPLINE2, TSR_KIND_BSPLINE3,    TSR_KIND_NATURAL_SPLINE};
  uint64_t state = 13;
  for (int rational = 0; rational < 2; rational++) {
    curve_set set;
    curve_set_init(&set);
    for (int k = 0; k < 7; k++) {
      for (int n = 5; n < 10; n++) {
        add_random(&set, &state, kinds[k], n, 0.5 * rational, 0);
        add_random(&set, &state, kinds[k], n, 0.5 * rational, 1);
      }
    }
    for (int knots = 0; knots < 3 && !rational; knots++) {
      check_tolerances("polyline", &set, (tsr_knots)knots,
                       knots == TSR_KNOTS_UNIFORM ? 1e-5 : 1e-4);
    }
    tsr_curves_options o = options_chord_error(TSR_SAMPLING_UNIFORM, 1e-3);
    o.tension = rational ? 0.0 : 0.4;
    check_set("polyline with tension or weights", &set, o);
    curve_set_free(&set);
  }
}

/** Far from the origin, tiny and huge: the error is a length in the unit of the coordinates. */
static void check_scales(void) {
  static const double scales[] = {1e-6, 1e6};
  uint64_t state = 14;
  for (int s = 0; s < 2; s++) {
    curve_set set;
    curve_set_init(&set);
    for (int i = 0; i < 5; i++) {
      add_random(&set, &state, TSR_KIND_BEZIER, 4, 0.0, 0);
      add_random(&set, &state, TSR_KIND_CATMULL_ROM, 6, 0.0, 0);
    }
    for (int64_t i = 0; i < 3 * set.n_points; i++) {
      set.points[i] *= scales[s];
    }
    const tsr_curves_view view = curve_set_view(&set);
    for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
      const double error = 1e-4 * scales[s];
      const tsr_curves_options o = options_chord_error((tsr_sampling)sampling, error);
      tessellation out;
      CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
      for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
        CHECK_AT_MOST(measured_error(&set, &out, cell, o.knots, 0.0, 24), error * (1.0 + 1e-9));
      }
      tessellation_free(&out);
    }
    curve_set_free(&set);
  }
}

/** As a fraction of the box's diagonal, or of the given length. */
static void check_relative(void) {
  static const double xyz[] = {1, 1, 1, 2, 4, 1, 4, 3, 13, 4, 5, 13};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, 4, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_NEAR(out.report.chord_tolerance, 0.013, 1e-15); /* a box of 3 by 4 by 12 */
  tessellation_free(&out);
  o.reference_length = 500.0;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_NEAR(out.report.chord_tolerance, 0.5, 1e-15);
  tessellation_free(&out);
  curve_set_free(&set);
}

int main(void) {
  check_famous();
  check_degrees();
  check_rational();
  check_extreme_weights();
  check_polylines();
  check_scales();
  check_relative();
  return check_result();
}
