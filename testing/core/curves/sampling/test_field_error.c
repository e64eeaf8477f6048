/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The field error: an array along the curve, and as it is drawn, linearly along the segment beside
 * the point of the curve. Both are worked out by the evaluator of the tests, many times a span, on
 * curves that bend, fold and turn back within the chord error, with all joints and with few.
 */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "curve_set.h"
#include "reference.h"

enum { POINTS = 14, DENSE = 24 };

/** The set's curves with one value a point, and the tolerances. */
typedef struct field_case {
  curve_set set;
  double value[(TSR_KIND_BSPLINE3 + 1) * POINTS];
  double chord_error, field_error;
} field_case;

static void make_case(uint64_t *state, field_case *it) {
  const int smooth = random_in(state, 0, 1) < 0.5;
  curve_set_init(&it->set);
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_BSPLINE3; kind++) {
    double xyz[3 * POINTS];
    for (int i = 0; i < POINTS; i++) {
      xyz[3 * i] = smooth ? 0.4 * i : random_in(state, -1, 1);
      xyz[3 * i + 1] = smooth ? sin(0.9 * i) : random_in(state, -1, 1);
      xyz[3 * i + 2] = 0.2 * random_in(state, -1, 1);
    }
    curve_set_add(&it->set, (tsr_curve_kind)kind, POINTS, xyz, NULL, 0);
  }
  for (int64_t i = 0; i < it->set.n_points; i++)
    it->value[i] = smooth ? sin(0.3 * (double)i) : random_in(state, -1, 1);
  it->chord_error = pow(10.0, random_in(state, -2.5, 0.3));
  it->field_error = pow(10.0, random_in(state, -2.0, 0.3));
}

/** Where the curve is at a parameter, and its value there. */
static void curve_at(const field_case *it, int64_t item, double parameter, double x[3], double *v) {
  double value[REFERENCE_COMPONENTS];
  const int64_t last = reference_spans(&it->set, item) - 1;
  const int64_t span = parameter < (double)last ? (int64_t)parameter : last;
  const double u = parameter - (double)span;
  reference_value(&it->set, item, TSR_KNOTS_CENTRIPETAL, 0.0, it->set.points, 3, span, u, value);
  for (int c = 0; c < 3; c++)
    x[c] = value[c];
  reference_value(&it->set, item, TSR_KNOTS_CENTRIPETAL, 0.0, it->value, 1, span, u, v);
}

/** The largest difference of the values between two parameters from those that are drawn. */
static double drawn_error(const field_case *it, int64_t item, double from, double to) {
  double a[3], b[3], x[3], at_a[REFERENCE_COMPONENTS], at_b[REFERENCE_COMPONENTS],
      v[REFERENCE_COMPONENTS], worst = 0.0;
  const int steps = (int)ceil((to - from) * DENSE) + 1;
  curve_at(it, item, from, a, at_a);
  curve_at(it, item, to, b, at_b);
  for (int k = 0; k <= steps; k++) {
    double along = 0.0, length2 = 0.0;
    curve_at(it, item, from + (to - from) * k / steps, x, v);
    for (int c = 0; c < 3; c++) {
      along += (x[c] - a[c]) * (b[c] - a[c]);
      length2 += (b[c] - a[c]) * (b[c] - a[c]);
    }
    if (length2 == 0.0)
      return 0.0; /* nothing lies beside a segment without length */
    const double t = fmin(fmax(along / length2, 0.0), 1.0);
    worst = fmax(worst, fabs(v[0] - (at_a[0] + t * (at_b[0] - at_a[0]))));
  }
  return worst;
}

/** Returns the number of segments that stand for several spans. */
static int64_t check_case(const field_case *it, tsr_sampling sampling, tsr_joints joints, int n) {
  const tsr_curves_view view = curve_set_view(&it->set);
  const tsr_array field = {it->value, TSR_DOUBLE, 1, it->set.n_points};
  tsr_curves_options o = options_chord_error(sampling, it->chord_error);
  tessellation out;
  int64_t several = 0;
  o.use_field_error = 1;
  o.field_error = it->field_error;
  o.fields = &field;
  o.n_fields = 1;
  o.joints = joints;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  for (int64_t cell = 0; cell < out.sizes.cells; cell++)
    for (int64_t k = out.offsets[cell]; k + 1 < out.offsets[cell + 1]; k++) {
      const double from = out.parameter[out.connectivity[k]];
      const double to = out.parameter[out.connectivity[k + 1]];
      const double worst = drawn_error(it, cell, from, to);
      several += ceil(to) - floor(from) > 1.0;
      CHECK_SAY(worst <= it->field_error * (1.0 + 1e-9) + 1e-12,
                "case %d, kind %d, sampling %d: %g, not %g, from %g to %g", n, it->set.kinds[cell],
                sampling, worst, it->field_error, from, to);
    }
  tessellation_free(&out);
  return several;
}

int main(void) {
  uint64_t state = 4;
  int64_t several = 0;
  for (int n = 0; n < 400; n++) {
    field_case it;
    make_case(&state, &it);
    several += check_case(&it, (tsr_sampling)(n % 3), TSR_JOINTS_WHERE_NEEDED, n);
    CHECK_INT(check_case(&it, (tsr_sampling)(n % 3), TSR_JOINTS_KEEP_ALL, n), 0);
    curve_set_free(&it.set);
  }
  printf("%lld segments stand for several spans\n", (long long)several);
  CHECK(several > 1000);
  return check_result();
}
