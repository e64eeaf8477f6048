/* SPDX-License-Identifier: BSD-3-Clause */
/** Polylines by their number of segments, against lines whose counts and lengths are known. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "ranks.h"
#include "tessera.h"

enum { LONG = 200000, SIDES = 6 };

/** No point, one point, a segment of length 5, a closed hexagon of side 1, and a helix. */
typedef struct scene {
  float points[3 * (1 + 2 + SIDES + LONG)];
  int32_t offsets[6];
  int32_t connectivity[1 + 2 + SIDES + 1 + LONG];
} scene;

static void make_scene(scene *s) {
  const double pi = acos(-1.0);
  int p = 0, c = 0;
  memset(s, 0, sizeof *s);
  s->offsets[1] = 0;
  s->connectivity[c++] = p++;
  s->offsets[2] = c;
  s->points[3 * (p + 1)] = 3.0F;
  s->points[3 * (p + 1) + 2] = 4.0F;
  s->connectivity[c++] = p++;
  s->connectivity[c++] = p++;
  s->offsets[3] = c;
  for (int k = 0; k < SIDES; k++, p++) {
    s->points[3 * p] = (float)cos(2.0 * pi * k / SIDES);
    s->points[3 * p + 1] = (float)sin(2.0 * pi * k / SIDES);
    s->connectivity[c++] = p;
  }
  s->connectivity[c++] = p - SIDES;
  s->offsets[4] = c;
  for (int k = 0; k < LONG; k++, p++) {
    s->points[3 * p] = (float)k;
    s->connectivity[c++] = p;
  }
  s->offsets[5] = c;
}

static tsr_polylines lines_of(const scene *s) {
  const tsr_polylines lines = {
      {s->points, TSR_FLOAT, 3, 1 + 2 + SIDES + LONG}, TSR_INT32, s->offsets, s->connectivity, 5};
  return lines;
}

static void check_class(const tsr_polyline_class *c, int64_t polylines, int64_t points,
                        int64_t segments, double length) {
  CHECK_INT(c->polylines, polylines);
  CHECK_INT(c->points, points);
  CHECK_INT(c->segments, segments);
  CHECK_NEAR(c->length, length, 1e-6 * length);
}

static void known_lines(const scene *s) {
  const tsr_polylines lines = lines_of(s);
  tsr_polyline_class one[TSR_POLYLINE_CLASSES] = {{0}}, four[TSR_POLYLINE_CLASSES] = {{0}};
  executor exec = {.threads = 4};
  const tsr_execution execution = executor_execution(&exec);
  tsr_error error;
  int last = 0;
  CHECK(tsr_polylines_classify(&lines, NULL, one, &error) == TSR_OK);
  CHECK(tsr_polylines_classify(&lines, &execution, four, &error) == TSR_OK);
  CHECK(memcmp(one, four, sizeof one) == 0);
  CHECK(exec.pieces > 4); /* one long polyline is work for several threads */
  check_class(&one[0], 2, 1, 0, 0.0);
  check_class(&one[1], 1, 2, 1, 5.0);
  check_class(&one[2], 0, 0, 0, 0.0);
  check_class(&one[3], 1, SIDES, SIDES, SIDES);
  while (tsr_polyline_class_least(last + 1) <= LONG - 1)
    last++;
  check_class(&one[last], 1, LONG, LONG - 1, LONG - 1);
  CHECK_INT(tsr_polyline_class_least(0), 0);
  CHECK_INT(tsr_polyline_class_least(3), 4);
}

static void bad_lines(scene *s) {
  const tsr_polylines lines = lines_of(s);
  tsr_polyline_class classes[TSR_POLYLINE_CLASSES] = {{0}};
  tsr_polylines wrong = lines;
  tsr_error error;
  s->connectivity[2] = 1 << 30;
  CHECK(tsr_polylines_classify(&lines, NULL, classes, &error) == TSR_BAD_INPUT);
  CHECK(strstr(error.text, "polyline 2 ") != NULL);
  s->connectivity[2] = 2;
  s->offsets[2] = 7;
  CHECK(tsr_polylines_classify(&lines, NULL, classes, &error) == TSR_BAD_INPUT);
  CHECK_INT(error.item, 2);
  s->offsets[2] = 1;
  wrong.index_type = TSR_FLOAT;
  CHECK(tsr_polylines_classify(&wrong, NULL, classes, &error) == TSR_BAD_INPUT);
  wrong = lines;
  wrong.points.components = 2;
  CHECK(tsr_polylines_classify(&wrong, NULL, classes, &error) == TSR_BAD_INPUT);
  wrong = lines;
  wrong.points.type = TSR_INT32;
  CHECK(tsr_polylines_classify(&wrong, NULL, classes, &error) == TSR_BAD_INPUT);
  CHECK(strstr(error.text, "neither float nor double") != NULL);
  wrong = lines;
  wrong.points.tuples = 0;
  CHECK(tsr_polylines_classify(&wrong, NULL, classes, &error) == TSR_BAD_INPUT);
  for (int k = 0; k < TSR_POLYLINE_CLASSES; k++)
    CHECK_INT(classes[k].polylines, 0);
}

/* Polylines of 0 to 700 random points, some of them closed, in any type; several parts of them. */
enum { MANY = 600, MOST = 700 };

typedef struct mixture {
  double wide[3 * MOST];
  float narrow[3 * MOST];
  int64_t offsets[MANY + 1], connectivity[MANY * (MOST + 1)];
  int32_t offsets32[MANY + 1], connectivity32[MANY * (MOST + 1)];
} mixture;

static void make_mixture(mixture *m) {
  uint64_t state = 1;
  int64_t at = 0;
  for (int k = 0; k < 3 * MOST; k++) {
    m->narrow[k] = (float)sin(0.37 * k * k);
    m->wide[k] = (double)m->narrow[k];
  }
  for (int i = 0; i < MANY; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const int n = state >> 62 ? (int)(state >> 33) % (MOST + 1) : (int)(state >> 40) % 3;
    for (int k = 0; k < n; k++)
      m->connectivity[at + k] = (7 * k + i) % MOST;
    if (n > 2 && i % 5 == 0)
      m->connectivity[at + n - 1] = m->connectivity[at];
    m->offsets[i] = at;
    at += n;
  }
  m->offsets[MANY] = at;
  for (int i = 0; i <= MANY; i++)
    m->offsets32[i] = (int32_t)m->offsets[i];
  for (int64_t k = 0; k < at; k++)
    m->connectivity32[k] = (int32_t)m->connectivity[k];
}

/* One polyline after the other, point after point. */
static void classify_slowly(const mixture *m, tsr_polyline_class *classes) {
  for (int i = 0; i < MANY; i++) {
    const int64_t begin = m->offsets[i], n = m->offsets[i + 1] - begin;
    const int64_t *ids = m->connectivity + begin;
    const int64_t segments = n > 0 ? n - 1 : 0;
    int k = 0;
    while (tsr_polyline_class_least(k + 1) <= segments)
      k++;
    classes[k].polylines++;
    classes[k].segments += segments;
    classes[k].points += n - (segments > 1 && ids[0] == ids[n - 1]);
    for (int64_t s = 0; s < segments; s++) {
      const double *a = m->wide + 3 * ids[s], *b = m->wide + 3 * ids[s + 1];
      classes[k].length += hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
    }
  }
}

static void all_types(const mixture *m) {
  tsr_polyline_class slow[TSR_POLYLINE_CLASSES] = {{0}};
  classify_slowly(m, slow);
  CHECK(m->offsets[MANY] > 4 << 15); /* of several parts */
  for (int type = 0; type < 4; type++) {
    tsr_polyline_class fast[TSR_POLYLINE_CLASSES] = {{0}};
    executor exec = {.threads = 3};
    const tsr_execution execution = executor_execution(&exec);
    const tsr_polylines lines = {
        {type & 1 ? (const void *)m->wide : m->narrow, type & 1 ? TSR_DOUBLE : TSR_FLOAT, 3, MOST},
        type & 2 ? TSR_INT64 : TSR_INT32,
        type & 2 ? (const void *)m->offsets : m->offsets32,
        type & 2 ? (const void *)m->connectivity : m->connectivity32,
        MANY};
    tsr_error error;
    CHECK(tsr_polylines_classify(&lines, &execution, fast, &error) == TSR_OK);
    for (int k = 0; k < TSR_POLYLINE_CLASSES; k++) {
      check_class(&fast[k], slow[k].polylines, slow[k].points, slow[k].segments, slow[k].length);
      CHECK_NEAR(fast[k].length, slow[k].length, 1e-11 * slow[k].length);
    }
  }
}

static void add_up(void *data, const tsr_processes *processes) {
  tsr_polyline_class *classes = data;
  tsr_error error;
  classes[3].polylines = processes->rank + 1;
  classes[3].length = 0.5 * processes->rank;
  CHECK(tsr_polyline_classes_agree(classes, processes, &error) == TSR_OK);
}

static void processes_add_up(void) {
  static tsr_polyline_class classes[3][TSR_POLYLINE_CLASSES];
  ranks_run(3, add_up, classes, sizeof classes[0]);
  for (int rank = 0; rank < 3; rank++) {
    CHECK_INT(classes[rank][3].polylines, 6);
    CHECK_NEAR(classes[rank][3].length, 1.5, 0.0);
  }
}

int main(void) {
  scene *s = malloc(sizeof *s);
  mixture *m = malloc(sizeof *m);
  if (!s || !m)
    return 1;
  make_scene(s);
  known_lines(s);
  bad_lines(s);
  make_mixture(m);
  all_types(m);
  processes_add_up();
  free(s);
  free(m);
  return check_result();
}
