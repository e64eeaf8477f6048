/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: what the CPU's fill of points and its fill of cells share. */
#ifndef TSR_GRID_FILL_H
#define TSR_GRID_FILL_H

#include "grid/output/mean_math.h"
#include "grid/plan.h"

/** One call of tsr_grid_fill. */
typedef struct tsr_grid_filler {
  tsr_grid_plan *plan;
  const tsr_grid_output *out;
  tsr_measures measures;         /**< for the indicator */
  double *errors;                /**< for every piece and attribute */
  tsr_grid_device_values *found; /**< of every attribute */
  int needs_source;              /**< 1: values or numbers of input cells come out */
  tsr_hanging hanging;           /**< for the errors, where points are constrained */
} tsr_grid_filler;

/** Writes position, point arrays and "hanging" of the point with number id at lattice place x.
 *  data: a tsr_grid_filler (the signature is that of tsr_points_visit). */
void tsr_grid_fill_point(void *data, int64_t id, const int64_t x[3]);

/** TREES: writes the arrays of all nodes, and raises the errors. Not the arrays that a device has
 *  measured, whose means fill.c stores. */
tsr_status tsr_grid_fill_trees(const tsr_grid_filler *f, tsr_error *error);

/** Writes point `id`, the centre of a leaf that is cut: the mean of its corners. */
void tsr_grid_fill_centre(const tsr_grid_filler *f, const tsr_cut *cut, int64_t id);

#endif
