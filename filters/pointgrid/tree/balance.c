/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Point grids: 2:1 balance.
 *
 * The children of a split cell N of level l are of level l + 1. A leaf that touches them may be of
 * level l at least, so every neighbour of N of level l must exist: its parent, of level l - 1, must
 * be split. From the finest level up, each level's split cells so add split cells to the level
 * above, their own parents among them. Of the neighbours' parents only those on N's own side of its
 * parent differ from the parent:
 *
 *     +-------+-------+       N, in the upper right of its parent P, wants the parents to the
 *     |  add  |  add  |       right, above, and, where corners count, to the upper right to be
 *     +---+---+-------+       split.
 *     |   | N |  add  |
 *     +---+---+       |
 *     | P |   |       |
 *     +---+---+-------+
 */
#include "pointgrid/tree/tree.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static void sort_unique(tsr_pointgrid_level *level) {
  int64_t n = 0;
  if (level->n > 0)
    qsort(level->at, (size_t)level->n, sizeof *level->at, compare);
  for (int64_t i = 0; i < level->n; ++i)
    if (i == 0 || level->at[i] != level->at[n - 1])
      level->at[n++] = level->at[i];
  level->n = n;
}

/** How many axes a direction may cross. */
static int crossed_axes(tsr_balance balance, int dimension) {
  if (balance == TSR_BALANCE_FACE)
    return 1;
  return balance == TSR_BALANCE_EDGE && dimension == 3 ? 2 : dimension;
}

static int bits_of(int mask) { return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1); }

/** Adds the neighbour of parent P across the axes of `across`, on the side of the child; there is
 *  none beyond the root. 0: no memory. */
static int add_neighbour(tsr_pointgrid_level *above, const uint64_t parent[3], int dimension,
                         int level, int across, int child) {
  uint64_t i[3] = {parent[0], parent[1], parent[2]};
  for (int a = 0; a < dimension; ++a) {
    if (across >> a & 1) {
      const int up = child >> a & 1;
      if (i[a] == (up ? ((uint64_t)1 << level) - 1 : 0))
        return 1;
      i[a] += up ? 1 : (uint64_t)-1;
    }
  }
  return tsr_pointgrid_add_split(above, tsr_morton(i, dimension));
}

/** What the split cells of a level add to the level above. 0: no memory. */
static int close_level(tsr_pointgrid_splits_of *tree, int level, int dimension, int crossed) {
  const tsr_pointgrid_level *splits = &tree->of[level];
  const int children = 1 << dimension;
  for (int64_t begin = 0; begin < splits->n;) {
    const uint64_t number = splits->at[begin] >> dimension;
    uint64_t parent[3] = {0, 0, 0};
    int there = 0, done[8] = {0};
    for (; begin < splits->n && splits->at[begin] >> dimension == number; ++begin)
      there |= 1 << (splits->at[begin] & (uint64_t)(children - 1));
    for (int a = 0; a < dimension; ++a)
      parent[a] = tsr_morton_axis(number >> a, dimension);
    if (!tsr_pointgrid_add_split(&tree->of[level - 1], number))
      return 0;
    for (int child = 0; child < children; ++child) {
      for (int across = 1; (there >> child & 1) && across < children; ++across) {
        /* Children that lie alike along the axes crossed want the same neighbour. */
        const int side = 1 << (child & across);
        if (bits_of(across) > crossed || (done[across] & side))
          continue;
        done[across] |= side;
        if (!add_neighbour(&tree->of[level - 1], parent, dimension, level - 1, across, child))
          return 0;
      }
    }
  }
  return 1;
}

/** A split cell with its level, for the others. */
enum { LEVEL_SHIFT = 58 };

/** Every process gets the split cells of all. */
static tsr_status share_tree(const tsr_pointgrid_input *input, tsr_pointgrid_splits_of *tree,
                             tsr_error *error) {
  tsr_pointgrid_level packed = {NULL, 0, 0};
  void *all;
  int64_t bytes;
  int good = 1;
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
    for (int64_t i = 0; good && i < tree->of[level].n; ++i)
      good =
          tsr_pointgrid_add_split(&packed, tree->of[level].at[i] | (uint64_t)level << LEVEL_SHIFT);
  tsr_status status = tsr_processes_gather_bytes(
      input->processes,
      good ? TSR_OK : tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for the split cells"),
      packed.at, packed.n * (int64_t)sizeof *packed.at, &all, NULL, &bytes, error);
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
    tree->of[level].n = 0;
  for (int64_t i = 0; status == TSR_OK && i < bytes / (int64_t)sizeof(uint64_t); ++i) {
    const uint64_t one = ((const uint64_t *)all)[i];
    if (!tsr_pointgrid_add_split(&tree->of[one >> LEVEL_SHIFT],
                                 one & (((uint64_t)1 << LEVEL_SHIFT) - 1)))
      status = tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for the split cells");
  }
  free(packed.at);
  free(all);
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
    sort_unique(&tree->of[level]);
  return status;
}

tsr_status tsr_pointgrid_balance(const tsr_pointgrid_input *input, tsr_pointgrid_sorted *sorted,
                                 tsr_error *error) {
  const int dimension = input->rule.dimension;
  const int crossed = crossed_axes(input->options.balance, dimension);
  tsr_pointgrid_splits_of splits = {0};
  tsr_status status = tsr_processes_agree(
      input->processes, tsr_pointgrid_collect(&sorted->leaves, dimension, &splits, error), error);
  if (status == TSR_OK && input->options.gather)
    status = share_tree(input, &splits, error);
  for (int level = TSR_POINTGRID_MAX_LEVEL; status == TSR_OK && level > 0; --level) {
    if (!close_level(&splits, level, dimension, crossed))
      status = tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for the split cells");
    sort_unique(&splits.of[level - 1]);
  }
  if (status == TSR_OK)
    status = tsr_pointgrid_resolve(input, &splits, sorted, error);
  tsr_pointgrid_free_splits(&splits);
  return status;
}
