// SPDX-License-Identifier: BSD-3-Clause
// Speed of deciding an adaptive grid on the device: value range of 512 cubed floats, six levels,
// beside reading the field once. Medians; "device" is by the device's clock, with the gaps in which
// it waits for the host.
// Use: bench_grid_cuda [samples along a side, 512] [repetitions, 9]
#include "bench_device.cuh"

#include <cmath>

namespace {

double read_once(const std::vector<float> &field) {
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
  tsr_grid_measure measure;
};

struct result {
  double device, plan, upload, download, fill;
  int64_t leaves, fine;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Points, cells, their levels, and the array with its error: what the filter asks for.
void fill(tsr_grid_plan *plan, const tsr_grid_criterion &c) {
  const tsr_grid_sizes *sizes = tsr_grid_plan_sizes(plan);
  std::vector<float> points((size_t)sizes->points * 3),
      values((size_t)std::max(sizes->points, sizes->cells));
  std::vector<int64_t> offsets((size_t)sizes->cells + 1), connectivity((size_t)sizes->connectivity);
  std::vector<int32_t> levels((size_t)sizes->cells);
  double largest = 0.0;
  tsr_error error;
  tsr_grid_output out;
  const tsr_grid_attribute attribute = {c.array, c.cell_data, values.data(), &largest, {}};
  tsr_grid_output_init(&out);
  out.points = points.data();
  out.offsets = offsets.data();
  out.connectivity = connectivity.data();
  out.level = levels.data();
  out.attributes = &attribute;
  out.n_attributes = 1;
  succeed(tsr_grid_fill(plan, &out, &error), error);
}

result run(const grid &g, tsr_backend_id backend, tsr_grid_strategy strategy, double threshold,
           int threads, int repetitions, bool with_fill) {
  static executor exec;
  exec.threads = threads;
  tsr_execution execution = executor_execution(&exec);
  tsr_grid_view view;
  tsr_grid_options o;
  tsr_grid_criterion c;
  std::vector<double> device, whole, upload, download, filled;
  result r = {};
  execution.backend = backend;
  execution.clock = now;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&o);
  o.launch.strategy = strategy;
  tsr_grid_criterion_init(&c);
  for (int a = 0; a < 3; a++)
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = g.samples - (g.cell_data ? 0 : 1);
  c.measure = g.measure;
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
    succeed(tsr_grid_plan_create(&view, &o, &execution, &made, &error), error);
    if (with_fill)
      fill(made, c);
    tsr_grid_plan_report(made, &report);
    r.leaves = tsr_grid_plan_sizes(made)->leaves;
    r.fine = tsr_grid_plan_sizes(made)->fine_cells;
    tsr_grid_plan_free(made);
    if (k > 0) { // the first one starts things
      device.push_back(report.device_seconds);
      whole.push_back(report.plan_seconds);
      upload.push_back(report.upload_seconds);
      download.push_back(report.download_seconds);
      filled.push_back(report.fill_seconds);
    }
  }
  r.device = median(device);
  r.plan = median(whole);
  r.upload = median(upload);
  r.download = median(download);
  r.fill = median(filled);
  return r;
}

void bench(const grid &g, double once, int threads, int repetitions) {
  const double none = 1e30, some = 0.1;
  const tsr_backend_id cuda = TSR_BACKEND_CUDA;
  const tsr_grid_strategy waves = TSR_STRATEGY_HOST_WAVES, launched = TSR_STRATEGY_DEVICE_LAUNCHED;
  const result pyramid = run(g, cuda, waves, none, threads, repetitions, false);
  const result host = run(g, cuda, waves, some, threads, repetitions, false);
  const result chain = run(g, cuda, launched, some, threads, repetitions, false);
  const result all = run(g, cuda, waves, some, threads, 3, true);
  const result cpu = run(g, TSR_BACKEND_CPU, TSR_GRID_STRATEGY_AUTO, some, threads, 3, true);
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
  printf(
      "  whole on CUDA, %2d threads    %8.1f ms: upload %.1f, deciding %.2f, download %.2f, rest "
      "of the plan %.1f, fill %.1f\n",
      threads, 1e3 * (all.plan + all.fill), 1e3 * all.upload, 1e3 * all.device, 1e3 * all.download,
      1e3 * (all.plan - all.upload - all.device - all.download), 1e3 * all.fill);
  printf("  whole on the CPU, %2d threads %8.1f ms: plan %.1f, fill %.1f\n", threads,
         1e3 * (cpu.plan + cpu.fill), 1e3 * cpu.plan, 1e3 * cpu.fill);
}

// A criterion that takes a kernel a level: the device's time and the CPU's.
void bench_other(grid g, double once, const char *name, tsr_grid_measure measure, double threshold,
                 int threads) {
  g.measure = measure;
  const result cuda =
      run(g, TSR_BACKEND_CUDA, TSR_STRATEGY_HOST_WAVES, threshold, threads, 3, false);
  const result cpu = run(g, TSR_BACKEND_CPU, TSR_GRID_STRATEGY_AUTO, threshold, threads, 1, false);
  printf("  %-20s decided in %8.3f ms, %5.1f times reading; whole plan %7.1f ms, on the CPU %7.1f "
         "ms\n",
         name, 1e3 * cuda.device, cuda.device / once, 1e3 * cuda.plan, 1e3 * cpu.plan);
}

} // namespace

int main(int argc, char **argv) {
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
    const grid points = {n, false, &field, TSR_MEASURE_VALUE_RANGE};
    bench(points, once, threads, repetitions);
    if (n > samples)
      continue;
    bench({n, true, &field, TSR_MEASURE_VALUE_RANGE}, once, threads, repetitions);
    printf("other criteria, point data\n");
    bench_other(points, once, "gradient", TSR_MEASURE_GRADIENT, 0.1, threads);
    bench_other(points, once, "standard deviation", TSR_MEASURE_STANDARD_DEVIATION, 0.05, threads);
    bench_other(points, once, "interpolation error", TSR_MEASURE_INTERPOLATION_ERROR, 0.01,
                threads);
  }
  return 0;
}
