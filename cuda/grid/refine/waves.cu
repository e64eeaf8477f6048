// SPDX-License-Identifier: BSD-3-Clause
// From the roots down, launched by the host.
#include "cuda/grid/refine/wave.cuh"

namespace {

__global__ void __launch_bounds__(1024) small_kernel(const tsr_grid_frame *frame, int levels,
                                                     tsr_wave_count *count, tsr_wave_state *waves) {
  const unsigned long long refined = tsr_small_waves(*frame, levels, count, waves);
  if (threadIdx.x == 0 && levels > 0)
    tsr_wave_tell(waves, levels - 1, refined);
}

__global__ void __launch_bounds__(256) level_kernel(const tsr_grid_frame *frame, int level,
                                                    tsr_wave_count *count, tsr_wave_state *waves) {
  unsigned long long refined;
  if (tsr_large_wave(*frame, level, count, &refined))
    tsr_wave_tell(waves, level, refined);
}

// Levels that one block goes through: at least the roots.
int small_levels(const tsr_grid_device *grid) {
  int levels = 1;
  while (levels < grid->frame.levels && tsr_wave_items(grid->frame, levels) <= tsr_small_level)
    ++levels;
  return levels;
}

// 1 if the roots are too many for one block: where nodes may be forced, each byte takes long.
bool has_many_roots(const tsr_grid_device *grid) {
  return !grid->frame.masks_only && tsr_wave_items(grid->frame, 0) > tsr_small_level;
}

void start(tsr_grid_device *grid) {
  grid->waves->level = -1;
  grid->waves->launched = 0;
  grid->waves->code = 0;
}

} // namespace

tsr_status tsr_grid_wait(tsr_grid_device *grid, int level, tsr_error *error) {
  for (int turn = 0; grid->waves->level < level; ++turn) {
    if (turn % 4096 != 4095)
      continue;
    const cudaError_t code = cudaStreamQuery(grid->stream);
    if (code == cudaSuccess)
      break;
    tsr_cuda_drop(code); // also where it is only not ready: the next launch looks for an error
    if (code != cudaErrorNotReady)
      return tsr_cuda_fail(error, code, "refining the levels");
  }
  return TSR_OK;
}

tsr_status tsr_grid_waves(tsr_grid_device *grid, int *levels_done, tsr_error *error) {
  const int small = has_many_roots(grid) ? 0 : small_levels(grid);
  start(grid);
  small_kernel<<<1, 1024, 0, grid->stream>>>(grid->frame_d, small, grid->count, grid->waves_d);
  TSR_CUDA(cudaGetLastError(), "refining the levels");
  *levels_done = small;
  for (int level = small; level < grid->frame.levels; ++level) {
    TSR_STEP(tsr_grid_wait(grid, level - 1, error));
    if (level > 0 && grid->waves->refined[level - 1] == 0)
      break;
    level_kernel<<<tsr_wave_blocks(grid->frame, level), 256, 0, grid->stream>>>(
        grid->frame_d, level, grid->count, grid->waves_d);
    TSR_CUDA(cudaGetLastError(), "refining the levels");
    *levels_done = level + 1;
  }
  TSR_CUDA(cudaEventRecord(grid->end, grid->stream), "refining the levels");
  return TSR_OK;
}

tsr_status tsr_grid_device_waves(tsr_grid_device *grid, int *levels_done, tsr_error *error) {
  start(grid);
  TSR_CUDA(
      tsr_grid_chain(grid->frame_d, grid->count, grid->waves_d, small_levels(grid), grid->stream),
      "refining the levels");
  TSR_CUDA(cudaEventRecord(grid->end, grid->stream), "refining the levels");
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "refining the levels");
  if (grid->waves->code != 0)
    return tsr_cuda_fail(error, (cudaError_t)grid->waves->code, "launching the next level");
  *levels_done = grid->waves->level + 1;
  return TSR_OK;
}
