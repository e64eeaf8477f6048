/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: lines of two points that share points, joined into polylines. A part of the public
 * header; include tessera.h.
 */
#ifndef TESSERA_JOIN_H
#define TESSERA_JOIN_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a cell is to the joining. */
typedef enum tsr_join_role {
  TSR_JOIN_NOTHING = 0, /**< it stays as it is, and its points say nothing */
  TSR_JOIN_CURVE,       /**< it stays as it is; lines that touch it end there */
  TSR_JOIN_LINE         /**< it is joined if it has two points; else it is a curve */
} tsr_join_role;

/** A list of cells, each a list of points. */
typedef struct tsr_join_view {
  int64_t n_cells;
  const void *offsets; /**< n_cells + 1 */
  const void *connectivity;
  int64_t n_connectivity;
  tsr_type index_type;     /**< of both: INT32 or INT64 */
  int64_t n_points;        /**< that there are in all */
  const uint8_t *roles;    /**< n_cells of tsr_join_role; NULL = all of them are lines */
  const tsr_array *labels; /**< n_labels arrays: lines whose values differ are not joined. Tuple
                                first_cell + i belongs to cell i. NULL if 0 */
  int n_labels;
  int64_t first_cell;
  int64_t *n_apart; /**< n_labels: for each label, receives the number of points at which two lines
                         stay apart since its values differ, alone or as those of other labels do.
                         NULL = not counted */
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
 * Joins lines. Two lines of two different points each are joined at a point that both have, that no
 * third one and no curve has, and where their labels agree. A chain goes through its cell of the
 * lowest number in that cell's direction, and has its place; a closed one begins with it, and ends
 * with the id that it begins with. Items are in the order of their cells. Nothing is joined where
 * offsets decrease or leave the connectivity; a line with an id out of range stays as it is.
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
