// SPDX-License-Identifier: BSD-3-Clause
// Curved cells on the device: all work is steps, which are kernels here.
#include "cuda/cells/kernels.cuh"
#include "cuda/cells/low.cuh"

struct tsr_cells_device : tsr_opened {};

namespace {

void close(tsr_cells_device *device) {
  const tsr_on_device scope(device->state->device);
  tsr_opened_stop(device);
  delete device;
}

tsr_status open(const tsr_execution *execution, tsr_report *report, tsr_cells_device **made,
                tsr_executor *executor, tsr_error *error) {
  const auto nothing = [](tsr_cells_device *, tsr_error *) { return TSR_OK; };
  TSR_STEP(tsr_open_plan(*execution, report, nothing, close, made, error));
  tsr_executor_on_device(executor, *made, execution, report, launches, reductions);
  return TSR_OK;
}

void set_degree(tsr_executor *executor, int degree) {
  if (degree <= TSR_CELLS_LOW_DEGREE)
    tsr_cells_run_low(executor);
}

} // namespace

const tsr_cells_backend *tsr_cells_cuda(void) {
  static const tsr_cells_backend backend = {open, set_degree, close};
  return &backend;
}
