// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/scan.cuh"
#include "cuda/grid/plan.cuh"

tsr_status tsr_grid_sum(tsr_grid_device *grid, int64_t *counts, int64_t n, int64_t *total,
                        const char *doing, tsr_error *error) {
  TSR_STEP(tsr_scan_counts(counts, n, &grid->memory, grid->stream, error));
  TSR_STEP(tsr_bring(grid->waves->totals, counts + n, sizeof *counts, grid->stream, doing, error));
  *total = (int64_t)grid->waves->totals[0];
  return TSR_OK;
}
