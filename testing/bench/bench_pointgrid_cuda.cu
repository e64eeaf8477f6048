// SPDX-License-Identifier: BSD-3-Clause
// Speed of point grids on the device: the strategies beside each other and beside CUB's sort of the
// same keys, whole calls beside the bus, and CUDA beside the CPU for many sizes. Points at random
// in a cube, as floats. Medians.
// Use: bench_pointgrid_cuda [largest number in millions, 100] [strategies|whole|sizes]
#include "bench_device.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace {

struct cloud {
  int64_t n;
  std::vector<float> points, values;
};

uint64_t mix(uint64_t v) {
  v += 0x9e3779b97f4a7c15u;
  v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
  v = (v ^ v >> 27) * 0x94d049bb133111ebu;
  return v ^ v >> 31;
}

void make_cloud(int64_t n, cloud *c) {
  c->n = n;
  c->points.resize((size_t)n * 3);
  c->values.resize((size_t)n);
  on_all_cores(n, [c](int64_t begin, int64_t end) {
    for (int64_t i = 3 * begin; i < 3 * end; i++) {
      c->points[(size_t)i] = (float)((double)(mix((uint64_t)i) >> 40) * 0x1p-24);
    }
    for (int64_t i = begin; i < end; i++) {
      c->values[(size_t)i] = c->points[(size_t)(3 * i)];
    }
  });
}

struct times {
  double all, plan, fill, upload, device, download;
  int64_t leaves, cells, bytes_out, launches;
};

struct request {
  tsr_backend_id backend;
  tsr_pointgrid_strategy strategy;
  tsr_pointgrid_output_kind output;
  int threads, runs;
  bool fill, value;
};

// Everything that the filter asks for. Returns the bytes that come out.
int64_t fill(tsr_pointgrid_plan *plan, const cloud &c, bool points, bool value) {
  const tsr_pointgrid_sizes *s = tsr_pointgrid_plan_sizes(plan);
  tsr_pointgrid_output out;
  tsr_pointgrid_attribute one = {};
  tsr_error error;
  std::vector<void *> blocks;
  int64_t all = 0;
  const auto room = [&](int64_t bytes) {
    all += bytes;
    blocks.push_back(tsr_output_alloc((size_t)bytes + 1));
    return blocks.back();
  };
  tsr_pointgrid_output_init(&out);
  out.points_type = TSR_FLOAT;
  out.points = room(s->points * 12);
  out.offsets = room((s->cells + 1) * 8);
  out.connectivity = room(s->connectivity * 8);
  out.level = (int32_t *)room(s->cells * 4);
  one.in = {c.values.data(), TSR_FLOAT, 1, c.n};
  if (points) {
    out.leaf = (int64_t *)room(s->cells * 8);
  } else {
    out.count = (int64_t *)room(s->cells * 8);
    out.density = (double *)room(s->cells * 8);
  }
  if (value && points) {
    one.out = room(s->cells * 4);
  } else if (value) {
    one.mean = (double *)room(s->cells * 8);
    one.least = room(s->cells * 4);
    one.greatest = room(s->cells * 4);
  }
  if (value) {
    out.attributes = &one;
    out.n_attributes = 1;
  }
  succeed(tsr_pointgrid_fill(plan, &out, &error), error);
  for (void *block : blocks) {
    tsr_output_free(block);
  }
  return all;
}

times run(const cloud &c, const request &wish) {
  static executor exec;
  const tsr_execution execution = bench_execution(&exec, wish.backend, wish.threads);
  std::vector<double> all, plans, fills, uploads, devices, downloads;
  tsr_pointgrid_view view;
  tsr_pointgrid_options o;
  times t = {};
  tsr_pointgrid_view_init(&view);
  tsr_pointgrid_options_init(&o);
  view.points = {c.points.data(), TSR_FLOAT, 3, c.n};
  o.launch.strategy = wish.strategy;
  o.output = wish.output;
  for (int k = 0; k <= wish.runs; k++) {
    tsr_pointgrid_plan *plan;
    tsr_error error;
    tsr_report report;
    const double start = now();
    succeed(tsr_pointgrid_plan_create(&view, &o, &execution, &plan, &error), error);
    if (wish.fill) {
      t.bytes_out = fill(plan, c, wish.output == TSR_POINTGRID_POINTS, wish.value);
    }
    const double end = now();
    tsr_pointgrid_plan_report(plan, &report);
    t.leaves = tsr_pointgrid_plan_sizes(plan)->leaves;
    t.cells = tsr_pointgrid_plan_sizes(plan)->cells;
    t.launches = report.child_launches;
    tsr_pointgrid_plan_free(plan);
    if (k > 0 || wish.runs == 0) { // the first one starts things
      all.push_back(end - start);
      plans.push_back(report.plan_seconds);
      fills.push_back(report.fill_seconds);
      uploads.push_back(report.upload_seconds);
      devices.push_back(report.device_seconds);
      downloads.push_back(report.download_seconds);
    }
  }
  t.all = median(all);
  t.plan = median(plans);
  t.fill = median(fills);
  t.upload = median(uploads);
  t.device = median(devices);
  t.download = median(downloads);
  return t;
}

// CUB alone: keys of 60 bits with the points' numbers.
double cub_sort(int64_t n) {
  uint64_t *keys[2];
  uint32_t *values[2];
  void *room = nullptr;
  size_t bytes = 0;
  std::vector<uint64_t> made((size_t)n);
  on_all_cores(n, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      made[(size_t)i] = mix((uint64_t)i) >> 4;
    }
  });
  for (int k = 0; k < 2; k++) {
    check(cudaMalloc(&keys[k], (size_t)n * 8), "memory");
    check(cudaMalloc(&values[k], (size_t)n * 4), "memory");
  }
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys[0], keys[1], values[0], values[1], n,
                                        0, 60),
        "sort");
  check(cudaMalloc(&room, bytes), "memory");
  check(cudaMemcpy(keys[0], made.data(), (size_t)n * 8, cudaMemcpyHostToDevice), "copy");
  const double seconds = device_median(nullptr, 4, [&]() {
    check(cub::DeviceRadixSort::SortPairs(room, bytes, keys[0], keys[1], values[0], values[1], n, 0,
                                          60),
          "sort");
  });
  for (int k = 0; k < 2; k++) {
    check(cudaFree(keys[k]), "memory");
    check(cudaFree(values[k]), "memory");
  }
  check(cudaFree(room), "memory");
  return seconds;
}

void bench_strategies(const cloud &c, const bench_rates &rates) {
  static const struct {
    const char *name;
    tsr_pointgrid_strategy strategy;
  } all[] = {{"Flat", TSR_POINTGRID_FLAT},
             {"Recursive Child Grids", TSR_POINTGRID_RECURSIVE_CHILDREN},
             {"Host Waves", TSR_POINTGRID_HOST_WAVES}};
  printf("%.0f million points that lie on the device\n", 1e-6 * (double)c.n);
  for (const auto &one : all) {
    const times t =
        run(c, {TSR_BACKEND_CUDA, one.strategy, TSR_POINTGRID_POINTS, bench_threads(),
                one.strategy == TSR_POINTGRID_RECURSIVE_CHILDREN ? 1 : 3, false, false});
    // Points read once, their numbers in the order of the leaves and the leaves written once.
    const double floor = (20.0 * (double)c.n + 32.0 * (double)t.leaves) / rates.copy;
    printf("  %-22s %9.3f ms, %6.0f million points/s, %5.1f times the bytes' floor of %.3f ms; "
           "%lld leaves, %lld launches\n",
           one.name, 1e3 * t.device, 1e-6 * (double)c.n / t.device, t.device / floor, 1e3 * floor,
           (long long)t.leaves, (long long)t.launches);
  }
  const double cub = cub_sort(c.n);
  printf("  %-22s %9.3f ms, %6.0f million points/s\n", "CUB's sort of keys", 1e3 * cub,
         1e-6 * (double)c.n / cub);
}

void bench_whole(const cloud &c, const bench_rates &rates) {
  static const struct {
    const char *name;
    tsr_pointgrid_output_kind output;
    bool value;
  } all[] = {{"points in order", TSR_POINTGRID_POINTS, false},
             {"points, one array", TSR_POINTGRID_POINTS, true},
             {"cells", TSR_POINTGRID_CELLS, false},
             {"cells, one array", TSR_POINTGRID_CELLS, true}};
  printf("%.0f million points, whole calls from host memory to host memory\n", 1e-6 * (double)c.n);
  for (const auto &one : all) {
    const times t = run(
        c, {TSR_BACKEND_CUDA, TSR_POINTGRID_FLAT, one.output, bench_threads(), 5, true, one.value});
    const double floor =
        (double)c.n * (one.value ? 16.0 : 12.0) / rates.up + (double)t.bytes_out / rates.down;
    printf("  %-17s %8.1f ms, %5.1f times the bus (%.1f ms): upload %.1f, kernels %.1f, download "
           "%.1f, rest %.1f; plan %.1f, fill %.1f; %.0f MB out\n",
           one.name, 1e3 * t.all, t.all / floor, 1e3 * floor, 1e3 * t.upload, 1e3 * t.device,
           1e3 * t.download, 1e3 * (t.all - t.upload - t.device - t.download), 1e3 * t.plan,
           1e3 * t.fill, 1e-6 * (double)t.bytes_out);
  }
}

void bench_sizes(double most) {
  static const double sizes[] = {1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 1e7, 1e8};
  printf("whole calls, cells and one array: CUDA beside the CPU on %d threads\n", bench_threads());
  for (const double size : sizes) {
    cloud c;
    if (size > most) {
      break;
    }
    make_cloud((int64_t)size, &c);
    const int runs = size <= 1e5 ? 15 : size <= 1e6 ? 5 : size < 1e8 ? 2 : 0;
    request wish = {TSR_BACKEND_CUDA,
                    TSR_POINTGRID_STRATEGY_AUTO,
                    TSR_POINTGRID_CELLS,
                    bench_threads(),
                    runs,
                    true,
                    true};
    const times cuda = run(c, wish);
    wish.backend = TSR_BACKEND_CPU;
    const times cpu = run(c, wish);
    printf("  %10.0f points: CUDA %9.3f ms (plan %9.3f), CPU %9.3f ms (plan %9.3f): CUDA is %.2f "
           "times as fast\n",
           size, 1e3 * cuda.all, 1e3 * cuda.plan, 1e3 * cpu.all, 1e3 * cpu.plan,
           cpu.all / cuda.all);
  }
}

} // namespace

int main(int argc, char **argv) {
  const double most = (argc > 1 ? atof(argv[1]) : 100.0) * 1e6;
  const char *part = argc > 2 ? argv[2] : "";
  leave_without_device();
  const bench_rates rates = measure_rates();
  for (double size = 1e7; size <= most && strcmp(part, "sizes") != 0; size *= 10.0) {
    cloud c;
    make_cloud((int64_t)size, &c);
    if (strcmp(part, "whole") != 0) {
      bench_strategies(c, rates);
    }
    if (strcmp(part, "strategies") != 0) {
      bench_whole(c, rates);
    }
  }
  if (part[0] == '\0' || strcmp(part, "sizes") == 0) {
    bench_sizes(most);
  }
  return 0;
}
