// SPDX-License-Identifier: BSD-3-Clause
// Grids, block by block, one at a time. What a kernel launches runs after its grid has ended: CUDA
// promises no more, whatever the stream.
#include "launches.h"

#include "block.h"
#include "hidden.h"
#include "runtime.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

namespace {

using namespace emulator;

struct later {
  shape of;
  std::function<void()> body;
};

std::mutex device_lock; // one grid at a time, whichever thread of the host launches it
std::deque<later> children;

std::mutex kernels_lock;
std::map<const void *, binder> &binders = *new std::map<const void *, binder>;
size_t shared_allowed = 48 << 10; // a block's, as far as any kernel has asked for more

bool backwards() {
  const char *const asked = getenv("TESSERA_EMULATOR_BACKWARDS");
  return asked && strcmp(asked, "1") == 0;
}

cudaError_t check(const shape &of) {
  const std::lock_guard<std::mutex> hold(kernels_lock);
  const dim3 &t = of.threads, &b = of.blocks;
  const uint64_t threads = (uint64_t)t.x * t.y * t.z;
  if (threads == 0 || threads > most_threads || b.x == 0 || b.y == 0 || b.z == 0 ||
      b.x > 0x7FFFFFFFu || b.y > 0xFFFFu || b.z > 0xFFFFu)
    return cudaErrorInvalidConfiguration;
  return of.shared > shared_allowed ? cudaErrorInvalidValue : cudaSuccess;
}

void run_grid(const later &it) {
  const dim3 &n = it.of.blocks;
  const uint64_t blocks = (uint64_t)n.x * n.y * n.z;
  gridDim = n;
  blockDim = it.of.threads;
  for (uint64_t k = 0; k < blocks; ++k) {
    const uint64_t b = backwards() ? blocks - 1 - k : k;
    blockIdx = {(unsigned)(b % n.x), (unsigned)(b / n.x % n.y), (unsigned)(b / n.x / n.y)};
    run_block(it.body, it.of.shared);
  }
}

void run_with_children(const later &first) {
  const std::lock_guard<std::mutex> hold(device_lock);
  const device_works open;
  in_kernel = true;
  run_grid(first);
  while (!children.empty()) {
    const later next = std::move(children.front());
    children.pop_front();
    run_grid(next);
  }
  in_kernel = false;
  ran(first.of.stream);
}

} // namespace

namespace emulator {

thread_local bool in_kernel;

void launch(const shape &of, std::function<void()> body) {
  const cudaError_t code = check(of);
  if (code != cudaSuccess)
    return fail(code);
  if (in_kernel) {
    if (children.size() >= limit(cudaLimitDevRuntimePendingLaunchCount))
      return fail(cudaErrorLaunchPendingCountExceeded);
    children.push_back({of, std::move(body)});
    return;
  }
  if (cudaLaunchKernel(nullptr, of.blocks, of.threads, nullptr, of.shared, nullptr) == cudaSuccess)
    run_with_children({of, std::move(body)});
}

void know(const void *kernel, binder how) {
  const std::lock_guard<std::mutex> hold(kernels_lock);
  binders[kernel] = how;
}

} // namespace emulator

extern "C" cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute which, int value) {
  const std::lock_guard<std::mutex> hold(kernels_lock);
  if (which == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if ((size_t)value > shared_most)
      return fail(cudaErrorInvalidValue), cudaErrorInvalidValue;
    shared_allowed = std::max(shared_allowed, (size_t)value);
  }
  return cudaSuccess;
}

extern "C" cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *with, const void *kernel,
                                           void **arguments) {
  binder how = nullptr;
  {
    const std::lock_guard<std::mutex> hold(kernels_lock);
    const auto at = binders.find(kernel);
    how = at == binders.end() ? nullptr : at->second;
  }
  if (!how)
    return fail(cudaErrorInvalidDeviceFunction), cudaErrorInvalidDeviceFunction;
  const shape of(with->gridDim, with->blockDim, with->dynamicSmemBytes, with->stream);
  const cudaError_t code = check(of);
  if (code != cudaSuccess)
    return fail(code), code;
  run_with_children({of, how(kernel, arguments)});
  return cudaSuccess;
}
