/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: a tree as its split cells, and its leaves with their points. */
#include "pointgrid/tree/tree.h"

#include <stdlib.h>
#include <string.h>

int tsr_pointgrid_add_leaf(tsr_pointgrid_leaves *leaves, const tsr_pointgrid_leaf *leaf) {
  tsr_pointgrid_leaf *at = tsr_grow(leaves->at, leaves->n, &leaves->room, 64, sizeof *at);
  if (!at)
    return 0;
  leaves->at = at;
  leaves->at[leaves->n++] = *leaf;
  return 1;
}

int tsr_pointgrid_add_split(tsr_pointgrid_level *level, uint64_t number) {
  uint64_t *at = tsr_grow(level->at, level->n, &level->room, 64, sizeof *at);
  if (!at)
    return 0;
  level->at = at;
  level->at[level->n++] = number;
  return 1;
}

void tsr_pointgrid_free_splits(tsr_pointgrid_splits_of *splits) {
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
    free(splits->of[level].at);
  memset(splits, 0, sizeof *splits);
}

tsr_status tsr_pointgrid_collect(const tsr_pointgrid_leaves *leaves, int dimension,
                                 tsr_pointgrid_splits_of *splits, tsr_error *error) {
  for (int64_t i = 0; i < leaves->n; ++i) {
    const tsr_pointgrid_leaf *leaf = &leaves->at[i];
    for (int level = leaf->level - 1; level >= 0; --level) {
      const int shift = tsr_pointgrid_shift(dimension, level);
      /* An ancestor of the previous leaf is there already, with all its own ancestors. */
      if (i > 0 && (leaf->key >> shift) == (leaf[-1].key >> shift))
        break;
      if (!tsr_pointgrid_add_split(&splits->of[level], leaf->key >> shift))
        return tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for the split cells");
    }
  }
  return TSR_OK;
}

/** A leaf of the points alone that the balance has split. */
typedef struct torn {
  tsr_pointgrid_leaf old;
  int64_t first, end; /**< leaves that it consists of now */
} torn;

/** The way through the tree in Morton order. */
typedef struct walk {
  const tsr_pointgrid_input *input;
  const tsr_pointgrid_splits_of *tree;
  const tsr_pointgrid_leaves *before;          /**< leaves of the points alone */
  int64_t cursor[TSR_POINTGRID_MAX_LEVEL + 1]; /**< next split cell of each level */
  int64_t old;                                 /**< of `before` */
  tsr_pointgrid_leaves leaves;
  torn *torn;
  int64_t n_torn, torn_room;
} walk;

static uint64_t end_of(int dimension, uint64_t key, int level) {
  return key + ((uint64_t)1 << tsr_pointgrid_shift(dimension, level));
}

static int add_torn(walk *w, const tsr_pointgrid_leaf *old, int64_t leaf) {
  torn *at;
  if (w->n_torn > 0 && w->torn[w->n_torn - 1].old.key == old->key) {
    w->torn[w->n_torn - 1].end = leaf + 1;
    return 1;
  }
  at = tsr_grow(w->torn, w->n_torn, &w->torn_room, 64, sizeof *at);
  if (!at)
    return 0;
  w->torn = at;
  w->torn[w->n_torn++] = (torn){*old, leaf, leaf + 1};
  return 1;
}

static int walk_leaf(walk *w, uint64_t key, int level) {
  const tsr_pointgrid_leaves *before = w->before;
  while (end_of(w->input->rule.dimension, before->at[w->old].key, before->at[w->old].level) <= key)
    w->old++;
  const tsr_pointgrid_leaf *old = &before->at[w->old];
  const int same = old->level == level;
  const tsr_pointgrid_leaf leaf = {key, old->begin, same ? old->count : 0, level};
  return tsr_pointgrid_add_leaf(&w->leaves, &leaf) && (same || add_torn(w, old, w->leaves.n - 1));
}

static int walk_cell(walk *w, uint64_t number, int level) {
  const tsr_pointgrid_rule *rule = &w->input->rule;
  const tsr_pointgrid_level *splits = &w->tree->of[level];
  const uint64_t key = number << tsr_pointgrid_shift(rule->dimension, level);
  if (!tsr_pointgrid_is_owned(rule, key, level))
    return 1;
  if (w->cursor[level] < splits->n && splits->at[w->cursor[level]] == number) {
    int good = 1;
    w->cursor[level]++;
    for (uint64_t child = 0; good && child < (uint64_t)1 << rule->dimension; ++child)
      good = walk_cell(w, (number << rule->dimension) + child, level + 1);
    return good;
  }
  return walk_leaf(w, key, level);
}

/** Each level's first split cell that reaches into the own range. */
static void start_walk(walk *w) {
  const tsr_pointgrid_rule *rule = &w->input->rule;
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level) {
    const tsr_pointgrid_level *splits = &w->tree->of[level];
    const uint64_t first = rule->begin >> tsr_pointgrid_shift(rule->dimension, level);
    int64_t low = 0, high = splits->n;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (splits->at[middle] < first)
        low = middle + 1;
      else
        high = middle;
    }
    w->cursor[level] = low;
  }
}

typedef struct torn_work {
  walk *w;
  int64_t *order;
  _Atomic int no_memory;
} torn_work;

static uint64_t key_of(const tsr_pointgrid_input *input, int64_t point) {
  double xyz[3];
  tsr_load3(&input->points, point, xyz);
  return tsr_pointgrid_key(&input->cube, xyz);
}

/** The last leaf of [first, end) that begins at or before the key. */
static int64_t find_leaf(const tsr_pointgrid_leaf *leaves, int64_t first, int64_t end,
                         uint64_t key) {
  while (end - first > 1) {
    const int64_t middle = first + (end - first) / 2;
    if (leaves[middle].key <= key)
      first = middle;
    else
      end = middle;
  }
  return first;
}

/** The points of one torn leaf into the leaves that it is now. */
static int sort_torn(const torn_work *work, const torn *t) {
  tsr_pointgrid_leaf *leaves = work->w->leaves.at;
  int64_t *order = work->order + t->old.begin;
  int64_t *copy = malloc((size_t)(t->old.count + 1) * 2 * sizeof *copy), at = t->old.begin;
  if (!copy)
    return 0;
  int64_t *leaf_of = copy + t->old.count;
  for (int64_t i = 0; i < t->old.count; ++i) {
    copy[i] = order[i];
    leaf_of[i] = find_leaf(leaves, t->first, t->end, key_of(work->w->input, order[i]));
    leaves[leaf_of[i]].count++;
  }
  for (int64_t leaf = t->first; leaf < t->end; ++leaf) {
    leaves[leaf].begin = at;
    at += leaves[leaf].count;
  }
  for (int64_t i = 0; i < t->old.count; ++i)
    work->order[leaves[leaf_of[i]].begin++] = copy[i];
  for (int64_t leaf = t->first; leaf < t->end; ++leaf)
    leaves[leaf].begin -= leaves[leaf].count;
  free(copy);
  return 1;
}

static void sort_torns(void *data, int64_t begin, int64_t end) {
  torn_work *work = data;
  for (int64_t t = begin; t < end; ++t)
    if (!sort_torn(work, &work->w->torn[t]))
      atomic_store(&work->no_memory, 1);
}

tsr_status tsr_pointgrid_resolve(const tsr_pointgrid_input *input,
                                 const tsr_pointgrid_splits_of *splits,
                                 tsr_pointgrid_sorted *sorted, tsr_error *error) {
  walk w = {.input = input, .tree = splits, .before = &sorted->leaves};
  torn_work work = {.w = &w, .order = sorted->order};
  tsr_status status = TSR_OK;
  start_walk(&w);
  if (sorted->leaves.n > 0 && !walk_cell(&w, 0, 0))
    status = tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for the leaves");
  if (status == TSR_OK)
    status = tsr_pointgrid_run(input, sort_torns, &work, w.n_torn, 256, 0.32, 0.35, error);
  if (status == TSR_OK && atomic_load(&work.no_memory))
    status = tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for the leaves");
  if (status == TSR_OK) {
    const tsr_pointgrid_leaves before = sorted->leaves;
    sorted->leaves = w.leaves;
    w.leaves = before;
  }
  free(w.leaves.at);
  free(w.torn);
  return status;
}
