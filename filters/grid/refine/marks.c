/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: marks, which carry what criteria refined from one plan to another. */
#include "grid/refine/refine.h"

#include <stdlib.h>

static tsr_status check_node(const tsr_lattice *lattice, const tsr_grid_node *node, int64_t number,
                             tsr_error *error) {
  int good = node->level >= 0 && node->level < lattice->levels;
  for (int a = 0; a < 3 && good; ++a)
    good = node->index[a] >= 0 && node->index[a] < tsr_level_nodes(lattice, a, node->level);
  if (good)
    return TSR_OK;
  return tsr_fail(error, TSR_BAD_OPTION, number,
                  "mark %lld is of the node %d, %d, %d of level %d, which this grid has not, or "
                  "cannot refine",
                  (long long)number, node->index[0], node->index[1], node->index[2], node->level);
}

/* Refines the node, if its level is one of [first, end), and those of these levels above it. */
static void add_node(const tsr_refinement *it, const tsr_grid_node *node, int first, int end) {
  const tsr_lattice *lattice = &it->input->lattice;
  for (int level = node->level < end ? node->level : end - 1; level >= first; --level) {
    int64_t i[3];
    for (int a = 0; a < 3; ++a)
      i[a] = tsr_shift(lattice, a, node->index[a], node->level - level);
    if (tsr_node_is_owned(lattice, level, i))
      tsr_tree_set(it->tree, lattice, level, i);
  }
}

tsr_status tsr_marks_check(const tsr_grid_input *input, tsr_error *error) {
  const tsr_grid_marks *marks = &input->options.marks;
  tsr_status status = TSR_OK;
  for (int64_t k = 0; k < marks->n && status == TSR_OK; ++k)
    status = check_node(&input->lattice, &marks->nodes[k], k, error);
  return status;
}

tsr_status tsr_marks_add(const tsr_refinement *it, int first, int end, tsr_error *error) {
  const tsr_grid_options *o = &it->input->options;
  tsr_status status = TSR_OK;
  if (o->marks.n == 0 || o->mode != TSR_GRID_ADAPTIVE)
    return TSR_OK;
  if (first == 0) {
    tsr_tree_free(it->own);
    status = tsr_tree_copy(it->own, it->tree, &it->input->lattice, error);
  }
  for (int64_t k = 0; k < o->marks.n && status == TSR_OK; ++k)
    add_node(it, &o->marks.nodes[k], first, end);
  return status;
}

/* A list that grows. */
typedef struct tsr_listing {
  const tsr_lattice *lattice;
  const tsr_tree *tree;
  tsr_grid_node *nodes;
  int64_t n, room;
  int full;
} tsr_listing;

/* The node, if it is refined, and all refined ones below it. */
static void list_node(tsr_listing *it, int level, const int64_t i[3]) {
  tsr_grid_node *grown;
  if (it->full || !tsr_tree_get(it->tree, it->lattice, level, i))
    return;
  grown = tsr_grow(it->nodes, it->n, &it->room, 1024, sizeof *grown);
  if (!grown) {
    it->full = 1;
    return;
  }
  it->nodes = grown;
  it->nodes[it->n].level = level;
  for (int a = 0; a < 3; ++a)
    it->nodes[it->n].index[a] = (int32_t)i[a];
  ++it->n;
  for (unsigned k = 0; k < (1u << it->lattice->dimension) && level + 1 < it->lattice->levels; ++k) {
    int64_t child[3];
    if (tsr_node_child(it->lattice, level, i, k, child))
      list_node(it, level + 1, child);
  }
}

tsr_status tsr_marks_list(const tsr_grid_input *input, const tsr_tree *tree, tsr_grid_node **nodes,
                          int64_t *n, tsr_error *error) {
  const tsr_lattice *lattice = &input->lattice;
  tsr_listing it = {.lattice = lattice, .tree = tree};
  int64_t i[3];
  for (i[2] = lattice->owned[2][0]; i[2] < lattice->owned[2][1]; ++i[2])
    for (i[1] = lattice->owned[1][0]; i[1] < lattice->owned[1][1]; ++i[1])
      for (i[0] = lattice->owned[0][0]; i[0] < lattice->owned[0][1]; ++i[0])
        list_node(&it, 0, i);
  if (it.full) {
    free(it.nodes);
    return tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for the marks of %lld nodes",
                    (long long)it.n);
  }
  *nodes = it.nodes;
  *n = it.n;
  return TSR_OK;
}
