/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the owned roots as trees, breadth first. */
#include "grid/plan.h"

#include <stdlib.h>

static void tsr_tree_root(const tsr_lattice *lattice, int64_t t, int64_t i[3]) {
  for (int a = 0; a < 3; ++a) {
    const int64_t n = lattice->owned[a][1] - lattice->owned[a][0];
    i[a] = lattice->owned[a][0] + t % n;
    t /= n;
  }
}

/* Refined nodes of a subtree. */
static int64_t tsr_tree_refined(const tsr_grid_plan *plan, int level, const int64_t i[3]) {
  int64_t n = 1;
  if (!tsr_tree_get(&plan->tree, &plan->lattice, level, i))
    return 0;
  for (unsigned k = 0; k < (1u << plan->lattice.dimension); ++k) {
    int64_t child[3];
    (void)tsr_node_child(&plan->lattice, level, i, k, child);
    n += tsr_tree_refined(plan, level + 1, child);
  }
  return n;
}

static void tsr_count_trees_task(void *data, int64_t begin, int64_t end) {
  tsr_grid_plan *plan = data;
  for (int64_t t = begin; t < end; ++t) {
    int64_t i[3];
    tsr_tree_root(&plan->lattice, t, i);
    plan->tree_first[t] =
        1 + tsr_tree_refined(plan, 0, i) * ((int64_t)1 << plan->lattice.dimension);
  }
}

static tsr_grid_state tsr_tree_state(const tsr_grid_plan *plan, int level, const int64_t i[3]) {
  for (int a = 0; a < 3; ++a)
    if (i[a] >= tsr_level_nodes(&plan->lattice, a, level))
      return TSR_STATE_OUTSIDE;
  if (tsr_tree_get(&plan->tree, &plan->lattice, level, i))
    return TSR_STATE_COVERED;
  return tsr_node_hidden(plan, level, i) ? TSR_STATE_HIDDEN : TSR_STATE_LEAF;
}

/* The nodes of a tree are their own queue: each refined one appends its children. */
static void tsr_list_trees_task(void *data, int64_t begin, int64_t end) {
  tsr_grid_plan *plan = data;
  const tsr_lattice *lattice = &plan->lattice;
  for (int64_t t = begin; t < end; ++t) {
    int64_t i[3], next = plan->tree_first[t];
    tsr_tree_root(lattice, t, i);
    plan->nodes[next++] = tsr_node_outer(lattice, 0, i);
    for (int64_t n = plan->tree_first[t]; n < next; ++n) {
      const int level = plan->nodes[n].level;
      tsr_node_inner(lattice, &plan->nodes[n], i);
      plan->states[n] = (uint8_t)tsr_tree_state(plan, level, i);
      for (unsigned k = 0; plan->states[n] == TSR_STATE_COVERED && k < (1u << lattice->dimension);
           ++k) {
        int64_t child[3];
        (void)tsr_node_child(lattice, level, i, k, child);
        plan->nodes[next++] = tsr_node_outer(lattice, level + 1, child);
      }
    }
  }
}

tsr_status tsr_grid_list_trees(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_lattice *lattice = &plan->lattice;
  tsr_job job = {.execution = &plan->execution, .task = tsr_count_trees_task, .data = plan};
  tsr_status status;
  job.n = 1;
  for (int a = 0; a < 3; ++a)
    job.n *= lattice->owned[a][1] - lattice->owned[a][0];
  plan->sizes.trees = job.n;
  plan->tree_first = tsr_alloc(job.n + 1, sizeof(int64_t), "the trees", error);
  if (!plan->tree_first)
    return TSR_NO_MEMORY;
  job.done_first = job.done_last = 0.5;
  status = tsr_job_run(&job, 16);
  if (status == TSR_OK) {
    plan->sizes.cells = tsr_scan(plan->tree_first, job.n);
    plan->nodes = tsr_alloc(plan->sizes.cells, sizeof *plan->nodes, "the nodes of trees", error);
    plan->states = tsr_alloc(plan->sizes.cells, 1, "the nodes of trees", error);
    if (!plan->nodes || !plan->states)
      return TSR_NO_MEMORY;
    job.task = tsr_list_trees_task;
    status = tsr_job_run(&job, 16);
  }
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the trees were made");
  return TSR_OK;
}
