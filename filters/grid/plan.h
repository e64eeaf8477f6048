/* SPDX-License-Identifier: BSD-3-Clause */
/** The plan of an adaptive grid: one struct for each phase, in the order in which they are made.
 *  The phases are the input, the criteria, the refinement of the tree, the leaves, and the lists of
 *  output cells and points. Not public. */
#ifndef TSR_GRID_PLAN_H
#define TSR_GRID_PLAN_H

#include "grid/backend.h"
#include "grid/output/output.h"
#include "grid/refine/refine.h"

/** Which parts of the work a device does; all 0: the CPU does everything. Decided when the device
 *  is opened; cleared when it is closed. */
typedef struct tsr_grid_on_device {
  int criteria; /**< 1: array ranges, the measures of criteria, refining from the roots down to the
                     input cells, and the interpolation errors of leaves */
  int tree;     /**< 1: the whole refinement; the tree stays on the device */
  int output;   /**< 1: the lists of cells and points, and the fill */
} tsr_grid_on_device;

struct tsr_grid_plan {
  struct tsr_octree_plan *octree; /**< view.octree: the whole plan, and all that follows is empty
                                       but for copies of its sizes and marks; NULL: none */
  tsr_grid_input input;       /**< the caller's structs, checked; sizes of the grid, hidden cells */
  tsr_grid_criteria criteria; /**< the criteria with the thresholds in force */
  tsr_tree tree;              /**< which nodes are refined; on_device.tree: empty unless fetched */
  tsr_grid_ghosts ghosts;     /**< the nodes near the border that other processes refined */
  tsr_tree own, asked;        /**< copies of the tree during refinement; see tsr_refinement */
  tsr_grid_node *marks;       /**< (malloc) options.keep_marks: what tsr_grid_plan_marks returns */
  int64_t n_marks;
  tsr_grid_leaves leaves;       /**< number of visible leaves, in all parts of the grid */
  int64_t all_cells;            /**< during the search of a budget: output cells of all processes */
  tsr_grid_lists lists;         /**< the output cells: their nodes, and trees or patches of them */
  tsr_grid_points points;       /**< CELLS, POLYGONS, CONFORMING: where output points are */
  tsr_grid_cuts cuts;           /**< CONFORMING: how many cells each leaf is cut into */
  tsr_grid_sizes sizes;         /**< the public sizes */
  tsr_grid_device *device;      /**< the plan on the device; NULL: the CPU does everything */
  tsr_grid_on_device on_device; /**< what the device does */
  tsr_grid_counts counts; /**< on_device.tree or on_device.output: sizes of the device's result */
  tsr_report report;      /**< as tsr_grid_plan_report returns it, before it is completed */
};

/* ---- plan.c */

/** Falls back to the CPU after a device failed in a finished plan: closes the device, and makes
 *  what the CPU needs for the fill. With one process it makes the plan again. With several
 *  processes the tree is in host memory already, and only the lists of cells and points are made.
 *  The sizes, marks and lists that the caller may have asked for stay valid. If it fails, a later
 *  call tries again. */
tsr_status tsr_grid_make_here(tsr_grid_plan *plan, tsr_error *error);

/* ---- sizes.c */

/** Returns the number of visible leaves of mode FINE in this process, at most INT64_MAX. */
int64_t tsr_grid_fine_cells(const tsr_grid_input *input);

/** Returns `status` and copies *why to *error, which may be NULL. If the CPU made the plan and ran
 *  out of memory, adds to the text which options need less memory. */
tsr_status tsr_grid_tell(const tsr_grid_plan *plan, tsr_status status, const tsr_error *why,
                         tsr_error *error);

/** Sets plan->sizes, except fine_cells, notes and what follows from the view (dimension,
 *  levels). */
void tsr_grid_set_sizes(tsr_grid_plan *plan);

/** Sets report.by_cpu: which parts of a plan on a device the CPU makes, for the user. */
void tsr_grid_set_by_cpu(tsr_grid_plan *plan);

/* ---- count.c */

/** The most leaves that this process may have. */
int64_t tsr_grid_most_leaves(const tsr_grid_plan *plan);

/** Fails if so many cells, or the leaves of this process, are more than that. */
tsr_status tsr_grid_check_cells(const tsr_grid_plan *plan, int64_t cells, tsr_error *error);
tsr_status tsr_grid_check_leaves(const tsr_grid_plan *plan, tsr_error *error);

/** Sets sizes.fine_cells, the leaves of mode FINE over all processes. If the mode is FINE and a
 *  process has too many, fails before anything is refined. Collective. */
tsr_status tsr_grid_sum_fine(tsr_grid_plan *plan, tsr_error *error);

/** Counts the leaves, in this process and over all. Collective. */
tsr_status tsr_grid_sum_leaves(tsr_grid_plan *plan, tsr_error *error);

/** Sets all_cells, the output's cells over all processes, after tsr_grid_sum_leaves. Cells are
 *  not counted if there are more than `most` leaves, which shows that they do not fit.
 *  Collective. */
tsr_status tsr_grid_sum_cells(tsr_grid_plan *plan, int64_t most, tsr_error *error);

/* ---- cpu.c */

/** Sets up an executor of the steps in steps.h that runs on the CPU. execution: borrowed. */
void tsr_grid_use_cpu(tsr_executor *executor, const tsr_execution *execution);

/* ---- device.c: steps on the device. A comment that begins with a flag of plan->on_device says
 * that the flag must be set. `error` is never NULL. A `void *plan` is a tsr_grid_plan: these
 * functions are passed as callbacks to folders that do not know the plan. A rule (tsr_rule) is a
 * criterion with its numbers in force. */

/** Opens the device that the execution asks for, if any, and sets plan->on_device. */
tsr_status tsr_grid_device_open(tsr_grid_plan *plan, tsr_error *error);
/** Closes the device, if the plan has one: frees what is there and clears plan->device and
 *  plan->on_device. */
void tsr_grid_device_close(tsr_grid_plan *plan);

/** Returns 1 if the device failed with `status` and the CPU is to do the work instead, as the
 *  backend Auto allows; the report then says why. Returns 0 if the plan has no device. */
int tsr_grid_device_gave_up(tsr_grid_plan *plan, tsr_status status, const tsr_error *why);

/** on_device.criteria: finds the range of a rule's array, or, if `measure` is 1, of its measure in
 *  input cells, in this process. range: receives the smallest and the largest finite value;
 *  range[0] > range[1] if there is none. */
tsr_status tsr_grid_device_range(void *plan, const tsr_rule *rule, int measure, double range[2],
                                 tsr_error *error);

/** on_device.criteria without on_device.tree: refines the levels from the roots to the input cells,
 *  and copies them into plan->tree, which must be clear before. */
tsr_status tsr_grid_device_descend(tsr_grid_plan *plan, tsr_error *error);

/** on_device.criteria without on_device.tree: evaluates the interpolation error in the leaves of
 *  one round of the guarantee, after the CPU made the closure. Sets check->done to 0 if the device
 *  cannot: the CPU then evaluates it. */
tsr_status tsr_grid_device_check(void *plan, tsr_grid_leaf_check *check, tsr_error *error);

/** on_device.tree: makes the tree by the rules in force, and counts its leaves. */
tsr_status tsr_grid_device_refine(tsr_grid_plan *plan, tsr_error *error);

/** on_device.tree: copies the marks to plan->marks. */
tsr_status tsr_grid_device_marks(tsr_grid_plan *plan, tsr_error *error);

/** on_device.output without on_device.tree: uploads the tree that the CPU made. */
tsr_status tsr_grid_device_take_tree(tsr_grid_plan *plan, tsr_error *error);

/** on_device.output: lists and counts the cells and their points; the lists stay on the device. */
tsr_status tsr_grid_device_list(tsr_grid_plan *plan, tsr_error *error);

/** on_device.tree: copies the tree to plan->tree. */
tsr_status tsr_grid_device_fetch(tsr_grid_plan *plan, tsr_error *error);

/** on_device.output: writes the output. */
tsr_status tsr_grid_device_fill(tsr_grid_plan *plan, const tsr_grid_output *out, tsr_error *error);

/** Means and error of an attribute, computed by the device. */
typedef struct tsr_grid_device_values {
  int done;      /**< 0: the device computed nothing; the CPU is to do it */
  double *means; /**< (malloc, freed by the caller) cell arrays: lists.n x components: means
                      over leaves larger than an input cell, 0 in other leaves; NULL: none are
                      needed */
  double error;  /**< the largest error, as tsr_grid_attribute.error */
} tsr_grid_device_values;

/** on_device.criteria: computes means and error of an attribute where the CPU fills the output.
 * Sets found->done to 0 if the device cannot. */
tsr_status tsr_grid_device_measure(tsr_grid_plan *plan, const tsr_grid_attribute *attribute,
                                   tsr_grid_device_values *found, tsr_error *error);

#endif
