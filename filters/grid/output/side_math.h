/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the sides of polygons. Places of the lattice around a leaf are numbered counter-clockwise
 * from its lowest corner on; those of them that are points are the polygon's:
 *
 *     6---5---4
 *     |       |      A leaf of two by two cells of the finest level. Unless a neighbour has
 *     7       3      corners on its sides, its points are those at 0, 2, 4 and 6.
 *     |       |
 *     0---1---2
 */
#ifndef TSR_GRID_OUTPUT_SIDE_MATH_H
#define TSR_GRID_OUTPUT_SIDE_MATH_H

#include "grid/lattice_math.h"

typedef struct tsr_grid_sides {
  int64_t range[2][2]; /**< first and last place along each axis */
  int64_t n;           /**< places */
} tsr_grid_sides;

TSR_FN void tsr_sides_set(const tsr_lattice *lattice, int level, const int64_t i[3],
                          tsr_grid_sides *sides) {
  sides->n = 0;
  for (int a = 0; a < 2; ++a) {
    tsr_node_lattice(lattice, a, level, i[a], sides->range[a]);
    sides->n += 2 * (sides->range[a][1] - sides->range[a][0]);
  }
}

/** Place k. */
TSR_FN void tsr_sides_place(const tsr_grid_sides *sides, int64_t k, int64_t x[3]) {
  const int64_t(*range)[2] = sides->range;
  const int64_t half = sides->n / 2, width = range[0][1] - range[0][0];
  const int64_t along = k < half ? k : k - half; /* from the lowest corner, or the highest */
  const int64_t d[2] = {along < width ? along : width, along < width ? 0 : along - width};
  for (int a = 0; a < 2; ++a)
    x[a] = k < half ? range[a][0] + d[a] : range[a][1] - d[a];
  x[2] = 0;
}

#endif
