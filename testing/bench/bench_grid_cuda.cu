// SPDX-License-Identifier: BSD-3-Clause
// Speed of deciding an adaptive grid on the device: value range of 512 cubed floats, six levels,
// beside reading the field once. Medians; "device" is by the device's clock, with the gaps in which
// it waits for the host.
// Use: bench_grid_cuda [samples along a side, 512] [repetitions, 9]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

extern "C" {
#include "executor.h"
}

namespace {

void check(cudaError_t code, const char *what)
{
  if (code != cudaSuccess) {
    printf("%s: %s\n", what, cudaGetErrorString(code));
    exit(1);
  }
}

double median(std::vector<double> v)
{
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

// The field read once: sixteen bytes a thread and step, 64 bytes in flight.
__global__ void read_kernel(const float4 *field, int64_t n, float *sum)
{
  const int64_t step = (int64_t)gridDim.x * blockDim.x;
  float s = 0.0f;
  int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    const float4 a = field[i], b = field[i + step], c = field[i + 2 * step], d = field[i + 3 * step];
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

double read_once(const std::vector<float> &field)
{
  const int64_t bytes = (int64_t)field.size() / 4 * 16;
  float *device, *sum;
  cudaEvent_t begin, end;
  std::vector<double> times;
  check(cudaMalloc(&device, bytes), "memory");
  check(cudaMalloc(&sum, sizeof *sum), "memory");
  check(cudaMemcpy(device, field.data(), bytes, cudaMemcpyHostToDevice), "upload");
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  for (int k = 0; k < 30; k++) {
    float ms;
    check(cudaEventRecord(begin), "event");
    read_kernel<<<132 * 16, 256>>>((const float4 *)device, bytes / 16, sum);
    check(cudaEventRecord(end), "event");
    check(cudaEventSynchronize(end), "reading");
    check(cudaEventElapsedTime(&ms, begin, end), "event");
    times.push_back(1e-3 * ms);
  }
  check(cudaFree(device), "memory");
  check(cudaFree(sum), "memory");
  return median(times);
}

struct grid {
  int64_t samples;
  bool cell_data;
  const std::vector<float> *field;
};

struct result {
  double device, whole, upload, download;
  int64_t leaves, fine;
};

double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

result plan(const grid &g, tsr_backend_id backend, tsr_strategy strategy, double threshold,
            int threads, int repetitions)
{
  static executor exec;
  exec.threads = threads;
  tsr_execution execution = executor_execution(&exec);
  tsr_grid_view view;
  tsr_grid_options o;
  tsr_grid_criterion c;
  std::vector<double> device, whole, upload, download;
  result r = {};
  execution.backend = backend;
  execution.strategy = strategy;
  execution.clock = now;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&o);
  tsr_grid_criterion_init(&c);
  for (int a = 0; a < 3; a++) {
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = g.samples - (g.cell_data ? 0 : 1);
    view.whole[2 * a] = view.extent[2 * a] = 0;
  }
  c.measure = TSR_MEASURE_VALUE_RANGE;
  c.array = {g.field->data(), TSR_FLOAT, 1, g.samples * g.samples * g.samples};
  c.cell_data = g.cell_data;
  c.threshold = threshold;
  o.criteria = &c;
  o.n_criteria = 1;
  o.coarsen_levels = 6;
  for (int k = 0; k <= repetitions; k++) {
    tsr_grid_plan *made;
    tsr_error error;
    tsr_report report;
    if (tsr_grid_plan_create(&view, &o, &execution, &made, &error) != TSR_OK) {
      printf("%s\n", error.text);
      exit(1);
    }
    tsr_grid_plan_report(made, &report);
    r.leaves = tsr_grid_plan_sizes(made)->leaves;
    r.fine = tsr_grid_plan_sizes(made)->fine_cells;
    tsr_grid_plan_free(made);
    if (k > 0) { // the first one starts things
      device.push_back(report.device_seconds);
      whole.push_back(report.plan_seconds);
      upload.push_back(report.upload_seconds);
      download.push_back(report.download_seconds);
    }
  }
  r.device = median(device);
  r.whole = median(whole);
  r.upload = median(upload);
  r.download = median(download);
  return r;
}

void bench(const grid &g, double once, int threads, int repetitions)
{
  const double none = 1e30, some = 0.1;
  const result pyramid = plan(g, TSR_BACKEND_CUDA, TSR_STRATEGY_HOST_WAVES, none, threads, repetitions);
  const result host = plan(g, TSR_BACKEND_CUDA, TSR_STRATEGY_HOST_WAVES, some, threads, repetitions);
  const result chain = plan(g, TSR_BACKEND_CUDA, TSR_STRATEGY_DEVICE_LAUNCHED, some, threads, repetitions);
  const result cpu = plan(g, TSR_BACKEND_CPU, TSR_STRATEGY_AUTO, some, threads, 1);
  printf("%lld^3 floats, %s data, %lld leaves (%.1f %% of fine)\n", (long long)g.samples,
         g.cell_data ? "cell" : "point", (long long)host.leaves,
         100.0 * (double)host.leaves / (double)host.fine);
  printf("  field read once              %8.4f ms\n", 1e3 * once);
  printf("  pyramid (nothing refined)    %8.4f ms, %.2f times\n", 1e3 * pyramid.device,
         pyramid.device / once);
  printf("  decided by Host Waves        %8.4f ms, %.2f times\n", 1e3 * host.device,
         host.device / once);
  printf("  decided by Device Launched   %8.4f ms, %.2f times; %.2f times Host Waves\n",
         1e3 * chain.device, chain.device / once, chain.device / host.device);
  printf("  whole plan with CUDA, %d threads %8.1f ms: upload %.1f, download %.2f, the rest is the "
         "CPU's\n",
         threads, 1e3 * host.whole, 1e3 * host.upload, 1e3 * host.download);
  printf("  whole plan on the CPU, %d threads %8.1f ms\n", threads, 1e3 * cpu.whole);
}

} // namespace

int main(int argc, char **argv)
{
  const int64_t samples = argc > 1 ? atoll(argv[1]) : 512;
  const int repetitions = argc > 2 ? atoi(argv[2]) : 9;
  const int threads = (int)std::max(1u, std::thread::hardware_concurrency());
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    printf("no usable CUDA device\n");
    return 77;
  }
  for (int64_t n = samples; n <= samples + 1; n++) {
    std::vector<float> field((size_t)(n * n * n));
    auto layers = [&](int t) { // a front that a twentieth or so of the cells lie on
      for (int64_t z = t; z < n; z += threads)
        for (int64_t y = 0; y < n; y++)
          for (int64_t x = 0; x < n; x++) {
            const double u = (double)x / (double)n - 0.5, v = (double)y / (double)n - 0.4,
                         w = (double)z / (double)n - 0.6, d = (u * u + v * v + w * w - 0.09) * 60.0;
            field[(size_t)((z * n + y) * n + x)] = (float)(d / (1.0 + std::fabs(d)));
          }
    };
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; t++)
      workers.emplace_back(layers, t);
    for (std::thread &worker : workers)
      worker.join();
    const double once = read_once(field);
    bench({n, false, &field}, once, threads, repetitions);
    if (n == samples)
      bench({n, true, &field}, once, threads, repetitions);
  }
  return 0;
}
