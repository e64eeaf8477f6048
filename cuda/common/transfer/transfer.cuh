// SPDX-License-Identifier: BSD-3-Clause
// Copies between host and device at the full speed of the bus.
#ifndef TSR_COMMON_TRANSFER_TRANSFER_CUH
#define TSR_COMMON_TRANSFER_TRANSFER_CUH

#include "cuda/common/common.cuh"

#include <functional>

struct tsr_copy {
  void *to;
  const void *from;
  size_t bytes;
  cudaEvent_t after =
      nullptr; // copy only after this event, when `from` is made; NULL: it is complete
};

// Copies from host to device memory. Returns when the data is there.
tsr_status tsr_transfer_up(tsr_device_state *state, const tsr_execution *execution,
                           const std::vector<tsr_copy> &copies, tsr_error *error);

// Work for host threads beside the copies: task(data, begin, end) over [0, n) in pieces of `grain`.
// Then the calling thread calls `wait`, unless it is empty, which returns when the copies' events
// have happened or the user aborts.
struct tsr_aside {
  tsr_task task;
  void *data;
  int64_t n, grain;
  std::function<tsr_status(tsr_error *)> wait;
};

// Copies from device to host memory, each copy once its event has happened. aside: work for the
// host meanwhile; NULL: none. done_first, done_last: progress of the whole execution at the begin
// and the end of this step.
tsr_status tsr_transfer_down(tsr_device_state *state, const tsr_execution *execution,
                             const std::vector<tsr_copy> &copies, const tsr_aside *aside,
                             double done_first, double done_last, tsr_error *error);

// Reports the progress to the caller. Returns 1 if the user wants to abort.
inline int tsr_cuda_stopped(const tsr_execution *execution, double fraction) {
  return execution->progress && execution->progress(execution->progress_context, fraction);
}

#endif
