/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the count by equal arc length. It measures all spans, divides each curve, lists the
 *  leaves, and bounds how far the segments, which pass over joints, are from the curves. */
#include "curves/plan.h"
#include "curves/sampling/arc_math.h"

#include <stdlib.h>

#define TSR_LEAVES_A_LOOK 1024 /* so often a span asks whether the job goes on */
#define TSR_ITEMS_A_TASK 256

typedef struct tsr_arc_work {
  tsr_curves_plan *plan;
  tsr_job *job;
  double *lengths; /* n_spans: of each span; then before it in its curve; then its error */
  double *totals;  /* n_items: lengths of the curves */
} tsr_arc_work;

/* A span, its item, and the number of both. */
typedef struct tsr_arc_at {
  int64_t i, s;
  tsr_item item;
} tsr_arc_at;

/* Moves on to span s. */
static void move_to(tsr_arc_at *at, const tsr_curves_plan *plan, int64_t s) {
  if (at->s < 0)
    at->i = tsr_part_at(plan->span_start, 0, plan->view.n_items, s);
  while (s >= plan->span_start[at->i + 1])
    ++at->i;
  at->item = tsr_item_at(&plan->view, at->i);
  at->s = s;
}

static void measure(const tsr_curves_plan *plan, const tsr_arc_at *at, tsr_arc *arc) {
  tsr_span span;
  tsr_net net;
  tsr_span_make(&plan->view, &at->item, &plan->criteria.rules, at->s - plan->span_start[at->i],
                &span);
  tsr_span_net(&plan->view, &span, &net);
  tsr_arc_make(arc, &net);
}

static void measure_task(void *data, int64_t begin, int64_t end) {
  const tsr_arc_work *work = data;
  tsr_arc_at at = {.s = -1};
  tsr_arc arc;
  for (int64_t s = begin; s < end; ++s) {
    move_to(&at, work->plan, s);
    measure(work->plan, &at, &arc);
    work->lengths[s] = arc.length;
  }
}

static void divide_task(void *data, int64_t begin, int64_t end) {
  const tsr_arc_work *work = data;
  tsr_curves_plan *plan = work->plan;
  const int64_t limit = plan->fine_limit;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t first = plan->span_start[i], n = plan->span_start[i + 1] - first;
    tsr_arc_cut cut;
    if (n == 0)
      continue;
    cut = tsr_arc_divide(&plan->criteria, tsr_item_at(&plan->view, i).closed, work->lengths + first,
                         plan->segment_start + first, n);
    work->totals[i] = cut.total;
    plan->notes[i] &= (uint16_t)~TSR_NOTE_BIT(TSR_NOTE_LEVEL_LIMIT);
    plan->notes[i] |= (uint16_t)(cut.limited ? TSR_NOTE_BIT(TSR_NOTE_LEVEL_LIMIT) : 0);
    if (cut.n_segments > limit ||
        atomic_fetch_add(&plan->running, cut.n_segments) + cut.n_segments > limit) {
      tsr_job_stop(work->job, TSR_TOO_LARGE);
      return;
    }
  }
}

/* Lists the leaves of the spans [begin, end), which are one chunk. */
static void list_task(void *data, int64_t begin, int64_t end) {
  const tsr_arc_work *work = data;
  const tsr_curves_plan *plan = work->plan;
  const int64_t *starts = plan->segment_start;
  tsr_leaves *leaves = &plan->leaves[begin / TSR_SPAN_CHUNK];
  tsr_arc_at at = {.s = -1};
  tsr_arc arc;
  leaves->n = 0;
  for (int64_t s = begin; s < end; ++s) {
    tsr_arc_cut cut = {0.0, 0, 0, 0};
    int64_t first;
    int cell = 0;
    if (starts[s + 1] == starts[s])
      continue;
    move_to(&at, plan, s);
    measure(plan, &at, &arc);
    first = starts[plan->span_start[at.i]];
    cut.total = work->totals[at.i];
    cut.n_segments = starts[plan->span_start[at.i + 1]] - first;
    for (int64_t k = starts[s]; k < starts[s + 1]; ++k) {
      if (leaves->n == leaves->room && !tsr_leaves_grow(leaves)) {
        tsr_job_stop(work->job, TSR_NO_MEMORY);
        return;
      }
      leaves->fixed[leaves->n++] = tsr_arc_leaf(&arc, &cut, work->lengths[s], k - first, &cell);
      if (leaves->n % TSR_LEAVES_A_LOOK == 0 && !tsr_job_goes_on(work->job))
        return;
    }
  }
}

/* The span's leaf that segment number k begins with, or the curve's end where k is -1. */
static uint32_t leaf_at(const tsr_curves_plan *plan, int64_t s, int64_t k) {
  const int64_t chunk = s / TSR_SPAN_CHUNK;
  return k < 0 ? (uint32_t)TSR_FIXED_ONE
               : plan->leaves[chunk].fixed[k - plan->segment_start[chunk * TSR_SPAN_CHUNK]];
}

static void load_span(const tsr_curves_plan *plan, const tsr_arc_at *at, int64_t s,
                      tsr_vertex_span *it) {
  tsr_vertex_span_make(it, &plan->view, &plan->criteria, &at->item, s - plan->span_start[at->i],
                       NULL, 0);
}

/* Where a vertex of the curve is. */
static void place(const tsr_curves_plan *plan, const tsr_arc_at *at, const tsr_arc_vertex *vertex,
                  double x[3]) {
  tsr_vertex_span it;
  load_span(plan, at, vertex->span, &it);
  tsr_vertex_place(&it, leaf_at(plan, vertex->span, vertex->segment), x);
}

static void bound_task(void *data, int64_t begin, int64_t end) {
  const tsr_arc_work *work = data;
  const tsr_curves_plan *plan = work->plan;
  const int64_t *starts = plan->segment_start;
  tsr_arc_at at = {.s = -1};
  for (int64_t s = begin; s < end; ++s) {
    const tsr_leaves *leaves = &plan->leaves[s / TSR_SPAN_CHUNK];
    const int64_t first = s / TSR_SPAN_CHUNK * TSR_SPAN_CHUNK;
    tsr_arc_vertex before, after;
    tsr_vertex_span it;
    double from[3], to[3];
    move_to(&at, plan, s);
    tsr_arc_around(starts, plan->span_start[at.i], plan->span_start[at.i + 1], s, &before, &after);
    place(plan, &at, &before, from);
    place(plan, &at, &after, to);
    load_span(plan, &at, s, &it);
    work->lengths[s] = tsr_arc_span_error(&it, leaves->fixed + (starts[s] - starts[first]),
                                          starts[s + 1] - starts[s], from, to);
  }
}

/* Each curve's error, the largest of its spans, as that of a walk, of which each curve has one. */
static void keep_errors(tsr_curves_plan *plan, const double *errors) {
  for (int64_t i = 0; i < plan->view.n_items; ++i) {
    double most = 0.0;
    for (int64_t s = plan->span_start[i]; s < plan->span_start[i + 1]; ++s)
      most = errors[s] > most ? errors[s] : most;
    plan->walk_start[i] = i;
    plan->walk_error[i] = most;
  }
  plan->walk_start[plan->view.n_items] = plan->view.n_items;
}

static tsr_status run_over(tsr_arc_work *work, tsr_task task, int64_t n, int64_t grain,
                           double done_first) {
  tsr_job job = {.execution = &work->plan->base.execution, .task = task, .data = work, .n = n};
  job.done_first = done_first;
  job.done_last = done_first + 0.1;
  work->job = &job;
  return tsr_job_run(&job, grain);
}

static tsr_status divide(tsr_arc_work *work) {
  tsr_curves_plan *plan = work->plan;
  const int64_t n = plan->n_spans;
  tsr_status status = run_over(work, measure_task, n, TSR_SPAN_CHUNK, 0.1);
  if (status == TSR_OK)
    status = run_over(work, divide_task, plan->view.n_items, TSR_ITEMS_A_TASK, 0.2);
  if (status != TSR_OK)
    return status;
  tsr_scan(plan->segment_start, n);
  status = run_over(work, list_task, n, TSR_SPAN_CHUNK, 0.2);
  if (status == TSR_OK)
    status = run_over(work, bound_task, n, TSR_SPAN_CHUNK, 0.3);
  if (status == TSR_OK)
    keep_errors(plan, work->lengths);
  return status;
}

tsr_status tsr_curves_divide(tsr_curves_plan *plan, tsr_error *error) {
  const int64_t n = plan->view.n_items;
  tsr_arc_work work = {.plan = plan};
  tsr_status status = TSR_NO_MEMORY;
  work.lengths = tsr_alloc(plan->n_spans, sizeof *work.lengths, "the lengths of spans", error);
  work.totals = tsr_alloc(n, sizeof *work.totals, "the lengths of curves", error);
  if (!plan->walk_start)
    plan->walk_start = tsr_alloc(n + 1, sizeof *plan->walk_start, "the errors of curves", error);
  if (!plan->walk_error)
    plan->walk_error = tsr_alloc(n, sizeof *plan->walk_error, "the errors of curves", error);
  if (work.lengths && work.totals && plan->walk_start && plan->walk_error) {
    status = divide(&work);
    if (status == TSR_NO_MEMORY)
      tsr_fail(error, status, -1, "there is no memory for the leaves of %lld segments",
               (long long)atomic_load(&plan->running));
    if (status == TSR_ABORTED)
      tsr_fail(error, status, -1, "stopped while the curves were divided");
  }
  free(work.lengths);
  free(work.totals);
  return status;
}
