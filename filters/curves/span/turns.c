/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curves that turn by more than the turning angle where spans meet, or back at a cusp inside a
 * span: more points do not help there. The criterion holds from one segment to the next only inside
 * a piece that has no such place, and does not see one that a step falls on. The CPU looks for
 * them, whatever backend makes the points.
 */
#include "curves/plan.h"
#include "curves/span/frame_math.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/** Rounding of the cosine of an angle between two unit vectors, with room to spare: it lets a joint
 * turn by 1.4e-6 more, in radians, and keeps a smooth curve from being told of. */
#define TSR_COSINE_ROUNDING 1e-12

typedef struct tsr_turns_work {
  const tsr_curves_plan *plan;
  double cosine; /**< of the largest angle */
  _Atomic int64_t count, first;
} tsr_turns_work;

/** Part of a span's parameter below which no cusp is looked for: a piece that is still long there
 * belongs to a curve with extreme weights, which reaches the maximum level first. */
#define TSR_LEAST_PART 1e-9

/** A span, and what is too short in it to have a direction or to turn back. */
typedef struct tsr_turning {
  tsr_net net;
  double tiny;   /**< length of a piece that is a cusp if it does not go on */
  double least;  /**< length of a leg that may be rounding */
  double cosine; /**< of the largest angle */
} tsr_turning;

static tsr_net piece_of(const tsr_turning *it, double a, double b) {
  tsr_net piece;
  tsr_net_piece(&it->net, a, b, &piece);
  tsr_net_project(&piece);
  return piece;
}

/* Direction of a projected piece at its begin, or at its end: from or to the next control point
 * that is far enough; 0 where there is none. */
static int direction_of(const tsr_turning *it, const tsr_net *piece, int at_end, double unit[3]) {
  const int n = piece->degree;
  for (int i = 1; i <= n; ++i) {
    const double length =
        sqrt(at_end ? tsr_net_leg(piece, n - i, n, unit) : tsr_net_leg(piece, 0, i, unit));
    for (int c = 0; length > it->least && c < 3; ++c)
      unit[c] /= length;
    if (length > it->least)
      return 1;
  }
  return 0;
}

/* 1 if a projected piece has no cusp between its ends: no leg of its control polygon goes against
 * the chord, so the derivative, a mean of the legs, does not vanish. */
static int goes_on(const tsr_turning *it, const tsr_net *piece) {
  double chord[3], leg[3];
  const double chord2 = tsr_net_leg(piece, 0, piece->degree, chord);
  for (int i = 0; i < piece->degree; ++i)
    if (tsr_net_leg(piece, i, i + 1, leg) > it->least * it->least &&
        (!(chord2 > 0.0) || tsr_dot(leg, chord) < 0.0))
      return 0;
  return 1;
}

/* 1 if the curve turns back at a point between a and b: halves the piece until it goes on, or is
 * tiny. */
static int has_cusp(const tsr_turning *it, double a, double b) {
  const double middle = 0.5 * (a + b);
  const tsr_net piece = piece_of(it, a, b);
  if (goes_on(it, &piece) || b - a < TSR_LEAST_PART)
    return 0;
  if (tsr_polygon_length(&piece) <= it->tiny)
    return 1;
  const tsr_net left = piece_of(it, a, middle), right = piece_of(it, middle, b);
  double before[3], after[3];
  if (direction_of(it, &left, 1, before) && direction_of(it, &right, 0, after) &&
      tsr_dot(before, after) < it->cosine)
    return 1;
  return has_cusp(it, a, middle) || has_cusp(it, middle, b);
}

/* 1 if a span of the item has a cusp, or two spans, or the ends of a closed item, meet at a larger
 * angle. Spans of no length have no direction: the spans around them are compared. */
static int turns(const tsr_curves_plan *plan, const tsr_item *item, double cosine) {
  double begin[3] = {0.0, 0.0, 0.0}, before[3] = {0.0, 0.0, 0.0}, start[3];
  int found = 0;
  for (int64_t s = 0; s < item->n_spans; ++s) {
    tsr_turning it = {.cosine = cosine};
    tsr_span span;
    tsr_net whole;
    tsr_span_make(&plan->view, item, &plan->criteria.rules, s, &span);
    tsr_span_net(&plan->view, &span, &it.net);
    whole = it.net;
    tsr_net_project(&whole);
    it.tiny = TSR_CUSP * tsr_polygon_length(&whole);
    it.least = TSR_CUSP * it.tiny;
    if (!direction_of(&it, &whole, 0, start))
      continue;
    if ((found && tsr_dot(before, start) < cosine) || has_cusp(&it, 0.0, 1.0))
      return 1;
    if (!found)
      memcpy(begin, start, sizeof begin);
    direction_of(&it, &whole, 1, before);
    found = 1;
  }
  return found && item->closed && tsr_dot(before, begin) < cosine;
}

static void turns_task(void *data, int64_t from, int64_t to) {
  tsr_turns_work *work = data;
  const tsr_curves_plan *plan = work->plan;
  for (int64_t i = from; i < to; ++i) {
    const unsigned notes = tsr_curves_check_item(&plan->view, i);
    tsr_item item;
    if (notes & TSR_NOTES_BAD)
      continue;
    item = tsr_item_at(&plan->view, i);
    if (item.kind != TSR_KIND_NONE && turns(plan, &item, work->cosine)) {
      int64_t first = atomic_load(&work->first);
      atomic_fetch_add(&work->count, 1);
      while (i < first && !atomic_compare_exchange_weak(&work->first, &first, i))
        ;
    }
  }
}

tsr_status tsr_curves_take_turns(tsr_curves_plan *plan, tsr_error *error) {
  const double degree = atan(1.0) / 45.0;
  tsr_turns_work work = {.plan = plan};
  tsr_job job = {.execution = &plan->base.execution, .task = turns_task, .data = &work};
  plan->turns.count = 0;
  plan->turns.first = -1;
  if (!plan->options.use_turning_angle)
    return TSR_OK;
  if (tsr_refuse_device_arrays(&plan->base.execution, "curves with a turning angle", error) !=
      TSR_OK)
    return TSR_BAD_OPTION;
  work.cosine = cos(plan->options.turning_angle * degree) - TSR_COSINE_ROUNDING;
  atomic_store(&work.first, INT64_MAX);
  job.n = plan->view.n_items;
  if (tsr_job_run(&job, 64) != TSR_OK)
    return tsr_fail(error, TSR_ABORTED, -1, "stopped while the joints were looked at");
  plan->turns.count = atomic_load(&work.count);
  if (plan->turns.count > 0)
    plan->turns.first = atomic_load(&work.first);
  return TSR_OK;
}
