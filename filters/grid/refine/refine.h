/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the steps that refine the tree, in the order in which plan.c takes them. Not public. */
#ifndef TSR_GRID_REFINE_H
#define TSR_GRID_REFINE_H

#include "grid/backend.h"
#include "grid/criteria/criteria.h"
#include "grid/refine/descent_math.h"

/** What the steps work on: earlier phases, and the tree that becomes one. */
typedef struct tsr_refinement {
  const tsr_grid_input *input;
  const tsr_grid_criteria *criteria;
  tsr_measures *measures; /**< while a budget is searched on the CPU; else NULL */
  tsr_tree *tree;
  tsr_grid_ghosts *ghosts;
  tsr_tree *own;   /**< with marks from elsewhere: the tree before they came; else empty */
  tsr_tree *asked; /**< receives the tree that the closure is made around; NULL: not wanted */
  /** Looks at the leaves of a round of the guarantee elsewhere, if it can. */
  tsr_status (*look)(void *look_data, tsr_grid_look *look, tsr_error *error);
  void *look_data;
} tsr_refinement;

/* ---- descent.c: rule 1 of the public header, for the owned roots */

/** From marks, what criteria ask for, to refined nodes: the levels [first, end), none of which is
 *  below the input cells. The levels above are done. */
tsr_status tsr_descend(const tsr_refinement *it, int first, int end, tsr_error *error);

/** The levels below the input cells; stops where this process has more than `most` leaves. */
tsr_status tsr_descend_parts(const tsr_refinement *it, int64_t most, tsr_error *error);

/* ---- marks.c */

/** Fails with BAD_OPTION where the grid has not, or cannot refine, a node of options.marks. */
tsr_status tsr_marks_check(const tsr_grid_input *input, tsr_error *error);

/** Refines the nodes of options.marks, of the levels [first, end), and those above them. The first
 *  call keeps what the tree was before. */
tsr_status tsr_marks_add(const tsr_refinement *it, int first, int end, tsr_error *error);

/** The refined nodes of a tree in the roots owned here, into *nodes (malloc) and *n. */
tsr_status tsr_marks_list(const tsr_grid_input *input, const tsr_tree *tree, tsr_grid_node **nodes,
                          int64_t *n, tsr_error *error);

/* ---- closure.c */

/** Buffer, blocks, balance: the rules 2 and 3 of the public header. */
tsr_status tsr_closure_make(const tsr_refinement *it, tsr_error *error);

/* ---- guarantee.c */

/** Ghosts and closure, and, where there is an interpolation error, again and again until every leaf
 *  fulfils it: rule 4. All processes take part. */
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
