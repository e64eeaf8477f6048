// SPDX-License-Identifier: BSD-3-Clause
// How fast a device's memory is, and the way between it and the host.
#include "cuda/device/rates.cuh"

#include "cuda/common/stopwatch.cuh"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

namespace {

const int64_t most_bytes = (int64_t)256 << 20; // of a SAXPY's array: far larger than caches
const int64_t least_bytes = (int64_t)1 << 20;
const int64_t transfer_bytes = (int64_t)64 << 20; // at a time
const unsigned block = 256;
const float factor = 2.0f;

__global__ void fill(int64_t n, float4 *y, float value) {
  const int64_t i = (int64_t)blockIdx.x * block + threadIdx.x;
  if (i < n)
    y[i] = make_float4(value, value, value, value);
}

__global__ void saxpy(int64_t n, float a, const float4 *x, float4 *y) {
  const int64_t i = (int64_t)blockIdx.x * block + threadIdx.x;
  if (i >= n)
    return;
  const float4 p = x[i];
  float4 q = y[i];
  q.x += a * p.x;
  q.y += a * p.y;
  q.z += a * p.z;
  q.w += a * p.w;
  y[i] = q;
}

__global__ void nothing() {}

// Two arrays on the device.
struct arrays {
  int64_t n = 0; // of each
  float4 *x = nullptr, *y = nullptr;
  tsr_stopwatch watch;

  ~arrays() {
    if (x)
      tsr_cuda_drop(cudaFree(x));
    if (y)
      tsr_cuda_drop(cudaFree(y));
  }
  size_t bytes() const { return (size_t)n * sizeof *x; }
  unsigned blocks() const { return tsr_blocks(n, block); }
  tsr_status open(int64_t free_bytes, tsr_error *error) {
    n = std::max(std::min(most_bytes, free_bytes / 8), least_bytes) / (int64_t)sizeof *x;
    TSR_CUDA(watch.open(), "preparing to measure the device");
    TSR_CUDA(cudaMalloc(&x, bytes()), "making arrays to measure the device's memory with");
    TSR_CUDA(cudaMalloc(&y, bytes()), "making arrays to measure the device's memory with");
    return TSR_OK;
  }
};

struct page_locked {
  void *memory = nullptr;
  ~page_locked() {
    if (memory)
      tsr_cuda_drop(cudaFreeHost(memory));
  }
};

// All elements are alike: two of them tell whether the kernel has done the work that is timed.
tsr_status check_saxpy(const arrays &with, tsr_error *error) {
  const float right = 1.0f + factor * (tsr_stopwatch::runs + 1);
  float4 ends[2];
  TSR_CUDA(cudaMemcpy(&ends[0], with.y, sizeof *ends, cudaMemcpyDeviceToHost), "checking SAXPY");
  TSR_CUDA(cudaMemcpy(&ends[1], with.y + with.n - 1, sizeof *ends, cudaMemcpyDeviceToHost),
           "checking SAXPY");
  if (ends[0].x != right || ends[1].w != right)
    return tsr_cuda_refuse(error, TSR_DEVICE, "SAXPY gave %g and %g instead of %g",
                           (double)ends[0].x, (double)ends[1].w, (double)right);
  return TSR_OK;
}

tsr_status measure_memory(arrays *with, tsr_device *it, tsr_error *error) {
  const cudaStream_t stream = with->watch.stream();
  double seconds = 0;
  for (float4 *array : {with->x, with->y}) {
    fill<<<with->blocks(), block, 0, stream>>>(with->n, array, 1.0f);
    TSR_CUDA(cudaGetLastError(), "filling the arrays of SAXPY");
  }
  TSR_CUDA(with->watch.median(
               [with, stream] {
                 saxpy<<<with->blocks(), block, 0, stream>>>(with->n, factor, with->x, with->y);
                 return cudaGetLastError();
               },
               &seconds),
           "measuring SAXPY");
  TSR_STEP(check_saxpy(*with, error));
  it->saxpy_rate = 3.0 * (double)with->bytes() / seconds; // two arrays read, one written
  TSR_CUDA(with->watch.median(
               [with, stream] {
                 return cudaMemcpyAsync(with->y, with->x, with->bytes(), cudaMemcpyDeviceToDevice,
                                        stream);
               },
               &seconds),
           "measuring a copy in the device's memory");
  it->copy_rate = 2.0 * (double)with->bytes() / seconds;
  return TSR_OK;
}

tsr_status measure_transfer(arrays *with, void *host, size_t bytes, double *up, double *down,
                            tsr_error *error) {
  const cudaStream_t stream = with->watch.stream();
  double seconds = 0;
  TSR_CUDA(
      with->watch.median(
          [=] { return cudaMemcpyAsync(with->x, host, bytes, cudaMemcpyHostToDevice, stream); },
          &seconds),
      "measuring transfers to the device");
  *up = (double)bytes / seconds;
  TSR_CUDA(
      with->watch.median(
          [=] { return cudaMemcpyAsync(host, with->x, bytes, cudaMemcpyDeviceToHost, stream); },
          &seconds),
      "measuring transfers from the device");
  *down = (double)bytes / seconds;
  return TSR_OK;
}

tsr_status measure_transfers(arrays *with, tsr_device *it, tsr_error *error) {
  const size_t bytes = std::min((size_t)transfer_bytes, with->bytes());
  page_locked locked;
  TSR_CUDA(cudaHostAlloc(&locked.memory, bytes, cudaHostAllocDefault),
           "making page-locked memory to measure transfers with");
  memset(locked.memory, 1, bytes);
  TSR_STEP(measure_transfer(with, locked.memory, bytes, &it->pinned_upload, &it->pinned_download,
                            error));
  const std::unique_ptr<char[]> paged(new (std::nothrow) char[bytes]);
  if (!paged)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                           "there is no memory to measure transfers with: %zu bytes", bytes);
  memset(paged.get(), 1, bytes);
  return measure_transfer(with, paged.get(), bytes, &it->paged_upload, &it->paged_download, error);
}

} // namespace

tsr_status tsr_device_rates(tsr_device *it, tsr_error *error) {
  arrays with;
  TSR_STEP(with.open(it->free_bytes, error));
  TSR_STEP(measure_memory(&with, it, error));
  return measure_transfers(&with, it, error);
}

cudaError_t tsr_device_largest_cluster(int major, int *blocks) {
  *blocks = 1;
  if (major < 9)
    return cudaSuccess;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(block);
  config.blockDim = dim3(block);
  const cudaError_t code = cudaFuncSetAttribute((const void *)nothing,
                                                cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  return code == cudaSuccess
             ? cudaOccupancyMaxPotentialClusterSize(blocks, (const void *)nothing, &config)
             : code;
}
