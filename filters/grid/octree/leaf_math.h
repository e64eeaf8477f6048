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

/** The places of child c of split node j, which is a leaf: as tsr_cut.has, or 0 if no finer leaf
 *  touches it. */
TSR_FN uint32_t tsr_octree_leaf_places(const tsr_octree_splits *splits, int dimension, int64_t j,
                                       int c) {
  static const int halves[3] = {1, 1, 1};
  const uint32_t corners = TSR_CUT_CORNERS & (dimension > 2 ? 0x7ffffffu : 0x1ffu);
  uint32_t around = 0;
  tsr_cut cut;
  cut.dimension = dimension;
  cut.has = corners;
  for (int number = 0; number < TSR_OCTREE_AROUND && dimension > 1; ++number) {
    int d[3];
    tsr_octree_direction(number, d);
    if (!tsr_octree_is_direction(dimension, d) || number == 13 ||
        (d[0] != 0) + (d[1] != 0) + (d[2] != 0) >= dimension ||
        tsr_octree_neighbour(splits, j, c, d) < 0)
      continue;
    around |= (uint32_t)1 << number;
    if (dimension == 2)
      tsr_cut_add(&cut, d, halves);
  }
  if (dimension == 3)
    cut.has = tsr_cut_around(around);
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
  int finer = 0; /* a node around has split children, which may touch leaves */
  for (int k = 0; k < TSR_OCTREE_AROUND && job->has; ++k) {
    const int32_t beside = splits->around[j * TSR_OCTREE_AROUND + k];
    finer = finer || (beside >= 0 && splits->split[beside]);
  }
  for (int c = 0; c < 1 << shape->dimension; ++c) {
    if (splits->split[j] >> c & 1) {
      at += splits->leaves[child++];
    } else if (splits->present[j] >> c & 1) {
      const uint64_t number = (splits->number[j] << shape->dimension) + (uint64_t)c;
      job->leaves.key[at] = number << tsr_octree_shift(shape, height);
      job->leaves.height[at] = (uint8_t)height;
      job->leaves.from[at] = tsr_octree_child(&job->tree, splits->place[j], c);
      if (job->has)
        job->has[at] = finer ? tsr_octree_leaf_places(splits, shape->dimension, j, c) : 0;
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
