/* SPDX-License-Identifier: BSD-3-Clause */
/** What all steps of a plan read and write. See steps.h for the order of the steps. Not public. */
#ifndef TSR_CELLS_OUTSIDE_WORK_H
#define TSR_CELLS_OUTSIDE_WORK_H

#include "cells/divide/search_math.h"
#include "cells/volumes/solids.h"
#include "common/sort/pairs_math.h"

/** What an item of the output is made of: a whole cell, or a face of it. */
TSR_FN int64_t tsr_item_pack(int64_t cell, int face) { return cell * 8 + face; }
TSR_FN int64_t tsr_item_cell(int64_t item) { return item / 8; }
TSR_FN int tsr_item_face(int64_t item) { return (int)(item % 8); }

/** Arrays of a plan, in the executor's memory. Candidates, and items as well, are vertex cells,
 * then lines, then faces, each in the order of the cells. */
typedef struct tsr_cells_work {
  tsr_cells_view view; /**< its arrays are where the steps can read them */
  tsr_cells_criteria criteria;
  int volumes; /**< 1: some candidates are faces of volumes, and drawn only if they are outside */
  int curves;  /**< 1: the output is the edges of faces */

  int64_t *counts;     /**< 3 n_cells + 1: vertices, lines and faces of each cell; then sums */
  int64_t *candidates; /**< n_candidates: see tsr_item_pack */
  int64_t *kept;       /**< n_candidates + 1: 1: it is drawn; then sums */
  int64_t n_candidates, first_face;
  tsr_pairs faces; /**< a key of the corners of each face, and its number: candidate faces; or faces
                        of solids, see solids.near */

  int64_t *items; /**< n_items, as candidates */
  int64_t n_items, first_line_item, first_face_item;

  uint8_t
      *bent; /**< points + 1: 1: a corner of a curved item that is not flat; last: there is one */
  uint8_t *plain; /**< n_items: corners of a plain face, and TSR_PLAIN_SOLID where it is one of a
                       plain tetrahedron; 0: the item is none. See plain_math.h */

  int64_t *sides;     /**< n_items + 1: curved sides of each item, but for plain faces; then sums. A
                           curved side of an item is a slot */
  int64_t *slot_item; /**< n_slots: the item; the side is the slot less the item's first */
  tsr_pairs slots;    /**< a key of the ends of each slot's edge, and the slot */
  int64_t n_slots;
  int64_t *lead;    /**< n_slots: by the order of `slots`, the first place with the same edge */
  int64_t *numbers; /**< n_slots + 1: by the order of `slots`, 1: the place leads; then sums, which
                         number the edges */
  int32_t *own_steps; /**< n_slots: by the order of `slots`, steps of the edge for itself */
  int64_t *edge_of;   /**< n_slots: 2 * the edge + 1 where the side runs against it */
  int64_t n_edges;
  int64_t *edge_slot;  /**< n_edges: a slot of each edge */
  int32_t *edge_steps; /**< n_edges */
  int64_t *edge_first; /**< n_edges + 1: points inside each edge; then sums */

  tsr_divided *divided; /**< n_items; undefined for what is not curved */
  int64_t *item_points; /**< n_items + 1: points inside; then sums */
  int64_t *item_cells;  /**< n_items + 1: cells of the output; then sums */
  int64_t *item_ids;    /**< n_items + 1: length of their connectivity; then sums */
  int64_t *corners;     /**< points + 1: 1: the input point is one of the output; then sums */

  tsr_solids solids; /**< of the output Cells */
} tsr_cells_work;

/** Added to `plain` of the faces of a tetrahedron that stays one. */
#define TSR_PLAIN_SOLID 8

/** Corners of item i if it is a plain face; 0: it is none. */
TSR_FN int tsr_plain_corners(const tsr_cells_work *work, int64_t i) {
  return work->plain[i] & (TSR_PLAIN_SOLID - 1);
}

/** Marks an input point as one of the output, which several items of a step may do: an atomic
 * store, as tsr_set_flag makes one of a byte. */
TSR_FN void tsr_work_mark(const tsr_cells_work *work, int64_t point) {
#ifdef __cplusplus
  *(volatile int64_t *)&work->corners[point] = 1;
#else
  atomic_store_explicit((_Atomic int64_t *)&work->corners[point], 1, memory_order_relaxed);
#endif
}

/** The cell of an item, which is good. */
TSR_FN void tsr_work_cell(const tsr_cells_work *work, int64_t item, tsr_cell *cell) {
  tsr_good_cell_at(&work->view, tsr_item_cell(item), cell);
}

/** Role of a cell. */
TSR_FN int tsr_work_role(const tsr_cells_work *work, int64_t cell) {
  return work->view.roles ? (int)work->view.roles[cell] : (int)TSR_CELLS_DRAWN;
}

#endif
