/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the octree. */
#include "mesh/mesh.h"

#include <string.h>

/* The nodes above those that were asked for, and `more` words, each once. roots: 1: roots alone. */
static tsr_status find_above(tsr_mesh_plan *plan, int roots, uint64_t **found, int64_t *n,
                             tsr_error *error) {
  tsr_mesh_above_job job = {.mesh = plan->mesh, .asked = plan->nodes, .roots = roots};
  const int bits = plan->mesh.dimension * plan->mesh.bits + 1;
  const int64_t more = roots ? 0 : plan->n_more;
  tsr_executor *e = &plan->executor;
  const char *what = "the nodes of the octree";
  uint64_t *words[2] = {NULL, NULL};
  int64_t above;
  TSR_MESH_TRY(
      tsr_mesh_alloc(plan, &job.before, plan->n_nodes + 1, sizeof *job.before, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_count_above, job, plan->n_nodes, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, job.before, plan->n_nodes, &above, error));
  for (int k = 0; k < 2; ++k)
    TSR_MESH_TRY(tsr_mesh_alloc(plan, &words[k], above + more, sizeof *words[k], what, error));
  uint64_t *owned[2] = {words[0], words[1]};
  job.words = words[0];
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_put_above, job, plan->n_nodes, error));
  tsr_mesh_copy_job copy = {plan->more, words[0] + above};
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_copy, copy, more, error));
  if (above + more > 0)
    TSR_MESH_TRY(e->sort_words(e, words, above + more, 0, bits, error));
  *found = words[0];
  *n = above + more;
  TSR_MESH_TRY(tsr_mesh_keep_unique(plan, found, n, error));
  tsr_mesh_release(plan, &job.before);
  tsr_mesh_release(plan, &owned[0]);
  tsr_mesh_release(plan, &owned[1]);
  return TSR_OK;
}

static tsr_status check_leaves(const tsr_mesh_plan *plan, tsr_error *error) {
  const int64_t limit = plan->options.limit_cells, n = plan->tree.n;
  const int64_t homes = plan->tree.n_roots + plan->tree.n_splits;
  if (limit > 0 && n > limit)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the octree of the mesh has %lld cells, above the limit of %lld; set a larger "
                    "size of the finest cells",
                    (long long)n, (long long)limit);
  if (n > INT32_MAX || homes > INT32_MAX)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the octree of the mesh has %lld cells, and at most 2^31 are possible: set a "
                    "larger size of the finest cells",
                    (long long)n);
  return TSR_OK;
}

static tsr_status list_leaves(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_tree *tree = &plan->tree;
  tsr_executor *e = &plan->executor;
  const char *what = "the leaves of the octree";
  const int64_t homes = tree->n_roots + tree->n_splits;
  TSR_MESH_TRY(
      tsr_mesh_alloc(plan, &tree->root_split, tree->n_roots, sizeof(int64_t), what, error));
  TSR_MESH_TRY(
      tsr_mesh_alloc(plan, &tree->first_child, tree->n_splits, sizeof(int64_t), what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &tree->split_children, tree->n_splits, 1, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &tree->first, homes + 1, sizeof(int64_t), what, error));
  tsr_mesh_tree_job job = {plan->mesh, *tree};
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_link_root, job, tree->n_roots, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_link_split, job, tree->n_splits, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, tree->first, homes, &tree->n, error));
  TSR_MESH_TRY(check_leaves(plan, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &tree->leaf, tree->n, sizeof *tree->leaf, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &tree->home, tree->n, sizeof *tree->home, what, error));
  job.tree = *tree;
  return TSR_EACH(e, tsr_mesh_put_leaves, job, homes, error);
}

/* Pairs that were pushed down to a height. */
typedef struct pushed {
  int64_t n;
  uint64_t *key;
  uint32_t *by;
} pushed;

/* Pushes down the pairs of height h. */
static tsr_status push_height(tsr_mesh_plan *plan, int h, const pushed *above, pushed *below,
                              tsr_error *error) {
  tsr_mesh_push_job job = {.mesh = plan->mesh, .tree = plan->tree, .begin = plan->begin[h]};
  const char *what = "the cells of nodes";
  tsr_executor *e = &plan->executor;
  job.n_asked = plan->begin[h - 1] - plan->begin[h];
  job.above = above->key;
  job.above_by = above->by;
  const int64_t n = job.n_asked + above->n;
  below->n = 0;
  if (n == 0)
    return TSR_OK;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.before, n + 1, sizeof *job.before, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_count_pushed, job, n, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, job.before, n, &below->n, error));
  if (below->n > 0) {
    TSR_MESH_TRY(tsr_mesh_alloc(plan, &below->key, below->n, sizeof *below->key, what, error));
    TSR_MESH_TRY(tsr_mesh_alloc(plan, &below->by, below->n, sizeof *below->by, what, error));
    job.key = below->key;
    job.by = below->by;
    TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_put_pushed, job, n, error));
  }
  TSR_MESH_TRY(e->finish(e, NULL, error));
  tsr_mesh_release(plan, &job.before);
  return TSR_OK;
}

/* Makes one sorted list of the pairs of all heights. */
static tsr_status gather(tsr_mesh_plan *plan, pushed *of_height, tsr_pairs *pairs,
                         tsr_error *error) {
  const tsr_mesh *mesh = &plan->mesh;
  tsr_executor *e = &plan->executor;
  tsr_mesh_gather_job job = {.pairs = *pairs};
  for (int h = mesh->levels - 1; h >= 0; --h) {
    job.key = of_height[h].key;
    job.by = of_height[h].by;
    TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_gather, job, of_height[h].n, error));
    job.at += of_height[h].n;
  }
  TSR_MESH_TRY(e->finish(e, NULL, error));
  for (int h = mesh->levels - 1; h >= 0; --h) {
    tsr_mesh_release(plan, &of_height[h].key);
    tsr_mesh_release(plan, &of_height[h].by);
  }
  return tsr_mesh_sort(plan, pairs, mesh->dimension * mesh->bits + 1, &plan->tree.pushed,
                       &plan->tree.pushed_by, error);
}

/* Pushes down the cells of split nodes. */
static tsr_status push(tsr_mesh_plan *plan, tsr_error *error) {
  pushed of_height[TSR_MESH_HEIGHTS + 1];
  tsr_executor *e = &plan->executor;
  tsr_pairs pairs;
  int64_t n = 0;
  tsr_status status;
  memset(of_height, 0, sizeof of_height);
  memset(&pairs, 0, sizeof pairs);
  for (int h = plan->mesh.levels; h >= 1; --h) {
    TSR_MESH_TRY(push_height(plan, h, &of_height[h], &of_height[h - 1], error));
    n += of_height[h - 1].n;
  }
  plan->tree.n_pushed = n;
  if (n == 0)
    return TSR_OK;
  status = e->alloc_pairs(e, &pairs, n, "the cells of nodes", error);
  if (status == TSR_OK)
    status = gather(plan, of_height, &pairs, error);
  e->free_pairs(e, &pairs);
  return status;
}

tsr_status tsr_mesh_make_tree(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_tree *tree = &plan->tree;
  int64_t outside;
  TSR_MESH_TRY(find_above(plan, 1, &tree->roots, &tree->n_roots, error));
  TSR_MESH_TRY(find_above(plan, 0, &tree->splits, &tree->n_splits, error));
  TSR_MESH_TRY(list_leaves(plan, error));
  TSR_MESH_TRY(push(plan, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &tree->outside, tree->n, 1, "the leaves of the octree", error));
  tsr_mesh_tree_job job = {plan->mesh, *tree};
  TSR_MESH_TRY(TSR_EACH(&plan->executor, tsr_mesh_flag_outside, job, tree->n, error));
  if (plan->options.whole_cells)
    TSR_MESH_TRY(tsr_mesh_drop_open(plan, error));
  TSR_MESH_TRY(TSR_REDUCE(&plan->executor, tsr_mesh_outsiders, job, tree->n, &outside, error));
  plan->sizes.n = tree->n;
  plan->sizes.inside = tree->n - outside;
  return TSR_OK;
}

void tsr_mesh_drop_tree(tsr_mesh_plan *plan) {
  tsr_mesh_tree *tree = &plan->tree;
  tsr_mesh_release(plan, &tree->pushed);
  tsr_mesh_release(plan, &tree->pushed_by);
  tsr_mesh_release(plan, &tree->roots);
  tsr_mesh_release(plan, &tree->splits);
  tsr_mesh_release(plan, &tree->root_split);
  tsr_mesh_release(plan, &tree->first_child);
  tsr_mesh_release(plan, &tree->split_children);
  tsr_mesh_release(plan, &tree->first);
  tsr_mesh_release(plan, &tree->leaf);
  tsr_mesh_release(plan, &tree->home);
  tsr_mesh_release(plan, &tree->outside);
}
