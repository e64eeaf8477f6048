/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: cells that are copied from the input to the output unchanged, with only the points that
 * they use. A part of the public header; include tessera.h.
 */
#ifndef TSR_CURVES_TESSERA_PASS_H
#define TSR_CURVES_TESSERA_PASS_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the filter does with the cells of one type. */
typedef struct tsr_cell_rule {
  uint8_t kind;     /**< tsr_curve_kind; TSR_KIND_NONE: not a curve */
  uint8_t role;     /**< tsr_join_role */
  uint8_t passes;   /**< 1: copied to the output unchanged */
  uint8_t left_out; /**< 1: neither a curve nor copied; counted, for a warning */
} tsr_cell_rule;

/** Number of cell types that a byte can name. */
#define TSR_CELL_TYPES 256

/** The rules of tsr_cell_rule for each of n cells. The arrays are the caller's, n bytes each. */
typedef struct tsr_cell_roles {
  uint8_t *kinds, *roles, *passes;
  int64_t n_passing;       /**< cells with passes = 1 */
  tsr_note_count left_out; /**< first: the number of the cell, -1 where there is none */
} tsr_cell_roles;

/** Looks every cell's type up. types: n bytes. roles: the caller sets its three pointers;
 *  the arrays and the other members are filled. Cannot fail. */
void tsr_cell_roles_of(const uint8_t *types, int64_t n, const tsr_cell_rule rules[TSR_CELL_TYPES],
                       tsr_cell_roles *roles);

/** Lists of cells: vertices, polygons and strips of a polydata. */
#define TSR_PASS_LISTS 3

/** A list of cells, each a list of points. All 0: an empty one. */
typedef struct tsr_pass_list {
  int64_t n_cells;
  const void *offsets; /**< n_cells + 1 */
  const void *connectivity;
  int64_t n_connectivity;
  tsr_type index_type;   /**< of both: INT32 or INT64 */
  const uint8_t *chosen; /**< one flag for each cell: not 0 = copied; NULL: all are */
  int64_t first_cell;    /**< number in the dataset of the list's first cell */
} tsr_pass_list;

/** The input: lists of cells, and their points. */
typedef struct tsr_pass_view {
  tsr_pass_list lists[TSR_PASS_LISTS];
  int64_t n_points;
  tsr_array points; /**< 3 components, one tuple a point: to find points that single precision
                         cannot hold. Absent if the output keeps the points' precision */
} tsr_pass_view;

/** Sizes of the copied cells. */
typedef struct tsr_pass_sizes {
  int64_t cells[TSR_PASS_LISTS], connectivity[TSR_PASS_LISTS];
  int64_t points;
  tsr_note_count bad; /**< cells with ids out of range, left out. `first`: number in the dataset of
                           the first such cell, in the order of the lists */
  tsr_note_count too_large; /**< cells with a point that single precision cannot hold, left out */
} tsr_pass_sizes;

/** The cells to copy, freed by tsr_pass_free. */
typedef struct tsr_pass tsr_pass;

/**
 * Finds the cells to copy, and numbers their points in the input's order.
 * view: borrowed until tsr_pass_free. pass: receives the result, or NULL. Fails with NO_MEMORY.
 */
tsr_status tsr_pass_create(const tsr_pass_view *view, tsr_pass **pass, tsr_error *error);

/** Frees it; NULL is allowed. */
void tsr_pass_free(tsr_pass *pass);

/** Returns the sizes, valid until tsr_pass_free. */
const tsr_pass_sizes *tsr_pass_get_sizes(const tsr_pass *pass);

/** Returns the numbers in the dataset of a list's copied cells, valid until tsr_pass_free. */
const int64_t *tsr_pass_cells(const tsr_pass *pass, int list);

/** Returns the indices of the input points in use, ascending, valid until tsr_pass_free. */
const int64_t *tsr_pass_points(const tsr_pass *pass);

/** Writes the cells of a list: sizes.cells + 1 offsets and sizes.connectivity ids; the points in
 *  use are numbered from first_point on. */
void tsr_pass_fill(const tsr_pass *pass, int list, int64_t first_point, int64_t *offsets,
                   int64_t *connectivity);

#ifdef __cplusplus
}
#endif
#endif
