// SPDX-License-Identifier: BSD-3-Clause
// The table that filters/pointgrid gets.
#include "cuda/pointgrid/sort.cuh"

const tsr_pointgrid_backend *tsr_pointgrid_cuda(void) {
  static const tsr_pointgrid_backend backend = {
      tsr_pointgrid_cuda_open,      tsr_pointgrid_cuda_box,     tsr_pointgrid_cuda_sort,
      tsr_pointgrid_cuda_fetch,     tsr_pointgrid_cuda_corners, tsr_pointgrid_cuda_fill,
      tsr_pointgrid_cuda_attribute, tsr_pointgrid_cuda_close};
  return &backend;
}
