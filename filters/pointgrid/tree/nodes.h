/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: one split, which sorts the points of a cell into its descendants, one to a few
 *  levels down. Not public. */
#ifndef TSR_POINTGRID_TREE_NODES_H
#define TSR_POINTGRID_TREE_NODES_H

#include "pointgrid/tree/tree.h"

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
  const tsr_pointgrid_input *input;
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

#endif
