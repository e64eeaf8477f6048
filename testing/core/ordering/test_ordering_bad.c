/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: bad input gets a sentence, and the shares of processes are whole groups. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "point_set.h"

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
  check_fails(NULL, &options, NULL, TSR_BAD_INPUT, "missing");
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
  o.sort = (tsr_ordering_sort)9;
  check_fails(&view, &o, NULL, TSR_BAD_OPTION, "sort 9");
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
  tsr_ordering_look(&view, notes);
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

/** Processes one after the other: what each gives is written down in a first round, of the sizes,
 *  and read by all in the next. */
enum { RANKS = 4 };
typedef struct ring {
  int rank, call, recording;
  char *given[2][RANKS];
  int64_t bytes[2][RANKS];
} ring;

static int gather(void *context, const void *mine, int64_t bytes, void *all, const int64_t *sizes) {
  ring *r = context;
  const int call = r->call++;
  char *to = all;
  if (r->recording) {
    r->given[call][r->rank] = malloc((size_t)bytes + 1);
    memcpy(r->given[call][r->rank], mine, (size_t)bytes);
    r->bytes[call][r->rank] = bytes;
  }
  for (int k = 0; k < RANKS; k++) {
    if (!r->given[call][k]) {
      memcpy(to, mine, (size_t)bytes); /* the first round: only the own part matters */
      to += sizes[k] < bytes ? sizes[k] : bytes;
      continue;
    }
    CHECK_INT(sizes[k], r->recording && call == 1 ? sizes[k] : r->bytes[call][k]);
    memcpy(to, r->given[call][k],
           (size_t)(sizes[k] < r->bytes[call][k] ? sizes[k] : r->bytes[call][k]));
    to += sizes[k];
  }
  return 0;
}

/** Groups are whole, ascend with the rank, and the shares are about equal. */
static void check_shares(tsr_type type, int64_t groups, double most) {
  const int64_t n[RANKS] = {5000, 0, 9000, 4000};
  void *values[RANKS];
  int32_t *target[RANKS];
  ring r;
  uint64_t state = 3;
  memset(&r, 0, sizeof r);
  for (int k = 0; k < RANKS; k++) {
    values[k] = point_set_values(n[k], type);
    target[k] = malloc((size_t)(n[k] + 1) * sizeof(int32_t));
    for (int64_t i = 0; i < n[k]; i++) {
      point_set_put(values[k], type, i, (int64_t)(point_set_random(&state) % (uint64_t)groups) - 5);
    }
  }
  for (r.recording = 1; r.recording >= 0; r.recording--) {
    for (r.rank = 0; r.rank < RANKS; r.rank++) {
      const tsr_array group = {values[r.rank], type, 1, n[r.rank]};
      r.call = 0;
      CHECK_INT(tsr_ordering_share(&group, n[r.rank], gather, &r, RANKS, target[r.rank], NULL),
                TSR_OK);
    }
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
    free(r.given[0][k]);
    free(r.given[1][k]);
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
  return check_result();
}
