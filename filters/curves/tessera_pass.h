/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: cells that go from the input to the output as they are, with the points that they use
 * and no others. A part of the public header; include tessera.h.
 */
#ifndef TESSERA_PASS_H
#define TESSERA_PASS_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What cells of one type are to the filter. */
typedef struct tsr_cell_rule {
  uint8_t kind;     /**< tsr_curve_kind; TSR_KIND_NONE: no curve */
  uint8_t role;     /**< tsr_join_role */
  uint8_t passes;   /**< 1: it goes along as it is */
  uint8_t left_out; /**< 1: it is neither, and is counted */
} tsr_cell_rule;

/** Number of cell types that a byte can name. */
#define TSR_CELL_TYPES 256

/** What each of n cells is. The arrays are the caller's, n bytes each. */
typedef struct tsr_cell_roles {
  uint8_t *kinds, *roles, *passes;
  int64_t n_passing;       /**< cells with passes = 1 */
  tsr_note_count left_out; /**< first: the number of the cell, -1 where there is none */
} tsr_cell_roles;

/** Looks every cell's type up. types: n bytes. roles: has its arrays; receives the rest. Cannot
 *  fail. */
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
  const uint8_t *chosen; /**< one a cell, or NULL: not 0 = it goes along */
  int64_t first_cell;    /**< number that the first one has in the dataset */
} tsr_pass_list;

/** What goes along, and where it comes from. */
typedef struct tsr_pass_view {
  tsr_pass_list lists[TSR_PASS_LISTS];
  int64_t n_points;
  tsr_array points; /**< 3 components, one tuple a point: these will be stored in single precision.
                         Absent where they stay as they are */
} tsr_pass_view;

/** How much goes along. */
typedef struct tsr_pass_sizes {
  int64_t cells[TSR_PASS_LISTS], connectivity[TSR_PASS_LISTS];
  int64_t points;
  tsr_note_count bad; /**< cells with points out of range, left out. `first`: the number in the
                           dataset of the first in the order of the lists */
  tsr_note_count too_large; /**< cells with a point that single precision cannot hold, left out */
} tsr_pass_sizes;

typedef struct tsr_pass tsr_pass;

/**
 * Finds the cells that go along and numbers their points in the input's order.
 * view: borrowed until tsr_pass_free. pass: receives the result, or NULL. Fails with NO_MEMORY.
 */
tsr_status tsr_pass_create(const tsr_pass_view *view, tsr_pass **pass, tsr_error *error);

/** Frees it; NULL is allowed. */
void tsr_pass_free(tsr_pass *pass);

/** How much goes along. This and what the next two functions return is valid until tsr_pass_free.
 */
const tsr_pass_sizes *tsr_pass_get_sizes(const tsr_pass *pass);

/** The numbers in the dataset of the cells of a list that go along. */
const int64_t *tsr_pass_cells(const tsr_pass *pass, int list);

/** The input points in use, rising. */
const int64_t *tsr_pass_points(const tsr_pass *pass);

/** Writes the cells of a list: sizes.cells + 1 offsets and sizes.connectivity ids; the points in
 *  use are numbered from first_point on. */
void tsr_pass_fill(const tsr_pass *pass, int list, int64_t first_point, int64_t *offsets,
                   int64_t *connectivity);

#ifdef __cplusplus
}
#endif
#endif
