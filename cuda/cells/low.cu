// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/cells/low.cuh"

#define TSR_EDGE_NODES 5 // TSR_CELLS_LOW_DEGREE + 1, which is not known yet
#include "cuda/cells/kernels.cuh"

static_assert(TSR_EDGE_NODES == TSR_CELLS_LOW_DEGREE + 1, "arrays of another length");

void tsr_cells_run_low(tsr_executor *executor) {
  executor->steps = launches;
  executor->reductions = reductions;
}
