/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: what the CPU's fill of points and its fill of cells share. */
#ifndef TSR_GRID_FILL_H
#define TSR_GRID_FILL_H

#include "grid/output/mean_math.h"
#include "grid/plan.h"

#define TSR_FILL_PIECE 256 /* cells of a piece of work */

/** One call of tsr_grid_fill. */
typedef struct tsr_grid_filler {
  tsr_grid_plan *plan;
  const tsr_grid_output *out;
  tsr_measures measures;         /**< for the indicator */
  double *errors;                /**< for every piece and attribute; NULL where none is wanted */
  tsr_grid_device_values *found; /**< of every attribute */
  tsr_hanging hanging;           /**< for the errors, where points are constrained */
} tsr_grid_filler;

/** Writes position, point arrays and "hanging" of the point with number id at lattice place x.
 *  data: a tsr_grid_filler (the signature is that of tsr_points_visit). */
void tsr_grid_fill_point(void *data, int64_t id, const int64_t x[3]);

/** TREES: writes the arrays of all nodes, and raises the errors. Not the arrays that a device has
 *  measured, whose means fill.c stores. */
tsr_status tsr_grid_fill_trees(const tsr_grid_filler *f, tsr_error *error);

/** Writes the centre of leaf n, which is cut: the mean of its corners. i: the leaf's place. */
void tsr_grid_fill_centre(const tsr_grid_filler *f, int64_t n, const int64_t i[3]);

#endif
