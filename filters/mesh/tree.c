/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the octree. */
#include "mesh/mesh.h"

#include <string.h>

/* The nodes above those that were asked for, each once. roots: 1: roots alone. */
static tsr_status find_above(tsr_mesh_plan *plan, int roots, uint64_t **found, int64_t *n,
                             tsr_error *error) {
  tsr_mesh_above_job job = {.mesh = plan->mesh, .asked = plan->nodes, .roots = roots};
  tsr_executor *e = &plan->executor;
  const char *what = "the nodes of the octree";
  int64_t above;
  TSR_MESH_TRY(
      tsr_mesh_alloc(plan, &job.before, plan->n_nodes + 1, sizeof *job.before, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_count_above, job, plan->n_nodes, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, job.before, plan->n_nodes, &above, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.words, above, sizeof *job.words, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_put_above, job, plan->n_nodes, error));
  TSR_MESH_TRY(
      tsr_mesh_sort_words(plan, &job.words, above, tsr_mesh_node_bits(&plan->mesh), error));
  *found = job.words;
  *n = above;
  TSR_MESH_TRY(tsr_mesh_keep_unique(plan, found, n, error));
  tsr_mesh_release(plan, &job.before);
  tsr_mesh_release(plan, &job.words);
  return TSR_OK;
}

/* Adds the leaves plan->more to the nodes that are split. */
static tsr_status add_splits(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_tree *tree = &plan->tree;
  const int64_t n = tree->n_splits + plan->n_more;
  tsr_executor *e = &plan->executor;
  uint64_t *words;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &words, n, sizeof *words, "the nodes of the octree", error));
  tsr_mesh_copy_job copy = {tree->splits, words};
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_copy, copy, tree->n_splits, error));
  copy = (tsr_mesh_copy_job){plan->more, words + tree->n_splits};
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_copy, copy, plan->n_more, error));
  TSR_MESH_TRY(tsr_mesh_sort_words(plan, &words, n, tsr_mesh_node_bits(&plan->mesh), error));
  tsr_mesh_release(plan, &tree->splits);
  tree->splits = words;
  tree->n_splits = n;
  tree->fresh = plan->more;
  tree->n_fresh = plan->n_more;
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
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &tree->is_fresh, tree->n_splits, 1, what, error));
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

/* Pairs that were pushed down to a height, sorted. */
typedef struct pushed {
  int64_t n;
  uint64_t *key;
  uint32_t *by;
} pushed;

/* Finds where the nodes of each height that this round splits begin. */
static tsr_status find_heights(tsr_mesh_plan *plan, int64_t *begin, tsr_error *error) {
  tsr_mesh_height_job job = {.mesh = plan->mesh, .keys = plan->tree.fresh, .n = plan->tree.n_fresh};
  const int64_t n = plan->mesh.levels + 1;
  tsr_executor *e = &plan->executor;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.begin, n, sizeof *job.begin, "the cells of nodes", error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_find_height, job, n, error));
  TSR_MESH_TRY(e->read(e, begin, job.begin, n * (int64_t)sizeof *job.begin, error));
  tsr_mesh_release(plan, &job.begin);
  return TSR_OK;
}

/* Makes the pairs of the children of job->nodes. The caller frees job->pairs. */
static tsr_status make_children(tsr_mesh_plan *plan, tsr_mesh_push_job *job, pushed *below,
                                tsr_error *error) {
  const char *what = "the cells of nodes";
  const int bits = tsr_mesh_node_bits(&plan->mesh);
  tsr_executor *e = &plan->executor;
  int64_t n;
  TSR_MESH_TRY(tsr_mesh_sum(plan, job->first, job->n, &n, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job->children, n, sizeof *job->children, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job->before, n + 1, sizeof *job->before, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_push, *job, n, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, job->before, n, &below->n, error));
  if (below->n == 0)
    return TSR_OK;
  TSR_MESH_TRY(tsr_mesh_alloc_pairs(plan, &job->pairs, below->n, bits, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_put_pushed, *job, n, error));
  return tsr_mesh_sort(plan, &job->pairs, bits, &below->key, &below->by, error);
}

/* Pushes down the pairs of n nodes of a height. above: pairs that this round pushed down to it. */
static tsr_status push_height(tsr_mesh_plan *plan, const uint64_t *nodes, int64_t n,
                              const pushed *above, pushed *below, tsr_error *error) {
  const tsr_mesh_tree *tree = &plan->tree;
  tsr_mesh_push_job job = {.mesh = plan->mesh,
                           .nodes = nodes,
                           .n = n,
                           .key = {tree->asked, tree->pushed, above->key},
                           .by = {tree->by, tree->pushed_by, above->by},
                           .size = {tree->n_asked, tree->n_pushed, above->n}};
  const char *what = "the cells of nodes";
  tsr_executor *e = &plan->executor;
  tsr_status status;
  if (n == 0)
    return TSR_OK;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.runs, n, sizeof *job.runs, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.first, n + 1, sizeof *job.first, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_find_runs, job, n, error));
  status = make_children(plan, &job, below, error);
  e->free_pairs(e, &job.pairs);
  TSR_MESH_TRY(status);
  TSR_MESH_TRY(e->finish(e, NULL, error));
  tsr_mesh_release(plan, &job.runs);
  tsr_mesh_release(plan, &job.first);
  tsr_mesh_release(plan, &job.children);
  tsr_mesh_release(plan, &job.before);
  return TSR_OK;
}

/* Makes one sorted list of the pairs of earlier rounds, lists[0], and of heights of this round. */
static tsr_status gather(tsr_mesh_plan *plan, pushed *lists, tsr_pairs *pairs, tsr_error *error) {
  const tsr_mesh *mesh = &plan->mesh;
  tsr_executor *e = &plan->executor;
  tsr_mesh_gather_job job = {.pairs = *pairs};
  for (int k = 0; k <= mesh->levels; ++k) {
    job.key = lists[k].key;
    job.by = lists[k].by;
    TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_gather, job, lists[k].n, error));
    job.at += lists[k].n;
  }
  TSR_MESH_TRY(e->finish(e, NULL, error));
  for (int k = 0; k <= mesh->levels; ++k) {
    tsr_mesh_release(plan, &lists[k].key);
    tsr_mesh_release(plan, &lists[k].by);
  }
  return tsr_mesh_sort(plan, pairs, tsr_mesh_node_bits(mesh), &plan->tree.pushed,
                       &plan->tree.pushed_by, error);
}

/* Lists the cells that asked for the nodes that this round splits. */
static tsr_status list_fresh(tsr_mesh_plan *plan, tsr_error *error) {
  const tsr_mesh_tree_job job = {plan->mesh, plan->tree};
  TSR_MESH_TRY(TSR_EACH(&plan->executor, tsr_mesh_want_fresh, job, plan->tree.n_fresh, error));
  return tsr_mesh_list_wanted(plan, error);
}

/* Pushes down the cells of the nodes that this round splits. */
static tsr_status push(tsr_mesh_plan *plan, tsr_error *error) {
  /* Of earlier rounds, then of each height, the greatest first: the order of the keys. */
  pushed lists[TSR_MESH_HEIGHTS + 1];
  const pushed none = {0, NULL, NULL};
  const int levels = plan->mesh.levels;
  int64_t begin[TSR_MESH_HEIGHTS + 1], n;
  tsr_mesh_tree *tree = &plan->tree;
  tsr_executor *e = &plan->executor;
  tsr_pairs pairs;
  tsr_status status;
  memset(lists, 0, sizeof lists);
  memset(&pairs, 0, sizeof pairs);
  TSR_MESH_TRY(list_fresh(plan, error));
  TSR_MESH_TRY(find_heights(plan, begin, error));
  n = tree->n_pushed;
  for (int h = levels; h >= 1; --h) {
    const pushed *above = h < levels ? &lists[levels - h] : &none;
    pushed *below = &lists[levels - h + 1];
    TSR_MESH_TRY(
        push_height(plan, tree->fresh + begin[h], begin[h - 1] - begin[h], above, below, error));
    n += below->n;
  }
  lists[0] = (pushed){tree->n_pushed, tree->pushed, tree->pushed_by};
  tree->n_pushed = n;
  if (n == 0)
    return TSR_OK;
  status = tsr_mesh_alloc_pairs(plan, &pairs, n, tsr_mesh_node_bits(&plan->mesh), error);
  if (status == TSR_OK)
    status = gather(plan, lists, &pairs, error);
  e->free_pairs(e, &pairs);
  return status;
}

tsr_status tsr_mesh_find_listed(tsr_mesh_plan *plan, tsr_error *error) {
  const tsr_mesh_tree_job job = {plan->mesh, plan->tree};
  return TSR_EACH(&plan->executor, tsr_mesh_find_asked, job, plan->tree.n, error);
}

tsr_status tsr_mesh_list_all(tsr_mesh_plan *plan, tsr_error *error) {
  const tsr_mesh_tree_job job = {plan->mesh, plan->tree};
  TSR_MESH_TRY(TSR_EACH(&plan->executor, tsr_mesh_want_leaf, job, plan->tree.n, error));
  TSR_MESH_TRY(tsr_mesh_list_wanted(plan, error));
  return tsr_mesh_find_listed(plan, error);
}

tsr_status tsr_mesh_make_tree(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_tree *tree = &plan->tree;
  const char *what = "the leaves of the octree";
  int64_t outside;
  if (tree->roots) {
    TSR_MESH_TRY(add_splits(plan, error));
  } else {
    TSR_MESH_TRY(find_above(plan, 1, &tree->roots, &tree->n_roots, error));
    TSR_MESH_TRY(find_above(plan, 0, &tree->splits, &tree->n_splits, error));
    tree->fresh = tree->splits;
    tree->n_fresh = tree->n_splits;
  }
  TSR_MESH_TRY(list_leaves(plan, error));
  TSR_MESH_TRY(push(plan, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &tree->outside, tree->n, 1, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &tree->runs, tree->n, sizeof *tree->runs, what, error));
  const tsr_mesh_tree_job job = {plan->mesh, *tree};
  TSR_MESH_TRY(TSR_EACH(&plan->executor, tsr_mesh_find_pushed, job, tree->n, error));
  if (plan->options.whole_cells) {
    TSR_MESH_TRY(tsr_mesh_list_all(plan, error));
    TSR_MESH_TRY(tsr_mesh_drop_open(plan, error));
  }
  TSR_MESH_TRY(TSR_REDUCE(&plan->executor, tsr_mesh_outsiders, job, tree->n, &outside, error));
  plan->sizes.n = tree->n;
  plan->sizes.inside = tree->n - outside;
  return TSR_OK;
}

void tsr_mesh_drop_leaves(tsr_mesh_plan *plan) {
  tsr_mesh_tree *tree = &plan->tree;
  tsr_mesh_release(plan, &tree->root_split);
  tsr_mesh_release(plan, &tree->first_child);
  tsr_mesh_release(plan, &tree->split_children);
  tsr_mesh_release(plan, &tree->first);
  tsr_mesh_release(plan, &tree->leaf);
  tsr_mesh_release(plan, &tree->home);
  tsr_mesh_release(plan, &tree->outside);
  tsr_mesh_release(plan, &tree->is_fresh);
  tsr_mesh_release(plan, &tree->runs);
}
