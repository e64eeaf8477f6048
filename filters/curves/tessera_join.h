/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: lines of two points that share points, joined into polylines. A part of the public
 * header; include tessera.h.
 */
#ifndef TSR_CURVES_TESSERA_JOIN_H
#define TSR_CURVES_TESSERA_JOIN_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What joining does with a cell. */
typedef enum tsr_join_role {
  TSR_JOIN_NOTHING = 0, /**< the cell stays as it is; lines are joined at its points all the same */
  TSR_JOIN_CURVE,       /**< the cell stays as it is; no lines are joined at its points */
  TSR_JOIN_LINE         /**< a line that may be joined, if it has two points; otherwise as CURVE */
} tsr_join_role;

/** A list of cells, each a list of points. */
typedef struct tsr_join_view {
  int64_t n_cells;
  const void *offsets; /**< n_cells + 1 */
  const void *connectivity;
  int64_t n_connectivity;
  tsr_type index_type;     /**< of both: INT32 or INT64 */
  int64_t n_points;        /**< ids are from 0 to n_points - 1 */
  const uint8_t *roles;    /**< n_cells of tsr_join_role; NULL = all of them are lines */
  const tsr_array *labels; /**< n_labels arrays: lines whose values differ are not joined. Tuple
                                first_cell + i belongs to cell i. NULL if 0 */
  int n_labels;
  int64_t first_cell;
  int64_t *n_apart; /**< n_labels: for each label, receives the number of points where two lines are
                         not joined since this label differs, whether or not others differ as
                         well. NULL = not counted */
} tsr_join_view;

/** The cells after joining. An item is a chain of lines, or a cell as it was. */
typedef struct tsr_join {
  int64_t n_items;
  int64_t n_joined;      /**< lines that are in a chain with others. 0: all cells stay as they
                              were, and the arrays below are NULL */
  int64_t *offsets;      /**< n_items + 1 */
  int64_t *connectivity; /**< offsets[n_items] */
  int64_t *cells;        /**< n_items, rising: the cell, or the first one of the chain */
  uint8_t *chains;       /**< n_items: 1 where several lines are joined */
} tsr_join;

/**
 * Joins lines into chains. Two lines, each of two different points, are joined at a common point if
 * no third line and no curve has that point and their labels agree. A chain has the direction and
 * the place in the output of its first cell, the one of the lowest number; a closed chain begins
 * with that cell and ends with the id that it begins with. Nothing is joined where offsets decrease
 * or leave the connectivity; a line with an id out of range stays as it is.
 * view: must not be NULL. join: receives what tsr_join_free frees. Fails with NO_MEMORY; *join is
 * then empty.
 */
tsr_status tsr_join_lines(const tsr_join_view *view, tsr_join *join, tsr_error *error);

/** Frees the arrays, not the struct itself, which is empty afterwards. */
void tsr_join_free(tsr_join *join);

#ifdef __cplusplus
}
#endif
#endif
