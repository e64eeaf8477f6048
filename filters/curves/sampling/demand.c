/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: a look at a few spans before a count. Tolerances that no number of segments keeps are
 *  refused, and so are counts whose lower bound is above the limit: both at once, where the count
 *  itself would take minutes.
 */
#include "curves/plan.h"
#include "curves/sampling/equal_math.h"

#include <float.h>
#include <stdio.h>

/* Number of spans that are sampled in every plan. */
#define TSR_LOOK_SPANS 16

/* If the sampled spans need at least this many segments on average, more spans are sampled, until
 * their sum should exceed the limit. This examines less than a thousandth of the pieces that a full
 * count up to the limit would. */
#define TSR_LOOK_ON 65536

/* Spans between two questions whether the user wants to stop. */
#define TSR_LOOK_ASKS 32

/* A span that needs fewer segments by its bound is taken to need one: it is counted as quickly. */
#define TSR_LOOK_SEGMENTS 512

/* Tolerances are questioned where they divide a span into at least 2^TSR_PLENTY_LEVEL segments. Up
 * to there a count is quick, and the maximum level may bound what a tolerance asks for: with a
 * field error a segment takes 0.35 microseconds, and so 16 spans 0.4 seconds. */
#define TSR_PLENTY_LEVEL 16
#define TSR_PLENTY ((int64_t)1 << TSR_PLENTY_LEVEL)

/* Level of the node in which a bisection of the span ends at u. */
static int level_at(tsr_span_case *it, double u) {
  tsr_leaf node = {0, 0};
  while (node.level < it->criteria->max_level && !tsr_leaf_fulfilled(it, &node)) {
    ++node.level;
    node.index = (int64_t)(u * (double)((int64_t)1 << node.level));
  }
  return node.level;
}

/* Places of a span, where nothing in a curve is likely to repeat. Places in the smallest
 * nodes do not count: a cusp is at one place only. */
#define TSR_LOOK_PLACES 8
#define TSR_LOOK_CUSPS 2

/* Nodes of a bisection, by the sizes of those at the places. */
static int64_t nodes_of_span(tsr_span_case *it) {
  int level[TSR_LOOK_PLACES];
  int64_t sum = 0;
  for (int k = 0; k < TSR_LOOK_PLACES; ++k) {
    const int here = level_at(it, ((double)k + 0.37) / TSR_LOOK_PLACES);
    int at = k;
    for (; at > 0 && level[at - 1] > here; --at)
      level[at] = level[at - 1];
    level[at] = here;
  }
  for (int k = 0; k < TSR_LOOK_PLACES - TSR_LOOK_CUSPS; ++k)
    sum += (int64_t)1 << level[k];
  return sum / TSR_LOOK_PLACES;
}

/**
 * Lower bound of the segments of a span with these nodes. A node above a leaf does not fulfil the
 * criteria, so no sampling has a segment that holds it: none is longer than four leaves, or six
 * with vertices off the curve. Sampling by equal error leaves spans of more than TSR_MOST_STEPS
 * segments to bisection. What lies between the places may be a little coarser.
 */
static int64_t least_of_span(const tsr_span_case *it, int64_t nodes) {
  int64_t n = nodes / 8;
  n *= n > TSR_MOST_STEPS ? 4 : 1;
  n = n < it->most ? n : it->most;
  return n >= TSR_LOOK_SEGMENTS ? n : 1;
}

/* A tolerance of the criteria: one of these, or TSR_ONE_FIELD + f for the error of field f. */
enum { TSR_ONE_CHORD = 0, TSR_ONE_LENGTH, TSR_ONE_FIELD };

/* The criteria with one tolerance alone, raised so far that its segments become about 2^longer
 * times as long. Errors grow with the square of the length. */
static tsr_curves_criteria only(const tsr_curves_criteria *all, int one, int longer) {
  tsr_curves_criteria c = *all;
  c.use_curvature = c.use_turning = 0;
  c.use_chord = all->use_chord && one == TSR_ONE_CHORD;
  c.use_length = all->use_length && one == TSR_ONE_LENGTH;
  c.use_field = one >= TSR_ONE_FIELD;
  if (c.use_field) {
    c.fields += one - TSR_ONE_FIELD;
    c.n_fields = 1;
  }
  c.chord = ldexp(c.chord, 2 * longer);
  c.length = ldexp(c.length, longer);
  c.field = ldexp(c.field, 2 * longer);
  c.max_level = TSR_PLENTY_LEVEL + 1;
  return c;
}

/* 1 if this tolerance, raised as in only(), divides the span into TSR_PLENTY segments or more. */
static int divides(const tsr_span_case *it, int one, int longer) {
  const tsr_curves_criteria criteria = only(it->criteria, one, longer);
  tsr_span_case alone;
  tsr_span_case_load(&alone, it->view, &criteria, it->span, NULL, 0);
  tsr_span_case_begin(&alone);
  return nodes_of_span(&alone) >= TSR_PLENTY;
}

/* What rounding to a type takes of the largest value that a span has in an array. */
static double rounding_of(const tsr_span *span, const tsr_array *array, tsr_type type) {
  double most = 0.0;
  for (int k = 0; k < span->count; ++k)
    for (int c = 0; c < array->components; ++c) {
      const double v = fabs(tsr_load(array, span->id[k] * array->components + c));
      most = v <= 1e300 && v > most ? v : most;
    }
  return type == TSR_DOUBLE ? 0x1p-53 * most : type == TSR_FLOAT ? 0x1p-24 * most : 0.5;
}

/* Why no number of segments keeps this tolerance; NULL if one does. Points count as double
 * precision: the chord error that rounding to single precision leaves is in the criteria. */
static const char *why_lost(const tsr_span_case *it, int one) {
  const tsr_curves_criteria *c = it->criteria;
  double left = INFINITY; /* of the tolerance, when rounding has taken its part */
  if (!divides(it, one, 0))
    return NULL;
  if (one == TSR_ONE_CHORD)
    left = c->chord - rounding_of(it->span, &it->view->points, TSR_DOUBLE);
  if (one >= TSR_ONE_FIELD) {
    const tsr_field *field = &c->fields[one - TSR_ONE_FIELD];
    left = c->field * field->unit - rounding_of(it->span, &field->array, field->array.type);
  }
  if (!(left > 0.0))
    return "is below the rounding of the values";
  /* Parameters have TSR_FIXED_BITS bits. */
  return divides(it, one, TSR_FIXED_BITS - TSR_PLENTY_LEVEL)
             ? "takes more segments than a span can have"
             : NULL;
}

/* The spans sampled so far. */
typedef struct tsr_seen {
  int64_t spans, segments; /* number of spans; least number of segments that they need */
  int stopped;             /* by the user */
  const char *why;         /* why_lost(), of one tolerance; NULL: all are kept */
  int one, longer;         /* which tolerance, and how far it has to be raised: see only() */
} tsr_seen;

/* Notes the tolerance of a span that nothing keeps and that has to be raised most. */
static void see_tolerances(const tsr_span_case *it, tsr_seen *seen) {
  const tsr_curves_criteria *c = it->criteria;
  const int n = TSR_ONE_FIELD + (c->use_field ? c->n_fields : 0);
  for (int one = 0; one < n; ++one) {
    const char *why = why_lost(it, one);
    while (why && seen->longer < DBL_MAX_EXP && divides(it, one, seen->longer)) {
      ++seen->longer;
      seen->one = one;
      seen->why = why;
    }
  }
}

/* 1 if a point budget tries a scale, with a limit below the plan's own: it only asks whether the
 * points fit, and may raise the tolerances further. */
static int is_attempt(const tsr_curves_plan *plan) {
  return plan->limit < tsr_curves_own_limit(&plan->options);
}

/* Adds a span. Returns 0 if no further span is needed. */
static int see_span(const tsr_curves_plan *plan, const tsr_item *item, int64_t s, tsr_seen *seen) {
  const tsr_execution *execution = &plan->base.execution;
  tsr_span span;
  tsr_span_case it;
  int64_t nodes;
  tsr_span_make(&plan->view, item, &plan->criteria.rules, s, &span);
  tsr_span_case_load(&it, &plan->view, &plan->criteria, &span, NULL, 0);
  tsr_span_case_begin(&it);
  nodes = nodes_of_span(&it);
  if (nodes >= TSR_PLENTY && it.most >= TSR_PLENTY && !is_attempt(plan))
    see_tolerances(&it, seen);
  if (plan->criteria.sampling != TSR_SAMPLING_EQUAL_ARC_LENGTH)
    seen->segments += least_of_span(&it, nodes);
  if (++seen->spans % TSR_LOOK_ASKS == 0 && execution->progress)
    seen->stopped = execution->progress(execution->progress_context, 0.1) != 0;
  return !seen->stopped && seen->segments <= plan->fine_limit;
}

/* Looks at about `most` spans, evenly chosen, but at no more once they need more than the limit. */
static tsr_seen look(const tsr_curves_plan *plan, int64_t most) {
  const int64_t n = plan->view.n_items, step = n > most ? n / most : 1;
  const int64_t of_item = n > 0 && n < most ? most / n : 1;
  tsr_seen seen = {0};
  int goes_on = 1;
  for (int64_t i = 0; i < n && goes_on; i += step) {
    const unsigned notes = tsr_curves_check_item(&plan->view, i);
    if (notes & TSR_NOTES_BAD)
      continue;
    const tsr_item item = tsr_item_at(&plan->view, i);
    const int64_t every = item.n_spans > of_item ? item.n_spans / of_item : 1;
    if (!tsr_item_good(notes, &item) ||
        (item.kind == TSR_KIND_STRAIGHT && !plan->criteria.use_length))
      continue;
    for (int64_t s = 0; s < item.n_spans && goes_on; s += every)
      goes_on = see_span(plan, &item, s, &seen);
  }
  return seen;
}

/* The sentence about a tolerance that nothing keeps. */
static tsr_status refuse(const tsr_curves_plan *plan, const tsr_seen *seen, tsr_error *error) {
  const tsr_curves_options *o = &plan->options;
  const int f = seen->one - TSR_ONE_FIELD;
  char name[200] = "the chord error";
  double value = o->chord_error;
  if (seen->one == TSR_ONE_LENGTH) {
    snprintf(name, sizeof name, "the segment length");
    value = o->max_length;
  } else if (f >= 0) {
    value = o->field_error;
    if (o->field_names && o->field_names[f])
      snprintf(name, sizeof name, "the field error of '%s'", o->field_names[f]);
    else
      snprintf(name, sizeof name, "the field error of field %d", f);
  }
  return tsr_fail(error, TSR_BAD_OPTION, f >= 0 ? f : -1,
                  "%s, %g, %s: set %.3g or more, with which a span takes about %lld segments", name,
                  value, seen->why,
                  ldexp(value, seen->one == TSR_ONE_LENGTH ? seen->longer : 2 * seen->longer),
                  (long long)TSR_PLENTY);
}

tsr_status tsr_curves_foresee(const tsr_curves_plan *plan, tsr_error *error) {
  if (plan->base.execution
          .device_arrays) /* the CPU cannot look; the count itself stops at the limit */
    return TSR_OK;
  tsr_seen seen = look(plan, TSR_LOOK_SPANS);
  const int64_t mean = seen.spans > 0 ? seen.segments / seen.spans : 0;
  /* No more spans than ids: can all of them together exceed the limit? */
  if (seen.segments <= plan->fine_limit && mean > TSR_LOOK_ON && !seen.stopped && !seen.why &&
      plan->fine_limit / mean < plan->view.n_connectivity)
    seen = look(plan, 2 * (plan->fine_limit / mean) + 1);
  if (seen.stopped)
    return tsr_fail(error, TSR_ABORTED, -1, "stopped while the points were counted");
  if (seen.why)
    return refuse(plan, &seen, error);
  if (seen.segments <= plan->fine_limit)
    return TSR_OK;
  return tsr_fail(error, TSR_TOO_LARGE, -1,
                  "the curves need more than %lld points, the most that there is room for (%lld "
                  "spans alone need at least %lld); raise the tolerances or set a point budget",
                  (long long)plan->limit, (long long)seen.spans, (long long)seen.segments);
}
