/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the leaves of an input cell that is refined. Its finest parts are numbered as children
 * follow each other; a leaf has the numbers of its parts, so the next leaf begins where they end:
 *
 *     +-------+---+---+    (2D, two levels) 4 parts of the first leaf, 4 leaves of a part each,
 *     | 0 - 3 | 4 | 5 |    and two leaves of 4 parts below.
 *     |       +---+---+
 *     |       | 6 | 7 |
 *     +-------+---+---+
 */
#ifndef TSR_GRID_OUTPUT_PART_MATH_H
#define TSR_GRID_OUTPUT_PART_MATH_H

#include "grid/lattice_math.h"

/** Finest parts of an input cell. */
TSR_FN int64_t tsr_cell_parts(const tsr_lattice *lattice) {
  return (int64_t)1 << (lattice->dimension * (lattice->levels - lattice->coarsen));
}

/** The leaf that part `number` of an input cell lies in: its level, and its indices in i. *next:
 * the part after its last. */
TSR_FN int tsr_part_leaf(const tsr_lattice *lattice, const tsr_tree *tree, const int64_t cell[3],
                         int64_t number, int64_t i[3], int64_t *next) {
  const int dimension = lattice->dimension;
  int level = lattice->coarsen;
  for (int a = 0; a < 3; ++a)
    i[a] = cell[a];
  for (; tsr_tree_get(tree, lattice, level, i); ++level) {
    const int64_t child = number >> (dimension * (lattice->levels - level - 1));
    for (int a = 0; a < dimension; ++a)
      i[a] = 2 * i[a] + ((child >> a) & 1);
  }
  *next = number + ((int64_t)1 << (dimension * (lattice->levels - level)));
  return level;
}

#endif
