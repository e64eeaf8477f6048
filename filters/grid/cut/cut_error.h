/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: how far the interpolation in the parts of leaves is from the input. */
#ifndef TSR_GRID_CUT_CUT_ERROR_H
#define TSR_GRID_CUT_CUT_ERROR_H

#include "grid/cut/cut_field_math.h"

/** The ways in which the leaves of one plan are cut, each kept from the first leaf that is cut so.
 *  Many threads may use one table. */
typedef struct tsr_cut_table tsr_cut_table;

/** Returns an empty table, or NULL without memory: then each leaf's parts are made anew. Free it
 *  with tsr_cut_table_free(). */
tsr_cut_table *tsr_cut_table_create(void);

void tsr_cut_table_free(tsr_cut_table *table);

/** The cells that a leaf is cut into, as tsr_cut_cells() lists them. */
typedef struct tsr_cut_cells_of {
  int n, entries; /**< number of cells; of their corners together */
  int centre;     /**< 1: they share a new point at the centre */
  tsr_cut_cell cell[TSR_CUT_MOST_CELLS];
} tsr_cut_cells_of;

/** Returns the cells of a leaf that is cut. They belong to the table, or, if it has no room for
 *  them or is NULL, are listed in *own. */
const tsr_cut_cells_of *tsr_cut_cells_find(tsr_cut_table *table, const tsr_lattice *lattice,
                                           const tsr_cut *cut, tsr_cut_cells_of *own);

/** Largest difference, in one component of a point array, between the input points of a leaf above
 *  the input cells that is cut, and the interpolation in its parts. Stops above `enough`. odd: what
 *  a difference that is not finite counts as. table: may be NULL. */
double tsr_cut_error(tsr_cut_table *table, const tsr_lattice *lattice, const tsr_space *space,
                     const tsr_array *array, int component, const tsr_cut *cut, double enough,
                     double odd);

#endif
