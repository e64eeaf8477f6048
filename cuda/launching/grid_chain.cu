// SPDX-License-Identifier: BSD-3-Clause
// From the roots down, launched by the device: the last block of a level launches the next one,
// where any node goes on. A tail launch starts when its parent is complete, so nothing is awaited.
#include "cuda/grid/refine/wave.cuh"

namespace {

// Bounds wider than its 256 threads would only matter with shared memory; see child_bounds in
// policy.cuh.
__global__ void __launch_bounds__(256) chain_kernel(const tsr_grid_frame *frame, int level,
                                                    tsr_wave_count *count, tsr_wave_state *waves);

__device__ void go_on(const tsr_grid_frame *frame, int level, unsigned long long refined,
                      tsr_wave_count *count, tsr_wave_state *waves) {
  tsr_wave_tell(waves, level, refined);
  if (level + 1 >= frame->levels || refined == 0)
    return;
  chain_kernel<<<tsr_wave_blocks(*frame, level + 1), 256, 0, cudaStreamTailLaunch>>>(
      frame, level + 1, count, waves);
  const cudaError_t code = cudaGetLastError();
  if (code != cudaSuccess)
    waves->code = (int)code;
  else
    waves->launched = waves->launched + 1;
}

__global__ void chain_kernel(const tsr_grid_frame *frame, int level, tsr_wave_count *count,
                             tsr_wave_state *waves) {
  unsigned long long refined;
  if (tsr_large_wave(*frame, level, count, &refined))
    go_on(frame, level, refined, count, waves);
}

__global__ void __launch_bounds__(1024) first_kernel(const tsr_grid_frame *frame, int levels,
                                                     tsr_wave_count *count, tsr_wave_state *waves) {
  const unsigned long long refined = tsr_small_waves(*frame, levels, count, waves);
  if (threadIdx.x == 0)
    go_on(frame, levels - 1, refined, count, waves);
}

} // namespace

cudaError_t tsr_grid_chain(const tsr_grid_frame *frame, tsr_wave_count *count,
                           tsr_wave_state *waves, int small_levels, cudaStream_t stream) {
  first_kernel<<<1, 1024, 0, stream>>>(frame, small_levels, count, waves);
  return cudaGetLastError();
}
