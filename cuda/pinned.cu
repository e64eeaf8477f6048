// SPDX-License-Identifier: BSD-3-Clause
#include "pinned.cuh"

#include "transfer.cuh"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace {

const size_t large_page = (size_t)2 << 20;
const size_t least_output = (size_t)1 << 20; // smaller arrays are ordinary memory

std::mutex lanes_lock;
std::vector<tsr_lane> free_lanes[TSR_MAX_DEVICES];

// Memory of lanes, locked in one go, which is several times faster than slot by slot.
std::vector<char *> lane_blocks;

cudaError_t make_lanes(int n, std::vector<tsr_lane> *lanes) {
  const size_t bytes = (size_t)n * 2 * tsr_slot_bytes;
  void *memory = nullptr;
  if (posix_memalign(&memory, large_page, bytes) != 0)
    return cudaErrorMemoryAllocation;
  tsr_advise_large(memory, bytes);
  memset(memory, 0, bytes);
  cudaError_t code = cudaHostRegister(memory, bytes, cudaHostRegisterPortable);
  if (code != cudaSuccess) {
    free(memory);
    return code;
  }
  lane_blocks.push_back((char *)memory);
  for (int l = 0; l < n && code == cudaSuccess; ++l) {
    tsr_lane lane = {};
    code = cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking);
    for (int s = 0; s < 2 && code == cudaSuccess; ++s) {
      lane.slot[s] = (char *)memory + (size_t)(2 * l + s) * tsr_slot_bytes;
      code = cudaEventCreateWithFlags(&lane.done[s], cudaEventDisableTiming);
    }
    if (code == cudaSuccess)
      lanes->push_back(lane);
  }
  return code;
}

// Output memory: blocks that are in use or wait for their next use.
struct output_block {
  size_t bytes;
  bool used;
  bool filled; // by the device, and not page-locked then
  bool locked;
};

std::mutex outputs_lock, locker_lock;
// Never destroyed: the thread below may outlive main.
std::map<char *, output_block> &outputs = *new std::map<char *, output_block>;
std::thread &locker = *new std::thread;

// Locks blocks that were filled for the first time. It takes three times as long as filling them,
// which nobody has to wait for.
void lock_blocks(int device, std::vector<char *> blocks) {
  const tsr_on_device scope(device);
  for (char *memory : blocks) {
    size_t bytes;
    {
      const std::lock_guard<std::mutex> hold(outputs_lock);
      bytes = outputs[memory].bytes;
    }
    const bool done = cudaHostRegister(memory, bytes, cudaHostRegisterPortable) == cudaSuccess;
    cudaGetLastError();
    const std::lock_guard<std::mutex> hold(outputs_lock);
    outputs[memory].locked = done;
  }
}

void free_output(char *memory, const output_block &block) {
  if (block.locked)
    cudaHostUnregister(memory);
  free(memory);
}

} // namespace

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
  return lanes->empty() ? code : cudaSuccess; // fewer lanes than wished are enough
}

void tsr_lanes_give(int device, std::vector<tsr_lane> *lanes) {
  const std::lock_guard<std::mutex> hold(lanes_lock);
  free_lanes[device].insert(free_lanes[device].end(), lanes->begin(), lanes->end());
  lanes->clear();
}

void tsr_advise_large(void *memory, size_t bytes) {
#ifdef __linux__
  const uintptr_t first = ((uintptr_t)memory + large_page - 1) / large_page * large_page;
  const uintptr_t last = ((uintptr_t)memory + bytes) / large_page * large_page;
  if (last > first)
    madvise((void *)first, last - first, MADV_HUGEPAGE);
#else
  (void)memory;
  (void)bytes;
#endif
}

void *tsr_cuda_output_alloc(size_t bytes) {
  if (bytes < least_output)
    return malloc(bytes);
  const std::lock_guard<std::mutex> hold(outputs_lock);
  const size_t room = (bytes + large_page - 1) / large_page * large_page;
  auto best = outputs.end();
  for (auto it = outputs.begin(); it != outputs.end(); ++it)
    if (!it->second.used && it->second.bytes >= room && it->second.bytes <= 2 * room &&
        (best == outputs.end() || it->second.bytes < best->second.bytes))
      best = it;
  if (best != outputs.end()) {
    best->second.used = true;
    return best->first;
  }
  void *memory = nullptr;
  if (posix_memalign(&memory, large_page, room) != 0)
    return nullptr;
  tsr_advise_large(memory, room);
  outputs[(char *)memory] = {room, true, false, false};
  return memory;
}

void tsr_cuda_output_free(void *memory) {
  const std::lock_guard<std::mutex> hold(outputs_lock);
  const auto at = outputs.find((char *)memory);
  if (at != outputs.end())
    at->second.used = false;
  else
    free(memory);
}

bool tsr_output_locked(void *memory, size_t bytes) {
  const std::lock_guard<std::mutex> hold(outputs_lock);
  auto at = outputs.upper_bound((char *)memory);
  if (at == outputs.begin())
    return false;
  --at;
  if ((char *)memory + bytes > at->first + at->second.bytes || !at->second.used)
    return false;
  at->second.filled = true;
  return at->second.locked;
}

void tsr_outputs_lock(int device) {
  const std::lock_guard<std::mutex> one(locker_lock);
  std::vector<char *> blocks;
  if (locker.joinable())
    locker.join();
  {
    const std::lock_guard<std::mutex> hold(outputs_lock);
    for (auto &block : outputs) {
      if (block.second.filled && !block.second.locked)
        blocks.push_back(block.first);
      block.second.filled = false;
    }
  }
  if (!blocks.empty())
    locker = std::thread(lock_blocks, device, blocks);
}

void tsr_pinned_release(void) {
  {
    const std::lock_guard<std::mutex> hold(lanes_lock);
    for (int d = 0; d < TSR_MAX_DEVICES; ++d) {
      if (free_lanes[d].empty())
        continue;
      const tsr_on_device scope(d);
      for (const tsr_lane &lane : free_lanes[d]) {
        cudaStreamDestroy(lane.stream);
        cudaEventDestroy(lane.done[0]);
        cudaEventDestroy(lane.done[1]);
      }
      free_lanes[d].clear();
    }
    for (char *block : lane_blocks) {
      cudaHostUnregister(block);
      free(block);
    }
    lane_blocks.clear();
  }
  const std::lock_guard<std::mutex> one(locker_lock);
  if (locker.joinable())
    locker.join();
  const std::lock_guard<std::mutex> hold(outputs_lock);
  for (auto it = outputs.begin(); it != outputs.end();) {
    if (it->second.used) {
      ++it;
      continue;
    }
    free_output(it->first, it->second);
    it = outputs.erase(it);
  }
}
