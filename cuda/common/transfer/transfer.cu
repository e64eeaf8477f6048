// SPDX-License-Identifier: BSD-3-Clause
// Every lane has a thread, a stream and two page-locked slots, and takes pieces from a counter:
// while one slot is on the bus, the other is copied from or to the caller's memory. The caller's
// executor does the work aside meanwhile.
#include "cuda/common/transfer/transfer.cuh"

#include "cuda/common/memory/large_pages.cuh"
#include "cuda/common/memory/outputs.cuh"
#include "cuda/common/transfer/pinned.cuh"
#include "cuda/common/transfer/together.cuh"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

namespace {

const size_t small_bytes = 64 << 10; // below it the ring is not worth its start
const size_t large_bytes = 1 << 20;  // from it on threads share out the filling of slots

struct piece {
  char *to;
  const char *from;
  size_t bytes;
  cudaEvent_t after = nullptr;
};

struct transfer {
  const tsr_execution *execution;
  int device;
  bool down;
  std::vector<piece> pieces;
  const tsr_aside *aside;
  int64_t asides; // pieces of `aside`
  double done_first, done_last;
  std::vector<tsr_lane> lanes;
  std::atomic<int64_t> next{0};
  std::atomic<int> stop{TSR_OK};
  std::mutex lock;
  cudaError_t code = cudaSuccess;

  bool waits() const { return aside && aside->wait; }
  void fail(cudaError_t code_) {
    const std::lock_guard<std::mutex> hold(lock);
    if (code == cudaSuccess)
      code = code_;
    stop = TSR_DEVICE;
  }
  void tell(int64_t done) {
    const double all = (double)(pieces.size() + (size_t)asides);
    if (tsr_cuda_stopped(execution, done_first + (done_last - done_first) * (double)done / all)) {
      int running = TSR_OK;
      stop.compare_exchange_strong(running, TSR_ABORTED);
    }
  }
};

// Waits until the slot's piece is through, and takes it out of the slot on the way down.
cudaError_t finish(transfer *it, tsr_lane *lane, int slot, piece *pending) {
  if (pending->bytes == 0)
    return cudaSuccess;
  const cudaError_t code = cudaEventSynchronize(lane->done[slot]);
  if (code == cudaSuccess && it->down)
    memcpy(pending->to, lane->slot[slot], pending->bytes);
  pending->bytes = 0;
  return code;
}

// By the host, not the stream: those that wait for kernels could keep others back, and who tells
// the kernels to stop is one of them.
cudaError_t start(transfer *it, tsr_lane *lane, int slot, const piece &p) {
  cudaError_t code = p.after ? cudaEventSynchronize(p.after) : cudaSuccess;
  if (!it->down)
    memcpy(lane->slot[slot], p.from, p.bytes);
  if (code == cudaSuccess)
    code = it->down ? tsr_copy_async(lane->slot[slot], p.from, p.bytes, cudaMemcpyDeviceToHost,
                                     lane->stream)
                    : tsr_copy_async(p.to, lane->slot[slot], p.bytes, cudaMemcpyHostToDevice,
                                     lane->stream);
  return code == cudaSuccess ? cudaEventRecord(lane->done[slot], lane->stream) : code;
}

void copy_pieces(transfer *it, tsr_lane *lane) {
  const tsr_on_device scope(it->device);
  piece pending[2] = {{nullptr, nullptr, 0, nullptr}, {nullptr, nullptr, 0, nullptr}};
  cudaError_t code = scope.code();
  int slot = 0;
  while (code == cudaSuccess && it->stop == TSR_OK) {
    const int64_t p = it->next++;
    if (p >= (int64_t)it->pieces.size())
      break;
    code = finish(it, lane, slot, &pending[slot]);
    if (code == cudaSuccess)
      code = start(it, lane, slot, it->pieces[(size_t)p]);
    pending[slot] = it->pieces[(size_t)p];
    slot = 1 - slot;
    it->tell(p);
  }
  for (int s = 0; s < 2; ++s, slot = 1 - slot) {
    const cudaError_t last = finish(it, lane, slot, &pending[slot]);
    code = code == cudaSuccess ? last : code;
  }
  if (code != cudaSuccess) {
    tsr_cuda_drop(cudaStreamSynchronize(lane->stream)); // the memory is about to be freed
    it->fail(code);
  }
}

void do_asides(void *data, int64_t begin, int64_t end) {
  const transfer *it = (const transfer *)data;
  for (int64_t p = begin; p < end && it->stop == TSR_OK; ++p) {
    const int64_t first = p * it->aside->grain;
    it->aside->task(it->aside->data, first, std::min(it->aside->n, first + it->aside->grain));
  }
}

tsr_status run(transfer *it, tsr_error *error) {
  const int threads = std::max(1, it->execution->threads);
  const int64_t lanes =
      std::min<int64_t>(std::min(threads, tsr_most_lanes), (int64_t)(it->pieces.size() + 1) / 2);
  // If there is no other work, this thread serves one lane itself, so that no other thread need be
  // woken.
  const size_t own = lanes > 0 && it->asides == 0 && !it->waits() ? 1 : 0;
  if (lanes > 0) {
    const cudaError_t code = tsr_lanes_take(it->device, (int)lanes, &it->lanes);
    if (code != cudaSuccess)
      return tsr_cuda_fail(error, code, "allocating page-locked memory");
  }
  for (size_t l = own; l < it->lanes.size(); ++l)
    it->lanes[l].worker->start([it, l]() { copy_pieces(it, &it->lanes[l]); });
  if (own > 0)
    copy_pieces(it, &it->lanes[0]);
  else if (it->asides > 1 && it->execution->run)
    it->execution->run(it->execution->run_context, it->asides, 1, do_asides, it);
  else
    do_asides(it, 0, it->asides);
  const tsr_status waited = it->waits() ? it->aside->wait(error) : TSR_OK;
  if (waited != TSR_OK)
    it->stop = TSR_ABORTED;
  for (size_t l = own; l < it->lanes.size(); ++l)
    it->lanes[l].worker->wait();
  tsr_lanes_give(it->device, &it->lanes);
  TSR_STEP(waited);
  if (it->stop == TSR_ABORTED)
    return tsr_cuda_refuse(error, TSR_ABORTED, "stopped while the points were copied");
  if (it->stop != TSR_OK)
    return tsr_cuda_fail(error, it->code,
                         it->down ? "downloading the output" : "uploading the input");
  return TSR_OK;
}

// Cuts the copies into the ring's pieces. Small ones are done at once; so are those whose host
// memory is page-locked, which are only started.
cudaError_t cut(transfer *it, const std::vector<tsr_copy> &copies, cudaStream_t stream) {
  for (const tsr_copy &copy : copies) {
    const cudaMemcpyKind kind = it->down ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    void *const host = it->down ? copy.to : (void *)copy.from;
    if (copy.bytes < small_bytes || tsr_output_locked(host, copy.bytes)) {
      cudaError_t code = copy.after ? cudaStreamWaitEvent(stream, copy.after, 0) : cudaSuccess;
      if (code == cudaSuccess)
        code = tsr_copy_async(copy.to, copy.from, copy.bytes, kind, stream);
      if (code != cudaSuccess)
        return code;
      continue;
    }
    if (it->down)
      tsr_advise_large(copy.to, copy.bytes);
    for (size_t at = 0; at < copy.bytes; at += tsr_slot_bytes)
      it->pieces.push_back({(char *)copy.to + at, (const char *)copy.from + at,
                            std::min(tsr_slot_bytes, copy.bytes - at), copy.after});
  }
  return cudaSuccess;
}

// Copies that need no slots use the stream of a lane: making a stream takes as long as a small
// copy.
tsr_status transfer_all(transfer *it, const std::vector<tsr_copy> &copies, tsr_error *error) {
  std::vector<tsr_lane> lane;
  if (copies.empty() && it->asides == 0 && !it->waits())
    return TSR_OK;
  TSR_CUDA(tsr_lanes_take(it->device, 1, &lane), "allocating page-locked memory");
  cudaError_t code = cut(it, copies, lane[0].stream);
  tsr_status status = TSR_OK;
  if (code == cudaSuccess)
    status = run(it, error);
  const cudaError_t direct = cudaStreamSynchronize(lane[0].stream);
  tsr_lanes_give(it->device, &lane);
  code = code == cudaSuccess ? direct : code;
  if (status == TSR_OK && code != cudaSuccess)
    return tsr_cuda_fail(error, code, it->down ? "downloading the output" : "uploading the input");
  return status;
}

} // namespace

tsr_status tsr_transfer_up(tsr_device_state *state, const tsr_execution *execution,
                           const std::vector<tsr_copy> &copies, tsr_error *error) {
  std::vector<tsr_copy> large, rest;
  size_t bytes = 0;
  for (const tsr_copy &copy : copies) {
    const bool is_large =
        copy.bytes >= large_bytes && !tsr_output_locked((void *)copy.from, copy.bytes);
    (is_large ? large : rest).push_back(copy);
    bytes += is_large ? copy.bytes : 0;
  }
  if (bytes >= tsr_together_least)
    TSR_STEP(tsr_upload_together(state, execution, large, 0.0, 0.1, error));
  transfer it;
  it.execution = execution;
  it.device = state->device;
  it.down = false;
  it.aside = nullptr;
  it.asides = 0;
  it.done_first = 0.0;
  it.done_last = 0.1;
  return transfer_all(&it, bytes >= tsr_together_least ? rest : copies, error);
}

tsr_status tsr_transfer_down(tsr_device_state *state, const tsr_execution *execution,
                             const std::vector<tsr_copy> &copies, const tsr_aside *aside,
                             double done_first, double done_last, tsr_error *error) {
  transfer it;
  it.execution = execution;
  it.device = state->device;
  it.down = true;
  it.aside = aside;
  it.asides = aside && aside->n > 0 ? (aside->n + aside->grain - 1) / aside->grain : 0;
  it.done_first = done_first;
  it.done_last = done_last;
  return transfer_all(&it, copies, error);
}
