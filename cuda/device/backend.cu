// SPDX-License-Identifier: BSD-3-Clause
// Devices: which there are and whether they work. The table that filters/device gets.
#include "cuda/common/memory/callers.cuh"
#include "cuda/common/memory/kept.cuh"
#include "cuda/common/memory/made.cuh"
#include "cuda/common/memory/outputs.cuh"
#include "cuda/common/memory/scratch.cuh"
#include "cuda/common/transfer/pinned.cuh"
#include "cuda/common/transfer/together.cuh"
#include "cuda/device/probe.cuh"
#include "cuda/device/rates.cuh"
#include "cuda/device/self_check.cuh"
#include "device/backend.h"

#include <algorithm>
#include <cstdio>

namespace {

// The first thing that is wrong with a device is what the user gets to see.
void note(tsr_device *it, const tsr_error &error) {
  if (!it->problem[0])
    snprintf(it->problem, sizeof it->problem, "%.290s", error.text);
}

int64_t limit_now(cudaLimit which) {
  size_t value = 0;
  const cudaError_t code = cudaDeviceGetLimit(&value, which);
  tsr_cuda_drop(code);
  return code == cudaSuccess ? (int64_t)value : -1;
}

// The driver raises the stack's limit where a kernel needs more: the report leaves it as it was.
tsr_status stack_back(int64_t before, tsr_error *error) {
  if (before >= 0 && limit_now(cudaLimitStackSize) != before)
    TSR_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, (size_t)before),
             "putting the stack's limit back");
  return TSR_OK;
}

void read_properties(int index, tsr_device *it) {
  cudaDeviceProp properties;
  const cudaError_t known = cudaGetDeviceProperties(&properties, index);
  tsr_cuda_drop(known);
  if (known != cudaSuccess)
    return;
  snprintf(it->name, sizeof it->name, "%.127s", properties.name);
  it->major = properties.major;
  it->minor = properties.minor;
  it->multiprocessors = properties.multiProcessorCount;
  it->memory_bytes = (int64_t)properties.totalGlobalMem;
}

// Of the current device.
void read_limits(const tsr_device_state &state, tsr_device *it) {
  size_t free_bytes = 0, all_bytes = 0;
  const cudaError_t told = cudaMemGetInfo(&free_bytes, &all_bytes);
  tsr_cuda_drop(told);
  if (told == cudaSuccess)
    it->free_bytes = (int64_t)free_bytes;
  it->pending_launches = limit_now(cudaLimitDevRuntimePendingLaunchCount);
  it->heap_bytes = limit_now(cudaLimitMallocHeapSize);
  it->stack_bytes = limit_now(cudaLimitStackSize);
  it->default_pending_launches = (int64_t)state.launches;
  it->default_heap_bytes = (int64_t)state.heap;
  it->default_stack_bytes = (int64_t)state.stack;
  int blocks = 0;
  const cudaError_t clusters = tsr_device_largest_cluster(it->major, &blocks);
  tsr_cuda_drop(clusters);
  if (clusters == cudaSuccess)
    it->largest_cluster = blocks;
}

void report_one(int index, tsr_device *it) {
  tsr_device_state *state;
  tsr_error error;
  it->index = index;
  read_properties(index, it);
  if (tsr_device_state_of(index, &state, &error) != TSR_OK)
    return note(it, error);
  const tsr_on_device scope(index);
  it->usable = 1;
  if (scope.check(&error) != TSR_OK)
    return note(it, error);
  read_limits(*state, it);
  if (tsr_launching_probe(&error) == TSR_OK)
    it->launches = 1;
  else
    note(it, error);
  if (stack_back(it->stack_bytes, &error) != TSR_OK)
    note(it, error);
  if (state->stack_kept != cudaSuccess && !it->problem[0])
    snprintf(it->problem, sizeof it->problem,
             "CUDA failed while putting the stack's limit back to %zu bytes: %s: %s", state->stack,
             cudaGetErrorName(state->stack_kept), cudaGetErrorString(state->stack_kept));
}

// What fails leaves the rest to be tried.
void measure(tsr_device *it) {
  tsr_error error;
  const tsr_on_device scope(it->index);
  if (scope.check(&error) != TSR_OK)
    return note(it, error);
  const int64_t stack = limit_now(cudaLimitStackSize);
  if (it->launches && tsr_launching_measure(it, &error) != TSR_OK)
    note(it, error);
  if (tsr_device_rates(it, &error) != TSR_OK)
    note(it, error);
  if (stack_back(stack, &error) != TSR_OK)
    note(it, error);
}

int count() {
  int count = 0, driver = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess)
    return std::min(count, TSR_MAX_DEVICES);
  tsr_cuda_drop(code);
  tsr_cuda_drop(cudaDriverGetVersion(&driver));
  return code == cudaErrorNoDevice || driver == 0 ? 0 : -1;
}

void report(tsr_devices *devices) {
  int count = 0;
  devices->built = 1;
  tsr_cuda_drop(cudaRuntimeGetVersion(&devices->runtime_version));
  tsr_cuda_drop(cudaDriverGetVersion(&devices->driver_version));
  if (!tsr_device_list(&count, devices->problem, sizeof devices->problem))
    return;
  devices->count = std::min(count, TSR_MAX_DEVICES);
  bool usable = false;
  for (int d = 0; d < devices->count; ++d) {
    report_one(d, &devices->device[d]);
    usable = usable || devices->device[d].usable;
  }
  if (!usable)
    snprintf(devices->problem, sizeof devices->problem, "%s", devices->device[0].problem);
}

void release() {
  tsr_kept_forget_all();
  tsr_made_release(-1);
  tsr_scratch_release();
  tsr_together_release();
  tsr_lanes_release();
  tsr_outputs_release();
  tsr_device_states_trim();
}

} // namespace

const tsr_device_backend *tsr_device_cuda(void) {
  static const tsr_device_backend backend = {count,
                                             report,
                                             measure,
                                             tsr_kept_forget,
                                             release,
                                             tsr_callers_alloc,
                                             tsr_callers_free,
                                             tsr_callers_wait};
  return &backend;
}
