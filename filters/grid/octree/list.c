/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: the entries of the output of this process, and the sizes. */
#include "grid/octree/octree.h"

#include <stdlib.h>
#include <string.h>

tsr_octree_put tsr_octree_put_of(const tsr_octree_plan *plan) {
  const tsr_octree_put put = {.tree = plan->tree,
                              .space = plan->space,
                              .entries = plan->entries,
                              .out = plan->out,
                              .in = plan->in,
                              .source = plan->source,
                              .kind = (int)plan->grid.options.output};
  return put;
}

/* The part of n items that this process has. */
static int64_t share(const tsr_octree_plan *plan, int64_t n, int64_t *end) {
  const tsr_grid_options *o = &plan->grid.options;
  const int64_t rank = o->rank, ranks = o->n_ranks > 0 ? o->n_ranks : 1;
  *end = n / ranks * (rank + 1) + n % ranks * (rank + 1) / ranks;
  return n / ranks * rank + n % ranks * rank / ranks;
}

/* Leaves as cells: their parts and their points. */
static tsr_status list_cells(tsr_octree_plan *plan, tsr_error *error) {
  tsr_octree_entries *entries = &plan->entries;
  tsr_grid_sizes *sizes = &plan->sizes;
  const char *what = "the cells of the output";
  int64_t end;
  const int64_t begin = share(plan, entries->cells.n, &end);
  entries->cells.key += begin;
  entries->cells.height += begin;
  entries->cells.from += begin;
  entries->has = entries->has ? entries->has + begin : NULL;
  const int64_t n = entries->cells.n = end - begin;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &entries->cell, n + 1, sizeof *entries->cell, what, error));
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &entries->corner, n + 1, sizeof *entries->corner, what, error));
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &entries->centre, n + 1, sizeof *entries->centre, what, error));
  const tsr_octree_put put = tsr_octree_put_of(plan);
  TSR_OCTREE_TRY(TSR_EACH(&plan->executor, tsr_octree_count_parts, put, n, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, entries->cell, n, &sizes->cells, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, entries->corner, n, &sizes->connectivity, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, entries->centre, n, &plan->centres, error));
  plan->out.cells = entries->cells;
  plan->out.has = entries->has;
  TSR_OCTREE_TRY(tsr_octree_number_points(plan, &plan->out, 0, error));
  sizes->points = plan->out.points.n + plan->centres;
  return TSR_OK;
}

/* Allocates n entries that are nodes of trees or blocks. */
static tsr_status make_entries(tsr_octree_plan *plan, tsr_octree_out_job *job, int64_t n,
                               tsr_error *error) {
  const char *what = "the nodes of the output";
  tsr_octree_cells *to = &job->to;
  to->n = n;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &to->key, n, sizeof *to->key, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &to->height, n, 1, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &to->from, n, sizeof *to->from, what, error));
  return tsr_octree_alloc(plan, &job->state, n, 1, what, error);
}

static void take_entries(tsr_octree_plan *plan, const tsr_octree_out_job *job) {
  plan->entries = (tsr_octree_entries){.cells = job->to, .state = job->state};
  plan->sizes.cells = job->to.n;
}

/* Nodes of a height along an inner axis, with one that reaches beyond the domain. */
static int64_t nodes_along(const tsr_octree_shape *shape, int a, int height) {
  return a < shape->dimension ? (((int64_t)shape->finest[a] - 1) >> height) + 1 : 1;
}

/* The height of the roots of trees: the highest that has a node within the domain. */
static int tree_height(const tsr_octree_plan *plan) {
  const tsr_octree_shape *shape = &plan->tree.shape;
  int height = shape->levels;
  for (int a = 0; a < shape->dimension; ++a)
    while (height > plan->input.deepest && shape->finest[a] >> height == 0)
      --height;
  return height;
}

static tsr_status list_trees(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_octree_shape *shape = &plan->tree.shape;
  tsr_octree_out_job job = {.tree = plan->tree, .splits = plan->close.splits};
  tsr_executor *e = &plan->executor;
  const char *what = "the trees";
  int64_t trees = 1, total, last;
  job.height = tree_height(plan);
  for (int a = 0; a < 3; ++a) {
    job.roots[a] = (int32_t)nodes_along(shape, a, job.height);
    trees *= job.roots[a];
  }
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job.first, trees + 1, sizeof *job.first, what, error));
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &job.table, trees * (job.height + 1), sizeof *job.table, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_tree, job, trees, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job.first, trees, &total, error));
  job.begin = share(plan, trees, &job.end);
  TSR_OCTREE_TRY(e->read(e, &job.base, job.first + job.begin, sizeof job.base, error));
  TSR_OCTREE_TRY(e->read(e, &last, job.first + job.end, sizeof last, error));
  TSR_OCTREE_TRY(make_entries(plan, &job, last - job.base, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_put_root, job, job.end - job.begin, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_put_children, job, job.splits.n, error));
  plan->sizes.trees = job.end - job.begin;
  plan->sizes.tree_level = shape->levels - job.height;
  plan->tree_root = tsr_alloc(plan->sizes.trees, sizeof *plan->tree_root, "the trees", error);
  plan->tree_first = tsr_alloc(plan->sizes.trees + 1, sizeof *plan->tree_first, "the trees", error);
  if (!plan->tree_root || !plan->tree_first)
    return TSR_NO_MEMORY;
  TSR_OCTREE_TRY(e->read(e, plan->tree_first, job.first + job.begin,
                         (plan->sizes.trees + 1) * (int64_t)sizeof *plan->tree_first, error));
  for (int64_t k = 0; k <= plan->sizes.trees; ++k)
    plan->tree_first[k] -= job.base;
  for (int64_t k = 0; k < plan->sizes.trees; ++k) {
    int64_t t = job.begin + k;
    for (int a = 0; a < 3; ++a) {
      plan->tree_root[k][shape->axis[a]] = (int32_t)(t % job.roots[a]);
      t /= job.roots[a];
    }
  }
  take_entries(plan, &job);
  return TSR_OK;
}

/* Cuts a block off where the domain ends. Returns its cells. */
static int64_t cut_block(const tsr_octree_shape *shape, tsr_grid_patch *patch) {
  int64_t cells = 1;
  for (int a = 0; a < shape->dimension; ++a) {
    const int axis = shape->axis[a];
    const int64_t whole = shape->finest[a] >> (shape->levels - patch->level);
    patch->end[axis] = patch->end[axis] > whole ? (int32_t)whole : patch->end[axis];
    cells *= patch->end[axis] > patch->begin[axis] ? patch->end[axis] - patch->begin[axis] : 0;
  }
  return cells;
}

/* Lists the blocks of the first level behind the other ones: level 0, or the first level that has a
 * node of no more than the domain's cube. */
static int64_t add_first_blocks(const tsr_octree_shape *shape, int64_t size, tsr_grid_patch *to) {
  const int height = shape->levels < shape->top ? shape->levels : shape->top;
  int64_t blocks[3], n = 1;
  for (int a = 0; a < 3; ++a) {
    blocks[a] = (nodes_along(shape, a, height) + size - 1) / size;
    n *= blocks[a];
  }
  for (int64_t k = 0; to && k < n; ++k) {
    int64_t rest = k;
    to[k].level = shape->levels - height;
    to[k].first = 0;
    for (int a = 0; a < 3; ++a) {
      const int64_t at = rest % blocks[a];
      to[k].begin[shape->axis[a]] = (int32_t)(a < shape->dimension ? at * size : 0);
      to[k].end[shape->axis[a]] = (int32_t)(a < shape->dimension ? (at + 1) * size : 1);
      rest /= blocks[a];
    }
  }
  return n;
}

/* Puts this process's share of the blocks, coarse levels first, into the plan. Returns the cells.
 */
static int64_t choose_blocks(tsr_octree_plan *plan, tsr_grid_patch *all, int64_t n) {
  int64_t kept = 0, cells = 0, end;
  for (int level = 0; level <= plan->tree.shape.levels; ++level)
    for (int64_t k = 0; k < n; ++k)
      if (all[k].level == level && cut_block(&plan->tree.shape, &all[k]) > 0)
        plan->patches[kept++] = all[k];
  const int64_t begin = share(plan, kept, &end);
  plan->sizes.patches = end - begin;
  memmove(plan->patches, plan->patches + begin,
          (size_t)plan->sizes.patches * sizeof *plan->patches);
  for (int64_t k = 0; k < plan->sizes.patches; ++k) {
    plan->patches[k].first = cells;
    cells += cut_block(&plan->tree.shape, &plan->patches[k]);
  }
  return cells;
}

static tsr_status list_blocks(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_octree_shape *shape = &plan->tree.shape;
  const int64_t size = plan->grid.options.block_size;
  tsr_octree_out_job job = {
      .tree = plan->tree, .splits = plan->close.splits, .group = plan->close.group};
  tsr_executor *e = &plan->executor;
  const char *what = "the blocks";
  int64_t n;
  void *to;
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &job.before, job.splits.n + 1, sizeof *job.before, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_block, job, job.splits.n, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job.before, job.splits.n, &n, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job.patches, n, sizeof *job.patches, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_put_block, job, job.splits.n, error));
  const int64_t first = add_first_blocks(shape, size, NULL);
  tsr_grid_patch *all = tsr_alloc(n + first, sizeof *all, what, error);
  plan->patches = tsr_alloc(n + first, sizeof *plan->patches, what, error);
  tsr_status status = all && plan->patches ? TSR_OK : TSR_NO_MEMORY;
  if (status == TSR_OK)
    status = e->read(e, all, job.patches, n * (int64_t)sizeof *all, error);
  int64_t cells = 0;
  if (status == TSR_OK) {
    add_first_blocks(shape, size, all + n);
    cells = choose_blocks(plan, all, n + first);
  }
  free(all);
  TSR_OCTREE_TRY(status);
  const tsr_array mine = {plan->patches, TSR_INT64, (int)(sizeof *plan->patches / sizeof(int64_t)),
                          plan->sizes.patches};
  TSR_OCTREE_TRY(e->input(e, &mine, 1, 1, &to, error));
  job.patches = to;
  job.n_patches = plan->sizes.patches;
  TSR_OCTREE_TRY(make_entries(plan, &job, cells, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_put_block_node, job, cells, error));
  take_entries(plan, &job);
  return TSR_OK;
}

tsr_status tsr_octree_list(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_grid_output_kind kind = plan->grid.options.output;
  tsr_grid_sizes *sizes = &plan->sizes;
  tsr_octree_tally tally;
  sizes->all_leaves = plan->entries.cells.n;
  if (kind == TSR_GRID_TREES)
    TSR_OCTREE_TRY(list_trees(plan, error));
  else if (kind == TSR_GRID_PATCHES)
    TSR_OCTREE_TRY(list_blocks(plan, error));
  else
    TSR_OCTREE_TRY(list_cells(plan, error));
  tsr_octree_put put = tsr_octree_put_of(plan);
  for (; put.first_level <= TSR_GRID_MAX_LEVEL; put.first_level += TSR_OCTREE_COUNTED) {
    TSR_OCTREE_TRY(
        TSR_REDUCE(&plan->executor, tsr_octree_count, put, plan->entries.cells.n, &tally, error));
    for (int k = 0; k < TSR_OCTREE_COUNTED && put.first_level + k <= TSR_GRID_MAX_LEVEL; ++k)
      sizes->leaves_of_level[put.first_level + k] = tally.of_level[k];
  }
  sizes->leaves = tally.leaves;
  sizes->cut_leaves = kind == TSR_GRID_CONFORMING ? tally.cut : 0;
  return TSR_OK;
}
