/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the plan. Which items are good, how many segments each span has, and where they go. */
#include "curves/plan.h"
#include "common/part_math.h"
#include "curves/coarsen/vertex_math.h"

#include <stdlib.h>
#include <string.h>

/* A chord error that a point budget scales is clamped to this many times the largest distance of a
 * point from the origin. No point is farther from a segment, and larger errors would only lose
 * digits. */
#define TSR_FARTHEST 1024.0

/* A segment may be longer than the largest length by so much, so that rounding does not divide a
 * line of length 10 into 11 segments of length 1: of its coordinates, and of the places of points
 * along a span, which are kept in 30 bits. */
#define TSR_LENGTH_ROUNDING (1.0 + 1e-6)

/* A count that ended at the level limit carries this mark until the counts are summed. */
#define TSR_AT_LIMIT ((int64_t)1 << 62)

void tsr_curves_set_criteria(tsr_curves_plan *plan, double scale) {
  static const double radians_of_half = 3.14159265358979323846 / 360.0;
  const tsr_curves_options *o = &plan->options;
  tsr_criteria *c = &plan->criteria;
  double angle = o->turning_angle * scale;
  const double asked = o->chord_error * (o->chord_relative ? plan->reference_length : 1.0) * scale;
  const double most = TSR_FARTHEST * plan->place;
  const double chord = scale > 1.0 && plan->place > 0.0 && asked > most ? most : asked;
  const double outside = o->vertices == TSR_VERTICES_WITHIN_TOLERANCE ? chord : 0.0;
  plan->rounding = plan->view.single_points ? tsr_curves_rounding(plan->place + outside) : 0.0;
  c->rules.knots = o->knots;
  c->rules.tension = o->tension;
  c->sampling = o->sampling;
  c->max_level = o->max_level;
  c->use_curvature = o->use_curvature;
  c->min_points = o->min_points;
  c->max_points = o->max_points;
  c->curvature_factor = o->curvature_factor / scale;
  c->use_chord = o->use_chord_error;
  c->chord = plan->rounding < 0.5 * chord ? chord - plan->rounding : 0.5 * chord;
  c->rounding = plan->rounding;
  c->use_turning = o->use_turning_angle && angle < 180.0; /* no angle is beyond that */
  c->turning_cos = cos((angle < 180.0 ? angle : 180.0) * radians_of_half);
  c->use_length = o->use_max_length;
  c->length = o->max_length * scale * TSR_LENGTH_ROUNDING;
  c->use_field = c->n_fields > 0;
  c->field = o->field_error * scale;
  c->off_curve = o->vertices == TSR_VERTICES_WITHIN_TOLERANCE;
  c->coarsen = o->joints == TSR_JOINTS_WHERE_NEEDED;
  plan->report.tolerance_scale = scale;
  plan->report.chord_tolerance = c->use_chord ? chord : 0.0;
}

/* 1 if there are joints, and they may go. The spans must be counted. */
static int coarsens(const tsr_curves_plan *plan) {
  return tsr_joints_may_go(&plan->criteria) && plan->n_spans > plan->view.n_items;
}

/* 1 if the parameters of segments are kept, in fixed point: those of equal steps follow from their
 * number, but where joints go. */
static int lists_leaves(const tsr_curves_plan *plan) {
  return plan->options.sampling != TSR_SAMPLING_UNIFORM || coarsens(plan);
}

/* Most segments that a count may come to before joints go: more than four for each that stays in a
 * span, and one a span, are taken not to come down to the limit. */
static int64_t fine_limit(const tsr_curves_plan *plan) {
  if (!coarsens(plan) || plan->limit > TSR_MOST_POINTS / 8)
    return plan->limit;
  return 4 * plan->limit + plan->n_spans;
}

static void check_task(void *data, int64_t begin, int64_t end) {
  tsr_curves_plan *plan = data;
  for (int64_t i = begin; i < end; ++i) {
    const unsigned notes = tsr_curves_check_item(&plan->view, i);
    plan->notes[i] = (uint16_t)notes;
    plan->span_start[i] = 0;
    if (!(notes & TSR_NOTES_BAD)) {
      const tsr_item item = tsr_item_at(&plan->view, i);
      if (tsr_item_good(notes, &item))
        plan->span_start[i] = item.n_spans;
    }
  }
}

static int64_t span_chunks(const tsr_curves_plan *plan) {
  return (plan->n_spans + TSR_SPAN_CHUNK - 1) / TSR_SPAN_CHUNK;
}

/* Notes and spans of every item. */
static tsr_status check(tsr_curves_plan *plan, tsr_error *error) {
  const int64_t n = plan->view.n_items;
  tsr_job job = {.execution = &plan->execution, .task = check_task, .data = plan, .n = n};
  tsr_status status;
  int64_t n_chunks;
  plan->notes = tsr_alloc(n, sizeof *plan->notes, "the notes on curves", error);
  plan->span_start = tsr_alloc(n + 1, sizeof(int64_t), "the spans of curves", error);
  plan->point_start = tsr_alloc(n + 1, sizeof(int64_t), "the points of curves", error);
  plan->cell_start = tsr_alloc(n + 1, sizeof(int64_t), "the cells of curves", error);
  if (!plan->notes || !plan->span_start || !plan->point_start || !plan->cell_start)
    return TSR_NO_MEMORY;
  job.done_last = 0.1;
  status = tsr_job_run(&job, 4096);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the curves were checked");
  plan->n_spans = tsr_scan(plan->span_start, n);
  plan->segment_start = tsr_alloc(plan->n_spans + 1, sizeof(int64_t), "the spans", error);
  if (!plan->segment_start)
    return TSR_NO_MEMORY;
  if (!lists_leaves(plan))
    return TSR_OK;
  n_chunks = span_chunks(plan);
  plan->leaves = tsr_alloc(n_chunks, sizeof *plan->leaves, "the leaves", error);
  if (!plan->leaves)
    return TSR_NO_MEMORY;
  memset(plan->leaves, 0, (size_t)n_chunks * sizeof *plan->leaves);
  return TSR_OK;
}

int64_t tsr_curves_item_of_span(const tsr_curves_plan *plan, int64_t s) {
  return tsr_part_at(plan->span_start, 0, plan->view.n_items, s);
}

/* What a thread may count before it tells the others: so many leaves, each of which is looked at
 * and kept, or segments of uniform spans, most of which have a closed form. */
#define TSR_COUNT_LEAVES 1024
#define TSR_COUNT_SEGMENTS 65536

typedef struct tsr_count_work {
  tsr_curves_plan *plan;
  tsr_job *job;
  int64_t limit;
} tsr_count_work;

/* What one task has counted. */
typedef struct tsr_tally {
  const tsr_count_work *work;
  int64_t most;   /* counted in private */
  int64_t own;    /* counted and not told yet */
  int64_t others; /* what all had told when this task last did */
} tsr_tally;

/* Tells the other threads. 0 where all are to stop: there are too many, or the user wants it. */
static int tell_count(tsr_tally *tally) {
  const tsr_count_work *work = tally->work;
  tally->others = atomic_fetch_add(&work->plan->running, tally->own) + tally->own;
  tally->own = 0;
  if (tally->others > work->limit)
    tsr_job_stop(work->job, TSR_TOO_LARGE);
  return tsr_job_goes_on(work->job);
}

/* Adds n, which the other threads learn from time to time only: threads that all count in one place
 * wait for each other. 0 where all are to stop. */
static int add_count(tsr_tally *tally, int64_t n) {
  tally->own += n;
  return (tally->own < tally->most && tally->others + tally->own <= tally->work->limit) ||
         tell_count(tally);
}

/* Appends n segments of equal steps, where they are listed; their number, or -1 where all shall
 * stop. */
static int64_t count_uniform(tsr_leaves *leaves, int64_t n, tsr_tally *tally) {
  for (int64_t k = 0; leaves && k < n; ++k) {
    if (leaves->n == leaves->room && !tsr_leaves_grow(leaves)) {
      tsr_job_stop(tally->work->job, TSR_NO_MEMORY);
      return -1;
    }
    leaves->fixed[leaves->n++] = tsr_uniform_fixed(k, n);
  }
  return add_count(tally, n) ? n : -1;
}

/* Counts straight spans, of one segment each. 0 where all are to stop. */
static int count_straight(tsr_leaves *leaves, int64_t *segments, int64_t n, tsr_tally *tally) {
  for (int64_t s = 0; s < n; ++s)
    segments[s] = 1;
  while (leaves && leaves->room - leaves->n < n)
    if (!tsr_leaves_grow(leaves)) {
      tsr_job_stop(tally->work->job, TSR_NO_MEMORY);
      return 0;
    }
  if (leaves) {
    memset(leaves->fixed + leaves->n, 0, (size_t)n * sizeof *leaves->fixed);
    leaves->n += n;
  }
  return add_count(tally, n);
}

/* Appends the leaves of one span; their number, or -1 where all are to stop. */
static int64_t collect_leaves(tsr_leaves *leaves, tsr_span_case *it, tsr_tally *tally) {
  const int64_t first = leaves->n;
  tsr_leaf node = {0, 0};
  while (tsr_next_leaf(it, &node)) {
    if (leaves->n - first == it->most) {
      leaves->n = first;
      add_count(tally, -it->most);
      return count_uniform(leaves, tsr_most_steps(it), tally);
    }
    if (leaves->n == leaves->room && !tsr_leaves_grow(leaves)) {
      tsr_job_stop(tally->work->job, TSR_NO_MEMORY);
      return -1;
    }
    leaves->fixed[leaves->n++] = tsr_leaf_fixed(&node);
    if (!add_count(tally, 1))
      return -1;
    tsr_pass_leaf(&node);
  }
  return leaves->n - first;
}

/* Segments of one span; -1 where all are to stop. */
static int64_t count_span(tsr_leaves *leaves, tsr_span_case *it, tsr_tally *tally) {
  if (it->criteria->sampling == TSR_SAMPLING_UNIFORM)
    return count_uniform(leaves, it->uniform_count, tally);
  if (it->criteria->sampling == TSR_SAMPLING_EQUAL_ERROR) {
    const int64_t n = tsr_equal_collect(leaves, it, tally->work->job);
    if (n != 0)
      return n > 0 && add_count(tally, n) ? n : -1;
  }
  return collect_leaves(leaves, it, tally);
}

static void count_task(void *data, int64_t begin, int64_t end) {
  const tsr_count_work *work = data;
  tsr_curves_plan *plan = work->plan;
  tsr_leaves *leaves = plan->leaves ? &plan->leaves[begin / TSR_SPAN_CHUNK] : NULL;
  int64_t i = tsr_curves_item_of_span(plan, begin);
  tsr_item item = tsr_item_at(&plan->view, i);
  /* What asks for points on a straight line; the curvature factor takes 2 there. */
  const int straight = !plan->criteria.use_length;
  tsr_tally tally = {work, leaves ? TSR_COUNT_LEAVES : TSR_COUNT_SEGMENTS, 0, 0};
  tally.others = atomic_load(&plan->running);
  if (leaves)
    leaves->n = 0;
  for (int64_t s = begin; s < end; ++s) {
    tsr_span span;
    tsr_span_case it;
    int64_t n;
    if (s >= plan->span_start[i + 1]) {
      while (s >= plan->span_start[i + 1])
        ++i;
      item = tsr_item_at(&plan->view, i);
    }
    if (straight && item.kind == TSR_KIND_STRAIGHT) {
      const int64_t stop = plan->span_start[i + 1] < end ? plan->span_start[i + 1] : end;
      if (!count_straight(leaves, plan->segment_start + s, stop - s, &tally))
        return;
      s = stop - 1;
      continue;
    }
    tsr_span_make(&plan->view, &item, &plan->criteria.rules, s - plan->span_start[i], &span);
    tsr_span_case_init(&it, &plan->view, &plan->criteria, &span);
    n = count_span(leaves, &it, &tally);
    if (n < 0)
      return;
    plan->segment_start[s] = it.at_limit ? n + TSR_AT_LIMIT : n;
  }
  if (atomic_fetch_add(&plan->running, tally.own) + tally.own > work->limit)
    tsr_job_stop(work->job, TSR_TOO_LARGE);
}

/* Frees the leaves: what a count that came to too many has left must not burden the next one, which
 * may fill other chunks. */
static void free_leaves(tsr_curves_plan *plan) {
  for (int64_t c = 0; plan->leaves && c < span_chunks(plan); ++c) {
    free(plan->leaves[c].fixed);
    memset(&plan->leaves[c], 0, sizeof plan->leaves[c]);
  }
}

/* Takes the marks off the counts and notes their items. */
static void note_limits(tsr_curves_plan *plan) {
  int64_t i = 0;
  for (int64_t j = 0; j < plan->view.n_items; ++j)
    plan->notes[j] &= (uint16_t)~TSR_NOTE_BIT(TSR_NOTE_LEVEL_LIMIT);
  for (int64_t s = 0; s < plan->n_spans; ++s) {
    while (s >= plan->span_start[i + 1])
      ++i;
    if (plan->segment_start[s] >= TSR_AT_LIMIT) {
      plan->segment_start[s] -= TSR_AT_LIMIT;
      plan->notes[i] |= (uint16_t)TSR_NOTE_BIT(TSR_NOTE_LEVEL_LIMIT);
    }
  }
}

/* The item's places in the output, from the segments before it; and the sizes. */
static void sum(tsr_curves_plan *plan) {
  tsr_curves_sizes *sizes = &plan->sizes;
  int64_t open = 0, cells = 0;
  for (int note = 0; note < TSR_NOTES; ++note) {
    sizes->notes[note].count = 0;
    sizes->notes[note].first = -1;
  }
  for (int64_t i = 0; i < plan->view.n_items; ++i) {
    const unsigned notes = plan->notes[i];
    plan->point_start[i] = plan->segment_start[plan->span_start[i]] + open;
    plan->cell_start[i] = cells;
    if (!(notes & TSR_NOTES_BAD)) {
      const tsr_item item = tsr_item_at(&plan->view, i);
      if (tsr_item_good(notes, &item)) {
        open += item.closed ? 0 : 1;
        ++cells;
      }
    }
    for (int note = 0; notes && note < TSR_NOTES; ++note) {
      if (!(notes & TSR_NOTE_BIT(note)))
        continue;
      if (sizes->notes[note].count++ == 0)
        sizes->notes[note].first = i;
    }
  }
  plan->point_start[plan->view.n_items] = plan->segment_start[plan->n_spans] + open;
  plan->cell_start[plan->view.n_items] = cells;
  sizes->points = plan->segment_start[plan->n_spans] + open;
  sizes->cells = cells;
  sizes->connectivity = plan->segment_start[plan->n_spans] + cells;
}

static tsr_status count_on_cpu(tsr_curves_plan *plan, tsr_error *error) {
  tsr_count_work work = {plan, NULL, plan->fine_limit};
  tsr_job job = {.execution = &plan->execution, .task = count_task, .data = &work};
  tsr_status status;
  work.job = &job;
  job.n = plan->n_spans;
  job.done_first = 0.1;
  job.done_last = 0.4;
  atomic_store(&plan->running, 0);
  status = tsr_job_run(&job, TSR_SPAN_CHUNK);
  if (status != TSR_OK)
    free_leaves(plan);
  if (status == TSR_ABORTED)
    return tsr_fail(error, status, -1, "stopped while the points were counted");
  if (status == TSR_NO_MEMORY)
    return tsr_fail(error, status, -1, "there is no memory for the leaves of more than %lld points",
                    (long long)atomic_load(&plan->running));
  if (status == TSR_OK) {
    note_limits(plan);
    tsr_scan(plan->segment_start, plan->n_spans);
    if (coarsens(plan))
      status = tsr_curves_coarsen(plan, error);
    if (status != TSR_OK)
      return status;
    sum(plan);
  }
  if (status == TSR_TOO_LARGE || plan->sizes.points > plan->limit)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the curves need more than %lld points, the most that there is room for (%lld "
                    "spans so far asked for %lld); raise the tolerances or set a point budget",
                    (long long)plan->limit, (long long)atomic_load(&job.done),
                    (long long)atomic_load(&plan->running));
  return status;
}

tsr_status tsr_curves_plan_on_cpu(tsr_curves_plan *plan, tsr_error *error) {
  const tsr_status status = check(plan, error);
  return status == TSR_OK ? count_on_cpu(plan, error) : status;
}

tsr_status tsr_curves_count(tsr_curves_plan *plan, tsr_error *error) {
  const int by_device = plan->device != NULL;
  const int64_t deepest = (int64_t)1 << plan->options.max_level;
  tsr_status status;
  /* As many as it takes to see that they are too many. */
  plan->fine_limit = fine_limit(plan);
  plan->criteria.most_segments = plan->fine_limit < deepest ? plan->fine_limit + 1 : deepest;
  plan->criteria.fixed_steps = lists_leaves(plan);
  status = tsr_curves_foresee(plan, error);
  if (status == TSR_OK && by_device)
    status = tsr_curves_device_count(plan, error);
  if (status == TSR_OK && !plan->device)
    status = by_device ? tsr_curves_plan_on_cpu(plan, error) : count_on_cpu(plan, error);
  plan->sizes.notes[TSR_NOTE_CORNER] = plan->turns;
  plan->counted = status == TSR_OK;
  return status;
}

/* What the chord error refers to, and what rounding takes of it. */
static tsr_status measure(tsr_curves_plan *plan, tsr_error *error) {
  const tsr_curves_options *o = &plan->options;
  const int single = plan->view.single_points;
  const int no_length = o->chord_relative && !(o->reference_length > 0.0);
  double place = o->largest_place, b[6];
  tsr_status status;
  plan->reference_length = o->reference_length;
  if (o->use_chord_error && (no_length || (single && !(place > 0.0)))) {
    status = tsr_curves_bounds(&plan->view, &plan->execution, b, error);
    if (status != TSR_OK)
      return status;
    place = place > 0.0 ? place : tsr_curves_largest_place(b);
    if (no_length)
      plan->reference_length = tsr_curves_diagonal(b);
  }
  plan->place = place;
  return TSR_OK;
}

/* Everything after the structs were copied. */
static tsr_status plan_make(tsr_curves_plan *plan, tsr_error *error) {
  tsr_status status = tsr_curves_check_view(&plan->view, error);
  if (status != TSR_OK)
    return status;
  status = tsr_curves_check_options(&plan->options, plan->view.points.tuples, error);
  if (status != TSR_OK)
    return status;
  status = tsr_curves_take_kinds(plan, error);
  if (status != TSR_OK)
    return status;
  status = measure(plan, error);
  if (status != TSR_OK)
    return status;
  status = tsr_curves_take_arrays(plan, error);
  if (status != TSR_OK)
    return status;
  plan->limit = plan->options.limit_points > 0 ? plan->options.limit_points : TSR_MOST_POINTS;
  tsr_curves_set_criteria(plan, 1.0);
  status = tsr_curves_take_slopes(plan, error);
  if (status != TSR_OK)
    return status;
  status = tsr_curves_take_turns(plan, error);
  if (status != TSR_OK)
    return status;
  status = tsr_curves_device_open(plan, error);
  if (status != TSR_OK)
    return status;
  if (!plan->device)
    status = check(plan, error);
  return status == TSR_OK && !plan->options.defer_count ? tsr_curves_count(plan, error) : status;
}

/* Takes the caller's structs over. */
static tsr_status take(tsr_curves_plan *plan, const tsr_curves_view *view,
                       const tsr_curves_options *options, const tsr_execution *execution,
                       tsr_error *error) {
  tsr_status status;
  tsr_curves_view_init(&plan->view);
  tsr_curves_options_init(&plan->options);
  status = tsr_copy_versioned(&plan->view, sizeof plan->view, view, "view", TSR_BAD_INPUT, error);
  if (status == TSR_OK)
    status = tsr_copy_versioned(&plan->options, sizeof plan->options, options, "options",
                                TSR_BAD_OPTION, error);
  return status == TSR_OK ? tsr_take_execution(&plan->execution, execution, error) : status;
}

tsr_status tsr_curves_plan_create(const tsr_curves_view *view, const tsr_curves_options *options,
                                  const tsr_execution *execution, tsr_curves_plan **plan,
                                  tsr_error *error) {
  tsr_status status;
  tsr_curves_plan *made = tsr_plan_alloc(sizeof *made, plan, view, options, &status, error);
  if (made)
    status = take(made, view, options, execution, error);
  if (status == TSR_OK) {
    const double start = tsr_now(&made->execution);
    status = plan_make(made, error);
    made->report.plan_seconds = tsr_now(&made->execution) - start;
  }
  if (status != TSR_OK) {
    tsr_curves_plan_free(made);
    made = NULL;
  }
  if (plan)
    *plan = made;
  return status;
}

void tsr_curves_plan_free(tsr_curves_plan *plan) {
  if (!plan)
    return;
  tsr_curves_device_close(plan);
  free_leaves(plan);
  free(plan->leaves);
  free(plan->notes);
  free(plan->span_start);
  free(plan->point_start);
  free(plan->cell_start);
  free(plan->segment_start);
  free(plan->walk_start);
  free(plan->walk_error);
  free(plan->fields);
  free(plan->labels);
  free(plan->kinds);
  free(plan->slopes);
  free(plan);
}

const tsr_curves_sizes *tsr_curves_plan_sizes(const tsr_curves_plan *plan) { return &plan->sizes; }

void tsr_curves_plan_report(const tsr_curves_plan *plan, tsr_report *report) {
  *report = plan->report;
  report->backend = plan->device ? TSR_BACKEND_CUDA : TSR_BACKEND_CPU;
  report->threads = plan->execution.threads;
  report->items = plan->view.n_items;
  report->spans = plan->n_spans;
  report->points = plan->sizes.points;
  report->cells = plan->sizes.cells;
}
