// SPDX-License-Identifier: BSD-3-Clause
// What the backend leaves behind (limits, memory, the current device), what it refuses, and when
// Auto takes the CPU.
extern "C" {
#include "check.h"
#include "views.h"
}

#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct input {
  curve_set set;
  tsr_curves_view view;
  wanted want;
  tsr_curves_options options;
  outputs cpu;

  explicit input(int64_t n) : want(), cpu() {
    const tsr_execution on_cpu = execution_cpu();
    want.points_type = TSR_FLOAT;
    want.index_type = TSR_INT64;
    want.generated = 1;
    curve_set_init(&set);
    random_curves(&set, TSR_KIND_NONE, n, 0, 1, 99);
    view = curve_set_view(&set);
    options = option_case(0, TSR_SAMPLING_BISECTION, &want);
    CHECK_INT(outputs_make(&view, &options, &on_cpu, &want, &cpu), TSR_OK);
  }
  ~input() {
    outputs_free(&cpu);
    curve_set_free(&set);
  }
  // Status of a run; equal: its bytes were the CPU's.
  tsr_status run(const tsr_execution &e, std::string *text, tsr_report *report) {
    outputs out;
    const tsr_status status = outputs_make(&view, &options, &e, &want, &out);
    *text = out.error.text;
    *report = out.report;
    if (status == TSR_OK && out.report.backend == TSR_BACKEND_CUDA)
      CHECK_SAME(&cpu, &out, "a run of test_device");
    outputs_free(&out);
    return status;
  }
};

struct limits {
  size_t pool, stack, heap;
  int device;
};

limits limits_now() {
  limits now = {};
  CHECK(cudaDeviceGetLimit(&now.pool, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&now.stack, cudaLimitStackSize) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&now.heap, cudaLimitMallocHeapSize) == cudaSuccess);
  CHECK(cudaGetDevice(&now.device) == cudaSuccess);
  return now;
}

// stack: its limit before the first execution.
void limits_are_put_back(size_t stack) {
  input in(300);
  std::string text;
  tsr_report report;
  const limits before = limits_now();
  for (int strategy = 0; strategy <= TSR_STRATEGY_RECURSIVE_CHILDREN; ++strategy) {
    const tsr_execution e = execution_cuda();
    in.options.launch.strategy = (tsr_curves_strategy)strategy;
    in.options.launch.pending_launches = 333;
    CHECK_INT(in.run(e, &text, &report), TSR_OK);
    const limits after = limits_now();
    CHECK_INT(after.pool, before.pool);
    CHECK_INT(after.device, before.device);
    if (report.child_launches > 0)
      CHECK(report.pool_in_force >= 333);
  }
  tsr_device_release(); // the driver raises it for as long as the device is in use
  CHECK_INT(limits_now().stack, stack);
}

int64_t free_bytes();

// The numbers of every usable device lie where those of real ones do, and measuring leaves limits,
// memory and the current device as they were, with any number of pending launches in force.
void measured_devices() {
  static tsr_devices devices;
  for (const size_t pool : {size_t(2048), size_t(7), size_t(5000)}) {
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, pool) == cudaSuccess);
    const size_t in_force = limits_now().pool;
    tsr_device_report(&devices);
    tsr_device_measure(&devices); // loads the kernels, which stay in the device's memory
    const limits before = limits_now();
    const int64_t free_before = free_bytes();
    CHECK_INT(before.pool, in_force);
    tsr_device_report(&devices);
    CHECK_INT(devices.device[0].pending_launches, in_force);
    CHECK_INT(devices.device[0].stack_bytes, before.stack);
    CHECK_INT(devices.device[0].heap_bytes, before.heap);
    CHECK_INT(devices.device[0].diverge_expected, -1);
    tsr_device_measure(&devices);
    const limits after = limits_now();
    CHECK_INT(after.pool, before.pool);
    CHECK_INT(after.stack, before.stack);
    CHECK_INT(after.heap, before.heap);
    CHECK_INT(after.device, before.device);
    CHECK_SAY(free_bytes() >= free_before, "free memory fell from %lld to %lld bytes",
              (long long)free_before, (long long)free_bytes());
    CHECK_INT(tsr_device_checks_failed(&devices), 0);
  }
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048) == cudaSuccess);
  for (int d = 0; d < devices.count; ++d) {
    const tsr_device &it = devices.device[d];
    if (!it.usable)
      continue;
    CHECK_SAY(it.problem[0] == '\0', "device %d: %s", d, it.problem);
    CHECK_INT(it.diverge_expected, 256 * (100 * 8 + 5 * (8 - 1))); // K (N M + 5 (M - 1))
    CHECK_INT(it.diverge_got, it.diverge_expected);
    CHECK_SAY(it.deepest_nesting >= 24 && it.deepest_nesting <= 64, "%d", it.deepest_nesting);
    CHECK_INT(it.default_pending_launches, 2048);
    CHECK(it.default_heap_bytes > 0 && it.default_stack_bytes > 0);
    CHECK(it.major < 9 ? it.largest_cluster == 1 : it.largest_cluster >= 8);
    // From an old card to what no card does: 10 GB/s to 50 TB/s.
    CHECK(it.saxpy_rate > 1e10 && it.saxpy_rate < 5e13);
    CHECK(it.copy_rate > 1e10 && it.copy_rate < 5e13);
    const double ways[] = {it.pinned_upload, it.pinned_download, it.paged_upload,
                           it.paged_download};
    for (const double rate : ways)
      CHECK_SAY(rate > 1e8 && rate < it.copy_rate, "device %d: %g bytes a second", d, rate);
    CHECK(it.launch_rate > 1e4 && it.launch_rate < 1e8);
    printf("device %d: SAXPY %.0f, copy %.0f, pinned %.1f %.1f, pageable %.1f %.1f GB/s; %.0f "
           "launches a second, nesting %d, clusters of %d\n",
           d, 1e-9 * it.saxpy_rate, 1e-9 * it.copy_rate, 1e-9 * it.pinned_upload,
           1e-9 * it.pinned_download, 1e-9 * it.paged_upload, 1e-9 * it.paged_download,
           it.launch_rate, it.deepest_nesting, it.largest_cluster);
  }
}

int64_t free_bytes() {
  size_t free_now = 0, all = 0;
  cudaDeviceSynchronize();
  CHECK(cudaMemGetInfo(&free_now, &all) == cudaSuccess);
  return (int64_t)free_now;
}

void memory_does_not_grow() {
  input in(2000);
  std::string text;
  tsr_report report;
  int64_t settled = 0;
  for (int run = 0; run < 12; ++run) {
    for (int strategy = 0; strategy <= TSR_STRATEGY_RECURSIVE_CHILDREN; ++strategy) {
      const tsr_execution e = execution_cuda();
      in.options.launch.strategy = (tsr_curves_strategy)strategy;
      CHECK_INT(in.run(e, &text, &report), TSR_OK);
    }
    if (run == 2)
      settled = free_bytes();
  }
  CHECK_SAY(free_bytes() >= settled, "free memory fell from %lld to %lld bytes", (long long)settled,
            (long long)free_bytes());
  tsr_device_release();
  CHECK_SAY(free_bytes() >= settled, "releasing took memory");
  in.options.launch.strategy = TSR_STRATEGY_AUTO;
  CHECK_INT(in.run(execution_cuda(), &text, &report), TSR_OK); // it works again afterwards
}

void output_in_pieces() {
  input in(2000);
  std::string text;
  tsr_report report;
  const tsr_execution e = execution_cuda();
  in.options.launch.device_bytes = 200000;
  for (int strategy = 0; strategy <= TSR_STRATEGY_RECURSIVE_CHILDREN; ++strategy) {
    for (int memory = 0; memory <= TSR_MEMORY_WORST_CASE; ++memory) {
      in.options.launch.strategy = (tsr_curves_strategy)strategy;
      in.options.launch.output_memory = (tsr_output_memory)memory;
      CHECK_INT(in.run(e, &text, &report), TSR_OK);
      CHECK_SAY(report.pieces > 3, "%lld pieces", (long long)report.pieces);
    }
  }
}

// Another program has most of the device's memory.
void output_larger_than_the_free_memory() {
  const int64_t points = 100000000;
  const size_t left = (size_t)2 << 30; // a kernel's stacks alone can take half of it
  size_t free_now = 0, all = 0;
  void *hog = nullptr;
  curve_set set;
  outputs cpu, cuda;
  wanted want = {};
  const tsr_execution on_cpu = execution_cpu(), on_cuda = execution_cuda();
  tsr_curves_options options;
  curve_set_init(&set);
  bezier_cells(&set, 3, 20000, 5);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options_init(&options);
  options.sampling = TSR_SAMPLING_UNIFORM;
  options.use_chord_error = 0;
  options.use_curvature = 1;
  options.min_points = options.max_points = (int)(points / 20000);
  want.points_type = TSR_DOUBLE;
  want.index_type = TSR_INT64;
  CHECK_INT(outputs_make(&view, &options, &on_cpu, &want, &cpu), TSR_OK);
  CHECK_INT(cpu.sizes.points, points);
  tsr_device_release();
  CHECK(cudaMemGetInfo(&free_now, &all) == cudaSuccess && free_now > left);
  CHECK(cudaMalloc(&hog, free_now - left) == cudaSuccess);
  CHECK_INT(outputs_make(&view, &options, &on_cuda, &want, &cuda), TSR_OK);
  CHECK_SAY(cuda.report.pieces > 1, "%lld bytes in %lld pieces", (long long)(24 * points),
            (long long)cuda.report.pieces);
  CHECK_SAME(&cpu, &cuda, "an output larger than the free memory");
  cudaFree(hog);
  outputs_free(&cpu);
  outputs_free(&cuda);
  curve_set_free(&set);
}

void refused(input *in, const tsr_execution &e, tsr_status expected) {
  std::string text;
  tsr_report report;
  CHECK_INT(in->run(e, &text, &report), expected);
  CHECK_SAY(text.size() > 30, "no sentence: %s", text.c_str());
}

void refusals() {
  input in(50);
  tsr_execution e = execution_cuda();
  const tsr_curves_launch usual = in.options.launch;
  in.options.launch.pending_launches = -1;
  refused(&in, e, TSR_BAD_OPTION);
  in.options.launch = usual;
  in.options.launch.nesting_depth = 0;
  refused(&in, e, TSR_BAD_OPTION);
  in.options.launch = usual;
  in.options.launch.strategy = (tsr_curves_strategy)77;
  refused(&in, e, TSR_BAD_OPTION);
  in.options.launch = usual;
  e.device = 31;
  refused(&in, e, TSR_NO_BACKEND);
  e.device = -1;
}

// A heap that cannot grow any more, and a device that is not there: Auto goes to the CPU and says
// why; CUDA is an error.
void fallbacks() {
  input in(300);
  std::string text;
  tsr_report report;
  tsr_execution e = execution_cuda();
  in.options.launch.strategy = TSR_STRATEGY_BLOCK_PER_ITEM;
  in.options.launch.output_memory = TSR_MEMORY_DEVICE_HEAP;
  CHECK_INT(in.run(e, &text, &report), TSR_OK);
  in.options.launch.heap_bytes = (int64_t)8 << 30;
  const tsr_status late = in.run(e, &text, &report);
  if (late != TSR_OK) {
    CHECK_INT(late, TSR_NO_MEMORY);
    CHECK(text.find("heap") != std::string::npos);
    e.backend = TSR_BACKEND_AUTO;
    CHECK_INT(in.run(e, &text, &report), TSR_OK);
    CHECK_INT(report.backend, TSR_BACKEND_CPU);
    CHECK(strstr(report.fallback, "heap") != nullptr);
  }
  in.options = option_case(0, TSR_SAMPLING_BISECTION, &in.want);
  e = execution_cuda();
  e.backend = TSR_BACKEND_AUTO;
  e.device = 31;
  CHECK_INT(in.run(e, &text, &report), TSR_OK);
  CHECK_INT(report.backend, TSR_BACKEND_CPU);
  CHECK(strstr(report.fallback, "31") != nullptr);
  e.device = -1;
  CHECK_INT(in.run(e, &text, &report), TSR_OK);
  CHECK_INT(report.backend, TSR_BACKEND_CUDA);
  CHECK_INT(strlen(report.fallback), 0);
}

void output_memory() {
  for (int round = 0; round < 3; ++round) {
    char *large = (char *)tsr_output_alloc(5 << 20), *small = (char *)tsr_output_alloc(100);
    CHECK(large != nullptr && small != nullptr);
    memset(large, 1, 5 << 20);
    memset(small, 1, 100);
    tsr_output_free(large);
    tsr_output_free(small);
  }
  tsr_device_release();
  CHECK_INT(tsr_output_waiting(), 0);
  for (size_t size = 10; size <= 100; size += 10) { // MiB; nothing fits what was freed before
    void *memory = tsr_output_alloc(size << 20);
    CHECK(memory != nullptr);
    CHECK_SAY(tsr_output_waiting() <= (int64_t)(size << 20), "%lld bytes wait beside %zu MiB",
              (long long)tsr_output_waiting(), size);
    tsr_output_free(memory);
    CHECK_INT(tsr_output_waiting() >> 20 >= (int64_t)size, 1);
  }
  CHECK(tsr_output_alloc(0) == nullptr);
  tsr_output_free(nullptr);
  tsr_device_release();
}

} // namespace

int main() {
  const int missing = gpu_missing();
  static tsr_devices devices;
  if (missing)
    return missing;
  const size_t stack = limits_now().stack;
  tsr_device_report(&devices);
  CHECK(devices.count > 0 && devices.device[0].usable && devices.device[0].launches);
  printf("%s, %lld of %lld bytes free\n", devices.device[0].name,
         (long long)devices.device[0].free_bytes, (long long)devices.device[0].memory_bytes);
  measured_devices();
  refusals();
  fallbacks();
  limits_are_put_back(stack);
  memory_does_not_grow();
  output_in_pieces();
  output_larger_than_the_free_memory();
  output_memory();
  return check_result();
}
