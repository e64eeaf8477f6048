/* SPDX-License-Identifier: BSD-3-Clause */
/** Each criterion measured on the output, alone and together. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "curve_set.h"
#include "reference.h"

static const double degrees = 57.295779513082320877;

static void add_random(curve_set *set, uint64_t *state, tsr_curve_kind kind, int n, int closed) {
  double xyz[3 * 64];
  for (int i = 0; i < 3 * n; i++) {
    xyz[i] = random_in(state, -1.0, 1.0);
  }
  curve_set_add(set, kind, n, xyz, NULL, closed);
}

static tsr_curves_options no_criterion(tsr_sampling sampling) {
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  o.use_chord_error = 0;
  o.field_relative = 0;
  o.joints = TSR_JOINTS_KEEP_ALL;
  o.sampling = sampling;
  return o;
}

/** The classic rule, straight from its formula. p: degree + 1 control points in order. */
static int classic_rule(const double *p, int degree, const tsr_curves_options *o) {
  double chord = 0.0;
  double greatest = 0.0;
  for (int c = 0; c < 3; c++) {
    const double d = p[3 * degree + c] - p[c];
    chord += d * d;
  }
  chord = sqrt(chord);
  for (int k = 1; k < degree; k++) {
    double square = 0.0;
    for (int c = 0; c < 3; c++) {
      const double place = p[c] + (p[3 * degree + c] - p[c]) * k / degree;
      square += (p[3 * k + c] - place) * (p[3 * k + c] - place);
    }
    greatest = fmax(greatest, sqrt(square));
  }
  if (chord <= 0.0) {
    return o->max_points;
  }
  const double wanted = greatest / chord * o->curvature_factor;
  const int n = wanted >= o->max_points ? o->max_points : (int)wanted;
  return n < o->min_points ? o->min_points : n > o->max_points ? o->max_points : n;
}

static void check_curvature_rule(void) {
  uint64_t state = 21;
  curve_set set;
  curve_set_init(&set);
  for (int i = 0; i < 300; i++) {
    add_random(&set, &state, TSR_KIND_BEZIER, 3 + i % 4, 0);
  }
  const double round_trip[] = {0, 0, 0, 1, 2, 3, 0, 0, 0};
  curve_set_add(&set, TSR_KIND_BEZIER, 3, round_trip, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o = no_criterion(TSR_SAMPLING_UNIFORM);
  o.use_curvature = 1;
  for (int variant = 0; variant < 3; variant++) {
    o.curvature_factor = variant == 0 ? 16.0 : variant == 1 ? 1000.0 : 0.0;
    o.min_points = variant == 1 ? 2 : 4;
    o.max_points = variant == 1 ? 5000 : 32;
    tessellation out;
    o.sampling = TSR_SAMPLING_UNIFORM;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    for (int64_t i = 0; i < out.sizes.cells; i++) {
      const int degree = (int)(set.offsets[i + 1] - set.offsets[i]) - 1;
      const int64_t n = out.offsets[i + 1] - out.offsets[i];
      CHECK_INT(n, classic_rule(set.points + 3 * set.ids[set.offsets[i]], degree, &o));
    }
    tessellation_free(&out);
    o.sampling = TSR_SAMPLING_BISECTION;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    for (int64_t i = 0; i < out.sizes.cells; i++) {
      const int degree = (int)(set.offsets[i + 1] - set.offsets[i]) - 1;
      const int n = classic_rule(set.points + 3 * set.ids[set.offsets[i]], degree, &o);
      for (int64_t k = out.offsets[i] + 1; k < out.offsets[i + 1]; k++) {
        CHECK_AT_MOST(out.parameter[k] - out.parameter[k - 1], 1.0 / (n - 1) + 0x1p-29);
      }
    }
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

/** A Lagrange cell is counted as a whole, with all its nodes and else no more than the maximum;
 *  degree 1 takes 2 points. */
static void check_curvature_of_cells(void) {
  uint64_t state = 22;
  curve_set set;
  curve_set_init(&set);
  for (int degree = 1; degree <= 7; degree++) {
    add_random(&set, &state, TSR_KIND_LAGRANGE, degree + 1, 0);
  }
  const tsr_curves_view view = curve_set_view(&set);
  for (int n = 2; n < 20; n++) {
    const tsr_curves_options o = options_points_per_span(n);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    for (int64_t i = 0; i < out.sizes.cells; i++) {
      const int64_t degree = i + 1;
      const int64_t segments = out.offsets[i + 1] - out.offsets[i] - 1;
      const int64_t most = n > degree ? (n - 1) / degree * degree : degree;
      CHECK_INT(segments, degree == 1 ? 1 : most);
    }
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

/** Maximum Points holds whatever the other criteria ask for, and who needed more is noted. */
static void check_maximum_points(void) {
  enum { MOST = 10 };
  curve_set set;
  uint64_t state = 23;
  curve_set_init(&set);
  for (int kind = TSR_KIND_CATMULL_ROM; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    for (int n = 4; n < 12; n++) {
      add_random(&set, &state, (tsr_curve_kind)kind, n, 0);
    }
  }
  const tsr_curves_view view = curve_set_view(&set);
  for (int variant = 0; variant < 12; variant++) {
    tsr_curves_options o = options_chord_error((tsr_sampling)(variant % 3), 1e-2);
    o.use_curvature = 1;
    o.max_points = MOST;
    o.curvature_factor = variant < 6 ? 1000.0 : 1.0;
    o.use_max_length = variant >= 3;
    o.max_length = 0.01;
    o.use_turning_angle = variant >= 9;
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    int64_t late = 0;
    for (int64_t i = 0; i < out.sizes.cells; i++) {
      const int64_t n = out.offsets[i + 1] - out.offsets[i];
      const int64_t spans = reference_spans(&set, i);
      const int lagrange = set.kinds[i] == TSR_KIND_LAGRANGE;
      const int64_t most = !lagrange ? spans * (MOST - 1) : spans > MOST - 1 ? spans : MOST - 1;
      CHECK_SAY(n - 1 <= most, "variant %d, kind %d: %lld segments of %lld", variant, set.kinds[i],
                (long long)n - 1, (long long)most);
      late += measured_error(&set, &out, i, o.knots, 0.0, 10) > o.chord_error;
    }
    CHECK(variant >= 9 || late > 10);
    CHECK(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count >= late);
    tessellation_free(&out);
    /* Where none is needed beyond it, the maximum changes nothing. */
    o.chord_error = 1e6;
    o.use_max_length = o.use_turning_angle = 0;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count, 0);
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

/** Uniform steps are as few as the tolerance lets them be: a few less, and it is not kept. */
static void check_uniform_is_least(void) {
  curve_set set;
  uint64_t state = 24;
  int64_t most = 0;
  curve_set_init(&set);
  for (int i = 0; i < 40; i++) {
    add_random(&set, &state, TSR_KIND_BEZIER, 3 + i % 2, 0);
  }
  const tsr_curves_view view = curve_set_view(&set);
  tessellation out, fewer;
  const tsr_curves_options o = options_chord_error(TSR_SAMPLING_UNIFORM, 1e-5);
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  for (int64_t i = 0; i < set.n_items; i++) {
    const int64_t n = out.offsets[i + 1] - out.offsets[i] - 1;
    CHECK_AT_MOST(measured_error(&set, &out, i, o.knots, 0.0, 8), 1e-5 * (1.0 + 1e-9));
    const tsr_curves_options less = options_points_per_span((int)(n - n / 25));
    CHECK_INT(tessellate(&view, &less, NULL, NULL, 0, &fewer), TSR_OK);
    CHECK_SAY(measured_error(&set, &fewer, i, o.knots, 0.0, 9) > 1e-5, "curve %lld: %lld steps",
              (long long)i, (long long)n);
    tessellation_free(&fewer);
    most = n > most ? n : most;
  }
  CHECK(most > 100);
  tessellation_free(&out);
  curve_set_free(&set);
}

static double segment_length(const tessellation *out, int64_t k, double *direction) {
  const double *a = out->points + 3 * out->connectivity[k];
  const double *b = out->points + 3 * out->connectivity[k + 1];
  double square = 0.0;
  for (int c = 0; c < 3; c++) {
    direction[c] = b[c] - a[c];
    square += direction[c] * direction[c];
  }
  return sqrt(square);
}

/** Largest angle in degrees between consecutive segments of one span (across_joints: of the
 *  polyline). */
static double largest_turn(const tessellation *out, int64_t cell, int across_joints) {
  double greatest = 0.0;
  for (int64_t k = out->offsets[cell]; k + 2 < out->offsets[cell + 1]; k++) {
    const double middle = out->parameter[out->connectivity[k + 1]];
    double a[3];
    double b[3];
    const double la = segment_length(out, k, a);
    const double lb = segment_length(out, k + 1, b);
    if ((floor(middle) < middle || across_joints) && la > 0.0 && lb > 0.0) {
      const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
      const double x = a[1] * b[2] - a[2] * b[1];
      const double y = a[2] * b[0] - a[0] * b[2];
      const double z = a[0] * b[1] - a[1] * b[0];
      greatest = fmax(greatest, degrees * atan2(sqrt(x * x + y * y + z * z), dot));
    }
  }
  return greatest;
}

static double longest(const tessellation *out, int64_t cell) {
  double greatest = 0.0;
  double direction[3];
  for (int64_t k = out->offsets[cell]; k + 1 < out->offsets[cell + 1]; k++) {
    greatest = fmax(greatest, segment_length(out, k, direction));
  }
  return greatest;
}

/** One of each kind, without cusps (random curves in space have none). */
static void every_kind(curve_set *set) {
  uint64_t state = 23;
  curve_set_init(set);
  for (int i = 0; i < 10; i++) {
    add_random(set, &state, TSR_KIND_CATMULL_ROM, 6, i % 2);
    add_random(set, &state, TSR_KIND_BSPLINE2, 6, i % 2);
    add_random(set, &state, TSR_KIND_BSPLINE3, 6, i % 2);
    add_random(set, &state, TSR_KIND_BEZIER2_CHAIN, 7, 0);
    add_random(set, &state, TSR_KIND_BEZIER3_CHAIN, 7, 0);
    add_random(set, &state, TSR_KIND_BEZIER, 4, 0);
    add_random(set, &state, TSR_KIND_BEZIER, 7, 0);
    add_random(set, &state, TSR_KIND_LAGRANGE, 5, 0);
  }
}

static void check_turning_angle(void) {
  curve_set set;
  every_kind(&set);
  const tsr_curves_view view = curve_set_view(&set);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    for (double angle = 40.0; angle > 1.0; angle /= 2.0) {
      tsr_curves_options o = no_criterion((tsr_sampling)sampling);
      o.use_turning_angle = 1;
      o.turning_angle = angle;
      tessellation out;
      CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
      CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count, 0);
      for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
        const int kind = set.kinds[cell];
        const int smooth = kind == TSR_KIND_CATMULL_ROM || kind == TSR_KIND_BSPLINE2 ||
                           kind == TSR_KIND_BSPLINE3 || kind == TSR_KIND_LAGRANGE;
        const double turn = largest_turn(&out, cell, smooth);
        CHECK_SAY(turn <= angle * (1.0 + 1e-9),
                  "kind %d, sampling %d: %g degrees, above %g (inside the spans %g)", kind,
                  sampling, turn, angle, largest_turn(&out, cell, 0));
      }
      tessellation_free(&out);
    }
  }
  curve_set_free(&set);
}

static void check_max_length(void) {
  curve_set set;
  every_kind(&set);
  const tsr_curves_view view = curve_set_view(&set);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    for (double length = 1.0; length > 0.001; length /= 3.0) {
      tsr_curves_options o = no_criterion((tsr_sampling)sampling);
      o.use_max_length = 1;
      o.max_length = length;
      tessellation out;
      CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
      for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
        CHECK_AT_MOST(longest(&out, cell), length * (1.0 + 1e-6 + 1e-12));
      }
      tessellation_free(&out);
    }
  }
  /* A straight line needs exactly its length over the largest. */
  const double line[] = {0, 0, 0, 0, 10, 0};
  curve_set straight;
  curve_set_init(&straight);
  curve_set_add(&straight, TSR_KIND_STRAIGHT, 2, line, NULL, 0);
  const tsr_curves_view one = curve_set_view(&straight);
  tsr_curves_options o = no_criterion(TSR_SAMPLING_UNIFORM);
  o.use_max_length = 1;
  o.max_length = 3.0;
  tessellation out;
  CHECK_INT(tessellate(&one, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 5);
  tessellation_free(&out);
  curve_set_free(&straight);
  curve_set_free(&set);
}

/** Where the point of the segment a b that is nearest to x lies, from 0 to 1. */
static double place_on(const double *a, const double *b, const double *x) {
  double along = 0.0, square = 0.0;
  for (int c = 0; c < 3; c++) {
    along += (x[c] - a[c]) * (b[c] - a[c]);
    square += (b[c] - a[c]) * (b[c] - a[c]);
  }
  return square > 0.0 ? fmin(1.0, fmax(0.0, along / square)) : 0.0;
}

/** Greatest difference of the field on the curve (by the same weights) from what is drawn: the
 *  emitted values, linear along the segment, at the place of it that is nearest to the curve's. */
static double field_error(const curve_set *set, const tessellation *out, int64_t cell,
                          const double *field, const double *emitted, int components) {
  double greatest = 0.0;
  for (int64_t k = out->offsets[cell]; k + 1 < out->offsets[cell + 1]; k++) {
    const double *first = emitted + out->connectivity[k] * components;
    const double *last = emitted + out->connectivity[k + 1] * components;
    double from, to;
    reference_piece(set, out, cell, k, &from, &to);
    for (int i = 1; i < 20; i++) {
      const double u = from + i / 20.0 * (to - from);
      double value[REFERENCE_COMPONENTS], x[REFERENCE_COMPONENTS];
      reference_value(set, out->source_item[cell], TSR_KNOTS_CENTRIPETAL, 0.0, field, components,
                      (int64_t)floor(from), u - floor(from), value);
      reference_value(set, out->source_item[cell], TSR_KNOTS_CENTRIPETAL, 0.0, set->points, 3,
                      (int64_t)floor(from), u - floor(from), x);
      const double t = place_on(out->points + 3 * out->connectivity[k],
                                out->points + 3 * out->connectivity[k + 1], x);
      for (int c = 0; c < components; c++) {
        greatest = fmax(greatest, fabs(value[c] - ((1.0 - t) * first[c] + t * last[c])));
      }
    }
  }
  return greatest;
}

static void check_field_error(void) {
  curve_set set;
  every_kind(&set);
  uint64_t state = 24;
  double *values = malloc((size_t)set.n_points * 2 * sizeof *values);
  for (int64_t i = 0; i < 2 * set.n_points; i++) {
    values[i] = random_in(&state, -10.0, 10.0);
  }
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_array field = {values, TSR_DOUBLE, 2, set.n_points};
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    for (double error = 1.0; error > 1e-4; error /= 10.0) {
      tsr_curves_options o = no_criterion((tsr_sampling)sampling);
      o.use_field_error = 1;
      o.field_error = error;
      o.fields = &field;
      o.n_fields = 1;
      tsr_attribute carried =
          attribute_of(values, TSR_DOUBLE, 2, set.n_points, TSR_INTERPOLATE_CURVE);
      tessellation out;
      CHECK_INT(tessellate(&view, &o, NULL, &carried, 1, &out), TSR_OK);
      for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
        const double d = field_error(&set, &out, cell, values, carried.out, 2);
        CHECK_SAY(d <= error * (1.0 + 1e-9), "kind %d, sampling %d: %g, above %g", set.kinds[cell],
                  sampling, d, error);
      }
      free(carried.out);
      tessellation_free(&out);
    }
  }
  free(values);
  curve_set_free(&set);
}

/** Not-a-number in a field asks for nothing; the rest of the field still counts. */
static void check_field_with_nan(void) {
  const double line[] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
  const double values[] = {0, (double)NAN, 0, 0, 0, 5, 0, 0, 0};
  curve_set set;
  curve_set_init(&set);
  for (int i = 0; i < 3; i++) {
    curve_set_add(&set, TSR_KIND_BEZIER, 3, line, NULL, 0);
  }
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_array field = {values, TSR_DOUBLE, 1, 9};
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    tsr_curves_options o = no_criterion((tsr_sampling)sampling);
    o.use_field_error = 1;
    o.fields = &field;
    o.n_fields = 1;
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(out.sizes.cells, 3);
    CHECK_INT(out.offsets[1], 2);
    CHECK(out.offsets[2] - out.offsets[1] > 4); /* 0 0 5: a parabola */
    CHECK_INT(out.offsets[3] - out.offsets[2], 2);
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

static void check_together(void) {
  curve_set set;
  every_kind(&set);
  const tsr_curves_view view = curve_set_view(&set);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    tsr_curves_options o = no_criterion((tsr_sampling)sampling);
    o.use_curvature = o.use_chord_error = o.use_turning_angle = o.use_max_length = 1;
    o.max_points = 100000; /* none of the others needs as many */
    o.chord_relative = 0;
    o.chord_error = 1e-3;
    o.max_length = 0.1;
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
      CHECK_AT_MOST(largest_turn(&out, cell, 0), 10.0 * (1.0 + 1e-9));
      CHECK_AT_MOST(longest(&out, cell), 0.1 * (1.0 + 1e-12));
      CHECK_AT_MOST(measured_error(&set, &out, cell, o.knots, 0.0, 10), 1e-3 * (1.0 + 1e-9));
      if (set.kinds[cell] != TSR_KIND_LAGRANGE) {
        CHECK(out.offsets[cell + 1] - out.offsets[cell] >= 3 * reference_spans(&set, cell) + 1);
      }
    }
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

/** The deepest level bounds the segments of a span, and a curve that needed more is noted. */
static void check_level_limit(void) {
  const double arch[] = {0, 0, 0, 1, 2, 0, 2, 0, 0};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 3, arch, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    tsr_curves_options o = options_chord_error((tsr_sampling)sampling, 1e-9);
    o.max_level = 3;
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(out.sizes.points, 9);
    CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count, 1);
    CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].first, 0);
    CHECK_AT_MOST(measured_error(&set, &out, 0, o.knots, 0.0, 50),
                  out.achieved_error[0] * (1.0 + 1e-12));
    tessellation_free(&out);
    o.chord_error = 0.1;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count, 0);
    CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].first, -1);
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

/** However the count comes about, there are at most 2^max_level segments a span, and a segment less
 *  than Maximum Points: 12, which no doubling from 1 or 3 on comes to. */
static void check_level_limit_of_counts(void) {
  curve_set set;
  curve_set_init(&set);
  curve_set_add_cusp(&set);
  const tsr_curves_view view = curve_set_view(&set);
  for (int variant = 0; variant < 4; variant++) {
    tsr_curves_options o = options_points_per_span(variant < 2 ? 32 : 13);
    const int64_t most = variant < 2 ? 8 : 12;
    o.sampling = (tsr_sampling)(variant % 2);
    o.max_level = variant < 2 ? 3 : 4;
    o.min_points = variant < 2 ? 32 : 4;
    o.curvature_factor = 0.0;
    o.use_turning_angle = variant >= 2; /* which no number of points fulfils at a cusp */
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_SAY(out.sizes.points - 1 <= most, "variant %d: %lld segments", variant,
              (long long)out.sizes.points - 1);
    CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count, 1);
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

int main(void) {
  check_curvature_rule();
  check_curvature_of_cells();
  check_maximum_points();
  check_uniform_is_least();
  check_turning_angle();
  check_max_length();
  check_field_error();
  check_field_with_nan();
  check_together();
  check_level_limit();
  check_level_limit_of_counts();
  return check_result();
}
