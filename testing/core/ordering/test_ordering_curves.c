/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: repeats, cuts, singles and all outputs, against a slow obvious loop. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "point_set.h"

/** Everything that a fill can write. */
typedef struct made {
  tsr_ordering_sizes sizes;
  double *points, *length;
  int64_t *vert_offsets, *verts, *line_offsets, *lines, *ids, *first, *last;
  float *colour; /* 3 a point: the index of the point, times 1, 2, 3 */
  int16_t *first_order, *last_order;
} made;

static int64_t *room(int64_t n) { return malloc((size_t)(n + 1) * sizeof(int64_t)); }

static made make(const point_set *set, const tsr_ordering_options *options,
                 const tsr_execution *execution) {
  const tsr_ordering_view view = point_set_view(set);
  tsr_ordering_plan *plan = NULL;
  tsr_error error;
  made m;
  memset(&m, 0, sizeof m);
  if (!CHECK_INT(tsr_ordering_plan_create(&view, options, execution, &plan, &error), TSR_OK)) {
    exit(1);
  }
  m.sizes = *tsr_ordering_plan_sizes(plan);
  const int64_t cells = m.sizes.verts + m.sizes.lines;
  float *colour = malloc((size_t)(3 * set->n + 1) * sizeof *colour);
  int16_t *small = malloc((size_t)(set->n + 1) * sizeof *small);
  for (int64_t i = 0; i < set->n; i++) {
    small[i] = (int16_t)(i % 30000);
    for (int c = 0; c < 3; c++) {
      colour[3 * i + c] = (float)(i * (c + 1));
    }
  }
  m.points = malloc((size_t)(3 * m.sizes.points + 1) * sizeof(double));
  m.length = malloc((size_t)(cells + 1) * sizeof(double));
  m.vert_offsets = room(m.sizes.verts);
  m.verts = room(m.sizes.verts);
  m.line_offsets = room(m.sizes.lines);
  m.lines = room(m.sizes.points - m.sizes.verts);
  m.ids = room(m.sizes.points);
  m.first = room(cells);
  m.last = room(cells);
  m.colour = malloc((size_t)(3 * m.sizes.points + 1) * sizeof(float));
  m.first_order = malloc((size_t)(cells + 1) * sizeof(int16_t));
  m.last_order = malloc((size_t)(cells + 1) * sizeof(int16_t));
  const tsr_ordering_attribute attributes[] = {
      {{colour, TSR_FLOAT, 3, set->n}, m.colour, TSR_AT_POINTS},
      {{small, TSR_INT16, 1, set->n}, m.first_order, TSR_AT_FIRST},
      {{small, TSR_INT16, 1, set->n}, m.last_order, TSR_AT_LAST}};
  tsr_ordering_output out;
  tsr_ordering_output_init(&out);
  out.points = m.points;
  out.length = m.length;
  out.vert_offsets = m.vert_offsets;
  out.vert_connectivity = m.verts;
  out.line_offsets = m.line_offsets;
  out.line_connectivity = m.lines;
  out.point_ids = m.ids;
  out.first_ids = m.first;
  out.last_ids = m.last;
  CHECK_INT(tsr_ordering_fill(plan, &out, &error), TSR_OK);
  /* The arrays in a second call, and the lengths again, without the points. */
  double *again = malloc((size_t)(cells + 1) * sizeof(double));
  tsr_ordering_output_init(&out);
  out.attributes = attributes;
  out.n_attributes = 3;
  out.length = again;
  CHECK_INT(tsr_ordering_fill(plan, &out, &error), TSR_OK);
  CHECK(cells == 0 || memcmp(again, m.length, (size_t)cells * sizeof(double)) == 0);
  free(again);
  free(colour);
  free(small);
  tsr_ordering_plan_free(plan);
  return m;
}

static void drop(made *m) {
  void *all[] = {m->points, m->length, m->vert_offsets, m->verts,       m->line_offsets, m->lines,
                 m->ids,    m->first,  m->last,         m->first_order, m->last_order,   m->colour};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    free(all[i]);
  }
}

/** One curve of the reference against the cell that it became. */
static void check_curve(const point_set *set, const made *m, const int64_t *ids, int64_t n,
                        int64_t first_point, int64_t cell) {
  double length = 0.0;
  for (int64_t k = 0; k < n; k++) {
    CHECK_INT(m->ids[first_point + k], ids[k]);
    CHECK(memcmp(m->points + 3 * (first_point + k), set->points + 3 * ids[k], 24) == 0);
    CHECK(m->colour[3 * (first_point + k) + 2] == (float)(ids[k] * 3));
    if (k > 0) {
      const double *a = set->points + 3 * ids[k - 1], *b = set->points + 3 * ids[k];
      const double step = hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
      length += step < 1e300 ? step : 0.0;
    }
  }
  if (n == 1) {
    CHECK_INT(m->vert_offsets[cell], cell);
    CHECK_INT(m->verts[cell], first_point);
  } else {
    const int64_t line = cell - m->sizes.verts, offset = m->line_offsets[line];
    CHECK_INT(m->line_offsets[line + 1] - offset, n);
    for (int64_t k = 0; k < n; k++) {
      CHECK_INT(m->lines[offset + k], first_point + k);
    }
  }
  CHECK_NEAR(m->length[cell], length, 1e-12 * (1.0 + length));
  CHECK_INT(m->first[cell], ids[0]);
  CHECK_INT(m->last[cell], ids[n - 1]);
  CHECK_INT(m->first_order[cell], ids[0] % 30000);
  CHECK_INT(m->last_order[cell], ids[n - 1] % 30000);
}

static void check_reference(const point_set *set, const tsr_ordering_options *options,
                            const tsr_execution *execution) {
  made m = make(set, options, execution);
  point_curves c = point_set_reference(set, options);
  int64_t verts = 0, lines = 0;
  CHECK_INT(m.sizes.points, c.points);
  CHECK_INT(m.sizes.verts + m.sizes.lines, c.curves);
  CHECK_INT(m.sizes.repeats, c.repeats);
  CHECK_INT(m.sizes.cuts, c.cuts);
  CHECK_INT(m.sizes.singles_dropped, c.singles);
  CHECK_INT(m.vert_offsets[m.sizes.verts], m.sizes.verts);
  CHECK_INT(m.line_offsets[m.sizes.lines], m.sizes.points - m.sizes.verts);
  if (m.sizes.points == c.points && m.sizes.verts + m.sizes.lines == c.curves) {
    for (int64_t k = 0; k < c.curves; k++) {
      const int64_t n = c.start[k + 1] - c.start[k];
      const int64_t cell = n == 1 ? verts++ : m.sizes.verts + lines++;
      check_curve(set, &m, c.ids + c.start[k], n, c.start[k], cell);
    }
  }
  CHECK_INT(verts, m.sizes.verts);
  point_curves_free(&c);
  drop(&m);
}

/** Tracks that step about 0.01 and stand still now and then; times with holes. */
static point_set tracks(int64_t n, int64_t groups, tsr_type order_type, uint64_t seed) {
  point_set set = point_set_make(n, seed);
  set.group_type = TSR_UINT16;
  set.order_type = order_type;
  set.group = point_set_values(n, set.group_type);
  set.order = point_set_values(n, set.order_type);
  for (int64_t i = 0; i < n; i++) {
    const int64_t time = (int64_t)(point_set_random(&seed) % (uint64_t)(3 * n / groups + 3));
    const int64_t group = (int64_t)(point_set_random(&seed) % (uint64_t)groups);
    point_set_put(set.group, set.group_type, i, group);
    point_set_put(set.order, set.order_type, i, time);
    for (int c = 0; c < 3; c++) {
      set.points[3 * i + c] =
          (double)(time / 4) * 0.01 + (double)group + (double)(point_set_random(&seed) % 3) * 0.002;
    }
  }
  return set;
}

static void check_options(void) {
  executor exec = {.threads = 3};
  const tsr_execution many = executor_execution(&exec);
  for (int mask = 0; mask < 16; mask++) {
    for (int tolerance = 0; tolerance < 3; tolerance++) {
      point_set set = tracks(4000, 60, mask % 2 ? TSR_INT64 : TSR_DOUBLE, (uint64_t)mask + 1);
      tsr_ordering_options o;
      tsr_ordering_options_init(&o);
      o.use_gap = mask & 1;
      o.max_gap = 6.0;
      o.use_distance = (mask & 2) != 0;
      o.max_distance = 0.02;
      o.drop_repeats = (mask & 4) != 0;
      o.tolerance = (const double[]){0.0, 0.004, 0.05}[tolerance];
      o.singles = mask & 8 ? TSR_SINGLES_DROP : TSR_SINGLES_VERTICES;
      check_reference(&set, &o, NULL);
      check_reference(&set, &o, &many);
      point_set_free(&set);
    }
  }
}

/** One curve over several chunks, with repeats across their borders: any number of threads. */
static void check_long(void) {
  const int64_t n = 200000;
  point_set set = point_set_make(n, 21);
  for (int64_t i = 0; i < n; i++) {
    set.points[3 * i] = (double)i * 0.001;
    set.points[3 * i + 1] = set.points[3 * i + 2] = 0.0;
  }
  tsr_ordering_options o;
  tsr_ordering_options_init(&o);
  o.drop_repeats = 1;
  o.tolerance = 0.0105; /* every 11th stays */
  check_reference(&set, &o, NULL);
  made one = make(&set, &o, NULL);
  CHECK_INT(one.sizes.points, (n + 10) / 11);
  for (int threads = 2; threads < 6; threads++) {
    executor exec = {.threads = threads};
    const tsr_execution many = executor_execution(&exec);
    made m = make(&set, &o, &many);
    CHECK_INT(m.sizes.points, one.sizes.points);
    CHECK(memcmp(m.ids, one.ids, (size_t)one.sizes.points * sizeof(int64_t)) == 0);
    CHECK(memcmp(m.length, one.length, sizeof(double)) == 0);
    drop(&m);
  }
  drop(&one);
  point_set_free(&set);
}

/** By hand: two groups, a repeat, a cut by gap, one by distance, and a lone point. */
static void check_by_hand(void) {
  static const double points[] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 9, 0, 0, 9, 1, 0, 5, 5, 5};
  static const int8_t group[] = {-1, -1, -1, -1, -1, -1, 7};
  static const int32_t order[] = {0, 1, 2, 3, 4, 50, 3};
  point_set set = point_set_make(7, 1);
  memcpy(set.points, points, sizeof points);
  set.group_type = TSR_INT8;
  set.order_type = TSR_INT32;
  set.group = point_set_values(7, TSR_INT8);
  set.order = point_set_values(7, TSR_INT32);
  memcpy(set.group, group, sizeof group);
  memcpy(set.order, order, sizeof order);
  tsr_ordering_options o;
  tsr_ordering_options_init(&o);
  o.drop_repeats = o.use_gap = o.use_distance = 1;
  o.max_gap = 10.0;
  o.max_distance = 5.0;
  made m = make(&set, &o, NULL);
  CHECK_INT(m.sizes.points, 6);
  CHECK_INT(m.sizes.lines, 1);
  CHECK_INT(m.sizes.verts, 3);
  CHECK_INT(m.sizes.repeats, 1);
  CHECK_INT(m.sizes.cuts, 2);
  CHECK_NEAR(m.length[3], 2.0, 0.0);
  CHECK_INT(m.last[3], 3);
  drop(&m);
  o.singles = TSR_SINGLES_DROP;
  m = make(&set, &o, NULL);
  CHECK_INT(m.sizes.points, 3);
  CHECK_INT(m.sizes.verts, 0);
  CHECK_INT(m.sizes.singles_dropped, 3);
  drop(&m);
  point_set_free(&set);
}

/** A gap of integers that a double cannot hold is compared all the same. */
static void check_exact_gap(void) {
  for (int more = 0; more < 2; more++) {
    point_set set = point_set_make(2, 3);
    set.order = point_set_values(2, TSR_INT64);
    ((int64_t *)set.order)[0] = -5;
    ((int64_t *)set.order)[1] = ((int64_t)1 << 53) - 5 + more;
    tsr_ordering_options o;
    tsr_ordering_options_init(&o);
    o.use_gap = 1;
    o.max_gap = 9007199254740992.0;
    made m = make(&set, &o, NULL);
    CHECK_INT(m.sizes.cuts, more);
    drop(&m);
    point_set_free(&set);
  }
}

/** Points nowhere stay; they are no repeats, cut nothing by distance and add no length. */
static void check_nowhere(void) {
  point_set set = point_set_make(5, 4);
  const double points[] = {0, 0, 0, NAN, 0, 0, NAN, 0, 0, 1, 0, 0, HUGE_VAL, 0, 0};
  memcpy(set.points, points, sizeof points);
  tsr_ordering_options o;
  tsr_ordering_options_init(&o);
  o.use_distance = o.drop_repeats = 1;
  o.max_distance = 0.5;
  made m = make(&set, &o, NULL);
  CHECK_INT(m.sizes.points, 5);
  CHECK_INT(m.sizes.lines, 1);
  CHECK_INT(m.sizes.notes[TSR_ORDERING_NOTE_PLACE].count, 3);
  CHECK_INT(m.sizes.notes[TSR_ORDERING_NOTE_PLACE].first, 1);
  CHECK_NEAR(m.length[0], 0.0, 0.0);
  drop(&m);
  point_set_free(&set);
}

int main(void) {
  check_by_hand();
  check_exact_gap();
  check_nowhere();
  check_options();
  check_long();
  return check_result();
}
