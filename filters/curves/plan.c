/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curves: the spine. This file calls the phases in the order of the work, and none of them calls
 * back:
 *
 *     take                                   the caller's structs, copied; what spans need
 *       tsr_curves_check_view, _options    check.c     what the caller gave
 *       take_kinds, _arrays, _slopes, _turns           what criteria and spans need
 *     make
 *       check, or tsr_curves_device_open   check.c     notes and spans of each item
 *       tsr_curves_foresee                 sampling/   refuses what a sample shows to be hopeless
 *       tsr_curves_count_here, or          count.c     segments of each span, coarsening, sizes
 *         tsr_curves_device_count
 *     fill                                 output/     every element once
 *
 * common/run/plan.c calls take, make and fill, chooses where the plan runs, and falls back to the
 * CPU. A point budget (budget.c) is a search around tsr_curves_count.
 */
#include "curves/plan.h"
#include "curves/coarsen/vertex_math.h"
#include "curves/output/fill.h"
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
  plan->tolerance_scale = scale;
  plan->chord_tolerance = c->use_chord ? chord : 0.0;
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

/* Finds notes and spans of every item. */
static tsr_status check(tsr_curves_plan *plan, tsr_error *error) {
  const int64_t n = plan->view.n_items;
  tsr_job job = {.execution = &plan->base.execution,
                 .task = check_task,
                 .data = plan,
                 .n = n,
                 .done_last = 0.1};
  tsr_status status;
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
  plan->segment_start = tsr_alloc(plan->n_spans + 1, sizeof(int64_t), "the spans", error);
  return plan->segment_start ? TSR_OK : TSR_NO_MEMORY;
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
    status = plan->base.execution.device_arrays
                 ? tsr_curves_device_bounds(plan, b, error)
                 : tsr_curves_bounds(&plan->view, &plan->base.execution, b, error);
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
  if (plan->base.execution.device_arrays)
    status = tsr_choose_device(&plan->base.execution, &on_device, error);
  return status == TSR_OK ? tsr_curves_check_kinds_place(plan, error) : status;
}

/* Checks what the caller gave, and finds what criteria and spans need. Arrays on a device are
 * measured later, by the device. */
static tsr_status prepare(tsr_curves_plan *plan, tsr_error *error) {
  tsr_status status = check_places(plan, error);
  if (status == TSR_OK)
    status = tsr_curves_check_view(&plan->view, error);
  if (status == TSR_OK)
    status = tsr_curves_check_options(&plan->options, plan->view.points.tuples, error);
  if (status == TSR_OK)
    status = tsr_curves_take_kinds(plan, error);
  if (status == TSR_OK && !plan->base.execution.device_arrays)
    status = measure(plan, error);
  if (status == TSR_OK)
    status = tsr_curves_take_arrays(plan, error);
  if (status != TSR_OK)
    return status;
  plan->limit = tsr_curves_own_limit(&plan->options);
  tsr_curves_set_criteria(plan, 1.0);
  status = tsr_curves_take_slopes(plan, error);
  return status == TSR_OK ? tsr_curves_take_turns(plan, error) : status;
}

static tsr_status take(void *data, const void *view, const void *options, tsr_error *error) {
  tsr_curves_plan *plan = data;
  tsr_status status;
  tsr_curves_view_init(&plan->view);
  tsr_curves_options_init(&plan->options);
  status = tsr_copy_versioned(&plan->view, sizeof plan->view, view, "view", TSR_BAD_INPUT, error);
  if (status == TSR_OK)
    status = tsr_copy_versioned(&plan->options, sizeof plan->options, options, "options",
                                TSR_BAD_OPTION, error);
  if (status != TSR_OK)
    return status;
  tsr_curves_options_settle(&plan->options);
  plan->deferred = plan->options.defer_count;
  return prepare(plan, error);
}

/* Auto takes the CPU where coarsening has so few walks that a device would wait for the longest. */
static int suits_device(const void *data) {
  const tsr_curves_plan *plan = data;
  return !tsr_joints_may_go(&plan->criteria) ||
         !tsr_curves_walks_are_few(&plan->view, plan->base.execution.threads);
}

/* Finds notes and spans of every item, on the device or here, unless they are known. */
static tsr_status find_spans(tsr_curves_plan *plan, tsr_error *error) {
  tsr_status status;
  if (plan->has_spans)
    return TSR_OK;
  status = plan->base.on_device ? tsr_curves_device_open(plan, error) : check(plan, error);
  if (status == TSR_OK && plan->base.execution.device_arrays) {
    status = measure(plan, error);
    tsr_curves_set_criteria(plan, 1.0);
  }
  plan->has_spans = status == TSR_OK;
  return status;
}

static tsr_status count(tsr_curves_plan *plan, tsr_error *error) {
  const int64_t deepest = (int64_t)1 << plan->options.max_level;
  tsr_status status;
  /* As many as it takes to see that they are too many. */
  plan->fine_limit = fine_limit(plan);
  plan->criteria.most_segments = plan->fine_limit < deepest ? plan->fine_limit + 1 : deepest;
  plan->criteria.fixed_steps = lists_leaves(plan);
  status = tsr_curves_foresee(plan, error);
  if (status == TSR_OK)
    status = plan->base.on_device ? tsr_curves_device_count(plan, error)
                                  : tsr_curves_count_here(plan, error);
  plan->sizes.notes[TSR_NOTE_CORNER] = plan->turns;
  plan->counted = status == TSR_OK;
  return status;
}

static tsr_status make(void *data, tsr_error *error) {
  tsr_curves_plan *plan = data;
  const tsr_status status = find_spans(plan, error);
  return status == TSR_OK && !plan->deferred ? count(plan, error) : status;
}

static tsr_status fill(void *data, const void *output, tsr_error *error) {
  tsr_curves_plan *plan = data;
  const tsr_curves_output *out = output;
  const tsr_status status = plan->base.on_device ? tsr_curves_device_fill(plan, out, error)
                                                 : tsr_curves_fill_here(plan, out, error);
  return status == TSR_OK && out->achieved_error && !plan->base.execution.device_arrays
             ? tsr_curves_least_points(plan, error)
             : status;
}

static void drop(void *data) {
  tsr_curves_plan *plan = data;
  tsr_curves_device_close(plan);
  free_items(plan);
  free(plan->walk_start);
  free(plan->walk_error);
  plan->walk_start = NULL;
  plan->walk_error = NULL;
  plan->has_spans = plan->counted = 0;
}

static void release(void *data) {
  tsr_curves_plan *plan = data;
  free(plan->fields);
  free(plan->labels);
  free(plan->kinds);
  free(plan->slopes);
}

static const tsr_plan_steps STEPS = {.size = sizeof(tsr_curves_plan),
                                     .take = take,
                                     .suits_device = suits_device,
                                     .make = make,
                                     .fill = fill,
                                     .drop = drop,
                                     .release = release};

tsr_status tsr_curves_plan_create(const tsr_curves_view *view, const tsr_curves_options *options,
                                  const tsr_execution *execution, tsr_curves_plan **plan,
                                  tsr_error *error) {
  return tsr_plan_create(&STEPS, view, options, execution, plan, error);
}

void tsr_curves_plan_free(tsr_curves_plan *plan) { tsr_plan_free(&STEPS, plan); }

tsr_status tsr_curves_count(tsr_curves_plan *plan, tsr_error *error) {
  plan->deferred = 0;
  return tsr_plan_make(&STEPS, plan, error);
}

tsr_status tsr_curves_fill(tsr_curves_plan *plan, const tsr_curves_output *output,
                           tsr_error *error) {
  tsr_curves_output out;
  tsr_status status;
  if (tsr_need(plan != NULL, "the plan", error))
    return TSR_BAD_INPUT;
  if (plan->deferred)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the plan's points are not counted yet: its count was deferred to a budget");
  tsr_curves_output_init(&out);
  status = tsr_copy_versioned(&out, sizeof out, output, "output", TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = tsr_curves_check_output(plan, &out, error);
  return status == TSR_OK ? tsr_plan_fill(&STEPS, plan, &out, error) : status;
}

const tsr_curves_sizes *tsr_curves_plan_sizes(const tsr_curves_plan *plan) { return &plan->sizes; }

void tsr_curves_plan_report(const tsr_curves_plan *plan, tsr_report *report) {
  *report = tsr_plan_report(&plan->base);
  report->items = plan->view.n_items;
  report->spans = plan->n_spans;
  report->points = plan->sizes.points;
  report->cells = plan->sizes.cells;
  report->smooth_lines = plan->smooth_lines;
  report->tolerance_scale = plan->tolerance_scale;
  report->chord_tolerance = plan->chord_tolerance;
}
