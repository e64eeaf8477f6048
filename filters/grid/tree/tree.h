/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the tree phase. Storage of the tree of refined nodes, and walks through it. Not public.
 *
 * One bit says whether a node is refined, and a byte holds the bits of the children of one parent:
 *
 *     level 0  [ 01 ]               two roots, the first one refined        dense boxes of bytes,
 *     level 1  [ 10 | 00 ]          a byte for each root: its children       down to the level
 *     level 2  [ 00 | 11 | .. ]     a byte for each node of level 1          of the input cells
 *                     ||
 *               brick 0, brick 1    all bytes of the levels below one input cell, for the input
 *                                   cells that need them (bits has_brick say which)
 *
 * (In one dimension; in 3D a byte has eight bits.) A dense level is a box over the roots of the
 * tree here, so a node's byte is found by arithmetic. Below the input cells few nodes are refined:
 * there the number of a cell's brick is the number of bits before its own in has_brick.
 */
#ifndef TSR_GRID_TREE_TREE_H
#define TSR_GRID_TREE_TREE_H

#include "grid/input.h"

/** Sets the sizes of the levels, without memory: a device has its own. */
void tsr_tree_shape(tsr_tree *tree, const tsr_lattice *lattice);

/** Clears all bits and frees the bricks. Allocates the dense levels that have no memory yet. */
tsr_status tsr_tree_clear(tsr_tree *tree, const tsr_lattice *lattice, tsr_error *error);

/** A copy with its own memory. */
tsr_status tsr_tree_copy(tsr_tree *copy, const tsr_tree *tree, const tsr_lattice *lattice,
                         tsr_error *error);

void tsr_tree_free(tsr_tree *tree);

/** Bytes of a dense level. */
static inline int64_t tsr_tree_bytes(const tsr_tree *tree, int level) {
  return tree->size[level][0] * tree->size[level][1] * tree->size[level][2];
}

/** Bytes of a dense level in a piece of work: 512; where interpolation errors are looked at, in
 * each level above the one just above the input cells as many as have the same number of input
 * cells. With 512 bytes of every level, 257 cubed has eight pieces of roots: the descent in them
 * then takes 1.6 times as long as if 16 threads shared it evenly. Other criteria do the same work
 * for a node of any level. */
static inline int64_t tsr_tree_grain(const tsr_grid_input *input, int level) {
  const tsr_lattice *lattice = &input->lattice;
  int up = lattice->dimension * (lattice->coarsen - 1 - level), looks = 0;
  for (int r = 0; r < input->options.n_criteria; ++r)
    looks = looks || input->options.criteria[r].measure == TSR_MEASURE_INTERPOLATION_ERROR;
  up = looks ? up : 0;
  return up <= 0 ? 512 : up < 9 ? 512 >> up : 1;
}

/** Makes bricks, all bits 0, for the input cells whose bits are set in has_brick. */
tsr_status tsr_tree_make_bricks(tsr_tree *tree, tsr_error *error);

/** Sets the node's bit. Any number of threads may do so at once. */
void tsr_tree_set(tsr_tree *tree, const tsr_lattice *lattice, int level, const int64_t i[3]);

/** n bits, all 0. */
tsr_status tsr_bits_create(tsr_bits *bits, int64_t n, const char *what, tsr_error *error);
void tsr_bits_free(tsr_bits *bits);

/** Counts the bits before each word; returns how many bits there are. */
int64_t tsr_bits_count(tsr_bits *bits);

/** Called with the children of `parent`, a node of level - 1, that are refined. */
typedef void (*tsr_tree_visitor)(void *data, int level, const int64_t parent[3], unsigned children);

/** Calls visit for every parent of `tree` with refined children of `level`, in parallel. */
tsr_status tsr_tree_visit(const tsr_grid_input *input, const tsr_tree *tree, int level,
                          tsr_tree_visitor visit, void *data);

/** Calls visit(data, cell) for every input cell with a brick, in parallel. */
tsr_status tsr_tree_visit_bricks(const tsr_grid_input *input, const tsr_tree *tree,
                                 void (*visit)(void *data, const int64_t cell[3]), void *data);

#endif
