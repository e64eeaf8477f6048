/* SPDX-License-Identifier: BSD-3-Clause */
/** Boxes of points, and how one is cut into as many as there are processes. */
#include "grid/partition/box.h"

/* VTK takes longer to make a tree than to make its nodes where trees are small; few trees leave
 * threads without work. */
#define TSR_MOST_TREES 4096

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

int tsr_grid_box_is_empty(const tsr_grid_box *box) {
  return box->at[1] < box->at[0] || box->at[3] < box->at[2] || box->at[5] < box->at[4];
}

int64_t tsr_grid_box_values(const tsr_grid_box *box, int cells) {
  int64_t counts[3];
  if (tsr_grid_box_is_empty(box))
    return 0;
  tsr_box_counts(box, cells, counts);
  return counts[0] * counts[1] * counts[2];
}

tsr_grid_box tsr_box_around(const tsr_grid_box *a, const tsr_grid_box *b) {
  tsr_grid_box both;
  if (tsr_grid_box_is_empty(a) || tsr_grid_box_is_empty(b))
    return tsr_grid_box_is_empty(a) ? *b : *a;
  for (int side = 0; side < 6; side += 2) {
    both.at[side] = least(a->at[side], b->at[side]);
    both.at[side + 1] = most(a->at[side + 1], b->at[side + 1]);
  }
  return both;
}

tsr_grid_box tsr_box_common(const tsr_grid_box *a, const tsr_grid_box *b, int cells) {
  tsr_grid_box common;
  if (tsr_grid_box_is_empty(a) || tsr_grid_box_is_empty(b))
    return tsr_box_empty();
  for (int side = 0; side < 6; side += 2) {
    const int flat = a->at[side] == a->at[side + 1] && b->at[side] == b->at[side + 1];
    common.at[side] = most(a->at[side], b->at[side]);
    common.at[side + 1] = least(a->at[side + 1], b->at[side + 1]);
    if (common.at[side + 1] < common.at[side] ||
        (cells && !flat && common.at[side] == common.at[side + 1]))
      return tsr_box_empty();
  }
  return common;
}

tsr_grid_box tsr_box_grown(const tsr_grid_box *box, int margin, const tsr_grid_box *whole) {
  tsr_grid_box grown = *box;
  for (int side = 0; side < 6 && !tsr_grid_box_is_empty(box); side += 2) {
    grown.at[side] = most(box->at[side] - margin, whole->at[side]);
    grown.at[side + 1] = least(box->at[side + 1] + margin, whole->at[side + 1]);
  }
  return grown;
}

int tsr_box_holds(const tsr_grid_box *box, const tsr_grid_box *part) {
  int holds = !tsr_grid_box_is_empty(box);
  for (int side = 0; side < 6; side += 2)
    holds = holds && box->at[side] <= part->at[side] && part->at[side + 1] <= box->at[side + 1];
  return holds;
}

/* Roots along an axis; 0 where it is flat. */
static int64_t roots_along(const tsr_grid_box *box, int axis, int64_t root) {
  return (box->at[2 * axis + 1] - box->at[2 * axis] + root - 1) / root;
}

/* Cells that roots along an axis reach beyond the box. */
static int64_t beyond(const tsr_grid_box *box, int axis, int64_t root) {
  return roots_along(box, axis, root) * root - (box->at[2 * axis + 1] - box->at[2 * axis]);
}

/* 1 if roots may be that wide, where roots of coarsen_levels are `least_root` wide. */
static int may_be_wide(const tsr_grid_box *whole, int64_t least_root, int64_t root) {
  int may = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const int64_t cells = whole->at[2 * axis + 1] - whole->at[2 * axis];
    const int64_t now = beyond(whole, axis, least_root);
    const int64_t most_beyond = now > 0 ? most(cells / 16, now) : 0;
    may = may && (cells == 0 || (root <= cells && beyond(whole, axis, root) <= most_beyond));
  }
  return may;
}

int tsr_grid_base_levels(const tsr_grid_box *whole, tsr_grid_geometry geometry, int coarsen_levels,
                         int refine_levels) {
  const int64_t root = (int64_t)1 << coarsen_levels;
  int levels = 0;
  while (geometry == TSR_GEOMETRY_UNIFORM && !tsr_grid_box_is_empty(whole) &&
         coarsen_levels + levels + refine_levels < TSR_GRID_MAX_LEVEL) {
    double trees = 1.0;
    for (int axis = 0; axis < 3; ++axis)
      trees *= (double)most(roots_along(whole, axis, root << levels), 1);
    if (trees <= TSR_MOST_TREES || !may_be_wide(whole, root, root << (levels + 1)))
      return levels;
    ++levels;
  }
  return levels;
}

/* The axis with most roots is cut in proportion to the processes on either side, until one is left,
 * or the first of several takes what cannot be cut. */
tsr_grid_box tsr_box_owned(const tsr_grid_box *whole, int coarsen_levels, int part, int parts) {
  const int64_t root = (int64_t)1 << coarsen_levels;
  tsr_grid_box mine = *whole;
  int first = 0, count = parts;
  while (count > 1 && !tsr_grid_box_is_empty(whole)) {
    const int half = count / 2, lower = part < first + half;
    int axis = 0;
    int64_t roots, low;
    for (int other = 1; other < 3; ++other)
      axis = roots_along(&mine, other, root) > roots_along(&mine, axis, root) ? other : axis;
    roots = roots_along(&mine, axis, root);
    if (roots < 2)
      return part == first ? mine : tsr_box_empty();
    low = least(most(roots * half / count, 1), roots - 1);
    mine.at[2 * axis + (lower ? 1 : 0)] = mine.at[2 * axis] + low * root;
    first += lower ? 0 : half;
    count = lower ? half : count - half;
  }
  return mine;
}

tsr_grid_box tsr_grid_needed_box(const tsr_grid_box *whole, int coarsen_levels, int margin,
                                 int rank, int ranks) {
  const tsr_grid_box own = tsr_box_owned(whole, coarsen_levels, rank, ranks);
  return tsr_box_grown(&own, margin, whole);
}
