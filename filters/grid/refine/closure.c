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

typedef struct tsr_closure {
  const tsr_grid_input *input;
  tsr_tree *tree;
  const tsr_tree *source;  /* blocks, buffer: the tree as it was before this level's visit */
  unsigned char sides[27]; /* by direction: children on that side, if balance looks there; else 0 */
} tsr_closure;

/* The children on the side of each direction that a balance rule looks at. */
static void set_sides(tsr_closure *it, tsr_balance balance) {
  for (int number = 0; number < 27; ++number)
    it->sides[number] =
        (unsigned char)tsr_balance_side(it->input->lattice.dimension, balance, number);
}

static void balance_visit(void *data, int level, const int64_t parent[3], unsigned children) {
  const tsr_closure *it = data;
  const tsr_lattice *lattice = &it->input->lattice;
  tsr_tree_set(it->tree, lattice, level - 1, parent);
  for (int number = 0; number < 27; ++number) {
    int64_t d[3], q[3];
    if (!(children & it->sides[number]))
      continue;
    tsr_direction(number, d);
    for (int a = 0; a < 3; ++a)
      q[a] = parent[a] + d[a];
    if (tsr_node_in_tree(lattice, level - 1, q))
      tsr_tree_set(it->tree, lattice, level - 1, q);
  }
}

/* Sets all nodes of the box [first, last], as far as they exist and the tree here has them. */
static void set_box(const tsr_closure *it, int level, const int64_t first[3], const int64_t last[3],
                    int limited) {
  int64_t q[3];
  for (q[2] = first[2]; q[2] <= last[2]; ++q[2])
    for (q[1] = first[1]; q[1] <= last[1]; ++q[1])
      for (q[0] = first[0]; q[0] <= last[0]; ++q[0])
        if (tsr_node_in_tree(&it->input->lattice, level, q) &&
            (!limited || level < tsr_refinement_limit(it->input, level, q)))
          tsr_tree_set(it->tree, &it->input->lattice, level, q);
}

/* A refined node has all nodes of its group refined: together they are a block of the next level.
 */
static void block_visit(void *data, int level, const int64_t parent[3], unsigned children) {
  const tsr_closure *it = data;
  const int64_t group = it->input->options.block_size / 2;
  int64_t first[3], last[3];
  (void)children;
  for (int a = 0; a < 3; ++a) {
    const int has_cells = a < it->input->lattice.dimension;
    first[a] = has_cells ? 2 * parent[a] / group * group : 0;
    last[a] = has_cells ? first[a] + group - 1 : 0;
  }
  set_box(it, level, first, last, 0);
}

/* 1 if all neighbours of a refined node are refined, too. The buffer around such an inner node lies
 * within the buffers of its neighbours, so only nodes that are not inner need to be buffered. */
static int is_inner(const tsr_closure *it, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &it->input->lattice;
  for (int number = 0; number < 27; ++number) {
    int64_t d[3], q[3];
    tsr_direction(number, d);
    for (int a = 0; a < 3; ++a)
      q[a] = i[a] + (a < lattice->dimension ? d[a] : 0);
    if (tsr_node_in_tree(lattice, level, q) && !tsr_tree_get(it->source, lattice, level, q))
      return 0;
  }
  return 1;
}

static void buffer_visit(void *data, int level, const int64_t parent[3], unsigned children) {
  const tsr_closure *it = data;
  const int64_t b = it->input->options.buffer_cells;
  for (unsigned k = 0; k < 8; ++k) {
    int64_t i[3], first[3], last[3];
    if (!((children >> k) & 1))
      continue;
    for (int a = 0; a < 3; ++a) {
      const int has_cells = a < it->input->lattice.dimension;
      i[a] = has_cells ? 2 * parent[a] + ((k >> a) & 1) : 0;
      first[a] = has_cells ? i[a] - b : 0;
      last[a] = has_cells ? i[a] + b : 0;
    }
    if (!is_inner(it, level, i))
      set_box(it, level, first, last, 1);
  }
}

/* Marks the cells around a refined input cell that rules may refine deeper than it. */
static void brick_visit(void *data, int level, const int64_t parent[3], unsigned children) {
  const tsr_closure *it = data;
  tsr_tree *tree = it->tree;
  const tsr_grid_options *o = &it->input->options;
  const int64_t reach = (o->balance != TSR_BALANCE_NONE) + o->buffer_cells +
                        (o->output == TSR_GRID_PATCHES ? o->block_size : 0);
  for (unsigned k = 0; k < 8; ++k) {
    int64_t first[3], last[3], q[3];
    if (!((children >> k) & 1))
      continue;
    for (int a = 0; a < 3; ++a) {
      const int has_cells = a < it->input->lattice.dimension;
      const int64_t i = has_cells ? 2 * parent[a] + ((k >> a) & 1) : 0;
      first[a] = has_cells ? i - reach : 0;
      last[a] = has_cells ? i + reach : 0;
    }
    for (q[2] = first[2]; q[2] <= last[2]; ++q[2])
      for (q[1] = first[1]; q[1] <= last[1]; ++q[1])
        for (q[0] = first[0]; q[0] <= last[0]; ++q[0])
          if (tsr_node_in_tree(&it->input->lattice, level, q))
            tsr_bits_set(&tree->has_brick,
                         8 * tsr_tree_dense_at(tree, level, q) + tsr_child_number(q));
  }
}

/* Gives bricks to all cells that closure may refine below input level. Those that are there stay.
 */
static tsr_status make_bricks(tsr_closure *it, tsr_error *error) {
  const tsr_lattice *lattice = &it->input->lattice;
  tsr_tree *tree = it->tree;
  tsr_tree old = *tree;
  tsr_status status;
  memset(&tree->has_brick, 0, sizeof tree->has_brick);
  tree->bricks = NULL;
  status = tsr_bits_create(&tree->has_brick, 8 * tsr_tree_bytes(tree, lattice->coarsen),
                           "the refined input cells", error);
  if (status == TSR_OK)
    status = tsr_tree_visit(it->input, &old, lattice->coarsen, brick_visit, it);
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
static tsr_status visit_copy(tsr_closure *it, int level, tsr_tree_visitor visit, tsr_error *error) {
  const int dense = level <= it->input->lattice.coarsen;
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
  it->source = &copy;
  status = tsr_tree_visit(it->input, &copy, level, visit, it);
  free(bits);
  return status;
}

tsr_status tsr_closure_make(const tsr_refinement *of, tsr_error *error) {
  const tsr_grid_options *o = &of->input->options;
  const tsr_lattice *lattice = &of->input->lattice;
  tsr_closure it = {of->input, of->tree, NULL, {0}};
  tsr_status status = TSR_OK;
  set_sides(&it, o->output == TSR_GRID_PATCHES ? TSR_BALANCE_CORNER : o->balance);
  if (lattice->levels > lattice->coarsen + 1) {
    status = make_bricks(&it, error);
    if (status == TSR_OK)
      tsr_ghosts_add(of->input, of->ghosts, of->tree);
  }
  for (int level = 0; o->buffer_cells > 0 && level < lattice->levels && status == TSR_OK; ++level)
    status = visit_copy(&it, level, buffer_visit, error);
  for (int level = lattice->levels - 1; level >= 0 && status == TSR_OK; --level) {
    if (o->output == TSR_GRID_PATCHES && o->block_size > 2)
      status = visit_copy(&it, level, block_visit, error);
    if (status == TSR_OK && level > 0)
      status = tsr_tree_visit(of->input, of->tree, level, balance_visit, &it);
  }
  if (status == TSR_ABORTED)
    return tsr_fail(error, status, -1, "stopped while the grid was balanced");
  return status;
}
