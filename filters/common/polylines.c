/* SPDX-License-Identifier: BSD-3-Clause */
/** Polylines by their number of segments. The work is shared out by places in the connectivity, so
 *  that one long polyline is work for several threads; their sums are added in order. */
#include "common/common_math.h"
#include "common/support.h"
#include "common/tessera_polylines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TSR_PART ((int64_t)1 << 15) /* places that one sum covers */

typedef struct polylines_work {
  const tsr_polylines *lines;
  int64_t first, places;
  tsr_polyline_class (*parts)[TSR_POLYLINE_CLASSES];
  _Atomic int64_t bad; /* a polyline that cannot be one, or -1 */
} polylines_work;

int64_t tsr_polyline_class_least(int k) { return k == 0 ? 0 : (int64_t)1 << (k - 1); }

static int class_of(int64_t segments) {
  int k = 0;
  while (k < TSR_POLYLINE_CLASSES - 1 && tsr_polyline_class_least(k + 1) <= segments)
    k++;
  return k;
}

static int64_t offset_at(const tsr_polylines *lines, int64_t i) {
  return tsr_load_index(lines->offsets, lines->index_type, i);
}

static int64_t point_at(const tsr_polylines *lines, int64_t place) {
  return tsr_load_index(lines->connectivity, lines->index_type, place);
}

/* The last polyline that begins at `place` or before it. */
static int64_t line_at(const tsr_polylines *lines, int64_t place) {
  int64_t low = 0, high = lines->n;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (offset_at(lines, middle) <= place)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void load_point(const tsr_polylines *lines, int64_t point, double x[3]) {
  for (int c = 0; c < 3; c++)
    x[c] = tsr_load(&lines->points, 3 * point + c);
}

static double distance(const double a[3], const double b[3]) {
  double square = 0.0;
  for (int c = 0; c < 3; c++) {
    const double d = b[c] - a[c];
    square += d * d;
  }
  return sqrt(square);
}

static int is_point(const tsr_polylines *lines, int64_t point) {
  return point >= 0 && point < lines->points.tuples;
}

/* What the places [from, to) of polyline i add to its class; its first place adds its counts. */
static int add_places(const polylines_work *work, int64_t i, int64_t from, int64_t to,
                      tsr_polyline_class *classes) {
  const tsr_polylines *lines = work->lines;
  const int64_t begin = offset_at(lines, i), end = offset_at(lines, i + 1);
  const int64_t segments = end - begin > 1 ? end - begin - 1 : 0;
  tsr_polyline_class *own = &classes[class_of(segments)];
  double length = 0.0, before[3] = {0.0, 0.0, 0.0}, here[3];
  if (from > begin) {
    if (!is_point(lines, point_at(lines, from - 1)))
      return 0;
    load_point(lines, point_at(lines, from - 1), before);
  }
  for (int64_t place = from; place < to; place++) {
    if (!is_point(lines, point_at(lines, place)))
      return 0;
    load_point(lines, point_at(lines, place), here);
    if (place > begin)
      length += distance(before, here);
    memcpy(before, here, sizeof before);
  }
  if (from == begin && end > begin) {
    const int closed = segments > 1 && point_at(lines, begin) == point_at(lines, end - 1);
    own->polylines++;
    own->points += end - begin - closed;
    own->segments += segments;
  }
  own->length += length;
  return 1;
}

static void classify_task(void *data, int64_t begin, int64_t end) {
  polylines_work *work = data;
  for (int64_t part = begin; part < end; part++) {
    const int64_t first = work->first + part * TSR_PART;
    const int64_t rest = work->first + work->places - first;
    const int64_t last = first + (rest < TSR_PART ? rest : TSR_PART);
    int64_t place = first;
    for (int64_t i = line_at(work->lines, first); place < last && i < work->lines->n; i++) {
      const int64_t line_end = offset_at(work->lines, i + 1);
      const int64_t to = line_end < last ? line_end : last;
      if (to > place && !add_places(work, i, place, to, work->parts[part])) {
        atomic_store(&work->bad, i);
        return;
      }
      place = to > place ? to : place;
    }
  }
}

/* empty: receives how many have no point, of which no place tells. */
static tsr_status check_lines(const tsr_polylines *lines, int64_t *empty, tsr_error *error) {
  const tsr_status status =
      tsr_check_array(&lines->points, "the points of polylines", 3, lines->points.tuples, error);
  if (status != TSR_OK)
    return status;
  if (!lines->offsets || (lines->index_type != TSR_INT32 && lines->index_type != TSR_INT64))
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "polylines need offsets and indices of 32 or 64 bits");
  for (int64_t i = 0; i < lines->n; i++) {
    if (offset_at(lines, i) < 0 || offset_at(lines, i + 1) < offset_at(lines, i))
      return tsr_fail(error, TSR_BAD_INPUT, i, "polyline %lld ends before it begins", (long long)i);
    *empty += offset_at(lines, i + 1) == offset_at(lines, i);
  }
  return TSR_OK;
}

static void add_classes(tsr_polyline_class *to, const tsr_polyline_class *from) {
  for (int k = 0; k < TSR_POLYLINE_CLASSES; k++) {
    to[k].polylines += from[k].polylines;
    to[k].points += from[k].points;
    to[k].segments += from[k].segments;
    to[k].length += from[k].length;
  }
}

tsr_status tsr_polylines_classify(const tsr_polylines *polylines, const tsr_execution *execution,
                                  tsr_polyline_class classes[TSR_POLYLINE_CLASSES],
                                  tsr_error *error) {
  tsr_execution own;
  polylines_work work = {.lines = polylines, .bad = -1};
  tsr_job job = {
      .execution = &own, .task = classify_task, .data = &work, .done_first = 1.0, .done_last = 1.0};
  int64_t empty = 0;
  tsr_status status;
  if (polylines->n == 0)
    return TSR_OK;
  status = check_lines(polylines, &empty, error);
  if (status == TSR_OK)
    status = tsr_take_execution(&own, execution, error);
  if (status != TSR_OK)
    return status;
  work.first = offset_at(polylines, 0);
  work.places = offset_at(polylines, polylines->n) - work.first;
  job.n = (work.places + TSR_PART - 1) / TSR_PART;
  if (job.n == 0) {
    classes[0].polylines += empty;
    return TSR_OK;
  }
  work.parts = tsr_alloc(job.n, sizeof *work.parts, "the classes of polylines", error);
  if (!work.parts)
    return TSR_NO_MEMORY;
  memset(work.parts, 0, (size_t)job.n * sizeof *work.parts);
  status = tsr_job_run(&job, 1);
  if (status == TSR_OK && work.bad >= 0)
    status = tsr_fail(error, TSR_BAD_INPUT, work.bad, "polyline %lld has an index that is no point",
                      (long long)work.bad);
  else if (status != TSR_OK)
    tsr_fail(error, status, -1, "stopped");
  for (int64_t part = 0; part < job.n && status == TSR_OK; part++)
    add_classes(classes, work.parts[part]);
  if (status == TSR_OK)
    classes[0].polylines += empty;
  free(work.parts);
  return status;
}

tsr_status tsr_polyline_classes_agree(tsr_polyline_class classes[TSR_POLYLINE_CLASSES],
                                      const tsr_processes *processes, tsr_error *error) {
  const size_t bytes = TSR_POLYLINE_CLASSES * sizeof *classes;
  tsr_polyline_class *all = tsr_alloc(processes->n, bytes, "the classes of polylines", error);
  tsr_status status = all ? TSR_OK : TSR_NO_MEMORY;
  status = tsr_processes_agree(processes, status, error);
  if (status == TSR_OK)
    status = tsr_processes_gather(processes, classes, (int64_t)bytes, all, error);
  if (status == TSR_OK) {
    memset(classes, 0, bytes);
    for (int k = 0; k < processes->n; k++)
      add_classes(classes, all + (int64_t)k * TSR_POLYLINE_CLASSES);
  }
  free(all);
  return status;
}
