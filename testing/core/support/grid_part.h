/* SPDX-License-Identifier: BSD-3-Clause */
/** Divides a grid among several processes. */
#ifndef TESSERA_TEST_GRID_PART_H
#define TESSERA_TEST_GRID_PART_H

#include "tessera.h"

/** The part of one process. */
typedef struct grid_part {
  int64_t roots[3][2];        /**< owned */
  int64_t first[3], cells[3]; /**< held: the owned cells, and the ghost cells that it needs */
  int owns_nothing;
} grid_part;

/** Shares the roots of a grid out among n processes. cells: of the grid, 0 along an axis without
 *  any. */
void grid_parts_make(const int64_t cells[3], const tsr_grid_options *options, int n,
                     grid_part *parts);

/** Sets whole, extent and owned of a view. The whole extent begins at 10 20 30, so that code that
 * counts from 0 fails. */
void grid_part_view(const grid_part *part, const int64_t cells[3], const tsr_grid_options *options,
                    tsr_grid_view *view);

/** How many points, or cells, the part holds. */
int64_t grid_part_tuples(const grid_part *part, const int64_t cells[3], int of_cells);

/** Copies its tuples of an array of the grid. */
void grid_part_copy(const grid_part *part, const int64_t cells[3], int of_cells, size_t tuple,
                    const void *from, void *to);

#endif
