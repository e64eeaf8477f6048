/* SPDX-License-Identifier: BSD-3-Clause */
/** Tolerances that nothing can keep are refused without a count, which would take a minute, and
 * nothing is that could be made: a limit of as many points as come out is always enough. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "curve_set.h"

/** Five points in a bow, one item. */
static void five_points(curve_set *set, tsr_curve_kind kind) {
  const double xyz[] = {0, 0, 0, 1, 2, 0.5, 2, 1, 1, 3, 3, 0, 4, 0, 0.2};
  curve_set_init(set);
  curve_set_add(set, kind, 5, xyz, NULL, 0);
}

static tsr_curves_options plain(tsr_sampling sampling) {
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  o.sampling = sampling;
  o.max_level = 30;
  o.chord_relative = 0;
  o.use_chord_error = o.use_field_error = 0;
  o.joints = TSR_JOINTS_KEEP_ALL;
  return o;
}

/** The status of a plan with a limit, and how many points it has. */
static tsr_status plan(const curve_set *set, const tsr_curves_options *o, int64_t *points,
                       tsr_error *error) {
  const tsr_curves_view view = curve_set_view(set);
  tsr_curves_plan *made = NULL;
  const tsr_status status = tsr_curves_plan_create(&view, o, NULL, &made, error);
  if (made)
    *points = tsr_curves_plan_sizes(made)->points;
  tsr_curves_plan_free(made);
  return status;
}

static void refused(const curve_set *set, tsr_curves_options o, int64_t limit, const char *what) {
  int64_t points = 0;
  tsr_error error = {TSR_OK, -1, ""};
  const clock_t start = clock();
  o.limit_points = limit;
  const tsr_status status = plan(set, &o, &points, &error);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  CHECK_SAY(status == TSR_TOO_LARGE && seconds < 3.0, "%s, sampling %d: status %d after %g s: %s",
            what, (int)o.sampling, (int)status, seconds, error.text);
}

static void tolerances_that_nothing_keeps(void) {
  const double values[] = {0, 3, 1, 4, 1};
  const tsr_array field = {values, TSR_DOUBLE, 1, 5};
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; ++sampling) {
    for (int joints = 0; joints < 2; ++joints) {
      curve_set set;
      tsr_curves_options o = plain((tsr_sampling)sampling);
      five_points(&set, TSR_KIND_CATMULL_ROM);
      o.joints = joints ? TSR_JOINTS_WHERE_NEEDED : TSR_JOINTS_KEEP_ALL;
      o.use_chord_error = 1;
      o.chord_error = 1e-300;
      refused(&set, o, 100000000, "a chord error of 1e-300");
      o.chord_error = 1.0;
      o.use_field_error = 1;
      o.fields = &field;
      o.n_fields = 1;
      o.field_relative = 0;
      o.field_error = 1e-300;
      /* Rounding makes values equal, so that pieces of 2^-25 and less are enough. */
      refused(&set, o, 1000000, "a field error of 1e-300");
      o.use_field_error = 0;
      o.use_max_length = 1;
      o.max_length = 1e-12;
      refused(&set, o, 100000000, "a segment length of 1e-12");
      curve_set_free(&set);
    }
  }
}

/** A line of 2,000 points: each span needs a few millions. */
static void long_line(void) {
  enum { POINTS = 2000 };
  double *xyz = malloc(3 * POINTS * sizeof *xyz);
  curve_set set;
  for (int i = 0; i < POINTS; ++i) {
    const double t = 6.283 * i / POINTS;
    xyz[3 * i] = cos(7 * t);
    xyz[3 * i + 1] = sin(5 * t);
    xyz[3 * i + 2] = cos(3 * t);
  }
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, POINTS, xyz, NULL, 0);
  tsr_curves_options o = plain(TSR_SAMPLING_EQUAL_ERROR);
  o.use_chord_error = 1;
  o.chord_error = 1e-19;
  refused(&set, o, 100000000, "a long line with a chord error of 1e-19");
  curve_set_free(&set);
  free(xyz);
}

/** Bends, straight pieces, a cusp, an end that stands still, and weights. */
static void curves_of_all_kinds(curve_set *set, uint64_t seed) {
  double xyz[15], w[5] = {1, 0.2, 5, 1, 1};
  curve_set_init(set);
  srand((unsigned)seed);
  for (int k = 0; k < 15; ++k)
    xyz[k] = (double)rand() / RAND_MAX;
  curve_set_add(set, TSR_KIND_CATMULL_ROM, 4, xyz, NULL, 0);
  const double cusp[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  curve_set_add(set, TSR_KIND_BEZIER, 4, cusp, NULL, 0);
  const double still[] = {0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0};
  curve_set_add(set, TSR_KIND_BEZIER, 4, still, NULL, 0);
  const double straight[] = {0, 0, 0, 1, 0, 0, 0.5, 0, 0, 0.7, 0, 0};
  curve_set_add(set, TSR_KIND_BEZIER, 4, straight, NULL, 0);
  curve_set_add(set, TSR_KIND_BEZIER, 4, xyz, w, 1);
}

static void nothing_is_refused_that_fits(void) {
  curve_set set;
  curves_of_all_kinds(&set, 1);
  for (int way = 0; way < 5; ++way) {
    tsr_curves_options o = plain(way < 3 ? (tsr_sampling)way : TSR_SAMPLING_EQUAL_ERROR);
    tsr_error error = {TSR_OK, -1, ""};
    int64_t points = 0, again = 0;
    o.use_chord_error = way < 4;
    o.chord_error = 1e-9;
    o.vertices = way == 3 ? TSR_VERTICES_WITHIN_TOLERANCE : TSR_VERTICES_ON_CURVE;
    o.max_level = way == 1 ? 13 : 30;
    o.use_max_length = way == 4;
    o.max_length = 2e-4;
    CHECK_INT(plan(&set, &o, &points, &error), TSR_OK);
    CHECK(points > 10000);
    o.limit_points = points;
    CHECK_SAY(plan(&set, &o, &again, &error) == TSR_OK && again == points,
              "way %d: %lld points, and with that limit: %s", way, (long long)points, error.text);
  }
  curve_set_free(&set);
}

int main(void) {
  tolerances_that_nothing_keeps();
  long_line();
  nothing_is_refused_that_fits();
  return check_result();
}
