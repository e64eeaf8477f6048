/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: the order, for every type of group and order, against the C library's sort. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "point_set.h"

/** The plan has the points and curves of the reference, in their order. */
static void check_against_reference(const point_set *set, const tsr_ordering_options *options,
                                    const tsr_execution *execution, const char *what) {
  const tsr_ordering_view view = point_set_view(set);
  tsr_ordering_plan *plan;
  tsr_error error;
  if (!CHECK_INT(tsr_ordering_plan_create(&view, options, execution, &plan, &error), TSR_OK)) {
    printf("%s: %s\n", what, error.text);
    return;
  }
  point_curves expected = point_set_reference(set, options);
  const tsr_ordering_sizes *sizes = tsr_ordering_plan_sizes(plan);
  CHECK_SAY(sizes->points == expected.points && sizes->verts + sizes->lines == expected.curves,
            "%s: %lld points, %lld curves; not %lld, %lld", what, (long long)sizes->points,
            (long long)(sizes->verts + sizes->lines), (long long)expected.points,
            (long long)expected.curves);
  int64_t *ids = malloc((size_t)(sizes->points + 1) * sizeof *ids);
  tsr_ordering_output out;
  tsr_ordering_output_init(&out);
  out.point_ids = ids;
  CHECK_INT(tsr_ordering_fill(plan, &out, &error), TSR_OK);
  int64_t wrong = 0;
  for (int64_t i = 0; i < expected.points && sizes->points == expected.points; i++) {
    wrong += ids[i] != expected.ids[i];
  }
  CHECK_SAY(wrong == 0, "%s: %lld points are not where they belong", what, (long long)wrong);
  free(ids);
  point_curves_free(&expected);
  tsr_ordering_plan_free(plan);
}

/** On one thread and on three. */
static void check_all_ways(const point_set *set, const char *what) {
  executor exec = {.threads = 3};
  const tsr_execution many = executor_execution(&exec);
  tsr_ordering_options options;
  tsr_ordering_options_init(&options);
  check_against_reference(set, &options, NULL, what);
  check_against_reference(set, &options, &many, what);
}

/** Every type as a group with every type as an order; few values, so that there are many ties. */
static void check_types(void) {
  for (int group = TSR_INT8; group <= TSR_DOUBLE; group++) {
    for (int order = TSR_INT8; order <= TSR_DOUBLE; order++) {
      uint64_t state = (uint64_t)(group * 100 + order);
      point_set set = point_set_make(700, 5);
      char what[80];
      set.group_type = (tsr_type)group;
      set.order_type = (tsr_type)order;
      set.group = point_set_values(set.n, set.group_type);
      set.order = point_set_values(set.n, set.order_type);
      for (int64_t i = 0; i < set.n; i++) {
        point_set_put(set.group, set.group_type, i, (int64_t)(point_set_random(&state) % 19) - 9);
        point_set_put(set.order, set.order_type, i, (int64_t)(point_set_random(&state) % 40) - 20);
      }
      snprintf(what, sizeof what, "group of type %d, order of type %d", group, order);
      check_all_ways(&set, what);
      point_set_free(&set);
    }
  }
}

/** All 64 bits count, in several passes over the keys. */
static void check_wide(tsr_type type, int64_t n, const char *what) {
  uint64_t state = 77;
  point_set set = point_set_make(n, 6);
  set.group_type = set.order_type = type;
  set.group = point_set_values(n, type);
  set.order = point_set_values(n, type);
  for (int64_t i = 0; i < n; i++) {
    /* Pairs of neighbours that a double cannot tell apart, all over the range. */
    const int64_t odd = (int64_t)(point_set_random(&state) & 1);
    const int64_t wide = (int64_t)(point_set_random(&state) << 40 ^ point_set_random(&state) << 3);
    point_set_put(set.group, type, i,
                  i % 3 ? ((int64_t)1 << 53) + odd : wide % 50 * ((int64_t)1 << 57));
    point_set_put(set.order, type, i, i % 5 ? wide : -((int64_t)1 << 53) - odd);
  }
  check_all_ways(&set, what);
  point_set_free(&set);
}

/** NaN of any sign and payload comes last and in input order; -0 is 0; infinities are ends. */
static void check_numbers(void) {
  const double inf = HUGE_VAL, nan_ = nan("1");
  const double values[] = {nan_,
                           1.0,
                           -0.0,
                           0.0,
                           -inf,
                           inf,
                           -nan_,
                           5e-324,
                           -5e-324,
                           1e308,
                           -1.0,
                           0.0,
                           -0.0,
                           nan("7"),
                           inf,
                           9007199254740992.0,
                           9007199254740994.0};
  const int64_t n = (int64_t)(sizeof values / sizeof values[0]);
  for (int what = 0; what < 3; what++) {
    point_set set = point_set_make(n * n, 7);
    set.group_type = set.order_type = TSR_DOUBLE;
    set.group = what != 1 ? point_set_values(n * n, TSR_DOUBLE) : NULL;
    set.order = what != 2 ? point_set_values(n * n, TSR_DOUBLE) : NULL;
    for (int64_t i = 0; i < n * n; i++) {
      if (set.group) {
        ((double *)set.group)[i] = values[i % n];
      }
      if (set.order) {
        ((double *)set.order)[i] = values[i * 7 / 3 % n];
      }
    }
    check_all_ways(&set, "numbers at their ends");
    const tsr_ordering_view view = point_set_view(&set);
    tsr_ordering_options options;
    tsr_ordering_options_init(&options);
    tsr_ordering_plan *plan;
    if (CHECK_INT(tsr_ordering_plan_create(&view, &options, NULL, &plan, NULL), TSR_OK)) {
      const tsr_note_count *notes = tsr_ordering_plan_sizes(plan)->notes;
      CHECK_INT(notes[TSR_ORDERING_NOTE_GROUP].count, set.group ? 3 * n : 0);
      CHECK_INT(notes[TSR_ORDERING_NOTE_GROUP].first, set.group ? 0 : -1 + 1);
      CHECK(set.order == NULL ? notes[TSR_ORDERING_NOTE_ORDER].count == 0
                              : notes[TSR_ORDERING_NOTE_ORDER].count > 0);
      CHECK_INT(notes[TSR_ORDERING_NOTE_PLACE].count, 0);
      tsr_ordering_plan_free(plan);
    }
    point_set_free(&set);
  }
}

/** More points than a chunk; sorted, backwards and shuffled ones. */
static void check_many(void) {
  const int64_t n = 300001;
  for (int shape = 0; shape < 4; shape++) {
    uint64_t state = 11;
    point_set set = point_set_make(n, 8);
    set.group_type = TSR_INT32;
    set.order_type = shape == 3 ? TSR_DOUBLE : TSR_FLOAT;
    set.group = point_set_values(n, set.group_type);
    set.order = point_set_values(n, set.order_type);
    for (int64_t i = 0; i < n; i++) {
      const int64_t at = shape == 0   ? i
                         : shape == 1 ? n - i
                                      : (int64_t)(point_set_random(&state) % (uint64_t)n);
      point_set_put(set.group, set.group_type, i, at / 100);
      point_set_put(set.order, set.order_type, i, at % 100);
      if (shape == 3) {
        ((double *)set.order)[i] = (double)point_set_random(&state) * 1e-7;
      }
    }
    check_all_ways(&set, "many points");
    point_set_free(&set);
  }
}

/** Orders of many bits in groups of many sizes: those that fit into a cache, and one that does not.
 */
static void check_group_sizes(void) {
  for (int64_t most = 100; most <= 100000; most *= 10) {
    const int64_t n = 120000;
    uint64_t state = (uint64_t)most;
    point_set set = point_set_make(n, 10);
    set.group_type = TSR_INT64;
    set.order_type = TSR_DOUBLE;
    set.group = point_set_values(n, set.group_type);
    set.order = point_set_values(n, set.order_type);
    for (int64_t i = 0; i < n; i++) {
      const int64_t at = (int64_t)(point_set_random(&state) % (uint64_t)n);
      point_set_put(set.group, set.group_type, i, -(at * at / n / most));
      ((double *)set.order)[i] = sqrt((double)(point_set_random(&state) % 50000)) - 77.7;
    }
    check_all_ways(&set, "groups of many sizes");
    point_set_free(&set);
  }
}

static void check_few(void) {
  for (int64_t n = 0; n < 4; n++) {
    point_set set = point_set_make(n, 9);
    set.group = n % 2 ? point_set_values(n, TSR_INT64) : NULL;
    check_all_ways(&set, "few points");
    point_set_free(&set);
  }
}

int main(void) {
  check_types();
  check_wide(TSR_INT64, 3000, "64 bits");
  check_wide(TSR_UINT64, 3000, "64 bits without sign");
  check_wide(TSR_INT64, 70001, "64 bits, several chunks");
  check_numbers();
  check_many();
  check_group_sizes();
  check_few();
  return check_result();
}
