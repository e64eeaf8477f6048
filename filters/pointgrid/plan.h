/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: what a plan consists of. Not public. */
#ifndef TSR_POINTGRID_PLAN_H
#define TSR_POINTGRID_PLAN_H

#include "common/run/plan.h"
#include "pointgrid/output/output.h"
#include "pointgrid/partition/partition.h"

struct tsr_pointgrid_plan {
  tsr_plan base;
  tsr_pointgrid_input input;
  tsr_pointgrid_route route;
  const tsr_pointgrid_backend *backend; /**< the CPU's or CUDA's */
  tsr_pointgrid_device *device;         /**< the backend's; of the CPU NULL */
  tsr_executor executor;                /**< the backend's */
  tsr_executor cpu;                     /**< for what the CPU does by design */
  tsr_pointgrid_sorted sorted;
  tsr_pointgrid_summary summary;  /**< of the leaves */
  tsr_pointgrid_cells cells;      /**< CELLS */
  tsr_pointgrid_splits_of splits; /**< TREE */
  tsr_pointgrid_sizes sizes;
};

/* ---- check.c */

/** Fails with BAD_OPTION unless rank, n_ranks, owners and the callbacks are valid. */
tsr_status tsr_pointgrid_check_ranks(const tsr_pointgrid_options *o, tsr_error *error);
tsr_status tsr_pointgrid_check(const tsr_pointgrid_input *input, tsr_error *error);
tsr_status tsr_pointgrid_check_output(const tsr_pointgrid_plan *plan,
                                      const tsr_pointgrid_output *output, tsr_error *error);

/* ---- device.c: where a plan runs */

/** Sets up the executors of the plan: opens the device if plan->base.on_device. */
tsr_status tsr_pointgrid_open(tsr_pointgrid_plan *plan, tsr_error *error);

/** Closes the device, if there is one; the CPU does what comes next. */
void tsr_pointgrid_leave_device(tsr_pointgrid_plan *plan);

/** Sorts the points into leaves. Where balance or TREE come next, which are the CPU's, a device
 *  hands the sorted points over to it. */
tsr_status tsr_pointgrid_make_leaves(tsr_pointgrid_plan *plan, tsr_error *error);

/** CELLS: finds the points of the leaves. */
tsr_status tsr_pointgrid_make_corners(tsr_pointgrid_plan *plan, tsr_error *error);

/** Frees leaves and corners, and leaves the device. */
void tsr_pointgrid_drop_sorted(tsr_pointgrid_plan *plan);

/* ---- fill.c */

/** What a fill makes: all but the attributes, or one attribute of the points held. */
typedef struct tsr_pointgrid_part {
  const tsr_pointgrid_output *out;
  const tsr_pointgrid_walk *walk;           /**< of TREE */
  const tsr_pointgrid_attribute *attribute; /**< NULL: all but the attributes */
} tsr_pointgrid_part;

/** Fills a part of the output. */
tsr_status tsr_pointgrid_fill_part(tsr_pointgrid_plan *plan, const tsr_pointgrid_part *part,
                                   tsr_error *error);

/** Fails unless all processes come with the same attributes: otherwise they would wait for each
 *  other. mine: whether this process has failed before. */
tsr_status tsr_pointgrid_agree_on_attributes(const tsr_pointgrid_plan *plan,
                                             const tsr_pointgrid_output *output, tsr_status mine,
                                             tsr_error *error);

#endif
