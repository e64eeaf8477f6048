/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: lists of the output's cells that an executor makes, for the CPU and for a device. All
 *  memory is that of the executor; made, points and nodes point to such memory. Not public. */
#ifndef TSR_GRID_OUTPUT_LISTS_H
#define TSR_GRID_OUTPUT_LISTS_H

#include "common/run/executor.h"
#include "grid/output/patch_math.h"
#include "grid/output/point_math.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The cells of the output. */
typedef struct tsr_grid_lists {
  tsr_grid_node *nodes; /**< n */
  uint8_t *states;      /**< tsr_grid_state of each; NULL: all are leaves */
  int64_t n;
  int64_t of_level[TSR_GRID_MAX_LEVEL + 1]; /**< TREES, PATCHES: nodes of each level */
  int64_t *tree_first;                      /**< TREES: trees + 1 */
  int64_t trees;
  int tree_level;          /**< TREES: of their first nodes */
  tsr_grid_patch *patches; /**< PATCHES */
  int64_t n_patches;
} tsr_grid_lists;

/** TREES: lists the nodes, tree after tree, breadth first. lists: all 0. */
tsr_status tsr_list_trees(tsr_executor *e, const tsr_lattice *lattice, const tsr_made_tree *made,
                          tsr_grid_lists *lists, tsr_error *error);

/** PATCHES: lists the patches, level by level, and their cells. lists: all 0. */
tsr_status tsr_list_patches(tsr_executor *e, const tsr_lattice *lattice, const tsr_made_tree *made,
                            int block_size, tsr_grid_lists *lists, tsr_error *error);

/** Leaves whose points are numbered. */
typedef struct tsr_points_source {
  const tsr_lattice *lattice; /**< in memory of the executor, as all that follows */
  const tsr_grid_node *nodes; /**< n leaves */
  int64_t n;
  const uint32_t *has; /**< as in tsr_points_job */
  const tsr_grid_node
      *ghosts; /**< POLYGONS: n_ghosts leaves across the border to other processes */
  int64_t n_ghosts;
} tsr_points_source;

/** CELLS, POLYGONS, CONFORMING: finds and numbers the points of leaves. points: all 0. */
tsr_status tsr_number_points(tsr_executor *e, const tsr_lattice *lattice,
                             const tsr_points_source *from, tsr_grid_points *points,
                             tsr_error *error);

/** POLYGONS: sets offsets and connectivity of the points. lattice: in memory of the executor. */
tsr_status tsr_list_sides(tsr_executor *e, const tsr_lattice *lattice, const tsr_grid_node *nodes,
                          int64_t n, tsr_grid_points *points, tsr_error *error);

#ifdef __cplusplus
}
#endif

#endif
