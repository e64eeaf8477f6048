/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: what datasets of trees and of blocks, as VTK has them, need beside the output's arrays.
 *  A part of the public header; include tessera.h. */
#ifndef TESSERA_GRID_DATASET_H
#define TESSERA_GRID_DATASET_H

#include "common/processes/tessera_processes.h"
#include "grid/tessera_grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In all of these, axes: the coordinates of the whole grid, as in tsr_grid_coordinate. */

/**
 * Can the grid be trees? BAD_INPUT, with the end of a sentence, where it cannot. root_cells: input
 * cells along a side of a root. moved: receives 1 where points within a root are not at equal
 * distances, as trees have them.
 */
tsr_status tsr_grid_check_trees(const tsr_grid_view *view, const double *const axes[3],
                                int dimension, int64_t root_cells, int *moved, tsr_error *error);

/** Where the roots begin and end along an axis; the last one may reach beyond the grid.
 * coordinates: NULL, or receives as many numbers as are returned. */
int64_t tsr_grid_root_coordinates(const tsr_grid_view *view, const double *const axes[3],
                                  int64_t root_cells, int axis, double *coordinates);

/**
 * Which cells of TREES are not to be seen: parts outside, hidden ones, and those above nothing
 * else. states: of the cells; first: of the trees, as tsr_grid_output has them; children: of a node
 * that is refined. hidden: receives 0 or 1 a cell. Returns whether any is hidden.
 */
int tsr_grid_tree_mask(const uint8_t *states, const int64_t *first, int64_t trees, int children,
                       uint8_t *hidden);

/**
 * Whose values hidden cells take, so that ranges of arrays are those of what is seen: their
 * parent's, roots those of the first leaf that is seen. source: receives a cell's number, or -1
 * where it keeps its own; to be taken in ascending order.
 */
void tsr_grid_mask_sources(const uint8_t *states, const int64_t *first, int64_t trees, int children,
                           const uint8_t *hidden, int64_t *source);

/** Can the grid be blocks? BAD_INPUT, with the end of a sentence, where it cannot. */
tsr_status tsr_grid_check_blocks(const tsr_grid_view *view, const double *const axes[3],
                                 int dimension, tsr_error *error);

/** Where the nodes of all levels lie, of a UNIFORM grid without rotation. */
typedef struct tsr_grid_levels {
  double origin[3];
  double root[3]; /**< sides of a root; 1 along an axis without cells and spacing */
  int active[3];  /**< does the axis have cells? */
} tsr_grid_levels;

/** Finds that. coarsen_levels: a root has 2^coarsen_levels cells along each side. */
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

/** How many levels n blocks have, from *coarsest on: levels above whose cells are larger than the
 *  grid have none. blocks: receives how many are of each, at most TSR_GRID_MAX_LEVEL + 1. */
int tsr_grid_patch_levels(const tsr_grid_patch *patches, int64_t n, int *coarsest,
                          unsigned int *blocks);

#ifdef __cplusplus
}
#endif
#endif
