// SPDX-License-Identifier: BSD-3-Clause
// Moving arrays between host and device as fast as the bus goes.
#ifndef TSR_TRANSFER_CUH
#define TSR_TRANSFER_CUH

#include "cuda/common/common.cuh"

#include <functional>

struct tsr_copy {
  void *to;
  const void *from;
  size_t bytes;
  cudaEvent_t after = nullptr; // what makes `from`; NULL: it is complete
};

// Host memory to device memory. Returns when it is there.
tsr_status tsr_transfer_up(tsr_device_state *state, const tsr_execution *execution,
                           const std::vector<tsr_copy> &copies, tsr_error *error);

// Work for the host that is done in between: task(data, begin, end) over [0, n) in pieces of grain.
// Then, where it is not empty, `wait`, by the thread that called: until the copies' events are
// there, or the caller wants to stop.
struct tsr_aside {
  tsr_task task;
  void *data;
  int64_t n, grain;
  std::function<tsr_status(tsr_error *)> wait;
};

// Device memory to host memory, each copy once its event is there. aside: NULL = nothing.
// done_first, done_last: the step's share of the whole progress.
tsr_status tsr_transfer_down(tsr_device_state *state, const tsr_execution *execution,
                             const std::vector<tsr_copy> &copies, const tsr_aside *aside,
                             double done_first, double done_last, tsr_error *error);

// Tells the caller how far the work is; 1 where the caller wants it to stop.
inline int tsr_cuda_stopped(const tsr_execution *execution, double fraction) {
  return execution->progress && execution->progress(execution->progress_context, fraction);
}

#endif
