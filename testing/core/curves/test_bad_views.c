/* SPDX-License-Identifier: BSD-3-Clause */
/** Views that are refused or empty, requests that are too large, and the sentences for notes. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "curve_set.h"

enum { SPOILS = 13 };

static const double good[] = {0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1, 0};

/** Spoils one thing in a view, of SPOILS. */
static void spoil(tsr_curves_view *view, int i) {
  switch (i) {
  case 0:
    view->points.data = NULL;
    break;
  case 1:
    view->points.components = 2;
    break;
  case 2:
    view->points.type = (tsr_type)42;
    break;
  case 3:
    view->points.tuples = -1;
    break;
  case 4:
    view->offsets = NULL;
    break;
  case 5:
    view->connectivity = NULL;
    break;
  case 6:
    view->n_items = -1;
    break;
  case 7:
    view->n_connectivity = -1;
    break;
  case 8:
    view->index_type = TSR_FLOAT;
    break;
  case 9:
    view->weights.tuples = 3;
    break;
  case 10:
    view->weights.components = 3;
    break;
  case 11:
    view->weights.type = (tsr_type)-5;
    break;
  default:
    view->struct_size = 0;
    break;
  }
}

/** What makes the whole view unusable. */
static void check_refused_views(void) {
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, 4, good, NULL, 0);
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  for (int i = 0; i < SPOILS; i++) {
    tsr_curves_view view = curve_set_view(&set);
    view.weights = (tsr_array){good, TSR_DOUBLE, 1, 4};
    spoil(&view, i);
    tsr_curves_plan *plan = (tsr_curves_plan *)&set;
    tsr_error error;
    memset(&error, 0, sizeof error);
    const tsr_status status = tsr_curves_plan_create(&view, &o, NULL, &plan, &error);
    CHECK_SAY(status == TSR_BAD_INPUT, "bad view %d gave status %d", i, (int)status);
    CHECK_SAY(plan == NULL, "bad view %d left a plan", i);
    CHECK_SAY(strlen(error.text) > 10, "bad view %d gave the text \"%s\"", i, error.text);
    if (status == TSR_OK) {
      tsr_curves_plan_free(plan);
    }
    double bounds[6];
    if (i < 9) {
      CHECK_INT(tsr_curves_bounds(&view, NULL, bounds, NULL), TSR_BAD_INPUT);
    }
  }
  curve_set_free(&set);
}

/** No items at all, with and without pointers. */
static void check_zero_items(void) {
  const int64_t zero = 0;
  tsr_curves_view view;
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  tsr_curves_view_init(&view);
  view.points = (tsr_array){NULL, TSR_FLOAT, 3, 0};
  view.index_type = TSR_INT64;
  view.kind = TSR_KIND_CATMULL_ROM;
  for (int with_offsets = 0; with_offsets < 2; with_offsets++) {
    tessellation out;
    view.offsets = with_offsets ? &zero : NULL;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(out.sizes.points, 0);
    CHECK_INT(out.sizes.cells, 0);
    CHECK_INT(out.sizes.connectivity, 0);
    if (out.offsets != NULL) {
      CHECK_INT(out.offsets[0], 0);
    }
    tessellation_free(&out);
    double bounds[6] = {0};
    CHECK_INT(tsr_curves_bounds(&view, NULL, bounds, NULL), TSR_OK);
    CHECK(bounds[0] > bounds[1] && bounds[2] > bounds[3] && bounds[4] > bounds[5]);
  }
}

/** Bounds are those of the points that good items use. */
static void check_bounds(void) {
  const double far_away[] = {1000, 1000, 1000, 2000, 2000, 2000};
  const double broken[] = {500, 500, 500, (double)NAN, 0, 0};
  const double box[6] = {0, 3, 0, 1, 0, 0};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BSPLINE3, 4, good, NULL, 0);
  curve_set_add_points(&set, 2, far_away);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 2, broken, NULL, 0);
  curve_set_add(&set, TSR_KIND_NONE, 2, far_away, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  double bounds[6];
  CHECK_INT(tsr_curves_bounds(&view, NULL, bounds, NULL), TSR_OK);
  for (int i = 0; i < 6; i++) {
    CHECK_NEAR(bounds[i], box[i], 0.0);
  }
  curve_set_free(&set);
}

/** No number of points fulfils a turning angle at a cusp: the limit must end the search soon. */
static void check_hopeless_angle(void) {
  curve_set set;
  curve_set_init(&set);
  curve_set_add_cusp(&set);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_UNIFORM, 0.1);
  o.use_turning_angle = 1;
  o.max_level = 26;
  o.limit_points = 1000;
  const clock_t start = clock();
  tsr_curves_plan *plan = NULL;
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, NULL), TSR_TOO_LARGE);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  CHECK_SAY(seconds < 1.0, "took %g s", seconds);
  tsr_curves_plan_free(plan);
  curve_set_free(&set);
}

/** A request far beyond memory ends at once, with the numbers in the text. */
static void check_too_large(void) {
  curve_set set;
  curve_set_init(&set);
  for (int i = 0; i < 100; i++) {
    curve_set_add(&set, TSR_KIND_CATMULL_ROM, 4, good, NULL, 0);
  }
  const tsr_curves_view view = curve_set_view(&set);
  for (int variant = 0; variant < 4; variant++) {
    tsr_curves_options o = options_chord_error((tsr_sampling)(variant % 2), 1e-15);
    o.max_level = 30;
    o.limit_points = 123456;
    if (variant >= 2) {
      o.use_chord_error = 0;
      o.use_max_length = 1;
      o.max_length = 1e-8;
    }
    const clock_t start = clock();
    tsr_curves_plan *plan = NULL;
    tsr_error error;
    memset(&error, 0, sizeof error);
    CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, &error), TSR_TOO_LARGE);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    CHECK(plan == NULL);
    CHECK_SAY(strstr(error.text, "123456") != NULL || strstr(error.text, "123,456") != NULL,
              "no limit in \"%s\"", error.text);
    CHECK_SAY(seconds < 5.0, "variant %d took %g s", variant, seconds);
    tsr_curves_plan_free(plan);
  }
  check_hopeless_angle();
  /* The limit itself is allowed. */
  tsr_curves_options o = options_points_per_span(11);
  o.limit_points = 100 * 31;
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 3100);
  tessellation_free(&out);
  o.limit_points--;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_TOO_LARGE);
  tessellation_free(&out);
  curve_set_free(&set);
}

/** Sentences for notes: the noun, the count and the first item are in them. */
static void check_sentences(void) {
  for (int note = 0; note < TSR_NOTES; note++) {
    char text[300] = "untouched";
    const tsr_note_count none = {0, -1};
    const tsr_note_count one = {1, 4711};
    const tsr_note_count many = {8642, 4711};
    tsr_note_sentence((tsr_note)note, none, "cell", text, sizeof text);
    CHECK(strcmp(text, "untouched") == 0);
    tsr_note_sentence((tsr_note)note, many, "cell", text, sizeof text);
    CHECK_SAY(strstr(text, "8642") && strstr(text, "cell") && strstr(text, "4711"), "\"%s\"", text);
    tsr_note_sentence((tsr_note)note, one, NULL, text, sizeof text);
    CHECK_SAY(strstr(text, "curve") && strstr(text, "4711"), "\"%s\"", text);
    char tiny[5] = "####";
    tsr_note_sentence((tsr_note)note, many, "cell", tiny, sizeof tiny);
    CHECK(strlen(tiny) <= 4);
  }
}
int main(void) {
  check_refused_views();
  check_zero_items();
  check_bounds();
  check_too_large();
  check_sentences();
  return check_result();
}
