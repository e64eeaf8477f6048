/* SPDX-License-Identifier: BSD-3-Clause */
/** Where the steps of a fill read and write: on the CPU the caller's arrays, on a device copies.
 *  Not public. */
#ifndef TSR_CELLS_PLACED_H
#define TSR_CELLS_PLACED_H

#include "cells/plan.h"

/** An array that the steps write. */
typedef struct tsr_cells_copy {
  void *host;    /**< the array of the caller */
  void *there;   /**< the copy on the device, memory of the executor */
  int64_t bytes; /**< size of either */
} tsr_cells_copy;

/** The arrays of a fill. All zero: none. */
typedef struct tsr_cells_placed {
  tsr_cells_copy *copies; /**< (malloc) n_copies; none on the CPU, which writes in place */
  int n_copies;
  void **inputs; /**< (malloc) n_inputs arrays that the executor has for this fill */
  int n_inputs;
  tsr_cells_target *targets; /**< the executor's; filler->points and cells point into it */
} tsr_cells_placed;

/** Sets all members of *filler that point to arrays of the output, and to those they are made of.
 * it: all zero; the caller closes it, also after a failure. */
tsr_status tsr_cells_placed_open(tsr_cells_placed *it, tsr_cells_plan *plan,
                                 const tsr_cells_output *out, tsr_cells_filler *filler,
                                 tsr_error *error);

/** Waits for all steps, and copies what they wrote to the caller's arrays. */
tsr_status tsr_cells_placed_bring(const tsr_cells_placed *it, tsr_cells_plan *plan,
                                  tsr_error *error);

/** Frees everything. */
void tsr_cells_placed_close(tsr_cells_placed *it, tsr_cells_plan *plan);

#endif
