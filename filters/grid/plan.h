/* SPDX-License-Identifier: BSD-3-Clause */
/** The plan of an adaptive grid: a struct a phase, each made from those above it. Not public. */
#ifndef TSR_GRID_PLAN_H
#define TSR_GRID_PLAN_H

#include "grid/backend.h"
#include "grid/output/output.h"
#include "grid/refine/refine.h"

/** Which parts of the work a device does; all 0: the CPU does everything. Decided when the device
 *  is opened, and only changed where it is closed. */
typedef struct tsr_grid_on_device {
  int criteria; /**< ranges, marks, the descent to the input cells, errors of leaves */
  int tree;     /**< all of the refinement: the tree stays there */
  int output;   /**< lists and fill */
} tsr_grid_on_device;

struct tsr_grid_plan {
  tsr_grid_input input;
  tsr_grid_criteria criteria;
  tsr_tree tree;
  tsr_grid_ghosts ghosts;
  tsr_tree own, asked;  /**< while it is refined: see tsr_refinement */
  tsr_grid_node *marks; /**< (malloc) if they are wanted */
  int64_t n_marks;
  tsr_grid_leaves leaves;
  int64_t all_cells; /**< while a budget is searched: of the output, in all processes */
  tsr_grid_lists lists;
  tsr_grid_points points;
  tsr_grid_cuts cuts;
  tsr_grid_sizes sizes; /**< what the caller gets to see of all that */
  tsr_grid_device *device;
  tsr_grid_on_device on_device;
  tsr_grid_counts counts; /**< on_device.tree or on_device.output: what it made */
  tsr_report report;
};

/* ---- plan.c */

/** After a device gave up once the plan was made: drops the device, and makes what the CPU needs
 * for the fill. One process makes the plan again; of several, each has its tree, and lists its
 * cells. Sizes, marks and lists that a caller may have got stay. Where it fails, a later call tries
 * again.
 */
tsr_status tsr_grid_make_here(tsr_grid_plan *plan, tsr_error *error);

/* ---- sizes.c */

/** Leaves of the fixed fine grid in this process; INT64_MAX where there are more than that. */
int64_t tsr_grid_fine_cells(const tsr_grid_input *input);

/** Fails with what went wrong; where memory is missing on the host, also says what takes less. */
tsr_status tsr_grid_tell(const tsr_grid_plan *plan, tsr_status status, const tsr_error *why,
                         tsr_error *error);

/** The public sizes, but for fine_cells and notes. */
void tsr_grid_set_sizes(tsr_grid_plan *plan);

/** Has the report say what the CPU does beside the device. */
void tsr_grid_set_by_cpu(tsr_grid_plan *plan);

/* ---- device.c: what a device does where plan->on_device says so. `error` is never NULL. */

/** Opens the device that the execution asks for, if any, and sets plan->on_device. */
tsr_status tsr_grid_device_open(tsr_grid_plan *plan, tsr_error *error);
void tsr_grid_device_close(tsr_grid_plan *plan);

/** 1 if a call failed so that the CPU shall do the plan's work, as Auto allows: the report then
 * says why. 0 where there is no device. */
int tsr_grid_device_gave_up(tsr_grid_plan *plan, tsr_status status, const tsr_error *why);

/** on_device.criteria: the range of a rule's array, or of its measure; low > high: there is none.
 */
tsr_status tsr_grid_device_range(void *plan, const tsr_rule *rule, int measure, double range[2],
                                 tsr_error *error);

/** on_device.criteria without the tree: refines the levels down to the input cells, and hands the
 *  tree, which is clear, to the CPU. */
tsr_status tsr_grid_device_descend(tsr_grid_plan *plan, tsr_error *error);

/** The same: looks at the leaves of a round of the guarantee that the CPU closed. */
tsr_status tsr_grid_device_look(void *plan, tsr_grid_look *look, tsr_error *error);

/** on_device.tree: makes the tree by the rules in force, and counts its leaves. */
tsr_status tsr_grid_device_refine(tsr_grid_plan *plan, tsr_error *error);

/** on_device.tree: brings the marks. */
tsr_status tsr_grid_device_marks(tsr_grid_plan *plan, tsr_error *error);

/** on_device.output without the tree: the CPU made the tree, and hands it to the device. */
tsr_status tsr_grid_device_take_tree(tsr_grid_plan *plan, tsr_error *error);

/** on_device.output: lists the cells and their points there, and counts them. */
tsr_status tsr_grid_device_list(tsr_grid_plan *plan, tsr_error *error);

/** on_device.tree: brings the tree. */
tsr_status tsr_grid_device_fetch(tsr_grid_plan *plan, tsr_error *error);

/** on_device.output: writes the output. */
tsr_status tsr_grid_device_fill(tsr_grid_plan *plan, const tsr_grid_output *out, tsr_error *error);

/** What the device found out about an attribute. */
typedef struct tsr_grid_device_values {
  int done;      /**< 0: nothing */
  double *means; /**< (malloc) sizes.cells x components: of leaves larger than an input cell */
  double error;  /**< the largest */
} tsr_grid_device_values;

/** on_device.criteria: looks at an attribute of the output that the CPU fills, if it can. */
tsr_status tsr_grid_device_measure(tsr_grid_plan *plan, const tsr_grid_attribute *attribute,
                                   tsr_grid_device_values *found, tsr_error *error);

#endif
