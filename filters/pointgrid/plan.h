/* SPDX-License-Identifier: BSD-3-Clause */
/** A plan of a point grid, and the steps that make it. Not public. */
#ifndef TSR_POINTGRID_PLAN_H
#define TSR_POINTGRID_PLAN_H

#include "common/processes/tessera_route.h"
#include "common/support.h"
#include "pointgrid/backend.h"

/** A point on its way to its place. */
typedef struct tsr_pointgrid_item {
  uint64_t key;
  int64_t point; /**< of the points held */
} tsr_pointgrid_item;

/** The split cells of a level as numbers of that level, rising. */
typedef struct tsr_pointgrid_level {
  uint64_t *at;
  int64_t n, room;
} tsr_pointgrid_level;

/** Split cells, level by level. */
typedef struct tsr_pointgrid_splits_of {
  tsr_pointgrid_level of[TSR_POINTGRID_MAX_LEVEL + 1];
} tsr_pointgrid_splits_of;

/** Where the points of this process go, where there are several; all NULL where there are not. */
typedef struct tsr_pointgrid_route {
  tsr_route way; /**< of points of the view */
  void *points;  /**< received */
  void *spread;  /**< values of the spread array, received */
} tsr_pointgrid_route;

struct tsr_pointgrid_plan {
  tsr_pointgrid_view view; /**< of the caller */
  tsr_pointgrid_options options;
  tsr_processes processes; /**< one where there is no gather */
  tsr_execution execution;
  tsr_pointgrid_device *device; /**< NULL: the CPU does everything */
  int on_device;                /**< leaves and order, and of CELLS the corners, are there, and
                                     NULL here */
  tsr_pointgrid_cube cube;
  tsr_pointgrid_rule rule;
  tsr_array points; /**< held: those of the view, or those received */
  tsr_array spread; /**< likewise */
  tsr_pointgrid_route route;
  tsr_pointgrid_item *items; /**< those that are kept, in their order; NULL once they are sorted */
  int64_t n_items;
  int64_t *before; /**< of find_box */
  int64_t *order;  /**< points held, leaf by leaf */
  tsr_pointgrid_leaves leaves;
  tsr_pointgrid_summary summary; /**< of the leaves */
  tsr_pointgrid_splits_of tree;  /**< TREE, and balance: all split cells that reach into the own
                                      range */
  uint64_t *corners;             /**< CELLS: sizes.points: the places of the corners, z y x */
  int64_t *corner_of;            /**< CELLS: sizes.connectivity */
  tsr_pointgrid_sizes sizes;
  tsr_report report;
};

/* check.c */
/** Whether the processes can talk to each other at all. */
tsr_status tsr_pointgrid_check_ranks(const tsr_pointgrid_options *o, tsr_error *error);
tsr_status tsr_pointgrid_check(const tsr_pointgrid_plan *plan, tsr_error *error);
tsr_status tsr_pointgrid_check_output(const tsr_pointgrid_plan *plan,
                                      const tsr_pointgrid_output *output, tsr_error *error);

/* cube.c: the root, and the keys of the points in it. */
/** The box of the points that count. *before: receives, for each block of TSR_POINTGRID_BLOCK
 * points, how many of those that count lie in the blocks before it, and at the end all; to be
 * freed. */
tsr_status tsr_pointgrid_find_box(tsr_pointgrid_plan *plan, tsr_pointgrid_box *box,
                                  int64_t **before, tsr_error *error);
void tsr_pointgrid_set_cube(tsr_pointgrid_plan *plan, const tsr_pointgrid_box *box);
/** Makes plan->items of the points held; before: of find_box, NULL: all points count. */
tsr_status tsr_pointgrid_make_items(tsr_pointgrid_plan *plan, const int64_t *before,
                                    tsr_error *error);

/* share.c: who owns what. */
/** Joins the boxes of all processes. */
tsr_status tsr_pointgrid_share_box(const tsr_pointgrid_plan *plan, tsr_pointgrid_box *box,
                                   tsr_error *error);
/** Cuts the keys into ranges, sets the rule's, and sends the points to their owners. */
tsr_status tsr_pointgrid_share_points(tsr_pointgrid_plan *plan, tsr_error *error);

/* route.c: points and values on their way to their owners. */
/** Sends whole tuples along the plan's route; *out receives those that came, to be freed. */
tsr_status tsr_pointgrid_send(const tsr_pointgrid_plan *plan, const tsr_array *array, void **out,
                              tsr_error *error);
/** Makes the route from the owner of each item, and sends points and spread array along it. */
tsr_status tsr_pointgrid_travel(tsr_pointgrid_plan *plan, const int *owner_of_item,
                                tsr_error *error);

/* here.c: the CPU's steps where no device did them. */
/** Sorts the points held into leaves: makes plan->items if there are none yet, then plan->leaves
 * and plan->order. */
tsr_status tsr_pointgrid_sort_here(tsr_pointgrid_plan *plan, tsr_error *error);
/** Falls back to the CPU after the device failed: tsr_pointgrid_sort_here, then for CELLS the
 *  corners. */
tsr_status tsr_pointgrid_start_again(tsr_pointgrid_plan *plan, tsr_error *error);

/* sort.c: points into leaves; takes plan->items. */
tsr_status tsr_pointgrid_sort(tsr_pointgrid_plan *plan, tsr_error *error);

/* device.c */
/** The report of a plan that knows no device. */
tsr_report tsr_pointgrid_cpu_report(const tsr_pointgrid_plan *plan);
/** Opens the device that the execution asks for; where Auto finds none, the plan has none. */
tsr_status tsr_pointgrid_device_open(tsr_pointgrid_plan *plan, tsr_error *error);
/* Of all that follows *done is 0 where the CPU is to do it. */
/** As tsr_pointgrid_find_box, by the plan's device; `before` is then left out. */
tsr_status tsr_pointgrid_device_box(tsr_pointgrid_plan *plan, tsr_pointgrid_box *box, int *done,
                                    tsr_error *error);
/** As tsr_pointgrid_sort; of what goes on on the device, leaves and order stay there. Sets the
 *  summary. Where it is not done, plan->items are as before. */
tsr_status tsr_pointgrid_device_sort(tsr_pointgrid_plan *plan, int *done, tsr_error *error);
/** As tsr_pointgrid_find_corners. */
tsr_status tsr_pointgrid_device_corners(tsr_pointgrid_plan *plan, int *done, tsr_error *error);
/** All of the output but attributes and state. */
tsr_status tsr_pointgrid_device_fill(tsr_pointgrid_plan *plan, const tsr_pointgrid_output *output,
                                     int *done, tsr_error *error);
/** One attribute, whose array is of the points held. */
tsr_status tsr_pointgrid_device_attribute(tsr_pointgrid_plan *plan,
                                          const tsr_pointgrid_attribute *attribute, int *done,
                                          tsr_error *error);
void tsr_pointgrid_device_close(tsr_pointgrid_plan *plan);

/* nodes.c: one split of a cell, of points in memory. */
/** A cell that holds points: a leaf, or to be split further. */
typedef struct tsr_pointgrid_group {
  tsr_pointgrid_cell cell;
  int64_t begin; /**< its first item */
  int open;      /**< it is to be split further */
} tsr_pointgrid_group;

/** Memory for splitting; init with all 0. */
typedef struct tsr_pointgrid_scratch {
  int64_t *counts; /**< of all digits, then of the cells above them */
  double *low, *high;
  int32_t *group_of; /**< of each digit */
  int64_t *cursor;   /**< blocks x groups */
  int64_t *block_counts;
  double *block_low, *block_high;
  int64_t blocks;
  tsr_pointgrid_group *groups;
  int64_t n_groups, room;
} tsr_pointgrid_scratch;

enum { TSR_POINTGRID_DIGIT_BITS = 12 };

/** blocks: how many run side by side. */
tsr_status tsr_pointgrid_scratch_init(tsr_pointgrid_scratch *scratch, int64_t blocks,
                                      const tsr_pointgrid_rule *rule, tsr_error *error);
void tsr_pointgrid_scratch_free(tsr_pointgrid_scratch *scratch);

/** What a split works on. */
typedef struct tsr_pointgrid_split {
  const tsr_pointgrid_plan *plan;
  tsr_pointgrid_scratch *scratch;
  tsr_pointgrid_group node;
  const tsr_pointgrid_item *from;
  tsr_pointgrid_item *to; /**< both are indexed by node.begin onwards */
  int levels;             /**< that it goes down */
  int64_t blocks;         /**< its items are cut into so many */
} tsr_pointgrid_split;

/** How many levels to go down at once. */
int tsr_pointgrid_split_levels(const tsr_pointgrid_rule *rule, const tsr_pointgrid_cell *cell);
/** Counts the digits of block b. */
void tsr_pointgrid_split_count(const tsr_pointgrid_split *split, int64_t b);
/** Adds the groups that result, in Morton order, from scratch->n_groups on; 0: no memory. */
int tsr_pointgrid_split_group(const tsr_pointgrid_split *split);
/** Moves the items of block b to their groups, in their order. first: the first group. */
void tsr_pointgrid_split_move(const tsr_pointgrid_split *split, int64_t first, int64_t b);

/* leaves.c: the tree as its split cells, and the leaves that result. */
/** Adds a leaf; 0: no memory. */
int tsr_pointgrid_add_leaf(tsr_pointgrid_leaves *leaves, const tsr_pointgrid_leaf *leaf);
/** The split cells above the plan's leaves. */
tsr_status tsr_pointgrid_collect(const tsr_pointgrid_plan *plan, tsr_pointgrid_splits_of *tree,
                                 tsr_error *error);
void tsr_pointgrid_free_tree(tsr_pointgrid_splits_of *tree);
/** Adds a split cell; 0: no memory. */
int tsr_pointgrid_add_split(tsr_pointgrid_level *level, uint64_t number);
/** Leaves of the split cells, in the own range, with the points of those that are there. */
tsr_status tsr_pointgrid_resolve(tsr_pointgrid_plan *plan, tsr_error *error);
/** Sets plan->summary. */
void tsr_pointgrid_summarise(tsr_pointgrid_plan *plan);

/* balance.c */
/** Splits what the balance asks for, in all processes. */
tsr_status tsr_pointgrid_balance(tsr_pointgrid_plan *plan, tsr_error *error);

/* corners.c: points that leaves share. */
tsr_status tsr_pointgrid_find_corners(tsr_pointgrid_plan *plan, tsr_error *error);

/* values.c: point arrays in cells. */
/** The arrays of one attribute, of points held. cell_leaf: of each cell of the output its leaf, or
 *  -1 - first child, or INT64_MIN where it is foreign; NULL: cells are leaves. */
tsr_status tsr_pointgrid_fill_values(const tsr_pointgrid_plan *plan,
                                     const tsr_pointgrid_attribute *attribute,
                                     const int64_t *cell_leaf, tsr_error *error);

/* tree.c: cells level by level. */
/** Of each cell of TREE as fill_values wants it, and its level; to be freed. */
tsr_status tsr_pointgrid_walk(const tsr_pointgrid_plan *plan, int64_t **cell_leaf, int32_t **level,
                              tsr_error *error);

/** The level of the deepest leaf. */
static inline int tsr_pointgrid_finest(const tsr_pointgrid_summary *summary) {
  int finest = 0;
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
    finest = summary->of_level[level] > 0 ? level : finest;
  return finest;
}

/** Items of a block of work on points. */
#define TSR_POINTGRID_BLOCK 65536

/** Runs a task over [0, n). */
static inline tsr_status tsr_pointgrid_run(const tsr_pointgrid_plan *plan, tsr_task task,
                                           void *data, int64_t n, int64_t grain, double first,
                                           double last, tsr_error *error) {
  tsr_job job = {.execution = &plan->execution,
                 .task = task,
                 .data = data,
                 .n = n,
                 .done_first = first,
                 .done_last = last};
  const tsr_status status = tsr_job_run(&job, grain);
  return status == TSR_ABORTED ? tsr_fail(error, status, -1, "the work was stopped") : status;
}

#endif
