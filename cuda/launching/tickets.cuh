// SPDX-License-Identifier: BSD-3-Clause
// Launching from the device without losing anything. A launch needs a ticket, and there are no more
// tickets than slots for launches that have not ended. Only one lane of a warp launches: two lanes
// that launch into a full pool can hang for ever.
#ifndef TSR_TICKETS_CUH
#define TSR_TICKETS_CUH

#include "cuda/common/common.cuh"
#include "curves/tessera_curves.h"

struct tsr_tickets {
  unsigned long long taken, limit;
  unsigned long long launched, refused;
  unsigned long long child_items, inline_items;
  int deepest;
};

// Adds what was launched to the report.
void tsr_tickets_report(const tsr_tickets &tickets, tsr_report *report);

// Launches kernel<<<grid, block, shared>>>(arguments...); false: it did not happen, and the caller
// does the work itself.
template <class... Parameters, class... Arguments>
static __device__ inline bool
tsr_launch_child(tsr_tickets *tickets, tsr_child_stream where, void (*kernel)(Parameters...),
                 unsigned grid, unsigned block, size_t shared, Arguments... arguments) {
  cudaStream_t stream = nullptr;
  if (atomicAdd(&tickets->taken, 1ull) >= tickets->limit) {
    atomicAdd(&tickets->refused, 1ull);
    return false;
  }
  cudaError_t code = cudaSuccess;
  if (where == TSR_CHILD_NAMED)
    code = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  else if (where == TSR_CHILD_FIRE_AND_FORGET)
    stream = cudaStreamFireAndForget;
  else if (where == TSR_CHILD_TAIL)
    stream = cudaStreamTailLaunch;
  if (code == cudaSuccess) {
    kernel<<<grid, block, shared, stream>>>(arguments...);
    code = cudaGetLastError();
    if (where == TSR_CHILD_NAMED)
      cudaStreamDestroy(stream);
  }
  atomicAdd(code == cudaSuccess ? &tickets->launched : &tickets->refused, 1ull);
  return code == cudaSuccess;
}

// The pool of launches of the current device, set for the time of a scope. Only one scope at a time
// is open in a process: the running grids of a device share its pool.
class tsr_pool {
public:
  tsr_pool();
  ~tsr_pool();
  tsr_pool(const tsr_pool &) = delete;
  tsr_pool &operator=(const tsr_pool &) = delete;
  // Sets the pool to `wanted` slots if it has another size. in_force: what it then has.
  cudaError_t set(int64_t wanted, int64_t *in_force);

private:
  size_t before;
  bool changed;
};

#endif
