/* SPDX-License-Identifier: BSD-3-Clause */
/** Tolerances that nothing can keep are refused without a count, which would take minutes, and so
 * are counts far beyond the limit. Nothing is refused that could be made: a limit of as many points
 * as come out is always enough. */
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

/** Plans what must be refused at once, with this status. *error receives the sentence. */
static void refused(const curve_set *set, tsr_curves_options o, int64_t limit, tsr_status with,
                    const char *what, tsr_error *error) {
  int64_t points = 0;
  const clock_t start = clock();
  *error = (tsr_error){TSR_OK, -1, ""};
  o.limit_points = limit;
  const tsr_status status = plan(set, &o, &points, error);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  CHECK_SAY(status == with && seconds < 0.5, "%s, sampling %d, level %d: status %d after %g s: %s",
            what, (int)o.sampling, o.max_level, (int)status, seconds, error->text);
}

/** A tolerance, and what a sentence calls it. */
typedef enum tolerance { CHORD, LENGTH, FIELD } tolerance;
static const char *const names[] = {"the chord error", "the segment length",
                                    "the field error of 'v'"};

/** Switches one tolerance on, and all others off. */
static void use_only(tsr_curves_options *o, tolerance which, double value) {
  o->use_chord_error = which == CHORD;
  o->use_max_length = which == LENGTH;
  o->use_field_error = which == FIELD;
  *(which == CHORD ? &o->chord_error : which == LENGTH ? &o->max_length : &o->field_error) = value;
}

/** The tolerance is refused whatever the limit; what the sentence proposes instead is taken. */
static void hopeless(const curve_set *set, tsr_curves_options o, tolerance which, double value) {
  static const int64_t limits[] = {0, 1000000, 100000000};
  tsr_error error;
  const char *at;
  int64_t points = 0;
  double instead;
  use_only(&o, which, value);
  for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i) {
    refused(set, o, limits[i], TSR_BAD_OPTION, names[which], &error);
    CHECK_SAY(strstr(error.text, names[which]) != NULL, "not named as %s: %s", names[which],
              error.text);
  }
  at = strstr(error.text, "set ");
  instead = at ? strtod(at + 4, NULL) : 0.0;
  CHECK_SAY(instead > value, "%s of %g: nothing better is proposed: %s", names[which], value,
            error.text);
  if (instead > value) {
    use_only(&o, which, instead);
    const tsr_status status = plan(set, &o, &points, &error);
    CHECK_SAY(status == TSR_OK && points > 20000 && points < 16 * 65536,
              "%s of %g, sampling %d: status %d, %lld points", names[which], instead,
              (int)o.sampling, (int)status, (long long)points);
  }
}

/** Options with the array v of five points as their field. */
static tsr_curves_options with_field(const tsr_array *field) {
  static const char *const v = "v";
  tsr_curves_options o = plain(TSR_SAMPLING_EQUAL_ERROR);
  o.fields = field;
  o.field_names = &v;
  o.n_fields = 1;
  o.field_relative = 0;
  return o;
}

static const double doubles[] = {0, 3, 1, 4, 1};
static const float floats[] = {0, 3, 1, 4, 1};
static const int32_t integers[] = {0, 3, 1, 4, 1};
static const tsr_array fields[] = {
    {doubles, TSR_DOUBLE, 1, 5}, {floats, TSR_FLOAT, 1, 5}, {integers, TSR_INT32, 1, 5}};

static void tolerances_that_nothing_keeps(void) {
  for (int way = 0; way < 16; ++way) {
    curve_set set;
    tsr_curves_options o = with_field(&fields[0]);
    o.sampling = (tsr_sampling)(way % 4);
    o.joints = way / 4 % 2 ? TSR_JOINTS_WHERE_NEEDED : TSR_JOINTS_KEEP_ALL;
    o.max_level = way / 8 ? 30 : 24;
    five_points(&set, TSR_KIND_CATMULL_ROM);
    hopeless(&set, o, LENGTH, 1e-12);
    if (o.sampling != TSR_SAMPLING_EQUAL_ARC_LENGTH) {
      hopeless(&set, o, CHORD, 1e-300);
      hopeless(&set, o, FIELD, 1e-300);
    }
    curve_set_free(&set);
  }
}

/** A field error below the rounding of what is stored: by the type, and by the range. */
static void fields_that_nothing_keeps(void) {
  static const double errors[] = {1e-17, 1e-12, 1e-12}; /* of fields[] */
  curve_set set;
  five_points(&set, TSR_KIND_CATMULL_ROM);
  for (int type = 0; type < 3; ++type) {
    tsr_curves_options o = with_field(&fields[type]);
    o.max_level = 24;
    hopeless(&set, o, FIELD, errors[type]);
    hopeless(&set, o, FIELD, 1e-300);
    o.interpolation = TSR_INTERPOLATE_LINEAR;
    hopeless(&set, o, FIELD, 1e-300);
    o.interpolation = TSR_INTERPOLATE_CURVE;
    o.field_relative = 1;
    hopeless(&set, o, FIELD, 1e-300);
  }
  curve_set_free(&set);
}

/** Of several arrays, the one that nothing keeps is named: the third is constant, and asks for
 *  nothing. */
static void the_array_is_named(void) {
  static const double constant[] = {7, 7, 7, 7, 7}, small[] = {0, 3e-9, 1e-9, 4e-9, 1e-9};
  const tsr_array all[] = {
      {small, TSR_DOUBLE, 1, 5}, {doubles, TSR_DOUBLE, 1, 5}, {constant, TSR_DOUBLE, 1, 5}};
  static const char *const called[] = {"small", "v", "constant"};
  curve_set set;
  tsr_error error;
  tsr_curves_options o = with_field(all);
  five_points(&set, TSR_KIND_CATMULL_ROM);
  o.field_names = called;
  o.n_fields = 3;
  use_only(&o, FIELD, 1e-18);
  refused(&set, o, 0, TSR_BAD_OPTION, "three arrays", &error);
  CHECK_SAY(strstr(error.text, "the field error of 'v'") != NULL, "%s", error.text);
  o.field_names = NULL;
  refused(&set, o, 0, TSR_BAD_OPTION, "three arrays", &error);
  CHECK_SAY(strstr(error.text, "the field error of field 1") != NULL, "%s", error.text);
  curve_set_free(&set);
}

/** A line of 2,000 points: each span needs a few millions. */
static void long_line(void) {
  enum { POINTS = 2000 };
  double *xyz = malloc(3 * POINTS * sizeof *xyz);
  curve_set set;
  tsr_error error;
  for (int i = 0; i < POINTS; ++i) {
    const double t = 6.283 * i / POINTS;
    xyz[3 * i] = cos(701 * t);
    xyz[3 * i + 1] = sin(503 * t);
    xyz[3 * i + 2] = cos(307 * t);
  }
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, POINTS, xyz, NULL, 0);
  tsr_curves_options o = plain(TSR_SAMPLING_EQUAL_ERROR);
  use_only(&o, CHORD, 1e-15);
  refused(&set, o, 100000000, TSR_TOO_LARGE, "a long line with a chord error of 1e-15", &error);
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

/** Plans five points with a field error. Returns how many points come out; 0 with a check that
 *  failed. */
static int64_t taken(const double *values, double error_of, int relative, int level,
                     const char *what) {
  const tsr_array field = {values, TSR_DOUBLE, 1, 5};
  tsr_curves_options o = with_field(&field);
  tsr_error error = {TSR_OK, -1, ""};
  curve_set set;
  int64_t points = 0;
  o.max_level = level;
  o.field_relative = relative;
  use_only(&o, FIELD, error_of);
  five_points(&set, TSR_KIND_CATMULL_ROM);
  CHECK_SAY(plan(&set, &o, &points, &error) == TSR_OK, "%s: %s", what, error.text);
  curve_set_free(&set);
  return points;
}

/** What asks for nothing keeps each tolerance, and Maximum Level may bound what is asked for. */
static void nothing_is_refused_that_is_kept(void) {
  static const double same[] = {7, 7, 7, 7, 7}, tiny[] = {0, 3e-290, 1e-290, 4e-290, 1e-290};
  static const double noise[] = {1, 1 + 0x1p-52, 1, 1 - 0x1p-53, 1 + 0x1p-52};
  const double straight[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
  tsr_curves_options o = with_field(&fields[0]);
  tsr_error error = {TSR_OK, -1, ""};
  curve_set set;
  int64_t points = 0;
  CHECK_INT(taken(same, 1e-300, 0, 24, "a constant array"), 5);
  CHECK(taken(tiny, 1e-295, 0, 24, "tiny values") < 5000);
  CHECK(taken(noise, 0.01, 1, 24, "noise of one unit in the last place") < 5000);
  CHECK_INT(taken(doubles, 1e-300, 0, 16, "Maximum Level 16"), 4 * 65536 + 1);
  o.use_curvature = 1; /* Maximum Points bounds the segments */
  use_only(&o, FIELD, 1e-300);
  five_points(&set, TSR_KIND_CATMULL_ROM);
  CHECK_INT(plan(&set, &o, &points, &error), TSR_OK);
  CHECK_INT(points, 4 * (o.max_points - 1) + 1);
  curve_set_free(&set);
  o.use_curvature = 0;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 5, straight, NULL, 0);
  use_only(&o, FIELD, 1e-300);
  o.use_chord_error = 1;
  o.chord_error = 1e-300;
  CHECK_INT(plan(&set, &o, &points, &error), TSR_OK);
  CHECK_INT(points, 5);
  curve_set_free(&set);
}

/** A point budget loosens such a tolerance, if 1e30 times as much is enough. */
static void budgets(void) {
  const double small = 1e-25, none = 1e-300;
  for (int way = 0; way < 2; ++way) {
    tsr_curves_options o = with_field(&fields[0]);
    tsr_error error = {TSR_OK, -1, ""};
    tsr_curves_plan *made = NULL;
    curve_set set;
    double scale = 0.0;
    five_points(&set, TSR_KIND_CATMULL_ROM);
    const tsr_curves_view view = curve_set_view(&set);
    use_only(&o, FIELD, way ? none : small);
    o.max_level = 24;
    o.defer_count = 1;
    CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &made, &error), TSR_OK);
    const tsr_status status = tsr_curves_fit_budget(&made, 1, 1000, NULL, NULL, &scale, &error);
    CHECK_SAY(status == (way ? TSR_BAD_OPTION : TSR_OK), "way %d: %s", way, error.text);
    CHECK(way || (tsr_curves_plan_sizes(made)->points <= 1000 && scale > 1e12));
    CHECK_SAY(!way || strstr(error.text, names[FIELD]) != NULL, "%s", error.text);
    tsr_curves_plan_free(made);
    curve_set_free(&set);
  }
}

int main(void) {
  tolerances_that_nothing_keeps();
  fields_that_nothing_keeps();
  the_array_is_named();
  long_line();
  nothing_is_refused_that_fits();
  nothing_is_refused_that_is_kept();
  budgets();
  return check_result();
}
