/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curves: the plan, from the view to exact sizes. This file calls the phases in the order of the
 * work, and none of them calls back:
 *
 *     tsr_curves_check_view, _options    check.c     what the caller gave
 *     take_kinds, _arrays, _slopes, _turns           what criteria and spans need
 *     tsr_curves_device_open             device.c    decides where the plan runs, once
 *     check                              check.c     notes and spans of each item
 *     tsr_curves_foresee                 sampling/   refuses what a sample shows to be hopeless
 *     tsr_curves_count_here              count.c     segments of each span, coarsening, sizes
 *
 * On a device, open does the work of check, and tsr_curves_device_count that of count_here. A point
 * budget (budget.c) is a search around tsr_curves_count.
 *
 * One place falls back to the CPU: tsr_curves_start_again. Where the device gives up under Auto,
 * tsr_curves_count or the fill calls it, and what the device made is dropped.
 */
#include "curves/plan.h"
#include "curves/sampling/lanes.h"

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

void tsr_curves_set_criteria(tsr_curves_plan *plan, double scale) {
  static const double radians_of_half = 3.14159265358979323846 / 360.0;
  const tsr_curves_options *o = &plan->options;
  tsr_curves_criteria *c = &plan->criteria;
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
  c->n_segments = o->n_segments > scale ? (int64_t)(o->n_segments / scale) : 1;
  c->n_segments = o->use_max_length ? 0 : c->n_segments;
  c->length = o->max_length * scale * TSR_LENGTH_ROUNDING;
  c->use_field = c->n_fields > 0;
  c->field = o->field_error * scale;
  c->off_curve = o->vertices == TSR_VERTICES_WITHIN_TOLERANCE;
  c->coarsen = o->joints == TSR_JOINTS_WHERE_NEEDED;
  c->wide = tsr_lanes_are_wide();
  plan->report.tolerance_scale = scale;
  plan->report.chord_tolerance = c->use_chord ? chord : 0.0;
}

/* 1 if the parameters of segments are kept, in fixed point: those of equal steps follow from their
 * number, but where joints go. */
static int lists_leaves(const tsr_curves_plan *plan) {
  return plan->options.sampling != TSR_SAMPLING_UNIFORM || tsr_curves_coarsens(plan);
}

/* Most segments that a count may come to before joints go: more than four for each that stays in a
 * span, and one a span, are taken not to come down to the limit. */
static int64_t fine_limit(const tsr_curves_plan *plan) {
  if (!tsr_curves_coarsens(plan) || plan->limit > TSR_MOST_POINTS / 8)
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

/* Frees what the CPU's check and count made. */
static void free_items(tsr_curves_plan *plan) {
  tsr_curves_free_leaves(plan);
  free(plan->leaves);
  free(plan->notes);
  free(plan->span_start);
  free(plan->point_start);
  free(plan->cell_start);
  free(plan->segment_start);
  plan->leaves = NULL;
  plan->notes = NULL;
  plan->span_start = plan->point_start = plan->cell_start = plan->segment_start = NULL;
}

/* Notes and spans of every item, unless they are known. */
static tsr_status check(tsr_curves_plan *plan, tsr_error *error) {
  const int64_t n = plan->view.n_items;
  tsr_job job = {
      .execution = &plan->execution, .task = check_task, .data = plan, .n = n, .done_last = 0.1};
  tsr_status status;
  if (plan->segment_start)
    return TSR_OK;
  free_items(plan);
  plan->notes = tsr_alloc(n, sizeof *plan->notes, "the notes on curves", error);
  plan->span_start = tsr_alloc(n + 1, sizeof(int64_t), "the spans of curves", error);
  plan->point_start = tsr_alloc(n + 1, sizeof(int64_t), "the points of curves", error);
  plan->cell_start = tsr_alloc(n + 1, sizeof(int64_t), "the cells of curves", error);
  if (!plan->notes || !plan->span_start || !plan->point_start || !plan->cell_start)
    return TSR_NO_MEMORY;
  status = tsr_job_run(&job, 4096);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the curves were checked");
  plan->n_spans = tsr_scan(plan->span_start, n);
  if (lists_leaves(plan) && tsr_curves_make_leaves(plan, error) != TSR_OK)
    return TSR_NO_MEMORY;
  /* The last array: where it is, all are. */
  plan->segment_start = tsr_alloc(plan->n_spans + 1, sizeof(int64_t), "the spans", error);
  return plan->segment_start ? TSR_OK : TSR_NO_MEMORY;
}

/* Counts where the plan is, on its device or here. */
static tsr_status count(tsr_curves_plan *plan, tsr_error *error) {
  const int64_t deepest = (int64_t)1 << plan->options.max_level;
  tsr_status status = plan->device ? TSR_OK : check(plan, error);
  if (status != TSR_OK)
    return status;
  /* As many as it takes to see that they are too many. */
  plan->fine_limit = fine_limit(plan);
  plan->criteria.most_segments = plan->fine_limit < deepest ? plan->fine_limit + 1 : deepest;
  plan->criteria.fixed_steps = lists_leaves(plan);
  status = tsr_curves_foresee(plan, error);
  if (status != TSR_OK)
    return status;
  return plan->device ? tsr_curves_device_count(plan, error) : tsr_curves_count_here(plan, error);
}

/* Notes what came out of a count. */
static tsr_status counted(tsr_curves_plan *plan, tsr_status status) {
  plan->sizes.notes[TSR_NOTE_CORNER] = plan->turns;
  plan->counted = status == TSR_OK;
  return status;
}

tsr_status tsr_curves_start_again(tsr_curves_plan *plan, tsr_error *error) {
  tsr_curves_device_close(plan);
  return counted(plan, count(plan, error));
}

tsr_status tsr_curves_count(tsr_curves_plan *plan, tsr_error *error) {
  tsr_error why;
  tsr_status status = counted(plan, count(plan, &why));
  if (tsr_curves_device_gave_up(plan, status, &why))
    status = tsr_curves_start_again(plan, &why);
  return status == TSR_OK ? TSR_OK : tsr_fail(error, status, why.item, "%s", why.text);
}

/* What the chord error refers to, and what rounding takes of it, or adds to the error of segments
 * that no chord error bounds. */
static tsr_status measure(tsr_curves_plan *plan, tsr_error *error) {
  const tsr_curves_options *o = &plan->options;
  const int single = plan->view.single_points;
  const int no_length = o->use_chord_error && o->chord_relative && !(o->reference_length > 0.0);
  const int rounds = single && (o->use_chord_error || o->sampling == TSR_SAMPLING_EQUAL_ARC_LENGTH);
  double place = o->largest_place, b[6];
  tsr_status status;
  plan->reference_length = o->reference_length;
  if (no_length || (rounds && !(place > 0.0))) {
    status = plan->execution.device_arrays
                 ? tsr_curves_device_bounds(plan, b, error)
                 : tsr_curves_bounds(&plan->view, &plan->execution, b, error);
    if (status != TSR_OK)
      return status;
    place = place > 0.0 ? place : tsr_curves_largest_place(b);
    if (no_length)
      plan->reference_length = tsr_curves_diagonal(b);
  }
  plan->place = place;
  return TSR_OK;
}

/* What must be right before an array is looked at that may lie on a device. */
static tsr_status check_places(const tsr_curves_plan *plan, tsr_error *error) {
  int on_device;
  tsr_status status = TSR_OK;
  if (plan->execution.device_arrays)
    status = tsr_choose_device(&plan->execution, 1, &on_device, error);
  return status == TSR_OK ? tsr_curves_check_kinds_place(plan, error) : status;
}

/* Everything after the structs were copied. */
static tsr_status plan_make(tsr_curves_plan *plan, tsr_error *error) {
  const int later = plan->execution.device_arrays; /* the device has to measure */
  tsr_status status = check_places(plan, error);
  if (status == TSR_OK)
    status = tsr_curves_check_view(&plan->view, error);
  if (status != TSR_OK)
    return status;
  status = tsr_curves_check_options(&plan->options, plan->view.points.tuples, error);
  if (status != TSR_OK)
    return status;
  status = tsr_curves_take_kinds(plan, error);
  if (status != TSR_OK)
    return status;
  status = later ? TSR_OK : measure(plan, error);
  if (status != TSR_OK)
    return status;
  status = tsr_curves_take_arrays(plan, error);
  if (status != TSR_OK)
    return status;
  plan->limit = tsr_curves_own_limit(&plan->options);
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
  if (later)
    status = measure(plan, error);
  if (later)
    tsr_curves_set_criteria(plan, 1.0);
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
  if (status == TSR_OK)
    tsr_curves_options_settle(&plan->options);
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
  free_items(plan);
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
  report->smooth_lines = plan->smooth_lines;
}
