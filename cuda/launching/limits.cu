// SPDX-License-Identifier: BSD-3-Clause
// Limits of a device that belong to all users of its context: set for a while, then put back.
#include "cuda/launching/tickets.cuh"

#include <algorithm>
#include <mutex>

namespace {

std::mutex pool_lock;

} // namespace

tsr_status tsr_tickets_end(tsr_opened *plan, tsr_tickets *tickets, bool account, tsr_report *report,
                           tsr_error *error) {
  tsr_tickets found = {};
  TSR_CUDA(cudaEventRecord(plan->end, plan->stream), "starting the parents");
  TSR_STEP(
      tsr_bring(&found, tickets, sizeof found, plan->stream, "running the child grids", error));
  plan->memory.free_one(tickets);
  report->child_launches += (int64_t)found.launched;
  report->refused_launches += (int64_t)found.refused;
  report->child_items += account ? (int64_t)found.child_items : 0;
  report->inline_items += account ? (int64_t)found.inline_items : 0;
  // Only recursions count their nesting.
  report->deepest_nesting =
      std::max({report->deepest_nesting, found.deepest, found.launched > 0 ? 1 : 0});
  return TSR_OK;
}

tsr_pool::tsr_pool() : before(0), locked(false), changed(false), given{} {}

tsr_pool::~tsr_pool() {
  tsr_cuda_drop(put_back());
  if (locked)
    pool_lock.unlock();
}

cudaError_t tsr_pool::set(int64_t wanted, int64_t *in_force) {
  size_t now = 0;
  pool_lock.lock();
  locked = true;
  cudaError_t code = cudaDeviceGetLimit(&before, cudaLimitDevRuntimePendingLaunchCount);
  if (code == cudaSuccess && before != (size_t)wanted) {
    code = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, (size_t)wanted);
    changed = code == cudaSuccess;
  }
  if (code == cudaSuccess)
    code = cudaDeviceGetLimit(&now, cudaLimitDevRuntimePendingLaunchCount);
  *in_force = (int64_t)now;
  return code;
}

tsr_status tsr_pool::give(tsr_opened *plan, int64_t wanted, tsr_tickets **tickets,
                          tsr_report *report, tsr_error *error) {
  if (wanted > 0) {
    TSR_CUDA(set(wanted, &report->pool_in_force), "setting the pending launch count");
    given.limit = (unsigned long long)std::min(wanted, report->pool_in_force);
  }
  TSR_STEP(plan->memory.get(tickets, 1, "the launches", error));
  TSR_CUDA(tsr_copy_async(*tickets, &given, sizeof given, cudaMemcpyHostToDevice, plan->stream),
           "starting the parents");
  return TSR_OK;
}

cudaError_t tsr_pool::put_back() {
  if (!changed)
    return cudaSuccess;
  const cudaError_t code = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, before);
  changed = code != cudaSuccess;
  return code;
}
