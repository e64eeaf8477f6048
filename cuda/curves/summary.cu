// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/curves/plan.cuh"

tsr_status tsr_read_summary(tsr_curves_device *plan, tsr_error *error) {
  TSR_CUDA(cudaMemcpyAsync(&plan->found, plan->summary, sizeof plan->found, cudaMemcpyDeviceToHost,
                           plan->stream),
           "reading what the kernels found");
  TSR_CUDA(cudaStreamSynchronize(plan->stream), "checking the curves");
  return TSR_OK;
}
