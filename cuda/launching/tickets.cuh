// SPDX-License-Identifier: BSD-3-Clause
// Launches kernels from kernels such that no launch is lost. Each launch needs a ticket, and there
// are at most as many tickets as slots in the pool of pending launches. Only one lane of a warp
// launches: if two lanes launch into a full pool, the kernel can hang for ever.
#ifndef TSR_LAUNCHING_TICKETS_CUH
#define TSR_LAUNCHING_TICKETS_CUH

#include "cuda/common/opened.cuh"

struct tsr_tickets {
  unsigned long long taken, limit;
  unsigned long long launched, refused;
  unsigned long long child_items, inline_items;
  int deepest;
};

// Ends the timing of the plan's kernels, waits for them, and adds the launches to the report.
// account: adds the items, too. tickets: on the device, in the plan's memory; freed here.
tsr_status tsr_tickets_end(tsr_opened *plan, tsr_tickets *tickets, bool account, tsr_report *report,
                           tsr_error *error);

// Launches kernel<<<grid, block, shared>>>(arguments...). Returns false if it was not launched: the
// caller then does the work itself.
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
      (void)cudaGetLastError(); // the child runs nevertheless
  } else {
    (void)cudaGetLastError(); // not to be taken for the next launch's
  }
  atomicAdd(code == cudaSuccess ? &tickets->launched : &tickets->refused, 1ull);
  return code == cudaSuccess;
}

// Sets the pool of pending launches of the current device until the end of the scope. Only one
// object of a process does so at a time, since all running grids of a device share the pool.
class tsr_pool {
public:
  tsr_pool();
  ~tsr_pool();
  tsr_pool(const tsr_pool &) = delete;
  tsr_pool &operator=(const tsr_pool &) = delete;
  // Sets the pool to `wanted` slots if it has another size. *in_force: the size that it then has.
  cudaError_t set(int64_t wanted, int64_t *in_force);
  // Sets the pool and makes as many tickets on the device, in the plan's memory. wanted 0: there
  // are no tickets, and the pool is not changed.
  tsr_status give(tsr_opened *plan, int64_t wanted, tsr_tickets **tickets, tsr_report *report,
                  tsr_error *error);
  // Restores the size and returns whether that worked, which the destructor cannot tell.
  cudaError_t put_back();

private:
  size_t before;
  bool locked, changed;
  tsr_tickets given; // source of the copy to the device, which must stay until that is done
};

#endif
