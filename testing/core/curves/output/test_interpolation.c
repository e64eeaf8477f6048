/* SPDX-License-Identifier: BSD-3-Clause */
/** Point arrays: exact at the input points, of every type, linear and nearest, and NaN. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "reference.h"

static void add_random(curve_set *set, uint64_t *state, tsr_curve_kind kind, int n, int closed) {
  double xyz[3 * 64];
  for (int i = 0; i < 3 * n; i++) {
    xyz[i] = random_in(state, -1.0, 1.0);
  }
  curve_set_add(set, kind, n, xyz, NULL, closed);
}

/** Output point of parameter `at` in a cell, or -1. */
static int64_t point_at(const tessellation *out, int64_t cell, double at) {
  for (int64_t k = out->offsets[cell]; k < out->offsets[cell + 1]; k++) {
    const double here = out->parameter[out->connectivity[k]];
    if (here >= at && here <= at) {
      return out->connectivity[k];
    }
  }
  return -1;
}

/** Curves that go through their points, in order along the curve: input id k at parameter k; and
 *  B-splines, which go through their ends. */
static void interpolating(curve_set *set, int rounds) {
  uint64_t state = 31;
  curve_set_init(set);
  for (int i = 0; i < rounds; i++) {
    add_random(set, &state, TSR_KIND_STRAIGHT, 5, 0);
    add_random(set, &state, TSR_KIND_CATMULL_ROM, 7, 0);
    add_random(set, &state, TSR_KIND_CATMULL_ROM, 7, 1);
    add_random(set, &state, TSR_KIND_LAGRANGE, 2 + i % 9, 0);
    add_random(set, &state, TSR_KIND_LAGRANGE, 16, 0);
    add_random(set, &state, TSR_KIND_BSPLINE2, 3 + i % 9, 0);
    add_random(set, &state, TSR_KIND_BSPLINE3, 4 + i % 9, 0);
  }
}

/** Id of the k-th point along an item, or of its last. */
static int64_t id_along(const curve_set *set, int64_t item, int64_t k) {
  const int64_t *ids = set->ids + set->offsets[item];
  const int64_t n = set->offsets[item + 1] - set->offsets[item];
  if (set->kinds[item] == TSR_KIND_LAGRANGE) {
    return ids[k == 0 ? 0 : k == n - 1 ? 1 : k + 1];
  }
  return ids[k < reference_spans(set, item) ? k : n - 1];
}

/** Compares the tuple of every input point with the output at its parameter, byte by byte. */
static void check_exact(const curve_set *set, const tessellation *out, const void *in,
                        const void *got, size_t bytes) {
  for (int64_t cell = 0; cell < out->sizes.cells; cell++) {
    const int64_t spans = reference_spans(set, cell);
    const int closed =
        set->kinds[cell] == TSR_KIND_CATMULL_ROM &&
        out->connectivity[out->offsets[cell]] == out->connectivity[out->offsets[cell + 1] - 1];
    const int64_t step =
        set->kinds[cell] >= TSR_KIND_BSPLINE2 && set->kinds[cell] <= TSR_KIND_BSPLINE3 ? spans : 1;
    for (int64_t k = 0; k < spans + (closed ? 0 : 1); k += step) {
      const int64_t point = point_at(out, cell, (double)k);
      const int64_t id = id_along(set, cell, k);
      if (CHECK_SAY(point >= 0, "item %lld has no point at %lld", (long long)cell, (long long)k)) {
        CHECK_SAY(memcmp((const char *)in + (size_t)id * bytes,
                         (const char *)got + (size_t)point * bytes, bytes) == 0,
                  "kind %d, item %lld: point %lld is not exact", set->kinds[cell], (long long)cell,
                  (long long)k);
      }
    }
  }
}

static void check_exact_points(void) {
  curve_set set;
  interpolating(&set, 12);
  const tsr_curves_view view = curve_set_view(&set);
  for (int variant = 0; variant < 6; variant++) {
    tsr_curves_options o = options_chord_error((tsr_sampling)(variant % 2), 1e-3);
    o.knots = (tsr_knots)(variant / 2);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    check_exact(&set, &out, set.points, out.points, 3 * sizeof(double));
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

/** Random bytes are random values of every integer type, int64 beyond 2^53 among them. */
static void check_exact_types(void) {
  static const tsr_type types[] = {TSR_INT8,   TSR_UINT8, TSR_INT16,  TSR_UINT16, TSR_INT32,
                                   TSR_UINT32, TSR_INT64, TSR_UINT64, TSR_FLOAT,  TSR_DOUBLE};
  curve_set set;
  interpolating(&set, 4);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, 1e-2);
  uint64_t state = 32;
  uint64_t *bytes = malloc((size_t)set.n_points * 3 * sizeof *bytes);
  for (int t = 0; t < 10; t++) {
    for (int64_t i = 0; i < 3 * set.n_points; i++) {
      bytes[i] = random_bits(&state);
      if (types[t] == TSR_FLOAT) {
        ((float *)bytes)[i] = (float)random_in(&state, -1e20, 1e20);
      } else if (types[t] == TSR_DOUBLE) {
        ((double *)bytes)[i] = random_in(&state, -1e200, 1e200);
      }
    }
    for (int mode = 0; mode < 3; mode++) {
      tsr_attribute a = attribute_of(bytes, types[t], 3, set.n_points, (tsr_interpolation)mode);
      tessellation out;
      CHECK_INT(tessellate(&view, &o, NULL, &a, 1, &out), TSR_OK);
      check_exact(&set, &out, bytes, a.out, 3 * tsr_type_size(types[t]));
      free(a.out);
      tessellation_free(&out);
    }
  }
  free(bytes);
  curve_set_free(&set);
}

/** On a quadratic Bezier cell 0, 1, 0 the value at u = 1/2 is half the middle one's. */
static void check_rounding(void) {
  static const double xyz[] = {0, 0, 0, 1, 1, 0, 2, 0, 0};
  static const int8_t halves[][3] = {{0, 1, 0}, {0, 3, 0}, {0, -1, 0}, {0, -3, 0}, {0, 5, 0}};
  static const int8_t expected[] = {1, 2, -1, -2, 3}; /* 0.5 1.5 -0.5 -1.5 2.5, half away from 0 */
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 3, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(3);
  for (int i = 0; i < 5; i++) {
    tsr_attribute a = attribute_of(halves[i], TSR_INT8, 1, 3, TSR_INTERPOLATE_CURVE);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, &a, 1, &out), TSR_OK);
    CHECK_INT(out.sizes.points, 3);
    CHECK_INT(((int8_t *)a.out)[1], expected[i]);
    free(a.out);
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

/** Between 2^52 and 2^53 a double holds every integer, but no halves. */
static void check_large_integers(void) {
  static const double xyz[] = {0, 0, 0, 1, 1, 0, 2, 0, 0};
  static const int64_t values[] = {4503599627370497, -4503599627370497, 9007199254740991,
                                   4503599627370496, 4503599627370495};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 3, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(3);
  for (int i = 0; i < 5; i++) {
    const int64_t same[] = {values[i], values[i], values[i]};
    tsr_attribute a = attribute_of(same, TSR_INT64, 1, 3, TSR_INTERPOLATE_CURVE);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, &a, 1, &out), TSR_OK);
    CHECK_INT(((int64_t *)a.out)[1], values[i]);
    free(a.out);
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

/** A Catmull-Rom curve overshoots the values 0 M M 0: they must be clamped, not wrapped. */
static void check_clamping(void) {
  static const double xyz[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  const uint8_t u8[] = {0, 255, 255, 0};
  const int8_t i8[] = {127, -128, -128, 127};
  const uint16_t u16[] = {0, UINT16_MAX, UINT16_MAX, 0};
  const int32_t i32[] = {INT32_MIN, INT32_MAX, INT32_MAX, INT32_MIN};
  const int64_t i64[] = {INT64_MIN, INT64_MAX, INT64_MAX, INT64_MIN};
  const uint64_t u64[] = {0, UINT64_MAX, UINT64_MAX, 0};
  const uint64_t u64_low[] = {UINT64_MAX, 0, 0, UINT64_MAX};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, 4, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(3); /* points at 0 .5 1 1.5 2 2.5 3 */
  tsr_attribute a[7] = {attribute_of(u8, TSR_UINT8, 1, 4, TSR_INTERPOLATE_CURVE),
                        attribute_of(i8, TSR_INT8, 1, 4, TSR_INTERPOLATE_CURVE),
                        attribute_of(u16, TSR_UINT16, 1, 4, TSR_INTERPOLATE_CURVE),
                        attribute_of(i32, TSR_INT32, 1, 4, TSR_INTERPOLATE_CURVE),
                        attribute_of(i64, TSR_INT64, 1, 4, TSR_INTERPOLATE_CURVE),
                        attribute_of(u64, TSR_UINT64, 1, 4, TSR_INTERPOLATE_CURVE),
                        attribute_of(u64_low, TSR_UINT64, 1, 4, TSR_INTERPOLATE_CURVE)};
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, a, 7, &out), TSR_OK);
  if (CHECK_INT(out.sizes.points, 7)) {
    CHECK_INT(((uint8_t *)a[0].out)[3], 255);
    CHECK_INT(((int8_t *)a[1].out)[3], -128);
    CHECK_INT(((uint16_t *)a[2].out)[3], UINT16_MAX);
    CHECK_INT(((int32_t *)a[3].out)[3], INT32_MAX);
    CHECK_INT(((int64_t *)a[4].out)[3], INT64_MAX);
    CHECK(((uint64_t *)a[5].out)[3] == UINT64_MAX);
    CHECK_INT(((uint64_t *)a[6].out)[3], 0);
    CHECK(abs(((uint8_t *)a[0].out)[1] - 127) <= 1); /* (9 - 1) / 16 of 255 = 127.5 */
  }
  for (int i = 0; i < 7; i++) {
    free(a[i].out);
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Integers that no double holds stay what they are where a span has no other. */
static void check_integers_beyond_doubles(void) {
  enum { N = 8 };
  static const int64_t beyond[] = {9007199254740993, INT64_MAX, INT64_MIN + 1, -9007199254740995};
  curve_set set;
  uint64_t state = 37;
  curve_set_init(&set);
  for (int kind = TSR_KIND_CATMULL_ROM; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    add_random(&set, &state, (tsr_curve_kind)kind, N, 0);
  }
  for (int64_t i = 0; i < set.n_points; i++) {
    set.weights[i] = random_in(&state, 0.3, 3.0);
  }
  int64_t *values = malloc((size_t)set.n_points * 2 * sizeof *values);
  for (int variant = 0; variant < 32; variant++) {
    const int64_t value = beyond[variant % 4];
    set.rational = variant / 4 % 2;
    for (int64_t i = 0; i < set.n_points; i++) {
      values[2 * i] = value;
      values[2 * i + 1] = i % 3; /* which changes */
    }
    const tsr_curves_view view = curve_set_view(&set);
    const tsr_curves_options o =
        options_chord_error((tsr_sampling)(variant / 8 % 2), 1e-2); /* both make other chunks */
    tsr_attribute a =
        attribute_of(values, variant < 16 ? TSR_INT64 : TSR_UINT64, 2, set.n_points,
                     variant / 8 % 2 ? TSR_INTERPOLATE_LINEAR : TSR_INTERPOLATE_CURVE);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, &a, 1, &out), TSR_OK);
    CHECK(out.sizes.points > 100);
    for (int64_t k = 0; k < out.sizes.points; k++) {
      CHECK_INT(((int64_t *)a.out)[2 * k], value);
    }
    free(a.out);
    tessellation_free(&out);
  }
  free(values);
  curve_set_free(&set);
}

/** What is not a number does not reach points where its weight is 0: joints of B-splines, which
 *  three points make; points between which a Catmull-Rom curve of tension 1 is straight; and places
 *  of input points under linear interpolation. */
static void check_nan_of_no_weight(void) {
  enum { N = 9, AT = 4 };
  for (int variant = 0; variant < 6; variant++) {
    static const tsr_curve_kind kinds[] = {TSR_KIND_BSPLINE3, TSR_KIND_BSPLINE2,
                                           TSR_KIND_CATMULL_ROM, TSR_KIND_BEZIER};
    const tsr_curve_kind kind = kinds[variant % 4];
    const int linear = variant % 4 == 3;
    curve_set set;
    uint64_t state = 38;
    curve_set_init(&set);
    add_random(&set, &state, kind, linear ? 3 : N, 0);
    set.rational = variant >= 4;
    for (int64_t i = 0; i < set.n_points; i++) {
      set.weights[i] = random_in(&state, 0.3, 3.0);
    }
    tsr_curves_options o = options_points_per_span(5);
    o.tension = 1.0;
    double values[N];
    for (int i = 0; i < N; i++) {
      values[i] = i == (linear ? 2 : AT) ? (double)NAN : 10.0 + i;
    }
    const tsr_curves_view view = curve_set_view(&set);
    tsr_attribute a = attribute_of(values, TSR_DOUBLE, 1, set.n_points,
                                   linear ? TSR_INTERPOLATE_LINEAR : TSR_INTERPOLATE_CURVE);
    tessellation out;
    int spread = 0;
    CHECK_INT(tessellate(&view, &o, NULL, &a, 1, &out), TSR_OK);
    for (int64_t k = 0; k < out.sizes.points; k++) {
      const double t = out.parameter[k], value = ((double *)a.out)[k];
      const int joint = floor(t) == t;
      int reached;                     /* has the point a weight there? */
      if (kind == TSR_KIND_BSPLINE3) { /* basis 4 has the knots 1 ... 5 */
        reached = t > AT - 3 && t < AT + 1;
      } else if (kind == TSR_KIND_BSPLINE2) {
        reached = t > AT - 2 && t < AT + 1;
      } else if (kind == TSR_KIND_CATMULL_ROM) {
        reached = t > AT - 1 && t < AT + 1;
      } else {
        reached = t > 0.5;
      }
      spread += reached;
      CHECK_SAY((isnan(value) != 0) == reached, "kind %d at %g: %g", kind, t, value);
      CHECK(reached || !joint || (value > 6.0 && value < 20.0));
    }
    CHECK(spread > 0);
    free(a.out);
    tessellation_free(&out);
    curve_set_free(&set);
  }
}

/** Not-a-number at one input point reaches the four spans that use it, and no other point. */
static void check_nan_stays(void) {
  enum { N = 12, AT = 5 };
  double values[N];
  float floats[N];
  int spread = 0;
  uint64_t state = 33;
  curve_set set;
  curve_set_init(&set);
  add_random(&set, &state, TSR_KIND_CATMULL_ROM, N, 0);
  for (int i = 0; i < N; i++) {
    values[i] = i == AT ? (double)NAN : i;
    floats[i] = (float)values[i];
  }
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(9);
  for (int mode = 0; mode < 3; mode++) {
    const double reach = mode == TSR_INTERPOLATE_CURVE    ? 2.0
                         : mode == TSR_INTERPOLATE_LINEAR ? 1.0
                                                          : 0.5;
    tsr_attribute a[2] = {attribute_of(values, TSR_DOUBLE, 1, N, (tsr_interpolation)mode),
                          attribute_of(floats, TSR_FLOAT, 1, N, (tsr_interpolation)mode)};
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, a, 2, &out), TSR_OK);
    for (int64_t i = 0; i < out.sizes.points; i++) {
      const double t = out.parameter[i];
      const int is_nan = isnan(((double *)a[0].out)[i]) != 0;
      CHECK_INT(isnan(((float *)a[1].out)[i]) != 0, is_nan);
      spread += is_nan;
      CHECK_SAY(!is_nan || fabs(t - AT) <= reach, "mode %d: not-a-number at %g", mode, t);
      CHECK_SAY(!is_nan || floor(t) < t || fabs(t - AT) <= 0.0, "mode %d: no input value at %g",
                mode, t);
    }
    free(a[0].out);
    free(a[1].out);
    tessellation_free(&out);
  }
  CHECK(spread > 30);
  curve_set_free(&set);
}

/** Values equal to the points' own abscissae become the parameter under linear interpolation. */
static void check_linear(void) {
  static const struct {
    tsr_curve_kind kind;
    int n;
    double abscissae[8];
  } cases[] = {
      {TSR_KIND_STRAIGHT, 4, {0, 1, 2, 3}},
      {TSR_KIND_CATMULL_ROM, 5, {0, 1, 2, 3, 4}},
      {TSR_KIND_BEZIER2_CHAIN, 5, {0, 0.5, 1, 1.5, 2}},
      {TSR_KIND_BEZIER3_CHAIN, 7, {0, 1.0 / 3, 2.0 / 3, 1, 4.0 / 3, 5.0 / 3, 2}},
      {TSR_KIND_BEZIER, 5, {0, 0.25, 0.5, 0.75, 1}},
      {TSR_KIND_LAGRANGE, 5, {0, 1, 2, 3, 4}},
      /* Means of the inner knots 0 0 1 2 3 4 4 and 0 0 0 1 2 3 3 3 */
      {TSR_KIND_BSPLINE2, 6, {0, 0.5, 1.5, 2.5, 3.5, 4}},
      {TSR_KIND_BSPLINE3, 6, {0, 1.0 / 3, 1, 2, 8.0 / 3, 3}},
  };
  uint64_t state = 34;
  for (int i = 0; i < 8; i++) {
    double weights[8];
    double xyz[24];
    for (int k = 0; k < 24; k++) {
      xyz[k] = random_in(&state, -1.0, 1.0);
      weights[k / 3] = random_in(&state, 0.5, 2.0);
    }
    for (int rational = 0; rational < 2; rational++) {
      curve_set set;
      curve_set_init(&set);
      curve_set_add(&set, cases[i].kind, cases[i].n, xyz, rational ? weights : NULL, 0);
      tsr_attribute a =
          attribute_of(cases[i].abscissae, TSR_DOUBLE, 1, cases[i].n, TSR_INTERPOLATE_LINEAR);
      const tsr_curves_view view = curve_set_view(&set);
      const tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, 1e-3);
      tessellation out;
      CHECK_INT(tessellate(&view, &o, NULL, &a, 1, &out), TSR_OK);
      for (int64_t k = 0; k < out.sizes.points; k++) {
        CHECK_SAY(fabs(((double *)a.out)[k] - out.parameter[k]) <= 1e-14 * cases[i].n,
                  "kind %d: %.17g at %.17g", cases[i].kind, ((double *)a.out)[k], out.parameter[k]);
      }
      free(a.out);
      tessellation_free(&out);
      curve_set_free(&set);
    }
  }
}

/** Nearest takes the input point whose abscissa is nearest, and nearest_point says which. */
static void check_nearest(void) {
  curve_set set;
  uint64_t state = 35;
  curve_set_init(&set);
  add_random(&set, &state, TSR_KIND_STRAIGHT, 5, 0);
  add_random(&set, &state, TSR_KIND_CATMULL_ROM, 5, 0);
  add_random(&set, &state, TSR_KIND_CATMULL_ROM, 5, 1);
  add_random(&set, &state, TSR_KIND_BEZIER3_CHAIN, 7, 0);
  add_random(&set, &state, TSR_KIND_BEZIER2_CHAIN, 7, 0);
  int64_t *own_id = malloc((size_t)set.n_points * sizeof *own_id);
  for (int64_t i = 0; i < set.n_points; i++) {
    own_id[i] = i + ((int64_t)1 << 60);
  }
  tsr_attribute a = attribute_of(own_id, TSR_INT64, 1, set.n_points, TSR_INTERPOLATE_NEAREST);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o = options_points_per_span(12);
  o.use_max_length = 1;
  o.max_length = 0.1;
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, &a, 1, &out), TSR_OK);
  for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
    const int kind = set.kinds[cell];
    const int degree = kind == TSR_KIND_BEZIER3_CHAIN ? 3 : kind == TSR_KIND_BEZIER2_CHAIN ? 2 : 1;
    for (int64_t k = out.offsets[cell]; k < out.offsets[cell + 1]; k++) {
      const int64_t point = out.connectivity[k];
      const double at = out.parameter[point] * degree;
      const int64_t *ids = set.ids + set.offsets[cell];
      const int64_t below = ids[(int64_t)(at + 0.5 - 1e-9)];
      const int64_t above = ids[(int64_t)(at + 0.5 + 1e-9)]; /* the other one where it is a tie */
      const int64_t got = out.nearest_point[point];
      CHECK_SAY(got == below || got == above, "kind %d at %g: point %lld, not %lld", kind, at,
                (long long)got, (long long)below);
      CHECK(((int64_t *)a.out)[point] == own_id[got]);
    }
  }
  free(a.out);
  free(own_id);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** By the curve's weights, rational ones too, arrays follow as the positions do. */
static void check_curve_weights(void) {
  curve_set set;
  uint64_t state = 36;
  curve_set_init(&set);
  for (int kind = TSR_KIND_CATMULL_ROM; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    add_random(&set, &state, (tsr_curve_kind)kind, 7, 0);
  }
  for (int64_t i = 0; i < set.n_points; i++) {
    set.weights[i] = random_in(&state, 0.3, 3.0);
  }
  set.rational = 1;
  double *values = malloc((size_t)set.n_points * sizeof *values);
  for (int64_t i = 0; i < set.n_points; i++) {
    values[i] = random_in(&state, -1.0, 1.0);
  }
  tsr_attribute a = attribute_of(values, TSR_DOUBLE, 1, set.n_points, TSR_INTERPOLATE_CURVE);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, 1e-2);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, &a, 1, &out), TSR_OK);
  for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
    const int64_t spans = reference_spans(&set, cell);
    for (int64_t k = out.offsets[cell]; k < out.offsets[cell + 1]; k++) {
      const double at = out.parameter[k];
      const int64_t span = at >= (double)spans ? spans - 1 : (int64_t)at;
      double expected;
      reference_value(&set, cell, o.knots, 0.0, values, 1, span, at - (double)span, &expected);
      CHECK_NEAR(((double *)a.out)[k], expected, 1e-12);
    }
  }
  free(a.out);
  free(values);
  tessellation_free(&out);
  curve_set_free(&set);
}

int main(void) {
  check_exact_points();
  check_exact_types();
  check_rounding();
  check_large_integers();
  check_clamping();
  check_integers_beyond_doubles();
  check_nan_stays();
  check_nan_of_no_weight();
  check_linear();
  check_nearest();
  check_curve_weights();
  return check_result();
}
