/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the leaves, counted and listed in their order. */
#include "grid/output/output.h"
#include "grid/output/unit_math.h"

#include <stdlib.h>
#include <string.h>

typedef struct tsr_leaf_work {
  const tsr_grid_input *input;
  const tsr_tree *tree;
  const tsr_grid_leaves *leaves;
  tsr_grid_node *nodes; /* NULL: count only */
  int cuts;             /* 1: count the cells that leaves are cut into, and nothing else */
  _Atomic int64_t cells;
  _Atomic int64_t of_level[TSR_GRID_MAX_LEVEL + 1];
} tsr_leaf_work;

/* The walk through one unit. */
typedef struct tsr_leaf_walk {
  const tsr_leaf_work *work;
  tsr_grid_node *nodes; /* where the next one goes; NULL: count only */
  int64_t n;
  tsr_grid_parts parts;
  int64_t of_level[TSR_GRID_MAX_LEVEL + 1];
} tsr_leaf_walk;

static void walk_leaf(tsr_leaf_walk *walk, int level, const int64_t i[3]) {
  if (tsr_node_hidden(walk->work->input, level, i))
    return;
  if (walk->work->cuts) {
    (void)tsr_leaf_cut(walk->work->input, walk->work->tree, level, i, &walk->parts);
    return;
  }
  if (walk->nodes)
    walk->nodes[walk->n] = tsr_node_outer(&walk->work->input->lattice, level, i);
  ++walk->n;
  ++walk->of_level[level];
}

/* The leaves of a refined node, children in their order. */
static void walk_below(tsr_leaf_walk *walk, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &walk->work->input->lattice;
  int64_t child[3];
  (void)tsr_node_child(lattice, level, i, 0, child);
  const uint8_t *byte = tsr_tree_byte(walk->work->tree, lattice, level + 1, child);
  const unsigned refined = byte ? *byte : 0;
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k)
    if (!tsr_node_child(lattice, level, i, k, child))
      continue;
    else if ((refined >> k) & 1)
      walk_below(walk, level + 1, child);
    else
      walk_leaf(walk, level + 1, child);
}

/* The leaves of a unit: those within it, or a coarser one whose first corner it holds. */
static void walk_unit(tsr_leaf_walk *walk, int64_t unit) {
  const tsr_grid_leaves *units = walk->work->leaves;
  const tsr_lattice *lattice = &walk->work->input->lattice;
  const int64_t u[3] = {units->begin[0] + unit % units->size[0],
                        units->begin[1] + unit / units->size[0] % units->size[1],
                        units->begin[2] + unit / units->size[0] / units->size[1]};
  for (int level = 0; level < units->unit_level; ++level) {
    int64_t i[3];
    int first = 1;
    for (int a = 0; a < 3; ++a) {
      i[a] = tsr_shift(lattice, a, u[a], units->unit_level - level);
      first = first && tsr_shift(lattice, a, i[a], level - units->unit_level) == u[a];
    }
    if (tsr_tree_get(walk->work->tree, lattice, level, i))
      continue;
    if (first)
      walk_leaf(walk, level, i);
    return;
  }
  if (tsr_tree_get(walk->work->tree, lattice, units->unit_level, u))
    walk_below(walk, units->unit_level, u);
  else
    walk_leaf(walk, units->unit_level, u);
}

static void leaf_task(void *data, int64_t begin, int64_t end) {
  tsr_leaf_work *work = data;
  const int counts = !work->nodes && !work->cuts;
  tsr_leaf_walk walk = {.work = work};
  for (int64_t u = begin; u < end; ++u) {
    walk.n = 0;
    walk.nodes = work->nodes ? work->nodes + work->leaves->first[u] : NULL;
    walk_unit(&walk, u);
    if (counts)
      work->leaves->first[u] = walk.n;
  }
  atomic_fetch_add(&work->cells, walk.parts.cells);
  for (int level = 0; counts && level <= TSR_GRID_MAX_LEVEL; ++level)
    atomic_fetch_add(&work->of_level[level], walk.of_level[level]);
}

static int64_t unit_count(const tsr_grid_leaves *leaves) {
  return leaves->size[0] * leaves->size[1] * leaves->size[2];
}

static tsr_status run(tsr_leaf_work *work, tsr_error *error) {
  const tsr_status status = tsr_run_task(&work->input->execution, leaf_task, work,
                                         unit_count(work->leaves), 64, 0.5, 0.5);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the cells were counted");
  return TSR_OK;
}

tsr_status tsr_leaves_count(const tsr_grid_input *input, const tsr_tree *tree,
                            tsr_grid_leaves *leaves, tsr_error *error) {
  const tsr_lattice *lattice = &input->lattice;
  tsr_leaf_work work = {.input = input, .tree = tree, .leaves = leaves};
  tsr_status status;
  leaves->unit_level = tsr_unit_level(lattice);
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_level_range(lattice, a, leaves->unit_level, lattice->owned[a], range);
    leaves->begin[a] = range[0];
    leaves->size[a] = range[1] - range[0];
  }
  if (!leaves->first)
    leaves->first =
        tsr_alloc(unit_count(leaves) + 1, sizeof(int64_t), "the parts of the grid", error);
  if (!leaves->first)
    return TSR_NO_MEMORY;
  status = run(&work, error);
  if (status != TSR_OK)
    return status;
  leaves->n = tsr_scan(leaves->first, unit_count(leaves));
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level)
    leaves->of_level[level] = work.of_level[level];
  return TSR_OK;
}

tsr_status tsr_leaves_count_parts(const tsr_grid_input *input, const tsr_tree *tree,
                                  const tsr_grid_leaves *leaves, int64_t *cells, tsr_error *error) {
  tsr_leaf_work work = {.input = input, .tree = tree, .leaves = leaves, .cuts = 1};
  const tsr_status status = run(&work, error);
  *cells = work.cells;
  return status;
}

tsr_status tsr_list_leaves(const tsr_grid_input *input, const tsr_tree *tree,
                           const tsr_grid_leaves *leaves, tsr_grid_lists *lists, tsr_error *error) {
  tsr_leaf_work work = {.input = input, .tree = tree, .leaves = leaves};
  lists->n = leaves->n;
  lists->nodes = work.nodes = tsr_alloc(lists->n, sizeof *lists->nodes, "the cells", error);
  return lists->nodes ? run(&work, error) : TSR_NO_MEMORY;
}

void tsr_lists_free(tsr_grid_lists *lists) {
  free(lists->nodes);
  free(lists->states);
  free(lists->tree_first);
  free(lists->patches);
  memset(lists, 0, sizeof *lists);
}
