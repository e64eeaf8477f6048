/* SPDX-License-Identifier: BSD-3-Clause */
/** Bad items are noted and left out, the others come out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"

/** Seven points fit every kind of chain. */
enum { GOOD = 7 };
static const double good[3 * GOOD] = {0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1,
                                      0, 2, 1, 0, 1, 0, 0, 3, 0, 0};

/** Plans and fills a set with the default options but an absolute error, and checks that what
 *  came out is finite. */
static void run(const curve_set *set, tessellation *out) {
  const tsr_curves_view view = curve_set_view(set);
  const tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, 1e-3);
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, out), TSR_OK);
  for (int64_t i = 0; i < 3 * out->sizes.points; i++) {
    CHECK(isfinite(out->points[i]));
    CHECK(isfinite(out->tangents[i]));
  }
}

/** The note must stand for `count` items from `first` on, and no other note for any. */
static void only_note(const tessellation *out, tsr_note note, int64_t count, int64_t first) {
  for (int n = 0; n < TSR_NOTES; n++) {
    const int is_it = n == (int)note;
    CHECK_SAY(out->sizes.notes[n].count == (is_it ? count : 0), "note %d stands %lld times", n,
              (long long)out->sizes.notes[n].count);
    CHECK_SAY(out->sizes.notes[n].first == (is_it ? first : -1), "note %d is first at %lld", n,
              (long long)out->sizes.notes[n].first);
  }
}

/** Bad ids among good curves. */
static void check_bad_ids(void) {
  static const int64_t bad[][3] = {
      {0, GOOD, 1}, {0, 1, -1}, {INT64_MAX, 0, 1}, {0, INT64_MIN, 1}, {99, 99, 99}};
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    curve_set set;
    tessellation out;
    curve_set_init(&set);
    curve_set_add(&set, (tsr_curve_kind)kind, GOOD, good, NULL, 0);
    for (int i = 0; i < 5; i++) {
      curve_set_add_ids(&set, (tsr_curve_kind)kind, 3, bad[i]);
    }
    const int64_t fine[] = {0, 1, 2};
    curve_set_add_ids(&set, TSR_KIND_STRAIGHT, 3, fine);
    run(&set, &out);
    CHECK_INT(out.sizes.cells, 2);
    CHECK_INT(out.source_item[1], 6);
    only_note(&out, TSR_NOTE_BAD_ID, 5, 1);
    CHECK_INT(out.report.items, 7);
    tessellation_free(&out);
    curve_set_free(&set);
  }
}

static void check_not_finite(void) {
  const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1.1e100, -2e100, 1e308};
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    curve_set set;
    tessellation out;
    curve_set_init(&set);
    for (int i = 0; i < 18; i++) {
      double xyz[3 * GOOD];
      memcpy(xyz, good, sizeof xyz);
      xyz[3 * (i % GOOD) + i % 3] = bad[i % 6];
      curve_set_add(&set, (tsr_curve_kind)kind, GOOD, xyz, NULL, 0);
    }
    curve_set_add(&set, (tsr_curve_kind)kind, GOOD, good, NULL, 0);
    run(&set, &out);
    CHECK_INT(out.sizes.cells, 1);
    CHECK_INT(out.source_item[0], 18);
    only_note(&out, TSR_NOTE_NOT_FINITE, 18, 0);
    tessellation_free(&out);
    curve_set_free(&set);
  }
}

/** Just inside the limit is still a curve. */
static void check_huge_but_finite(void) {
  const double xyz[] = {-1e100, 1e100, 0, 1e100, 1e100, 1e100, -1e100, -1e100, 0, 1, 1, 1};
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    curve_set set;
    tessellation out;
    curve_set_init(&set);
    curve_set_add(&set, (tsr_curve_kind)kind, 4, xyz, NULL, 0);
    const tsr_curves_view view = curve_set_view(&set);
    tsr_curves_options o;
    tsr_curves_options_init(&o);
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(out.sizes.cells, 1);
    for (int64_t i = 0; i < 3 * out.sizes.points; i++) {
      CHECK(isfinite(out.points[i]));
    }
    tessellation_free(&out);
    curve_set_free(&set);
  }
}

/** Points that single precision cannot hold, or that a curve might carry beyond it: with
 *  single_points they are left out, and all that comes out is finite as a float. */
static void check_single_points(void) {
  const double sizes[] = {1e30, 2.9e35, 3.1e35, 3.3e38, 1e60, 1e100};
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    for (int n = 4; n <= 16; n += 6) {
      curve_set set;
      tessellation out;
      curve_set_init(&set);
      for (int k = 0; k < 6; k++) {
        double xyz[3 * 16];
        for (int i = 0; i < 3 * n; i++) {
          xyz[i] = i / 3 % 2 ? sizes[k] : -sizes[k];
        }
        curve_set_add(&set, (tsr_curve_kind)kind, n, xyz, NULL, 0);
      }
      tsr_curves_view view = curve_set_view(&set);
      const tsr_curves_options o = options_points_per_span(9);
      CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
      CHECK_INT(out.sizes.cells, 6);
      CHECK_INT(out.sizes.notes[TSR_NOTE_BEYOND_SINGLE].count, 0);
      tessellation_free(&out);
      view.single_points = 1;
      CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
      CHECK_INT(out.sizes.cells, 2);
      CHECK_INT(out.sizes.notes[TSR_NOTE_BEYOND_SINGLE].count, 4);
      CHECK_INT(out.sizes.notes[TSR_NOTE_BEYOND_SINGLE].first, 2);
      for (int64_t i = 0; i < 3 * out.sizes.points; i++) {
        CHECK_AT_MOST(fabs(out.points[i]), 3.4e38);
      }
      tessellation_free(&out);
      curve_set_free(&set);
    }
  }
}

static void check_bad_weights(void) {
  const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
  const double ones[] = {1, 1, 1, 1};
  curve_set set;
  tessellation out;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 4, good, ones, 0);
  for (int i = 0; i < 4; i++) {
    double weights[] = {1, 1, 1, 1};
    weights[i] = bad[i];
    curve_set_add(&set, i % 2 ? TSR_KIND_BSPLINE3 : TSR_KIND_BEZIER, 4, good, weights, 0);
    curve_set_add(&set, TSR_KIND_CATMULL_ROM, 4, good, weights, 0); /* does not use them */
  }
  run(&set, &out);
  CHECK_INT(out.sizes.cells, 5);
  only_note(&out, TSR_NOTE_BAD_WEIGHT, 4, 1);
  tessellation_free(&out);
  curve_set_free(&set);
}

static void check_bad_degree(void) {
  double xyz[3 * 40];
  curve_set set;
  tessellation out;
  curve_set_init(&set);
  for (int i = 0; i < 120; i++) {
    xyz[i] = 0.25 * (double)(i * i % 7);
  }
  curve_set_add(&set, TSR_KIND_BEZIER, 16, xyz, NULL, 0);
  curve_set_add(&set, TSR_KIND_BEZIER, 17, xyz, NULL, 0);
  curve_set_add(&set, TSR_KIND_LAGRANGE, 17, xyz, NULL, 0);
  curve_set_add(&set, TSR_KIND_LAGRANGE, 40, xyz, NULL, 0);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, 40, xyz, NULL, 0); /* has no such limit */
  run(&set, &out);
  CHECK_INT(out.sizes.cells, 2);
  only_note(&out, TSR_NOTE_BAD_DEGREE, 3, 1);
  tessellation_free(&out);
  curve_set_free(&set);
}

static void check_empty_and_one_point(void) {
  const double dot[] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    curve_set set;
    tessellation out;
    curve_set_init(&set);
    curve_set_add(&set, (tsr_curve_kind)kind, 0, dot, NULL, 0);
    run(&set, &out);
    CHECK_INT(out.sizes.cells, 0);
    CHECK_INT(out.sizes.points, 0);
    CHECK_INT(out.offsets[0], 0);
    only_note(&out, TSR_NOTE_EMPTY, 1, 0);
    tessellation_free(&out);

    curve_set_add(&set, (tsr_curve_kind)kind, 1, dot, NULL, 0);
    run(&set, &out);
    CHECK_INT(out.sizes.cells, 1);
    CHECK_INT(out.sizes.points, 1);
    CHECK_INT(out.sizes.connectivity, 1);
    CHECK_INT(out.sizes.notes[TSR_NOTE_ONE_POINT].count, 1);
    CHECK_INT(out.sizes.notes[TSR_NOTE_ONE_POINT].first, 1);
    CHECK(out.points[0] == 1.0 && out.points[1] == 2.0 && out.points[2] == 3.0);
    CHECK_INT(out.source_item[0], 1);
    tessellation_free(&out);
    curve_set_free(&set);

    curve_set_init(&set);
    curve_set_add(&set, (tsr_curve_kind)kind, 4, dot, NULL, 0);
    run(&set, &out);
    CHECK_INT(out.sizes.cells, 1);
    CHECK_INT(out.sizes.notes[TSR_NOTE_ZERO_LENGTH].count, 1);
    CHECK(out.sizes.points >= 2);
    for (int64_t i = 0; i < out.sizes.points; i++) {
      CHECK(out.points[3 * i] == 1.0 && out.points[3 * i + 2] == 3.0);
    }
    tessellation_free(&out);
    curve_set_free(&set);
  }
}

/** Points that repeat along a curve must be gone through, without not-a-number. */
static void check_repeated_points(void) {
  const double xyz[] = {0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 2, 0, 0, 3, 3, 3, 3, 3, 3};
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    for (int variant = 0; variant < 12; variant++) {
      curve_set set;
      tessellation out;
      curve_set_init(&set);
      curve_set_add(&set, (tsr_curve_kind)kind, 8, xyz, NULL, variant % 2);
      const tsr_curves_view view = curve_set_view(&set);
      tsr_curves_options o = options_chord_error((tsr_sampling)(variant / 2 % 2), 1e-3);
      o.knots = (tsr_knots)(variant / 4);
      o.use_turning_angle = 1;
      CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
      CHECK_INT(out.sizes.cells, 1);
      for (int64_t i = 0; i < 3 * out.sizes.points; i++) {
        CHECK(isfinite(out.points[i]) && isfinite(out.tangents[i]));
        CHECK(isfinite(out.curvature[i / 3]) && isfinite(out.arc_length[i / 3]));
      }
      for (int k = 0; k < 8 && kind <= TSR_KIND_CATMULL_ROM; k++) {
        int found = 0;
        for (int64_t i = 0; i < out.sizes.points && !found; i++) {
          found = memcmp(out.points + 3 * i, xyz + 3 * (size_t)k, 3 * sizeof(double)) == 0;
        }
        CHECK_SAY(found, "kind %d, knots %d: point %d is lost", kind, (int)o.knots, k);
      }
      tessellation_free(&out);
      curve_set_free(&set);
    }
  }
}

/** Counts that do not fit a chain or spline: noted, and the last point is not lost. */
static void check_lower_degree(void) {
  static const struct {
    tsr_curve_kind kind;
    int n, noted;
  } cases[] = {{TSR_KIND_BEZIER2_CHAIN, 2, 1}, {TSR_KIND_BEZIER2_CHAIN, 3, 0},
               {TSR_KIND_BEZIER2_CHAIN, 4, 1}, {TSR_KIND_BEZIER2_CHAIN, 5, 0},
               {TSR_KIND_BEZIER3_CHAIN, 2, 1}, {TSR_KIND_BEZIER3_CHAIN, 3, 1},
               {TSR_KIND_BEZIER3_CHAIN, 4, 0}, {TSR_KIND_BEZIER3_CHAIN, 5, 1},
               {TSR_KIND_BEZIER3_CHAIN, 6, 1}, {TSR_KIND_BEZIER3_CHAIN, 7, 0},
               {TSR_KIND_BSPLINE2, 2, 1},      {TSR_KIND_BSPLINE2, 3, 0},
               {TSR_KIND_BSPLINE3, 2, 1},      {TSR_KIND_BSPLINE3, 3, 1},
               {TSR_KIND_BSPLINE3, 4, 0}};
  const double xyz[] = {0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1, 0, 4, 2, 2, 5, 0, 1, 6, 6, 6};
  for (int i = 0; i < 15; i++) {
    curve_set set;
    tessellation out;
    curve_set_init(&set);
    curve_set_add(&set, cases[i].kind, cases[i].n, xyz, NULL, 0);
    run(&set, &out);
    CHECK_INT(out.sizes.cells, 1);
    CHECK_SAY(out.sizes.notes[TSR_NOTE_LOWER_DEGREE].count == cases[i].noted,
              "kind %d with %d points: noted %lld times", (int)cases[i].kind, cases[i].n,
              (long long)out.sizes.notes[TSR_NOTE_LOWER_DEGREE].count);
    const double *last = out.points + 3 * (out.sizes.points - 1);
    CHECK(memcmp(last, xyz + 3 * (cases[i].n - 1), 3 * sizeof(double)) == 0);
    tessellation_free(&out);
    curve_set_free(&set);
  }
}

/** Offsets that decrease, are negative or point beyond the ids. */
static void check_bad_offsets(void) {
  static const int64_t hostile[][4] = {{0, 4, 2, 4},          {0, -1, 2, 4},
                                       {-3, 1, 2, 4},         {0, 2, 2, 5},
                                       {0, 2, 4, 9000000000}, {INT64_MIN, 0, 4, INT64_MAX},
                                       {5, 6, 7, 8},          {4, 3, 2, 1}};
  const int64_t ids[] = {0, 1, 2, 3};
  for (int i = 0; i < 8; i++) {
    for (int narrow = 0; narrow < 2; narrow++) {
      int32_t offsets32[4];
      int32_t ids32[4];
      tsr_curves_view view;
      tsr_curves_view_init(&view);
      for (int k = 0; k < 4; k++) {
        offsets32[k] = (int32_t)(hostile[i][k] & 0xffffffff);
        ids32[k] = k;
      }
      view.points = (tsr_array){good, TSR_DOUBLE, 3, 4};
      view.n_items = 3;
      view.offsets = narrow ? (const void *)offsets32 : (const void *)hostile[i];
      view.connectivity = narrow ? (const void *)ids32 : (const void *)ids;
      view.n_connectivity = 4;
      view.index_type = narrow ? TSR_INT32 : TSR_INT64;
      view.kind = TSR_KIND_CATMULL_ROM;
      tsr_curves_options o;
      tsr_curves_options_init(&o);
      tessellation out;
      CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
      CHECK_SAY(out.sizes.notes[TSR_NOTE_BAD_OFFSETS].count > 0 || narrow, "offsets %d", i);
      tessellation_free(&out);
    }
  }
}

/** Items that are no curves are not looked at, however broken they are. */
static void check_none_with_bad_offsets(void) {
  const int64_t far_offsets[] = {100, 200, 300};
  int64_t *ids = malloc(sizeof *ids);
  ids[0] = 0;
  tsr_curves_view view;
  tsr_curves_view_init(&view);
  view.points = (tsr_array){good, TSR_DOUBLE, 3, GOOD};
  view.n_items = 2;
  view.offsets = far_offsets;
  view.connectivity = ids;
  view.n_connectivity = 1;
  view.index_type = TSR_INT64;
  view.kind = TSR_KIND_NONE;
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.cells, 0);
  only_note(&out, TSR_NOTES, 0, -1);
  tessellation_free(&out);
  double bounds[6];
  CHECK_INT(tsr_curves_bounds(&view, NULL, bounds, NULL), TSR_OK);
  CHECK(bounds[0] > bounds[1]);
  free(ids);
}

int main(void) {
  check_bad_ids();
  check_not_finite();
  check_huge_but_finite();
  check_single_points();
  check_bad_weights();
  check_bad_degree();
  check_empty_and_one_point();
  check_repeated_points();
  check_lower_degree();
  check_bad_offsets();
  check_none_with_bad_offsets();
  return check_result();
}
