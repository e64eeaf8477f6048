// SPDX-License-Identifier: BSD-3-Clause
// The table that filters/curves gets.
#include "cuda/curves/output/fill.cuh"
#include "cuda/curves/plan.cuh"

const tsr_curves_backend *tsr_curves_cuda(void) {
  static const tsr_curves_backend backend = {tsr_curves_cuda_open, tsr_curves_cuda_bounds,
                                             tsr_curves_cuda_count, tsr_curves_cuda_fill,
                                             tsr_curves_cuda_close};
  return &backend;
}
