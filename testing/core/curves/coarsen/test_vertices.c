/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Vertices within the tolerance. How many a circle takes is known: between the circles of radius
 * R - e and R + e a segment is longest where it touches the inner one and ends on the outer one.
 * Everywhere else there are never more than on the curve, ends stay what they were bit for bit, and
 * arrays are those of the same places. That the distance holds: test_guarantee.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"
#include "check.h"
#include "reference.h"

static tsr_curves_options options_within(double error) {
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, error);
  o.vertices = TSR_VERTICES_WITHIN_TOLERANCE;
  return o;
}

/** A quarter of the unit circle. */
static void add_quarter(curve_set *set) {
  static const double xyz[9] = {1, 0, 0, 1, 1, 0, 0, 1, 0};
  const double weights[3] = {1.0, sqrt(0.5), 1.0};
  set->rational = 1;
  curve_set_add(set, TSR_KIND_BEZIER, 3, xyz, weights, 0);
}

/** The least number of segments along an angle of a circle of radius 1, from a point on it to
 *  another one. */
static double least_of_circle(double angle, double error) {
  const double inner = 1.0 - error, outer = 1.0 + error;
  const double first = acos(inner) + acos(inner / outer), middle = 2.0 * acos(inner / outer);
  return 2.0 + ceil((angle - 2.0 * first) / middle);
}

static void check_circle(void) {
  const double quarter = acos(0.0);
  curve_set set;
  curve_set_init(&set);
  add_quarter(&set);
  const tsr_curves_view view = curve_set_view(&set);
  for (double error = 1e-3; error > 5e-9; error /= 10.0) {
    const tsr_curves_options o = options_within(error);
    const tsr_curves_options on = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, error);
    tessellation out, before;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(tessellate(&view, &on, NULL, NULL, 0, &before), TSR_OK);
    const double n = (double)(out.sizes.points - 1), least = least_of_circle(quarter, error);
    const double on_curve = ceil(quarter / (2.0 * acos(1.0 - error)));
    printf("circle, %g: %g segments, at least %g; %lld on the curve, at least %g\n", error, n,
           least, (long long)before.sizes.points - 1, on_curve);
    CHECK_SAY(n >= least, "%g segments, fewer than the least number %g", n, least);
    CHECK_AT_MOST(n, 1.02 * least + 1.0);
    if (error < 1e-5) {
      CHECK_AT_MOST(n / (double)(before.sizes.points - 1), 0.72);
    }
    for (int64_t p = 1; p + 1 < out.sizes.points; p++) {
      const double r = hypot(out.points[3 * p], out.points[3 * p + 1]);
      CHECK_SAY(r > 1.0 && r <= 1.0 + error, "vertex %lld at a radius of %.17g", (long long)p, r);
    }
    tessellation_free(&out);
    tessellation_free(&before);
  }
  curve_set_free(&set);
}

/** Curves of all kinds, some of them closed. */
static void add_kinds(curve_set *set, uint64_t *state) {
  static const struct {
    tsr_curve_kind kind;
    int points, closed;
  } kinds[] = {
      {TSR_KIND_STRAIGHT, 6, 0},      {TSR_KIND_CATMULL_ROM, 7, 0},   {TSR_KIND_CATMULL_ROM, 7, 1},
      {TSR_KIND_BEZIER2_CHAIN, 7, 0}, {TSR_KIND_BEZIER3_CHAIN, 7, 1}, {TSR_KIND_BSPLINE2, 6, 0},
      {TSR_KIND_BSPLINE3, 7, 1},      {TSR_KIND_LAGRANGE, 6, 0},      {TSR_KIND_BEZIER, 3, 0},
      {TSR_KIND_BEZIER, 4, 0},        {TSR_KIND_BEZIER, 8, 0},        {TSR_KIND_BEZIER, 2, 0}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    double xyz[3 * 8], weights[8];
    for (int i = 0; i < 3 * kinds[k].points; i++) {
      xyz[i] = random_in(state, -1.0, 1.0);
      weights[i / 3] = random_in(state, 0.5, 2.0);
    }
    curve_set_add(set, kinds[k].kind, kinds[k].points, xyz, set->rational ? weights : NULL,
                  kinds[k].closed);
  }
}

/** 1 if point i of one and j of the other are the same, bit for bit. */
static int same_point(const tessellation *a, int64_t i, const tessellation *b, int64_t j) {
  return memcmp(a->points + 3 * i, b->points + 3 * j, 3 * sizeof *a->points) == 0;
}

/** Cell by cell: no more points, the same ends, bit for bit, of every span. */
static void compare(const tessellation *within, const tessellation *on, const curve_set *set) {
  for (int64_t cell = 0; cell < within->sizes.cells; cell++) {
    const int64_t begin = within->offsets[cell], end = within->offsets[cell + 1];
    int64_t k = on->offsets[cell], off = 0;
    CHECK_SAY(end - begin <= on->offsets[cell + 1] - k, "cell %lld has more points",
              (long long)cell);
    for (int64_t i = begin; i < end; i++) {
      const int64_t p = within->connectivity[i];
      if (i > begin && p == within->connectivity[begin]) { /* closed */
        continue;
      }
      if (within->parameter[p] != floor(within->parameter[p])) {
        off++;
        continue;
      }
      while (k + 1 < on->offsets[cell + 1] &&
             on->parameter[on->connectivity[k]] < within->parameter[p]) {
        k++;
      }
      CHECK_SAY(same_point(within, p, on, on->connectivity[k]), "cell %lld: an end has moved",
                (long long)cell);
    }
    CHECK(same_point(within, within->connectivity[begin], on, on->connectivity[on->offsets[cell]]));
    CHECK_INT(within->connectivity[begin] == within->connectivity[end - 1],
              on->connectivity[on->offsets[cell]] == on->connectivity[on->offsets[cell + 1] - 1]);
    if (set->kinds[cell] == TSR_KIND_STRAIGHT) {
      CHECK_INT(off, 0);
    }
  }
}

static void check_kinds(void) {
  uint64_t state = 4;
  int64_t fewer = 0, all = 0;
  for (int round = 0; round < 60; round++) {
    const double error = pow(10.0, random_in(&state, -6.0, -1.0));
    tsr_curves_options o = options_within(error);
    tsr_curves_options on = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, error);
    tessellation out, before;
    curve_set set;
    curve_set_init(&set);
    set.rational = round % 2;
    for (int i = 0; i < 10; i++) {
      add_kinds(&set, &state);
    }
    const tsr_curves_view view = curve_set_view(&set);
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(tessellate(&view, &on, NULL, NULL, 0, &before), TSR_OK);
    compare(&out, &before, &set);
    fewer += out.sizes.points;
    all += before.sizes.points;
    for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
      CHECK_AT_MOST(out.achieved_error[cell], error * (1.0 + 1e-12));
    }
    tessellation_free(&out);
    tessellation_free(&before);
    curve_set_free(&set);
  }
  printf("all kinds: %lld points, %.3f of those on the curve\n", (long long)fewer,
         (double)fewer / (double)all);
  CHECK_AT_MOST((double)fewer, 0.8 * (double)all);
}

/** A vertex off the curve is no farther from its place on it than AchievedError says, though both
 *  are rounded: nothing is added here. */
static void check_reserve(void) {
  const tsr_curves_options o = options_within(1e-3);
  uint64_t state = 6;
  int64_t off = 0;
  tessellation out;
  curve_set set;
  curve_set_init(&set);
  for (int degree = 2; degree <= TSR_MAX_DEGREE; degree++) {
    double xyz[3 * (TSR_MAX_DEGREE + 1)];
    for (int i = 0; i < 3 * (degree + 1); i++) {
      xyz[i] = random_in(&state, -1.0, 1.0);
    }
    curve_set_add(&set, TSR_KIND_LAGRANGE, degree + 1, xyz, NULL, 0);
  }
  const tsr_curves_view view = curve_set_view(&set);
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
    for (int64_t k = out.offsets[cell]; k + 1 < out.offsets[cell + 1]; k++) {
      const double *a = out.points + 3 * out.connectivity[k];
      const double at = out.parameter[out.connectivity[k]], span = floor(at);
      double p[3];
      reference_value(&set, cell, o.knots, 0.0, set.points, 3, (int64_t)span, at - span, p);
      const double far = hypot(hypot(p[0] - a[0], p[1] - a[1]), p[2] - a[2]);
      off += far > 1e-6;
      CHECK_AT_MOST(far, out.achieved_error[cell]);
    }
    CHECK_AT_MOST(out.achieved_error[cell], o.chord_error);
  }
  CHECK_AT_MOST(1000, off);
  tessellation_free(&out);
  curve_set_free(&set);
}

static int64_t points_of(const tsr_curves_view *view, const tsr_curves_options *o) {
  tessellation out;
  CHECK_INT(tessellate(view, o, NULL, NULL, 0, &out), TSR_OK);
  const int64_t points = out.sizes.points;
  tessellation_free(&out);
  return points;
}

/** most: the last error's share of the points on the curve. */
static void check_file(const char *name, const double *errors, double most) {
  case_file file;
  curve_set set;
  double share = 1.0;
  if (!case_file_open(&file, name)) {
    return;
  }
  curve_set_init(&set);
  case_file_curves(&file, TSR_KIND_NONE, &set);
  const tsr_curves_view view = curve_set_view(&set);
  for (int i = 0; errors[i] > 0.0; i++) {
    const tsr_curves_options o = options_within(errors[i]);
    const tsr_curves_options on = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, errors[i]);
    const int64_t n = points_of(&view, &o), before = points_of(&view, &on);
    share = (double)n / (double)before;
    printf("%s, %g: %lld points, %.3f of those on the curve\n", name, errors[i], (long long)n,
           share);
    CHECK_AT_MOST(share, 1.0);
  }
  CHECK_AT_MOST(share, most);
  curve_set_free(&set);
  case_file_close(&file);
}

/** A field is that of the curve's place, and what is drawn along the segment is within the field
 *  error of it: here the field is x, so that it is known everywhere. */
static void check_field(void) {
  uint64_t state = 8;
  for (int round = 0; round < 200; round++) {
    const double error = pow(10.0, random_in(&state, -3.0, -1.0));
    double xyz[12], x[4];
    curve_set set;
    tessellation out;
    curve_set_init(&set);
    for (int i = 0; i < 12; i++) {
      xyz[i] = random_in(&state, -1.0, 1.0);
    }
    curve_set_add(&set, TSR_KIND_BEZIER3_CHAIN, 4, xyz, NULL, 0);
    for (int i = 0; i < 4; i++) {
      x[i] = xyz[3 * i];
    }
    const tsr_array field = {x, TSR_DOUBLE, 1, 4};
    tsr_attribute carried = attribute_of(x, TSR_DOUBLE, 1, 4, TSR_INTERPOLATE_CURVE);
    tsr_curves_options o = options_within(error);
    o.use_field_error = 1;
    o.field_relative = 0;
    o.field_error = 0.3 * error;
    o.fields = &field;
    o.n_fields = 1;
    const tsr_curves_view view = curve_set_view(&set);
    CHECK_INT(tessellate(&view, &o, NULL, &carried, 1, &out), TSR_OK);
    const double *values = carried.out;
    for (int64_t k = 0; k + 1 < out.sizes.points; k++) {
      const double *a = out.points + 3 * k, *b = a + 3;
      for (int s = 0; s <= 16; s++) {
        const double u = out.parameter[k] + (out.parameter[k + 1] - out.parameter[k]) * s / 16.0,
                     v = 1.0 - u;
        double p[3], along = 0.0, square = 0.0;
        for (int c = 0; c < 3; c++) {
          p[c] = v * v * v * xyz[c] + 3.0 * v * v * u * xyz[3 + c] + 3.0 * v * u * u * xyz[6 + c] +
                 u * u * u * xyz[9 + c];
          along += (p[c] - a[c]) * (b[c] - a[c]);
          square += (b[c] - a[c]) * (b[c] - a[c]);
        }
        const double t = fmin(fmax(along / square, 0.0), 1.0);
        CHECK_AT_MOST(fabs((1.0 - t) * values[k] + t * values[k + 1] - p[0]),
                      o.field_error * (1.0 + 1e-9));
        if (s == 0) {
          CHECK_SAY(fabs(values[k] - p[0]) < 1e-12, "%g, not %g", values[k], p[0]);
        }
      }
    }
    free(carried.out);
    tessellation_free(&out);
    curve_set_free(&set);
  }
}

/** The other criteria hold for the segments as they are stored. */
static void check_others(void) {
  uint64_t state = 9;
  curve_set set;
  tessellation out;
  curve_set_init(&set);
  for (int i = 0; i < 10; i++) {
    add_kinds(&set, &state);
  }
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o = options_within(0.01);
  o.use_max_length = 1;
  o.max_length = 0.15;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
    for (int64_t k = out.offsets[cell]; k + 1 < out.offsets[cell + 1]; k++) {
      const double *a = out.points + 3 * out.connectivity[k];
      const double *b = out.points + 3 * out.connectivity[k + 1];
      CHECK_AT_MOST(hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]), 0.15 * (1.0 + 1e-12));
    }
  }
  tessellation_free(&out);
  curve_set_free(&set);
  curve_set_init(&set);
  add_quarter(&set);
  const tsr_curves_view circle = curve_set_view(&set);
  o = options_within(0.01);
  o.use_turning_angle = 1;
  o.turning_angle = 5.0;
  CHECK_INT(tessellate(&circle, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_SAY(out.sizes.points >= 19, "%lld points for 90 degrees", (long long)out.sizes.points);
  for (int64_t k = 1; k + 1 < out.sizes.points; k++) {
    const double *p = out.points + 3 * (k - 1);
    const double from = atan2(p[4] - p[1], p[3] - p[0]), to = atan2(p[7] - p[4], p[6] - p[3]);
    CHECK_AT_MOST(fabs(to - from) * 180.0 / acos(-1.0), 5.0 * (1.0 + 1e-9));
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Other samplings have no such vertices, and without an error there is no tolerance. */
static void check_refused(void) {
  curve_set set;
  tessellation out;
  curve_set_init(&set);
  add_quarter(&set);
  const tsr_curves_view view = curve_set_view(&set);
  for (int bad = 0; bad < 4; bad++) {
    tsr_curves_options o = options_within(0.01);
    o.sampling = bad < 2 ? (tsr_sampling)bad : o.sampling;
    o.use_chord_error = bad != 2;
    o.vertices = bad == 3 ? (tsr_vertices)2 : o.vertices;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_BAD_OPTION);
    CHECK_SAY(strstr(out.error.text, "vertices") != NULL, "%s", out.error.text);
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

int main(void) {
  static const double tiger[] = {1.0, 0.1, 0.01, 0.001, 0.0}, font[] = {10.0, 1.0, 0.1, 0.0};
  check_circle();
  check_kinds();
  check_reserve();
  check_field();
  check_others();
  check_refused();
  check_file("tiger_bezier", tiger, 0.76);
  check_file("DejaVuSans_bezier", font, 0.80);
  return check_result();
}
