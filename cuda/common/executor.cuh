// SPDX-License-Identifier: BSD-3-Clause
// The executor of a device: steps are kernels. See filters/common/run/executor.h.
#ifndef TSR_COMMON_EXECUTOR_CUH
#define TSR_COMMON_EXECUTOR_CUH

#include "common/run/executor.h"
#include "cuda/common/opened.cuh"
#include "cuda/common/policy.cuh"

// A step: launches the kernel for all i in [0, n).
typedef cudaError_t (*tsr_launch)(const void *job, int64_t n, cudaStream_t stream);

// A reduction: the kernel writes a result for each of its blocks, which the host joins.
struct tsr_reduction_launch {
  size_t size; // of a result
  void (*none)(void *result);
  void (*join)(void *all, const void *part);
  cudaError_t (*launch)(const void *job, int64_t n, unsigned blocks, void *parts,
                        cudaStream_t stream);
};

// Calls Body(i, args...) for all i in [0, n), each in a thread of its own.
template <auto Body, class... Args>
__global__ void __launch_bounds__(tsr_policy::block) tsr_each(int64_t n, Args... args) {
  const int64_t i = (int64_t)blockIdx.x * tsr_policy::block + threadIdx.x;
  if (i < n)
    Body(i, args...);
}

template <auto Body, class... Args>
cudaError_t tsr_launch_each(int64_t n, cudaStream_t stream, const Args &...args) {
  if (n > 0)
    tsr_each<Body><<<tsr_blocks(n, tsr_policy::block), tsr_policy::block, 0, stream>>>(n, args...);
  return cudaGetLastError();
}

template <class Body>
__global__ void __launch_bounds__(tsr_policy::block)
    tsr_reduce(Body body, int64_t n, typename Body::result *parts) {
  __shared__ typename Body::result results[tsr_policy::block];
  typename Body::result result = Body::none();
  const int64_t step = (int64_t)gridDim.x * tsr_policy::block;
  for (int64_t i = (int64_t)blockIdx.x * tsr_policy::block + threadIdx.x; i < n; i += step)
    body(i, &result);
  results[threadIdx.x] = result;
  __syncthreads();
  for (unsigned half = tsr_policy::block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      Body::join(&results[threadIdx.x], &results[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    parts[blockIdx.x] = results[0];
}

template <class Body>
cudaError_t tsr_launch_reduce(const Body &body, int64_t n, unsigned blocks, void *parts,
                              cudaStream_t stream) {
  tsr_reduce<<<blocks, tsr_policy::block, 0, stream>>>(body, n, (typename Body::result *)parts);
  return cudaGetLastError();
}

#define TSR_STEP_KERNEL(NAME, JOB)                                                                 \
  static __device__ void NAME##_at(int64_t i, const JOB &job) { NAME(&job, i); }                   \
  static cudaError_t NAME##_entry(const void *job, int64_t n, cudaStream_t stream) {               \
    return tsr_launch_each<NAME##_at>(n, stream, *(const JOB *)job);                               \
  }

#define TSR_REDUCTION_KERNEL(NAME, JOB, RESULT)                                                    \
  struct NAME##_body {                                                                             \
    typedef RESULT result;                                                                         \
    JOB job;                                                                                       \
    __device__ void operator()(int64_t i, RESULT *to) const { NAME(&job, i, to); }                 \
    static __host__ __device__ RESULT none() { return NAME##_none(); }                             \
    static __device__ void join(RESULT *all, const RESULT *part) { NAME##_join(all, part); }       \
  };                                                                                               \
  static const tsr_reduction_launch NAME##_entry = {                                               \
      sizeof(RESULT), [](void *result) { *(RESULT *)result = NAME##_none(); },                     \
      [](void *all, const void *part) { NAME##_join((RESULT *)all, (const RESULT *)part); },       \
      [](const void *job, int64_t n, unsigned blocks, void *parts, cudaStream_t stream) {          \
        return tsr_launch_reduce(NAME##_body{*(const JOB *)job}, n, blocks, parts, stream);        \
      }};

// Sets up the executor of a plan on its device. launches, reductions: the room's tables.
void tsr_executor_on_device(tsr_executor *it, tsr_opened *plan, const tsr_execution *execution,
                            tsr_report *report, const tsr_launch *launches,
                            const tsr_reduction_launch *const *reductions);

// Closes the device part of a plan whose work is nothing but steps: a Device adds nothing to
// tsr_opened.
template <class Device> void tsr_close_steps(Device *device) {
  const tsr_on_device scope(device->state->device);
  tsr_opened_stop(device);
  delete device;
}

// Opens such a plan on the device that the execution asks for, and sets up its executor.
template <class Device>
tsr_status tsr_open_steps(const tsr_execution *execution, tsr_report *report, Device **made,
                          tsr_executor *executor, const tsr_launch *launches,
                          const tsr_reduction_launch *const *reductions, tsr_error *error) {
  const auto nothing = [](Device *, tsr_error *) { return TSR_OK; };
  TSR_STEP(tsr_open_plan(*execution, report, nothing, tsr_close_steps<Device>, made, error));
  tsr_executor_on_device(executor, *made, execution, report, launches, reductions);
  return TSR_OK;
}

#endif
