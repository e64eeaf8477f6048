// SPDX-License-Identifier: BSD-3-Clause
// What the process keeps of each device, its memory, and errors.
#include "cuda/common/common.cuh"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>

tsr_status tsr_cuda_refuse(tsr_error *error, tsr_status status, const char *format, ...) {
  va_list arguments;
  error->status = status;
  error->item = -1;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return status;
}

tsr_status tsr_cuda_fail(tsr_error *error, cudaError_t code, const char *what) {
  cudaGetLastError();
  const tsr_status status = code == cudaErrorMemoryAllocation ? TSR_NO_MEMORY : TSR_DEVICE;
  return tsr_cuda_refuse(error, status, "CUDA failed while %s: %s: %s", what,
                         cudaGetErrorName(code), cudaGetErrorString(code));
}

namespace {

std::mutex states_lock;
tsr_device_state states[TSR_MAX_DEVICES];
bool state_made[TSR_MAX_DEVICES];

__global__ void probe_kernel(int *value) { *value = 42; }

// One kernel there and back. `value` is mapped or device memory.
cudaError_t run_probe() {
  int *value = nullptr, result = 0;
  cudaError_t code = cudaMalloc(&value, sizeof *value);
  if (code != cudaSuccess)
    return code;
  probe_kernel<<<1, 1>>>(value);
  code = cudaGetLastError();
  if (code == cudaSuccess)
    code = cudaMemcpy(&result, value, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(value);
  return code == cudaSuccess && result != 42 ? cudaErrorUnknown : code;
}

cudaError_t make_state(int device, tsr_device_state *state) {
  cudaMemPoolProps props;
  uint64_t keep = UINT64_MAX;
  memset(&props, 0, sizeof props);
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = device;
  state->device = device;
  cudaError_t code = cudaGetDeviceProperties(&state->properties, device);
  if (code == cudaSuccess)
    code = cudaDeviceGetLimit(&state->stack, cudaLimitStackSize);
  if (code == cudaSuccess)
    code = run_probe();
  if (code == cudaSuccess)
    code = cudaMemPoolCreate(&state->pool, &props);
  if (code == cudaSuccess)
    code = cudaMemPoolSetAttribute(state->pool, cudaMemPoolAttrReleaseThreshold, &keep);
  return code;
}

} // namespace

bool tsr_device_list(int *count, char *problem, size_t size) {
  const cudaError_t code = cudaGetDeviceCount(count);
  int driver = 0, runtime = 0;
  if (code == cudaSuccess && *count > 0)
    return true;
  cudaGetLastError();
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  *count = 0;
  if (code == cudaErrorInsufficientDriver && driver == 0)
    snprintf(problem, size, "there is no CUDA driver on this machine (%s)", cudaGetErrorName(code));
  else if (code == cudaErrorInsufficientDriver)
    snprintf(problem, size,
             "the CUDA driver supports CUDA %d.%d, but this Tessera needs %d.%d (%s)",
             driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10,
             cudaGetErrorName(code));
  else if (code == cudaErrorNoDevice || code == cudaSuccess)
    snprintf(problem, size, "there is no CUDA device on this machine (%s)", cudaGetErrorName(code));
  else
    snprintf(problem, size, "CUDA cannot list the devices: %s: %s", cudaGetErrorName(code),
             cudaGetErrorString(code));
  return false;
}

tsr_status tsr_device_choose(int wanted, int *device, tsr_error *error) {
  char problem[300];
  int count = 0;
  if (!tsr_device_list(&count, problem, sizeof problem))
    return tsr_cuda_refuse(error, TSR_NO_BACKEND, "CUDA cannot be used: %s", problem);
  count = std::min(count, TSR_MAX_DEVICES);
  if (wanted >= count)
    return tsr_cuda_refuse(error, TSR_NO_BACKEND,
                           "CUDA cannot be used: device %d was asked for, but there are %d (the "
                           "first is number 0)",
                           wanted, count);
  *device = std::max(wanted, 0);
  if (wanted >= 0)
    return TSR_OK;
  tsr_device_state *state;
  for (int d = 0; d < count; ++d) {
    tsr_error ignored;
    if (tsr_device_state_of(d, &state, d == 0 ? error : &ignored) == TSR_OK) {
      *device = d;
      return TSR_OK;
    }
  }
  return error->status;
}

tsr_status tsr_device_state_of(int device, tsr_device_state **state, tsr_error *error) {
  const std::lock_guard<std::mutex> hold(states_lock);
  const tsr_on_device scope(device);
  if (!state_made[device]) {
    char what[64];
    snprintf(what, sizeof what, "starting on device %d", device);
    const cudaError_t code = make_state(device, &states[device]);
    if (code != cudaSuccess) {
      const tsr_status status = tsr_cuda_fail(error, code, what);
      return status == TSR_NO_MEMORY ? status : TSR_NO_BACKEND;
    }
    state_made[device] = true;
  }
  *state = &states[device];
  return TSR_OK;
}

tsr_status tsr_memory::get(void **pointer, int64_t count, size_t size, const char *what,
                           tsr_error *error) {
  const size_t bytes = (size_t)(count > 0 ? count : 1) * size;
  const cudaError_t code = cudaMallocFromPoolAsync(pointer, bytes, state->pool, stream);
  if (code != cudaSuccess) {
    cudaGetLastError();
    *pointer = nullptr;
    return tsr_cuda_refuse(error, code == cudaErrorMemoryAllocation ? TSR_NO_MEMORY : TSR_DEVICE,
                           "device %d gives no memory for %s, %lld times %zu bytes: %s: %s",
                           state->device, what, (long long)count, size, cudaGetErrorName(code),
                           cudaGetErrorString(code));
  }
  blocks.push_back(*pointer);
  return TSR_OK;
}

void tsr_memory::free_one(void *pointer) {
  const auto at = std::find(blocks.begin(), blocks.end(), pointer);
  if (!pointer || at == blocks.end())
    return;
  cudaFreeAsync(pointer, stream);
  blocks.erase(at);
}

void tsr_memory::free_all() {
  for (void *block : blocks)
    cudaFreeAsync(block, stream);
  blocks.clear();
}

void tsr_device_states_trim() {
  const std::lock_guard<std::mutex> hold(states_lock);
  for (int d = 0; d < TSR_MAX_DEVICES; ++d) {
    if (!state_made[d])
      continue;
    const tsr_on_device scope(d);
    cudaMemPoolTrimTo(states[d].pool, 0);
    // The driver raises it where a kernel needs more. To put it back each time would make everybody
    // on the device wait, and take a millisecond.
    cudaDeviceSetLimit(cudaLimitStackSize, states[d].stack);
  }
}
