// SPDX-License-Identifier: BSD-3-Clause
// Curved cells on the device: all work is steps, which are kernels here.
#include "cuda/cells/kernels.cuh"
#include "cuda/cells/low.cuh"
#include "cuda/common/memory/kept.cuh"

struct tsr_cells_device : tsr_opened {};

namespace {

tsr_status open(const tsr_execution *execution, int64_t keep_bytes, tsr_report *report,
                tsr_cells_device **made, tsr_executor *executor, tsr_error *error) {
  TSR_STEP(tsr_open_steps(execution, report, made, executor, launches, reductions, error));
  tsr_kept_begin(*made, keep_bytes);
  return TSR_OK;
}

void set_degree(tsr_executor *executor, int degree) {
  if (degree <= TSR_CELLS_LOW_DEGREE)
    tsr_cells_run_low(executor);
}

} // namespace

const tsr_cells_backend *tsr_cells_cuda(void) {
  static const tsr_cells_backend backend = {open, set_degree, tsr_close_steps};
  return &backend;
}
