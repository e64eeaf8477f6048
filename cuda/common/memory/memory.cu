// SPDX-License-Identifier: BSD-3-Clause
// Memory of a plan, from the device's pool.
#include "cuda/common/memory/kept.cuh"
#include "cuda/common/memory/made.cuh"

#include <algorithm>

namespace {

// Returns whether there was anything.
bool release_kept(int device) {
  const bool outputs = tsr_made_release(device);
  return tsr_kept_release(device) || outputs;
}

} // namespace

tsr_status tsr_memory::get(void **pointer, int64_t count, size_t size, const char *what,
                           tsr_error *error) {
  const size_t bytes = (size_t)(count > 0 ? count : 1) * size;
  cudaError_t code = cudaMallocFromPoolAsync(pointer, bytes, state->pool, stream);
  // What is kept for later must not be in the way.
  if (code == cudaErrorMemoryAllocation && release_kept(state->device)) {
    tsr_cuda_drop(code);
    code = cudaMallocFromPoolAsync(pointer, bytes, state->pool, stream);
  }
  if (code != cudaSuccess) {
    tsr_cuda_drop(code);
    *pointer = nullptr;
    return tsr_cuda_refuse(error, code == cudaErrorMemoryAllocation ? TSR_NO_MEMORY : TSR_DEVICE,
                           "device %d gives no memory for %s, %lld times %zu bytes: %s: %s",
                           state->device, what, (long long)count, size, cudaGetErrorName(code),
                           cudaGetErrorString(code));
  }
  blocks.push_back(*pointer);
  return TSR_OK;
}

void tsr_memory::free_one(void *pointer) {
  const auto at = std::find(blocks.begin(), blocks.end(), pointer);
  if (!pointer || at == blocks.end())
    return;
  tsr_cuda_drop(cudaFreeAsync(pointer, stream));
  blocks.erase(at);
}

bool tsr_memory::let_go(const void *pointer) {
  const auto at = std::find(blocks.begin(), blocks.end(), pointer);
  if (!pointer || at == blocks.end())
    return false;
  blocks.erase(at);
  return true;
}

void tsr_memory::free_others(const std::vector<const void *> &kept) {
  std::vector<void *> left;
  for (void *block : blocks) {
    if (std::find(kept.begin(), kept.end(), block) != kept.end())
      left.push_back(block);
    else
      tsr_cuda_drop(cudaFreeAsync(block, stream));
  }
  blocks.swap(left);
}

void tsr_memory::free_all() { free_others({}); }
