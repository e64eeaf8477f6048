// SPDX-License-Identifier: BSD-3-Clause
// What the benchmarks on a device share: medians, the device's clock, and the rates that floors are
// made of, measured in the same run.
#ifndef TSR_BENCH_DEVICE_CUH
#define TSR_BENCH_DEVICE_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

extern "C" {
#include "executor.h"
}

static inline void check(cudaError_t code, const char *what) {
  if (code != cudaSuccess) {
    printf("%s: %s\n", what, cudaGetErrorString(code));
    exit(1);
  }
}

static inline void succeed(tsr_status status, const tsr_error &error) {
  if (status != TSR_OK) {
    printf("%s\n", error.text);
    exit(1);
  }
}

static inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

// Seconds of work() on a stream, by the device's clock; the first of `runs` does not count.
static inline double device_median(cudaStream_t stream, int runs, const std::function<void()> &work,
                                   const std::function<void()> &between = nullptr) {
  cudaEvent_t begin, end;
  std::vector<double> times;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  for (int k = 0; k < runs; k++) {
    float ms;
    check(cudaEventRecord(begin, stream), "event");
    work();
    check(cudaEventRecord(end, stream), "event");
    check(cudaStreamSynchronize(stream), "work");
    check(cudaEventElapsedTime(&ms, begin, end), "event");
    if (k > 0) {
      times.push_back(1e-3 * ms);
    }
    if (between) {
      between();
    }
  }
  check(cudaEventDestroy(begin), "event");
  check(cudaEventDestroy(end), "event");
  return median(times);
}

// Bytes a second.
struct bench_rates {
  double copy; // on the device, read and written bytes together
  double up, down, up_pageable, down_pageable;
};

static inline bench_rates measure_rates() {
  const size_t bytes = (size_t)512 << 20;
  char *one, *other, *locked, *pageable = (char *)malloc(bytes);
  bench_rates rates = {};
  check(cudaMalloc(&one, bytes), "memory");
  check(cudaMalloc(&other, bytes), "memory");
  check(cudaMallocHost(&locked, bytes), "page-locked memory");
  if (!pageable) {
    printf("no memory\n");
    exit(1);
  }
  memset(pageable, 1, bytes);
  const auto rate = [&](void *to, const void *from, cudaMemcpyKind kind) {
    return (double)bytes / device_median(nullptr, 4, [&]() {
             check(cudaMemcpyAsync(to, from, bytes, kind, nullptr), "copy");
           });
  };
  rates.copy = 2.0 * rate(other, one, cudaMemcpyDeviceToDevice);
  rates.up = rate(one, locked, cudaMemcpyHostToDevice);
  rates.down = rate(locked, one, cudaMemcpyDeviceToHost);
  rates.up_pageable = rate(one, pageable, cudaMemcpyHostToDevice);
  rates.down_pageable = rate(pageable, one, cudaMemcpyDeviceToHost);
  check(cudaFree(one), "memory");
  check(cudaFree(other), "memory");
  check(cudaFreeHost(locked), "memory");
  free(pageable);
  printf("copies in GB/s: on the device %.0f (read and written), up %.1f, down %.1f page-locked, "
         "up %.1f, down %.1f pageable by cudaMemcpy\n",
         1e-9 * rates.copy, 1e-9 * rates.up, 1e-9 * rates.down, 1e-9 * rates.up_pageable,
         1e-9 * rates.down_pageable);
  return rates;
}

static inline int bench_threads() { return (int)std::max(1u, std::thread::hardware_concurrency()); }

// work(begin, end) over [0, n) on all cores.
static inline void on_all_cores(int64_t n, const std::function<void(int64_t, int64_t)> &work) {
  const int threads = bench_threads();
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; t++) {
    workers.emplace_back(work, n * t / threads, n * (t + 1) / threads);
  }
  for (std::thread &worker : workers) {
    worker.join();
  }
}

static inline tsr_execution bench_execution(executor *exec, tsr_backend_id backend, int threads) {
  exec->threads = threads;
  tsr_execution execution = executor_execution(exec);
  execution.backend = backend;
  execution.clock = now;
  return execution;
}

static inline void leave_without_device() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    printf("no usable CUDA device\n");
    exit(77);
  }
}

// The field read once: sixteen bytes a thread and step, 64 bytes in flight.
static __global__ void read_kernel(const float4 *field, int64_t n, float *sum) {
  const int64_t step = (int64_t)gridDim.x * blockDim.x;
  float s = 0.0f;
  int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    const float4 a = field[i], b = field[i + step], c = field[i + 2 * step],
                 d = field[i + 3 * step];
    s += ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w)) + ((c.x + c.y) + (c.z + c.w)) +
         ((d.x + d.y) + (d.z + d.w));
  }
  for (; i < n; i += step) {
    const float4 a = field[i];
    s += (a.x + a.y) + (a.z + a.w);
  }
  if (s == 1234.5f) {
    *sum = s;
  }
}

#endif
