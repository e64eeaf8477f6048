/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: the plan, and its phases in the order of the work. Not
 * public.
 */
#ifndef TSR_GRID_OCTREE_OCTREE_H
#define TSR_GRID_OCTREE_OCTREE_H

#include "common/run/held.h"
#include "common/run/plan.h"
#include "grid/criteria/criteria.h"
#include "grid/octree/backend.h"

/** What a rule looks at. */
typedef struct tsr_octree_field {
  double *values; /**< points of the input x columns; NULL: cell data */
  int columns;
  double *payload; /**< nodes x 3: what the measure needs of the values below each node, as the
                        tsr_payload functions have it; NULL: the rule looks at the points instead */
  tsr_array array; /**< of the rule, in the executor's memory */
  double *samples; /**< entries of the samples x sample_columns; NULL: there are none */
  int sample_columns;
} tsr_octree_field;

/** Values of an array at the points of the input, kept from the criteria for the fill. */
typedef struct tsr_octree_columns {
  const void *host; /**< the caller's array */
  int moved, component, n;
  double *values;
} tsr_octree_columns;

/** A plan. Pointers to arrays are to memory of the executor unless they say otherwise. */
typedef struct tsr_octree_plan {
  tsr_plan base;
  tsr_grid_view view;
  tsr_grid_octree cells;
  tsr_grid_input grid;             /**< options, and what the criteria of structured grids need */
  const tsr_grid_criterion *given; /**< the criteria of the caller */
  tsr_grid_criterion *chosen;      /**< (malloc) these, where cell data are moved as point data */
  tsr_executor executor;
  tsr_octree_device *device;
  tsr_held held; /**< all memory of the executor that the plan has */

  tsr_octree_input input;
  tsr_octree_tree tree;
  tsr_octree_space space;
  tsr_octree_corner_job in; /**< points of the input; n is 0 until they are needed */
  int64_t *node_corner;
  const int64_t *corner_tuple; /**< the view's corners; NULL until they are needed, or if the view
                                    has none */
  tsr_grid_criteria criteria;
  tsr_octree_field *fields;          /**< (malloc) of each rule */
  tsr_octree_sample_list samples[2]; /**< of point data, of cell data; lists that are needed */
  tsr_octree_columns *columns;       /**< (malloc) those that are kept */
  int n_columns;
  int64_t columns_room;
  uint8_t *asks, *reached, *refine; /**< a flag for each node: rule_math.h */
  int64_t *tasks; /**< nodes + 1: looks at points before each node, and their number */

  tsr_octree_close_job close; /**< the refined tree, and what makes it */
  int64_t splits_room;        /**< of its arrays */
  tsr_octree_entries entries; /**< all leaves; after `list`, the entries of this process's output */
  tsr_octree_corner_job out;  /**< points of the output */
  int64_t *source;            /**< of each point of the output; NULL until it is needed */
  int64_t centres;            /**< points that cutting adds in the middles of leaves */
  int64_t *tree_first;        /**< TREES */
  int32_t (*tree_root)[3];    /**< TREES: (malloc) indices of the roots, by the caller's axes */
  tsr_grid_patch *patches;    /**< PATCHES: (malloc) */
  tsr_grid_node *nodes; /**< (malloc) what tsr_grid_plan_nodes returns, once it was asked for */
  tsr_grid_node *marks; /**< (malloc) options.keep_marks */
  int64_t n_marks;
  tsr_grid_sizes sizes;
  tsr_octree_ways ways; /**< of all leaves; none until looks need it */
} tsr_octree_plan;

/** Returns from the function if a step fails. All memory is the plan's, so nothing is to be freed.
 */
#define TSR_OCTREE_TRY(CALL)                                                                       \
  do {                                                                                             \
    const tsr_status status_of_call = (CALL);                                                      \
    if (status_of_call != TSR_OK)                                                                  \
      return status_of_call;                                                                       \
  } while (0)

/* ---- device.c */

/** Opens the executor, on the device if base.on_device says so. */
tsr_status tsr_octree_open(tsr_octree_plan *plan, tsr_error *error);
/** Frees all memory of the executor, and closes the device. */
void tsr_octree_close(tsr_octree_plan *plan);
/** Allocates n * size bytes of the executor's memory, owned by the plan. */
tsr_status tsr_octree_alloc(tsr_octree_plan *plan, void *to, int64_t n, size_t size,
                            const char *what, tsr_error *error);
/** Frees memory from tsr_octree_alloc before the plan ends; to: points to the pointer, which
 *  becomes NULL. */
void tsr_octree_release(tsr_octree_plan *plan, void *to);
/** Scans counts[0..n), and reads the total. */
tsr_status tsr_octree_sum(tsr_octree_plan *plan, int64_t *counts, int64_t n, int64_t *total,
                          tsr_error *error);

/* ---- input.c */

/** Checks the view's cells, and sorts them. */
tsr_status tsr_octree_take_cells(tsr_octree_plan *plan, tsr_error *error);
/** Finds the nodes above the cells. */
tsr_status tsr_octree_make_tree(tsr_octree_plan *plan, tsr_error *error);

/* ---- points.c */

/** Numbers the points of job->cells: allocates and fills job->points. keep: 1: also which slots
 * each point has. */
tsr_status tsr_octree_number_points(tsr_octree_plan *plan, tsr_octree_corner_job *job, int keep,
                                    tsr_error *error);
/** Numbers the points of the input, if that was not done before. */
tsr_status tsr_octree_need_points(tsr_octree_plan *plan, tsr_error *error);
/** Makes the columns of an array at the points of the input, or finds those that are kept. host:
 * the caller's array; array: the same in the executor's memory. moved: 1: it is cell data. columns:
 * 1 with `component`, or its components. *values: receives them, for tsr_octree_drop_columns. */
tsr_status tsr_octree_make_columns(tsr_octree_plan *plan, const tsr_array *host,
                                   const tsr_array *array, int moved, int component, int columns,
                                   double **values, tsr_error *error);
/** As tsr_octree_make_columns; the plan keeps the columns until it ends. */
tsr_status tsr_octree_keep_columns(tsr_octree_plan *plan, const tsr_array *host,
                                   const tsr_array *array, int moved, int component, int columns,
                                   double **values, tsr_error *error);
/** Frees columns that are not kept. */
void tsr_octree_drop_columns(tsr_octree_plan *plan, double **values);

/* ---- samples.c */

/** 1 if a criterion looks at cell data at the points. Derivatives always do. */
int tsr_octree_moves(const tsr_grid_options *o, const tsr_grid_criterion *c);
/** The samples of a rule in the caller's criterion, or NULL. */
const tsr_array *tsr_octree_rule_samples(const tsr_octree_plan *plan, const tsr_rule *rule);
/** Checks the arrays of samples of the criteria and their number. */
tsr_status tsr_octree_check_samples(const tsr_octree_plan *plan, tsr_error *error);
/** Checks an array of samples. name: of it in errors. */
tsr_status tsr_octree_check_sample_array(const tsr_octree_plan *plan, const tsr_array *samples,
                                         const tsr_array *array, int cell_data, const char *name,
                                         tsr_error *error);
/** Makes the columns of an array of samples, and the list of the samples if that was not done
 *  before. component: of the array; -1: all. *values: receives them, for tsr_octree_release. */
tsr_status tsr_octree_take_samples(tsr_octree_plan *plan, const tsr_array *samples, int cell_data,
                                   int component, double **values, tsr_error *error);

/* ---- rules.c */

/** Finds thresholds in absolute numbers, and the payloads of nodes. */
tsr_status tsr_octree_find_rules(tsr_octree_plan *plan, tsr_error *error);
/** Decides which nodes of the input's tree the rules in force refine. */
tsr_status tsr_octree_refine(tsr_octree_plan *plan, tsr_error *error);
/** A job of a rule, for steps in rule_math.h. */
tsr_octree_rule_job tsr_octree_rule_job_of(const tsr_octree_plan *plan, int rule);
/** 1 if the rule looks at points below nodes. */
int tsr_octree_rule_looks(const tsr_octree_plan *plan, int rule);
/** Frees what belongs to the rules. */
void tsr_octree_free_rules(tsr_octree_plan *plan);

/* ---- close.c */

/** Makes the refined tree: what criteria ask for, the buffer and the marks, closed. */
tsr_status tsr_octree_make_splits(tsr_octree_plan *plan, tsr_error *error);
/** Refines `wanted` more nodes, and closes the tree again. A refined node is a word (close_math.h);
 *  the caller has written the words of the new ones behind the room of tsr_octree_ready_words. */
tsr_status tsr_octree_add_words(tsr_octree_plan *plan, int64_t wanted, tsr_error *error);
/** Allocates plan->close.words for the nodes that are refined already and `more`, and writes the
 *  words of the former. */
tsr_status tsr_octree_ready_words(tsr_octree_plan *plan, int64_t more, tsr_error *error);

/** Frees the refined tree. */
void tsr_octree_drop_splits(tsr_octree_plan *plan);

/* ---- leaves.c */

/** Lists the leaves of the refined tree. */
tsr_status tsr_octree_list_leaves(tsr_octree_plan *plan, tsr_error *error);
/** Refines leaves whose interpolation error is above the threshold, until there are none. */
tsr_status tsr_octree_guarantee(tsr_octree_plan *plan, tsr_error *error);
/** Counts the cells that the leaves are cut into. */
tsr_status tsr_octree_count_cells(tsr_octree_plan *plan, int64_t *cells, tsr_error *error);

/* ---- errors.c */

/** Lists the ways in which the leaves are cut, where looks are faster with the list: on a device,
 *  if the cells have even spacing. tsr_octree_list_leaves drops it. */
tsr_status tsr_octree_need_ways(tsr_octree_plan *plan, tsr_error *error);
/** Frees the list. */
void tsr_octree_drop_ways(tsr_octree_plan *plan);

/** Looks at what is in the leaves of the output: allocates job->looks and job->found. */
tsr_status tsr_octree_look_at_entries(tsr_octree_plan *plan, tsr_octree_error_job *job,
                                      tsr_error *error);
/** Frees what tsr_octree_look_at_entries allocated. */
void tsr_octree_end_looks(tsr_octree_plan *plan, tsr_octree_error_job *job);
/** Counts the leaves no larger than a cell of the input that have an error above the threshold. */
tsr_status tsr_octree_note_samples(tsr_octree_plan *plan, tsr_error *error);

/* ---- list.c */

/** Makes the entries of this process's output, and the sizes. */
tsr_status tsr_octree_list(tsr_octree_plan *plan, tsr_error *error);
/** What all steps of the fill need. */
tsr_octree_put tsr_octree_put_of(const tsr_octree_plan *plan);

/* ---- fill.c */

tsr_status tsr_octree_fill(void *plan, const void *output, tsr_error *error);

/* ---- plan.c: what the functions of tessera_grid.h call where the view has an octree */

tsr_status tsr_octree_plan_create(const tsr_grid_view *view, const tsr_grid_options *options,
                                  const tsr_execution *execution, tsr_octree_plan **plan,
                                  tsr_error *error);
void tsr_octree_plan_free(tsr_octree_plan *plan);
const tsr_grid_node *tsr_octree_plan_nodes(tsr_octree_plan *plan);
void tsr_octree_plan_report(const tsr_octree_plan *plan, tsr_report *report);
tsr_status tsr_octree_plan_fill(tsr_octree_plan *plan, const tsr_grid_output *output,
                                tsr_error *error);
/** As tsr_grid_count_fine. */
tsr_status tsr_octree_count_fine(const tsr_grid_view *view, int64_t *cells, tsr_error *error);

#endif
