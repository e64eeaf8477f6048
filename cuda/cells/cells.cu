// SPDX-License-Identifier: BSD-3-Clause
// Curved cells on the device: all work is steps, which are kernels here.
#include "cells/backend.h"
#include "cuda/common/executor.cuh"

TSR_CELLS_STEPS(TSR_STEP_KERNEL)
TSR_CELLS_REDUCTIONS(TSR_REDUCTION_KERNEL)

struct tsr_cells_device : tsr_opened {};

namespace {

void close(tsr_cells_device *device) {
  const tsr_on_device scope(device->state->device);
  tsr_opened_stop(device);
  delete device;
}

tsr_status open(const tsr_execution *execution, tsr_report *report, tsr_cells_device **made,
                tsr_executor *executor, tsr_error *error) {
  static const tsr_launch launches[] = {TSR_CELLS_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction_launch *const reductions[] = {
      TSR_CELLS_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  const auto nothing = [](tsr_cells_device *, tsr_error *) { return TSR_OK; };
  TSR_STEP(tsr_open_plan(*execution, report, nothing, close, made, error));
  tsr_executor_on_device(executor, *made, execution, report, launches, reductions);
  return TSR_OK;
}

} // namespace

const tsr_cells_backend *tsr_cells_cuda(void) {
  static const tsr_cells_backend backend = {open, close};
  return &backend;
}
