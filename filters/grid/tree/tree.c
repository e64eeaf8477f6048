/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: storage of the tree of refined nodes, and walks through it. */
#include "grid/tree/tree.h"

#include <stdlib.h>
#include <string.h>

tsr_status tsr_bits_create(tsr_bits *bits, int64_t n, const char *what, tsr_error *error) {
  bits->words = n / 64 + 1;
  bits->word = tsr_alloc(bits->words, sizeof *bits->word, what, error);
  bits->before = tsr_alloc(bits->words + 1, sizeof *bits->before, what, error);
  if (!bits->word || !bits->before) {
    tsr_bits_free(bits);
    return TSR_NO_MEMORY;
  }
  memset(bits->word, 0, (size_t)bits->words * sizeof *bits->word);
  return TSR_OK;
}

void tsr_bits_free(tsr_bits *bits) {
  free(bits->word);
  free(bits->before);
  memset(bits, 0, sizeof *bits);
}

int64_t tsr_bits_count(tsr_bits *bits) {
  for (int64_t w = 0; w < bits->words; ++w)
    bits->before[w] = tsr_popcount(bits->word[w]);
  return tsr_scan(bits->before, bits->words);
}

/* Deepest level that is dense; -1: no node can be refined. */
static int deepest_dense(const tsr_lattice *lattice) {
  return lattice->coarsen < lattice->levels ? lattice->coarsen : lattice->levels - 1;
}

void tsr_tree_shape(tsr_tree *tree, const tsr_lattice *lattice) {
  int64_t bytes = 0;
  for (int level = 0; level <= deepest_dense(lattice); ++level) {
    for (int a = 0; a < 3; ++a) {
      int64_t range[2];
      tsr_level_range(lattice, a, level, lattice->ghosted[a], range);
      tree->first[level][a] = range[0] >> 1;
      tree->size[level][a] = range[1] > range[0] ? ((range[1] - 1) >> 1) - (range[0] >> 1) + 1 : 0;
    }
  }
  for (int level = lattice->coarsen + 1; level < lattice->levels; ++level) {
    const int below = (level - lattice->coarsen - 1) * lattice->dimension;
    tree->brick_level[level] = bytes;
    bytes += below < 40 ? (int64_t)1 << below : (int64_t)1 << 40;
  }
  tree->brick_bytes = bytes;
}

tsr_status tsr_tree_clear(tsr_tree *tree, const tsr_lattice *lattice, tsr_error *error) {
  tsr_bits_free(&tree->has_brick);
  free(tree->bricks);
  tree->bricks = NULL;
  tree->n_bricks = 0;
  for (int level = 0; level <= deepest_dense(lattice); ++level)
    if (tree->dense[level]) {
      memset(tree->dense[level], 0, (size_t)tsr_tree_bytes(tree, level));
    } else {
      tree->dense[level] = tsr_alloc_clear(tsr_tree_bytes(tree, level), 1, "the tree", error);
      if (!tree->dense[level])
        return TSR_NO_MEMORY;
    }
  return TSR_OK;
}

tsr_status tsr_tree_copy(tsr_tree *copy, const tsr_tree *tree, const tsr_lattice *lattice,
                         tsr_error *error) {
  tsr_status status;
  tsr_tree_shape(copy, lattice);
  status = tsr_tree_clear(copy, lattice, error);
  for (int level = 0; status == TSR_OK && level <= TSR_GRID_MAX_LEVEL; ++level)
    if (tree->dense[level])
      memcpy(copy->dense[level], tree->dense[level], (size_t)tsr_tree_bytes(tree, level));
  if (status != TSR_OK || !tree->bricks)
    return status;
  status = tsr_bits_create(&copy->has_brick, 64 * (tree->has_brick.words - 1),
                           "the refined input cells", error);
  if (status != TSR_OK)
    return status;
  memcpy(copy->has_brick.word, tree->has_brick.word,
         (size_t)tree->has_brick.words * sizeof *tree->has_brick.word);
  status = tsr_tree_make_bricks(copy, error);
  if (status == TSR_OK && copy->n_bricks > 0)
    memcpy(copy->bricks, tree->bricks, (size_t)(tree->n_bricks * tree->brick_bytes));
  return status;
}

void tsr_tree_free(tsr_tree *tree) {
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level)
    free(tree->dense[level]);
  tsr_bits_free(&tree->has_brick);
  free(tree->bricks);
  memset(tree, 0, sizeof *tree);
}

tsr_status tsr_tree_make_bricks(tsr_tree *tree, tsr_error *error) {
  tree->n_bricks = tsr_bits_count(&tree->has_brick);
  if (tree->n_bricks > INT64_MAX / 2 / (tree->brick_bytes + 1))
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "%lld refined input cells need %lld bytes each for their levels: too much; "
                    "lower the refine levels",
                    (long long)tree->n_bricks, (long long)tree->brick_bytes);
  tree->bricks =
      tsr_alloc(tree->n_bricks * tree->brick_bytes, 1, "the levels below the input cells", error);
  if (!tree->bricks)
    return TSR_NO_MEMORY;
  memset(tree->bricks, 0, (size_t)(tree->n_bricks * tree->brick_bytes));
  return TSR_OK;
}

void tsr_tree_set(tsr_tree *tree, const tsr_lattice *lattice, int level, const int64_t i[3]) {
  const unsigned char bit = (unsigned char)(1u << tsr_child_number(i));
  _Atomic unsigned char *byte = (_Atomic unsigned char *)tsr_tree_byte(tree, lattice, level, i);
  if (byte && !(atomic_load_explicit(byte, memory_order_relaxed) & bit))
    atomic_fetch_or_explicit(byte, bit, memory_order_relaxed);
}

/* A walk through one level, or through the bricks. */
typedef struct tsr_visit {
  const tsr_grid_input *input;
  const tsr_tree *tree;
  int level;
  tsr_tree_visitor visit;
  void (*visit_brick)(void *data, const int64_t cell[3]);
  void *data;
} tsr_visit;

static void visit_dense_task(void *data, int64_t begin, int64_t end) {
  const tsr_visit *v = data;
  const uint8_t *bytes = v->tree->dense[v->level];
  for (int64_t n = begin; n < end; ++n) {
    uint64_t eight;
    int64_t parent[3];
    while (n + 8 <= end) {
      memcpy(&eight, bytes + n, 8);
      if (eight)
        break;
      n += 8;
    }
    if (n >= end || !bytes[n])
      continue;
    tsr_tree_parent(v->tree, v->level, n, parent);
    v->visit(v->data, v->level, parent, bytes[n]);
  }
}

/* All parents of a level in the brick of `cell`. */
static void visit_brick_level(const tsr_visit *v, const int64_t cell[3]) {
  const tsr_lattice *lattice = &v->input->lattice;
  const int below = v->level - 1 - lattice->coarsen;
  const uint8_t *bytes = v->tree->bricks +
                         tsr_tree_brick(v->tree, lattice->coarsen, cell) * v->tree->brick_bytes +
                         v->tree->brick_level[v->level];
  for (int64_t k = 0; k < (int64_t)1 << (below * lattice->dimension); ++k) {
    int64_t parent[3];
    if (!bytes[k])
      continue;
    tsr_brick_parent(lattice, v->level, cell, k, parent);
    v->visit(v->data, v->level, parent, bytes[k]);
  }
}

static void visit_bricks_task(void *data, int64_t begin, int64_t end) {
  const tsr_visit *v = data;
  const tsr_tree *tree = v->tree;
  for (int64_t w = begin; w < end; ++w) {
    if (!tree->has_brick.word[w])
      continue;
    for (int64_t bit = 64 * w; bit < 64 * w + 64; ++bit) {
      int64_t cell[3];
      if (!tsr_bits_get(&tree->has_brick, bit))
        continue;
      tsr_brick_cell(&v->input->lattice, tree, bit, cell);
      if (v->visit_brick)
        v->visit_brick(v->data, cell);
      else
        visit_brick_level(v, cell);
    }
  }
}

tsr_status tsr_tree_visit(const tsr_grid_input *input, const tsr_tree *tree, int level,
                          tsr_tree_visitor visit, void *data) {
  tsr_visit v = {input, tree, level, visit, NULL, data};
  if (level <= input->lattice.coarsen)
    return tsr_run_task(&input->execution, visit_dense_task, &v, tsr_tree_bytes(tree, level),
                        tsr_tree_grain(input, level), 0.5, 0.5);
  return tsr_run_task(&input->execution, visit_bricks_task, &v,
                      tree->n_bricks > 0 ? tree->has_brick.words : 0, 64, 0.5, 0.5);
}

tsr_status tsr_tree_visit_bricks(const tsr_grid_input *input, const tsr_tree *tree,
                                 void (*visit)(void *data, const int64_t cell[3]), void *data) {
  tsr_visit v = {input, tree, 0, NULL, visit, data};
  return tsr_run_task(&input->execution, visit_bricks_task, &v,
                      tree->n_bricks > 0 ? tree->has_brick.words : 0, 64, 0.45, 0.45);
}
