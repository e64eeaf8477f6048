/* SPDX-License-Identifier: BSD-3-Clause */
/** The plan of curves, as its own files and the backends see it. Not public. */
#ifndef TSR_CURVES_PLAN_H
#define TSR_CURVES_PLAN_H

#include "common/run/plan.h"
#include "common/support.h"
#include "curves/backend.h"
#include "curves/check_math.h"
#include "curves/sampling/criteria_math.h"
#include "curves/span/frame_math.h"

/** Spans that are counted, and filled, as one piece of work. */
#define TSR_SPAN_CHUNK 256

/** Leaves of a chunk of spans, in order: lower ends in fixed point. */
typedef struct tsr_leaves {
  uint32_t *fixed;
  int64_t n, room;
} tsr_leaves;

/** Makes room for one more leaf. Returns 0 if out of memory. */
int tsr_leaves_grow(tsr_leaves *leaves);

/** The count of EQUAL_ARC_LENGTH: makes the plan's leaves, their number up to each span in
 *  segment_start, and a bound of each curve's error in walk_error. Returns TSR_TOO_LARGE, without a
 *  message, where there would be more segments than plan->fine_limit. */
tsr_status tsr_curves_divide(struct tsr_curves_plan *plan, tsr_error *error);

/** Most points of a plan without a limit. */
#define TSR_MOST_POINTS ((int64_t)1 << 60)

/** Most points of a plan with these options. */
static inline int64_t tsr_curves_own_limit(const tsr_curves_options *options) {
  return options->limit_points > 0 ? options->limit_points : TSR_MOST_POINTS;
}

struct tsr_curves_plan {
  tsr_plan base;
  tsr_curves_view view;
  tsr_curves_options options;
  tsr_curves_criteria criteria;
  tsr_field *fields;       /**< of the criteria, or NULL */
  tsr_array *labels;       /**< of the criteria, or NULL */
  uint8_t *kinds;          /**< of the view, where it had TSR_KIND_AUTOMATIC, or NULL */
  int64_t smooth_lines;    /**< how many of these became TSR_KIND_CATMULL_ROM */
  double *slopes;          /**< of the criteria's rules, or NULL */
  int64_t limit;           /**< most points that a count may come to */
  int64_t fine_limit;      /**< most segments before coarsening removes joints; set by a count */
  int deferred;            /**< 1: making the plan does not count it yet */
  int has_spans;           /**< 1: notes and spans of items are known, here or on the device */
  int counted;             /**< 1: sizes hold */
  double tolerance_scale;  /**< of the criteria; see tsr_report */
  double chord_tolerance;  /**< see tsr_report */
  double reference_length; /**< for a relative chord error */
  double place;            /**< upper bound of the curves' distance from the origin */
  double rounding;         /**< most that rounding to the points' type moves a point */
  uint16_t *notes;         /**< n_items: mask of note bits */
  int64_t *span_start;     /**< n_items + 1: number of the item's first span */
  int64_t *point_start;    /**< n_items + 1: the item's first output point */
  int64_t *cell_start;     /**< n_items + 1: the item's output cell */
  int64_t *segment_start;  /**< spans + 1: segments before the span */
  int64_t n_spans;
  tsr_leaves *leaves;      /**< one for every TSR_SPAN_CHUNK spans; UNIFORM: NULL, but where joints
                                may go */
  int64_t *walk_start;     /**< n_items + 1: walks before the item; NULL: nothing was coarsened.
                                EQUAL_ARC_LENGTH: each item is one walk */
  double *walk_error;      /**< bound of the chord error of each walk's segments */
  _Atomic int64_t running; /**< segments counted so far, to stop early */
  tsr_curves_device
      *device;          /**< of a plan on a device, which then has what is above from notes on */
  tsr_note_count turns; /**< TSR_NOTE_CORNER of the sizes, found before they are counted */
  tsr_curves_sizes sizes;
};

/** Notes on item i, from its offsets to its coordinates; TSR_NOTE_LEVEL_LIMIT is never among them.
 */
unsigned tsr_curves_check_item(const tsr_curves_view *view, int64_t i);

/** Fails with BAD_INPUT where the view as a whole cannot be used. */
tsr_status tsr_curves_check_view(const tsr_curves_view *view, tsr_error *error);

/** Fails with BAD_OPTION and a sentence that names the option, or with BAD_INPUT for a field. */
tsr_status tsr_curves_check_options(const tsr_curves_options *options, int64_t n_points,
                                    tsr_error *error);

/** Replaces each TSR_KIND_AUTOMATIC in the plan's view by CATMULL_ROM or STRAIGHT. */
tsr_status tsr_curves_take_kinds(tsr_curves_plan *plan, tsr_error *error);

/** Fields and labels of the plan's criteria, from its options. */
tsr_status tsr_curves_take_arrays(tsr_curves_plan *plan, tsr_error *error);

/** Memory in which a task keeps the fields of one span after the other, and the list of their
 *  components. To be freed with free(kept.list). Nothing is kept where there is no field that
 *  follows the curve, or no memory: fields are then loaded for each piece. */
tsr_kept_fields tsr_curves_keep(const tsr_curves_criteria *criteria);

/** Slopes of the plan's natural splines, for its criteria; NULL where it has none. */
tsr_status tsr_curves_take_slopes(tsr_curves_plan *plan, tsr_error *error);

/** Sets plan->turns: the curves that turn by more than the turning angle at a joint of their spans,
 *  or that turn back at a cusp. To be called after tsr_curves_take_slopes. */
tsr_status tsr_curves_take_turns(tsr_curves_plan *plan, tsr_error *error);

/** Coarsening: removes the points that the criteria do not need from plan->leaves and
 *  plan->segment_start. */
tsr_status tsr_curves_coarsen(tsr_curves_plan *plan, tsr_error *error);

/** Sets the plan's criteria from its options, with the tolerances scaled by `scale`. */
void tsr_curves_set_criteria(tsr_curves_plan *plan, double scale);

/** Makes the plan with a count of every span's segments, and sets all sums and sizes. Falls back to
 *  the CPU as tsr_plan_make does. */
tsr_status tsr_curves_count(tsr_curves_plan *plan, tsr_error *error);

/** Counts on the CPU, after the items were checked there. */
tsr_status tsr_curves_count_here(tsr_curves_plan *plan, tsr_error *error);

/** Returns 1 if there are joints, and coarsening may remove them. n_spans must be known. */
int tsr_curves_coarsens(const tsr_curves_plan *plan);

/** Makes plan->leaves, one empty list for each chunk of spans. */
tsr_status tsr_curves_make_leaves(tsr_curves_plan *plan, tsr_error *error);

/** Frees the memory of the lists in plan->leaves, which stay, empty. */
void tsr_curves_free_leaves(tsr_curves_plan *plan);

/** Looks at a sample of the spans, so that what would take minutes to count is refused without a
 *  full count. Fails with BAD_OPTION if no number of segments keeps a tolerance, with TOO_LARGE if
 *  the sample alone needs more segments than plan->fine_limit, and with ABORTED. */
tsr_status tsr_curves_foresee(const tsr_curves_plan *plan, tsr_error *error);

/** How many times as long one thread of a device takes for a point of a coarsening walk as one
 *  thread of the CPU. Measured with one polyline of 10 million points, 153 walks in parallel: 2
 *  million points a second on an H200, 7 million on one thread of its host; 153 * 7 / 2 = 535. */
#define TSR_CURVES_WALK_ON_DEVICE 500

/** 1 if coarsening has so few walks in parallel that `threads` threads of the CPU are faster than a
 *  device, which must wait for the longest walk. Auto then takes the CPU. Items need not be valid.
 */
int tsr_curves_walks_are_few(const tsr_curves_view *view, int threads);

/** Fails with BAD_OPTION, BAD_INPUT or TOO_LARGE where an output cannot be filled. */
tsr_status tsr_curves_check_output(const tsr_curves_plan *plan, const tsr_curves_output *output,
                                   tsr_error *error);

/** Writes the output on the CPU. */
tsr_status tsr_curves_fill_here(const tsr_curves_plan *plan, const tsr_curves_output *output,
                                tsr_error *error);

/** Opens the plan on its device, and checks the items there. The functions below need it. */
tsr_status tsr_curves_device_open(tsr_curves_plan *plan, tsr_error *error);

/** The bounding box, found by the plan's device. */
tsr_status tsr_curves_device_bounds(tsr_curves_plan *plan, double bounds[6], tsr_error *error);

/** Fails with BAD_OPTION where the view's kinds lie on a device. */
tsr_status tsr_curves_check_kinds_place(const tsr_curves_plan *plan, tsr_error *error);

tsr_status tsr_curves_device_count(tsr_curves_plan *plan, tsr_error *error);
tsr_status tsr_curves_device_fill(tsr_curves_plan *plan, const tsr_curves_output *output,
                                  tsr_error *error);
void tsr_curves_device_close(tsr_curves_plan *plan);

/** Returns the item that span s belongs to. */
int64_t tsr_curves_item_of_span(const tsr_curves_plan *plan, int64_t s);

#endif
