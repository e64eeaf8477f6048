/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: bad input gets a sentence, and the shares of processes are whole groups. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "point_set.h"
#include "ranks.h"

/** Creating the plan fails so, with a sentence that says `word`. */
static void check_fails(const tsr_ordering_view *view, const tsr_ordering_options *options,
                        const tsr_execution *execution, tsr_status status, const char *word) {
  tsr_ordering_plan *plan = (tsr_ordering_plan *)&status;
  tsr_error error = {TSR_OK, -1, ""};
  CHECK_INT(tsr_ordering_plan_create(view, options, execution, &plan, &error), status);
  CHECK(plan == NULL);
  CHECK_INT(error.status, status);
  CHECK_SAY(strstr(error.text, word) != NULL, "'%s' does not say '%s'", error.text, word);
}

static void check_views(void) {
  point_set set = point_set_make(4, 1);
  tsr_ordering_options options;
  tsr_ordering_options_init(&options);
  int32_t three[3] = {0, 1, 2};
  tsr_ordering_view view = point_set_view(&set);
  view.group = (tsr_array){three, TSR_INT32, 1, 3};
  check_fails(&view, &options, NULL, TSR_BAD_INPUT, "group array has 3 tuples instead of 4");
  view = point_set_view(&set);
  view.order = (tsr_array){set.points, TSR_DOUBLE, 3, 4};
  check_fails(&view, &options, NULL, TSR_BAD_INPUT, "order array has 3 components");
  view = point_set_view(&set);
  view.order = (tsr_array){NULL, TSR_DOUBLE, 1, 4};
  check_fails(&view, &options, NULL, TSR_BAD_INPUT, "no data");
  view = point_set_view(&set);
  view.group = (tsr_array){three, (tsr_type)99, 1, 4};
  check_fails(&view, &options, NULL, TSR_BAD_INPUT, "unknown type");
  view = point_set_view(&set);
  view.points.data = NULL;
  check_fails(&view, &options, NULL, TSR_BAD_INPUT, "no data");
  view = point_set_view(&set);
  view.points.components = 2;
  check_fails(&view, &options, NULL, TSR_BAD_INPUT, "components");
  check_fails(NULL, &options, NULL, TSR_BAD_INPUT, "are NULL");
  view = point_set_view(&set);
  view.struct_size = 0;
  check_fails(&view, &options, NULL, TSR_BAD_INPUT, "struct_size");
  point_set_free(&set);
}

static void check_options(void) {
  point_set set = point_set_make(4, 1);
  const tsr_ordering_view view = point_set_view(&set);
  const double bad[] = {-1.0, NAN, HUGE_VAL};
  tsr_ordering_options o;
  for (int k = 0; k < 3; k++) {
    tsr_ordering_options_init(&o);
    o.use_gap = 1;
    o.max_gap = bad[k];
    check_fails(&view, &o, NULL, TSR_BAD_OPTION, "largest gap");
    tsr_ordering_options_init(&o);
    o.use_distance = 1;
    o.max_distance = bad[k];
    check_fails(&view, &o, NULL, TSR_BAD_OPTION, "largest distance");
    tsr_ordering_options_init(&o);
    o.drop_repeats = 1;
    o.tolerance = bad[k];
    check_fails(&view, &o, NULL, TSR_BAD_OPTION, "tolerance");
  }
  tsr_ordering_options_init(&o);
  o.singles = (tsr_ordering_singles)-1;
  check_fails(&view, &o, NULL, TSR_BAD_OPTION, "single");
  point_set_free(&set);
}

static int stop_at_once(void *context, double fraction) {
  (void)context;
  return fraction >= 0.0;
}

static int stop_now = 0;

static int stop_later(void *context, double fraction) {
  (void)context;
  (void)fraction;
  return stop_now;
}

static void check_fills(void) {
  point_set set = point_set_make(4, 1);
  const tsr_ordering_view view = point_set_view(&set);
  tsr_ordering_options o;
  tsr_ordering_options_init(&o);
  tsr_ordering_plan *plan = NULL;
  tsr_error error;
  CHECK_INT(tsr_ordering_plan_create(&view, &o, NULL, &plan, &error), TSR_OK);
  float values[4] = {0}, to[4];
  tsr_ordering_attribute one = {{values, TSR_FLOAT, 1, 3}, to, TSR_AT_POINTS};
  tsr_ordering_output out;
  tsr_ordering_output_init(&out);
  out.attributes = &one;
  out.n_attributes = 1;
  CHECK_INT(tsr_ordering_fill(plan, &out, &error), TSR_BAD_INPUT);
  CHECK(strstr(error.text, "attribute 0 has 3 tuples instead of 4") != NULL);
  one.in.tuples = 4;
  one.out = NULL;
  CHECK_INT(tsr_ordering_fill(plan, &out, &error), TSR_BAD_INPUT);
  one.out = to;
  CHECK_INT(tsr_ordering_fill(plan, &out, &error), TSR_OK);
  tsr_ordering_plan_free(plan);
  tsr_execution stopping;
  tsr_execution_init(&stopping);
  stopping.progress = stop_at_once;
  check_fails(&view, &o, &stopping, TSR_ABORTED, "stopped");
  stopping.progress = stop_later;
  CHECK_INT(tsr_ordering_plan_create(&view, &o, &stopping, &plan, &error), TSR_OK);
  stop_now = 1;
  error.status = TSR_OK;
  CHECK_INT(tsr_ordering_fill(plan, &out, &error), TSR_ABORTED);
  CHECK_INT(error.status, TSR_ABORTED);
  stop_now = 0;
  tsr_ordering_plan_free(plan);
  point_set_free(&set);
}

static void check_notes_before_a_plan(void) {
  point_set set = point_set_make(5, 1);
  const double order[5] = {0.0, 1.0, NAN, 3.0, NAN};
  tsr_ordering_view view = point_set_view(&set);
  tsr_note_count notes[TSR_ORDERING_NOTES];
  view.order = (tsr_array){order, TSR_DOUBLE, 1, 5};
  tsr_ordering_examine(&view, notes);
  CHECK_INT(notes[TSR_ORDERING_NOTE_ORDER].count, 2);
  CHECK_INT(notes[TSR_ORDERING_NOTE_ORDER].first, 2);
  CHECK_INT(notes[TSR_ORDERING_NOTE_GROUP].count, 0);
  CHECK_INT(notes[TSR_ORDERING_NOTE_PLACE].count, 0);
  point_set_free(&set);
}

static void check_sentences(void) {
  char text[300] = "";
  tsr_ordering_note_sentence(TSR_ORDERING_NOTE_ORDER, (tsr_note_count){0, 0}, text, sizeof text);
  CHECK(text[0] == 0);
  for (int note = 0; note < TSR_ORDERING_NOTES; note++) {
    tsr_ordering_note_sentence((tsr_ordering_note)note, (tsr_note_count){3, 12}, text, sizeof text);
    CHECK_SAY(strstr(text, "3 points (the first is number 12) have") == text, "%s", text);
    tsr_ordering_note_sentence((tsr_ordering_note)note, (tsr_note_count){1, 12}, text, sizeof text);
    CHECK_SAY(strstr(text, "1 point (number 12) has") == text, "%s", text);
  }
}

enum { RANKS = 4 };

/** A process that shares its points out. */
typedef struct sharer {
  tsr_array group;
  int64_t n;
  int32_t *target;
  tsr_status status;
} sharer;

static void share_out(void *data, const tsr_processes *processes) {
  sharer *s = data;
  s->status = tsr_ordering_share(processes, &s->group, s->n, s->target, NULL);
}

/** Groups are whole, ascend with the rank, and the shares are about equal. */
static void check_shares(tsr_type type, int64_t groups, double most) {
  const int64_t n[RANKS] = {5000, 0, 9000, 4000};
  void *values[RANKS];
  int32_t *target[RANKS];
  sharer all[RANKS];
  uint64_t state = 3;
  for (int k = 0; k < RANKS; k++) {
    values[k] = point_set_values(n[k], type);
    target[k] = malloc((size_t)(n[k] + 1) * sizeof(int32_t));
    for (int64_t i = 0; i < n[k]; i++) {
      point_set_put(values[k], type, i, (int64_t)(point_set_random(&state) % (uint64_t)groups) - 5);
    }
    all[k] = (sharer){{values[k], type, 1, n[k]}, n[k], target[k], TSR_ABORTED};
  }
  ranks_run(RANKS, share_out, all, sizeof *all);
  for (int k = 0; k < RANKS; k++) {
    CHECK_INT(all[k].status, TSR_OK);
  }
  double least_key[RANKS], largest_key[RANKS];
  int64_t share[RANKS] = {0};
  for (int k = 0; k < RANKS; k++) {
    least_key[k] = HUGE_VAL;
    largest_key[k] = -HUGE_VAL;
  }
  for (int k = 0; k < RANKS; k++) {
    for (int64_t i = 0; i < n[k]; i++) {
      const double v = type == TSR_INT32 ? ((int32_t *)values[k])[i] : ((double *)values[k])[i];
      const int t = target[k][i];
      if (CHECK(t >= 0 && t < RANKS)) {
        least_key[t] = fmin(least_key[t], v);
        largest_key[t] = fmax(largest_key[t], v);
        share[t]++;
      }
    }
  }
  double before = -HUGE_VAL;
  for (int t = 0; t < RANKS; t++) {
    CHECK_SAY(least_key[t] > before, "rank %d begins at %g after %g", t, least_key[t], before);
    before = fmax(before, largest_key[t]);
    CHECK_SAY((double)share[t] <= most * 18000.0, "rank %d has %lld points", t,
              (long long)share[t]);
  }
  for (int k = 0; k < RANKS; k++) {
    free(values[k]);
    free(target[k]);
  }
}

/** One process cannot share its points out: it says why, and the others do not wait for it. */
static void one_cannot_share(void) {
  static const int32_t groups[] = {1, 2, 3};
  int32_t target[RANKS][3];
  sharer all[RANKS];
  for (int k = 0; k < RANKS; k++) {
    all[k] = (sharer){{groups, TSR_INT32, 1, 3}, 3, target[k], TSR_OK};
  }
  all[2].group.tuples = 2; /* of three points */
  ranks_run(RANKS, share_out, all, sizeof *all);
  for (int k = 0; k < RANKS; k++) {
    CHECK_INT(all[k].status, k == 2 ? TSR_BAD_INPUT : TSR_ABORTED);
  }
}

int main(void) {
  check_views();
  check_options();
  check_fills();
  check_notes_before_a_plan();
  check_sentences();
  check_shares(TSR_INT32, 1000, 0.3);
  check_shares(TSR_DOUBLE, 1000, 0.3);
  check_shares(TSR_INT32, 1, 1.0);
  check_shares(TSR_DOUBLE, 3, 0.4);
  one_cannot_share();
  return check_result();
}
