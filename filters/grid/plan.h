/* SPDX-License-Identifier: BSD-3-Clause */
/** The plan of an adaptive grid: a struct a phase, each made from those above it. Not public. */
#ifndef TSR_GRID_PLAN_H
#define TSR_GRID_PLAN_H

#include "grid/backend.h"
#include "grid/output/output.h"
#include "grid/refine/refine.h"

/** What the CPU may do of a plan that has a device, one bit each. */
enum {
  TSR_BY_CPU_RANGES = 1,
  TSR_BY_CPU_PARTS = 2, /**< levels below the input cells */
  TSR_BY_CPU_CLOSURE = 4,
  TSR_BY_CPU_OUTPUT = 8
};

struct tsr_grid_plan {
  tsr_grid_input input;
  tsr_grid_criteria criteria;
  tsr_tree tree;
  tsr_grid_ghosts ghosts;
  tsr_tree own, asked;  /**< while it is refined: see tsr_refinement */
  tsr_grid_node *marks; /**< (malloc) if they are wanted */
  int64_t n_marks;
  tsr_grid_leaves leaves;
  tsr_grid_lists lists;
  tsr_grid_points points;
  tsr_grid_cuts cuts;
  tsr_grid_sizes sizes;    /**< what the caller gets to see of all that */
  tsr_grid_device *device; /**< NULL: the CPU refines */
  int whole;               /**< 1: tree and lists are on the device; here only if asked for */
  int has_tree;            /**< 1: but the tree was made here, and is here as well */
  tsr_grid_counts counts;  /**< of a whole plan */
  unsigned by_cpu;         /**< TSR_BY_CPU_... */
  tsr_report report;
};

/* ---- plan.c */

/** Makes the tree and the lists of a plan that has them on its device only. Where that fails and
 *  AUTO gives the device up, by refining anew. */
tsr_status tsr_grid_make_lists(tsr_grid_plan *plan, tsr_error *error);

/* ---- device.c */

/** Opens the device that the execution asks for, if any. */
tsr_status tsr_grid_device_open(tsr_grid_plan *plan, tsr_error *error);

/** The range of a rule's array, or of its measure; low > high where the device does not find it. It
 *  may be closed afterwards, as below. */
tsr_status tsr_grid_device_range(void *plan, const tsr_rule *rule, int measure, double range[2],
                                 tsr_error *error);

/** 1 if there is a device that makes the whole plan. */
int tsr_grid_device_is_whole(tsr_grid_plan *plan);

/** The levels down to the input cells, by the rules in force; of a whole plan all that there is to
 *  refine. The device may be closed afterwards, where AUTO gave up: then nothing is refined. */
tsr_status tsr_grid_device_refine(tsr_grid_plan *plan, tsr_error *error);

/** Where the CPU closes the tree: looks at the leaves of a round of the guarantee. The device may
 * be closed afterwards, as above. */
tsr_status tsr_grid_device_look(void *plan, tsr_grid_look *look, tsr_error *error);

/** Where the CPU made the tree: brings it to the device, if that can make the lists. Then the plan
 * is a whole one that has its tree. It may be closed afterwards, as above. */
tsr_status tsr_grid_device_take_tree(tsr_grid_plan *plan, tsr_error *error);
/** The marks of a whole plan, from the device. It may be closed afterwards, as above. */
tsr_status tsr_grid_device_marks(tsr_grid_plan *plan, tsr_error *error);

/** The lists of a whole plan, on the device. It may be closed afterwards, as above. */
tsr_status tsr_grid_device_list(tsr_grid_plan *plan, tsr_error *error);

/** The tree of a whole plan, from the device. It may be closed afterwards, as above. */
tsr_status tsr_grid_device_fetch(tsr_grid_plan *plan, tsr_error *error);

/** Has the device write the output of a whole plan. *done: 0 where it could not, and the CPU is to
 *  do it. */
tsr_status tsr_grid_device_fill(tsr_grid_plan *plan, const tsr_grid_output *out, int *done,
                                tsr_error *error);
void tsr_grid_device_close(tsr_grid_plan *plan);

/** What the device found out about an attribute. */
typedef struct tsr_grid_device_values {
  int done;      /**< 0: nothing */
  double *means; /**< (malloc) sizes.cells x components: of leaves larger than an input cell */
  double error;  /**< the largest */
} tsr_grid_device_values;

/** Has the device look at an attribute of the output, if it can. */
tsr_status tsr_grid_device_measure(tsr_grid_plan *plan, const tsr_grid_attribute *attribute,
                                   tsr_grid_device_values *found, tsr_error *error);

#endif
