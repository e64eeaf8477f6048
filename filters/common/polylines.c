/* SPDX-License-Identifier: BSD-3-Clause */
/** Polylines by their number of segments. The work is shared out by places in the connectivity, so
 *  that one long polyline is work for several threads; their sums are added in order. */
#include "common/polyline_math.h"
#include "common/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TSR_BATCH 256 /* places whose distances are found together */

typedef struct polylines_work {
  const tsr_polylines *lines;
  int64_t first, places;
  tsr_polyline_class (*parts)[TSR_POLYLINE_CLASSES];
  _Atomic int64_t bad; /* a polyline that cannot be one, or -1 */
} polylines_work;

int64_t tsr_polyline_class_least(int k) { return k == 0 ? 0 : (int64_t)1 << (k - 1); }

static int64_t offset_at(const tsr_polylines *lines, int64_t i) {
  return tsr_load_index(lines->offsets, lines->index_type, i);
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

/* The points of places [first, last), and before them the one of place first - 1 where that counts,
 * too. `points` and `ids` are the types, written as constants where this is called: the compiler
 * makes a loop of each pair. The first place that has no point, or -1. */
static inline int64_t load_points(const polylines_work *work, int64_t first, int64_t last,
                                  tsr_type points, tsr_type ids, double x[3][TSR_BATCH + 1]) {
  const tsr_polylines *lines = work->lines;
  const int64_t from = first > work->first ? first - 1 : first;
  for (int64_t place = from; place < last; place++) {
    const int64_t point = tsr_load_index(lines->connectivity, ids, place);
    if ((uint64_t)point >= (uint64_t)lines->points.tuples)
      return place;
    for (int c = 0; c < 3; c++)
      x[c][place - first + 1] = points == TSR_FLOAT
                                    ? (double)((const float *)lines->points.data)[3 * point + c]
                                    : ((const double *)lines->points.data)[3 * point + c];
  }
  return -1;
}

static int64_t load_batch(const polylines_work *work, int64_t first, int64_t last,
                          double x[3][TSR_BATCH + 1]) {
  const int wide = work->lines->index_type == TSR_INT64;
  if (work->lines->points.type == TSR_FLOAT)
    return wide ? load_points(work, first, last, TSR_FLOAT, TSR_INT64, x)
                : load_points(work, first, last, TSR_FLOAT, TSR_INT32, x);
  return wide ? load_points(work, first, last, TSR_DOUBLE, TSR_INT64, x)
              : load_points(work, first, last, TSR_DOUBLE, TSR_INT32, x);
}

/* The distance of each of n places from the place before it, even if that is of another polyline.
 */
static void measure(double x[3][TSR_BATCH + 1], int64_t n, double *lengths) {
  for (int64_t k = 0; k < n; k++) {
    const double dx = x[0][k + 1] - x[0][k], dy = x[1][k + 1] - x[1][k], dz = x[2][k + 1] - x[2][k];
    lengths[k] = tsr_polyline_leg(dx, dy, dz);
  }
}

/* What polyline i adds to its class but for the length. */
static void add_counts(const tsr_polylines *lines, int64_t begin, int64_t end,
                       tsr_polyline_class *own) {
  const int64_t segments = end - begin - 1;
  const int closed =
      segments > 1 && tsr_load_index(lines->connectivity, lines->index_type, begin) ==
                          tsr_load_index(lines->connectivity, lines->index_type, end - 1);
  own->polylines++;
  own->points += end - begin - closed;
  own->segments += segments;
}

/* The polyline that a part has come to. */
typedef struct part_line {
  int64_t i, begin, end;
  tsr_polyline_class *own; /* its class */
  double length;           /* of its places in this part so far */
} part_line;

/* Goes to the next polyline that has places, from polyline i on. */
static void go_to(const tsr_polylines *lines, int64_t i, tsr_polyline_class *classes,
                  part_line *line) {
  while (i + 1 < lines->n && offset_at(lines, i + 1) == offset_at(lines, i))
    i++;
  line->i = i;
  line->begin = offset_at(lines, i);
  line->end = offset_at(lines, i + 1);
  line->own =
      &classes[tsr_polyline_class_of(line->end > line->begin ? line->end - line->begin - 1 : 0)];
  line->length = 0.0;
}

/* Adds the places [first, last), which `line` comes to next. */
static void add_places(const tsr_polylines *lines, int64_t first, int64_t last,
                       const double *lengths, tsr_polyline_class *classes, part_line *line) {
  for (int64_t place = first; place < last;) {
    const int64_t to = line->end < last ? line->end : last;
    double length = line->length;
    if (place == line->begin) {
      add_counts(lines, line->begin, line->end, line->own);
      place++;
    }
    for (; place < to; place++)
      length += lengths[place - first];
    line->length = length;
    if (place == line->end) {
      line->own->length += length;
      if (line->i + 1 < lines->n)
        go_to(lines, line->i + 1, classes, line);
    }
  }
}

/* What the places [first, last) add to the classes; the first place of a polyline adds its counts.
 */
static int64_t classify_part(const polylines_work *work, int64_t first, int64_t last,
                             tsr_polyline_class *classes) {
  double x[3][TSR_BATCH + 1] = {{0.0}}, lengths[TSR_BATCH];
  part_line line;
  go_to(work->lines, line_at(work->lines, first), classes, &line);
  for (int64_t place = first; place < last; place += TSR_BATCH) {
    const int64_t to = last - place < TSR_BATCH ? last : place + TSR_BATCH;
    const int64_t bad = load_batch(work, place, to, x);
    if (bad >= 0)
      return bad;
    measure(x, to - place, lengths);
    add_places(work->lines, place, to, lengths, classes, &line);
  }
  if (last < line.end && last > line.begin)
    line.own->length += line.length;
  return -1;
}

static void classify_task(void *data, int64_t begin, int64_t end) {
  polylines_work *work = data;
  for (int64_t part = begin; part < end; part++) {
    const int64_t first = work->first + part * TSR_POLYLINE_PART;
    const int64_t rest = work->first + work->places - first;
    const int64_t last = first + (rest < TSR_POLYLINE_PART ? rest : TSR_POLYLINE_PART);
    const int64_t bad = classify_part(work, first, last, work->parts[part]);
    if (bad >= 0) {
      atomic_store(&work->bad, line_at(work->lines, bad));
      return;
    }
  }
}

/* 1 if no polyline ends before it begins. empty: receives how many have no point, of which no place
 * tells. */
static inline int look_at_offsets(const tsr_polylines *lines, tsr_type type, int64_t *empty) {
  int64_t falls = 0, none = 0;
  for (int64_t i = 0; i < lines->n; i++) {
    const int64_t begin = tsr_load_index(lines->offsets, type, i);
    const int64_t end = tsr_load_index(lines->offsets, type, i + 1);
    falls += end < begin;
    none += end == begin;
  }
  *empty = none;
  return falls == 0 && offset_at(lines, 0) >= 0;
}

static int offsets_rise(const tsr_polylines *lines, int64_t *empty) {
  return lines->index_type == TSR_INT64 ? look_at_offsets(lines, TSR_INT64, empty)
                                        : look_at_offsets(lines, TSR_INT32, empty);
}

/* empty: as above. */
static tsr_status check_lines(const tsr_polylines *lines, int64_t *empty, tsr_error *error) {
  const tsr_status status =
      tsr_check_array(&lines->points, "the points of polylines", 3, lines->points.tuples, error);
  int64_t i = 0;
  if (status != TSR_OK)
    return status;
  if (!lines->offsets || (lines->index_type != TSR_INT32 && lines->index_type != TSR_INT64))
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "polylines need offsets and indices of 32 or 64 bits");
  if (lines->points.type != TSR_FLOAT && lines->points.type != TSR_DOUBLE)
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "the points of polylines are neither float nor double");
  if (offsets_rise(lines, empty))
    return TSR_OK;
  while (offset_at(lines, i) >= 0 && offset_at(lines, i + 1) >= offset_at(lines, i))
    i++;
  return tsr_fail(error, TSR_BAD_INPUT, i, "polyline %lld ends before it begins", (long long)i);
}

void tsr_polyline_classes_add(tsr_polyline_class to[TSR_POLYLINE_CLASSES],
                              const tsr_polyline_class from[TSR_POLYLINE_CLASSES]) {
  for (int k = 0; k < TSR_POLYLINE_CLASSES; k++) {
    to[k].polylines += from[k].polylines;
    to[k].points += from[k].points;
    to[k].segments += from[k].segments;
    to[k].length += from[k].length;
    to[k].length = to[k].length == to[k].length ? to[k].length : (double)NAN;
  }
}

tsr_status tsr_polylines_classify(const tsr_polylines *polylines, const tsr_execution *execution,
                                  tsr_polyline_class classes[TSR_POLYLINE_CLASSES],
                                  tsr_error *error) {
  if (tsr_need(polylines && classes, "the list of polylines or the place for the classes", error))
    return TSR_BAD_INPUT;
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
  job.n = (work.places + TSR_POLYLINE_PART - 1) / TSR_POLYLINE_PART;
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
    status =
        tsr_fail(error, TSR_BAD_INPUT, work.bad,
                 "polyline %lld has the index of a point that does not exist", (long long)work.bad);
  else if (status != TSR_OK)
    tsr_fail(error, status, -1, "stopped");
  for (int64_t part = 0; part < job.n && status == TSR_OK; part++)
    tsr_polyline_classes_add(classes, work.parts[part]);
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
      tsr_polyline_classes_add(classes, all + (int64_t)k * TSR_POLYLINE_CLASSES);
  }
  free(all);
  return status;
}
