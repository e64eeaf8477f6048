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
  for (int k = 0; k < TSR_POLYLINE_CLASSES; k++)
    CHECK_INT(classes[k].polylines, 0);
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
  if (!s)
    return 1;
  make_scene(s);
  known_lines(s);
  bad_lines(s);
  processes_add_up();
  free(s);
  return check_result();
}
