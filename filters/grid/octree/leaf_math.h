/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: the leaves of the refined tree. */
#ifndef TSR_GRID_OCTREE_LEAF_MATH_H
#define TSR_GRID_OCTREE_LEAF_MATH_H

#include "grid/octree/close_math.h"

/* ---- Leaves */

/** Counts the leaves below split node from + k. Those below its children must be known. */
TSR_FN void tsr_octree_count_leaves(const tsr_octree_close_job *job, int64_t k) {
  const tsr_octree_splits *splits = &job->splits;
  const int64_t j = job->from + k;
  int64_t n = tsr_bits_below((unsigned)(splits->present[j] & ~splits->split[j]), 8);
  for (int c = 0; c < tsr_bits_below(splits->split[j], 8); ++c)
    n += splits->leaves[splits->child[j] + c];
  splits->leaves[j] = n;
}

/** Sets where the leaves below the children of split node from + k begin. */
TSR_FN void tsr_octree_begin_leaves(const tsr_octree_close_job *job, int64_t k) {
  const tsr_octree_splits *splits = &job->splits;
  const int64_t j = job->from + k;
  int64_t at = splits->first[j], child = splits->child[j];
  if (splits->parent[j] < 0)
    at = splits->first[j] = 0;
  for (int c = 0; c < 1 << job->tree.shape.dimension; ++c)
    if (splits->split[j] >> c & 1) {
      splits->first[child] = at;
      at += splits->leaves[child++];
    } else {
      at += splits->present[j] >> c & 1;
    }
}

/** Tells which children of split node j and of the nodes around it are split. Bit
 *  (x + 1) + 4 (y + 1) + 16 (z + 1) is the child at x, y, z, counted in children from the first
 * child of node j on; each is -1 to 2. */
TSR_FN uint64_t tsr_octree_split_around(const tsr_octree_splits *splits, int64_t j) {
  const int32_t *beside = &splits->around[j * TSR_OCTREE_AROUND];
  uint64_t found = 0;
  for (int w = -1; w <= 3; w += 2)
    for (int v = -1; v <= 3; v += 2)
      for (int u = -1; u <= 3; u += 2, ++beside) {
        const unsigned split = *beside >= 0 ? splits->split[*beside] : 0;
        for (int c = 0; split >> c; ++c) {
          const int x = u + (c & 1), y = v + (c >> 1 & 1), z = w + (c >> 2);
          if ((split >> c & 1) && x >= 0 && x < 4 && y >= 0 && y < 4 && z >= 0 && z < 4)
            found |= (uint64_t)1 << (x + 4 * y + 16 * z);
        }
      }
  return found;
}

/** The places of child c of a split node, which is a leaf: as tsr_cut.has, or 0 if no finer leaf
 *  touches it. found: from tsr_octree_split_around. */
TSR_FN uint32_t tsr_octree_leaf_places(int dimension, uint64_t found, int c) {
  static const int halves[3] = {1, 1, 1};
  const uint32_t corners = TSR_CUT_CORNERS & (dimension > 2 ? 0x7ffffffu : 0x1ffu);
  const uint64_t here = found >> ((c & 1) + 4 * (c >> 1 & 1) + 16 * (c >> 2));
  uint32_t around = 0;
  tsr_cut cut;
  for (int k = 0; k < 9; ++k)
    around |= (uint32_t)(here >> (4 * (k % 3) + 16 * (k / 3)) & 7) << 3 * k;
  cut.dimension = dimension;
  cut.has = dimension == 3 ? tsr_cut_around(around) : corners;
  for (int side = 0; side < 4 && dimension == 2; ++side) {
    const int step = side % 2 ? 1 : -1;
    const int d[3] = {side < 2 ? step : 0, side < 2 ? 0 : step, 0};
    if (around >> (13 + d[0] + 3 * d[1]) & 1)
      tsr_cut_add(&cut, d, halves);
  }
  return cut.has == corners ? 0 : cut.has;
}

typedef struct tsr_octree_leaf_job {
  tsr_octree_tree tree;
  tsr_octree_splits splits;
  tsr_octree_cells leaves;
  uint32_t *has; /**< of each leaf; NULL: not wanted */
} tsr_octree_leaf_job;

/** Writes the leaves that are children of split node j. */
TSR_FN void tsr_octree_put_leaves(const tsr_octree_leaf_job *job, int64_t j) {
  const tsr_octree_splits *splits = &job->splits;
  const tsr_octree_shape *shape = &job->tree.shape;
  const int height = (int)tsr_part_at(splits->at, 0, shape->top + 1, j) - 1;
  int64_t at = splits->first[j], child = splits->child[j];
  const uint64_t found = job->has ? tsr_octree_split_around(splits, j) : 0;
  tsr_octree_walk walk = tsr_octree_begin_walk(&job->tree, splits->place[j]);
  for (int c = 0; c < 1 << shape->dimension; ++c) {
    const int64_t place = tsr_octree_walk_on(&job->tree, &walk, c);
    if (splits->split[j] >> c & 1) {
      at += splits->leaves[child++];
    } else if (splits->present[j] >> c & 1) {
      const uint64_t number = (splits->number[j] << shape->dimension) + (uint64_t)c;
      job->leaves.key[at] = number << tsr_octree_shift(shape, height);
      job->leaves.height[at] = (uint8_t)height;
      job->leaves.from[at] = place;
      if (job->has)
        job->has[at] = found ? tsr_octree_leaf_places(shape->dimension, found, c) : 0;
      ++at;
    }
  }
}

/** Writes the one leaf of a tree without split nodes. */
TSR_FN void tsr_octree_put_only_leaf(const tsr_octree_leaf_job *job, int64_t i) {
  job->leaves.key[i] = 0;
  job->leaves.height[i] = (uint8_t)job->tree.shape.top;
  job->leaves.from[i] = tsr_octree_root(&job->tree);
  if (job->has)
    job->has[i] = 0;
}

#endif
