/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Lines of two points, joined into polylines: chains, branches, loops and labels drawn by hand, and
 * random lines, of which each is passed once, no chain goes through a branch, and none could be
 * longer.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"

static tsr_join joined(const tsr_join_view *view) {
  tsr_join join;
  tsr_error error;
  CHECK_INT(tsr_join_lines(view, &join, &error), TSR_OK);
  return join;
}

static tsr_join_view lines_of(int64_t n, const int64_t *offsets, const int64_t *ids,
                              int64_t n_points) {
  tsr_join_view view;
  memset(&view, 0, sizeof view);
  view.n_cells = n;
  view.offsets = offsets;
  view.connectivity = ids;
  view.n_connectivity = offsets[n];
  view.index_type = TSR_INT64;
  view.n_points = n_points;
  return view;
}

static void check_items(const tsr_join *join, int64_t n, const int64_t *cells,
                        const int64_t *offsets, const int64_t *ids) {
  CHECK_INT(join->n_items, n);
  for (int64_t i = 0; i <= n && join->n_items == n; i++) {
    CHECK_INT(join->offsets[i], offsets[i]);
    if (i < n) {
      CHECK_INT(join->cells[i], cells[i]);
      CHECK_INT(join->chains[i], offsets[i + 1] - offsets[i] > 2 && cells[i] != 8);
    }
  }
  for (int64_t k = 0; k < offsets[n] && join->offsets[n] == offsets[n]; k++) {
    CHECK_INT(join->connectivity[k], ids[k]);
  }
}

enum { CELLS = 14, POINTS = 17 };

/* A chain against the direction of its second line up to a branch of three; a loop; a polyline that
 * a chain only touches; a line of one point twice, and one with an id out of range. */
static const int64_t OFFSETS[CELLS + 1] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 19, 21, 23, 25, 27, 29};
static const int64_t IDS[] = {0, 1, 2,  1,  2,  3,  3,  4,  3,  5,  6,  7,  8,  7, 8,
                              6, 9, 10, 11, 11, 12, 13, 12, 14, 14, 14, 15, 16, 99};

static void by_hand(void) {
  static const int64_t cells[] = {0, 3, 4, 5, 8, 9, 11, 12, 13};
  static const int64_t offsets[] = {0, 4, 6, 8, 12, 15, 18, 20, 22, 24};
  static const int64_t ids[] = {0, 1,  2,  3,  3,  4,  3,  5,  6,  7,  8,  6,
                                9, 10, 11, 11, 12, 13, 14, 14, 14, 15, 16, 99};
  const tsr_join_view view = lines_of(CELLS, OFFSETS, IDS, POINTS);
  tsr_join join = joined(&view);
  check_items(&join, 9, cells, offsets, ids);
  CHECK_INT(join.n_joined, 8);
  tsr_join_free(&join);
  CHECK(join.offsets == NULL && join.n_items == 0);

  int32_t short_offsets[CELLS + 1], short_ids[29];
  for (int i = 0; i <= CELLS; i++) {
    short_offsets[i] = (int32_t)OFFSETS[i];
  }
  for (int i = 0; i < 29; i++) {
    short_ids[i] = (int32_t)IDS[i];
  }
  tsr_join_view narrow = view;
  narrow.offsets = short_offsets;
  narrow.connectivity = short_ids;
  narrow.index_type = TSR_INT32;
  join = joined(&narrow);
  check_items(&join, 9, cells, offsets, ids);
  tsr_join_free(&join);
}

/* What is nothing says nothing: without the polyline 8 and the branch 4 the chains go on. */
static void roles(void) {
  uint8_t role[CELLS];
  memset(role, TSR_JOIN_LINE, sizeof role);
  role[4] = role[8] = TSR_JOIN_NOTHING;
  role[2] = TSR_JOIN_CURVE;
  tsr_join_view view = lines_of(CELLS, OFFSETS, IDS, POINTS);
  view.roles = role;
  tsr_join join = joined(&view);
  static const int64_t cells[] = {0, 2, 3, 4, 5, 8, 9, 11, 12, 13};
  CHECK_INT(join.n_items, 10);
  CHECK(join.n_items == 10 && memcmp(join.cells, cells, sizeof cells) == 0);
  CHECK_INT(join.offsets[1], 3); /* 0 1 2, and there it ends */
  tsr_join_free(&join);
}

/* A row of lines is one chain, and ends where a label changes; bytes count, not numbers. */
static void labels(void) {
  enum { N = 20 };
  int64_t offsets[N + 1], ids[2 * N];
  float data[3 * (N + 5)];
  for (int i = 0; i < N; i++) {
    offsets[i] = 2 * i;
    ids[2 * i] = i;
    ids[2 * i + 1] = i + 1;
  }
  offsets[N] = 2 * N;
  for (int i = 0; i < 3 * (N + 5); i++) {
    data[i] = i / 3 < 12 ? 1.0F : (float)NAN;
  }
  tsr_array label = {data, TSR_FLOAT, 3, N + 5};
  tsr_join_view view = lines_of(N, offsets, ids, N + 1);
  tsr_join join = joined(&view);
  CHECK_INT(join.n_items, 1);
  CHECK_INT(join.n_joined, N);
  tsr_join_free(&join);
  int64_t n_apart = 0;
  view.labels = &label;
  view.n_labels = 1;
  view.first_cell = 5;
  view.n_apart = &n_apart;
  join = joined(&view);
  CHECK_INT(join.n_items, 2);
  CHECK_INT(join.offsets[1], 8); /* seven lines: tuples 5 to 11 */
  CHECK_INT(join.cells[1], 7);
  CHECK_INT(n_apart, 1);
  tsr_join_free(&join);
}

/* A closed ring of 482 lines: labels that differ everywhere keep all of it apart, 482 joints; one
 * with two halves keeps two, which the count of each label has; without labels nothing is kept. */
static void apart(void) {
  enum { N = 482 };
  int64_t offsets[N + 1], ids[2 * N], n_apart[3] = {7, 7, 7};
  int32_t number[N], half[N], one[N];
  for (int i = 0; i < N; i++) {
    offsets[i] = 2 * i;
    ids[2 * i + i % 2] = i;
    ids[2 * i + 1 - i % 2] = (i + 1) % N;
    number[i] = i;
    half[i] = i < N / 3;
    one[i] = 1;
  }
  offsets[N] = 2 * N;
  const tsr_array labels[] = {
      {half, TSR_INT32, 1, N}, {one, TSR_INT32, 1, N}, {number, TSR_INT32, 1, N}};
  tsr_join_view view = lines_of(N, offsets, ids, N);
  view.labels = labels;
  view.n_apart = n_apart;
  for (view.n_labels = 0; view.n_labels <= 3; view.n_labels++) {
    static const int64_t items[] = {1, 2, 2, N};
    tsr_join join = joined(&view);
    CHECK_INT(join.n_items, items[view.n_labels]);
    for (int l = 0; l < 3; l++) {
      const int64_t all[] = {2, 0, N};
      CHECK_INT(n_apart[l], l < view.n_labels ? all[l] : 7);
    }
    tsr_join_free(&join);
  }
}

/* Nothing to join: the cells stay where they are. */
static void nothing(void) {
  static const int64_t broken[] = {0, 2, 1, 4}, apart[] = {0, 2, 4, 6}, ids[] = {0, 1, 2, 3, 4, 5};
  tsr_join_view view = lines_of(3, apart, ids, 6);
  tsr_join join = joined(&view);
  CHECK(join.n_joined == 0 && join.n_items == 3 && join.offsets == NULL && join.cells == NULL);
  view.offsets = broken;
  join = joined(&view);
  CHECK(join.n_joined == 0 && join.n_items == 3);
  view.offsets = apart;
  view.n_connectivity = 5;
  join = joined(&view);
  CHECK(join.n_joined == 0);
  memset(&view, 0, sizeof view);
  join = joined(&view);
  CHECK(join.n_joined == 0 && join.n_items == 0);
}

enum { MOST_LINES = 60, MOST_POINTS = 72 };

/** Random lines between a few points, with random labels. */
typedef struct random_lines {
  int n, points;
  int64_t offsets[MOST_LINES + 1], ids[2 * MOST_LINES];
  int32_t labels[MOST_LINES];
  int64_t ends[MOST_POINTS]; /**< lines that end in each point; 10 for one that goes back to it */
  int passed[MOST_LINES];    /**< 1: an item has gone through the line */
} random_lines;

static random_lines lines_at_random(uint64_t *state) {
  random_lines r = {.n = 2 + (int)(random_bits(state) % (MOST_LINES - 1))};
  r.points = 2 + (int)(random_bits(state) % (MOST_POINTS - 2));
  for (int i = 0; i <= r.n; i++) {
    r.offsets[i] = 2 * i;
  }
  for (int i = 0; i < r.n; i++) {
    r.labels[i] = (int32_t)(random_bits(state) % 8 == 0);
    r.ids[2 * i] = (int64_t)(random_bits(state) % (uint64_t)r.points);
    r.ids[2 * i + 1] = (int64_t)(random_bits(state) % (uint64_t)r.points);
    r.ends[r.ids[2 * i]]++;
    r.ends[r.ids[2 * i + 1]] += r.ids[2 * i] == r.ids[2 * i + 1] ? 10 : 1;
  }
  return r;
}

/** The line between a and b that no item has gone through, of several the one of number `wanted`,
 *  else the first; -1: none. twins: how many such lines there are, gone through or not. */
static int64_t find_line(const random_lines *r, int64_t a, int64_t b, int64_t wanted,
                         int64_t *twins) {
  int64_t found = -1;
  *twins = 0;
  for (int64_t i = 0; i < r->n; i++) {
    const int same = (r->ids[2 * i] == a && r->ids[2 * i + 1] == b) ||
                     (r->ids[2 * i] == b && r->ids[2 * i + 1] == a);
    *twins += same;
    if (same && !r->passed[i] && (found < 0 || i == wanted)) {
      found = i;
    }
  }
  return found;
}

/** An item goes through lines of one label, each once, and joins them where two lines end and no
 *  more. Its cell is the lowest, and has its own direction. How many joints it has. */
static int64_t follow(random_lines *r, const tsr_join *join, int64_t item, int labelled) {
  int64_t lowest = r->n, label = -1, joints = 0;
  for (int64_t k = join->offsets[item]; k + 1 < join->offsets[item + 1]; k++) {
    const int64_t a = join->connectivity[k], b = join->connectivity[k + 1];
    int64_t twins;
    const int64_t found = find_line(r, a, b, join->cells[item], &twins);
    CHECK(found >= 0);
    if (found < 0) {
      continue;
    }
    r->passed[found] = 1;
    lowest = found < lowest ? found : lowest;
    CHECK(found != join->cells[item] || twins > 1 || r->ids[2 * found] == a);
    CHECK(!labelled || label < 0 || label == r->labels[found]);
    label = r->labels[found];
    if (k > join->offsets[item]) {
      CHECK_INT(r->ends[a], 2);
      joints++;
    }
  }
  CHECK_INT(lowest, join->cells[item]);
  CHECK(item == 0 || join->cells[item - 1] < join->cells[item]);
  const int64_t first = join->connectivity[join->offsets[item]];
  const int64_t last = join->connectivity[join->offsets[item + 1] - 1];
  return joints + (join->chains[item] && first == last && r->ends[first] == 2); /* else a branch */
}

/** Points of two lines of one label: all of them are joints. */
static int64_t possible_joints(const random_lines *r, int labelled) {
  int64_t possible = 0;
  for (int p = 0; p < r->points; p++) {
    int64_t sum = 0;
    for (int i = 0; i < r->n; i++) {
      sum += (r->ids[2 * i] == p || r->ids[2 * i + 1] == p) ? r->labels[i] : 0;
    }
    possible += r->ends[p] == 2 && (!labelled || sum != 1);
  }
  return possible;
}

static void at_random(void) {
  uint64_t state = 5;
  for (int round = 0; round < 3000; round++) {
    random_lines r = lines_at_random(&state);
    const int labelled = round % 2;
    const tsr_array label = {r.labels, TSR_INT32, 1, r.n};
    tsr_join_view view = lines_of(r.n, r.offsets, r.ids, r.points);
    view.labels = &label;
    view.n_labels = labelled;
    int64_t n_apart = 0;
    view.n_apart = &n_apart;
    tsr_join join = joined(&view);
    int64_t joints = 0;
    for (int64_t item = 0; join.n_joined > 0 && item < join.n_items; item++) {
      joints += follow(&r, &join, item, labelled);
    }
    CHECK_INT(joints, possible_joints(&r, labelled));
    CHECK_INT(n_apart, possible_joints(&r, 0) - joints);
    for (int i = 0; i < r.n; i++) {
      CHECK(join.n_joined == 0 || r.passed[i]);
    }
    tsr_join_free(&join);
  }
}

int main(void) {
  by_hand();
  roles();
  labels();
  apart();
  nothing();
  at_random();
  return check_result();
}
