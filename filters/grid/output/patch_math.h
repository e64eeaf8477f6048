/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: nodes of trees, and patches, blocks of nodes of one level. A patch of the first level is a
 * block of roots; one of the next is made of the children of a group of nodes, half a block along
 * each axis, that are refined together:
 *
 *     +---------------+     a block of 4 x 4 nodes; the upper right group of 2 x 2 is refined,
 *     |       |#######|     and its children are a block of 4 x 4 of the next level
 *     |-------+-------|
 *     |       |       |
 *     +---------------+
 */
#ifndef TSR_GRID_OUTPUT_PATCH_MATH_H
#define TSR_GRID_OUTPUT_PATCH_MATH_H

#include "grid/lattice_math.h"

/** State of a node, which may lie outside the grid. hidden: one an input cell held, or NULL. */
TSR_FN tsr_grid_state tsr_node_state(const tsr_lattice *lattice, const tsr_tree *tree,
                                     const uint8_t *hidden, int level, const int64_t i[3]) {
  for (int a = 0; a < 3; ++a)
    if (i[a] >= tsr_level_nodes(lattice, a, level))
      return TSR_STATE_OUTSIDE;
  if (tsr_tree_get(tree, lattice, level, i))
    return TSR_STATE_COVERED;
  return tsr_hidden_node(lattice, hidden, level, i) ? TSR_STATE_HIDDEN : TSR_STATE_LEAF;
}

/** The patch that begins at node `at`, as far as it exists and is owned; `first` is 0. Returns its
 *  cells. */
TSR_FN int64_t tsr_patch_make(const tsr_lattice *lattice, int64_t block_size, int level,
                              const int64_t at[3], tsr_grid_patch *patch) {
  int64_t cells = 1;
  patch->level = level;
  patch->first = 0;
  for (int a = 0; a < 3; ++a) {
    int64_t range[2], end = a < lattice->dimension ? at[a] + block_size : 1;
    const int axis = lattice->axis[a];
    tsr_level_range(lattice, a, level, lattice->owned[a], range);
    patch->begin[axis] = (int32_t)(at[a] > range[0] ? at[a] : range[0]);
    end = end < range[1] ? end : range[1];
    patch->end[axis] = (int32_t)end;
    cells *= end > patch->begin[axis] ? end - patch->begin[axis] : 0;
  }
  return cells;
}

/** Where the patch of the next level of group k of a patch begins. Returns 0 where there is none.
 */
TSR_FN int tsr_patch_child(const tsr_lattice *lattice, const tsr_tree *tree, int64_t block_size,
                           const tsr_grid_patch *patch, unsigned k, int64_t at[3]) {
  const int64_t group = block_size / 2;
  int64_t first[3];
  int inside = 1;
  for (int a = 0; a < 3; ++a) {
    const int axis = lattice->axis[a];
    const int64_t block = patch->begin[axis] / (2 * group) * (2 * group);
    const int64_t low = a < lattice->dimension ? block + ((k >> a) & 1) * group : 0;
    at[a] = a < lattice->dimension ? 2 * low : 0;
    first[a] = low > patch->begin[axis] ? low : patch->begin[axis];
    inside = inside && first[a] < patch->end[axis] &&
             (a >= lattice->dimension || first[a] < low + group);
  }
  return inside && tsr_tree_get(tree, lattice, patch->level, first);
}

/** Ends a patch where the box ends: cells of it that would reach beyond are refined, and their
 *  parts in finer patches. Returns the cells that are left. */
TSR_FN int64_t tsr_patch_cut(const tsr_lattice *lattice, tsr_grid_patch *patch) {
  int64_t cells = 1;
  for (int a = 0; a < 3; ++a) {
    const int axis = lattice->axis[a];
    const int64_t whole = tsr_level_whole_nodes(lattice, a, patch->level);
    if (patch->end[axis] > whole)
      patch->end[axis] = (int32_t)whole;
    cells *= patch->end[axis] > patch->begin[axis] ? patch->end[axis] - patch->begin[axis] : 0;
  }
  return cells;
}

/** The first level that has a node within the box: trees begin there. */
TSR_FN int tsr_first_tree_level(const tsr_lattice *lattice) {
  int level = 0;
  while (level < lattice->coarsen && (tsr_level_whole_nodes(lattice, 0, level) == 0 ||
                                      tsr_level_whole_nodes(lattice, 1, level) == 0 ||
                                      tsr_level_whole_nodes(lattice, 2, level) == 0))
    ++level;
  return level;
}

#endif
