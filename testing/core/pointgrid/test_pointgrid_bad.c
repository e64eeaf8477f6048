/* SPDX-License-Identifier: BSD-3-Clause */
/** Bad input of point grids: a sentence that names the item, nothing lost, nothing broken. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "point_case.h"

static tsr_pointgrid_options defaults(void) {
  tsr_pointgrid_options o;
  tsr_pointgrid_options_init(&o);
  return o;
}

static void refused(tsr_pointgrid_view view, tsr_pointgrid_options o, tsr_status status,
                    const char *sentence) {
  tsr_pointgrid_plan *plan = NULL;
  tsr_error error;
  CHECK_INT(tsr_pointgrid_plan_create(&view, &o, NULL, &plan, &error), status);
  CHECK_SAY(strstr(error.text, sentence) != NULL, "not '%s', but: %s", sentence, error.text);
  CHECK(plan == NULL);
}

static void options_out_of_range(const point_case *set) {
  const tsr_pointgrid_view view = point_case_view(set);
  tsr_pointgrid_options o = defaults();
  o.max_points = 0;
  refused(view, o, TSR_BAD_OPTION, "must be at least 1, not 0");
  o = defaults();
  o.max_level = 21;
  refused(view, o, TSR_BAD_OPTION, "must lie between 0 and 20, not be 21");
  o.max_level = -1;
  refused(view, o, TSR_BAD_OPTION, "not be -1");
  o = defaults();
  o.balance = (tsr_balance)4;
  refused(view, o, TSR_BAD_OPTION, "the balance 4 is unknown");
  o = defaults();
  o.shape = (tsr_pointgrid_shape)9;
  refused(view, o, TSR_BAD_OPTION, "the shape 9 is unknown");
  o = defaults();
  o.output = (tsr_pointgrid_output_kind)3;
  refused(view, o, TSR_BAD_OPTION, "the output 3 is unknown");
  o = defaults();
  o.n_ranks = 2;
  refused(view, o, TSR_BAD_OPTION, "2 ranks need gather and exchange");
  o = defaults();
  o.use_spread = 1;
  refused(view, o, TSR_BAD_INPUT, "the spread array");
  o.spread_of = (tsr_pointgrid_spread_of)4;
  refused(view, o, TSR_BAD_OPTION, "the spread of 4 is unknown");
  o.spread_of = TSR_POINTGRID_SPREAD_OF_ARRAY;
  o.spread_array = point_case_values(set);
  o.spread = NAN;
  refused(view, o, TSR_BAD_OPTION, "finite number of at least 0, but is nan");
  o.spread = 1.0;
  o.spread_component = 1;
  refused(view, o, TSR_BAD_OPTION, "component 1, but the spread array's components are 0 to 0");
  o = defaults();
  o.max_points = 1;
  o.limit_cells = 10;
  refused(view, o, TSR_TOO_LARGE, "at most 10 are allowed");
  o = defaults();
  o.struct_size = 0;
  refused(view, o, TSR_BAD_OPTION, "was not set up by its init function");
}

static void views_that_cannot_be(const point_case *set) {
  tsr_pointgrid_view view = point_case_view(set);
  view.points.components = 2;
  refused(view, defaults(), TSR_BAD_INPUT, "has 2 components instead of 3");
  view = point_case_view(set);
  view.points.type = TSR_INT32;
  refused(view, defaults(), TSR_BAD_INPUT, "neither float nor double");
  view = point_case_view(set);
  view.points.data = NULL;
  refused(view, defaults(), TSR_BAD_INPUT, "but no data");
  view = point_case_view(set);
  view.points.tuples = -3;
  refused(view, defaults(), TSR_BAD_INPUT, "the array of points");
}

static void run_all(const point_case *set, const tsr_pointgrid_view *view, tsr_pointgrid_options o,
                    int64_t leaves, int64_t kept) {
  for (int kind = 0; kind < 3; kind++) {
    point_out out;
    o.output = (tsr_pointgrid_output_kind)kind;
    point_run(set, view, &o, NULL, &out);
    CHECK_SAY(out.status == TSR_OK, "%s", out.error.text);
    CHECK_INT(out.sizes.leaves, leaves);
    CHECK_INT(out.sizes.kept, kept);
    point_out_free(&out);
  }
}

static void points_that_do_not_count(void) {
  static const double bad[] = {NAN, INFINITY, -INFINITY, 1e101};
  point_case set;
  char text[500];
  uint8_t *hidden = calloc(5000, 1);
  point_case_init(&set, 5000);
  point_case_crowd(&set);
  tsr_pointgrid_view view = point_case_view(&set);
  tsr_pointgrid_options o = defaults();
  for (int i = 0; i < 4; i++) {
    set.points[3 * (100 + 50 * i) + i % 3] = bad[i];
  }
  point_out out;
  o.output = TSR_POINTGRID_POINTS;
  hidden[7] = hidden[100] = 1; /* what is hidden is not even looked at */
  view.hidden = hidden;
  point_run(&set, &view, &o, NULL, &out);
  CHECK_SAY(out.status == TSR_OK, "%s", out.error.text);
  CHECK_INT(out.sizes.kept, 5000 - 5);
  CHECK_INT(out.sizes.notes[TSR_POINTGRID_NOTE_NOT_FINITE].count, 3);
  CHECK_INT(out.sizes.notes[TSR_POINTGRID_NOTE_NOT_FINITE].first, 150);
  tsr_pointgrid_note_sentence(TSR_POINTGRID_NOTE_NOT_FINITE,
                              out.sizes.notes[TSR_POINTGRID_NOTE_NOT_FINITE], text, sizeof text);
  CHECK(strstr(text, "3 points, the first of them number 150") != NULL);
  for (int64_t i = 0; i < out.sizes.points; i++) {
    CHECK(out.source[i] != 7 && out.source[i] != 100 && out.source[i] != 150);
  }
  point_out_free(&out);
  for (int64_t i = 0; i < 5000; i++) {
    set.points[3 * i] = NAN;
  }
  run_all(&set, &view, defaults(), 0, 0);
  free(hidden);
  point_case_free(&set);
}

static void values_that_are_no_numbers(void) {
  point_case set;
  point_case_init(&set, 10);
  point_case_crowd(&set);
  for (int i = 0; i < 9; i++) {
    set.values[i] = NAN;
  }
  set.values[9] = 4.0;
  tsr_pointgrid_options o = defaults();
  const tsr_pointgrid_view view = point_case_view(&set);
  o.use_spread = 1;
  o.spread = 0.0;
  o.spread_array = point_case_values(&set);
  point_out out;
  point_run(&set, &view, &o, NULL, &out);
  CHECK_INT(out.sizes.leaves, 1);
  CHECK(out.mean[0] == 4.0 && out.least[0] == 4.0 && out.greatest[0] == 4.0);
  CHECK_INT(out.count[0], 10);
  point_out_free(&out);
  point_case_free(&set);
}

static void all_in_one_place(void) {
  point_case set;
  tsr_pointgrid_options o = defaults();
  point_case_init(&set, 1000000);
  for (int64_t i = 0; i < set.n; i++) {
    set.points[3 * i] = 5e9;
    set.points[3 * i + 1] = -1.0;
    set.values[i] = (double)i;
  }
  tsr_pointgrid_view view = point_case_view(&set);
  run_all(&set, &view, o, 20 * 7 + 1, 1000000);
  set.points[3 * 999999] += 1.0; /* all but one */
  point_out out;
  executor exec = {.threads = 3};
  const tsr_execution execution = executor_execution(&exec);
  point_run(&set, &view, &o, &execution, &out);
  CHECK_INT(out.sizes.leaves, 20 * 7 + 1);
  CHECK_INT(out.sizes.notes[TSR_POINTGRID_NOTE_FULL].count, 1);
  CHECK_INT(out.sizes.levels, 20);
  CHECK_INT(out.count[0], 999999);
  CHECK_NEAR(out.mean[0], 499999.0, 1e-6);
  point_out_free(&out);
  view.points.tuples = set.n = 3; /* few of them */
  run_all(&set, &view, o, 1, 3);
  view.points.tuples = set.n = 0; /* none */
  run_all(&set, &view, o, 0, 0);
  set.n = 1000000;
  point_case_free(&set);
}

static int stop(void *context, double fraction) {
  (void)context;
  return fraction > 0.0;
}

static void the_user_stops_it(const point_case *set) {
  const tsr_pointgrid_view view = point_case_view(set);
  const tsr_pointgrid_options o = defaults();
  tsr_execution execution;
  tsr_execution_init(&execution);
  execution.progress = stop;
  point_out out;
  CHECK_INT(point_run(set, &view, &o, &execution, &out), TSR_ABORTED);
}

int main(void) {
  point_case set;
  point_case_init(&set, 2000);
  point_case_crowd(&set);
  options_out_of_range(&set);
  views_that_cannot_be(&set);
  points_that_do_not_count();
  values_that_are_no_numbers();
  all_in_one_place();
  the_user_stops_it(&set);
  point_case_free(&set);
  return check_result();
}
