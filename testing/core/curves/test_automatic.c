/* SPDX-License-Identifier: BSD-3-Clause */
/** Automatic: which lines are straight and which are Catmull-Rom curves, by the rule as the page
 *  states it; the output is that of the kind named. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "executor.h"

enum { MOST = 100, LINES = 8 };

/** n points on a circle, each leg turned by `degrees` from the one before. */
static int turning(int n, double degrees, double *x) {
  double p[2] = {0.0, 0.0};
  for (int i = 0; i < n; i++) {
    const double a = 3.14159265358979323846 / 180.0 * degrees * i;
    x[3 * i] = p[0], x[3 * i + 1] = p[1], x[3 * i + 2] = 0.0;
    p[0] += cos(a), p[1] += sin(a);
  }
  return n;
}

/** n points on a straight line with corners of 90 degrees at some of them. */
static int cornered(int n, int corners, double *x) {
  int across = 0;
  x[0] = x[1] = x[2] = 0.0;
  for (int i = 1; i < n; i++) {
    across ^= i > 1 && i <= corners + 1;
    x[3 * i] = x[3 * i - 3] + !across;
    x[3 * i + 1] = x[3 * i - 2] + across;
    x[3 * i + 2] = 0.0;
  }
  return n;
}

/** n points that go back and forth in small steps, as a stream line that has come to its end. */
static int oscillating(int n, double *x) {
  for (int i = 0; i < n; i++) {
    x[3 * i] = 0.01 * (i % 2), x[3 * i + 1] = x[3 * i + 2] = 0.0;
  }
  return n;
}

/** Line number i; *kind: what it should be. */
static int draw(int i, double *x, tsr_curve_kind *kind) {
  static const tsr_curve_kind kinds[LINES] = {
      TSR_KIND_CATMULL_ROM, TSR_KIND_STRAIGHT, TSR_KIND_CATMULL_ROM, TSR_KIND_STRAIGHT,
      TSR_KIND_STRAIGHT,    TSR_KIND_STRAIGHT, TSR_KIND_CATMULL_ROM, TSR_KIND_STRAIGHT};
  *kind = kinds[i];
  switch (i) {
  case 0:
    return turning(32, 31.0, x);
  case 1:
    return turning(32, 29.0, x);
  case 2:
    return turning(3, 90.0, x);
  case 3:
    return turning(33, 90.0, x);
  case 4:
    return oscillating(80, x);
  case 5:
    return cornered(32, 3, x); /* of 30: one in ten, not more */
  case 6:
    return cornered(32, 4, x);
  default:
    return turning(2, 0.0, x);
  }
}

/** Both outputs are the same. The kinds of the first are automatic, and `smooth` of them become
 *  curves; those of the other are named. */
static void check_same(const tsr_curves_view *one, const tsr_curves_view *other, int64_t smooth,
                       const tsr_curves_options *o, const tsr_execution *execution) {
  tessellation a, b;
  CHECK_INT(tessellate(one, o, execution, NULL, 0, &a), TSR_OK);
  CHECK_INT(tessellate(other, o, execution, NULL, 0, &b), TSR_OK);
  CHECK_INT(a.sizes.points, b.sizes.points);
  CHECK_INT(a.sizes.cells, b.sizes.cells);
  CHECK_INT(a.report.smooth_lines, smooth);
  CHECK_INT(b.report.smooth_lines, 0);
  CHECK(a.sizes.points == b.sizes.points &&
        memcmp(a.points, b.points, (size_t)(3 * a.sizes.points) * sizeof *a.points) == 0);
  tessellation_free(&a);
  tessellation_free(&b);
}

static void check_rule(int closed) {
  double x[3 * MOST];
  uint8_t all[LINES];
  int64_t smooth = 0;
  curve_set named, automatic;
  executor exec = {.threads = 3};
  const tsr_execution execution = executor_execution(&exec);
  curve_set_init(&named);
  curve_set_init(&automatic);
  for (int i = 0; i < LINES; i++) {
    tsr_curve_kind kind;
    const int n = draw(i, x, &kind) - closed; /* the first id stands at the end, too */
    if (closed && i != 3 && i != 4) {
      continue; /* the others have another number of corners then */
    }
    smooth += kind == TSR_KIND_CATMULL_ROM;
    curve_set_add(&named, kind, n, x, NULL, closed);
    curve_set_add(&automatic, kind, n, x, NULL, closed);
  }
  memset(all, TSR_KIND_AUTOMATIC, sizeof all);
  tsr_curves_view by_name = curve_set_view(&named), view = curve_set_view(&automatic);
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  for (int joints = 0; joints < 2; joints++) {
    o.joints = joints ? TSR_JOINTS_WHERE_NEEDED : TSR_JOINTS_KEEP_ALL;
    view.kinds = all;
    check_same(&view, &by_name, smooth, &o, &execution);
    view.kinds = NULL;
    view.kind = TSR_KIND_AUTOMATIC;
    check_same(&view, &by_name, smooth, &o, NULL);
  }
  curve_set_free(&named);
  curve_set_free(&automatic);
}

/** A line that cannot be looked at is left out with its sentence, as by any other kind. */
static void check_bad(void) {
  const double x[] = {0, 0, 0, 1, 0, 0, 1, 1, 0};
  int64_t ids[] = {0, 1, 7};
  curve_set set;
  tessellation out;
  curve_set_init(&set);
  curve_set_add_points(&set, 3, x);
  curve_set_add_ids(&set, TSR_KIND_AUTOMATIC, 3, ids);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.cells, 0);
  CHECK_INT(out.sizes.notes[TSR_NOTE_BAD_ID].count, 1);
  tessellation_free(&out);
  curve_set_free(&set);
}

int main(void) {
  check_rule(0);
  check_rule(1);
  check_bad();
  return check_result();
}
