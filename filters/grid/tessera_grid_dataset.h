/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: what VTK's datasets of trees (vtkHyperTreeGrid) and of blocks (AMR) need besides the
 *  output's arrays. A part of the public header; include tessera.h. */
#ifndef TSR_GRID_TESSERA_GRID_DATASET_H
#define TSR_GRID_TESSERA_GRID_DATASET_H

#include "common/processes/tessera_processes.h"
#include "grid/tessera_grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* axes, in every function here: the coordinates of the whole grid, as in tsr_grid_coordinate. */

/**
 * Checks that the output of this grid can be trees; fails with BAD_INPUT and the end of a sentence.
 * root_cells: input cells along a side of a root. moved: receives 1 if input points within a root
 * are not equally spaced; trees halve their cells, so points are then moved.
 */
tsr_status tsr_grid_check_trees(const tsr_grid_view *view, const double *const axes[3],
                                int dimension, int64_t root_cells, int *moved, tsr_error *error);

/** Finds the coordinates at which roots begin and end along an axis; the last root may reach beyond
 *  the grid. coordinates: NULL, or receives them. Returns their number. */
int64_t tsr_grid_root_coordinates(const tsr_grid_view *view, const double *const axes[3],
                                  int64_t root_cells, int axis, double *coordinates);

/**
 * Makes the mask of TREES: cells outside the box, hidden cells, and refined cells all of whose
 * children are masked. states, first: state and tree_first of tsr_grid_output; children: number of
 * children of a refined node. hidden: receives 1 for each masked cell, else 0. Returns 1 if any
 * cell is masked.
 */
int tsr_grid_tree_mask(const uint8_t *states, const int64_t *first, int64_t trees, int children,
                       uint8_t *hidden);

/**
 * Says which cell's values a masked cell is to take, so that the ranges of arrays do not change by
 * masked cells: those of its parent; a root takes those of the first visible leaf. source: receives
 * for each cell the number of that cell, or -1 if it keeps its values. Copy in ascending order of
 * cells, since a parent may itself be masked.
 */
void tsr_grid_mask_sources(const uint8_t *states, const int64_t *first, int64_t trees, int children,
                           const uint8_t *hidden, int64_t *source);

/** Checks that the output of this grid can be blocks; fails with BAD_INPUT and the end of a
 *  sentence. */
tsr_status tsr_grid_check_blocks(const tsr_grid_view *view, const double *const axes[3],
                                 int dimension, tsr_error *error);

/** Origin and size of the roots of a UNIFORM grid without rotation; the nodes of all levels follow.
 */
typedef struct tsr_grid_levels {
  double origin[3];
  double root[3]; /**< sides of a root; 1 along an axis without cells and spacing */
  int active[3];  /**< does the axis have cells? */
} tsr_grid_levels;

/** Sets *levels. coarsen_levels: a root has 2^coarsen_levels cells along each side. */
void tsr_grid_levels_place(const tsr_grid_view *view, const double *const axes[3],
                           int coarsen_levels, tsr_grid_levels *levels);

/** The sides of a node of a level. */
void tsr_grid_levels_spacing(const tsr_grid_levels *levels, int level, double spacing[3]);

/** The lowest corner of a block, and how many points it has along each axis. */
void tsr_grid_patch_place(const tsr_grid_levels *levels, const tsr_grid_patch *patch,
                          double corner[3], int points[3]);

/**
 * The blocks of all processes, one process after the other. Collective.
 * mine: n of them; NULL is allowed where n is 0. all: receives *count of them, for free(); NULL on
 * failure. first: receives the number of this process's first one.
 * Fails with NO_MEMORY, ABORTED.
 */
tsr_status tsr_grid_gather_patches(const tsr_processes *processes, const tsr_grid_patch *mine,
                                   int64_t n, tsr_grid_patch **all, int64_t *count, int64_t *first,
                                   tsr_error *error);

/** Returns the number of levels of n blocks. coarsest: receives the first level with blocks, which
 * is not 0 if roots are larger than the grid. blocks: receives the number of blocks of each level
 * from *coarsest on, at most TSR_GRID_MAX_LEVEL + 1 numbers. */
int tsr_grid_patch_levels(const tsr_grid_patch *patches, int64_t n, int *coarsest,
                          unsigned int *blocks);

#ifdef __cplusplus
}
#endif
#endif
