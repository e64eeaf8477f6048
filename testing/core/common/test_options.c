/* SPDX-License-Identifier: BSD-3-Clause */
/** Defaults, the struct sizes, and a sentence that names each bad option. */
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"

static void check_defaults(void) {
  tsr_curves_options o;
  memset(&o, 0xa5, sizeof o);
  tsr_curves_options_init(&o);
  CHECK_INT(o.struct_size, sizeof o);
  CHECK_INT(o.knots, TSR_KNOTS_CENTRIPETAL);
  CHECK(o.tension == 0.0);
  CHECK_INT(o.sampling, TSR_SAMPLING_EQUAL_ERROR);
  CHECK_INT(o.max_level, 24);
  CHECK_INT(o.use_curvature, 0);
  CHECK(o.curvature_factor == 16.0);
  CHECK_INT(o.min_points, 4);
  CHECK_INT(o.max_points, 32);
  CHECK_INT(o.use_chord_error, 1);
  CHECK(o.chord_error == 0.001);
  CHECK_INT(o.chord_relative, 1);
  CHECK(o.reference_length == 0.0);
  CHECK_INT(o.use_turning_angle, 0);
  CHECK(o.turning_angle == 10.0);
  CHECK_INT(o.use_max_length, 0);
  CHECK(o.max_length == 1.0);
  CHECK_INT(o.use_field_error, 1);
  CHECK(o.field_error == 0.01);
  CHECK_INT(o.field_relative, 1);
  CHECK(o.field_ranges == NULL);
  CHECK_INT(o.joints, TSR_JOINTS_WHERE_NEEDED);
  CHECK_INT(o.n_labels, 0);
  CHECK(o.fields == NULL);
  CHECK_INT(o.n_fields, 0);
  CHECK_INT(o.interpolation, TSR_INTERPOLATE_CURVE);
  CHECK_INT(o.limit_points, 0);
}

static void check_other_defaults(void) {
  tsr_execution e;
  memset(&e, 0xa5, sizeof e);
  tsr_execution_init(&e);
  CHECK_INT(e.struct_size, sizeof e);
  CHECK_INT(e.backend, TSR_BACKEND_AUTO);
  CHECK(e.run == NULL);
  CHECK_INT(e.threads, 1);
  CHECK(e.progress == NULL);
  CHECK(e.clock == NULL);

  tsr_curves_view v;
  memset(&v, 0xa5, sizeof v);
  tsr_curves_view_init(&v);
  CHECK_INT(v.struct_size, sizeof v);
  CHECK_INT(v.n_items, 0);
  CHECK(v.points.data == NULL && v.weights.data == NULL && v.offsets == NULL);
  CHECK(v.connectivity == NULL && v.kinds == NULL);

  tsr_curves_output out;
  memset(&out, 0xa5, sizeof out);
  tsr_curves_output_init(&out);
  CHECK_INT(out.struct_size, sizeof out);
  CHECK_INT(out.points_type, TSR_FLOAT);
  CHECK_INT(out.index_type, TSR_INT64);
  CHECK(out.points == NULL && out.offsets == NULL && out.connectivity == NULL);
  CHECK(out.tangents == NULL && out.achieved_error == NULL && out.attributes == NULL);
  CHECK_INT(out.n_attributes, 0);
}

static void check_type_sizes(void) {
  const size_t expected[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  for (int t = 0; t < 10; t++) {
    CHECK_INT(tsr_type_size((tsr_type)t), expected[t]);
  }
  CHECK_INT(tsr_type_size((tsr_type)10), 0);
  CHECK_INT(tsr_type_size((tsr_type)-1), 0);
}

/** Whether `text` has the words of `name` ("chord_error" or "chord error"), in any case. */
static int names(const char *text, const char *name) {
  for (; *text != '\0'; text++) {
    size_t i = 0;
    while (name[i] != '\0' && text[i] != '\0' &&
           (tolower((unsigned char)text[i]) == name[i] || (name[i] == '_' && text[i] == ' '))) {
      i++;
    }
    if (name[i] == '\0') {
      return 1;
    }
  }
  return 0;
}

static tsr_curves_view two_lines(curve_set *set) {
  const double xyz[] = {0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1, 1};
  curve_set_init(set);
  curve_set_add(set, TSR_KIND_CATMULL_ROM, 4, xyz, NULL, 0);
  return curve_set_view(set);
}

/** The name of an option, or what a user calls it, is in the text. */
static int names_option(const char *text, const char *name) {
  static const char *const words[][2] = {{"max_level", "maximum level"},
                                         {"min_points", "minimum of points"},
                                         {"max_points", "maximum of points"},
                                         {"max_length", "segment length"},
                                         {"limit_points", "limit of points"}};
  for (int i = 0; i < 5; i++) {
    if (strcmp(words[i][0], name) == 0 && names(text, words[i][1])) {
      return 1;
    }
  }
  return names(text, name);
}

/** The options must be refused with a sentence that names `name`. */
static void refused(const tsr_curves_options *options, const char *name, int line) {
  curve_set set;
  const tsr_curves_view view = two_lines(&set);
  tsr_curves_plan *plan = (tsr_curves_plan *)&set;
  tsr_error error;
  memset(&error, 0, sizeof error);
  const tsr_status status = tsr_curves_plan_create(&view, options, NULL, &plan, &error);
  check_that(status == TSR_BAD_OPTION, __FILE__, line, "bad %s gave status %d", name, (int)status);
  check_that(plan == NULL, __FILE__, line, "bad %s left a plan", name);
  check_that(error.status == status, __FILE__, line, "bad %s: error has another status", name);
  check_that(names_option(error.text, name), __FILE__, line, "bad %s gave the text \"%s\"", name,
             error.text);
  check_that(tsr_curves_plan_create(&view, options, NULL, &plan, NULL) == TSR_BAD_OPTION, __FILE__,
             line, "bad %s without an error struct", name);
  if (status == TSR_OK) {
    tsr_curves_plan_free(plan);
  }
  curve_set_free(&set);
}

#define REFUSED(member, value)                                                                     \
  do {                                                                                             \
    tsr_curves_options o;                                                                          \
    tsr_curves_options_init(&o);                                                                   \
    o.use_curvature = o.use_turning_angle = o.use_max_length = 1;                                  \
    o.member = value;                                                                              \
    refused(&o, #member, __LINE__);                                                                \
  } while (0)

static void check_bad_options(void) {
  const double nothing = (double)NAN;
  const double endless = (double)INFINITY;
  REFUSED(knots, (tsr_knots)3);
  REFUSED(knots, (tsr_knots)-1);
  REFUSED(tension, -0.01);
  REFUSED(tension, 1.01);
  REFUSED(tension, nothing);
  REFUSED(sampling, (tsr_sampling)4);
  REFUSED(max_level, -1);
  REFUSED(max_level, 31);
  REFUSED(curvature_factor, -1.0);
  REFUSED(curvature_factor, nothing);
  REFUSED(curvature_factor, endless);
  REFUSED(min_points, 1);
  REFUSED(max_points, 3);
  REFUSED(chord_error, 0.0);
  REFUSED(chord_error, -1.0);
  REFUSED(chord_error, nothing);
  REFUSED(reference_length, -1.0);
  REFUSED(reference_length, nothing);
  REFUSED(turning_angle, 0.0);
  REFUSED(turning_angle, -10.0);
  REFUSED(turning_angle, 180.5);
  REFUSED(turning_angle, nothing);
  REFUSED(max_length, 0.0);
  REFUSED(max_length, -2.0);
  REFUSED(max_length, nothing);
  REFUSED(interpolation, (tsr_interpolation)7);
  REFUSED(limit_points, -1);
  REFUSED(struct_size, 0);
}

static void check_bad_fields(void) {
  const double values[4] = {0, 1, 2, 3};
  tsr_array field = {values, TSR_DOUBLE, 1, 4};
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  o.use_field_error = 1;
  o.fields = &field;
  o.n_fields = 1;
  o.field_error = 0.0;
  refused(&o, "field_error", __LINE__);
  o.field_error = (double)NAN;
  refused(&o, "field_error", __LINE__);
  o.field_error = 0.1;
  o.n_fields = -1;
  refused(&o, "fields", __LINE__);
  o.n_fields = 1;
  o.fields = NULL;
  refused(&o, "fields", __LINE__);

  curve_set set;
  const tsr_curves_view view = two_lines(&set);
  tsr_curves_plan *plan = NULL;
  field.tuples = 3;
  o.fields = &field;
  const tsr_status status = tsr_curves_plan_create(&view, &o, NULL, &plan, NULL);
  CHECK_SAY(status == TSR_BAD_INPUT || status == TSR_BAD_OPTION, "short field: %d", (int)status);
  CHECK(plan == NULL);
  tsr_curves_plan_free(plan);
  curve_set_free(&set);
}

/** Extremes that are in range must be taken. */
static void check_good_extremes(void) {
  curve_set set;
  const tsr_curves_view view = two_lines(&set);
  tessellation out;
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  o.max_level = 0;
  o.tension = 1.0;
  o.use_turning_angle = 1;
  o.turning_angle = 180.0;
  o.use_curvature = 1;
  o.curvature_factor = 0.0;
  o.min_points = 2;
  o.max_points = 2;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 4);
  tessellation_free(&out);
  o.max_level = 30;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** A caller built against a header without limit_points has something else in those bytes. */
static void check_older_caller(void) {
  curve_set set;
  const tsr_curves_view view = two_lines(&set);
  tessellation out;
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  o.limit_points = 1;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_TOO_LARGE);
  tessellation_free(&out);
  o.struct_size = offsetof(tsr_curves_options, limit_points);
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Outputs that no header allows. */
static void check_bad_output(void) {
  curve_set set;
  const tsr_curves_view view = two_lines(&set);
  tsr_curves_plan *plan = NULL;
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, NULL), TSR_OK);
  tsr_curves_output output;
  tsr_error error;
  tsr_curves_output_init(&output);
  CHECK_INT(tsr_curves_fill(plan, &output, &error), TSR_OK);
  output.points_type = TSR_INT32;
  CHECK_INT(tsr_curves_fill(plan, &output, &error), TSR_BAD_OPTION);
  CHECK_SAY(names(error.text, "points_type"), "text is \"%s\"", error.text);
  tsr_curves_output_init(&output);
  output.index_type = TSR_FLOAT;
  CHECK_INT(tsr_curves_fill(plan, &output, &error), TSR_BAD_OPTION);
  CHECK_SAY(names(error.text, "index_type"), "text is \"%s\"", error.text);
  tsr_curves_plan_free(plan);
  tsr_curves_plan_free(NULL);
  curve_set_free(&set);
}

int main(void) {
  check_defaults();
  check_other_defaults();
  check_type_sizes();
  check_bad_options();
  check_bad_fields();
  check_good_extremes();
  check_older_caller();
  check_bad_output();
  return check_result();
}
