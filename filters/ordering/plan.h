/* SPDX-License-Identifier: BSD-3-Clause */
/** The plan of points to curves, as its own files see it. Not public. */
#ifndef TSR_ORDERING_PLAN_H
#define TSR_ORDERING_PLAN_H

#include "common/run/plan.h"
#include "common/support.h"
#include "ordering/backend.h"
#include "ordering/curves_math.h"

/** Points that are one piece of work. */
#define TSR_ORDERING_CHUNK ((int64_t)1 << 16)

struct tsr_ordering_plan {
  tsr_plan base;
  tsr_ordering_view view;
  tsr_ordering_options options;
  int64_t n;
  tsr_ordering_device *device; /**< NULL: the CPU's plan */
  tsr_executor executor;       /**< owns what follows */
  tsr_ordering_view placed;    /**< the view, with its arrays where steps can read them */
  uint64_t *words, *scratch;   /**< n each, while points are sorted */
  int64_t *sorted;             /**< n point ids by (group, order), while curves are found */
  uint8_t *flags;              /**< n, of the sorted points */
  tsr_curve_list curves;       /**< point_ids: sizes.points */
  tsr_ordering_sizes sizes;
};

/** Sets up the plan's executor, of the CPU or of a device. */
tsr_status tsr_ordering_open(tsr_ordering_plan *plan, tsr_error *error);

/** Writes the output on the device. */
tsr_status tsr_ordering_device_fill(tsr_ordering_plan *plan, const tsr_ordering_output *output,
                                    tsr_error *error);

/** Frees a device and its executor's memory. */
void tsr_ordering_device_close(tsr_ordering_plan *plan);

/** Fails with BAD_INPUT or BAD_OPTION where view or options cannot be used. */
tsr_status tsr_ordering_check(const tsr_ordering_view *view, const tsr_ordering_options *options,
                              tsr_error *error);

/** Fails with BAD_INPUT where an attribute has another length than n, or no place to go to. */
tsr_status tsr_ordering_check_output(const tsr_ordering_output *output, int64_t n,
                                     tsr_error *error);

/** Sets plan->sorted and the bits TSR_FLAG_GROUP of plan->flags, and counts the warnings. */
tsr_status tsr_ordering_sort_points(tsr_ordering_plan *plan, tsr_error *error);

/** 1 where every group, by plan->flags, fits into a cache. */
int tsr_ordering_groups_are_small(const tsr_ordering_plan *plan);

/** Sorts each group of plan->sorted by the order; they are small, and in input order. */
tsr_status tsr_ordering_sort_groups(tsr_ordering_plan *plan, double first, double last);

/** Sets the curves and the sizes from the sorted points and their flags. */
tsr_status tsr_ordering_find_curves(tsr_ordering_plan *plan, tsr_error *error);

tsr_status tsr_ordering_fill_on_cpu(const tsr_ordering_plan *plan,
                                    const tsr_ordering_output *output);

#endif
