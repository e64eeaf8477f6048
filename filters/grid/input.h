/* SPDX-License-Identifier: BSD-3-Clause */
/** The first phase of a plan: what the caller gave, checked, and where things are in it. All later
 *  phases only read it. Not public. */
#ifndef TSR_GRID_INPUT_H
#define TSR_GRID_INPUT_H

#include "common/run/backend.h"
#include "common/support.h"
#include "grid/criteria/field_math.h"

typedef struct tsr_grid_input {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_execution execution;
  tsr_lattice lattice;
  tsr_space space;
  uint8_t *hidden;            /**< one an input cell held; NULL: none is hidden */
  int64_t n_hidden;           /**< owned ones */
  struct tsr_cut_table *cuts; /**< of conforming cells; NULL: none */
  void *fetched[3];           /**< coordinates brought from a device, for view; else NULL */
} tsr_grid_input;

/* ---- input/check.c */

/** Copies what the caller gave, over the defaults. Fails where a struct was not set up. */
tsr_status tsr_grid_take_input(tsr_grid_input *input, const tsr_grid_view *view,
                               const tsr_grid_options *options, const tsr_execution *execution,
                               tsr_error *error);

/** Fails with BAD_OPTION and a sentence that names the option. */
tsr_status tsr_grid_check_options(const tsr_grid_options *options, tsr_error *error);

/** Fails with BAD_INPUT; else sets lattice and space. Brings coordinates that lie on a device to
 * the host: there are few of them, and the CPU looks at them, too. */
tsr_status tsr_grid_set_lattice(tsr_grid_input *input, tsr_error *error);

/** Fails with BAD_INPUT where a criterion's array does not fit. */
tsr_status tsr_grid_check_criteria(const tsr_grid_input *input, tsr_error *error);

/** Roots around the owned ones that the result here depends on. */
int64_t tsr_grid_ghost_roots(const tsr_grid_options *options);

/* ---- input/hidden.c */

/** Finds the input cells that are hidden, or have a hidden corner. */
tsr_status tsr_grid_set_hidden(tsr_grid_input *input, tsr_error *error);

/** Owned input cells, hidden or not. */
static inline int64_t tsr_grid_owned_cells(const tsr_lattice *lattice) {
  int64_t n = 1;
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_level_range(lattice, a, lattice->coarsen, lattice->owned[a], range);
    n *= range[1] - range[0];
  }
  return n;
}

/** 1 if the node is hidden: its first input cell, which is held, stands for all of them. */
static inline int tsr_node_hidden(const tsr_grid_input *input, int level, const int64_t i[3]) {
  return tsr_hidden_node(&input->lattice, input->hidden, level, i);
}

/** 1 if output cells are nodes of trees or of patches, not leaves only. */
static inline int tsr_grid_has_states(const tsr_grid_input *input) {
  return input->options.output == TSR_GRID_TREES || input->options.output == TSR_GRID_PATCHES;
}

#endif
