/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the steps that list the nodes of trees. A level of all trees is a list, tree after tree,
 * and within a tree in the order in which children follow each other. The number of refined nodes
 * before a node says where its children are in the list of the next level:
 *
 *     level l     A a b C | D e f g      capitals are refined: 0, 1 and 2 are before A, C and D
 *     level l + 1 A's C's | D's          so C's children begin at 1 * 4 (2D)
 *
 * The nodes of a tree are its parts of these lists, one after another.
 */
#ifndef TSR_GRID_OUTPUT_TREE_MATH_H
#define TSR_GRID_OUTPUT_TREE_MATH_H

#include "grid/output/patch_math.h"

/** A level of all trees. */
typedef struct tsr_trees_level {
  tsr_grid_node *nodes; /**< n */
  int64_t *begin;       /**< trees + 1: first node of each tree */
  int64_t *shift;       /**< trees: nodes of the tree on coarser levels, less begin */
  int64_t n;
} tsr_trees_level;

typedef struct tsr_trees_job {
  tsr_made_tree made;
  int64_t range[3][2]; /**< the nodes that trees begin with, one each */
  int64_t trees;
  int first_level;            /**< of these nodes */
  tsr_trees_level here, next; /**< a level, and the one below */
  int64_t *before;            /**< here.n + 1: refined nodes before each */
  int64_t *first;             /**< trees + 1: first node of each tree, counting the levels so far */
  tsr_grid_node *nodes;       /**< of all trees and levels */
  uint8_t *states;            /**< their tsr_grid_state */
} tsr_trees_job;

/** The first node of tree t. Runs for trees + 1. */
TSR_FN void tsr_trees_plant(const tsr_trees_job *job, int64_t t) {
  int64_t i[3];
  job->here.begin[t] = job->first[t] = t;
  if (t == job->trees)
    return;
  tsr_node_in(job->range, t, i);
  job->here.shift[t] = -t;
  job->here.nodes[t] = tsr_node_outer(job->made.lattice, job->first_level, i);
}

TSR_FN void tsr_trees_count(const tsr_trees_job *job, int64_t n) {
  job->before[n] = tsr_made_state(&job->made, &job->here.nodes[n]) == TSR_STATE_COVERED;
}

/** The children of node n, and where tree n begins among them. Runs for the larger of the number of
 *  nodes and trees + 1. */
TSR_FN void tsr_trees_branch(const tsr_trees_job *job, int64_t n) {
  const tsr_lattice *lattice = job->made.lattice;
  const unsigned children = 1u << lattice->dimension;
  const int64_t *begin = job->here.begin, *before = job->before;
  int64_t i[3], child[3];
  if (n <= job->trees) {
    const int64_t to = children * before[begin[n]];
    job->next.begin[n] = to;
    job->first[n] += to;
    if (n < job->trees)
      job->next.shift[n] = job->here.shift[n] + begin[n + 1] - to;
  }
  if (n >= job->here.n || before[n + 1] == before[n])
    return;
  tsr_node_inner(lattice, &job->here.nodes[n], i);
  for (unsigned k = 0; k < children; ++k) {
    (void)tsr_node_child(lattice, job->here.nodes[n].level, i, k, child);
    job->next.nodes[children * before[n] + k] =
        tsr_node_outer(lattice, job->here.nodes[n].level + 1, child);
  }
}

/** Puts node n of the level to where it belongs in its tree. */
TSR_FN void tsr_trees_put(const tsr_trees_job *job, int64_t n) {
  const tsr_grid_node *node = &job->here.nodes[n];
  int64_t i[3], t, to;
  tsr_node_inner(job->made.lattice, node, i);
  for (int a = 0; a < 3; ++a)
    i[a] = tsr_shift(job->made.lattice, a, i[a], node->level - job->first_level);
  t = tsr_number_in(job->range, i);
  to = job->first[t] + job->here.shift[t] + n;
  job->nodes[to] = *node;
  job->states[to] = (uint8_t)tsr_made_state(&job->made, node);
}

/** What finds the first nodes of trees; members as in tsr_trees_job. */
typedef struct tsr_trees_roots {
  int32_t *roots; /**< receives three indices for each tree */
  const tsr_grid_node *nodes;
  const int64_t *first;
} tsr_trees_roots;

TSR_FN void tsr_trees_root(const tsr_trees_roots *job, int64_t t) {
  for (int a = 0; a < 3; ++a)
    job->roots[3 * t + a] = job->nodes[job->first[t]].index[a];
}

#endif
