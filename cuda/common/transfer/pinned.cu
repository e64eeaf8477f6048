// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/transfer/pinned.cuh"

#include "cuda/common/memory/large_pages.cuh"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>

namespace {

std::mutex lanes_lock;
// Never destroyed: the lanes' threads wait for work until the process ends.
std::vector<tsr_lane> *const free_lanes = new std::vector<tsr_lane>[TSR_MAX_DEVICES];

bool lanes_prepared[TSR_MAX_DEVICES];

// Memory of lanes, locked in one go, which is several times faster than slot by slot.
std::vector<char *> lane_blocks;

// Never destroyed, as the lanes.
std::vector<void *> &free_pages = *new std::vector<void *>;

cudaError_t make_worker(tsr_worker **worker) {
  try {
    *worker = new tsr_worker;
  } catch (const std::exception &) { // no memory, or no more threads
    return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

void free_lane(const tsr_lane &lane) {
  delete lane.worker;
  tsr_stream_close(lane.stream, lane.done[0], lane.done[1]);
}

cudaError_t make_lane(char *slots, tsr_lane *lane) {
  cudaError_t code = cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking);
  for (int s = 0; s < 2 && code == cudaSuccess; ++s) {
    lane->slot[s] = slots + (size_t)s * tsr_slot_bytes;
    code = cudaEventCreateWithFlags(&lane->done[s], cudaEventDisableTiming);
  }
  if (code == cudaSuccess)
    code = make_worker(&lane->worker);
  if (code != cudaSuccess)
    free_lane(*lane);
  return code;
}

// Makes n lanes, or as many as it can before it fails.
cudaError_t make_lanes(int n, std::vector<tsr_lane> *lanes) {
  char *memory = nullptr;
  cudaError_t code = tsr_locked_alloc((size_t)n * 2 * tsr_slot_bytes, &memory);
  int made = 0;
  for (; made < n && code == cudaSuccess; ++made) {
    tsr_lane lane = {};
    code = make_lane(memory + (size_t)made * 2 * tsr_slot_bytes, &lane);
    if (code != cudaSuccess)
      break;
    lanes->push_back(lane);
  }
  if (made > 0)
    lane_blocks.push_back(memory);
  else
    tsr_locked_free(memory);
  return code;
}

} // namespace

cudaError_t tsr_locked_alloc(size_t bytes, char **memory) {
  void *made = nullptr;
  if (posix_memalign(&made, tsr_large_page, bytes) != 0)
    return cudaErrorMemoryAllocation;
  tsr_advise_large(made, bytes);
  memset(made, 0, bytes);
  const cudaError_t code = cudaHostRegister(made, bytes, cudaHostRegisterPortable);
  if (code == cudaSuccess)
    *memory = (char *)made;
  else
    free(made);
  return code;
}

void tsr_locked_free(char *memory) {
  if (memory)
    tsr_cuda_drop(cudaHostUnregister(memory));
  free(memory);
}

cudaError_t tsr_lanes_take(int device, int n, std::vector<tsr_lane> *lanes) {
  const std::lock_guard<std::mutex> hold(lanes_lock);
  std::vector<tsr_lane> &waiting = free_lanes[device];
  cudaError_t code = cudaSuccess;
  while ((int)lanes->size() < n && !waiting.empty()) {
    lanes->push_back(waiting.back());
    waiting.pop_back();
  }
  if ((int)lanes->size() < n)
    code = make_lanes(n - (int)lanes->size(), lanes);
  tsr_cuda_drop(code);
  return lanes->empty() ? code : cudaSuccess; // fewer lanes than wished are enough
}

void tsr_lanes_give(int device, std::vector<tsr_lane> *lanes) {
  const std::lock_guard<std::mutex> hold(lanes_lock);
  free_lanes[device].insert(free_lanes[device].end(), lanes->begin(), lanes->end());
  lanes->clear();
}

cudaError_t tsr_page_take(void **page) {
  const std::lock_guard<std::mutex> hold(lanes_lock);
  if (free_pages.empty())
    return cudaHostAlloc(page, tsr_page_bytes, cudaHostAllocMapped | cudaHostAllocPortable);
  *page = free_pages.back();
  free_pages.pop_back();
  return cudaSuccess;
}

void tsr_page_give(void *page) {
  const std::lock_guard<std::mutex> hold(lanes_lock);
  if (page)
    free_pages.push_back(page);
}

cudaError_t tsr_lanes_prepare(int device) {
  std::vector<tsr_lane> lanes;
  {
    const std::lock_guard<std::mutex> hold(lanes_lock);
    if (lanes_prepared[device])
      return cudaSuccess;
    lanes_prepared[device] = true;
  }
  const int threads = (int)std::max(1u, std::thread::hardware_concurrency());
  const cudaError_t code = tsr_lanes_take(device, std::min(threads, tsr_most_lanes), &lanes);
  tsr_lanes_give(device, &lanes);
  if (code != cudaSuccess) {
    const std::lock_guard<std::mutex> hold(lanes_lock);
    lanes_prepared[device] = false;
  }
  return code;
}

void tsr_lanes_release(void) {
  const std::lock_guard<std::mutex> hold(lanes_lock);
  for (int d = 0; d < TSR_MAX_DEVICES; ++d) {
    if (free_lanes[d].empty())
      continue;
    const tsr_on_device scope(d);
    for (const tsr_lane &lane : free_lanes[d])
      free_lane(lane);
    free_lanes[d].clear();
    lanes_prepared[d] = false;
  }
  for (void *page : free_pages)
    tsr_cuda_drop(cudaFreeHost(page));
  free_pages.clear();
  for (char *block : lane_blocks)
    tsr_locked_free(block);
  lane_blocks.clear();
}
