/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the closure, the nodes that must be refined because others are.
 *
 *     buffer                  balance
 *     . . . . . .             +-------+---+   The large leaf touches leaves two levels finer. The
 *     . b b b . .             |       |   |   parent of those is refined, so the neighbours of that
 *     . b R b . .             |       +-+-+   parent must exist: their parent is refined, too.
 *     . b b b . .             +-------+-+-+
 *
 * The buffer b of a node R that criteria refined comes first, from the roots down. Blocks (patches
 * only: nodes are refined in groups that make a patch of the next level) and balance follow, from
 * the finest level up: what they add to a level asks only for nodes of coarser levels, so one visit
 * a level is enough.
 */
#include "grid/refine/closure_math.h"
#include "grid/refine/refine.h"

#include <stdlib.h>
#include <string.h>

static void set_node(const tsr_closing *it, int level, const int64_t i[3]) {
  tsr_tree_set(it->tree, it->lattice, level, i);
}

static void set_brick(const tsr_closing *it, int level, const int64_t i[3]) {
  tsr_bits_set(&it->tree->has_brick,
               8 * tsr_tree_dense_at(it->tree, level, i) + tsr_child_number(i));
}

static void balance_visit(void *data, int level, const int64_t parent[3], unsigned children) {
  tsr_closing_balance(data, level, parent, children, set_node);
}

static void block_visit(void *data, int level, const int64_t parent[3], unsigned children) {
  (void)children;
  tsr_closing_block(data, level, parent, set_node);
}

static void buffer_visit(void *data, int level, const int64_t parent[3], unsigned children) {
  tsr_closing_buffer(data, level, parent, children, set_node);
}

static void brick_visit(void *data, int level, const int64_t parent[3], unsigned children) {
  tsr_closing_bricks(data, level, parent, children, set_brick);
}

/* Gives bricks to all cells that closure may refine below input level. Existing bricks stay. */
static tsr_status make_bricks(const tsr_grid_input *input, tsr_closing *it, tsr_error *error) {
  const tsr_lattice *lattice = it->lattice;
  tsr_tree *tree = it->tree;
  tsr_tree old = *tree;
  tsr_status status;
  memset(&tree->has_brick, 0, sizeof tree->has_brick);
  tree->bricks = NULL;
  status = tsr_bits_create(&tree->has_brick, 8 * tsr_tree_bytes(tree, lattice->coarsen),
                           "the refined input cells", error);
  if (status == TSR_OK)
    status = tsr_tree_visit(input, &old, lattice->coarsen, brick_visit, it);
  if (status == TSR_OK)
    status = tsr_tree_make_bricks(tree, error);
  for (int64_t bit = 0; status == TSR_OK && old.bricks && bit < 64 * old.has_brick.words; ++bit)
    if (old.has_brick.word[bit >> 6] && tsr_bits_get(&old.has_brick, bit) &&
        tsr_bits_get(&tree->has_brick, bit))
      memcpy(tree->bricks + tsr_bits_rank(&tree->has_brick, bit) * tree->brick_bytes,
             old.bricks + tsr_bits_rank(&old.has_brick, bit) * tree->brick_bytes,
             (size_t)tree->brick_bytes);
  tsr_bits_free(&old.has_brick);
  free(old.bricks);
  return status;
}

/* As tsr_tree_visit, for visits that add nodes to the level that they go through: they go through a
 * copy of it. */
static tsr_status visit_copy(const tsr_grid_input *input, tsr_closing *it, int level,
                             tsr_tree_visitor visit, tsr_error *error) {
  const int dense = level <= it->lattice->coarsen;
  tsr_tree copy = *it->tree;
  const uint8_t *from = dense ? copy.dense[level] : copy.bricks;
  const int64_t bytes = dense ? tsr_tree_bytes(&copy, level) : copy.n_bricks * copy.brick_bytes;
  uint8_t *bits = tsr_alloc(bytes, 1, "a copy of a level of the grid", error);
  tsr_status status;
  if (!bits)
    return TSR_NO_MEMORY;
  memcpy(bits, from, (size_t)bytes);
  if (dense)
    copy.dense[level] = bits;
  else
    copy.bricks = bits;
  it->source = bits;
  status = tsr_tree_visit(input, &copy, level, visit, it);
  free(bits);
  return status;
}

tsr_status tsr_closure_make(const tsr_refinement *of, tsr_error *error) {
  const tsr_grid_options *o = &of->input->options;
  const tsr_lattice *lattice = &of->input->lattice;
  unsigned char sides[27];
  tsr_closing it = {lattice, o, of->input->view.whole, of->tree, NULL, sides};
  tsr_status status = TSR_OK;
  tsr_closing_sides(lattice->dimension, o, sides);
  if (lattice->levels > lattice->coarsen + 1) {
    status = make_bricks(of->input, &it, error);
    if (status == TSR_OK)
      tsr_ghosts_add(of->input, of->ghosts, of->tree);
  }
  for (int level = 0; o->buffer_cells > 0 && level < lattice->levels && status == TSR_OK; ++level)
    status = visit_copy(of->input, &it, level, buffer_visit, error);
  for (int level = lattice->levels - 1; level >= 0 && status == TSR_OK; --level) {
    if (o->output == TSR_GRID_PATCHES && o->block_size > 2)
      status = visit_copy(of->input, &it, level, block_visit, error);
    if (status == TSR_OK && level > 0)
      status = tsr_tree_visit(of->input, of->tree, level, balance_visit, &it);
  }
  if (status == TSR_ABORTED)
    return tsr_fail(error, status, -1, "stopped while the grid was balanced");
  return status;
}
