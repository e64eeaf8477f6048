// SPDX-License-Identifier: BSD-3-Clause
// A whole adaptive grid, host to host, as the filter asks for it: what each phase takes, in
// milliseconds and in readings of the field, beside the time that page-locked copies of the same
// bytes take one after the other. Medians of later executions.
// Use: bench_grid_whole [points along a side, 513] [repetitions, 7] [with the CPU, 1]
//                       [MiB of input on the device at once, 0: what is free]
//                       [outputs: constrained cells, trees and blocks instead, with the marks of
//                       another time step, and of two dimensions polygons and input cells]
#include "bench_device.cuh"

#include <cmath>
#include <string>

namespace {

// Seconds of a reading of the field, and of a page-locked copy of a byte each way.
struct machine {
  double read, up, down;
};

machine measure_machine(const std::vector<float> &field) {
  const size_t bytes = field.size() / 4 * 16;
  float *device, *sum;
  void *locked;
  cudaEvent_t begin, end;
  std::vector<double> times[3];
  check(cudaMalloc(&device, bytes), "memory");
  check(cudaMalloc(&sum, sizeof *sum), "memory");
  check(cudaHostAlloc(&locked, bytes, cudaHostAllocDefault), "page-locked memory");
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  for (int k = 0; k < 33; ++k) {
    float ms;
    check(cudaEventRecord(begin), "event");
    if (k % 3 == 0)
      read_kernel<<<132 * 16, 256>>>((const float4 *)device, (int64_t)(bytes / 16), sum);
    else if (k % 3 == 1)
      check(cudaMemcpyAsync(device, locked, bytes, cudaMemcpyHostToDevice), "copy");
    else
      check(cudaMemcpyAsync(locked, device, bytes, cudaMemcpyDeviceToHost), "copy");
    check(cudaEventRecord(end), "event");
    check(cudaEventSynchronize(end), "waiting");
    check(cudaEventElapsedTime(&ms, begin, end), "event");
    times[k % 3].push_back(1e-3 * ms);
  }
  check(cudaFree(device), "memory");
  check(cudaFree(sum), "memory");
  check(cudaFreeHost(locked), "memory");
  return {median(times[0]), median(times[1]) / (double)bytes, median(times[2]) / (double)bytes};
}

struct grid {
  int64_t n;
  const std::vector<float> *field;
  tsr_grid_measure measure;
  double threshold;
  int levels;
  tsr_grid_output_kind output;
  const char *name;
  int constrain;
  int flat;  // 1: n x n points
  int marks; // 1: with those of another time step
};

const char *name_of(const grid &g) {
  return g.output == TSR_GRID_TREES        ? "trees"
         : g.output == TSR_GRID_PATCHES    ? "blocks"
         : g.marks                         ? "conforming, with marks"
         : g.output == TSR_GRID_CONFORMING ? "conforming"
         : g.output == TSR_GRID_POLYGONS   ? "polygons"
         : g.constrain                     ? "constrained"
                                           : "free";
}

int64_t device_bytes; // 0: what is free

// What the filter asks for, in output memory.
struct arrays {
  std::vector<void *> kept;
  tsr_grid_output out;
  tsr_grid_attribute attribute;
  double error;
  size_t bytes;
  explicit arrays(const tsr_grid_sizes &sizes, const tsr_array &array) : error(0.0), bytes(0) {
    const bool nodes = sizes.trees > 0 || sizes.patches > 0;
    tsr_grid_output_init(&out);
    attribute = {array, 0, get((size_t)(nodes ? sizes.cells : sizes.points) * 4), &error, {}};
    out.attributes = &attribute;
    out.n_attributes = 1;
    if (nodes) {
      out.state = (uint8_t *)get((size_t)sizes.cells);
      out.tree_first = (int64_t *)get((size_t)(sizes.trees + 1) * 8);
      out.tree_root = (int32_t *)get((size_t)sizes.trees * 12);
      out.patches = (tsr_grid_patch *)get((size_t)sizes.patches * sizeof(tsr_grid_patch));
      return;
    }
    out.points = get((size_t)sizes.points * 12);
    out.offsets = get((size_t)(sizes.cells + 1) * 8);
    out.connectivity = get((size_t)sizes.connectivity * 8);
    out.cell_type = (uint8_t *)get((size_t)sizes.cells);
  }
  ~arrays() {
    for (void *memory : kept)
      tsr_output_free(memory);
  }
  void *get(size_t size) {
    bytes += size;
    kept.push_back(tsr_output_alloc(size));
    return kept.back();
  }
};

struct phases {
  std::vector<double> whole, plan, fill, upload, decide, refine, make, download;
  size_t out_bytes;
  int64_t slabs;
  tsr_grid_sizes sizes;
  double error;
  tsr_backend_id backend;
};

// Marks of a step whose threshold was a little lower.
std::vector<tsr_grid_node> marks_of(const tsr_grid_view &view, tsr_grid_options o,
                                    const tsr_execution &execution) {
  tsr_grid_criterion c = o.criteria[0];
  tsr_grid_plan *plan;
  tsr_error error;
  c.threshold *= 0.8;
  o.criteria = &c;
  o.keep_marks = 1;
  succeed(tsr_grid_plan_create(&view, &o, &execution, &plan, &error), error);
  const tsr_grid_marks made = tsr_grid_plan_marks(plan);
  const std::vector<tsr_grid_node> marks(made.nodes, made.nodes + made.n);
  tsr_grid_plan_free(plan);
  return marks;
}

uint64_t never_changes(void *, const void *data) { return data != nullptr; }

// kept: the input stays on the device from one execution to the next.
phases run(const grid &g, tsr_backend_id backend, int threads, int repetitions, bool kept = false) {
  static executor exec;
  exec.threads = threads;
  tsr_execution execution = executor_execution(&exec);
  tsr_grid_view view;
  tsr_grid_options o;
  tsr_grid_criterion c;
  phases r = {};
  execution.backend = backend;
  execution.clock = now;
  execution.owner = kept ? &g : nullptr;
  execution.generation = never_changes;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&o);
  tsr_grid_criterion_init(&c);
  for (int a = 0; a < 3; ++a)
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = a == 2 && g.flat ? 0 : g.n - 1;
  c.measure = g.measure;
  c.array = {g.field->data(), TSR_FLOAT, 1, (int64_t)g.field->size()};
  c.threshold = g.threshold;
  c.relative = 1;
  o.criteria = &c;
  o.n_criteria = 1;
  o.coarsen_levels = g.levels;
  o.output = g.output;
  o.constrain = g.constrain;
  o.device_bytes = device_bytes;
  std::vector<tsr_grid_node> marks;
  if (g.marks)
    marks = marks_of(view, o, execution);
  o.marks = {marks.data(), (int64_t)marks.size()};
  o.keep_marks = g.marks;
  for (int k = 0; k <= repetitions; ++k) {
    tsr_grid_plan *plan;
    tsr_error error;
    tsr_report report;
    const double start = now();
    succeed(tsr_grid_plan_create(&view, &o, &execution, &plan, &error), error);
    r.sizes = *tsr_grid_plan_sizes(plan);
    {
      arrays to(r.sizes, c.array);
      succeed(tsr_grid_fill(plan, &to.out, &error), error);
      r.out_bytes = to.bytes;
      r.error = to.error;
      tsr_grid_plan_report(plan, &report);
      tsr_grid_plan_free(plan);
      r.backend = report.backend;
      r.slabs = report.pieces;
      if (k > 1 || repetitions < 2) { // the first ones start things
        r.whole.push_back(now() - start);
        r.plan.push_back(report.plan_seconds);
        r.fill.push_back(report.fill_seconds);
        r.upload.push_back(report.upload_seconds);
        r.decide.push_back(report.device_seconds);
        r.refine.push_back(report.device_plan_seconds);
        r.make.push_back(report.device_fill_seconds);
        r.download.push_back(report.download_seconds);
      }
    }
  }
  tsr_device_forget(&g);
  return r;
}

void bench(const grid &g, const machine &m, int threads, int repetitions, bool with_cpu) {
  const phases r = run(g, TSR_BACKEND_CUDA, threads, repetitions);
  const double in = (double)g.field->size() * 4.0, out = (double)r.out_bytes;
  const double floor = in * m.up + out * m.down;
  const std::string slabs = r.slabs > 0 ? ", in " + std::to_string(r.slabs) + " slabs" : "";
  const double decide = median(r.decide), refine = median(r.refine), make = median(r.make);
  printf("%s, %s, %d levels: %lld leaves, %lld cut, %lld cells, %lld points, %.0f MB out, error "
         "%g%s\n",
         g.name, name_of(g), g.levels, (long long)r.sizes.leaves, (long long)r.sizes.cut_leaves,
         (long long)r.sizes.cells, (long long)r.sizes.points, 1e-6 * out, r.error, slabs.c_str());
  printf("  whole %8.2f ms, %5.2f times the floor of %.2f ms (upload %.2f times page-locked)\n",
         1e3 * median(r.whole), median(r.whole) / floor, 1e3 * floor,
         median(r.upload) / (in * m.up));
  printf("  plan %.2f, fill %.2f; upload %.2f, download %.2f; host and rest %.2f\n",
         1e3 * median(r.plan), 1e3 * median(r.fill), 1e3 * median(r.upload),
         1e3 * median(r.download),
         1e3 * (median(r.whole) - median(r.upload) - median(r.download) - decide - refine - make));
  printf("  device: decide %.3f (%.2f reads), plan %.3f (%.2f), fill %.3f (%.2f; %.2f times its "
         "write floor at 4.2 TB/s), all %.2f reads\n",
         1e3 * decide, decide / m.read, 1e3 * refine, refine / m.read, 1e3 * make, make / m.read,
         make / (out / 4.2e12), (decide + refine + make) / m.read);
  const phases again = run(g, TSR_BACKEND_CUDA, threads, repetitions, true);
  printf("  input on the device already: whole %.2f ms, %.2f times the download's floor of %.2f ms "
         "(upload %.3f, download %.2f, device %.2f)\n",
         1e3 * median(again.whole), median(again.whole) / (out * m.down), 1e3 * out * m.down,
         1e3 * median(again.upload), 1e3 * median(again.download),
         1e3 * (median(again.decide) + median(again.refine) + median(again.make)));
  if (with_cpu) {
    const phases cpu = run(g, TSR_BACKEND_CPU, threads, 1);
    printf("  CPU, %d threads: %.1f ms (plan %.1f, fill %.1f); sizes %s, error %s\n", threads,
           1e3 * median(cpu.whole), 1e3 * median(cpu.plan), 1e3 * median(cpu.fill),
           cpu.sizes.cells == r.sizes.cells && cpu.sizes.points == r.sizes.points ? "equal"
                                                                                  : "DIFFER",
           cpu.error == r.error ? "equal" : "DIFFERS");
  }
  fflush(stdout);
}

std::vector<float> field_of(int64_t n, int64_t nz, int threads,
                            const std::function<double(int64_t, int64_t, int64_t)> &value) {
  std::vector<float> field((size_t)(n * n * nz));
  const auto layers = [&](int t) {
    for (int64_t z = t; z < nz; z += threads)
      for (int64_t y = 0; y < n; ++y)
        for (int64_t x = 0; x < n; ++x)
          field[(size_t)((z * n + y) * n + x)] = (float)value(x, y, z);
  };
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back(layers, t);
  for (std::thread &worker : workers)
    worker.join();
  return field;
}

} // namespace

int main(int argc, char **argv) {
  const int64_t n = argc > 1 ? atoll(argv[1]) : 513;
  const int repetitions = argc > 2 ? atoi(argv[2]) : 7;
  const bool with_cpu = argc <= 3 || atoi(argv[3]) != 0;
  device_bytes = argc > 4 ? (int64_t)atoi(argv[4]) << 20 : 0;
  const int threads = (int)std::max(1u, std::thread::hardware_concurrency());
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    printf("no usable CUDA device\n");
    return 77;
  }
  // A front that a twentieth or so of the cells lie on; waves of many lengths, everywhere.
  const auto front_of = [](int64_t side) {
    return [side](int64_t x, int64_t y, int64_t z) {
      const double u = (double)x / (double)side - 0.5, v = (double)y / (double)side - 0.4,
                   w = (double)z / (double)side - 0.6, d = (u * u + v * v + w * w - 0.09) * 60.0;
      return d / (1.0 + std::fabs(d));
    };
  };
  const auto waves = [](int64_t x, int64_t y, int64_t z) {
    double sum = 0.0;
    for (double w = 0.02; w < 1.2; w *= 2.7)
      sum += std::sin(w * (double)(x + y) + std::sin(3.0 * w * (double)z)) / (1.0 + 8.0 * w);
    return sum;
  };
  const std::vector<float> field = field_of(n, n, threads, front_of(n));
  const machine m = measure_machine(field);
  printf(
      "%lld cubed floats: read once in %.4f ms; page-locked %.1f GB/s up, %.1f down; %d threads\n",
      (long long)n, 1e3 * m.read, 1e-9 / m.up, 1e-9 / m.down, threads);
  const tsr_grid_measure error = TSR_MEASURE_INTERPOLATION_ERROR, range = TSR_MEASURE_VALUE_RANGE,
                         gradient = TSR_MEASURE_GRADIENT,
                         deviation = TSR_MEASURE_STANDARD_DEVIATION;
  if (argc > 5) {
    for (int levels = 3; levels <= 6; levels += 3) {
      bench({n, &field, error, 0.01, levels, TSR_GRID_CELLS, "interpolation error", 1}, m, threads,
            repetitions, with_cpu);
      for (int kind = TSR_GRID_TREES; kind <= TSR_GRID_PATCHES; ++kind)
        bench({n, &field, range, 0.1, levels, (tsr_grid_output_kind)kind, "value range"}, m,
              threads, repetitions, with_cpu);
    }
    bench({n, &field, error, 0.01, 3, TSR_GRID_CONFORMING, "interpolation error", 0, 0, 1}, m,
          threads, repetitions, with_cpu);
    const int64_t side = 8 * (n - 1) + 1;
    const auto front = front_of(side);
    const std::vector<float> plane = field_of(
        side, 1, threads, [&](int64_t x, int64_t y, int64_t) { return front(x, y, side / 2); });
    bench({side, &plane, error, 0.01, 6, TSR_GRID_POLYGONS, "interpolation error", 0, 1}, m,
          threads, repetitions, with_cpu);
    const int64_t half = 4 * (n - 1) + 1;
    const std::vector<float> cells(plane.begin(), plane.begin() + half * half);
    bench({half, &cells, range, 0.1, 0, TSR_GRID_CELLS, "value range", 0, 1}, m, threads,
          repetitions, with_cpu);
    return 0;
  }
  bench({n, &field, error, 0.01, 3, TSR_GRID_CELLS, "interpolation error"}, m, threads, repetitions,
        with_cpu);
  bench({n, &field, error, 0.01, 3, TSR_GRID_CONFORMING, "interpolation error"}, m, threads,
        repetitions, with_cpu);
  bench({n, &field, range, 0.1, 6, TSR_GRID_CELLS, "value range"}, m, threads, repetitions,
        with_cpu);
  bench({n, &field, range, 0.02, 6, TSR_GRID_CONFORMING, "value range"}, m, threads, repetitions,
        false);
  bench({n, &field, error, 0.01, 6, TSR_GRID_CELLS, "interpolation error"}, m, threads, repetitions,
        false);
  bench({n, &field, gradient, 0.1, 6, TSR_GRID_CELLS, "gradient"}, m, threads, repetitions, false);
  bench({n, &field, deviation, 0.05, 6, TSR_GRID_CELLS, "standard deviation"}, m, threads,
        repetitions, false);
  const std::vector<float> wild = field_of(n, n, threads, waves);
  for (int levels = 3; levels <= 6; levels += 3)
    bench({n, &wild, error, 0.01, levels, TSR_GRID_CELLS, "interpolation error of waves"}, m,
          threads, repetitions, false);
  return 0;
}
