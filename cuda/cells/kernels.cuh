// SPDX-License-Identifier: BSD-3-Clause
// The steps of curved cells as kernels, for one length of the arrays in them: TSR_EDGE_NODES may be
// defined before this is included. All names are of the file that includes it, since another one
// has kernels with arrays of another length.
#ifndef TSR_CELLS_KERNELS_CUH
#define TSR_CELLS_KERNELS_CUH

#include "cells/backend.h"
#include "cuda/common/executor.cuh"

namespace {

static_assert(sizeof(tsr_cells_facts) * tsr_policy::block <= tsr_policy::shared_unasked,
              "a block has no room for the facts of its threads");

TSR_CELLS_STEPS(TSR_STEP_KERNEL)
TSR_CELLS_REDUCTIONS(TSR_REDUCTION_KERNEL)

const tsr_launch launches[] = {TSR_CELLS_STEPS(TSR_STEP_ENTRY)};
const tsr_reduction_launch *const reductions[] = {TSR_CELLS_REDUCTIONS(TSR_REDUCTION_ENTRY)};

} // namespace

#endif
