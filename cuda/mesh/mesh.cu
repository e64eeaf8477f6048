// SPDX-License-Identifier: BSD-3-Clause
// Unstructured meshes on the device: all work is steps, which are kernels here.
#include "cuda/common/executor.cuh"
#include "cuda/common/memory/kept.cuh"
#include "mesh/backend.h"

TSR_MESH_STEPS(TSR_STEP_KERNEL)
TSR_MESH_REDUCTIONS(TSR_REDUCTION_KERNEL)

struct tsr_mesh_device : tsr_opened {};

namespace {

tsr_status open(const tsr_execution *execution, int64_t keep_bytes, tsr_report *report,
                tsr_mesh_device **made, tsr_executor *executor, tsr_error *error) {
  static const tsr_launch launches[] = {TSR_MESH_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction_launch *const reductions[] = {
      TSR_MESH_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  TSR_STEP(tsr_open_steps(execution, report, made, executor, launches, reductions, error));
  tsr_kept_begin(*made, keep_bytes);
  (*made)->leads = true; // the grid of the octree
  return TSR_OK;
}

} // namespace

const tsr_mesh_backend *tsr_mesh_cuda(void) {
  static const tsr_mesh_backend backend = {open, tsr_close_steps};
  return &backend;
}
