/* SPDX-License-Identifier: BSD-3-Clause */
/** Closed curves: one point less than ids, smooth across the joint, and the odd cases. */
#include <math.h>

#include "check.h"
#include "curve_set.h"
#include "reference.h"

enum { N = 6, SMOOTH = 4 };

/** What is smooth across the joint of a closed curve. */
static const tsr_curve_kind smooth[SMOOTH] = {TSR_KIND_CATMULL_ROM, TSR_KIND_BSPLINE2,
                                              TSR_KIND_BSPLINE3, TSR_KIND_NATURAL_SPLINE};

static void hexagon(double *xyz) {
  for (int i = 0; i < N; i++) {
    const double angle = i * 8.0 * atan(1.0) / N;
    xyz[3 * i] = cos(angle);
    xyz[3 * i + 1] = sin(angle);
    xyz[3 * i + 2] = 0.2 * (i % 3);
  }
}

/** The polyline closes on its own first point, and no point comes twice. */
static void check_shape(const tessellation *out, int64_t cell) {
  const int64_t first = out->offsets[cell];
  const int64_t last = out->offsets[cell + 1] - 1;
  CHECK_INT(out->connectivity[last], out->connectivity[first]);
  for (int64_t k = first; k < last; k++) {
    CHECK_INT(out->connectivity[k], out->connectivity[first] + k - first);
    CHECK(k == first ||
          out->parameter[out->connectivity[k]] > out->parameter[out->connectivity[k] - 1]);
  }
  CHECK(out->parameter[out->connectivity[first]] == 0.0);
  CHECK(out->arc_length[out->connectivity[first]] == 0.0);
}

static void check_every_kind(void) {
  double xyz[3 * N];
  hexagon(xyz);
  curve_set set;
  curve_set_init(&set);
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_BSPLINE3; kind++) {
    curve_set_add(&set, (tsr_curve_kind)kind, N, xyz, NULL, 1);
  }
  const tsr_curves_view view = curve_set_view(&set);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    const tsr_curves_options o = options_chord_error((tsr_sampling)sampling, 1e-3);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(out.sizes.cells, set.n_items);
    CHECK_INT(out.sizes.connectivity, out.sizes.points + set.n_items);
    for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
      check_shape(&out, cell);
    }
    CHECK_INT(out.offsets[1], N + 1); /* the straight one */
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

/** Turning the ids of a closed curve gives the same curve from another start. */
static void check_joint_is_like_any_point(void) {
  double xyz[3 * N];
  double turned[3 * N];
  hexagon(xyz);
  for (int i = 0; i < 3 * N; i++) {
    turned[i] = xyz[(i + 3) % (3 * N)];
  }
  for (int k = 0; k < SMOOTH; k++) {
    const tsr_curve_kind kind = smooth[k];
    curve_set set;
    curve_set_init(&set);
    curve_set_add(&set, (tsr_curve_kind)kind, N, xyz, NULL, 1);
    curve_set_add(&set, (tsr_curve_kind)kind, N, turned, NULL, 1);
    const tsr_curves_view view = curve_set_view(&set);
    const tsr_curves_options o = options_points_per_span(9);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(out.sizes.points, 2 * 8 * N);
    for (int64_t i = 0; i < 8 * N && out.sizes.points == 2 * 8 * N; i++) {
      const int64_t other = 8 * N + (i + 8 * N - 8) % (8 * N);
      for (int c = 0; c < 3; c++) {
        CHECK_NEAR(out.points[3 * i + c], out.points[3 * other + c], 1e-14);
        CHECK_NEAR(out.tangents[3 * i + c], out.tangents[3 * other + c], 1e-12);
      }
    }
    tessellation_free(&out);
    curve_set_free(&set);
  }
}

/** The tangent at the joint is the limit from both sides, by differences of a fine polyline. */
static void check_smooth(void) {
  double xyz[3 * N];
  hexagon(xyz);
  for (int k = 0; k < SMOOTH; k++) {
    const tsr_curve_kind kind = smooth[k];
    for (int knots = 0; knots < 3; knots++) {
      curve_set set;
      curve_set_init(&set);
      curve_set_add(&set, (tsr_curve_kind)kind, N, xyz, NULL, 1);
      const tsr_curves_view view = curve_set_view(&set);
      tsr_curves_options o = options_points_per_span(10001);
      o.knots = (tsr_knots)knots;
      tessellation out;
      CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
      const double *first = out.points;
      const double *next = out.points + 3;
      const double *last = out.points + 3 * (out.sizes.points - 1);
      double to = 0.0;
      double from = 0.0;
      double dot = 0.0;
      for (int c = 0; c < 3; c++) {
        from += (first[c] - last[c]) * (first[c] - last[c]);
        to += (next[c] - first[c]) * (next[c] - first[c]);
        dot += (first[c] - last[c]) * (next[c] - first[c]);
      }
      CHECK_NEAR(dot / sqrt(from * to), 1.0, 1e-6);
      for (int c = 0; c < 3; c++) {
        CHECK_NEAR(out.tangents[c], (next[c] - first[c]) / sqrt(to), 1e-3);
      }
      tessellation_free(&out);
      curve_set_free(&set);
    }
  }
}

/** Two distinct points and back, and one point three times: no crash, all points there. */
static void check_odd(void) {
  const double two[] = {0, 0, 0, 1, 2, 3};
  curve_set set;
  curve_set_init(&set);
  curve_set_add_points(&set, 2, two);
  const int64_t there_and_back[] = {0, 1, 0};
  const int64_t three_times[] = {1, 1, 1};
  const int64_t twice[] = {1, 1};
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_BSPLINE3; kind++) {
    curve_set_add_ids(&set, (tsr_curve_kind)kind, 3, there_and_back);
    curve_set_add_ids(&set, (tsr_curve_kind)kind, 3, three_times);
    curve_set_add_ids(&set, (tsr_curve_kind)kind, 2, twice);
  }
  const tsr_curves_view view = curve_set_view(&set);
  for (int variant = 0; variant < 9; variant++) {
    tsr_curves_options o = options_chord_error((tsr_sampling)(variant % 3), 1e-2);
    o.knots = (tsr_knots)(variant / 3);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(out.sizes.cells, set.n_items);
    CHECK_INT(out.sizes.notes[TSR_NOTE_ZERO_LENGTH].count, 12);
    CHECK_INT(out.sizes.notes[TSR_NOTE_ZERO_LENGTH].first, 1);
    for (int64_t i = 0; i < 3 * out.sizes.points; i++) {
      CHECK(isfinite(out.points[i]) && isfinite(out.tangents[i]));
    }
    for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
      const double length = polyline_length(&out, cell);
      CHECK(cell % 3 == 0 || length == 0.0);
    }
    for (int64_t cell = 0; cell < 6; cell += 3) { /* straight and through the points */
      CHECK(polyline_length(&out, cell) >= 2.0 * sqrt(14.0) * (1.0 - 1e-15));
    }
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

/** A cell whose ends are one point id is a loop; one whose inner id equals its first is none. */
static void check_cells(void) {
  const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const int64_t loop[] = {0, 0, 1, 2};    /* control points 0 1 2 0 */
  const int64_t no_loop[] = {0, 1, 2, 0}; /* control points 0 2 0 1 */
  curve_set set;
  curve_set_init(&set);
  curve_set_add_points(&set, 3, xyz);
  curve_set_add_ids(&set, TSR_KIND_BEZIER, 4, loop);
  curve_set_add_ids(&set, TSR_KIND_BEZIER, 4, no_loop);
  curve_set_add_ids(&set, TSR_KIND_LAGRANGE, 4, no_loop);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, 1e-3);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.cells, 3);
  for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
    const double *a = out.points + 3 * out.connectivity[out.offsets[cell]];
    const double *b = out.points + 3 * out.connectivity[out.offsets[cell + 1] - 1];
    CHECK(a[0] == 0.0 && a[1] == 0.0);
    CHECK_SAY(b[0] == (cell == 0 ? 0.0 : 1.0) && b[1] == 0.0, "cell %lld ends at %g %g",
              (long long)cell, b[0], b[1]);
    CHECK_AT_MOST(measured_error(&set, &out, cell, o.knots, 0.0, 20), 1e-3 * (1 + 1e-9));
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

/** A loop whose direction turns by 270 degrees takes at least 9 segments that turn by 30 each, also
 *  where nothing but the turning is asked for, and its two ends are one point. */
static void check_turning_of_loop(void) {
  const double loop[] = {0, 0, 0, 1, 1, 0, -1, 1, 0, 0, 0, 0};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 4, loop, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    tsr_curves_options o = options_chord_error((tsr_sampling)sampling, 1.0);
    o.use_chord_error = 0;
    o.use_turning_angle = 1;
    o.turning_angle = 30.0;
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_SAY(out.sizes.points - 1 >= 9, "sampling %d: %lld segments", sampling,
              (long long)out.sizes.points - 1);
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

int main(void) {
  check_every_kind();
  check_joint_is_like_any_point();
  check_smooth();
  check_odd();
  check_turning_of_loop();
  check_cells();
  return check_result();
}
