/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda_calls.h"

#include <cuda_runtime_api.h>

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_llong calls, fail_at, live;
static _Atomic(const char *) failed;
static _Thread_local cudaError_t pending; /* as CUDA keeps the last error, by thread */

void cuda_calls_start(int64_t n) {
  atomic_store(&failed, NULL);
  atomic_store(&calls, 0);
  atomic_store(&fail_at, n);
}

int64_t cuda_calls_stop(void) {
  atomic_store(&fail_at, 0);
  return atomic_load(&calls);
}

const char *cuda_calls_failed(void) { return atomic_load(&failed); }

int64_t cuda_calls_live(void) { return atomic_load(&live); }

/** The error that this call has to fail with; cudaSuccess: none. */
static cudaError_t error_of_call(const char *name) {
  const int64_t n = atomic_fetch_add(&calls, 1) + 1;
  if (n != atomic_load(&fail_at)) {
    return cudaSuccess;
  }
  atomic_store(&failed, name);
  pending = n % 2 ? cudaErrorMemoryAllocation : cudaErrorUnknown;
  return pending;
}

/* MAKES: 1 where the call makes something, -1 where it gives something back, else 0. What gives
 * back does so even where it is told to fail: what CUDA keeps then, nobody could give back. */
#define WRAP(MAKES, NAME, PARAMETERS, ARGUMENTS)                                                   \
  cudaError_t __real_##NAME PARAMETERS;                                                            \
  cudaError_t __wrap_##NAME PARAMETERS;                                                            \
  cudaError_t __wrap_##NAME PARAMETERS {                                                           \
    const cudaError_t wanted = error_of_call(#NAME);                                               \
    const int makes = (MAKES);                                                                     \
    if (wanted == cudaSuccess || makes < 0) {                                                      \
      const cudaError_t code = __real_##NAME ARGUMENTS;                                            \
      atomic_fetch_add(&live, code == cudaSuccess ? makes : 0);                                    \
      return wanted == cudaSuccess ? code : wanted;                                                \
    }                                                                                              \
    return wanted;                                                                                 \
  }

WRAP(1, cudaMalloc, (void **to, size_t bytes), (to, bytes))
WRAP(1, cudaMallocAsync, (void **to, size_t bytes, cudaStream_t s), (to, bytes, s))
WRAP(1, cudaMallocFromPoolAsync, (void **to, size_t bytes, cudaMemPool_t pool, cudaStream_t s),
     (to, bytes, pool, s))
WRAP(memory ? -1 : 0, cudaFree, (void *memory), (memory))
WRAP(memory ? -1 : 0, cudaFreeAsync, (void *memory, cudaStream_t s), (memory, s))
WRAP(1, cudaHostAlloc, (void **to, size_t bytes, unsigned flags), (to, bytes, flags))
WRAP(memory ? -1 : 0, cudaFreeHost, (void *memory), (memory))
WRAP(1, cudaHostRegister, (void *memory, size_t bytes, unsigned flags), (memory, bytes, flags))
WRAP(-1, cudaHostUnregister, (void *memory), (memory))
WRAP(1, cudaStreamCreateWithFlags, (cudaStream_t * s, unsigned flags), (s, flags))
WRAP(-1, cudaStreamDestroy, (cudaStream_t s), (s))
WRAP(1, cudaEventCreate, (cudaEvent_t * event), (event))
WRAP(1, cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags))
WRAP(-1, cudaEventDestroy, (cudaEvent_t event), (event))
WRAP(1, cudaMemPoolCreate, (cudaMemPool_t * pool, const struct cudaMemPoolProps *of), (pool, of))
WRAP(-1, cudaMemPoolDestroy, (cudaMemPool_t pool), (pool))
WRAP(0, cudaMemPoolGetAttribute, (cudaMemPool_t pool, enum cudaMemPoolAttr which, void *to),
     (pool, which, to))
WRAP(0, cudaMemPoolSetAttribute, (cudaMemPool_t pool, enum cudaMemPoolAttr which, void *to),
     (pool, which, to))
WRAP(0, cudaMemPoolTrimTo, (cudaMemPool_t pool, size_t bytes), (pool, bytes))
WRAP(0, cudaMemGetInfo, (size_t * available, size_t *all), (available, all))
WRAP(0, cudaPointerGetAttributes, (struct cudaPointerAttributes * to, const void *memory),
     (to, memory))
WRAP(0, cudaMemcpy, (void *to, const void *from, size_t n, enum cudaMemcpyKind kind),
     (to, from, n, kind))
WRAP(0, cudaMemcpyAsync,
     (void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t s),
     (to, from, n, kind, s))
WRAP(0, cudaMemsetAsync, (void *to, int value, size_t n, cudaStream_t s), (to, value, n, s))
WRAP(0, cudaEventRecord, (cudaEvent_t event, cudaStream_t s), (event, s))
WRAP(0, cudaEventSynchronize, (cudaEvent_t event), (event))
WRAP(0, cudaEventElapsedTime, (float *ms, cudaEvent_t a, cudaEvent_t b), (ms, a, b))
WRAP(0, cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t event, unsigned flags), (s, event, flags))
WRAP(0, cudaStreamQuery, (cudaStream_t s), (s))
WRAP(0, cudaStreamSynchronize, (cudaStream_t s), (s))
WRAP(0, cudaDeviceGetLimit, (size_t * value, enum cudaLimit which), (value, which))
WRAP(0, cudaDeviceSetLimit, (enum cudaLimit which, size_t value), (which, value))
WRAP(0, cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr which, int device),
     (value, which, device))
WRAP(0, cudaGetDevice, (int *device), (device))
WRAP(0, cudaSetDevice, (int device), (device))
WRAP(0, cudaGetDeviceCount, (int *count), (count))
WRAP(0, cudaGetDeviceProperties, (struct cudaDeviceProp * to, int device), (to, device))
WRAP(0, cudaDriverGetVersion, (int *version), (version))
WRAP(0, cudaRuntimeGetVersion, (int *version), (version))
WRAP(0, cudaHostGetDevicePointer, (void **to, void *host, unsigned flags), (to, host, flags))
WRAP(0, cudaFuncSetAttribute, (const void *function, enum cudaFuncAttribute which, int value),
     (function, which, value))
WRAP(0, cudaOccupancyMaxPotentialClusterSize,
     (int *blocks, const void *kernel, const cudaLaunchConfig_t *with), (blocks, kernel, with))
WRAP(0, cudaLaunchKernelExC, (const cudaLaunchConfig_t *with, const void *kernel, void **arguments),
     (with, kernel, arguments))
/* What kernel<<<...>>> comes down to. */
#if CUDART_VERSION >= 13000
WRAP(0, __cudaLaunchKernel,
     (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s),
     (kernel, grid, block, arguments, shared, s))
#else
WRAP(0, cudaLaunchKernel,
     (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s),
     (kernel, grid, block, arguments, shared, s))
#endif

cudaError_t __real_cudaGetLastError(void);
cudaError_t __wrap_cudaGetLastError(void);
cudaError_t __wrap_cudaGetLastError(void) {
  const cudaError_t own = pending, real = __real_cudaGetLastError();
  pending = cudaSuccess;
  return own != cudaSuccess ? own : real;
}

cudaError_t __real_cudaPeekAtLastError(void);
cudaError_t __wrap_cudaPeekAtLastError(void);
cudaError_t __wrap_cudaPeekAtLastError(void) {
  return pending != cudaSuccess ? pending : __real_cudaPeekAtLastError();
}
