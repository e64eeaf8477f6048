/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: what the leaves become. Not public. */
#ifndef TSR_POINTGRID_OUTPUT_OUTPUT_H
#define TSR_POINTGRID_OUTPUT_OUTPUT_H

#include "common/support.h"
#include "pointgrid/backend.h"
#include "pointgrid/tree/tree.h"

/** CELLS: the points of the cells, in memory of the executor. */
typedef struct tsr_pointgrid_cells {
  uint64_t *corners;  /**< n: places on the finest lattice, in ascending order */
  int64_t *corner_of; /**< for each corner of each leaf: its number in `corners` */
  int64_t n;
} tsr_pointgrid_cells;

/** TREE: all cells, level by level, on the host. */
typedef struct tsr_pointgrid_walk {
  int64_t n;
  int64_t *leaf_of; /**< of each cell the index of its leaf, or -1 - (its first child), or INT64_MIN
                         if it is foreign */
  int32_t *level_of;
} tsr_pointgrid_walk;

/** corners.c: finds the corners of the leaves, each once although leaves share them. finest: level
 *  of the deepest leaf. */
tsr_status tsr_pointgrid_find_corners(tsr_executor *executor, const tsr_pointgrid_leaves *leaves,
                                      int dimension, int finest, tsr_pointgrid_cells *cells,
                                      tsr_error *error);

/* ---- walk.c: the cells of TREE, by the CPU */

/** Lists the cells of the tree that the split cells make. The caller calls tsr_pointgrid_walk_free,
 *  also after a failure. */
tsr_status tsr_pointgrid_walk_tree(const tsr_pointgrid_input *input,
                                   const tsr_pointgrid_leaves *leaves,
                                   const tsr_pointgrid_splits_of *splits, tsr_pointgrid_walk *walk,
                                   tsr_error *error);
void tsr_pointgrid_walk_free(tsr_pointgrid_walk *walk);

/** Writes level, count, density and state of the cells. */
tsr_status tsr_pointgrid_fill_tree(const tsr_pointgrid_input *input,
                                   const tsr_pointgrid_leaves *leaves,
                                   const tsr_pointgrid_walk *walk, const tsr_pointgrid_output *out,
                                   tsr_error *error);

/** values.c: the CPU's `values` of tsr_pointgrid_backend. */
tsr_status tsr_pointgrid_fill_values(const tsr_pointgrid_input *input,
                                     const tsr_pointgrid_sorted *sorted, const int64_t *cell_leaf,
                                     int64_t cells, const tsr_pointgrid_attribute *attribute,
                                     tsr_error *error);

#endif
