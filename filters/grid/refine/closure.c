/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the nodes that must be refined because others are: buffer, blocks, balance. */
#include "grid/plan.h"

#include <stdlib.h>
#include <string.h>

int tsr_grid_limit(const tsr_grid_plan *plan, int level, const int64_t i[3]) {
  return tsr_region_limit(&plan->lattice, &plan->options, plan->view.whole, level, i);
}

int64_t tsr_grid_reach(const tsr_grid_options *options) {
  const int64_t block = options->output == TSR_GRID_PATCHES ? options->block_size : 0;
  return 2 + options->buffer_cells + block;
}

typedef struct tsr_close {
  tsr_grid_plan *plan;
  const tsr_tree *source;  /* the buffer: the tree before it */
  unsigned char sides[27]; /* children that touch the side [direction], of rules in force; else 0 */
} tsr_close;

/* Directions are numbered 0 to 26; 13 is none. */
static void tsr_direction(int number, int64_t d[3]) {
  d[0] = number % 3 - 1;
  d[1] = number / 3 % 3 - 1;
  d[2] = number / 9 - 1;
}

/* The children on the side of each direction that a balance rule looks at. */
static void tsr_close_sides(tsr_close *it, tsr_balance balance) {
  for (int number = 0; number < 27; ++number) {
    int64_t d[3];
    int length = 0, within = 1;
    tsr_direction(number, d);
    for (int a = 0; a < 3; ++a) {
      length += d[a] != 0;
      within = within && (d[a] == 0 || a < it->plan->lattice.dimension);
    }
    it->sides[number] = 0;
    for (unsigned k = 0; k < 8; ++k) {
      int touches = within && length > 0 && length <= (int)balance;
      for (int a = 0; a < 3; ++a)
        touches = touches && (d[a] == 0 || (int)((k >> a) & 1) == (d[a] > 0));
      if (touches)
        it->sides[number] |= (unsigned char)(1u << k);
    }
  }
}

static void tsr_close_parent(void *data, int level, const int64_t parent[3], unsigned children) {
  const tsr_close *it = data;
  const tsr_lattice *lattice = &it->plan->lattice;
  tsr_tree_set(&it->plan->tree, lattice, level - 1, parent);
  for (int number = 0; number < 27; ++number) {
    int64_t d[3], q[3];
    if (!(children & it->sides[number]))
      continue;
    tsr_direction(number, d);
    for (int a = 0; a < 3; ++a)
      q[a] = parent[a] + d[a];
    if (tsr_node_in_tree(lattice, level - 1, q))
      tsr_tree_set(&it->plan->tree, lattice, level - 1, q);
  }
}

/* Sets all nodes of the box [first, last], as far as they exist and are known. */
static void tsr_close_set_box(tsr_grid_plan *plan, int level, const int64_t first[3],
                              const int64_t last[3], int limited) {
  int64_t q[3];
  for (q[2] = first[2]; q[2] <= last[2]; ++q[2])
    for (q[1] = first[1]; q[1] <= last[1]; ++q[1])
      for (q[0] = first[0]; q[0] <= last[0]; ++q[0])
        if (tsr_node_in_tree(&plan->lattice, level, q) &&
            (!limited || level < tsr_grid_limit(plan, level, q)))
          tsr_tree_set(&plan->tree, &plan->lattice, level, q);
}

/* A refined node has all nodes of its group refined: together they are a block of the next level.
 */
static void tsr_close_block(void *data, int level, const int64_t parent[3], unsigned children) {
  const tsr_close *it = data;
  const int64_t group = it->plan->options.block_size / 2;
  int64_t first[3], last[3];
  (void)children;
  for (int a = 0; a < 3; ++a) {
    const int has_cells = a < it->plan->lattice.dimension;
    first[a] = has_cells ? 2 * parent[a] / group * group : 0;
    last[a] = has_cells ? first[a] + group - 1 : 0;
  }
  tsr_close_set_box(it->plan, level, first, last, 0);
}

/* 1 if all neighbours that exist and are known are refined, too: they reach further than it. */
static int tsr_close_is_inner(const tsr_close *it, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &it->plan->lattice;
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

static void tsr_close_buffer(void *data, int level, const int64_t parent[3], unsigned children) {
  const tsr_close *it = data;
  const int64_t b = it->plan->options.buffer_cells;
  for (unsigned k = 0; k < 8; ++k) {
    int64_t i[3], first[3], last[3];
    if (!((children >> k) & 1))
      continue;
    for (int a = 0; a < 3; ++a) {
      const int has_cells = a < it->plan->lattice.dimension;
      i[a] = has_cells ? 2 * parent[a] + ((k >> a) & 1) : 0;
      first[a] = has_cells ? i[a] - b : 0;
      last[a] = has_cells ? i[a] + b : 0;
    }
    if (!tsr_close_is_inner(it, level, i))
      tsr_close_set_box(it->plan, level, first, last, 1);
  }
}

/* Marks the cells around a refined input cell that rules may refine deeper than it. */
static void tsr_close_mark_bricks(void *data, int level, const int64_t parent[3],
                                  unsigned children) {
  const tsr_close *it = data;
  tsr_tree *tree = &it->plan->tree;
  const tsr_grid_options *o = &it->plan->options;
  const int64_t reach = (o->balance != TSR_BALANCE_NONE) + o->buffer_cells +
                        (o->output == TSR_GRID_PATCHES ? o->block_size : 0);
  for (unsigned k = 0; k < 8; ++k) {
    int64_t first[3], last[3], q[3];
    if (!((children >> k) & 1))
      continue;
    for (int a = 0; a < 3; ++a) {
      const int has_cells = a < it->plan->lattice.dimension;
      const int64_t i = has_cells ? 2 * parent[a] + ((k >> a) & 1) : 0;
      first[a] = has_cells ? i - reach : 0;
      last[a] = has_cells ? i + reach : 0;
    }
    for (q[2] = first[2]; q[2] <= last[2]; ++q[2])
      for (q[1] = first[1]; q[1] <= last[1]; ++q[1])
        for (q[0] = first[0]; q[0] <= last[0]; ++q[0])
          if (tsr_node_in_tree(&it->plan->lattice, level, q))
            tsr_bits_set(&tree->has_brick,
                         8 * tsr_tree_dense_at(tree, level, q) + tsr_child_number(q));
  }
}

static int64_t tsr_close_level_bytes(const tsr_tree *tree, int level) {
  return tree->size[level][0] * tree->size[level][1] * tree->size[level][2];
}

/* Gives bricks to all cells that rules may refine, and keeps those that are there. */
static tsr_status tsr_close_bricks(tsr_close *it, tsr_error *error) {
  const tsr_lattice *lattice = &it->plan->lattice;
  tsr_tree *tree = &it->plan->tree;
  tsr_tree old = *tree;
  tsr_status status;
  memset(&tree->has_brick, 0, sizeof tree->has_brick);
  tree->bricks = NULL;
  status = tsr_bits_create(&tree->has_brick, 8 * tsr_close_level_bytes(tree, lattice->coarsen),
                           "the refined input cells", error);
  if (status == TSR_OK)
    status = tsr_tree_visit(it->plan, &old, lattice->coarsen, tsr_close_mark_bricks, it);
  if (status == TSR_OK)
    status = tsr_tree_make_bricks(tree, lattice, error);
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

/* Lets `visit` add nodes to the level that it reads: it reads a copy. */
static tsr_status tsr_close_level(tsr_close *it, int level, tsr_tree_visitor visit,
                                  tsr_error *error) {
  const int dense = level <= it->plan->lattice.coarsen;
  tsr_tree copy = it->plan->tree;
  const uint8_t *from = dense ? copy.dense[level] : copy.bricks;
  const int64_t bytes =
      dense ? tsr_close_level_bytes(&copy, level) : copy.n_bricks * copy.brick_bytes;
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
  status = tsr_tree_visit(it->plan, &copy, level, visit, it);
  free(bits);
  return status;
}

tsr_status tsr_grid_close(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_options *o = &plan->options;
  const tsr_lattice *lattice = &plan->lattice;
  tsr_close it = {plan, NULL, {0}};
  tsr_status status = TSR_OK;
  tsr_close_sides(&it, o->output == TSR_GRID_PATCHES ? TSR_BALANCE_CORNER : o->balance);
  if (lattice->levels > lattice->coarsen + 1) {
    status = tsr_close_bricks(&it, error);
    if (status == TSR_OK)
      tsr_grid_import(plan);
  }
  for (int level = 0; o->buffer_cells > 0 && level < lattice->levels && status == TSR_OK; ++level)
    status = tsr_close_level(&it, level, tsr_close_buffer, error);
  for (int level = lattice->levels - 1; level >= 0 && status == TSR_OK; --level) {
    if (o->output == TSR_GRID_PATCHES && o->block_size > 2)
      status = tsr_close_level(&it, level, tsr_close_block, error);
    if (status == TSR_OK && level > 0)
      status = tsr_tree_visit(plan, &plan->tree, level, tsr_close_parent, &it);
  }
  if (status == TSR_ABORTED)
    return tsr_fail(error, status, -1, "stopped while the grid was balanced");
  return status;
}
