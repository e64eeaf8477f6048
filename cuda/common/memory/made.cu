// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/memory/made.cuh"

#include <list>
#include <mutex>

namespace {

// The copies take at most one part in so many of the memory that is free without them. Tests on the
// emulated device set it themselves, since their outputs are small.
#ifndef TSR_MADE_SHARE
#define TSR_MADE_SHARE 4
#endif
const int64_t share = TSR_MADE_SHARE;

struct made_output {
  int device;
  const void *host;
  int64_t bytes;
  uint64_t generation; // 0: unknown
  void *memory;
  int users;   // plans that compare it, copy it or read it in place
  bool wanted; // false: freed once nobody uses it
};

std::mutex made_lock;
// The newest comes first. Never destroyed: outputs may be freed after main.
std::list<made_output> &made = *new std::list<made_output>;

bool grown[TSR_MAX_DEVICES]; // since the device's copies were trimmed

using place = std::list<made_output>::iterator;

// Called with the lock held, and so are those that follow.
place drop(place at) {
  const tsr_on_device scope(at->device);
  tsr_cuda_drop(cudaFreeAsync(at->memory, nullptr));
  return made.erase(at);
}

void drop_unwanted() {
  for (place at = made.begin(); at != made.end();)
    at = at->wanted || at->users > 0 ? std::next(at) : drop(at);
}

void forget(const void *host) {
  for (made_output &one : made)
    one.wanted = one.wanted && one.host != host;
  drop_unwanted();
}

} // namespace

void tsr_made_put(const tsr_device_state *state, const void *host, size_t bytes,
                  uint64_t generation, void *memory) {
  const std::lock_guard<std::mutex> hold(made_lock);
  forget(host);
  made.push_front({state->device, host, (int64_t)bytes, generation, memory, 0, true});
  grown[state->device] = true;
}

void tsr_made_trim(const tsr_device_state *state) {
  const std::lock_guard<std::mutex> hold(made_lock);
  int64_t outside = 0, pooled = 0, all = 0, sum = 0;
  tsr_error ignored;
  if (!grown[state->device])
    return;
  grown[state->device] = false;
  for (const made_output &one : made)
    all += one.device == state->device ? one.bytes : 0;
  const bool known = tsr_free_memory(state, &outside, &pooled, &ignored) == TSR_OK;
  const int64_t most = known ? (outside + pooled + all) / share : 0;
  for (made_output &one : made) {
    if (one.device != state->device)
      continue;
    one.wanted = one.wanted && sum + one.bytes <= most;
    sum += one.wanted ? one.bytes : 0;
  }
  drop_unwanted();
}

const void *tsr_made_take(const tsr_device_state *state, const void *host, size_t bytes,
                          uint64_t generation) {
  const std::lock_guard<std::mutex> hold(made_lock);
  for (made_output &one : made)
    if (one.wanted && one.device == state->device && one.host == host &&
        one.bytes >= (int64_t)bytes && (generation == 0 || one.generation == generation)) {
      one.users += 1;
      return one.memory;
    }
  return nullptr;
}

void tsr_made_give(const void *memory, bool good) {
  const std::lock_guard<std::mutex> hold(made_lock);
  for (made_output &one : made)
    if (one.memory == memory) {
      one.users -= 1;
      one.wanted = one.wanted && good;
    }
  drop_unwanted();
}

void tsr_made_forget(const void *host) {
  const std::lock_guard<std::mutex> hold(made_lock);
  forget(host);
}

int64_t tsr_made_waiting(int device) {
  const std::lock_guard<std::mutex> hold(made_lock);
  int64_t bytes = 0;
  for (const made_output &one : made)
    bytes += one.device == device && one.users == 0 ? one.bytes : 0;
  return bytes;
}

bool tsr_made_release(int device) {
  const std::lock_guard<std::mutex> hold(made_lock);
  const size_t before = made.size();
  for (place at = made.begin(); at != made.end();)
    at = (device < 0 || at->device == device) && at->users == 0 ? drop(at) : std::next(at);
  return made.size() < before;
}
