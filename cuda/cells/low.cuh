// SPDX-License-Identifier: BSD-3-Clause
// The kernels for cells of degree up to TSR_CELLS_LOW_DEGREE.
#ifndef TSR_CELLS_LOW_CUH
#define TSR_CELLS_LOW_CUH

#include "common/run/executor.h"

// Lets an executor on a device run them.
void tsr_cells_run_low(tsr_executor *executor);

#endif
