/* SPDX-License-Identifier: BSD-3-Clause */
/** Boxes of points: what grids of several processes are shared out in. Not public. */
#ifndef TSR_GRID_PARTITION_BOX_H
#define TSR_GRID_PARTITION_BOX_H

#include "common/support.h"
#include "grid/tessera_grid_share.h"

/** No point at all. */
static inline tsr_grid_box tsr_box_empty(void) {
  const tsr_grid_box none = {{0, -1, 0, -1, 0, -1}};
  return none;
}

/** Points along an axis. */
static inline int64_t tsr_box_points(const tsr_grid_box *box, int axis) {
  return box->at[2 * axis + 1] - box->at[2 * axis] + 1;
}

/** Values along each axis of an array of the box: of points, or of cells. The box is not empty. */
static inline void tsr_box_counts(const tsr_grid_box *box, int cells, int64_t counts[3]) {
  for (int a = 0; a < 3; ++a) {
    const int64_t points = tsr_box_points(box, a);
    counts[a] = cells && points > 1 ? points - 1 : points;
  }
}

/** The smallest box around two; an empty one does not count. */
tsr_grid_box tsr_box_around(const tsr_grid_box *a, const tsr_grid_box *b);

/** The points, or the points of the cells, that two boxes have in common. A common layer of points
 *  has no cells, unless the grid is flat there. */
tsr_grid_box tsr_box_common(const tsr_grid_box *a, const tsr_grid_box *b, int cells);

/** The box with `margin` cells more on every side, within the whole. */
tsr_grid_box tsr_box_grown(const tsr_grid_box *box, int margin, const tsr_grid_box *whole);

/** 1 if it is all within a box that is not empty. */
int tsr_box_holds(const tsr_grid_box *box, const tsr_grid_box *part);

/** The box of whole roots that number `part` of `parts` owns. */
tsr_grid_box tsr_box_owned(const tsr_grid_box *whole, int coarsen_levels, int part, int parts);

#endif
