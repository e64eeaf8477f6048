// SPDX-License-Identifier: BSD-3-Clause
// The device: its memory, streams that are always done, events that know the time and what was
// launched before them.
#include "runtime.h"

#include "hidden.h"
#include "launches.h"
#include "stamps.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

struct CUstream_st {
  uint32_t launched; // the last one on it; 0: none
  uint32_t gate;     // the last one that the next copy on it waits for; 0: for none
};
struct CUmemPoolHandle_st {
  int unused;
};
struct CUevent_st {
  double at;         // ms
  uint32_t launched; // on its stream, before it
};

namespace {

const size_t memory_bytes = (size_t)8 << 30, alignment = 256;

thread_local cudaError_t last_error, kernel_error;

// Blocks of device memory, by their beginnings.
struct block {
  size_t bytes;
  emulator::stamps written;
};
std::mutex memory_lock;
std::map<const char *, block> &blocks = *new std::map<const char *, block>;
size_t used, used_high;

// Launches have numbers, from 1 on.
uint32_t launched, waited;       // the last one, and the last one that the host knows to have ended
thread_local uint32_t host_gate; // as a stream's, for the next copy of this thread

size_t limits[8] = {1024, 1 << 20, 8 << 20, 0, 2048, 0, 0, 0};

[[noreturn]] void wrong(const char *call, const char *what) {
  fprintf(stderr, "emulator: %s: %s\n", call, what);
  abort();
}

cudaError_t failed(cudaError_t code) {
  if (code != cudaSuccess)
    emulator::fail(code);
  return code;
}

// hidden: the host cannot touch the memory.
cudaError_t allocate(void **to, size_t bytes, bool hidden = false) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  if (bytes == 0) {
    *to = nullptr;
    return cudaSuccess;
  }
  if (bytes > memory_bytes - used)
    return failed(cudaErrorMemoryAllocation);
  if (hidden)
    *to = emulator::hidden_alloc(bytes);
  if (hidden ? *to == nullptr : posix_memalign(to, alignment, bytes) != 0)
    return failed(cudaErrorMemoryAllocation);
  memset(*to, 0xA5, bytes);
  const char *const memory = (const char *)*to;
  blocks.emplace(memory, block{bytes, emulator::stamps(memory, bytes)});
  if (hidden)
    emulator::hide(*to);
  used += bytes;
  used_high = std::max(used_high, used);
  return cudaSuccess;
}

cudaError_t give_back(const char *call, void *memory) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  if (!memory)
    return cudaSuccess;
  const auto at = blocks.find((const char *)memory);
  if (at == blocks.end())
    wrong(call, "no memory of the device begins there");
  used -= at->second.bytes;
  blocks.erase(at);
  if (!emulator::hidden_free(memory))
    free(memory);
  return cudaSuccess;
}

// Does [at, at + n) lie in one block of device memory; and does it touch none?
void check_place(const char *call, const void *at, size_t n, bool on_device) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  const char *const begin = (const char *)at;
  auto block = blocks.upper_bound(begin);
  const bool first = block == blocks.begin();
  if (n == 0)
    return;
  if (!first)
    --block;
  const size_t bytes = first ? 0 : block->second.bytes;
  const bool inside =
      !first && begin < block->first + bytes && n <= bytes && begin + n <= block->first + bytes;
  const bool touches = !first && begin < block->first + bytes;
  if (on_device && !inside)
    wrong(call, "this is not, or not all, memory of the device");
  if (!on_device && touches)
    wrong(call, "this is memory of the device, not of the host");
}

cudaError_t copy(void *to, const void *from, size_t n, cudaMemcpyKind kind) {
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  check_place("copying to", to, n, to_device);
  check_place("copying from", from, n, from_device);
  const emulator::device_works open;
  if (n > 0)
    memcpy(to, from, n);
  return cudaSuccess;
}

CUstream_st default_stream;
CUstream_st &stream_of(cudaStream_t stream) { return stream ? *stream : default_stream; }

// A stream has worked: what is new in any memory was written until now. Under memory_lock.
void stamp(CUstream_st *stream) {
  const emulator::device_works open;
  stream->launched = ++launched;
  for (auto &at : blocks)
    at.second.written.look(at.first, launched);
}

// As stamp, for a stream that has written to one block only, which is faster. Streams that only
// copy have no numbers.
void stamp_block(CUstream_st *stream, const void *at) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  const auto after = blocks.upper_bound((const char *)at);
  if (stream->launched == 0)
    return;
  const emulator::device_works open;
  stream->launched = ++launched;
  if (after != blocks.begin())
    std::prev(after)->second.written.look(std::prev(after)->first, launched);
}

// The host has waited for all that the stream has launched.
void wait_for(CUstream_st *stream) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  if (stream->launched > 0)
    stamp(stream);
  waited = std::max(waited, stream->launched);
  host_gate = stream->gate = 0; // left from a copy that was refused
}

// What a copy from the device brings must be made by then: on its own stream, or before the event
// that it waits for, or else before what the host has waited for.
void check_made(const char *from, size_t n, cudaStream_t stream) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  CUstream_st &own = stream_of(stream);
  const uint32_t gate = std::max(host_gate, own.gate);
  const uint32_t made = std::max(own.launched, gate > 0 ? gate : waited);
  host_gate = own.gate = 0;
  const auto after = blocks.upper_bound(from);
  if (after == blocks.begin())
    return;
  uint32_t number = 0;
  const auto &it = *std::prev(after);
  const size_t bytes = it.second.written.later((size_t)(from - it.first), n, made, &number);
  if (bytes == 0)
    return;
  fprintf(stderr, "emulator: launch %u wrote %zu of %zu bytes that are copied after launch %u\n",
          number, bytes, n, made);
  wrong("copying from", "on a device it may run before what it copies is made");
}

double now() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

} // namespace

namespace emulator {

void fail(cudaError_t code) { (in_kernel ? kernel_error : last_error) = code; }
size_t limit(cudaLimit which) { return limits[which]; }

void ran(cudaStream_t stream) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  stamp(&stream_of(stream));
}

} // namespace emulator

extern "C" {

cudaError_t cudaPeekAtLastError(void) { return emulator::in_kernel ? kernel_error : last_error; }

cudaError_t cudaGetLastError(void) {
  const cudaError_t code = cudaPeekAtLastError();
  emulator::fail(cudaSuccess);
  return code;
}

const char *cudaGetErrorName(cudaError_t code) {
  switch (code) {
  case cudaSuccess:
    return "cudaSuccess";
  case cudaErrorInvalidValue:
    return "cudaErrorInvalidValue";
  case cudaErrorMemoryAllocation:
    return "cudaErrorMemoryAllocation";
  case cudaErrorInvalidConfiguration:
    return "cudaErrorInvalidConfiguration";
  case cudaErrorLaunchPendingCountExceeded:
    return "cudaErrorLaunchPendingCountExceeded";
  case cudaErrorInvalidDevice:
    return "cudaErrorInvalidDevice";
  case cudaErrorUnknown:
    return "cudaErrorUnknown";
  default:
    return "an error of the emulator";
  }
}

const char *cudaGetErrorString(cudaError_t) { return "said by the emulator of a device"; }

cudaError_t cudaDriverGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  return failed(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

// A small one, so that small inputs already need several rounds of it.
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *to, int device) {
  memset(to, 0, sizeof *to);
  snprintf(to->name, sizeof to->name, "emulator");
  to->totalGlobalMem = memory_bytes;
  to->sharedMemPerBlockOptin = emulator::shared_most;
  to->major = 9;
  to->multiProcessorCount = 4;
  to->maxBlocksPerMultiProcessor = 8;
  return failed(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr, int) {
  *value = 1024;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit which) {
  *value = limits[which];
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit which, size_t value) {
  limits[which] = value;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t) {
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  stamp(&default_stream);
  waited = launched;
  host_gate = 0;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **to, size_t bytes) { return allocate(to, bytes, true); }
cudaError_t cudaMallocAsync(void **to, size_t bytes, cudaStream_t) { return allocate(to, bytes); }
cudaError_t cudaMallocFromPoolAsync(void **to, size_t bytes, cudaMemPool_t, cudaStream_t) {
  return allocate(to, bytes);
}
cudaError_t cudaFree(void *memory) { return give_back("cudaFree", memory); }
cudaError_t cudaFreeAsync(void *memory, cudaStream_t) { return give_back("cudaFreeAsync", memory); }

cudaError_t cudaHostAlloc(void **to, size_t bytes, unsigned) {
  if (posix_memalign(to, 4096, bytes > 0 ? bytes : 1) != 0)
    return failed(cudaErrorMemoryAllocation);
  memset(*to, 0xA5, bytes);
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory) {
  free(memory);
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void *, size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaHostUnregister(void *) { return cudaSuccess; }

cudaError_t cudaHostGetDevicePointer(void **to, void *host, unsigned) {
  *to = host;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *to, const void *memory) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  const char *const at = (const char *)memory;
  auto block = blocks.upper_bound(at);
  const bool none = block == blocks.begin();
  if (!none)
    --block;
  const bool on_device = !none && at < block->first + block->second.bytes;
  *to = {on_device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered, 0,
         on_device ? (void *)memory : nullptr, nullptr};
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *all) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  *available = memory_bytes - used;
  *all = memory_bytes;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *) {
  *pool = new CUmemPoolHandle_st{0};
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  delete pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, enum cudaMemPoolAttr which, void *to) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  *(uint64_t *)to = which == cudaMemPoolAttrUsedMemHigh ? used_high : used;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, enum cudaMemPoolAttr which, void *) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  if (which == cudaMemPoolAttrUsedMemHigh)
    used_high = used;
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDeviceToHost)
    check_made((const char *)from, n, nullptr);
  return copy(to, from, n, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (kind == cudaMemcpyDeviceToHost)
    check_made((const char *)from, n, stream);
  const cudaError_t code = copy(to, from, n, kind);
  if (n > 0 && kind != cudaMemcpyDeviceToHost)
    stamp_block(&stream_of(stream), to);
  return code;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t n, cudaStream_t stream) {
  check_place("cudaMemsetAsync", to, n, true);
  if (n == 0)
    return cudaSuccess;
  const emulator::device_works open;
  memset(to, value, n);
  stamp_block(&stream_of(stream), to);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
  *stream = new CUstream_st{0, 0};
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  wait_for(&stream_of(stream));
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  *event = new CUevent_st{0.0, 0};
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  return cudaEventCreate(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  if (stream_of(stream).launched > 0)
    stamp(&stream_of(stream));
  event->launched = stream_of(stream).launched;
  event->at = now();
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  host_gate = event->launched;
  waited = std::max(waited, host_gate);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const std::lock_guard<std::mutex> hold(memory_lock);
  stream_of(stream).gate = event->launched;
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
  *milliseconds = (float)std::max(to->at - from->at, 1e-3);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks_, const void *,
                                                 const cudaLaunchConfig_t *) {
  *blocks_ = 8;
  return cudaSuccess;
}

} // extern "C"
