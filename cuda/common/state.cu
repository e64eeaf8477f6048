// SPDX-License-Identifier: BSD-3-Clause
// What the process keeps of each device, its memory, and errors.
#include "cuda/common/common.cuh"

#include <algorithm>
#include <atomic>
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

void tsr_cuda_drop(cudaError_t code) {
  if (code != cudaSuccess)
    (void)cudaGetLastError();
}

tsr_on_device::tsr_on_device(int device_) : device(device_), before(-1) {
  earlier = cudaGetLastError();
  result = cudaGetDevice(&before);
  if (result != cudaSuccess)
    before = -1;
  else
    result = cudaSetDevice(device);
  // Most errors are gone once they are read; those that end the process's work on the device are
  // returned by every later call.
  if (result == cudaSuccess && earlier != cudaSuccess)
    result = cudaFree(nullptr);
  tsr_cuda_drop(result);
}

tsr_on_device::~tsr_on_device() {
  if (before >= 0)
    tsr_cuda_drop(cudaSetDevice(before));
}

tsr_status tsr_on_device::check(tsr_error *error) const {
  if (result != cudaSuccess && result == earlier)
    return tsr_cuda_refuse(error, TSR_DEVICE,
                           "CUDA cannot be used any more: an error that is older than this "
                           "execution stays in force: %s: %s",
                           cudaGetErrorName(result), cudaGetErrorString(result));
  char what[64];
  snprintf(what, sizeof what, "making device %d the current one", device);
  TSR_CUDA(result, what);
  return TSR_OK;
}

tsr_status tsr_cuda_fail(tsr_error *error, cudaError_t code, const char *what) {
  (void)cudaGetLastError();
  const tsr_status status = code == cudaErrorMemoryAllocation ? TSR_NO_MEMORY : TSR_DEVICE;
  return tsr_cuda_refuse(error, status, "CUDA failed while %s: %s: %s", what,
                         cudaGetErrorName(code), cudaGetErrorString(code));
}

namespace {

std::mutex states_lock;
tsr_device_state states[TSR_MAX_DEVICES];
bool state_made[TSR_MAX_DEVICES];

__global__ void probe_kernel(int *value) { *value = 42; }

// One kernel there and back.
cudaError_t run_probe() {
  int *value = nullptr, result = 0;
  cudaError_t code = cudaMalloc(&value, sizeof *value);
  if (code != cudaSuccess)
    return code;
  probe_kernel<<<1, 1>>>(value);
  code = cudaGetLastError();
  if (code == cudaSuccess)
    code = cudaMemcpy(&result, value, sizeof result, cudaMemcpyDeviceToHost);
  const cudaError_t freed = cudaFree(value);
  code = code == cudaSuccess ? freed : code;
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
    code = cudaDeviceGetLimit(&state->launches, cudaLimitDevRuntimePendingLaunchCount);
  if (code == cudaSuccess)
    code = cudaDeviceGetLimit(&state->heap, cudaLimitMallocHeapSize);
  if (code == cudaSuccess)
    code = run_probe();
  if (code == cudaSuccess)
    code = cudaMemPoolCreate(&state->pool, &props);
  if (code != cudaSuccess)
    return code;
  code = cudaMemPoolSetAttribute(state->pool, cudaMemPoolAttrReleaseThreshold, &keep);
  if (code != cudaSuccess) // the next execution tries again, with a new one
    tsr_cuda_drop(cudaMemPoolDestroy(state->pool));
  return code;
}

} // namespace

bool tsr_device_list(int *count, char *problem, size_t size) {
  const cudaError_t code = cudaGetDeviceCount(count);
  int driver = 0, runtime = 0;
  if (code == cudaSuccess && *count > 0)
    return true;
  tsr_cuda_drop(code);
  tsr_cuda_drop(cudaDriverGetVersion(&driver));
  tsr_cuda_drop(cudaRuntimeGetVersion(&runtime));
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
  TSR_STEP(scope.check(error));
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

cudaError_t tsr_pool_start(const tsr_device_state *state) {
  uint64_t zero = 0;
  return cudaMemPoolSetAttribute(state->pool, cudaMemPoolAttrUsedMemHigh, &zero);
}

int64_t tsr_pool_peak(const tsr_device_state *state, int64_t unknown) {
  uint64_t high = 0;
  const cudaError_t code = cudaMemPoolGetAttribute(state->pool, cudaMemPoolAttrUsedMemHigh, &high);
  tsr_cuda_drop(code);
  return code == cudaSuccess ? (int64_t)high : unknown;
}

tsr_status tsr_free_memory(const tsr_device_state *state, int64_t *outside, int64_t *pooled,
                           tsr_error *error) {
  const char *const doing = "asking for free memory";
  size_t available = 0, all = 0;
  uint64_t reserved = 0, used = 0;
  TSR_CUDA(cudaMemGetInfo(&available, &all), doing);
  TSR_CUDA(cudaMemPoolGetAttribute(state->pool, cudaMemPoolAttrReservedMemCurrent, &reserved),
           doing);
  TSR_CUDA(cudaMemPoolGetAttribute(state->pool, cudaMemPoolAttrUsedMemCurrent, &used), doing);
  *outside = (int64_t)available;
  *pooled = (int64_t)(reserved - used);
  return TSR_OK;
}

namespace {
std::atomic<int64_t> bytes_up{0}, bytes_down{0};
}

cudaError_t tsr_copy_async(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream) {
  if (kind == cudaMemcpyHostToDevice)
    bytes_up += (int64_t)bytes;
  if (kind == cudaMemcpyDeviceToHost)
    bytes_down += (int64_t)bytes;
  return cudaMemcpyAsync(to, from, bytes, kind, stream);
}

tsr_bus_traffic tsr_traffic(void) { return {bytes_up, bytes_down}; }

tsr_status tsr_bring(void *host, const void *from, size_t bytes, cudaStream_t stream,
                     const char *doing, tsr_error *error) {
  TSR_CUDA(tsr_copy_async(host, from, bytes, cudaMemcpyDeviceToHost, stream), doing);
  TSR_CUDA(cudaStreamSynchronize(stream), doing);
  return TSR_OK;
}

void tsr_stream_close(cudaStream_t stream, cudaEvent_t begin, cudaEvent_t end) {
  if (stream) {
    tsr_cuda_drop(cudaStreamSynchronize(stream));
    tsr_cuda_drop(cudaStreamDestroy(stream));
  }
  if (begin)
    tsr_cuda_drop(cudaEventDestroy(begin));
  if (end)
    tsr_cuda_drop(cudaEventDestroy(end));
}

void tsr_device_states_trim() {
  const std::lock_guard<std::mutex> hold(states_lock);
  for (int d = 0; d < TSR_MAX_DEVICES; ++d) {
    if (!state_made[d])
      continue;
    const tsr_on_device scope(d);
    tsr_cuda_drop(cudaMemPoolTrimTo(states[d].pool, 0));
    // The driver raises it where a kernel needs more. Putting it back each time would make
    // everybody on the device wait, and take a millisecond.
    states[d].stack_kept = cudaDeviceSetLimit(cudaLimitStackSize, states[d].stack);
    tsr_cuda_drop(states[d].stack_kept);
  }
}
