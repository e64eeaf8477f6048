/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: from points to the leaves of the tree. Not public. */
#ifndef TSR_POINTGRID_TREE_TREE_H
#define TSR_POINTGRID_TREE_TREE_H

#include "common/support.h"
#include "pointgrid/backend.h"
#include "pointgrid/tree/tree_math.h"

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

/** Number of points that one thread works on at a time. */
#define TSR_POINTGRID_BLOCK 65536

/** Runs a task over [0, n) in ranges of `grain`; the progress goes from `first` to `last`. */
tsr_status tsr_pointgrid_run(const tsr_pointgrid_input *input, tsr_task task, void *data, int64_t n,
                             int64_t grain, double first, double last, tsr_error *error);

/* ---- cube.c: the root, and the keys of the points in it */

/** Sets input->cube, and of input->rule what follows from it, to the root cell around the box of
 *  all points; the dimension stays 0 if the box is empty. */
void tsr_pointgrid_set_cube(tsr_pointgrid_input *input, const tsr_pointgrid_box *box);

/** Makes the n_items items of the points held, in input order; to be freed. */
tsr_status tsr_pointgrid_make_items(const tsr_pointgrid_input *input, tsr_pointgrid_item **items,
                                    tsr_error *error);

/* ---- sort.c */

/** Sorts the points held into the leaves that are owned here. */
tsr_status tsr_pointgrid_sort(const tsr_pointgrid_input *input, tsr_pointgrid_sorted *sorted,
                              tsr_error *error);

/* ---- leaves.c: the tree as a set of split cells, and its leaves */

/** Appends a leaf. Returns 0 if out of memory. */
int tsr_pointgrid_add_leaf(tsr_pointgrid_leaves *leaves, const tsr_pointgrid_leaf *leaf);

/** Collects the split cells that are ancestors of the leaves. */
tsr_status tsr_pointgrid_collect(const tsr_pointgrid_leaves *leaves, int dimension,
                                 tsr_pointgrid_splits_of *splits, tsr_error *error);
void tsr_pointgrid_free_splits(tsr_pointgrid_splits_of *splits);

/** Appends a split cell. Returns 0 if out of memory. */
int tsr_pointgrid_add_split(tsr_pointgrid_level *level, uint64_t number);

/** Replaces the leaves by those of the tree that the split cells make, within this process's range,
 *  and divides the points of the old leaves among them. */
tsr_status tsr_pointgrid_resolve(const tsr_pointgrid_input *input,
                                 const tsr_pointgrid_splits_of *splits,
                                 tsr_pointgrid_sorted *sorted, tsr_error *error);

/* ---- balance.c */

/** Splits the cells that the balance needs, in all processes. Collective. */
tsr_status tsr_pointgrid_balance(const tsr_pointgrid_input *input, tsr_pointgrid_sorted *sorted,
                                 tsr_error *error);

#endif
