/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: the nodes of hyper trees, and of blocks of AMR. */
#ifndef TSR_GRID_OCTREE_TREE_OUT_MATH_H
#define TSR_GRID_OCTREE_TREE_OUT_MATH_H

#include "grid/octree/close_math.h"

typedef struct tsr_octree_out_job {
  tsr_octree_tree tree;
  tsr_octree_splits splits;
  int height;          /**< TREES: of the roots of trees */
  int32_t roots[3];    /**< TREES: of them, along each inner axis */
  int64_t begin, end;  /**< TREES: the trees of this process */
  int64_t base;        /**< TREES: cells of the trees before them */
  int64_t *first;      /**< trees + 1: cells before each tree */
  int64_t *table;      /**< trees x (height + 1): what is to be added to the number of a split node,
                            by its height, times 2^d, for the first of its children in the tree */
  tsr_octree_cells to; /**< the nodes of the output */
  uint8_t *state;
  int group;       /**< PATCHES: blocks are 2^group nodes of the height above along each axis */
  int64_t *before; /**< PATCHES: split nodes + 1: blocks before each */
  tsr_grid_patch *patches;
  int64_t n_patches;
} tsr_octree_out_job;

/** Index of split node `number` of this height, or -1 if it is not split. */
TSR_FN int64_t tsr_octree_split_at(const tsr_octree_splits *splits, uint64_t number, int height) {
  const int64_t end = splits->at[height + 1];
  const int64_t at = tsr_first_not_below(splits->number, splits->at[height], end, number);
  return height > 0 && at < end && splits->number[at] == number ? at : -1;
}

/** Writes node `number` of this height to the output, with its place and state. What is outside has
 *  no place. */
TSR_FN void tsr_octree_put_out(const tsr_octree_out_job *job, int64_t to, uint64_t number,
                               int height, int split) {
  const tsr_octree_shape *shape = &job->tree.shape;
  int64_t place = tsr_octree_locate(&job->tree, number, height), at[3];
  int outside = 0;
  if (!tsr_octree_shown(&job->tree, place))
    place = TSR_OCTREE_NOWHERE;
  tsr_octree_lowest(shape, number, at);
  for (int a = 0; a < shape->dimension; ++a)
    outside = outside || at[a] > (shape->finest[a] - 1) >> height;
  job->to.key[to] = number << tsr_octree_shift(shape, height);
  job->to.height[to] = (uint8_t)height;
  job->to.from[to] = place;
  job->state[to] = (uint8_t)(split                         ? TSR_STATE_COVERED
                             : place != TSR_OCTREE_NOWHERE ? TSR_STATE_LEAF
                             : outside                     ? TSR_STATE_OUTSIDE
                                                           : TSR_STATE_HIDDEN);
}

/* ---- Trees, breadth first */

/** The number of the root of tree t. */
TSR_FN uint64_t tsr_octree_tree_root(const tsr_octree_out_job *job, int64_t t) {
  uint64_t i[3] = {0, 0, 0};
  for (int a = 0; a < job->tree.shape.dimension; ++a) {
    i[a] = (uint64_t)(t % job->roots[a]);
    t /= job->roots[a];
  }
  return tsr_morton(i, job->tree.shape.dimension);
}

/** Counts the nodes of tree t, and sets its row of the table. */
TSR_FN void tsr_octree_count_tree(const tsr_octree_out_job *job, int64_t t) {
  const tsr_octree_splits *splits = &job->splits;
  const tsr_octree_shape *shape = &job->tree.shape;
  const uint64_t root = tsr_octree_tree_root(job, t);
  int64_t above = 0;
  for (int h = job->height; h > 0; --h) {
    const int shift = tsr_octree_shift(shape, job->height - h);
    const int64_t low =
        tsr_first_not_below(splits->number, splits->at[h], splits->at[h + 1], root << shift);
    const int64_t high =
        tsr_first_not_below(splits->number, splits->at[h], splits->at[h + 1], (root + 1) << shift);
    job->table[t * (job->height + 1) + h] = above - low;
    above += high - low;
  }
  job->first[t] = 1 + (above << shape->dimension);
}

/** Writes the root of tree begin + k. */
TSR_FN void tsr_octree_put_root(const tsr_octree_out_job *job, int64_t k) {
  const int64_t t = job->begin + k;
  const uint64_t root = tsr_octree_tree_root(job, t);
  tsr_octree_put_out(job, job->first[t] - job->base, root, job->height,
                     tsr_octree_split_at(&job->splits, root, job->height) >= 0);
}

/** Writes the children of split node j, if it is in a tree of this process. */
TSR_FN void tsr_octree_put_children(const tsr_octree_out_job *job, int64_t j) {
  const tsr_octree_splits *splits = &job->splits;
  const tsr_octree_shape *shape = &job->tree.shape;
  const int height = (int)tsr_part_at(splits->at, 0, shape->top + 1, j);
  int64_t i[3], tree = 0, to;
  if (height > job->height)
    return;
  tsr_octree_lowest(shape, splits->number[j], i);
  for (int a = shape->dimension; a-- > 0;)
    tree = tree * job->roots[a] + (i[a] >> (job->height - height));
  if (tree < job->begin || tree >= job->end)
    return;
  to = job->first[tree] - job->base + 1 +
       ((job->table[tree * (job->height + 1) + height] + j) << shape->dimension);
  for (int c = 0; c < 1 << shape->dimension; ++c)
    tsr_octree_put_out(job, to + c, (splits->number[j] << shape->dimension) + (uint64_t)c,
                       height - 1, splits->split[j] >> c & 1);
}

/* ---- Blocks */

/** Returns 1 if a block of the next level begins with split node j: it is the first in its group.
 *  number: receives that of the group. */
TSR_FN int tsr_octree_begins_block(const tsr_octree_out_job *job, int64_t j, int *height,
                                   uint64_t *group) {
  const tsr_octree_splits *splits = &job->splits;
  const int shift = tsr_octree_shift(&job->tree.shape, job->group);
  *height = (int)tsr_part_at(splits->at, 0, job->tree.shape.top + 1, j);
  *group = splits->number[j] >> shift;
  return *height <= job->tree.shape.levels &&
         (j == splits->at[*height] || splits->number[j - 1] >> shift != *group);
}

/** Counts the block that begins with split node j. */
TSR_FN void tsr_octree_count_block(const tsr_octree_out_job *job, int64_t j) {
  uint64_t group;
  int height;
  job->before[j] = tsr_octree_begins_block(job, j, &height, &group);
}

/** Writes the block that begins with split node j: its nodes are the children of the group. */
TSR_FN void tsr_octree_put_block(const tsr_octree_out_job *job, int64_t j) {
  const tsr_octree_shape *shape = &job->tree.shape;
  tsr_grid_patch *patch = &job->patches[job->before[j]];
  uint64_t group;
  int64_t at[3];
  int height;
  if (!tsr_octree_begins_block(job, j, &height, &group))
    return;
  tsr_octree_lowest(shape, group, at);
  patch->level = shape->levels - (height - 1);
  patch->first = 0;
  for (int a = 0; a < 3; ++a) {
    const int64_t size = (int64_t)2 << job->group;
    patch->begin[shape->axis[a]] = a < shape->dimension ? (int32_t)(at[a] * size) : 0;
    patch->end[shape->axis[a]] = a < shape->dimension ? (int32_t)((at[a] + 1) * size) : 1;
  }
}

/** Writes node n of the blocks. */
TSR_FN void tsr_octree_put_block_node(const tsr_octree_out_job *job, int64_t n) {
  const tsr_octree_shape *shape = &job->tree.shape;
  int64_t low = 0, high = job->n_patches, in;
  uint64_t i[3] = {0, 0, 0}, number;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (job->patches[middle].first <= n)
      low = middle;
    else
      high = middle;
  }
  {
    const tsr_grid_patch *patch = &job->patches[low];
    const int height = shape->levels - patch->level;
    int32_t at[3];
    in = n - patch->first;
    for (int axis = 0; axis < 3; ++axis) {
      const int32_t size = patch->end[axis] - patch->begin[axis];
      at[axis] = patch->begin[axis] + (int32_t)(in % size);
      in /= size;
    }
    for (int a = 0; a < shape->dimension; ++a)
      i[a] = (uint64_t)at[shape->axis[a]];
    number = tsr_morton(i, shape->dimension);
    tsr_octree_put_out(job, n, number, height,
                       tsr_octree_split_at(&job->splits, number, height) >= 0);
  }
}

#endif
