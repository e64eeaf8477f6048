/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: all cells of the tree, level by level. Only the CPU makes this output. */
#include "pointgrid/output/output.h"

#include <stdlib.h>
#include <string.h>

/** The leaves level by level, each level in Morton order; next: where each level begins. */
static int64_t *leaves_by_level(const tsr_pointgrid_leaves *leaves,
                                int64_t next[TSR_POINTGRID_MAX_LEVEL + 2], tsr_error *error) {
  int64_t *sorted = tsr_alloc(leaves->n, sizeof *sorted, "the cells of the tree", error);
  int64_t at[TSR_POINTGRID_MAX_LEVEL + 2];
  if (!sorted)
    return NULL;
  memset(next, 0, (TSR_POINTGRID_MAX_LEVEL + 2) * sizeof *next);
  for (int64_t i = 0; i < leaves->n; ++i)
    next[leaves->at[i].level]++;
  tsr_scan(next, TSR_POINTGRID_MAX_LEVEL + 1);
  memcpy(at, next, sizeof at);
  for (int64_t i = 0; i < leaves->n; ++i)
    sorted[at[leaves->at[i].level]++] = i;
  return sorted;
}

tsr_status tsr_pointgrid_walk_tree(const tsr_pointgrid_input *input,
                                   const tsr_pointgrid_leaves *leaves,
                                   const tsr_pointgrid_splits_of *splits_of,
                                   tsr_pointgrid_walk *walk, tsr_error *error) {
  const tsr_pointgrid_rule *rule = &input->rule;
  const int64_t children = (int64_t)1 << rule->dimension;
  int64_t next[TSR_POINTGRID_MAX_LEVEL + 2], cell = 0, of_level = 1;
  int64_t *sorted = leaves_by_level(leaves, next, error);
  walk->n = 1;
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
    walk->n += splits_of->of[level].n * children;
  walk->leaf_of = tsr_alloc(walk->n, sizeof *walk->leaf_of, "the cells of the tree", error);
  walk->level_of = tsr_alloc(walk->n, sizeof *walk->level_of, "the cells of the tree", error);
  if (!sorted || !walk->leaf_of || !walk->level_of) {
    free(sorted);
    return TSR_NO_MEMORY;
  }
  for (int level = 0; of_level > 0; ++level) {
    const tsr_pointgrid_level *splits = &splits_of->of[level];
    const uint64_t *above = level > 0 ? splits_of->of[level - 1].at : NULL;
    const int64_t below = cell + of_level;
    for (int64_t i = 0, split = 0; i < of_level; ++i, ++cell) {
      const uint64_t number =
          above ? (above[i / children] << rule->dimension) + (uint64_t)(i % children) : 0;
      walk->level_of[cell] = level;
      if (split < splits->n && splits->at[split] == number)
        walk->leaf_of[cell] = -1 - (below + children * split++);
      else
        walk->leaf_of[cell] =
            tsr_pointgrid_is_owned(rule, number << tsr_pointgrid_shift(rule->dimension, level),
                                   level)
                ? sorted[next[level]++]
                : INT64_MIN;
    }
    of_level = splits->n * children;
  }
  free(sorted);
  return TSR_OK;
}

void tsr_pointgrid_walk_free(tsr_pointgrid_walk *walk) {
  free(walk->leaf_of);
  free(walk->level_of);
}

/** What the task of fill_tree works on. */
typedef struct tree_work {
  const tsr_pointgrid_leaves *leaves;
  const tsr_pointgrid_walk *walk;
  const tsr_pointgrid_output *out;
  int64_t *count;
} tree_work;

/** Levels and states of cells, and the counts of leaves. */
static void fill_cells(void *data, int64_t begin, int64_t end) {
  const tree_work *work = data;
  for (int64_t cell = begin; cell < end; ++cell) {
    const int64_t leaf = work->walk->leaf_of[cell];
    work->count[cell] = leaf >= 0 ? work->leaves->at[leaf].count : 0;
    if (work->out->level)
      work->out->level[cell] = work->walk->level_of[cell];
    if (work->out->state)
      work->out->state[cell] = (uint8_t)(leaf >= 0           ? TSR_POINTGRID_LEAF
                                         : leaf == INT64_MIN ? TSR_POINTGRID_FOREIGN
                                                             : TSR_POINTGRID_SPLIT);
  }
}

tsr_status tsr_pointgrid_fill_tree(const tsr_pointgrid_input *input,
                                   const tsr_pointgrid_leaves *leaves,
                                   const tsr_pointgrid_walk *walk, const tsr_pointgrid_output *out,
                                   tsr_error *error) {
  const int64_t children = (int64_t)1 << input->cube.dimension;
  int64_t *own = out->count ? NULL : tsr_alloc(walk->n, sizeof *own, "the counts of cells", error);
  tree_work work = {leaves, walk, out, out->count ? out->count : own};
  if (!work.count)
    return TSR_NO_MEMORY;
  const tsr_status status =
      tsr_pointgrid_run(input, fill_cells, &work, walk->n, 16384, 0.55, 0.6, error);
  /* From the last cell up: the children of a split cell come after it. */
  for (int64_t cell = walk->n; status == TSR_OK && cell-- > 0;)
    if (walk->leaf_of[cell] < 0 && walk->leaf_of[cell] != INT64_MIN)
      for (int64_t child = 0; child < children; ++child)
        work.count[cell] += work.count[-1 - walk->leaf_of[cell] + child];
  for (int64_t cell = 0; status == TSR_OK && cell < walk->n && out->density; ++cell)
    out->density[cell] =
        tsr_pointgrid_density(&input->cube, work.count[cell], walk->level_of[cell]);
  free(own);
  return status;
}
