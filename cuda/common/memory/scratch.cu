// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/memory/scratch.cuh"

#include <mutex>

namespace {

struct scratch {
  int device;
  const void *tag;
  void *memory;
  bool good;
};

std::mutex scratch_lock;
// Never destroyed: filters may end after main.
std::vector<scratch> &waiting = *new std::vector<scratch>;

} // namespace

tsr_status tsr_scratch_take(tsr_device_state *state, cudaStream_t stream, const void *tag,
                            size_t bytes, void **memory, bool *good, tsr_error *error) {
  const std::lock_guard<std::mutex> hold(scratch_lock);
  for (auto at = waiting.begin(); at != waiting.end(); ++at) {
    if (at->device != state->device || at->tag != tag)
      continue;
    *memory = at->memory;
    *good = at->good;
    waiting.erase(at);
    return TSR_OK;
  }
  *memory = nullptr;
  *good = false;
  TSR_CUDA(cudaMallocFromPoolAsync(memory, bytes, state->pool, stream),
           "allocating memory for a table");
  return TSR_OK;
}

void tsr_scratch_give(const tsr_device_state *state, const void *tag, void *memory, bool good) {
  const std::lock_guard<std::mutex> hold(scratch_lock);
  if (memory)
    waiting.push_back({state->device, tag, memory, good});
}

void tsr_scratch_release(void) {
  const std::lock_guard<std::mutex> hold(scratch_lock);
  for (const scratch &it : waiting) {
    const tsr_on_device scope(it.device);
    tsr_cuda_drop(cudaFreeAsync(it.memory, nullptr));
  }
  waiting.clear();
}
