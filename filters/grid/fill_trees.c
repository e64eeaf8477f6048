/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the fill of the arrays of trees. Sums over input cells are made once, in the leaves; the
 *  sums of a refined node are those of its children, so that levels above the leaves cost next to
 *  nothing. All leaves are summed up first, in parallel; then each tree is gone through backwards,
 *  as the children of a node come after it. */
#include "grid/fill.h"

#include <stdlib.h>

/* One component of an array. */
typedef struct tsr_tree_filler {
  const tsr_grid_filler *f;
  const tsr_grid_attribute *attribute;
  int number, component; /* of the attribute; in it */
  tsr_sums *sums;        /* of each node, over its visible cells */
} tsr_tree_filler;

static void store_value(const tsr_tree_filler *it, int64_t n, double value) {
  const tsr_array *in = &it->attribute->in;
  if (it->attribute->out)
    tsr_store(tsr_value_at(it->attribute->out, in->type, n * in->components + it->component),
              in->type, 1, &value, 1);
}

/* The mean by sums over visible cells; where they have none, as tsr_node_value finds it. */
static double mean_of(const tsr_tree_filler *it, int level, const int64_t i[3],
                      const tsr_sums *sums) {
  return tsr_sums_have_mean(sums)
             ? sums->value / sums->weight
             : tsr_node_value(&it->f->plan->input, &it->attribute->in, it->attribute->cell_data,
                              it->component, level, i);
}

/* Sums and value of a node that is a leaf or an input cell. Returns the error in it. */
static double fill_leaf(const tsr_tree_filler *it, int64_t n, int level, const int64_t i[3]) {
  const tsr_grid_plan *plan = it->f->plan;
  const tsr_grid_attribute *attribute = it->attribute;
  double extremes[2] = {TSR_INFINITY, -TSR_INFINITY}, value;
  if (level <= plan->input.lattice.coarsen)
    it->sums[n] = tsr_node_sums(&plan->input, &attribute->in, attribute->cell_data, it->component,
                                level, i, extremes);
  value = level < plan->input.lattice.coarsen
              ? mean_of(it, level, i, &it->sums[n])
              : tsr_node_value(&plan->input, &attribute->in, attribute->cell_data, it->component,
                               level, i);
  store_value(it, n, value);
  return attribute->error && plan->lists.states[n] == TSR_STATE_LEAF
             ? tsr_mean_error(&plan->input, &attribute->in, attribute->cell_data, it->component,
                              level, i, value, extremes)
             : 0.0;
}

static void leaves_task(void *data, int64_t begin, int64_t end) {
  const tsr_tree_filler *it = data;
  const tsr_grid_plan *plan = it->f->plan;
  double *most = &it->f->errors[begin / TSR_FILL_PIECE * it->f->out->n_attributes + it->number];
  for (int64_t n = begin; n < end; ++n) {
    const tsr_grid_node *node = &plan->lists.nodes[n];
    const int state = plan->lists.states[n];
    int64_t i[3];
    tsr_node_inner(&plan->input.lattice, node, i);
    if (state == TSR_STATE_OUTSIDE) {
      it->sums[n].value = it->sums[n].weight = 0.0;
      store_value(it, n, 0.0);
    } else if (state != TSR_STATE_COVERED || node->level >= plan->input.lattice.coarsen) {
      const double e = fill_leaf(it, n, node->level, i);
      *most = e > *most ? e : *most;
    }
  }
}

/* The nodes of trees that are refined, above the input cells. */
static void covered_task(void *data, int64_t begin, int64_t end) {
  const tsr_tree_filler *it = data;
  const tsr_grid_plan *plan = it->f->plan;
  const tsr_lattice *lattice = &plan->input.lattice;
  const int children = 1 << lattice->dimension;
  for (int64_t t = begin; t < end; ++t) {
    int64_t next = plan->lists.tree_first[t + 1]; /* children of nodes behind are from here on */
    for (int64_t n = next; n-- > plan->lists.tree_first[t];) {
      const tsr_grid_node *node = &plan->lists.nodes[n];
      int64_t i[3];
      if (plan->lists.states[n] != TSR_STATE_COVERED)
        continue;
      next -= children;
      if (node->level >= lattice->coarsen)
        continue;
      it->sums[n] = tsr_add_up(lattice->dimension, it->sums + next);
      tsr_node_inner(lattice, node, i);
      store_value(it, n, mean_of(it, node->level, i, &it->sums[n]));
    }
  }
}

static tsr_status fill_component(tsr_tree_filler *it, tsr_error *error) {
  const tsr_grid_plan *plan = it->f->plan;
  tsr_job job = {.execution = &plan->input.execution, .task = leaves_task, .data = it};
  tsr_status status;
  job.done_first = job.done_last = 0.5;
  job.n = plan->lists.n;
  status = tsr_job_run(&job, TSR_FILL_PIECE);
  if (status == TSR_OK) {
    job.task = covered_task;
    job.n = plan->lists.trees;
    status = tsr_job_run(&job, 4);
  }
  return status == TSR_OK ? TSR_OK
                          : tsr_fail(error, status, -1, "stopped while the cells were made");
}

tsr_status tsr_grid_fill_trees(const tsr_grid_filler *f, tsr_error *error) {
  tsr_tree_filler it = {.f = f};
  tsr_status status = TSR_OK;
  it.sums = tsr_alloc(f->plan->lists.n, sizeof *it.sums, "the sums of trees", error);
  if (!it.sums)
    return TSR_NO_MEMORY;
  for (int a = 0; a < f->out->n_attributes && status == TSR_OK; ++a) {
    it.attribute = &f->out->attributes[a];
    it.number = a;
    for (it.component = 0;
         it.component < it.attribute->in.components && status == TSR_OK && !f->found[a].done;
         ++it.component)
      status = fill_component(&it, error);
  }
  free(it.sums);
  return status;
}
