// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/memory/kept.cuh"

#include <algorithm>
#include <list>
#include <mutex>

namespace {

struct kept_array {
  int device;
  tsr_kept_key key;
  std::vector<const void *> owners;
  void *memory;
  int users;  // plans
  bool there; // the array has arrived
  bool wanted;
  std::vector<tsr_kept_range> ranges;
};

std::mutex kept_lock;
// The one used last comes first. Never destroyed: filters may end after main.
std::list<kept_array> &kept = *new std::list<kept_array>;

using place = std::list<kept_array>::iterator;

// Called with the lock held, and so are those that follow. The device is the current one.
place drop(place at) {
  tsr_cuda_drop(cudaFreeAsync(at->memory, nullptr));
  return kept.erase(at);
}

bool same_host(const kept_array &a, int device, const tsr_kept_key &key) {
  return a.device == device && a.key.host == key.host;
}

bool same(const kept_array &a, int device, const tsr_kept_key &key) {
  return same_host(a, device, key) && a.key.what == key.what;
}

// Drops arrays whose host address now holds another array.
void drop_former(int device, const tsr_kept_key &key) {
  for (place at = kept.begin(); at != kept.end();) {
    const bool changed = same_host(*at, device, key) && at->key.generation != key.generation;
    const bool former =
        changed || (same(*at, device, key) && (at->key.bytes != key.bytes || !at->wanted));
    if (former)
      at->wanted = false;
    at = former && at->users == 0 ? drop(at) : std::next(at);
  }
}

// Frees the least recently used arrays that no plan uses until key.bytes more fit into `most`.
// Returns true if they do. For derived data nothing is freed.
bool make_room(int device, const tsr_kept_key &key, int64_t most) {
  int64_t sum = key.bytes;
  for (const kept_array &a : kept)
    sum += a.device == device ? a.key.bytes : 0;
  for (place at = kept.end(); key.what == 0 && sum > most && at != kept.begin();) {
    --at;
    if (at->device == device && at->users == 0) {
      sum -= at->key.bytes;
      at = drop(at);
    }
  }
  return sum <= most;
}

// On any device.
void drop_unwanted() {
  for (place at = kept.begin(); at != kept.end();) {
    if (at->wanted || at->users > 0) {
      ++at;
      continue;
    }
    const tsr_on_device scope(at->device);
    at = drop(at);
  }
}

} // namespace

uint64_t tsr_generation_of(const tsr_execution *execution, const void *host) {
  return execution->generation ? execution->generation(execution->generation_context, host) : 0;
}

void *tsr_kept_take(tsr_device_state *state, cudaStream_t stream, const tsr_kept_key &key,
                    const void *owner, int64_t most, bool *there) {
  const std::lock_guard<std::mutex> hold(kept_lock);
  void *memory = nullptr;
  *there = false;
  if (key.bytes > most)
    return nullptr;
  drop_former(state->device, key);
  for (place at = kept.begin(); at != kept.end(); ++at) {
    if (!same(*at, state->device, key) || !at->wanted)
      continue;
    if (!at->there) // another plan is bringing it
      return nullptr;
    if (std::find(at->owners.begin(), at->owners.end(), owner) == at->owners.end())
      at->owners.push_back(owner);
    at->users += 1;
    kept.splice(kept.begin(), kept, at);
    *there = true;
    return at->memory;
  }
  if (!make_room(state->device, key, most))
    return nullptr;
  const cudaError_t code = cudaMallocFromPoolAsync(&memory, (size_t)key.bytes, state->pool, stream);
  tsr_cuda_drop(code);
  if (code != cudaSuccess)
    return nullptr;
  kept.push_front({state->device, key, {owner}, memory, 1, false, true, {}});
  return memory;
}

void tsr_kept_arrived(const void *memory) {
  const std::lock_guard<std::mutex> hold(kept_lock);
  for (kept_array &a : kept)
    a.there = a.there || a.memory == memory;
}

bool tsr_kept_find_range(const void *memory, tsr_kept_range *range) {
  const std::lock_guard<std::mutex> hold(kept_lock);
  for (const kept_array &a : kept)
    for (const tsr_kept_range &known : a.ranges)
      if (a.memory == memory && known.what == range->what && known.tuples == range->tuples) {
        *range = known;
        return true;
      }
  return false;
}

void tsr_kept_note_range(const void *memory, const tsr_kept_range &range) {
  const std::lock_guard<std::mutex> hold(kept_lock);
  for (kept_array &a : kept)
    if (a.memory == memory)
      a.ranges.push_back(range);
}

void tsr_kept_give(const void *memory, bool good) {
  const std::lock_guard<std::mutex> hold(kept_lock);
  for (place at = kept.begin(); at != kept.end(); ++at) {
    if (at->memory != memory)
      continue;
    at->users -= 1;
    at->wanted = at->wanted && good && at->there;
    if (at->users == 0 && !at->wanted)
      drop(at);
    return;
  }
}

int64_t tsr_kept_waiting(int device) {
  const std::lock_guard<std::mutex> hold(kept_lock);
  int64_t bytes = 0;
  for (const kept_array &a : kept)
    bytes += a.device == device && a.users == 0 ? a.key.bytes : 0;
  return bytes;
}

bool tsr_kept_release(int device) {
  const std::lock_guard<std::mutex> hold(kept_lock);
  const size_t before = kept.size();
  for (place at = kept.begin(); at != kept.end();)
    at = at->device == device && at->users == 0 ? drop(at) : std::next(at);
  return kept.size() < before;
}

void tsr_kept_forget(const void *owner) {
  const std::lock_guard<std::mutex> hold(kept_lock);
  for (kept_array &a : kept) {
    const auto mine = std::find(a.owners.begin(), a.owners.end(), owner);
    if (mine != a.owners.end())
      a.owners.erase(mine);
    a.wanted = a.wanted && !a.owners.empty();
  }
  drop_unwanted();
}

void tsr_kept_forget_all(void) {
  const std::lock_guard<std::mutex> hold(kept_lock);
  for (kept_array &a : kept)
    a.wanted = false;
  drop_unwanted();
}
