// SPDX-License-Identifier: BSD-3-Clause
// Points to curves on the device: the plan's kernels beside a sort by CUB's own call, whole calls
// beside the bus with page-locked and pageable memory, and CUDA beside the CPU for many sizes.
// Shuffled tracks of 100 points. Medians. Use: bench_ordering_cuda [points in millions, 10]
// [sort|whole|sizes]
#include "bench_device.cuh"

#include <cub/device/device_radix_sort.cuh>

extern "C" {
#include "point_set.h"
}

namespace {

enum { STEPS, NUMBERS, KINDS }; // orders: steps as integers, any numbers
const char *const kinds[KINDS] = {"integer steps", "random numbers"};

point_set shuffled(int64_t n, int kind) {
  point_set set = point_set_make(n, 1);
  std::vector<int64_t> at((size_t)n);
  uint64_t state = 2;
  set.group_type = TSR_INT64;
  set.order_type = kind == STEPS ? TSR_INT64 : TSR_DOUBLE;
  set.group = point_set_values(n, set.group_type);
  set.order = point_set_values(n, set.order_type);
  for (int64_t i = 0; i < n; i++) {
    const int64_t j = (int64_t)(point_set_random(&state) % (uint64_t)(i + 1));
    at[(size_t)i] = at[(size_t)j];
    at[(size_t)j] = i;
  }
  for (int64_t i = 0; i < n; i++) {
    ((int64_t *)set.group)[i] = at[(size_t)i] / 100;
    if (kind == STEPS) {
      ((int64_t *)set.order)[i] = at[(size_t)i] % 100;
    } else {
      ((double *)set.order)[i] = (double)(point_set_random(&state) >> 11) * 0x1p-53;
    }
  }
  return set;
}

// What its owner has page-locked, or not.
struct locked {
  void *memory;
  locked(void *memory_, int64_t bytes, bool wanted) : memory(wanted ? memory_ : nullptr) {
    if (memory) {
      check(cudaHostRegister(memory, (size_t)bytes, cudaHostRegisterDefault), "page-locking");
    }
  }
  ~locked() {
    if (memory) {
      check(cudaHostUnregister(memory), "page-locking");
    }
  }
};

// CUB's sort of n keys of `bits` bits with the points' numbers.
double cub_sort(const std::vector<uint64_t> &from, int bits) {
  const int64_t n = (int64_t)from.size();
  uint64_t *keys[2];
  uint32_t *values[2];
  void *room = nullptr;
  size_t bytes = 0;
  for (int k = 0; k < 2; k++) {
    check(cudaMalloc(&keys[k], (size_t)n * 8), "memory");
    check(cudaMalloc(&values[k], (size_t)n * 4), "memory");
  }
  const auto sort = [&]() {
    check(cub::DeviceRadixSort::SortPairs(room, bytes, keys[0], keys[1], values[0], values[1], n, 0,
                                          bits),
          "sort");
  };
  sort();
  check(cudaMalloc(&room, bytes), "memory");
  check(cudaMemcpy(keys[0], from.data(), (size_t)n * 8, cudaMemcpyHostToDevice), "copy");
  const double seconds = device_median(nullptr, 6, sort);
  for (int k = 0; k < 2; k++) {
    check(cudaFree(keys[k]), "memory");
    check(cudaFree(values[k]), "memory");
  }
  check(cudaFree(room), "memory");
  return seconds;
}

// By CUB: one sort by the bits of (group, step), or one by the number and one by the group.
double by_cub(const point_set &set, int kind) {
  std::vector<uint64_t> keys((size_t)set.n), groups((size_t)set.n);
  int bits = 0;
  while ((int64_t)1 << bits < (set.n + 99) / 100) {
    bits++;
  }
  for (int64_t i = 0; i < set.n; i++) {
    groups[(size_t)i] = (uint64_t)((const int64_t *)set.group)[i];
    if (kind == STEPS) {
      keys[(size_t)i] = groups[(size_t)i] << 7 | (uint64_t)((const int64_t *)set.order)[i];
    } else {
      memcpy(&keys[(size_t)i], (const double *)set.order + i, sizeof keys[0]);
    }
  }
  return kind == STEPS ? cub_sort(keys, bits + 7) : cub_sort(keys, 64) + cub_sort(groups, bits);
}

struct times {
  double all, plan, fill, upload, device, download;
  int64_t bytes_out;
};

times run(const point_set &set, tsr_backend_id backend, int runs, bool page_locked) {
  static executor exec;
  const tsr_execution execution = bench_execution(&exec, backend, bench_threads());
  const tsr_ordering_view view = point_set_view(&set);
  std::vector<double> all, plans, fills, uploads, devices, downloads;
  tsr_ordering_options options;
  times t = {};
  tsr_ordering_options_init(&options);
  const locked points(set.points, set.n * 24, page_locked);
  const locked group(set.group, set.n * 8, page_locked);
  const locked order(set.order, set.n * 8, page_locked);
  const int64_t bytes[] = {set.n * 24, (set.n + 1) * 8, set.n * 8};
  void *rooms[3];
  for (int k = 0; k < 3; k++) {
    rooms[k] = page_locked ? tsr_output_alloc((size_t)bytes[k]) : malloc((size_t)bytes[k]);
    memset(rooms[k], 0, (size_t)bytes[k]);
  }
  for (int k = 0; k <= runs; k++) {
    tsr_ordering_plan *plan;
    tsr_ordering_output out;
    tsr_error error;
    tsr_report report;
    const double start = now();
    succeed(tsr_ordering_plan_create(&view, &options, &execution, &plan, &error), error);
    const tsr_ordering_sizes *sizes = tsr_ordering_plan_sizes(plan);
    tsr_ordering_output_init(&out);
    out.points = rooms[0];
    out.line_offsets = (int64_t *)rooms[1];
    out.line_connectivity = (int64_t *)rooms[2];
    succeed(tsr_ordering_fill(plan, &out, &error), error);
    const double end = now();
    t.bytes_out = sizes->points * 32 + (sizes->lines + 1) * 8;
    tsr_ordering_plan_report(plan, &report);
    tsr_ordering_plan_free(plan);
    if (k > 0) {
      all.push_back(end - start);
      plans.push_back(report.plan_seconds);
      fills.push_back(report.fill_seconds);
      uploads.push_back(report.upload_seconds);
      devices.push_back(report.device_seconds);
      downloads.push_back(report.download_seconds);
    }
  }
  for (void *room : rooms) {
    page_locked ? tsr_output_free(room) : free(room);
  }
  t.all = median(all);
  t.plan = median(plans);
  t.fill = median(fills);
  t.upload = median(uploads);
  t.device = median(devices);
  t.download = median(downloads);
  return t;
}

// The plan's kernels also find the curves.
void bench_sort(const point_set &set, int kind) {
  const double cub = by_cub(set, kind), ours = run(set, TSR_BACKEND_CUDA, 6, false).device;
  printf("%s, %lld points on the device: CUB's own calls %.3f ms; the plan's kernels %.3f ms, %.2f "
         "times\n",
         kinds[kind], (long long)set.n, 1e3 * cub, 1e3 * ours, ours / cub);
}

void bench_whole(const point_set &set, const bench_rates &rates) {
  for (int page_locked = 0; page_locked < 2; page_locked++) {
    const times t = run(set, TSR_BACKEND_CUDA, 5, page_locked != 0);
    const double floor = (double)set.n * 40.0 / rates.up + (double)t.bytes_out / rates.down;
    printf("%s memory, whole calls: %.2f ms, %.2f times the bus (%.2f ms): upload %.2f, kernels of "
           "the plan %.2f, download %.2f, plan %.2f, fill %.2f\n",
           page_locked ? "page-locked" : "pageable", 1e3 * t.all, t.all / floor, 1e3 * floor,
           1e3 * t.upload, 1e3 * t.device, 1e3 * t.download, 1e3 * t.plan, 1e3 * t.fill);
  }
}

void bench_sizes() {
  static const int64_t sizes[] = {1000, 3000, 10000, 30000, 100000, 300000, 1000000, 10000000};
  printf("whole calls, pageable memory: CUDA beside the CPU on %d threads\n", bench_threads());
  for (const int64_t size : sizes) {
    point_set set = shuffled(size, STEPS);
    const int runs = size <= 100000 ? 15 : 5;
    const times cuda = run(set, TSR_BACKEND_CUDA, runs, false);
    const times cpu = run(set, TSR_BACKEND_CPU, runs, false);
    printf("  %9lld points: CUDA %8.3f ms, CPU %8.3f ms: CUDA is %.2f times as fast\n",
           (long long)size, 1e3 * cuda.all, 1e3 * cpu.all, cpu.all / cuda.all);
    point_set_free(&set);
  }
}

} // namespace

int main(int argc, char **argv) {
  const int64_t n = (int64_t)((argc > 1 ? atof(argv[1]) : 10.0) * 1e6);
  const char *part = argc > 2 ? argv[2] : "";
  leave_without_device();
  const bench_rates rates = measure_rates();
  for (int kind = 0; kind < KINDS && strcmp(part, "sizes") != 0; kind++) {
    point_set set = shuffled(n, kind);
    if (strcmp(part, "whole") != 0) {
      bench_sort(set, kind);
    }
    if (strcmp(part, "sort") != 0 && kind == STEPS) {
      bench_whole(set, rates);
    }
    point_set_free(&set);
  }
  if (part[0] == '\0' || strcmp(part, "sizes") == 0) {
    bench_sizes();
  }
  return 0;
}
