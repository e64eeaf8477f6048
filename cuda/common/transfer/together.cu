// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/transfer/together.cuh"

#include "cuda/common/memory/large_pages.cuh"
#include "cuda/common/transfer/pinned.cuh"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

namespace {

const size_t slot_bytes = (size_t)8 << 20, part_bytes = (size_t)512 << 10;
const int ring_slots = 4;

// Page-locked slots, with the stream that they are sent on.
struct ring {
  char *memory;
  cudaStream_t stream;
  cudaEvent_t sent[ring_slots];
};

std::mutex rings_lock;
std::vector<ring> *const free_rings = new std::vector<ring>[TSR_MAX_DEVICES];

void free_ring(const ring &it) {
  tsr_stream_close(it.stream, it.sent[0], it.sent[1]);
  tsr_stream_close(nullptr, it.sent[2], it.sent[3]);
  tsr_locked_free(it.memory);
}

cudaError_t make_ring(ring *made) {
  ring it = {};
  cudaError_t code = tsr_locked_alloc(ring_slots * slot_bytes, &it.memory);
  if (code != cudaSuccess)
    return code;
  code = cudaStreamCreateWithFlags(&it.stream, cudaStreamNonBlocking);
  for (int s = 0; s < ring_slots && code == cudaSuccess; ++s)
    code = cudaEventCreateWithFlags(&it.sent[s], cudaEventDisableTiming);
  if (code != cudaSuccess)
    free_ring(it);
  *made = it;
  return code;
}

cudaError_t take_ring(int device, ring *it) {
  const std::lock_guard<std::mutex> hold(rings_lock);
  std::vector<ring> &waiting = free_rings[device];
  if (waiting.empty())
    return make_ring(it);
  *it = waiting.back();
  waiting.pop_back();
  return cudaSuccess;
}

void give_ring(int device, const ring &it) {
  const std::lock_guard<std::mutex> hold(rings_lock);
  free_rings[device].push_back(it);
}

// The data of one copy to the device.
struct slot {
  char *to;
  size_t bytes;
  std::atomic<int> left;    // parts that are not filled yet
  std::atomic<bool> free_;  // its memory may be filled
  std::atomic<bool> queued; // its copy is on the stream
};

struct part {
  size_t slot, at; // which, and where in it
  const char *from;
  size_t bytes;
};

struct upload {
  const tsr_execution *execution;
  int device;
  ring slots_of;
  std::deque<slot> slots;
  std::vector<part> parts;
  double done_first, done_last;
  std::atomic<size_t> next{0};
  std::atomic<int> stop{TSR_OK};
  std::mutex lock; // of the stream
  cudaError_t code = cudaSuccess;

  void fail(cudaError_t code_) {
    const std::lock_guard<std::mutex> hold(lock);
    if (code == cudaSuccess)
      code = code_;
    stop = TSR_DEVICE;
  }
};

// The first slots are small, so that the bus has something to do early.
void cut(upload *it, const std::vector<tsr_copy> &copies) {
  size_t room = (size_t)1 << 20;
  for (const tsr_copy &copy : copies)
    for (size_t at = 0; at < copy.bytes;) {
      const size_t bytes = std::min(room, copy.bytes - at), number = it->slots.size();
      it->slots.emplace_back();
      slot &s = it->slots.back();
      s.to = (char *)copy.to + at;
      s.bytes = bytes;
      s.left = (int)((bytes + part_bytes - 1) / part_bytes);
      s.free_ = number < ring_slots;
      s.queued = false;
      for (size_t from = 0; from < bytes; from += part_bytes)
        it->parts.push_back({number, from, (const char *)copy.from + at + from,
                             std::min(part_bytes, bytes - from)});
      at += bytes;
      room = std::min(2 * room, slot_bytes);
    }
}

// Waits until the slot's memory is free; the thread with its first part asks the device.
cudaError_t wait_for_slot(upload *it, const part &p) {
  slot &s = it->slots[p.slot];
  if (s.free_)
    return cudaSuccess;
  if (p.at > 0) {
    while (!s.free_ && it->stop == TSR_OK)
      std::this_thread::yield();
    return cudaSuccess;
  }
  while (!it->slots[p.slot - ring_slots].queued && it->stop == TSR_OK)
    std::this_thread::yield();
  if (it->stop != TSR_OK)
    return cudaSuccess;
  const cudaError_t code = cudaEventSynchronize(it->slots_of.sent[p.slot % ring_slots]);
  s.free_ = code == cudaSuccess;
  return code;
}

cudaError_t send(upload *it, size_t number) {
  slot &s = it->slots[number];
  const char *from = it->slots_of.memory + number % ring_slots * slot_bytes;
  const std::lock_guard<std::mutex> hold(it->lock);
  cudaError_t code =
      tsr_copy_async(s.to, from, s.bytes, cudaMemcpyHostToDevice, it->slots_of.stream);
  if (code == cudaSuccess)
    code = cudaEventRecord(it->slots_of.sent[number % ring_slots], it->slots_of.stream);
  s.queued = code == cudaSuccess;
  return code;
}

void tell(upload *it, size_t number) {
  const double done = (double)(number + 1) / (double)it->slots.size();
  int running = TSR_OK;
  if (tsr_cuda_stopped(it->execution, it->done_first + (it->done_last - it->done_first) * done))
    it->stop.compare_exchange_strong(running, TSR_ABORTED);
}

void fill_parts(upload *it) {
  const tsr_on_device scope(it->device);
  cudaError_t code = scope.code();
  while (code == cudaSuccess && it->stop == TSR_OK) {
    const size_t number = it->next++;
    if (number >= it->parts.size())
      return;
    const part &p = it->parts[number];
    code = wait_for_slot(it, p);
    if (code != cudaSuccess || it->stop != TSR_OK)
      break;
    memcpy(it->slots_of.memory + p.slot % ring_slots * slot_bytes + p.at, p.from, p.bytes);
    if (--it->slots[p.slot].left > 0)
      continue;
    code = send(it, p.slot);
    tell(it, p.slot);
  }
  if (code != cudaSuccess)
    it->fail(code);
}

// Some cores are left to the bus and to others: more threads are slower, and so are a few.
int workers_of(const tsr_execution *execution) {
  return execution->threads > 8 ? std::min(execution->threads - 4, 12)
                                : std::max(1, execution->threads);
}

tsr_status run(upload *it, tsr_error *error) {
  std::vector<tsr_lane> lanes;
  const int others = workers_of(it->execution) - 1;
  cudaError_t code = others > 0 ? tsr_lanes_take(it->device, others, &lanes) : cudaSuccess;
  if (code != cudaSuccess)
    return tsr_cuda_fail(error, code, "allocating page-locked memory");
  code = take_ring(it->device, &it->slots_of);
  if (code != cudaSuccess) {
    tsr_lanes_give(it->device, &lanes);
    return tsr_cuda_fail(error, code, "allocating page-locked memory");
  }
  for (tsr_lane &lane : lanes)
    lane.worker->start([it]() { fill_parts(it); });
  fill_parts(it);
  for (tsr_lane &lane : lanes)
    lane.worker->wait();
  const cudaError_t last = cudaStreamSynchronize(it->slots_of.stream);
  tsr_lanes_give(it->device, &lanes);
  give_ring(it->device, it->slots_of);
  if (it->stop == TSR_ABORTED)
    return tsr_cuda_refuse(error, TSR_ABORTED, "stopped while the input was copied");
  code = it->stop != TSR_OK ? it->code : last;
  return code == cudaSuccess ? TSR_OK : tsr_cuda_fail(error, code, "uploading the input");
}

} // namespace

tsr_status tsr_upload_together(tsr_device_state *state, const tsr_execution *execution,
                               const std::vector<tsr_copy> &copies, double done_first,
                               double done_last, tsr_error *error) {
  upload it;
  it.execution = execution;
  it.device = state->device;
  it.slots_of = {};
  it.done_first = done_first;
  it.done_last = done_last;
  cut(&it, copies);
  return run(&it, error);
}

void tsr_together_release(void) {
  const std::lock_guard<std::mutex> hold(rings_lock);
  for (int d = 0; d < TSR_MAX_DEVICES; ++d) {
    if (free_rings[d].empty())
      continue;
    const tsr_on_device scope(d);
    for (const ring &it : free_rings[d])
      free_ring(it);
    free_rings[d].clear();
  }
}
