// SPDX-License-Identifier: BSD-3-Clause
// Host memory for large outputs, kept for the next one: page-locked, the bus writes into it at full
// speed.
#include "cuda/common/memory/outputs.cuh"

#include "common/run/backend.h"
#include "cuda/common/memory/callers.cuh"
#include "cuda/common/memory/large_pages.cuh"
#include "cuda/common/memory/made.cuh"

#include <cstdlib>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace {

// Smaller arrays are ordinary memory, but for tests on the emulated device.
#ifndef TSR_LEAST_OUTPUT
#define TSR_LEAST_OUTPUT ((size_t)1 << 18)
#endif
const size_t least_output = TSR_LEAST_OUTPUT;
const size_t small_page = (size_t)1 << 16; // of blocks that fill no large one

struct output_block {
  size_t bytes;
  bool used;   // else it waits for its next use
  bool filled; // by the device, and not page-locked then
  bool locking, locked;
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
    cudaError_t code = scope.code();
    if (code == cudaSuccess)
      code = cudaHostRegister(memory, bytes, cudaHostRegisterPortable);
    tsr_cuda_drop(code); // then it stays ordinary memory
    const std::lock_guard<std::mutex> hold(outputs_lock);
    outputs[memory].locking = false;
    outputs[memory].locked = code == cudaSuccess;
  }
}

void drop_block(char *memory, const output_block &block) {
  if (block.locked)
    tsr_cuda_drop(cudaHostUnregister(memory));
  free(memory);
}

// Gives waiting blocks back, the largest first, until no more bytes wait than are in use: where
// sizes change, what fits nothing any more must not add up. Called with the lock held.
void give_back(size_t in_use) {
  size_t waiting = 0;
  for (const auto &block : outputs)
    (block.second.used ? in_use : waiting) += block.second.bytes;
  while (waiting > in_use) {
    auto largest = outputs.end();
    for (auto it = outputs.begin(); it != outputs.end(); ++it)
      if (!it->second.used && !it->second.locking &&
          (largest == outputs.end() || it->second.bytes > largest->second.bytes))
        largest = it;
    if (largest == outputs.end())
      return;
    waiting -= largest->second.bytes;
    drop_block(largest->first, largest->second);
    outputs.erase(largest);
  }
}

// The block in use that has the range; NULL: there is none. Called with the lock held.
output_block *find_block(const void *memory, size_t bytes) {
  auto at = outputs.upper_bound((char *)memory);
  if (at == outputs.begin())
    return nullptr;
  --at;
  const bool inside = (const char *)memory + bytes <= at->first + at->second.bytes;
  return inside && at->second.used ? &at->second : nullptr;
}

void *output_alloc(size_t bytes) {
  if (bytes < least_output)
    return malloc(bytes);
  const std::lock_guard<std::mutex> hold(outputs_lock);
  const size_t page = bytes < tsr_large_page ? small_page : tsr_large_page;
  const size_t room = (bytes + page - 1) / page * page;
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
  give_back(room);
  if (posix_memalign(&memory, page, room) != 0)
    return nullptr;
  tsr_advise_large(memory, room);
  outputs[(char *)memory] = {room, true, false, false, false};
  return memory;
}

void output_free(void *memory) {
  tsr_made_forget(memory);
  const std::lock_guard<std::mutex> hold(outputs_lock);
  const auto at = outputs.find((char *)memory);
  if (at != outputs.end())
    at->second.used = false;
  else
    free(memory);
}

int64_t output_waiting(void) {
  const std::lock_guard<std::mutex> hold(outputs_lock);
  int64_t waiting = 0;
  for (const auto &block : outputs)
    waiting += block.second.used ? 0 : (int64_t)block.second.bytes;
  return waiting;
}

} // namespace

const tsr_memory_backend *tsr_memory_cuda(void) {
  static const tsr_memory_backend backend = {output_alloc,     output_waiting,
                                             output_free,      tsr_traffic,
                                             tsr_copy_between, tsr_caller_lies_on_device};
  return &backend;
}

bool tsr_output_holds(const void *memory, size_t bytes) {
  const std::lock_guard<std::mutex> hold(outputs_lock);
  return find_block(memory, bytes) != nullptr;
}

bool tsr_output_locked(void *memory, size_t bytes) {
  const std::lock_guard<std::mutex> hold(outputs_lock);
  output_block *block = find_block(memory, bytes);
  if (!block)
    return false;
  block->filled = true;
  return block->locked;
}

void tsr_outputs_lock(int device) {
  const std::lock_guard<std::mutex> one(locker_lock);
  std::vector<char *> blocks;
  if (locker.joinable())
    locker.join();
  {
    const std::lock_guard<std::mutex> hold(outputs_lock);
    for (auto &block : outputs) {
      if (block.second.filled && !block.second.locked) {
        block.second.locking = true;
        blocks.push_back(block.first);
      }
      block.second.filled = false;
    }
  }
  if (blocks.empty())
    return;
  try {
    locker = std::thread(lock_blocks, device, blocks);
  } catch (const std::system_error &) { // no more threads: then without
    const std::lock_guard<std::mutex> hold(outputs_lock);
    for (char *memory : blocks)
      outputs[memory].locking = false;
  }
}

void tsr_outputs_release(void) {
  const std::lock_guard<std::mutex> one(locker_lock);
  if (locker.joinable())
    locker.join();
  const std::lock_guard<std::mutex> hold(outputs_lock);
  for (auto it = outputs.begin(); it != outputs.end();) {
    if (it->second.used) {
      ++it;
      continue;
    }
    drop_block(it->first, it->second);
    it = outputs.erase(it);
  }
}
