// SPDX-License-Identifier: BSD-3-Clause
// Times of the CUDA backend on one device, each beside its floor: the bytes that must move over the
// copy bandwidth measured in the same run. Quadratic Bezier cells, control points uniform in the
// unit cube and chained. Usage: bench_cuda [quick|tiles|kernels]
#include "cuda/common/scan.cuh"
#include "cuda/curves/plan.cuh"
#include "cuda/curves/strategy/tuned.cuh"

extern "C" {
#include "executor.h"
}

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#define CHECK_CUDA(CALL)                                                                           \
  do {                                                                                             \
    const cudaError_t code_ = (CALL);                                                              \
    if (code_ != cudaSuccess) {                                                                    \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(code_));                        \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

namespace {

struct size_case {
  const char *name;
  int64_t lines;
  double factor;
  int most;
};
const size_case cases[] = {{"20,000 x 32", 20000, 16.0, 32},
                           {"20,000 x 2048", 20000, 1024.0, 2048},
                           {"1,000,000 x 32", 1000000, 16.0, 32},
                           {"1,000,000 x 2048", 1000000, 256.0, 2048}};
const int n_cases = 4;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// A chain of quadratic cells, and an array on its points.
struct input {
  std::vector<float> points, values;
  std::vector<int64_t> offsets, ids;
  tsr_curves_view view;

  explicit input(int64_t lines) {
    uint64_t state = 12345;
    const int64_t n = 2 * lines + 1;
    const auto random = [&state]() {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      return (float)((double)(state >> 40) / (double)(1 << 24));
    };
    for (int64_t i = 0; i < 3 * n; ++i)
      points.push_back(random());
    for (int64_t i = 0; i < n; ++i)
      values.push_back(random());
    for (int64_t i = 0; i < lines; ++i) {
      offsets.push_back(3 * i);
      ids.insert(ids.end(), {2 * i, 2 * i + 2, 2 * i + 1}); // VTK's order: ends first
    }
    offsets.push_back(3 * lines);
    tsr_curves_view_init(&view);
    view.points = {points.data(), TSR_FLOAT, 3, n};
    view.n_items = lines;
    view.offsets = offsets.data();
    view.connectivity = ids.data();
    view.n_connectivity = 3 * lines;
    view.kind = TSR_KIND_BEZIER;
  }
};

tsr_curves_options options_of(const size_case &c) {
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  o.sampling = TSR_SAMPLING_UNIFORM;
  o.use_chord_error = 0;
  o.use_curvature = 1;
  o.curvature_factor = c.factor;
  o.max_points = c.most;
  return o;
}

// Milliseconds of one `work` inside a graph that holds `repeat` of them.
double in_graph(cudaStream_t stream, int repeat, const std::function<void()> &work) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaEvent_t begin, end;
  std::vector<double> times;
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int r = 0; r < repeat; ++r)
    work();
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_CUDA(cudaEventCreate(&begin));
  CHECK_CUDA(cudaEventCreate(&end));
  for (int run = 0; run < 12; ++run) {
    float time;
    CHECK_CUDA(cudaEventRecord(begin, stream));
    CHECK_CUDA(cudaGraphLaunch(exec, stream));
    CHECK_CUDA(cudaEventRecord(end, stream));
    CHECK_CUDA(cudaEventSynchronize(end));
    CHECK_CUDA(cudaEventElapsedTime(&time, begin, end));
    if (run > 1)
      times.push_back(time / repeat);
  }
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return median(times);
}

__global__ void copy_kernel(const float4 *from, float4 *to, size_t n) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    __stcs(to + i, __ldcs(from + i));
}

// Bytes a second of a copy by a kernel, read and written: the runtime's own copy is slower.
double copy_bandwidth() {
  const size_t bytes = (size_t)2 << 30;
  char *a, *b;
  cudaStream_t stream;
  CHECK_CUDA(cudaMalloc(&a, bytes));
  CHECK_CUDA(cudaMalloc(&b, bytes));
  CHECK_CUDA(cudaMemset(a, 1, bytes));
  CHECK_CUDA(cudaStreamCreate(&stream));
  const double start = seconds();
  while (seconds() - start < 1.0) { // until the clocks are up
    copy_kernel<<<132 * 16, 512, 0, stream>>>((const float4 *)a, (float4 *)b, bytes / 16);
    CHECK_CUDA(cudaStreamSynchronize(stream));
  }
  double ms = 1e9;
  for (int blocks = 132 * 4; blocks <= 132 * 128; blocks *= 2)
    ms = std::min(ms, in_graph(stream, 4, [&]() {
                    copy_kernel<<<blocks, 512, 0, stream>>>((const float4 *)a, (float4 *)b,
                                                            bytes / 16);
                  }));
  cudaFree(a);
  cudaFree(b);
  cudaStreamDestroy(stream);
  return 2.0 * (double)bytes / (1e-3 * ms);
}

// Bytes a second from the device into page-locked memory.
double bus_bandwidth() {
  const size_t bytes = (size_t)256 << 20;
  char *a, *b;
  cudaStream_t stream;
  CHECK_CUDA(cudaMalloc(&a, bytes));
  CHECK_CUDA(cudaHostAlloc(&b, bytes, cudaHostAllocDefault));
  CHECK_CUDA(cudaStreamCreate(&stream));
  const double ms = in_graph(stream, 2, [&]() {
    CHECK_CUDA(cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToHost, stream));
  });
  cudaFree(a);
  cudaFreeHost(b);
  cudaStreamDestroy(stream);
  return (double)bytes / (1e-3 * ms);
}

// ------------------------------------------------------------------ the kernels of Auto

// The fill with other tiles than those that are taken.
void bench_tiles(const tsr_curves_device *plan, const tsr_tuned_params &fill) {
  for (int tile = 512; tile <= 4096; tile += tile < 2048 ? 512 : 2048) {
    tsr_tuned_params other = fill;
    int64_t *tile_lines;
    int *most;
    CHECK_CUDA(cudaMalloc(&tile_lines, (size_t)(fill.n_points / tile + 2) * 8));
    CHECK_CUDA(cudaMalloc(&most, sizeof *most));
    CHECK_CUDA(cudaMemset(most, 0, sizeof *most));
    CHECK_CUDA(tsr_tuned_find_tiles(plan->segment_start, fill.n_lines, fill.n_points, tile,
                                    tile_lines, most, plan->stream));
    CHECK_CUDA(cudaStreamSynchronize(plan->stream));
    CHECK_CUDA(cudaMemcpy(&other.most_lines, most, sizeof *most, cudaMemcpyDeviceToHost));
    other.tile = tile;
    other.tile_lines = tile_lines;
    printf("    tiles of %4d points, at most %3d curves: %9.4f\n", tile, other.most_lines,
           in_graph(plan->stream, 5, [&]() { CHECK_CUDA(tsr_tuned_fill(plan->stream, other)); }));
    cudaFree(tile_lines);
    cudaFree(most);
  }
}

void bench_kernels(double bandwidth, bool tiles) {
  printf("\nAuto's kernels, GPU time in a graph, ms (in brackets: times the floor)\n");
  printf("%-18s %10s %10s %18s %10s %18s\n", "", "points", "floor", "count and scan", "floor",
         "fill");
  for (int c = 0; c < n_cases; ++c) {
    const input in(cases[c].lines);
    const tsr_curves_options o = options_of(cases[c]);
    tsr_execution execution;
    tsr_curves_criteria criteria = {};
    tsr_curves_sizes sizes = {};
    tsr_report report = {};
    tsr_error error;
    tsr_curves_device *plan = nullptr;
    int64_t n_spans = 0;
    tsr_execution_init(&execution);
    criteria.sampling = TSR_SAMPLING_UNIFORM;
    criteria.max_level = o.max_level;
    criteria.most_segments = (int64_t)1 << o.max_level;
    criteria.use_curvature = 1;
    criteria.min_points = o.min_points;
    criteria.max_points = o.max_points;
    criteria.curvature_factor = o.curvature_factor;
    const int64_t no_limit = (int64_t)1 << 60;
    const tsr_curves_request request = {&in.view, &execution, &o.launch, &criteria, no_limit,
                                        no_limit, &sizes,     &report,   &n_spans};
    if (tsr_curves_cuda_open(&request, &plan, &error) != TSR_OK ||
        tsr_curves_cuda_count(plan, &request, &error) != TSR_OK) {
      printf("%s\n", error.text);
      exit(1);
    }
    const int64_t lines = cases[c].lines;
    int64_t *sums;
    void *room = nullptr;
    size_t room_bytes = 0;
    float *out;
    CHECK_CUDA(cudaMalloc(&sums, (size_t)(lines + 1) * 8));
    CHECK_CUDA(tsr_scan_counts_in(nullptr, &room_bytes, sums, lines, plan->stream));
    CHECK_CUDA(cudaMalloc(&room, room_bytes));
    CHECK_CUDA(cudaMalloc(&out, (size_t)sizes.points * 12));
    const tsr_tuned_params fill = {
        plan->tuned.packed, plan->segment_start,    plan->tuned.tile_lines, lines, sizes.points,
        plan->tuned.tile,   plan->tuned.most_lines, plan->tuned.order,      3,     out};
    const double count_floor = 1e3 * 44.0 * (double)lines / bandwidth;
    const double fill_floor =
        1e3 * (44.0 * (double)lines + 12.0 * (double)sizes.points) / bandwidth;
    const double count_ms = in_graph(plan->stream, 20, [&]() {
      CHECK_CUDA(tsr_tuned_count(plan->tuned, plan->criteria, lines, sums, plan->limited,
                                 plan->summary, plan->stream));
      CHECK_CUDA(tsr_scan_counts_in(room, &room_bytes, sums, lines, plan->stream));
    });
    const double fill_ms = in_graph(plan->stream, sizes.points > 100000000 ? 5 : 20,
                                    [&]() { CHECK_CUDA(tsr_tuned_fill(plan->stream, fill)); });
    printf("%-18s %10lld %10.4f %9.4f (%5.2f) %10.4f %9.4f (%5.2f)\n", cases[c].name,
           (long long)sizes.points, count_floor, count_ms, count_ms / count_floor, fill_floor,
           fill_ms, fill_ms / fill_floor);
    if (tiles)
      bench_tiles(plan, fill);
    cudaFree(sums);
    cudaFree(room);
    cudaFree(out);
    tsr_curves_cuda_close(plan);
  }
}

// ------------------------------------------------------------------ strategies

struct strategy_case {
  const char *name;
  tsr_curves_strategy strategy;
  tsr_child_stream stream;
  tsr_output_memory memory;
  int64_t pool;
  int64_t most_lines; // larger inputs are left out
};
const strategy_case strategies[] = {
    {"Auto", TSR_STRATEGY_AUTO, TSR_CHILD_FIRE_AND_FORGET, TSR_MEMORY_EXACT, 0, 1 << 30},
    {"Block Per Item", TSR_STRATEGY_BLOCK_PER_ITEM, TSR_CHILD_FIRE_AND_FORGET, TSR_MEMORY_EXACT, 0,
     1 << 30},
    {"Aggregated Grids", TSR_STRATEGY_AGGREGATED_CHILDREN, TSR_CHILD_FIRE_AND_FORGET,
     TSR_MEMORY_EXACT, 0, 1 << 30},
    {"Child Grid Per Item, fire-and-forget", TSR_STRATEGY_CHILD_PER_ITEM, TSR_CHILD_FIRE_AND_FORGET,
     TSR_MEMORY_EXACT, 0, 20000},
    {"Child Grid Per Item, named stream", TSR_STRATEGY_CHILD_PER_ITEM, TSR_CHILD_NAMED,
     TSR_MEMORY_EXACT, 0, 20000},
    {"Child Grid Per Item, NULL stream", TSR_STRATEGY_CHILD_PER_ITEM, TSR_CHILD_NULL_STREAM,
     TSR_MEMORY_EXACT, 0, 20000},
    {"Child Grid Per Item, tail launch", TSR_STRATEGY_CHILD_PER_ITEM, TSR_CHILD_TAIL,
     TSR_MEMORY_EXACT, 0, 20000},
    {"textbook: the same, named, device heap", TSR_STRATEGY_CHILD_PER_ITEM, TSR_CHILD_NAMED,
     TSR_MEMORY_DEVICE_HEAP, 0, 20000}};

executor threads_of_all = {(int)std::max(1u, std::min(64u, std::thread::hardware_concurrency())), 0,
                           0};

tsr_execution execution_of(tsr_backend_id backend) {
  tsr_execution e = executor_execution(&threads_of_all);
  e.backend = backend;
  e.clock = seconds;
  return e;
}

void fail_if(tsr_status status, const tsr_error &error) {
  if (status == TSR_OK)
    return;
  printf("%s\n", error.text);
  exit(1);
}

void bench_strategies(bool quick) {
  printf("\nStrategies: device time of the fill (single launches, positions), ms\n");
  for (int c = 0; c < n_cases; ++c) {
    if (quick && c == 3)
      continue;
    const input in(cases[c].lines);
    tsr_curves_options o = options_of(cases[c]);
    float *out = nullptr;
    printf("%s\n", cases[c].name);
    for (const strategy_case &s : strategies) {
      if (cases[c].lines > s.most_lines)
        continue;
      const tsr_execution e = execution_of(TSR_BACKEND_CUDA);
      tsr_curves_plan *plan;
      tsr_curves_output output;
      tsr_error error;
      tsr_report report;
      std::vector<double> times;
      o.launch.strategy = s.strategy;
      o.launch.child_stream = s.stream;
      o.launch.output_memory = s.memory;
      o.launch.pending_launches = s.pool;
      fail_if(tsr_curves_plan_create(&in.view, &o, &e, &plan, &error), error);
      const size_t bytes = (size_t)tsr_curves_plan_sizes(plan)->points * 12;
      if (!out)
        out = (float *)tsr_output_alloc(bytes);
      tsr_curves_output_init(&output);
      output.points = out;
      for (int run = 0; run < (bytes > (1u << 30) ? 4 : 8); ++run) {
        fail_if(tsr_curves_fill(plan, &output, &error), error);
        tsr_curves_plan_report(plan, &report);
        if (run > 0)
          times.push_back(1e3 * report.device_seconds);
      }
      printf("  %-40s %9.4f   children %lld, inline curves %lld, refused %lld\n", s.name,
             median(times), (long long)report.child_launches, (long long)report.inline_items,
             (long long)report.refused_launches);
      tsr_curves_plan_free(plan);
    }
    tsr_output_free(out);
    tsr_device_release();
  }
}

// ------------------------------------------------------------------ the whole work

// Plan and fill of positions, one float array and the cells; seconds.
double whole(const input &in, const tsr_curves_options &o, const tsr_execution &e, bool pooled,
             std::vector<void *> *kept, tsr_report *report) {
  tsr_curves_plan *plan;
  tsr_curves_output output;
  tsr_attribute attribute;
  tsr_error error;
  const double start = seconds();
  fail_if(tsr_curves_plan_create(&in.view, &o, &e, &plan, &error), error);
  const tsr_curves_sizes &sizes = *tsr_curves_plan_sizes(plan);
  const size_t bytes[4] = {(size_t)sizes.points * 12, (size_t)sizes.points * 4,
                           (size_t)(sizes.cells + 1) * 8, (size_t)sizes.connectivity * 8};
  void *to[4];
  for (int a = 0; a < 4; ++a) {
    to[a] = pooled ? tsr_output_alloc(bytes[a]) : malloc(bytes[a]);
    kept->push_back(to[a]);
  }
  tsr_curves_output_init(&output);
  attribute.in = {in.values.data(), TSR_FLOAT, 1, (int64_t)in.values.size()};
  attribute.mode = TSR_INTERPOLATE_CURVE;
  attribute.out = to[1];
  output.points = to[0];
  output.attributes = &attribute;
  output.n_attributes = 1;
  output.offsets = to[2];
  output.connectivity = to[3];
  fail_if(tsr_curves_fill(plan, &output, &error), error);
  const double time = seconds() - start;
  tsr_curves_plan_report(plan, report);
  tsr_curves_plan_free(plan);
  return time;
}

void give(std::vector<void *> *kept, bool pooled) {
  for (void *memory : *kept)
    pooled ? tsr_output_free(memory) : free(memory);
  kept->clear();
}

void bench_whole(double bus) {
  printf(
      "\nHost memory to host memory: plan and fill of positions, one float array and cells, ms\n");
  printf("%d threads; floor: bytes of input and output, the cells among them, over %.1f "
         "GB/s into page-locked memory\n",
         threads_of_all.threads, 1e-9 * bus);
  for (int c = 1; c < 3; ++c) {
    const input in(cases[c].lines);
    const tsr_curves_options o = options_of(cases[c]);
    tsr_report report;
    std::vector<void *> kept;
    const input warm(1000);
    whole(warm, o, execution_of(TSR_BACKEND_CUDA), true, &kept, &report);
    give(&kept, true);
    for (int pooled = 0; pooled < 2; ++pooled) {
      std::vector<double> times;
      tsr_device_release();
      const double first =
          1e3 * whole(in, o, execution_of(TSR_BACKEND_CUDA), pooled, &kept, &report);
      for (int run = 0; run < 6; ++run) {
        give(&kept, pooled);
        std::this_thread::sleep_for(std::chrono::milliseconds(100)); // a user's pause
        times.push_back(1e3 * whole(in, o, execution_of(TSR_BACKEND_CUDA), pooled, &kept, &report));
      }
      give(&kept, pooled);
      const double in_bytes = 4.0 * (double)(in.points.size() + in.values.size()) +
                              8.0 * (double)(in.offsets.size() + in.ids.size());
      const double out_bytes = 24.0 * (double)report.points + 8.0 * (double)(report.cells + 1);
      const double floor = 1e3 * (in_bytes + out_bytes) / bus;
      printf("  %-16s %-28s floor %7.2f  first %8.2f (%5.2f)  second %8.2f (%5.2f)  later %8.2f "
             "(%5.2f)  [upload %.2f, plan %.2f, device %.3f, download %.2f]\n",
             cases[c].name, pooled ? "kept page-locked memory" : "new memory each time", floor,
             first, first / floor, times[0], times[0] / floor, median(times), median(times) / floor,
             1e3 * report.upload_seconds, 1e3 * report.plan_seconds, 1e3 * report.device_seconds,
             1e3 * report.download_seconds);
    }
    std::vector<double> cpu;
    for (int run = 0; run < 3; ++run) {
      cpu.push_back(1e3 * whole(in, o, execution_of(TSR_BACKEND_CPU), false, &kept, &report));
      give(&kept, false);
    }
    printf("  %-16s %-28s %8.2f\n", cases[c].name, "CPU backend, new memory", median(cpu));
  }
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = argc > 1 && strcmp(argv[1], "quick") == 0;
  static tsr_devices devices;
  tsr_device_report(&devices);
  if (devices.problem[0]) {
    printf("no usable CUDA device: %s\n", devices.problem);
    return 77;
  }
  const double bandwidth = copy_bandwidth(), bus = bus_bandwidth();
  printf("%s, compute capability %d.%d, CUDA %d.%d, driver for CUDA %d.%d\n",
         devices.device[0].name, devices.device[0].major, devices.device[0].minor,
         devices.runtime_version / 1000, devices.runtime_version % 1000 / 10,
         devices.driver_version / 1000, devices.driver_version % 1000 / 10);
  printf("copy on the device %.0f GB/s (read and written)\n", 1e-9 * bandwidth);
  bench_kernels(bandwidth, argc > 1 && strcmp(argv[1], "tiles") == 0);
  if (argc > 1 && strcmp(argv[1], "kernels") == 0)
    return 0;
  bench_strategies(quick);
  bench_whole(bus);
  return 0;
}
