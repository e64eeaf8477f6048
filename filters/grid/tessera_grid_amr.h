/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: the blocks of AMR as cells of several sizes. A part of the public header; include
 * tessera.h.
 *
 * A plan places the blocks of all processes in one lattice, and drops each cell that lies under
 * finer cells, or under those of a block of lower number of its level. What stays are the cells of
 * a tsr_grid_octree, one block after the other, x fastest.
 */
#ifndef TSR_GRID_TESSERA_GRID_AMR_H
#define TSR_GRID_TESSERA_GRID_AMR_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A block: an image along the axes. Coordinates are in any one unit. */
typedef struct tsr_grid_amr_block {
  int64_t level;     /**< of the AMR, 0 to 2^20; 0 is the coarsest. Levels may be missing */
  int64_t number;    /**< of the block within its level; the same on all processes */
  double corner[3];  /**< the lowest point */
  double spacing[3]; /**< sides of a cell */
  int64_t cells[3];  /**< cells along each axis; 0 along an axis with one point */
  const uint8_t *cell_ghosts;  /**< a flag for each cell, with the bits of VTK
                                    (vtkDataSetAttributes.h): hidden, refined or a copy; NULL: none
                                    is set */
  const uint8_t *point_ghosts; /**< a flag for each point, or NULL */
} tsr_grid_amr_block;

/** The lattice, the same on all processes, and sizes of this process's result. */
typedef struct tsr_grid_amr_sizes {
  int32_t cells[3];  /**< cells of level 0 along each axis; 0 along an axis without cells */
  double origin[3];  /**< lowest corner of the domain */
  double spacing[3]; /**< sides of a cell of level 0 */
  int dimension;     /**< number of axes with cells; 0: there is no cell */
  int64_t n;         /**< cells that stay */
  int64_t points;    /**< points of the blocks that are not left out, one block after the other */
  int any_hidden;    /**< 1: cells may be hidden, so that tsr_grid_amr_fill needs `hidden` */
} tsr_grid_amr_sizes;

/** A plan, freed by tsr_grid_amr_free. */
typedef struct tsr_grid_amr tsr_grid_amr;

/**
 * Places blocks in a lattice, and finds the cells that stay. Collective.
 * blocks: n of this process, copied; NULL is allowed where n is 0. Their flags are borrowed until
 * tsr_grid_amr_free.
 * processes: NULL: this process alone.
 * amr: receives the plan, or NULL on failure.
 * Fails with BAD_INPUT if the blocks do not fit together; NO_MEMORY, ABORTED.
 */
tsr_status tsr_grid_amr_create(const tsr_grid_amr_block *blocks, int64_t n,
                               const tsr_processes *processes, tsr_grid_amr **amr,
                               tsr_error *error);

/** Frees a plan; NULL is allowed. */
void tsr_grid_amr_free(tsr_grid_amr *amr);

/** Returns the sizes, which belong to the plan: valid until it is freed. */
const tsr_grid_amr_sizes *tsr_grid_amr_plan_sizes(const tsr_grid_amr *amr);

/** Returns a flag for each cell of block i of this process, x fastest: 0: it stays, 1: it is
 *  dropped, 2: it stays and is hidden. The array belongs to the plan. Returns NULL where the block
 * is left out, since it has one point along an axis on which other blocks have cells. */
const uint8_t *tsr_grid_amr_dropped(const tsr_grid_amr *amr, int64_t i);

/**
 * Writes the cells that stay.
 * execution: NULL = defaults; its backend is ignored.
 * level, index: sizes.n, and sizes.n x 3, as tsr_grid_octree has them.
 * corners: sizes.n x 2^dimension: numbers of points, those of all blocks that are not left out one
 * behind the other; may be NULL.
 * hidden: sizes.n flags: 1: the cell, or one of its points, is hidden; may be NULL.
 * Fails with BAD_INPUT if a needed pointer is NULL; ABORTED.
 */
tsr_status tsr_grid_amr_fill(const tsr_grid_amr *amr, const tsr_execution *execution,
                             uint8_t *level, int32_t *index, int64_t *corners, uint8_t *hidden,
                             tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
