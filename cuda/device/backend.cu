// SPDX-License-Identifier: BSD-3-Clause
// Devices: which there are and whether they work. The table that filters/device gets.
#include "cuda/common/common.cuh"
#include "cuda/common/outputs.cuh"
#include "cuda/common/pinned.cuh"
#include "cuda/device/probe.cuh"
#include "device/backend.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace {

void report_one(int index, tsr_device *it) {
  tsr_device_state *state;
  tsr_error error;
  cudaDeviceProp properties;
  size_t free_bytes = 0, all_bytes = 0;
  memset(it, 0, sizeof *it);
  it->index = index;
  const cudaError_t known = cudaGetDeviceProperties(&properties, index);
  tsr_cuda_drop(known);
  if (known == cudaSuccess) {
    snprintf(it->name, sizeof it->name, "%.127s", properties.name);
    it->major = properties.major;
    it->minor = properties.minor;
    it->multiprocessors = properties.multiProcessorCount;
    it->memory_bytes = (int64_t)properties.totalGlobalMem;
  }
  if (tsr_device_state_of(index, &state, &error) != TSR_OK) {
    snprintf(it->problem, sizeof it->problem, "%.290s", error.text);
    return;
  }
  const tsr_on_device scope(index);
  it->usable = 1;
  const cudaError_t told = cudaMemGetInfo(&free_bytes, &all_bytes);
  tsr_cuda_drop(told);
  if (told == cudaSuccess)
    it->free_bytes = (int64_t)free_bytes;
  if (scope.check(&error) == TSR_OK && tsr_launching_probe(&error) == TSR_OK)
    it->launches = 1;
  else
    snprintf(it->problem, sizeof it->problem, "%.290s", error.text);
  if (state->stack_kept != cudaSuccess && it->launches)
    snprintf(it->problem, sizeof it->problem,
             "CUDA failed while putting the stack's limit back to %zu bytes: %s: %s", state->stack,
             cudaGetErrorName(state->stack_kept), cudaGetErrorString(state->stack_kept));
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
  memset(devices, 0, sizeof *devices);
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
  tsr_lanes_release();
  tsr_outputs_release();
  tsr_device_states_trim();
}

} // namespace

const tsr_device_backend *tsr_device_cuda(void) {
  static const tsr_device_backend backend = {count, report, release};
  return &backend;
}
