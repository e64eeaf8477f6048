/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the leaves of a unit, found slot by slot, where nothing is finer than an input cell. A
 * slot is a node of the level above the input cells, or an input cell where these are the roots; it
 * has the leaves that begin in it:
 *
 *     +-------+---+---+    Four slots. The first has the large leaf, if that begins here, the
 *     |       | 2 | 3 |    second four leaves, each an input cell, the third is a leaf itself.
 *     |  1    +---+---+    Slots follow each other in the order in which children do, so the
 *     |       | 4 | 5 |    leaves of a unit are those of its slots, one after another.
 *     +-------+---+---+
 */
#ifndef TSR_GRID_OUTPUT_UNIT_MATH_H
#define TSR_GRID_OUTPUT_UNIT_MATH_H

#include "grid/lattice_math.h"

#define TSR_UNIT_LEVELS 3 /**< levels of input cells that a unit holds */
#define TSR_UNIT_SLOTS 64 /**< of a unit at most */

TSR_FN int tsr_unit_level(const tsr_lattice *lattice) {
  return lattice->coarsen > TSR_UNIT_LEVELS ? lattice->coarsen - TSR_UNIT_LEVELS : 0;
}

/** Level of the slots: roots, or parents of input cells. Input cells that are roots are leaves
 * here, also where they are divided. */
TSR_FN int tsr_slot_level(const tsr_lattice *lattice) {
  return lattice->coarsen > 1 ? lattice->coarsen - 1 : 0;
}

/** Slots of a unit. */
TSR_FN int tsr_slot_count(const tsr_lattice *lattice) {
  return 1 << (lattice->dimension * (tsr_slot_level(lattice) - tsr_unit_level(lattice)));
}

/** The leaves that begin in a slot: one leaf, or some of the children of one node. */
typedef struct tsr_slot {
  int level;         /**< of the leaves */
  int64_t i[3];      /**< indices of the leaf, or of the children's parent */
  unsigned children; /**< 0: one leaf; else a bit for each child that is a leaf */
  int n;             /**< number of leaves */
} tsr_slot;

/** The node that slot `number` of a unit is. */
TSR_FN void tsr_slot_node(const tsr_lattice *lattice, const int64_t unit[3], int number,
                          int64_t i[3]) {
  const int depth = tsr_slot_level(lattice) - tsr_unit_level(lattice);
  for (int a = 0; a < 3; ++a) {
    i[a] = tsr_shift(lattice, a, unit[a], -depth);
    for (int k = 0; k < depth && a < lattice->dimension; ++k)
      i[a] |= (int64_t)((number >> (k * lattice->dimension + a)) & 1) << k;
  }
}

/** Finds the leaves of a slot. hidden: one an input cell held, or NULL. */
TSR_FN void tsr_slot_leaves(const tsr_lattice *lattice, const tsr_tree *tree, const uint8_t *hidden,
                            const int64_t unit[3], int number, tsr_slot *slot) {
  const int here = tsr_slot_level(lattice);
  int64_t node[3];
  int begins = 1;
  tsr_slot_node(lattice, unit, number, node);
  slot->n = 0;
  slot->children = 0;
  for (int a = 0; a < 3; ++a) {
    slot->i[a] = node[a];
    if (node[a] >= tsr_level_nodes(lattice, a, here))
      return;
  }
  if (here < lattice->coarsen && tsr_tree_get(tree, lattice, here, node)) {
    slot->level = here + 1;
    for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
      int64_t child[3];
      if (tsr_node_child(lattice, here, node, k, child) &&
          !tsr_hidden_node(lattice, hidden, here + 1, child))
        slot->children |= 1u << k;
    }
    slot->n = tsr_popcount(slot->children);
    return;
  }
  slot->level = here; /* the coarsest node that is not refined */
  while (slot->level > 0) {
    int64_t up[3];
    for (int a = 0; a < 3; ++a)
      up[a] = tsr_shift(lattice, a, slot->i[a], 1);
    if (tsr_tree_get(tree, lattice, slot->level - 1, up))
      break;
    --slot->level;
    for (int a = 0; a < 3; ++a)
      slot->i[a] = up[a];
  }
  for (int a = 0; a < 3; ++a)
    begins = begins && tsr_shift(lattice, a, slot->i[a], slot->level - here) == node[a];
  slot->n = begins && !tsr_hidden_node(lattice, hidden, slot->level, slot->i);
}

/** Leaf `which` of a slot's. */
TSR_FN void tsr_slot_leaf(const tsr_lattice *lattice, const tsr_slot *slot, int which,
                          int64_t i[3]) {
  unsigned k = 0;
  for (int a = 0; a < 3; ++a)
    i[a] = slot->i[a];
  if (slot->children == 0)
    return;
  for (int left = which; left > 0 || !((slot->children >> k) & 1); ++k)
    left -= (int)((slot->children >> k) & 1);
  (void)tsr_node_child(lattice, slot->level - 1, slot->i, k, i);
}

#endif
