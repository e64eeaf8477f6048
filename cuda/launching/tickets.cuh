// SPDX-License-Identifier: BSD-3-Clause
// Launching from the device without losing anything. A launch needs a ticket, and there are no more
// tickets than slots for launches that have not ended. Only one lane of a warp launches: two lanes
// that launch into a full pool can hang for ever.
#ifndef TSR_TICKETS_CUH
#define TSR_TICKETS_CUH

#include "cuda/common/opened.cuh"

struct tsr_tickets {
  unsigned long long taken, limit;
  unsigned long long launched, refused;
  unsigned long long child_items, inline_items;
  int deepest;
};

// Ends the timing of the plan's kernels, waits for them, and adds what was launched to the report.
// account: the report counts the items too. tickets: on the device, in the plan's memory; freed.
tsr_status tsr_tickets_end(tsr_opened *plan, tsr_tickets *tickets, bool account, tsr_report *report,
                           tsr_error *error);

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
    if (where == TSR_CHILD_NAMED && cudaStreamDestroy(stream) != cudaSuccess)
      (void)cudaGetLastError(); // the child runs all the same
  } else {
    (void)cudaGetLastError(); // not to be taken for the next launch's
  }
  atomicAdd(code == cudaSuccess ? &tickets->launched : &tickets->refused, 1ull);
  return code == cudaSuccess;
}

// The pool of launches of the current device, from `set` or `give` to the end of the scope. Only
// one at a time is set in a process: the running grids of a device share its pool.
class tsr_pool {
public:
  tsr_pool();
  ~tsr_pool();
  tsr_pool(const tsr_pool &) = delete;
  tsr_pool &operator=(const tsr_pool &) = delete;
  // Sets the pool to `wanted` slots if it has another size. in_force: what it then has.
  cudaError_t set(int64_t wanted, int64_t *in_force);
  // Sets it, and brings as many tickets to the device, in the plan's memory. wanted 0: no tickets,
  // and the pool stays as it is.
  tsr_status give(tsr_opened *plan, int64_t wanted, tsr_tickets **tickets, tsr_report *report,
                  tsr_error *error);
  // Puts the size back and says whether that worked, as the end of the scope cannot.
  cudaError_t put_back();

private:
  size_t before;
  bool locked, changed;
  tsr_tickets given; // what goes to the device, as long as that may take
};

#endif
