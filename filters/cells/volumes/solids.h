/* SPDX-License-Identifier: BSD-3-Clause */
/** What the output Cells knows of volume cells beside the faces: a member of tsr_cells_work. Not
 *  public. */
#ifndef TSR_CELLS_VOLUMES_SOLIDS_H
#define TSR_CELLS_VOLUMES_SOLIDS_H

#include "common/common_math.h"

/** Volume cells of the output, in the order of the input. Arrays in the executor's memory. The rim
 *  of a solid is the triangulated boundary of its parameter domain. "then sums": a prefix sum
 *  replaces the numbers, so that entry i counts what comes before i, and the last entry all. */
typedef struct tsr_solids {
  int on;          /**< 1: the output is Cells; 0: nothing else of this is used */
  int64_t n;       /**< solids: volume cells that are drawn, linear ones included */
  int64_t *number; /**< n_cells + 1 flags, 1: the cell is a solid; then sums */
  int64_t *cell;   /**< n: the cell of the input */
  int64_t *item;   /**< n: the item that is face 0 of a curved solid; unused for linear ones */
  double *bends;   /**< TSR_SOLID_KINDS for each cell of the input; set for curved solids */

  int64_t *near_count; /**< n_items + 1: 1: the item is near: see tsr_solid_find_near; then sums */
  int64_t *near;       /**< the items that are near */
  int64_t *mate;       /**< n_items, set for those that are near: the item that is the same face, of
                            the other solid; -1: none */
  uint8_t *turn;       /**< as mate: the turn between the item and its mate: see tsr_turn_between */

  int64_t triangles, points; /**< of all rims, and points inside all solids */
  int64_t *rim_points;       /**< n + 1: points of the rim; then sums */
  int64_t *rim_triangles;    /**< n + 1: triangles of the rim; then sums */
  double *place;             /**< 3 for each point of a rim: its parameters in the solid */
  int64_t *point;            /**< for each point of a rim: the point of the output */
  int64_t *triangle; /**< 3 for each triangle of a rim: points of this rim, counted from 0, in
                          the order that shows the front from outside */

  int32_t *shells; /**< n: see solid_shell_math.h; 0: the solid is one cell of the output */
  uint8_t *limit;  /**< n: 1: the criteria do not hold inside */
  int64_t *inside; /**< n + 1: points inside the solid; then sums */
  int64_t *cells;  /**< n + 1: cells of the output; then sums */
  int64_t *ids;    /**< n + 1: length of their connectivity; then sums */
} tsr_solids;

#endif
