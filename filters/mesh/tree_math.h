/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Unstructured meshes: the octree. Cells ask for nodes (touch_math.h). A node is split if a node
 * below it was asked for, or if a field asks for it. The roots are the nodes of level 0 that hold a
 * node asked for. Leaves are the roots that are not split, and the children, that are not split, of
 * those that are:
 *
 *     homes    [ roots            | split nodes in the order of their keys ]
 *     leaves   [ one, if not split| children that are not split            ]
 *     slots    [ 2^d corners each | 3^d places each, of the children's corners ]
 *
 * A cell that asked for a node that is split is pushed down: it is compared with the children.
 *
 * Which cells asked for a node is listed for the nodes alone where it matters: those that are
 * split, and leaves with a corner that no cell holds.
 *
 * Where fields split leaves, the octree is made again, round by round. Roots, split nodes and pairs
 * that were pushed down stay, and only the pairs of nodes that the round splits, which are `fresh`,
 * are pushed down.
 */
#ifndef TSR_MESH_TREE_MATH_H
#define TSR_MESH_TREE_MATH_H

#include "common/part_math.h"
#include "mesh/touch/list_math.h"

/** Where a leaf's pairs are: of cells that asked for it, if they are listed, and of cells that were
 *  pushed down to it. */
typedef struct tsr_mesh_leaf_runs {
  int64_t begin[2];
  int32_t n[2];
} tsr_mesh_leaf_runs;

/** The octree; arrays of the executor. */
typedef struct tsr_mesh_tree {
  int64_t n_asked; /**< pairs of a node asked for and a cell, as tsr_mesh_list_wanted listed them */
  uint64_t *asked; /**< keys of the nodes, sorted */
  uint32_t *by;    /**< the cell of each */
  int64_t n_pushed;
  uint64_t *pushed; /**< keys of the nodes of pairs that were pushed down, sorted */
  uint32_t *pushed_by;
  int64_t n_roots, n_splits, n; /**< n: leaves */
  uint64_t *roots, *splits;     /**< keys, sorted */
  int64_t *root_split;          /**< roots: place among the splits, or -1 */
  int64_t *first_child;         /**< splits: where children that are split begin in `splits` */
  uint8_t *split_children;      /**< splits: a bit for each child that is split */
  int64_t *first;               /**< homes + 1: leaves before those of each home */
  uint64_t *leaf;               /**< n: keys */
  int32_t *home;                /**< n: root, or roots + split */
  uint8_t *outside;             /**< n: 1: no cell touches the leaf */
  int64_t n_fresh;
  const uint64_t *fresh;    /**< the splits of this round, sorted; in the first one all of them */
  uint8_t *is_fresh;        /**< splits: 1: one of these */
  tsr_mesh_leaf_runs *runs; /**< n */
  tsr_mesh_marks marks;     /**< nodes that cells asked for */
} tsr_mesh_tree;

/** The place of a key among n sorted ones, or -1. */
TSR_FN int64_t tsr_mesh_find(const uint64_t *keys, int64_t n, uint64_t key) {
  const int64_t at = tsr_first_not_below(keys, 0, n, key);
  return at < n && keys[at] == key ? at : -1;
}

/* ---- Lists */

/** Sorted pairs as two arrays. */
typedef struct tsr_mesh_unpack_job {
  tsr_pairs pairs;
  uint64_t *key;
  uint32_t *value;
} tsr_mesh_unpack_job;

TSR_FN void tsr_mesh_unpack(const tsr_mesh_unpack_job *job, int64_t i) {
  job->key[i] = tsr_pairs_key(&job->pairs, i);
  job->value[i] = (uint32_t)tsr_pairs_value(&job->pairs, i);
}

/** The different words of a sorted list. */
typedef struct tsr_mesh_unique_job {
  const uint64_t *words;
  int64_t *before; /**< n + 1 */
  uint64_t *to;
} tsr_mesh_unique_job;

TSR_FN void tsr_mesh_flag_unique(const tsr_mesh_unique_job *job, int64_t i) {
  job->before[i] = i == 0 || job->words[i] != job->words[i - 1];
}

TSR_FN void tsr_mesh_take_unique(const tsr_mesh_unique_job *job, int64_t i) {
  if (job->before[i + 1] > job->before[i])
    job->to[job->before[i]] = job->words[i];
}

/* ---- Split nodes and roots */

/** The nodes above those that were asked for. */
typedef struct tsr_mesh_above_job {
  tsr_mesh mesh;
  const uint64_t *asked; /**< sorted, each once */
  int64_t *before;       /**< asked + 1: words before those of each */
  uint64_t *words;
  int roots; /**< 1: the root alone, also where it is the node; 0: all nodes above */
} tsr_mesh_above_job;

/** Writes the nodes above node i that the node before it does not have, or counts them: `to` is
 *  NULL then. */
TSR_FN int64_t tsr_mesh_above(const tsr_mesh_above_job *job, int64_t i, uint64_t *to) {
  const int d = job->mesh.dimension;
  const uint64_t top = tsr_mesh_sentinel(&job->mesh, job->mesh.levels) << d;
  uint64_t key = job->asked[i], other = i > 0 ? job->asked[i - 1] : 0;
  const int same = i > 0 && tsr_mesh_height(&job->mesh, other) == tsr_mesh_height(&job->mesh, key);
  int64_t n = 0;
  while (key >= top) {
    key >>= d;
    other >>= d;
    if (same && other == key)
      return n;
    if (to && !job->roots)
      to[n] = key;
    n += !job->roots;
  }
  if (job->roots && !(same && other == key)) {
    if (to)
      to[0] = key;
    n = 1;
  }
  return n;
}

TSR_FN void tsr_mesh_count_above(const tsr_mesh_above_job *job, int64_t i) {
  job->before[i] = tsr_mesh_above(job, i, (uint64_t *)0);
}

TSR_FN void tsr_mesh_put_above(const tsr_mesh_above_job *job, int64_t i) {
  tsr_mesh_above(job, i, job->words + job->before[i]);
}

/** Copies words. */
typedef struct tsr_mesh_copy_job {
  const uint64_t *from;
  uint64_t *to;
} tsr_mesh_copy_job;

TSR_FN void tsr_mesh_copy(const tsr_mesh_copy_job *job, int64_t i) { job->to[i] = job->from[i]; }

/* ---- Leaves */

typedef struct tsr_mesh_tree_job {
  tsr_mesh mesh;
  tsr_mesh_tree tree;
} tsr_mesh_tree_job;

/** Finds whether root i is split. */
TSR_FN void tsr_mesh_link_root(const tsr_mesh_tree_job *job, int64_t i) {
  const tsr_mesh_tree *tree = &job->tree;
  tree->root_split[i] = tsr_mesh_find(tree->splits, tree->n_splits, tree->roots[i]);
  tree->first[i] = tree->root_split[i] < 0;
}

/** Finds which children of split node i are split, and whether this round splits it. */
TSR_FN void tsr_mesh_link_split(const tsr_mesh_tree_job *job, int64_t i) {
  const tsr_mesh_tree *tree = &job->tree;
  const int d = job->mesh.dimension, children = 1 << d;
  const uint64_t child = tree->splits[i] << d;
  const int64_t begin = tsr_first_not_below(tree->splits, 0, tree->n_splits, child);
  unsigned split = 0;
  for (int64_t k = begin; k < tree->n_splits && tree->splits[k] < child + (uint64_t)children; ++k)
    split |= 1u << (tree->splits[k] - child);
  tree->first_child[i] = begin;
  tree->is_fresh[i] = tsr_mesh_find(tree->fresh, tree->n_fresh, tree->splits[i]) >= 0;
  tree->split_children[i] = (uint8_t)split;
  tree->first[tree->n_roots + i] = children - tsr_bits_below(split, children);
}

/** Writes the leaves of home i. */
TSR_FN void tsr_mesh_put_leaves(const tsr_mesh_tree_job *job, int64_t i) {
  const tsr_mesh_tree *tree = &job->tree;
  const int d = job->mesh.dimension;
  const int64_t j = i - tree->n_roots;
  int64_t to = tree->first[i];
  if (j < 0 && tree->first[i + 1] > to)
    tree->leaf[to] = tree->roots[i];
  if (j < 0 && tree->first[i + 1] > to)
    tree->home[to] = (int32_t)i;
  for (int c = 0; j >= 0 && c < 1 << d; ++c)
    if (!(tree->split_children[j] >> c & 1)) {
      tree->leaf[to] = tree->splits[j] << d | (uint64_t)c;
      tree->home[to++] = (int32_t)i;
    }
}

/** The leaf that is child c of split node j, or -1 if it is split. */
TSR_FN int64_t tsr_mesh_child_leaf(const tsr_mesh_tree *tree, int64_t j, int c) {
  const unsigned split = tree->split_children[j];
  if (split >> c & 1)
    return -1;
  return tree->first[tree->n_roots + j] + c - tsr_bits_below(split, c);
}

/** The leaf with the finest cell at these indices, or -1. */
TSR_FN int64_t tsr_mesh_leaf_at(const tsr_mesh *mesh, const tsr_mesh_tree *tree,
                                const int32_t at[3]) {
  const int d = mesh->dimension;
  const uint64_t number = tsr_mesh_number(mesh, at);
  const uint64_t root = (number >> d * mesh->levels) + tsr_mesh_sentinel(mesh, mesh->levels);
  const int64_t r = tsr_mesh_find(tree->roots, tree->n_roots, root);
  int64_t j;
  if (r < 0)
    return -1;
  j = tree->root_split[r];
  if (j < 0)
    return tree->first[r];
  for (int h = mesh->levels - 1; h >= 0; --h) {
    const int c = (int)(number >> d * h & (((uint64_t)1 << d) - 1));
    const unsigned split = tree->split_children[j];
    if (!(split >> c & 1))
      return tsr_mesh_child_leaf(tree, j, c);
    j = tree->first_child[j] + tsr_bits_below(split, c);
  }
  return -1;
}

/* ---- Pairs of leaves */

/** A range of the pairs of a leaf. */
typedef struct tsr_mesh_run {
  const uint32_t *by;
  int64_t n;
} tsr_mesh_run;

/** The cells that touch a leaf. pushed: 0: those that asked for it; 1: those that were pushed down
 *  to it. */
TSR_FN tsr_mesh_run tsr_mesh_run_of(const tsr_mesh_tree *tree, int64_t leaf, int pushed) {
  tsr_mesh_run run;
  run.by = (pushed ? tree->pushed_by : tree->by) + tree->runs[leaf].begin[pushed];
  run.n = tree->runs[leaf].n[pushed];
  return run;
}

/** Finds a range of the pairs of leaf i. */
TSR_FN void tsr_mesh_find_run(const tsr_mesh_tree *tree, int64_t i, int pushed) {
  const uint64_t *keys = pushed ? tree->pushed : tree->asked;
  const int64_t n = pushed ? tree->n_pushed : tree->n_asked;
  const int64_t begin = tsr_first_not_below(keys, 0, n, tree->leaf[i]);
  int64_t end = begin;
  while (end < n && keys[end] == tree->leaf[i])
    ++end;
  tree->runs[i].begin[pushed] = begin;
  tree->runs[i].n[pushed] = (int32_t)(end - begin);
}

/** Finds the cells that were pushed down to leaf i; flags it if no cell touches it. */
TSR_FN void tsr_mesh_find_pushed(const tsr_mesh_tree_job *job, int64_t i) {
  const tsr_mesh_tree *tree = &job->tree;
  tsr_mesh_find_run(tree, i, 1);
  tree->outside[i] =
      tree->runs[i].n[1] == 0 && !tsr_mesh_is_asked(&job->mesh, &tree->marks, tree->leaf[i]);
}

/** Finds the cells that asked for leaf i, if they are listed. */
TSR_FN void tsr_mesh_find_asked(const tsr_mesh_tree_job *job, int64_t i) {
  tsr_mesh_find_run(&job->tree, i, 0);
}

/** Wants the cells of leaf i listed. */
TSR_FN void tsr_mesh_want_leaf(const tsr_mesh_tree_job *job, int64_t i) {
  tsr_mesh_want_node(&job->mesh, &job->tree.marks, job->tree.leaf[i]);
}

/** Wants the cells of node i of those that this round splits listed. */
TSR_FN void tsr_mesh_want_fresh(const tsr_mesh_tree_job *job, int64_t i) {
  tsr_mesh_want_node(&job->mesh, &job->tree.marks, job->tree.fresh[i]);
}

/** Counts the leaves that no cell touches. */
TSR_FN int64_t tsr_mesh_outsiders_none(void) { return 0; }
TSR_FN void tsr_mesh_outsiders_join(int64_t *all, const int64_t *part) { *all += *part; }
TSR_FN void tsr_mesh_outsiders(const tsr_mesh_tree_job *job, int64_t i, int64_t *n) {
  *n += job->tree.outside[i];
}

/** Where the nodes of each height begin in a sorted list, the greatest height first. */
typedef struct tsr_mesh_height_job {
  tsr_mesh mesh;
  const uint64_t *keys;
  int64_t n;
  int64_t *begin; /**< levels + 1 */
} tsr_mesh_height_job;

TSR_FN void tsr_mesh_find_height(const tsr_mesh_height_job *job, int64_t h) {
  job->begin[h] = tsr_first_not_below(job->keys, 0, job->n, tsr_mesh_sentinel(&job->mesh, (int)h));
}

/** Where pairs of a node come from: cells that asked for it, that were pushed down to it in earlier
 *  rounds, and in this round. */
enum { TSR_MESH_SOURCES = 3 };

/** The pairs of a node that is split. */
typedef struct tsr_mesh_runs {
  int64_t begin[TSR_MESH_SOURCES], n[TSR_MESH_SOURCES];
} tsr_mesh_runs;

/** Nodes of a height that are split, and what their pairs are pushed down to. */
typedef struct tsr_mesh_push_job {
  tsr_mesh mesh;
  const uint64_t *nodes; /**< keys */
  int64_t n;
  const uint64_t *key[TSR_MESH_SOURCES]; /**< sorted pairs */
  const uint32_t *by[TSR_MESH_SOURCES];
  int64_t size[TSR_MESH_SOURCES];
  tsr_mesh_runs *runs; /**< nodes */
  int64_t *first;      /**< nodes + 1: pairs of all sources before those of each */
  uint8_t *children;   /**< pairs: a bit for each child that the cell touches */
  int64_t *before;     /**< pairs + 1: children that are touched */
  tsr_pairs pairs;     /**< receives the pairs of the children */
} tsr_mesh_push_job;

/** Finds the pairs of node i. */
TSR_FN void tsr_mesh_find_runs(const tsr_mesh_push_job *job, int64_t i) {
  const uint64_t node = job->nodes[i];
  tsr_mesh_runs *runs = &job->runs[i];
  job->first[i] = 0;
  for (int k = 0; k < TSR_MESH_SOURCES; ++k) {
    const int64_t begin = tsr_first_not_below(job->key[k], 0, job->size[k], node);
    runs->begin[k] = begin;
    runs->n[k] = tsr_first_not_below(job->key[k], begin, job->size[k], node + 1) - begin;
    job->first[i] += runs->n[k];
  }
}

/** The node of pair i, and the cell. */
TSR_FN uint64_t tsr_mesh_pair_at(const tsr_mesh_push_job *job, int64_t i, uint32_t *cell) {
  const int64_t j = tsr_part_at(job->first, 0, job->n, i);
  const tsr_mesh_runs *runs = &job->runs[j];
  int64_t k = i - job->first[j];
  int source = 0;
  for (; k >= runs->n[source]; ++source)
    k -= runs->n[source];
  *cell = job->by[source][runs->begin[source] + k];
  return job->nodes[j];
}

/** Compares the cell of pair i with the children of its node. */
TSR_FN void tsr_mesh_push(const tsr_mesh_push_job *job, int64_t i) {
  const tsr_mesh *mesh = &job->mesh;
  uint32_t cell;
  int32_t at[3] = {0, 0, 0};
  tsr_mesh_seen seen;
  unsigned touched = 0;
  const int h = tsr_mesh_node_at(mesh, tsr_mesh_pair_at(job, i, &cell), at) - 1;
  tsr_mesh_see(mesh, cell, &seen);
  for (int child = 0; child < 1 << mesh->dimension; ++child) {
    int32_t to[3] = {0, 0, 0};
    for (int a = 0; a < mesh->dimension; ++a)
      to[a] = 2 * at[a] + (child >> a & 1);
    touched |= (unsigned)tsr_mesh_touches(mesh, &seen.hull, h, to) << child;
  }
  job->children[i] = (uint8_t)touched;
  job->before[i] = tsr_bits_below(touched, 8);
}

/** Writes the pairs of the children that the cell of pair i touches. */
TSR_FN void tsr_mesh_put_pushed(const tsr_mesh_push_job *job, int64_t i) {
  const unsigned children = job->children[i];
  int64_t to = job->before[i];
  uint32_t cell;
  const uint64_t node = tsr_mesh_pair_at(job, i, &cell);
  for (int child = 0; child < 8; ++child)
    if (children >> child & 1u)
      tsr_pairs_set(&job->pairs, to++, node << job->mesh.dimension | (uint64_t)child,
                    (int64_t)cell);
}

/** Writes pairs into a list of all heights. */
typedef struct tsr_mesh_gather_job {
  const uint64_t *key;
  const uint32_t *by;
  tsr_pairs pairs;
  int64_t at;
} tsr_mesh_gather_job;

TSR_FN void tsr_mesh_gather(const tsr_mesh_gather_job *job, int64_t i) {
  tsr_pairs_set(&job->pairs, job->at + i, job->key[i], (int64_t)job->by[i]);
}

#endif
