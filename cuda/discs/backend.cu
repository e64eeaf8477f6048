// SPDX-License-Identifier: BSD-3-Clause
// The table that filters/discs gets.
#include "cuda/discs/plan.cuh"

const tsr_discs_backend *tsr_discs_cuda(void) {
  static const tsr_discs_backend backend = {tsr_discs_cuda_open, tsr_discs_cuda_fill,
                                            tsr_discs_cuda_close};
  return &backend;
}
