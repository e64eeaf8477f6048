// SPDX-License-Identifier: BSD-3-Clause
// Unstructured meshes on the device: all work is steps, which are kernels here.
#include "cuda/common/executor.cuh"
#include "mesh/backend.h"

TSR_MESH_STEPS(TSR_STEP_KERNEL)
TSR_MESH_REDUCTIONS(TSR_REDUCTION_KERNEL)

struct tsr_mesh_device : tsr_opened {};

namespace {

void close(tsr_mesh_device *device) {
  const tsr_on_device scope(device->state->device);
  tsr_opened_stop(device);
  delete device;
}

tsr_status open(const tsr_execution *execution, tsr_report *report, tsr_mesh_device **made,
                tsr_executor *executor, tsr_error *error) {
  static const tsr_launch launches[] = {TSR_MESH_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction_launch *const reductions[] = {
      TSR_MESH_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  const auto nothing = [](tsr_mesh_device *, tsr_error *) { return TSR_OK; };
  TSR_STEP(tsr_open_plan(*execution, report, nothing, close, made, error));
  tsr_executor_on_device(executor, *made, execution, report, launches, reductions);
  return TSR_OK;
}

} // namespace

const tsr_mesh_backend *tsr_mesh_cuda(void) {
  static const tsr_mesh_backend backend = {open, close};
  return &backend;
}
