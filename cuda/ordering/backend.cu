// SPDX-License-Identifier: BSD-3-Clause
// The table that filters/ordering gets.
#include "cuda/ordering/plan.cuh"

const tsr_ordering_backend *tsr_ordering_cuda(void) {
  static const tsr_ordering_backend backend = {tsr_ordering_cuda_open, tsr_ordering_cuda_fill,
                                               tsr_ordering_cuda_close};
  return &backend;
}
