// SPDX-License-Identifier: BSD-3-Clause
// The table that filters/grid gets.
#include "cuda/grid/whole.cuh"

const tsr_grid_backend *tsr_grid_cuda(void) {
  static const tsr_grid_backend backend = {
      tsr_grid_cuda_open,     tsr_grid_cuda_is_whole,  tsr_grid_cuda_range,
      tsr_grid_cuda_descend,  tsr_grid_cuda_refine,    tsr_grid_cuda_check,
      tsr_grid_cuda_can_list, tsr_grid_cuda_take_tree, tsr_grid_cuda_marks,
      tsr_grid_cuda_list,     tsr_grid_cuda_fetch,     tsr_grid_cuda_fetch_bricks,
      tsr_grid_cuda_fill,     tsr_grid_cuda_values,    tsr_grid_cuda_close};
  return &backend;
}
