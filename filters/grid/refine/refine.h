/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the steps that refine the tree, in the order in which plan.c takes them. Not public. */
#ifndef TSR_GRID_REFINE_REFINE_H
#define TSR_GRID_REFINE_REFINE_H

#include "grid/backend.h"
#include "grid/criteria/criteria.h"
#include "grid/refine/descent_math.h"

/** What the steps work on: the results of earlier phases, and the tree that they refine. */
typedef struct tsr_refinement {
  const tsr_grid_input *input;
  const tsr_grid_criteria *criteria;
  tsr_measures *measures; /**< measures kept for the search of a budget on the CPU; else NULL */
  tsr_tree *tree;
  tsr_grid_ghosts *ghosts;
  tsr_tree *own; /**< with options.marks: the tree before they were added; else empty */
  tsr_tree
      *asked; /**< receives the tree before closure, for options.keep_marks; NULL: not wanted */
  /** Evaluates the errors of leaves in a round of the guarantee on a device, if it can; or NULL. */
  tsr_status (*check)(void *check_data, tsr_grid_leaf_check *check, tsr_error *error);
  void *check_data;
} tsr_refinement;

/* ---- descent.c: rule 1 of the public header, for the owned roots */

/** Turns the bits that criteria set in the tree into refined nodes, in the levels [first, end), the
 *  last of which is at most that of the input cells. Levels before `first` must be done. */
tsr_status tsr_descend(const tsr_refinement *it, int first, int end, tsr_error *error);

/** Refines the levels below the input cells. Stops when this process has more than `most` leaves.
 */
tsr_status tsr_descend_parts(const tsr_refinement *it, int64_t most, tsr_error *error);

/* ---- marks.c */

/** Fails with BAD_OPTION if a node of options.marks is not in the grid, or cannot be refined. */
tsr_status tsr_marks_check(const tsr_grid_input *input, tsr_error *error);

/** Refines the nodes of options.marks in the levels [first, end), and their ancestors. The first
 * call copies the tree to it->own before. */
tsr_status tsr_marks_add(const tsr_refinement *it, int first, int end, tsr_error *error);

/** Lists the refined nodes of a tree in the roots owned here. nodes: receives *n of them (malloc).
 */
tsr_status tsr_marks_list(const tsr_grid_input *input, const tsr_tree *tree, tsr_grid_node **nodes,
                          int64_t *n, tsr_error *error);

/* ---- closure.c */

/** Makes buffer, blocks and balance: rules 2 and 3 of the public header. */
tsr_status tsr_closure_make(const tsr_refinement *it, tsr_error *error);

/* ---- guarantee.c */

/** Exchanges ghosts and makes the closure; if there is an interpolation error, repeats both until
 *  every leaf is within it: rule 4 of the public header. Collective. */
tsr_status tsr_closure_guarantee(const tsr_refinement *it, tsr_error *error);

/** Nodes at this level and deeper are refined neither by criteria nor by the buffer. */
static inline int tsr_refinement_limit(const tsr_grid_input *input, int level, const int64_t i[3]) {
  return tsr_region_limit(&input->lattice, &input->options, input->view.whole, level, i);
}

/** 1 if the node lies in a root that this process owns. */
static inline int tsr_node_is_owned(const tsr_lattice *lattice, int level, const int64_t i[3]) {
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_level_range(lattice, a, level, lattice->owned[a], range);
    if (i[a] < range[0] || i[a] >= range[1])
      return 0;
  }
  return 1;
}

#endif
