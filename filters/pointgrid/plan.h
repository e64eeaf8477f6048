/* SPDX-License-Identifier: BSD-3-Clause */
/** A plan of a point grid, and the steps that make it. Not public. */
#ifndef TSR_POINTGRID_PLAN_H
#define TSR_POINTGRID_PLAN_H

#include "common/processes/tessera_route.h"
#include "common/support.h"
#include "pointgrid/backend.h"

/** A point while points are sorted: its Morton key and its index. */
typedef struct tsr_pointgrid_item {
  uint64_t key;
  int64_t point; /**< index in the points held */
} tsr_pointgrid_item;

/** The split cells of one level: their Morton numbers in that level, ascending. */
typedef struct tsr_pointgrid_level {
  uint64_t *at;
  int64_t n, room;
} tsr_pointgrid_level;

/** Split cells, level by level. */
typedef struct tsr_pointgrid_splits_of {
  tsr_pointgrid_level of[TSR_POINTGRID_MAX_LEVEL + 1];
} tsr_pointgrid_splits_of;

/** Several processes: the route of this process's points to their owners, and the points received.
 *  One process: all NULL. */
typedef struct tsr_pointgrid_route {
  tsr_route way; /**< of the view's points */
  void *points;  /**< received */
  void *spread;  /**< values of the spread array, received */
} tsr_pointgrid_route;

struct tsr_pointgrid_plan {
  tsr_pointgrid_view view; /**< of the caller */
  tsr_pointgrid_options options;
  tsr_processes processes; /**< one where there is no gather */
  tsr_execution execution;
  tsr_pointgrid_device *device; /**< NULL: the CPU does everything */
  int on_device;                /**< 1: leaves, order and (CELLS) corners are in device memory, and
                                     NULL in the plan */
  tsr_pointgrid_cube cube;
  tsr_pointgrid_rule rule;
  tsr_array points; /**< points held: those of the view, or those received */
  tsr_array spread; /**< the spread array of the points held */
  tsr_pointgrid_route route;
  tsr_pointgrid_item *items; /**< the points that count, in input order; NULL after the sort */
  int64_t n_items;
  int64_t *before; /**< what tsr_pointgrid_find_box returns */
  int64_t *order;  /**< points held, leaf by leaf */
  tsr_pointgrid_leaves leaves;
  tsr_pointgrid_summary summary; /**< of the leaves */
  tsr_pointgrid_splits_of tree;  /**< output TREE, or with balance: all split cells that overlap
                                      this process's range of keys */
  uint64_t *corners;             /**< CELLS: sizes.points: the places of the corners, z y x */
  int64_t *corner_of;            /**< CELLS: sizes.connectivity */
  tsr_pointgrid_sizes sizes;
  tsr_report report;
};

/* check.c */
/** Fails with BAD_OPTION unless rank, n_ranks, owners and the callbacks are valid. */
tsr_status tsr_pointgrid_check_ranks(const tsr_pointgrid_options *o, tsr_error *error);
tsr_status tsr_pointgrid_check(const tsr_pointgrid_plan *plan, tsr_error *error);
tsr_status tsr_pointgrid_check_output(const tsr_pointgrid_plan *plan,
                                      const tsr_pointgrid_output *output, tsr_error *error);

/* cube.c: the root, and the keys of the points in it. */
/** Finds the bounding box of the points that count: not hidden, and finite. *before: receives, for
 *  each block of TSR_POINTGRID_BLOCK points, how many points that count are in the blocks before
 * it, then their total; to be freed. */
tsr_status tsr_pointgrid_find_box(tsr_pointgrid_plan *plan, tsr_pointgrid_box *box,
                                  int64_t **before, tsr_error *error);
void tsr_pointgrid_set_cube(tsr_pointgrid_plan *plan, const tsr_pointgrid_box *box);
/** Makes plan->items from the points held. before: from tsr_pointgrid_find_box; NULL: all points
 *  count. */
tsr_status tsr_pointgrid_make_items(tsr_pointgrid_plan *plan, const int64_t *before,
                                    tsr_error *error);

/* share.c: which process owns which leaves. */
/** Replaces *box by the box around the boxes of all processes. */
tsr_status tsr_pointgrid_share_box(const tsr_pointgrid_plan *plan, tsr_pointgrid_box *box,
                                   tsr_error *error);
/** Divides the keys into one range for each owner, sets this process's range in plan->rule, and
 * sends the points to their owners. */
tsr_status tsr_pointgrid_share_points(tsr_pointgrid_plan *plan, tsr_error *error);

/* route.c: points and values on their way to their owners. */
/** Sends the tuples of an array along the plan's route. *out: receives the tuples that arrive, to
 * be freed. */
tsr_status tsr_pointgrid_send(const tsr_pointgrid_plan *plan, const tsr_array *array, void **out,
                              tsr_error *error);
/** Makes the route by which each item goes to its owner, and sends points and spread array along
 * it.
 */
tsr_status tsr_pointgrid_travel(tsr_pointgrid_plan *plan, const int *owner_of_item,
                                tsr_error *error);

/* here.c: the CPU's steps where no device did them. */
/** Sorts the points held into leaves: makes plan->items if there are none yet, then plan->leaves
 * and plan->order. */
tsr_status tsr_pointgrid_sort_here(tsr_pointgrid_plan *plan, tsr_error *error);
/** Falls back to the CPU after the device failed: tsr_pointgrid_sort_here, then for CELLS the
 *  corners. */
tsr_status tsr_pointgrid_start_again(tsr_pointgrid_plan *plan, tsr_error *error);

/* sort.c: sorts plan->items into leaves, and frees them. */
tsr_status tsr_pointgrid_sort(tsr_pointgrid_plan *plan, tsr_error *error);

/* device.c */
/** Returns the report of a plan that runs on the CPU. */
tsr_report tsr_pointgrid_cpu_report(const tsr_pointgrid_plan *plan);
/** Opens the device that the execution asks for. plan->device stays NULL if Auto finds none. */
tsr_status tsr_pointgrid_device_open(tsr_pointgrid_plan *plan, tsr_error *error);
/* The steps below set *done to 1 if the device did the step, and to 0 if the CPU is to do it. */
/** Does tsr_pointgrid_find_box on the device, but without `before`. */
tsr_status tsr_pointgrid_device_box(tsr_pointgrid_plan *plan, tsr_pointgrid_box *box, int *done,
                                    tsr_error *error);
/** Does tsr_pointgrid_sort on the device, and sets plan->summary. When the next steps run on the
 *  device too, leaves and order are not copied back. If *done is 0, plan->items are unchanged. */
tsr_status tsr_pointgrid_device_sort(tsr_pointgrid_plan *plan, int *done, tsr_error *error);
/** Does tsr_pointgrid_find_corners on the device. */
tsr_status tsr_pointgrid_device_corners(tsr_pointgrid_plan *plan, int *done, tsr_error *error);
/** Writes the whole output except attributes and state. */
tsr_status tsr_pointgrid_device_fill(tsr_pointgrid_plan *plan, const tsr_pointgrid_output *output,
                                     int *done, tsr_error *error);
/** Writes one attribute. attribute->in: an array of the points held. */
tsr_status tsr_pointgrid_device_attribute(tsr_pointgrid_plan *plan,
                                          const tsr_pointgrid_attribute *attribute, int *done,
                                          tsr_error *error);
void tsr_pointgrid_device_close(tsr_pointgrid_plan *plan);

/* nodes.c: one split: sorts the points of a cell into its descendants, one to a few levels down. */
/** A cell that holds points: a leaf, or a cell to be split further. */
typedef struct tsr_pointgrid_group {
  tsr_pointgrid_cell cell;
  int64_t begin; /**< its first item */
  int open;      /**< it is to be split further */
} tsr_pointgrid_group;

/** Memory for splits; initialise with {0}. */
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

/** Allocates the memory. blocks: how many blocks of a split run in parallel. */
tsr_status tsr_pointgrid_scratch_init(tsr_pointgrid_scratch *scratch, int64_t blocks,
                                      const tsr_pointgrid_rule *rule, tsr_error *error);
void tsr_pointgrid_scratch_free(tsr_pointgrid_scratch *scratch);

/** The arguments of one split. */
typedef struct tsr_pointgrid_split {
  const tsr_pointgrid_plan *plan;
  tsr_pointgrid_scratch *scratch;
  tsr_pointgrid_group node;
  const tsr_pointgrid_item *from;
  tsr_pointgrid_item *to; /**< both are indexed by node.begin onwards */
  int levels;             /**< how many levels the split goes down */
  int64_t blocks;         /**< number of blocks that its items are divided into */
} tsr_pointgrid_split;

/** Returns how many levels one split of this cell goes down. */
int tsr_pointgrid_split_levels(const tsr_pointgrid_rule *rule, const tsr_pointgrid_cell *cell);
/** Counts the digits of block b. */
void tsr_pointgrid_split_count(const tsr_pointgrid_split *split, int64_t b);
/** Appends the groups that result, in Morton order, to scratch->groups. Returns 0 if out of memory.
 */
int tsr_pointgrid_split_group(const tsr_pointgrid_split *split);
/** Moves the items of block b to their groups, in their order. first: the first group. */
void tsr_pointgrid_split_move(const tsr_pointgrid_split *split, int64_t first, int64_t b);

/* leaves.c: the tree as a set of split cells, and its leaves. */
/** Appends a leaf. Returns 0 if out of memory. */
int tsr_pointgrid_add_leaf(tsr_pointgrid_leaves *leaves, const tsr_pointgrid_leaf *leaf);
/** Collects the split cells that are ancestors of the plan's leaves. */
tsr_status tsr_pointgrid_collect(const tsr_pointgrid_plan *plan, tsr_pointgrid_splits_of *tree,
                                 tsr_error *error);
void tsr_pointgrid_free_tree(tsr_pointgrid_splits_of *tree);
/** Appends a split cell. Returns 0 if out of memory. */
int tsr_pointgrid_add_split(tsr_pointgrid_level *level, uint64_t number);
/** Replaces plan->leaves by the leaves of the split cells plan->tree within this process's range,
 * and divides the points of the old leaves among them. */
tsr_status tsr_pointgrid_resolve(tsr_pointgrid_plan *plan, tsr_error *error);
/** Sets plan->summary. */
void tsr_pointgrid_summarise(tsr_pointgrid_plan *plan);

/* balance.c */
/** Splits the cells that the balance needs, in all processes. Collective. */
tsr_status tsr_pointgrid_balance(tsr_pointgrid_plan *plan, tsr_error *error);

/* corners.c: finds the corners of the leaves, each once although leaves share them. */
tsr_status tsr_pointgrid_find_corners(tsr_pointgrid_plan *plan, tsr_error *error);

/* values.c: point arrays in cells. */
/** Writes mean, least and greatest of one attribute of the points held. cell_leaf: for each cell of
 *  the output the index of its leaf, or -1 - (its first child), or INT64_MIN if it is foreign;
 * NULL: the cells are the leaves. */
tsr_status tsr_pointgrid_fill_values(const tsr_pointgrid_plan *plan,
                                     const tsr_pointgrid_attribute *attribute,
                                     const int64_t *cell_leaf, tsr_error *error);

/* tree.c: cells level by level. */
/** Lists the cells of TREE. *cell_leaf: receives what tsr_pointgrid_fill_values takes; *level: the
 *  level of each cell; both to be freed. */
tsr_status tsr_pointgrid_walk(const tsr_pointgrid_plan *plan, int64_t **cell_leaf, int32_t **level,
                              tsr_error *error);

/** Returns the level of the deepest leaf. */
static inline int tsr_pointgrid_finest(const tsr_pointgrid_summary *summary) {
  int finest = 0;
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
    finest = summary->of_level[level] > 0 ? level : finest;
  return finest;
}

/** Items of a block of work on points. */
#define TSR_POINTGRID_BLOCK 65536

/** Runs a task over [0, n) in ranges of `grain`; the progress goes from `first` to `last`. */
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
