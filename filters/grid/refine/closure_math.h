/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: what buffer, blocks and balance ask for because of one refined node; closure.c says in
 * which order. The CPU and CUDA run these functions for many nodes at once, each with a function
 * that sets a bit while others set bits beside it. */
#ifndef TSR_GRID_REFINE_CLOSURE_MATH_H
#define TSR_GRID_REFINE_CLOSURE_MATH_H

#include "grid/refine/descent_math.h"

/** Sets d to direction 0 to 26, -1, 0 or 1 along each axis. Number 13 is 0 0 0, no direction. */
TSR_FN void tsr_direction(int number, int64_t d[3]) {
  d[0] = number % 3 - 1;
  d[1] = number / 3 % 3 - 1;
  d[2] = number / 9 - 1;
}

/** Returns the bits of a node's children that touch the neighbour in a direction, if the balance
 * rule includes that direction; else 0. */
TSR_FN unsigned tsr_balance_side(int dimension, tsr_balance balance, int number) {
  int64_t d[3];
  int length = 0, within = 1;
  unsigned bits = 0;
  tsr_direction(number, d);
  for (int a = 0; a < 3; ++a) {
    length += d[a] != 0;
    within = within && (d[a] == 0 || a < dimension);
  }
  for (unsigned k = 0; k < 8; ++k) {
    int touches = within && length > 0 && length <= (int)balance;
    for (int a = 0; a < 3; ++a)
      touches = touches && (d[a] == 0 || (int)((k >> a) & 1) == (d[a] > 0));
    bits |= touches ? 1u << k : 0u;
  }
  return bits;
}

/** What closure works on. */
typedef struct tsr_closing {
  const tsr_lattice *lattice;
  const tsr_grid_options *options;
  const int64_t *whole; /**< extent of the whole grid, as in the view */
  tsr_tree *tree;
  const uint8_t *source;      /**< buffer: a copy of the bytes of this level, or of all bricks */
  const unsigned char *sides; /**< balance: as tsr_closing_sides sets them */
} tsr_closing;

/** Sets the bit of a node, if the tree has room for it, while other threads set theirs. */
typedef void tsr_closing_set(const tsr_closing *it, int level, const int64_t i[3]);

/** By direction: the children on that side if balance looks there, else 0. */
TSR_FN void tsr_closing_sides(int dimension, const tsr_grid_options *o, unsigned char sides[27]) {
  const tsr_balance balance = o->output == TSR_GRID_PATCHES ? TSR_BALANCE_CORNER : o->balance;
  for (int number = 0; number < 27; ++number)
    sides[number] = (unsigned char)tsr_balance_side(dimension, balance, number);
}

/** Sets the nodes of the box [first, last], as far as the tree has them. limited: only those that
 * may be refined in their region. */
TSR_FN void tsr_closing_box(const tsr_closing *it, int level, const int64_t first[3],
                            const int64_t last[3], int limited, tsr_closing_set *set) {
  int64_t q[3];
  for (q[2] = first[2]; q[2] <= last[2]; ++q[2])
    for (q[1] = first[1]; q[1] <= last[1]; ++q[1])
      for (q[0] = first[0]; q[0] <= last[0]; ++q[0])
        if (tsr_node_in_tree(it->lattice, level, q) &&
            (!limited || level < tsr_region_limit(it->lattice, it->options, it->whole, level, q)))
          set(it, level, q);
}

/** Sets the nodes up to `reach` around a node. */
TSR_FN void tsr_closing_around(const tsr_closing *it, int level, const int64_t i[3], int64_t reach,
                               int limited, tsr_closing_set *set) {
  int64_t first[3], last[3];
  for (int a = 0; a < 3; ++a) {
    first[a] = a < it->lattice->dimension ? i[a] - reach : 0;
    last[a] = a < it->lattice->dimension ? i[a] + reach : 0;
  }
  tsr_closing_box(it, level, first, last, limited, set);
}

/** Balance: `children` of a parent, nodes of `level`, are refined, so the parent is, and those of
 * its neighbours that they touch. */
TSR_FN void tsr_closing_balance(const tsr_closing *it, int level, const int64_t parent[3],
                                unsigned children, tsr_closing_set *set) {
  int64_t range[3][2];
  for (int a = 0; a < 3; ++a)
    tsr_level_range(it->lattice, a, level - 1, it->lattice->ghosted[a], range[a]);
  set(it, level - 1, parent);
  for (int number = 0; number < 27; ++number) {
    int64_t d[3], q[3];
    int inside = 1;
    if (!(children & it->sides[number]))
      continue;
    tsr_direction(number, d);
    for (int a = 0; a < 3; ++a) {
      q[a] = parent[a] + d[a];
      inside = inside && q[a] >= range[a][0] && q[a] < range[a][1];
    }
    if (inside)
      set(it, level - 1, q);
  }
}

/** Blocks: a child of the parent is refined, so all nodes of its group are: together they are a
 * block of the next level. */
TSR_FN void tsr_closing_block(const tsr_closing *it, int level, const int64_t parent[3],
                              tsr_closing_set *set) {
  const int64_t group = it->options->block_size / 2;
  int64_t first[3], last[3];
  for (int a = 0; a < 3; ++a) {
    const int has_cells = a < it->lattice->dimension;
    first[a] = has_cells ? 2 * parent[a] / group * group : 0;
    last[a] = has_cells ? first[a] + group - 1 : 0;
  }
  tsr_closing_box(it, level, first, last, 0, set);
}

/** 1 if all neighbours of a node are refined in the source. The buffer around such an inner node
 * lies within the buffers of its neighbours, so only nodes that are not inner need one. */
TSR_FN int tsr_closing_is_inner(const tsr_closing *it, int level, const int64_t i[3]) {
  const uint8_t *from = level <= it->lattice->coarsen ? it->tree->dense[level] : it->tree->bricks;
  for (int number = 0; number < 27; ++number) {
    int64_t d[3], q[3];
    tsr_direction(number, d);
    for (int a = 0; a < 3; ++a)
      q[a] = i[a] + (a < it->lattice->dimension ? d[a] : 0);
    if (!tsr_node_in_tree(it->lattice, level, q))
      continue;
    const uint8_t *byte = tsr_tree_byte(it->tree, it->lattice, level, q);
    if (!byte || !((it->source[byte - from] >> tsr_child_number(q)) & 1))
      return 0;
  }
  return 1;
}

/** Buffer: `children` of a parent, nodes of `level`, are refined, so the nodes around them are. */
TSR_FN void tsr_closing_buffer(const tsr_closing *it, int level, const int64_t parent[3],
                               unsigned children, tsr_closing_set *set) {
  for (unsigned k = 0; k < 8; ++k) {
    int64_t i[3];
    if (!((children >> k) & 1))
      continue;
    tsr_descent_child(it->lattice, parent, k, i);
    if (!tsr_closing_is_inner(it, level, i))
      tsr_closing_around(it, level, i, it->options->buffer_cells, 1, set);
  }
}

/** Bricks: `children` of a parent, input cells, are refined, so rules may refine the cells around
 * them deeper than input cells. `set` says which. */
TSR_FN void tsr_closing_bricks(const tsr_closing *it, int level, const int64_t parent[3],
                               unsigned children, tsr_closing_set *set) {
  const tsr_grid_options *o = it->options;
  const int64_t reach = (o->balance != TSR_BALANCE_NONE) + o->buffer_cells +
                        (o->output == TSR_GRID_PATCHES ? o->block_size : 0);
  for (unsigned k = 0; k < 8; ++k) {
    int64_t i[3];
    if (!((children >> k) & 1))
      continue;
    tsr_descent_child(it->lattice, parent, k, i);
    tsr_closing_around(it, level, i, reach, 0, set);
  }
}

#endif
