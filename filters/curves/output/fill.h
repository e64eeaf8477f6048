/* SPDX-License-Identifier: BSD-3-Clause */
/** What the two files of the fill share: spans are evaluated in spans.c, all else is done
 *  in fill.c. Not public. */
#ifndef TSR_CURVES_OUTPUT_FILL_H
#define TSR_CURVES_OUTPUT_FILL_H

#include "curves/plan.h"

#include <string.h>

/** One call of tsr_curves_fill. */
typedef struct tsr_fill {
  const tsr_curves_plan *plan;
  const tsr_curves_output *out;
  double *span_error; /* n_spans; NULL where not wanted */
} tsr_fill;

/** The task over spans: data is a tsr_fill. */
void tsr_fill_spans_task(void *data, int64_t begin, int64_t end);

/** 1 if tsr_fill_joints can fill the item: a straight line that keeps input points alone, of which
 *  nothing is asked that its legs would have to be known for. */
int tsr_fill_is_of_joints(const tsr_fill *fill, int64_t i, const tsr_item *item);

/** Fills the item's spans from s on, as many as are before `end`; returns the one behind them. */
int64_t tsr_fill_joints(const tsr_fill *fill, int64_t i, const tsr_item *item, int64_t s,
                        int64_t end);

/** Estimates the least number of points for the plan's report: with vertices on the curves, and no
 *  more than the chord error asked for. */
tsr_status tsr_curves_least_points(tsr_curves_plan *plan, tsr_error *error);

/** 1 if points of the item were taken away: its errors are those of its walks. */
static inline int tsr_item_is_walked(const tsr_curves_plan *plan, int64_t i) {
  return plan->walk_start && plan->walk_start[i + 1] > plan->walk_start[i];
}

/** Copies the whole tuple of input point `id` to output point `at`. */
static inline void tsr_copy_tuple(const tsr_attribute *attribute, int64_t id, int64_t at) {
  const size_t bytes = tsr_tuple_bytes(&attribute->in);
  memcpy((char *)attribute->out + (size_t)at * bytes,
         (const char *)attribute->in.data + (size_t)id * bytes, bytes);
}

#endif
