/* SPDX-License-Identifier: BSD-3-Clause */
/** Blocks of AMR: the plan, and its phases in the order of the work. Not public. */
#ifndef TSR_GRID_AMR_AMR_H
#define TSR_GRID_AMR_AMR_H

#include "common/ghosts.h"
#include "common/support.h"
#include "grid/tessera_grid_amr.h"

/** Most levels of the AMR; halvings between them have the limit of the lattice. */
#define TSR_AMR_LEVELS ((int64_t)1 << 20)

/** A box of cells of one block, without copies of cells of other blocks. Plain bytes, which
 *  processes send each other. */
typedef struct tsr_amr_box {
  int64_t block;           /**< of two boxes of one level, that of the lower block covers */
  int64_t level;           /**< halvings of the cells of level 0 */
  int64_t low[3], high[3]; /**< its cells [low, high), counted in the domain's cells of the level;
                              an axis without cells has the one cell 0 */
} tsr_amr_box;

/** A block of this process that has cells. */
typedef struct tsr_amr_part {
  tsr_amr_box box;
  uint8_t *dropped;    /**< as tsr_grid_amr_dropped has it; NULL: the block is left out */
  int64_t first_point; /**< of its points and of its cells that stay, among those of all */
  int64_t first_cell;
} tsr_amr_part;

struct tsr_grid_amr {
  tsr_grid_amr_block *blocks; /**< n */
  int64_t n;
  tsr_amr_part *parts; /**< n */
  double tolerance;    /**< of coordinates */
  int *halvings; /**< n_levels: of the cells of level 0; -1: no block has cells of the level */
  int64_t n_levels;
  tsr_grid_amr_sizes sizes; /**< `cells` is 1 along axes with cells until the domain is known */
};

/** Number of cells of a box. */
static inline int64_t tsr_amr_count(const tsr_amr_box *box) {
  return (box->high[0] - box->low[0]) * (box->high[1] - box->low[1]) * (box->high[2] - box->low[2]);
}

/** A list of boxes that grows. */
typedef struct tsr_amr_boxes {
  tsr_amr_box *at;
  int64_t n, room;
} tsr_amr_boxes;

/* ---- lattice.c */

/** Finds the lattice of the n blocks of all processes. */
tsr_status tsr_amr_make_lattice(tsr_grid_amr *amr, const tsr_grid_amr_block *blocks, int64_t n,
                                tsr_error *error);
/** 1 if a block has cells along the lattice's axes. */
int tsr_amr_has_cells(const tsr_grid_amr *amr, const tsr_grid_amr_block *block);
/** Sets the box of a block that has cells. */
void tsr_amr_place(const tsr_grid_amr *amr, const tsr_grid_amr_block *block, tsr_amr_box *box);

/* ---- own.c */

/** Adds the boxes of the cells of a block that are no copies. ghosts: its flags, or NULL. */
tsr_status tsr_amr_add_own(const tsr_amr_box *whole, const uint8_t *ghosts, tsr_amr_boxes *boxes,
                           tsr_error *error);

/* ---- cover.c */

/** Boxes of all processes, sorted into equal parts of the domain. */
typedef struct tsr_amr_cover tsr_amr_cover;

/** Makes a cover of n boxes, which are borrowed; NULL if there is no memory. cells: of the domain's
 *  level 0 along each axis. */
tsr_amr_cover *tsr_amr_cover_create(const tsr_amr_box *boxes, int64_t n, const int32_t cells[3],
                                    tsr_error *error);
void tsr_amr_cover_free(tsr_amr_cover *cover);

/** Sets the flag to 1 for each cell of a block that lies wholly under others. A cell that lies
 * partly under finer ones gets 1, too, if it has a flag. bad: receives the first one that has none,
 * or -1.
 */
tsr_status tsr_amr_cover_flag(tsr_amr_cover *cover, const tsr_amr_box *block, uint8_t *flags,
                              int64_t *bad, tsr_error *error);

#endif
