/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the owned roots as trees, breadth first. Levels whose nodes all reach beyond the box have
 * no leaves: trees begin below them, so that they reach no further beyond it than they must.
 * options.base_levels lets them begin above the coarsest leaves. */
#include "grid/output/output.h"
#include "grid/output/patch_math.h"

#include <stdlib.h>

typedef struct tsr_tree_work {
  const tsr_grid_input *input;
  const tsr_tree *tree;
  tsr_grid_lists *lists;
} tsr_tree_work;

/* Owned nodes along an axis that trees begin with. */
static void root_range(const tsr_tree_work *work, int axis, int64_t range[2]) {
  const tsr_lattice *lattice = &work->input->lattice;
  tsr_level_range(lattice, axis, work->lists->tree_level, lattice->owned[axis], range);
}

static void root_of(const tsr_tree_work *work, int64_t t, int64_t i[3]) {
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    root_range(work, a, range);
    i[a] = range[0] + t % (range[1] - range[0]);
    t /= range[1] - range[0];
  }
}

/* Refined nodes of a subtree. */
static int64_t refined_below(const tsr_tree *tree, const tsr_lattice *lattice, int level,
                             const int64_t i[3]) {
  int64_t n = 1;
  if (!tsr_tree_get(tree, lattice, level, i))
    return 0;
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t child[3];
    (void)tsr_node_child(lattice, level, i, k, child);
    n += refined_below(tree, lattice, level + 1, child);
  }
  return n;
}

static void count_trees_task(void *data, int64_t begin, int64_t end) {
  const tsr_tree_work *work = data;
  const tsr_lattice *lattice = &work->input->lattice;
  for (int64_t t = begin; t < end; ++t) {
    int64_t i[3];
    root_of(work, t, i);
    work->lists->tree_first[t] =
        1 + refined_below(work->tree, lattice, work->lists->tree_level, i) *
                ((int64_t)1 << lattice->dimension);
  }
}

/* The nodes of a tree are their own queue: each refined one appends its children. */
static void list_trees_task(void *data, int64_t begin, int64_t end) {
  const tsr_tree_work *work = data;
  tsr_grid_lists *lists = work->lists;
  const tsr_lattice *lattice = &work->input->lattice;
  for (int64_t t = begin; t < end; ++t) {
    int64_t i[3], next = lists->tree_first[t];
    root_of(work, t, i);
    lists->nodes[next++] = tsr_node_outer(lattice, lists->tree_level, i);
    for (int64_t n = lists->tree_first[t]; n < next; ++n) {
      const int level = lists->nodes[n].level;
      tsr_node_inner(lattice, &lists->nodes[n], i);
      lists->states[n] =
          (uint8_t)tsr_node_state(lattice, work->tree, work->input->hidden, level, i);
      if (lists->states[n] != TSR_STATE_COVERED)
        continue;
      for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
        int64_t child[3];
        (void)tsr_node_child(lattice, level, i, k, child);
        lists->nodes[next++] = tsr_node_outer(lattice, level + 1, child);
      }
    }
  }
}

tsr_status tsr_list_trees(const tsr_grid_input *input, const tsr_tree *tree, tsr_grid_lists *lists,
                          tsr_error *error) {
  tsr_tree_work work = {input, tree, lists};
  tsr_job job = {.execution = &input->execution, .task = count_trees_task, .data = &work};
  tsr_status status;
  lists->tree_level = tsr_first_tree_level(&input->lattice);
  job.n = 1;
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    root_range(&work, a, range);
    job.n *= range[1] - range[0];
  }
  lists->trees = job.n;
  lists->tree_first = tsr_alloc(job.n + 1, sizeof(int64_t), "the trees", error);
  if (!lists->tree_first)
    return TSR_NO_MEMORY;
  job.done_first = job.done_last = 0.5;
  status = tsr_job_run(&job, 16);
  if (status == TSR_OK) {
    lists->n = tsr_scan(lists->tree_first, job.n);
    lists->nodes = tsr_alloc(lists->n, sizeof *lists->nodes, "the nodes of trees", error);
    lists->states = tsr_alloc(lists->n, 1, "the nodes of trees", error);
    if (!lists->nodes || !lists->states)
      return TSR_NO_MEMORY;
    job.task = list_trees_task;
    status = tsr_job_run(&job, 16);
  }
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the trees were made");
  return TSR_OK;
}
