/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The warning of corners above the turning angle: zigzags of a known angle, and random lines whose
 * points lie on one straight line, where each turn is a turn back that no number of points avoids.
 */
#include <math.h>

#include "check.h"
#include "curve_set.h"

static tsr_curves_options turning(double angle) {
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_BISECTION, 0.01);
  o.use_turning_angle = 1;
  o.turning_angle = angle;
  return o;
}

static tsr_note_count corners(const curve_set *set, const tsr_curves_options *o) {
  const tsr_curves_view view = curve_set_view(set);
  tessellation out;
  CHECK_INT(tessellate(&view, o, NULL, NULL, 0, &out), TSR_OK);
  const tsr_note_count note = out.sizes.notes[TSR_NOTE_CORNER];
  tessellation_free(&out);
  return note;
}

/* Right angles in curves 2, 5 and 6, the last one only where it closes; of the others, one is
 * straight and goes on after a repeated point, one turns by 45 degrees. */
static void zigzags(void) {
  static const double straight[] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 3, 0, 0};
  static const double half[] = {0, 0, 0, 1, 0, 0, 2, 1, 0};
  static const double zigzag[] = {0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1, 0, 4, 0, 0};
  static const double repeated[] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 2, 0};
  static const double leaf[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 4, straight, NULL, 0);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 3, half, NULL, 0);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 5, zigzag, NULL, 0);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, 5, zigzag, NULL, 0);
  curve_set_add(&set, TSR_KIND_BEZIER3_CHAIN, 4, leaf, NULL, 0);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 4, repeated, NULL, 0);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 4, leaf, NULL, 1);
  for (int joints = 0; joints < 2; joints++) {
    tsr_curves_options o = turning(89.0);
    o.joints = (tsr_joints)joints;
    CHECK_INT(corners(&set, &o).count, 3);
    CHECK_INT(corners(&set, &o).first, 2);
    o.turning_angle = 91.0;
    CHECK_INT(corners(&set, &o).count, 0);
    CHECK_INT(corners(&set, &o).first, -1);
    o.turning_angle = 44.0;
    CHECK_INT(corners(&set, &o).count, 4);
    CHECK_INT(corners(&set, &o).first, 1);
    o.use_turning_angle = 0;
    CHECK_INT(corners(&set, &o).count, 0);
  }
  curve_set_free(&set);
}

/** 1 if the output's only polyline turns back. */
static int turns_back(const tessellation *out) {
  double before = 0.0;
  for (int64_t k = 1; k < out->sizes.connectivity; k++) {
    const double step =
        out->points[3 * out->connectivity[k]] - out->points[3 * out->connectivity[k - 1]];
    if (step * before < 0.0) {
      return 1;
    }
    before = step != 0.0 ? step : before;
  }
  return 0;
}

/* Whatever turns back is told of; a straight line exactly where it does. */
static void on_one_line(void) {
  static const tsr_curve_kind kinds[] = {
      TSR_KIND_STRAIGHT,      TSR_KIND_CATMULL_ROM,   TSR_KIND_BSPLINE2, TSR_KIND_BSPLINE3,
      TSR_KIND_BEZIER2_CHAIN, TSR_KIND_BEZIER3_CHAIN, TSR_KIND_LAGRANGE, TSR_KIND_NATURAL_SPLINE};
  uint64_t state = 11;
  int64_t at_joints = 0;
  for (int round = 0; round < 6000; round++) {
    const tsr_curve_kind kind = kinds[round % 8];
    const int n = 2 + (int)(random_bits(&state) % 7);
    double xyz[24] = {0};
    for (int k = 0; k < n; k++) {
      xyz[3 * k] = (double)(random_bits(&state) % 5);
    }
    curve_set set;
    curve_set_init(&set);
    curve_set_add(&set, kind, n, xyz, NULL, 0);
    const tsr_curves_view view = curve_set_view(&set);
    tsr_curves_options o = turning(random_in(&state, 50.0, 78.0));
    o.joints = (tsr_joints)(random_bits(&state) % 2);
    o.sampling = (tsr_sampling)(random_bits(&state) % 3);
    o.tension = random_bits(&state) % 3 == 0 ? 1.0 : 0.0;
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    const int64_t corner = out.sizes.notes[TSR_NOTE_CORNER].count;
    CHECK_SAY(!turns_back(&out) || corner > 0, "round %d: kind %d turns back without a word", round,
              (int)kind);
    CHECK(kind != TSR_KIND_STRAIGHT || corner == turns_back(&out));
    at_joints += corner > 0 && kind != TSR_KIND_STRAIGHT;
    tessellation_free(&out);
    curve_set_free(&set);
  }
  CHECK_SAY(at_joints > 100, "%lld curves with a corner", (long long)at_joints);
}

/* Random points in space, open and closed, also far from the origin: what is smooth has no corner
 * at a small angle. */
static void smooth_curves(void) {
  static const tsr_curve_kind kinds[] = {TSR_KIND_CATMULL_ROM,    TSR_KIND_BSPLINE2,
                                         TSR_KIND_BSPLINE3,       TSR_KIND_BEZIER,
                                         TSR_KIND_NATURAL_SPLINE, TSR_KIND_LAGRANGE};
  uint64_t state = 3;
  curve_set set;
  curve_set_init(&set);
  for (int item = 0; item < 3000; item++) {
    const int kind = item % 6, n = 3 + (int)(random_bits(&state) % 6);
    const double far = item % 4 == 0 ? 1000.0 : 0.0;
    const int cell = kinds[kind] == TSR_KIND_BEZIER || kinds[kind] == TSR_KIND_LAGRANGE;
    double xyz[24];
    for (int k = 0; k < 3 * n; k++) {
      xyz[k] = random_in(&state, far, far + 1.0);
    }
    curve_set_add(&set, kinds[kind], n, xyz, NULL, !cell && random_bits(&state) % 2);
  }
  const tsr_curves_options o = turning(2.0);
  const tsr_note_count note = corners(&set, &o);
  CHECK_SAY(note.count == 0, "%lld with a corner, first %lld", (long long)note.count,
            (long long)note.first);
  curve_set_free(&set);
}

int main(void) {
  zigzags();
  smooth_curves();
  on_one_line();
  return check_result();
}
