/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the leaves, counted and listed in their order. */
#include "grid/plan.h"

#include <stdlib.h>
#include <string.h>

#define TSR_UNIT_LEVELS 3 /* levels of input cells that a unit holds */

typedef struct tsr_leaf_work {
  tsr_grid_plan *plan;
  int list; /* 0: count only */
  _Atomic int64_t of_level[TSR_GRID_MAX_LEVEL + 1];
} tsr_leaf_work;

/* The walk through one unit. */
typedef struct tsr_leaf_walk {
  const tsr_grid_plan *plan;
  tsr_grid_node *nodes; /* where the next one goes; NULL: count only */
  int64_t n;
  int64_t of_level[TSR_GRID_MAX_LEVEL + 1];
} tsr_leaf_walk;

static void tsr_walk_leaf(tsr_leaf_walk *walk, int level, const int64_t i[3]) {
  if (tsr_node_hidden(walk->plan, level, i))
    return;
  if (walk->nodes)
    walk->nodes[walk->n] = tsr_node_outer(&walk->plan->lattice, level, i);
  ++walk->n;
  ++walk->of_level[level];
}

/* The leaves of a node, children in their order. */
static void tsr_walk_node(tsr_leaf_walk *walk, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &walk->plan->lattice;
  if (!tsr_tree_get(&walk->plan->tree, lattice, level, i)) {
    tsr_walk_leaf(walk, level, i);
    return;
  }
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t child[3];
    if (tsr_node_child(lattice, level, i, k, child))
      tsr_walk_node(walk, level + 1, child);
  }
}

/* The leaves of a unit: those within it, or a coarser one whose first corner it holds. */
static void tsr_walk_unit(tsr_leaf_walk *walk, int64_t unit) {
  const tsr_grid_units *units = &walk->plan->units;
  const tsr_lattice *lattice = &walk->plan->lattice;
  const int64_t u[3] = {units->begin[0] + unit % units->size[0],
                        units->begin[1] + unit / units->size[0] % units->size[1],
                        units->begin[2] + unit / units->size[0] / units->size[1]};
  for (int level = 0; level < units->level; ++level) {
    int64_t i[3];
    int first = 1;
    for (int a = 0; a < 3; ++a) {
      i[a] = tsr_shift(lattice, a, u[a], units->level - level);
      first = first && tsr_shift(lattice, a, i[a], level - units->level) == u[a];
    }
    if (tsr_tree_get(&walk->plan->tree, lattice, level, i))
      continue;
    if (first)
      tsr_walk_leaf(walk, level, i);
    return;
  }
  tsr_walk_node(walk, units->level, u);
}

static void tsr_leaf_task(void *data, int64_t begin, int64_t end) {
  tsr_leaf_work *work = data;
  tsr_grid_plan *plan = work->plan;
  tsr_leaf_walk walk = {.plan = plan};
  for (int64_t u = begin; u < end; ++u) {
    walk.n = 0;
    walk.nodes = work->list ? plan->nodes + plan->units.first[u] : NULL;
    tsr_walk_unit(&walk, u);
    if (!work->list)
      plan->units.first[u] = walk.n;
  }
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL && !work->list; ++level)
    atomic_fetch_add(&work->of_level[level], walk.of_level[level]);
}

static int64_t tsr_units_count(const tsr_grid_units *units) {
  return units->size[0] * units->size[1] * units->size[2];
}

static tsr_status tsr_leaf_run(tsr_leaf_work *work, tsr_error *error) {
  tsr_job job = {.execution = &work->plan->execution, .task = tsr_leaf_task, .data = work};
  tsr_status status;
  job.n = tsr_units_count(&work->plan->units);
  job.done_first = job.done_last = 0.5;
  status = tsr_job_run(&job, 256);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the cells were counted");
  return TSR_OK;
}

tsr_status tsr_grid_count_leaves(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_lattice *lattice = &plan->lattice;
  tsr_grid_units *units = &plan->units;
  tsr_leaf_work work = {.plan = plan};
  tsr_status status;
  units->level = lattice->coarsen > TSR_UNIT_LEVELS ? lattice->coarsen - TSR_UNIT_LEVELS : 0;
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_level_range(lattice, a, units->level, lattice->owned[a], range);
    units->begin[a] = range[0];
    units->size[a] = range[1] - range[0];
  }
  if (!units->first)
    units->first =
        tsr_alloc(tsr_units_count(units) + 1, sizeof(int64_t), "the parts of the grid", error);
  if (!units->first)
    return TSR_NO_MEMORY;
  status = tsr_leaf_run(&work, error);
  if (status != TSR_OK)
    return status;
  plan->sizes.leaves = tsr_scan(units->first, tsr_units_count(units));
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level)
    plan->sizes.leaves_of_level[level] = work.of_level[level];
  return TSR_OK;
}

tsr_status tsr_grid_list_leaves(tsr_grid_plan *plan, tsr_error *error) {
  tsr_leaf_work work = {.plan = plan, .list = 1};
  plan->sizes.cells = plan->sizes.leaves;
  plan->nodes = tsr_alloc(plan->sizes.cells, sizeof *plan->nodes, "the cells", error);
  if (!plan->nodes)
    return TSR_NO_MEMORY;
  return tsr_leaf_run(&work, error);
}
