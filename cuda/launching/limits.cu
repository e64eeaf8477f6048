// SPDX-License-Identifier: BSD-3-Clause
// Limits of a device that belong to all users of its context: set for a while, then put back.
#include "cuda/launching/tickets.cuh"

#include <algorithm>
#include <mutex>

namespace {

std::mutex pool_lock;

} // namespace

void tsr_tickets_report(const tsr_tickets &tickets, tsr_report *report) {
  report->child_launches += (int64_t)tickets.launched;
  report->refused_launches += (int64_t)tickets.refused;
  report->child_items += (int64_t)tickets.child_items;
  report->inline_items += (int64_t)tickets.inline_items;
  if (tickets.launched > 0)
    report->deepest_nesting = std::max(report->deepest_nesting, 1);
}

tsr_pool::tsr_pool() : before(0), changed(false) { pool_lock.lock(); }

tsr_pool::~tsr_pool() {
  if (changed)
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, before);
  pool_lock.unlock();
}

cudaError_t tsr_pool::set(int64_t wanted, int64_t *in_force) {
  size_t now = 0;
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
