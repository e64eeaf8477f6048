/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: all cells of the tree, level by level. */
#include "pointgrid/plan.h"

#include <stdlib.h>
#include <string.h>

/** The leaves level by level, each level in Morton order; next: where each level begins. */
static int64_t *leaves_by_level(const tsr_pointgrid_plan *plan,
                                int64_t next[TSR_POINTGRID_MAX_LEVEL + 2], tsr_error *error) {
  int64_t *sorted = tsr_alloc(plan->leaves.n, sizeof *sorted, "the cells of the tree", error);
  int64_t at[TSR_POINTGRID_MAX_LEVEL + 2];
  if (!sorted)
    return NULL;
  memcpy(next, plan->sizes.leaves_of_level, sizeof plan->sizes.leaves_of_level);
  tsr_scan(next, TSR_POINTGRID_MAX_LEVEL + 1);
  memcpy(at, next, sizeof at);
  for (int64_t i = 0; i < plan->leaves.n; ++i)
    sorted[at[plan->leaves.at[i].level]++] = i;
  return sorted;
}

tsr_status tsr_pointgrid_walk(const tsr_pointgrid_plan *plan, int64_t **cell_leaf,
                              int32_t **level_of, tsr_error *error) {
  const tsr_pointgrid_rule *rule = &plan->rule;
  const int64_t children = (int64_t)1 << rule->dimension, cells = plan->sizes.cells;
  int64_t next[TSR_POINTGRID_MAX_LEVEL + 2], cell = 0, of_level = 1;
  int64_t *sorted = leaves_by_level(plan, next, error);
  int64_t *found = tsr_alloc(cells, sizeof *found, "the cells of the tree", error);
  int32_t *levels = tsr_alloc(cells, sizeof *levels, "the cells of the tree", error);
  *cell_leaf = found;
  *level_of = levels;
  if (!sorted || !found || !levels) {
    free(sorted);
    return TSR_NO_MEMORY;
  }
  for (int level = 0; of_level > 0 && cells > 0; ++level) {
    const tsr_pointgrid_level *splits = &plan->tree.of[level];
    const uint64_t *above = level > 0 ? plan->tree.of[level - 1].at : NULL;
    const int64_t below = cell + of_level;
    for (int64_t i = 0, split = 0; i < of_level; ++i, ++cell) {
      const uint64_t number =
          above ? (above[i / children] << rule->dimension) + (uint64_t)(i % children) : 0;
      levels[cell] = level;
      if (split < splits->n && splits->at[split] == number)
        found[cell] = -1 - (below + children * split++);
      else
        found[cell] = tsr_pointgrid_is_owned(
                          rule, number << tsr_pointgrid_shift(rule->dimension, level), level)
                          ? sorted[next[level]++]
                          : INT64_MIN;
    }
    of_level = splits->n * children;
  }
  free(sorted);
  return TSR_OK;
}
