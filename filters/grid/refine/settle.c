/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: nodes that buffer and balance brought about, looked at again. A child may be further from
 * the input than its parent was, so the interpolation error is measured in those leaves, too, until
 * none is left that asks for more.
 */
#include "grid/plan.h"

#include <stdlib.h>
#include <string.h>

/* One round. */
typedef struct tsr_settle {
  tsr_grid_plan *plan;
  tsr_tree decided; /* what criteria refined, and above it; plan->tree has buffer and balance */
  tsr_tree next;    /* the same, with what this round adds */
  const tsr_rule *rules;
  _Atomic int64_t changes;
} tsr_settle;

/* A copy of a tree, with its own memory. */
static tsr_status tsr_settle_copy(tsr_tree *copy, const tsr_grid_plan *plan, tsr_error *error) {
  const tsr_tree *tree = &plan->tree;
  tsr_status status = tsr_tree_create(copy, &plan->lattice, error);
  for (int level = 0; status == TSR_OK && level <= TSR_GRID_MAX_LEVEL; ++level)
    if (tree->dense[level])
      memcpy(copy->dense[level], tree->dense[level],
             (size_t)(tree->size[level][0] * tree->size[level][1] * tree->size[level][2]));
  if (status != TSR_OK || !tree->bricks)
    return status;
  status = tsr_bits_create(&copy->has_brick, 64 * (tree->has_brick.words - 1),
                           "the refined input cells", error);
  if (status != TSR_OK)
    return status;
  memcpy(copy->has_brick.word, tree->has_brick.word,
         (size_t)tree->has_brick.words * sizeof *tree->has_brick.word);
  status = tsr_tree_make_bricks(copy, &plan->lattice, error);
  if (status == TSR_OK && copy->n_bricks > 0)
    memcpy(copy->bricks, tree->bricks, (size_t)(tree->n_bricks * tree->brick_bytes));
  return status;
}

/* 1 if a leaf asks to be refined. */
static int tsr_settle_asks(const tsr_settle *it, int level, const int64_t i[3]) {
  return level < tsr_grid_limit(it->plan, level, i) &&
         tsr_grid_error_asks(it->plan, it->rules, level, i);
}

/* Adds a node and those above it to what criteria refined. */
static void tsr_settle_add(tsr_settle *it, int level, const int64_t i[3]) {
  for (int up = level; up >= 0; --up) {
    int64_t node[3];
    for (int a = 0; a < 3; ++a)
      node[a] = tsr_shift(&it->plan->lattice, a, i[a], level - up);
    tsr_tree_set(&it->next, &it->plan->lattice, up, node);
  }
  atomic_fetch_add(&it->changes, 1);
}

/* Refines a leaf that asks for it, and below it. */
static void tsr_settle_descend(tsr_settle *it, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &it->plan->lattice;
  if (!tsr_settle_asks(it, level, i))
    return;
  tsr_settle_add(it, level, i);
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t child[3];
    if (tsr_node_child(lattice, level, i, k, child))
      tsr_settle_descend(it, level + 1, child);
  }
}

static int tsr_settle_owned(const tsr_lattice *lattice, int level, const int64_t i[3]) {
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_level_range(lattice, a, level, lattice->owned[a], range);
    if (i[a] < range[0] || i[a] >= range[1])
      return 0;
  }
  return 1;
}

/* Refined nodes of `level`: the children of those that no criterion refined were never looked at.
 */
static void tsr_settle_visit(void *data, int level, const int64_t parent[3], unsigned refined) {
  tsr_settle *it = data;
  const tsr_lattice *lattice = &it->plan->lattice;
  for (unsigned k = 0; k < 64; ++k) { /* child k / 8 of the parent, and its child k % 8 */
    int64_t node[3], i[3];
    for (int a = 0; a < 3; ++a) {
      node[a] = a < lattice->dimension ? 2 * parent[a] + ((k >> (3 + a)) & 1) : 0;
      i[a] = a < lattice->dimension ? 2 * node[a] + ((k >> a) & 1) : 0;
    }
    if (!((refined >> (k / 8)) & 1) || (k % 8) >> lattice->dimension ||
        tsr_tree_get(&it->decided, lattice, level, node) ||
        !tsr_settle_owned(lattice, level + 1, i) ||
        tsr_tree_get(&it->plan->tree, lattice, level + 1, i))
      continue;
    tsr_settle_descend(it, level + 1, i);
  }
}

/* Closes the tree; returns in *changes how many leaves, in all processes, ask for more. Then
 * the tree is what criteria refined, with those. */
static tsr_status tsr_settle_round(tsr_settle *it, int64_t *changes, tsr_error *error) {
  tsr_grid_plan *plan = it->plan;
  tsr_status status;
  memset(&it->decided, 0, sizeof it->decided);
  memset(&it->next, 0, sizeof it->next);
  atomic_store(&it->changes, 0);
  status = tsr_settle_copy(&it->decided, plan, error);
  if (status == TSR_OK)
    status = tsr_settle_copy(&it->next, plan, error);
  if (status == TSR_OK)
    status = tsr_grid_close(plan, error);
  for (int level = 0; level + 1 < plan->lattice.coarsen && status == TSR_OK; ++level)
    status = tsr_tree_visit(plan, &plan->tree, level, tsr_settle_visit, it);
  if (status == TSR_ABORTED)
    tsr_fail(error, status, -1, "stopped while the grid was balanced");
  status = tsr_grid_agree(plan, status, error);
  *changes = atomic_load(&it->changes);
  if (status == TSR_OK)
    status = tsr_grid_sum(plan, changes, error);
  if (status == TSR_OK && *changes > 0) {
    tsr_tree_free(&plan->tree);
    plan->tree = it->next;
  } else {
    tsr_tree_free(&it->next);
  }
  tsr_tree_free(&it->decided);
  return status;
}

tsr_status tsr_grid_settle(tsr_grid_plan *plan, tsr_error *error) {
  tsr_settle it = {.plan = plan};
  tsr_rule *rules;
  int64_t changes = 1;
  int needed = 0;
  tsr_status status;
  for (int r = 0; r < plan->n_rules; ++r)
    needed = needed || plan->rules[r].measure == TSR_MEASURE_INTERPOLATION_ERROR;
  if (!needed || plan->options.mode != TSR_GRID_ADAPTIVE) {
    status = tsr_grid_exchange(plan, error);
    return status == TSR_OK ? tsr_grid_agree(plan, tsr_grid_close(plan, error), error) : status;
  }
  rules = tsr_grid_rules_in_force(plan, error);
  it.rules = rules;
  status = tsr_grid_agree(plan, rules ? TSR_OK : TSR_NO_MEMORY, error);
  while (status == TSR_OK && changes > 0) {
    status = tsr_grid_exchange(plan, error);
    if (status == TSR_OK)
      status = tsr_settle_round(&it, &changes, error);
  }
  free(rules);
  return status;
}
