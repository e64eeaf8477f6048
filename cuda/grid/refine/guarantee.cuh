// SPDX-License-Identifier: BSD-3-Clause
// A round of the guarantee, as filters/grid/refine/guarantee.c has it.
#ifndef TSR_GRID_GUARANTEE_CUH
#define TSR_GRID_GUARANTEE_CUH

#include "cuda/grid/whole.cuh"

// Looks at the leaves that the closure made, and at those that are cut; adds those that ask for
// more to the tree before closure. again: a round came before. *added: 1 if there was any.
tsr_status tsr_grid_look_again(tsr_grid_device *grid, const tsr_grid_job *job, bool again,
                               int *added, tsr_error *error);

#endif
