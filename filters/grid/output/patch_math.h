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

/** A finished tree, as steps read it: pointers to memory of their executor. */
typedef struct tsr_made_tree {
  const tsr_lattice *lattice;
  const tsr_tree *tree;
  const uint8_t *hidden; /**< as in tsr_node_state */
} tsr_made_tree;

TSR_FN tsr_grid_state tsr_made_state(const tsr_made_tree *made, const tsr_grid_node *node) {
  int64_t i[3];
  tsr_node_inner(made->lattice, node, i);
  return tsr_node_state(made->lattice, made->tree, made->hidden, node->level, i);
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

/* ---- the steps that list patches, level by level */

typedef struct tsr_patch_job {
  tsr_made_tree made;
  int64_t size;                  /**< of a block */
  int64_t first[3], blocks[3];   /**< the blocks of roots that the owned roots touch */
  const tsr_grid_patch *patches; /**< of a level */
  int64_t *before; /**< for each patch 2^dimension groups, and one more: patches of the next level
                        before the group */
  tsr_grid_patch *to;    /**< receives the patches of the next level, or those that are kept */
  int64_t *kept, *cells; /**< of the level's patches: patches and cells before each, once they are
                              cut */
  tsr_grid_node *nodes;  /**< the cells of the patches that are kept */
  uint8_t *states;       /**< their tsr_grid_state */
} tsr_patch_job;

/** Block n of roots. */
TSR_FN void tsr_patch_begin(const tsr_patch_job *job, int64_t n) {
  int64_t at[3], rest = n;
  for (int a = 0; a < 3; ++a) {
    at[a] = (job->first[a] + rest % job->blocks[a]) * job->size;
    rest /= job->blocks[a];
  }
  (void)tsr_patch_make(job->made.lattice, job->size, 0, at, &job->to[n]);
}

/** The patch of the next level in group n of the level's: 1 if there is one. */
TSR_FN int tsr_patch_group(const tsr_patch_job *job, int64_t n, int64_t at[3]) {
  const int dimension = job->made.lattice->dimension;
  return tsr_patch_child(job->made.lattice, job->made.tree, job->size,
                         &job->patches[n >> dimension], (unsigned)(n & ((1 << dimension) - 1)), at);
}

TSR_FN void tsr_patch_count(const tsr_patch_job *job, int64_t n) {
  int64_t at[3];
  job->before[n] = tsr_patch_group(job, n, at);
}

TSR_FN void tsr_patch_split(const tsr_patch_job *job, int64_t n) {
  const int level = job->patches[n >> job->made.lattice->dimension].level + 1;
  int64_t at[3];
  if (tsr_patch_group(job, n, at))
    (void)tsr_patch_make(job->made.lattice, job->size, level, at, &job->to[job->before[n]]);
}

/** What is left of patch n of the level. */
TSR_FN void tsr_patch_measure(const tsr_patch_job *job, int64_t n) {
  tsr_grid_patch patch = job->patches[n];
  job->cells[n] = tsr_patch_cut(job->made.lattice, &patch);
  job->kept[n] = job->cells[n] > 0;
}

TSR_FN void tsr_patch_keep(const tsr_patch_job *job, int64_t n) {
  tsr_grid_patch patch = job->patches[n];
  if (tsr_patch_cut(job->made.lattice, &patch) == 0)
    return;
  patch.first = job->cells[n];
  job->to[job->kept[n]] = patch;
}

/** Rows of cells along the first inner axis that a patch has at most. */
TSR_FN int64_t tsr_patch_rows(const tsr_lattice *lattice, int64_t size) {
  return lattice->dimension > 2 ? size * size : lattice->dimension > 1 ? size : 1;
}

/** Lists the cells of row n, counting tsr_patch_rows for each patch. */
TSR_FN void tsr_patch_list(const tsr_patch_job *job, int64_t n) {
  const tsr_lattice *lattice = job->made.lattice;
  const int64_t rows = tsr_patch_rows(lattice, job->size);
  const tsr_grid_patch patch = job->patches[n / rows];
  const int along = lattice->axis[0];
  int64_t row = n % rows, to = 0, step = patch.end[along] - patch.begin[along];
  tsr_grid_node node = {{patch.begin[0], patch.begin[1], patch.begin[2]}, patch.level};
  for (int a = 1; a < lattice->dimension; ++a) {
    const int axis = lattice->axis[a];
    const int64_t at = row % job->size, cells = patch.end[axis] - patch.begin[axis];
    if (at >= cells)
      return;
    node.index[axis] += (int32_t)at;
    to += at * step;
    step *= cells;
    row /= job->size;
  }
  for (to += patch.first; node.index[along] < patch.end[along]; ++node.index[along], ++to) {
    job->nodes[to] = node;
    job->states[to] = (uint8_t)tsr_made_state(&job->made, &node);
  }
}

#endif
