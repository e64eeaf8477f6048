/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: a lower bound of a count, so that tolerances which nothing can keep are refused at once.
 */
#include "curves/plan.h"
#include "curves/sampling/equal_math.h"

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

/* Level of the node in which a bisection of the span ends at u. */
static int level_at(tsr_span_case *it, double u) {
  tsr_leaf node = {0, 0};
  while (node.level < it->criteria->max_level && !tsr_leaf_fulfilled(it, &node)) {
    ++node.level;
    node.index = (int64_t)(u * (double)((int64_t)1 << node.level));
  }
  return node.level;
}

/* Places of a span, where nothing in a curve is likely to repeat. Those in the smallest nodes do
 * not count: a cusp is at one place only. */
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
 * Lower bound of the segments of a span. A node above a leaf does not fulfil the criteria, so no
 * sampling has a segment that holds it: none is longer than four leaves, or six with vertices off
 * the curve. Sampling by equal error leaves spans of more than TSR_MOST_STEPS segments to
 * bisection. What lies between the places may be a little coarser.
 */
static int64_t least_of_span(tsr_span_case *it) {
  int64_t n = nodes_of_span(it) / 8;
  n *= n > TSR_MOST_STEPS ? 4 : 1;
  n = n < it->most ? n : it->most;
  return n >= TSR_LOOK_SEGMENTS ? n : 1;
}

/* The spans sampled so far. */
typedef struct tsr_seen {
  int64_t spans, segments; /* number of spans; least number of segments that they need */
  int stopped;             /* by the user */
} tsr_seen;

/* Adds a span. Returns 0 if no further span is needed. */
static int see_span(const tsr_curves_plan *plan, const tsr_item *item, int64_t s, tsr_seen *seen) {
  const tsr_execution *execution = &plan->execution;
  tsr_span span;
  tsr_span_case it;
  tsr_span_make(&plan->view, item, &plan->criteria.rules, s, &span);
  tsr_span_case_load(&it, &plan->view, &plan->criteria, &span, NULL, 0);
  tsr_span_case_begin(&it);
  seen->segments += least_of_span(&it);
  if (++seen->spans % TSR_LOOK_ASKS == 0 && execution->progress)
    seen->stopped = execution->progress(execution->progress_context, 0.1) != 0;
  return !seen->stopped && seen->segments <= plan->fine_limit;
}

/* Looks at about `most` spans, evenly chosen, but at no more once they need more than the limit. */
static tsr_seen look(const tsr_curves_plan *plan, int64_t most) {
  const int64_t n = plan->view.n_items, step = n > most ? n / most : 1;
  const int64_t of_item = n > 0 && n < most ? most / n : 1;
  tsr_seen seen = {0, 0, 0};
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

tsr_status tsr_curves_foresee(const tsr_curves_plan *plan, tsr_error *error) {
  tsr_seen seen = look(plan, TSR_LOOK_SPANS);
  const int64_t mean = seen.spans > 0 ? seen.segments / seen.spans : 0;
  /* No more spans than ids: can all of them together exceed the limit? */
  if (seen.segments <= plan->fine_limit && mean > TSR_LOOK_ON && !seen.stopped &&
      plan->fine_limit / mean < plan->view.n_connectivity)
    seen = look(plan, 2 * (plan->fine_limit / mean) + 1);
  if (seen.stopped)
    return tsr_fail(error, TSR_ABORTED, -1, "stopped while the points were counted");
  if (seen.segments <= plan->fine_limit)
    return TSR_OK;
  return tsr_fail(error, TSR_TOO_LARGE, -1,
                  "the curves need more than %lld points, the most that there is room for (%lld "
                  "spans alone need at least %lld); raise the tolerances or set a point budget",
                  (long long)plan->limit, (long long)seen.spans, (long long)seen.segments);
}
