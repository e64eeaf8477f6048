// SPDX-License-Identifier: BSD-3-Clause
// Grids on a device: what is refused, what a plan leaves behind, and what happens where there is
// too little memory.
extern "C" {
#include "check.h"
#include "outputs.h"
}

#include <cuda_runtime.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace {

// A cube with a sphere in it, as point data.
struct cube {
  std::vector<double> values;
  tsr_grid_criterion criterion;
  tsr_grid_view view;
  tsr_grid_options options;

  explicit cube(int64_t side) : values((size_t)(side * side * side)) {
    for (int64_t k = 0; k < side * side * side; ++k) {
      const double x = (double)(k % side) / (double)side - 0.5,
                   y = (double)(k / side % side) / (double)side - 0.5,
                   z = (double)(k / side / side) / (double)side - 0.5;
      values[(size_t)k] = x * x + y * y + z * z < 0.1 ? 1.0 : 0.0;
    }
    tsr_grid_view_init(&view);
    tsr_grid_options_init(&options);
    tsr_grid_criterion_init(&criterion);
    for (int a = 0; a < 3; ++a)
      view.whole[2 * a + 1] = view.extent[2 * a + 1] = side - 1;
    criterion.measure = TSR_MEASURE_VALUE_RANGE;
    criterion.array = {values.data(), TSR_DOUBLE, 1, side * side * side};
    criterion.threshold = 0.5;
    options.criteria = &criterion;
    options.n_criteria = 1;
    options.coarsen_levels = 4;
  }
  // Status of a plan and its fill, their sentence, their report and the leaves.
  tsr_status run(const tsr_execution &e, std::string *text, tsr_report *report,
                 int64_t *leaves) const {
    tsr_grid_plan *plan;
    tsr_error error = {};
    tsr_status status = tsr_grid_plan_create(&view, &options, &e, &plan, &error);
    if (status == TSR_OK) {
      double largest = -1.0;
      const tsr_grid_attribute attribute = {criterion.array, 0, nullptr, &largest, {}};
      tsr_grid_output output;
      tsr_grid_output_init(&output);
      output.attributes = &attribute;
      output.n_attributes = 1;
      status = tsr_grid_fill(plan, &output, &error);
      CHECK_INT(largest, 0); // every leaf is on one side of the sphere, or an input cell
      tsr_grid_plan_report(plan, report);
      *leaves = tsr_grid_plan_sizes(plan)->leaves;
    }
    *text = error.text;
    tsr_grid_plan_free(plan);
    return status;
  }
};

int64_t free_bytes() {
  size_t free_now = 0, all = 0;
  cudaDeviceSynchronize();
  CHECK(cudaMemGetInfo(&free_now, &all) == cudaSuccess);
  return (int64_t)free_now;
}

// The strategies of curves, one that does not exist, and devices that are not there.
void refusals() {
  cube in(20);
  std::string text;
  tsr_report report;
  int64_t leaves;
  tsr_execution e = execution_cuda();
  for (int strategy = -1; strategy <= TSR_STRATEGY_DEVICE_LAUNCHED + 1; ++strategy) {
    in.options.launch.strategy = (tsr_grid_strategy)strategy;
    const bool good = strategy == TSR_GRID_STRATEGY_AUTO || strategy == TSR_STRATEGY_HOST_WAVES ||
                      strategy == TSR_STRATEGY_DEVICE_LAUNCHED;
    CHECK_INT(in.run(e, &text, &report, &leaves), good ? TSR_OK : TSR_BAD_OPTION);
    if (!good)
      CHECK_SAY(text.find("Host Waves") != std::string::npos, "no sentence: %s", text.c_str());
  }
  in.options.launch.strategy = TSR_GRID_STRATEGY_AUTO;
  e.device = 31;
  CHECK_INT(in.run(e, &text, &report, &leaves), TSR_NO_BACKEND);
  CHECK(text.find("31") != std::string::npos);
  e.backend = TSR_BACKEND_AUTO;
  CHECK_INT(in.run(e, &text, &report, &leaves), TSR_OK);
  CHECK_INT(report.backend, TSR_BACKEND_CPU);
  CHECK(strstr(report.fallback, "31") != nullptr);
}

void memory_does_not_grow() {
  cube in(90);
  std::string text;
  tsr_report report;
  int64_t settled = 0, leaves, first = 0;
  int device = -1;
  for (int run = 0; run < 40; ++run) {
    const tsr_execution e = execution_cuda();
    in.options.launch.strategy = run % 2 ? TSR_STRATEGY_HOST_WAVES : TSR_STRATEGY_DEVICE_LAUNCHED;
    CHECK_INT(in.run(e, &text, &report, &leaves), TSR_OK);
    CHECK(report.device_peak_bytes >= (int64_t)sizeof(double) * 90 * 90 * 90);
    first = run == 0 ? leaves : first;
    CHECK_INT(leaves, first);
    if (run == 5)
      settled = free_bytes();
  }
  CHECK_SAY(free_bytes() >= settled, "free memory fell from %lld to %lld bytes", (long long)settled,
            (long long)free_bytes());
  CHECK(cudaGetDevice(&device) == cudaSuccess && device == 0);
  CHECK(cudaGetLastError() == cudaSuccess);
}

// All of the device's memory but less than a chunk, as another program may have it.
std::vector<void *> take_memory(int64_t chunk) {
  std::vector<void *> taken;
  void *memory;
  for (int64_t bytes = free_bytes() / 2; bytes >= chunk; bytes /= 2)
    while (cudaMalloc(&memory, (size_t)bytes) == cudaSuccess)
      taken.push_back(memory);
  cudaGetLastError();
  return taken;
}

// Where others took the memory, Auto plans on the CPU and says why; CUDA is an error.
void too_little_memory() {
  const cube in(400); // 512 MB
  const int64_t chunk = 64 << 20;
  std::string text;
  tsr_report report;
  int64_t leaves = 0, same = 0;
  tsr_execution e = execution_cuda();
  CHECK_INT(in.run(e, &text, &report, &same), TSR_OK);
  tsr_device_release();
  const std::vector<void *> taken = take_memory(chunk);
  CHECK_INT(in.run(e, &text, &report, &leaves), TSR_NO_MEMORY);
  CHECK_SAY(text.find("memory") != std::string::npos, "no sentence: %s", text.c_str());
  e.backend = TSR_BACKEND_AUTO;
  CHECK_INT(in.run(e, &text, &report, &leaves), TSR_OK);
  CHECK_INT(report.backend, TSR_BACKEND_CPU);
  CHECK(strstr(report.fallback, "memory") != nullptr);
  CHECK_INT(leaves, same);
  for (void *block : taken)
    CHECK(cudaFree(block) == cudaSuccess);
  e.backend = TSR_BACKEND_CUDA; // it works again
  CHECK_INT(in.run(e, &text, &report, &leaves), TSR_OK);
  CHECK_INT(leaves, same);
}

uint64_t generation_now; // 0: not known

uint64_t generation(void *, const void *) { return generation_now; }

// Where the plan is made of what lay on the device, it does not notice that the host's values are
// others by now, unless it is told.
void kept_input() {
  cube in(60);
  std::string text;
  tsr_report report;
  int64_t leaves = 0, sphere = 0, first = 0, second = 0;
  const int owner = 0, other = 0;
  tsr_execution e = execution_cuda();
  e.generation = generation;
  e.owner = &owner;
  const auto run = [&](uint64_t generation_of_values) {
    generation_now = generation_of_values;
    CHECK_INT(in.run(e, &text, &report, &leaves), TSR_OK);
    return leaves;
  };
  const auto set = [&](double value) { in.values.assign(in.values.size(), value); };
  const std::vector<double> ball = in.values;
  CHECK((sphere = run(1)) > 8 * 64);
  set(0.0);
  CHECK_INT(run(1), sphere); // the values that lie there
  first = run(2);            // the new ones: nothing to refine
  CHECK_INT(first, 4 * 4 * 4);
  in.values = ball;
  CHECK_INT(run(2), first);
  CHECK_INT(run(0), sphere); // not known, so nothing is kept or taken
  tsr_device_forget(&other);
  CHECK_INT(run(2), first);
  tsr_device_forget(&owner);
  CHECK_INT(run(2), sphere);

  e.owner = &other; // another owner finds it there, and keeps it
  set(0.0);
  CHECK_INT(run(2), sphere);
  tsr_device_forget(&owner);
  CHECK_INT(run(2), sphere);
  e.owner = &owner;
  in.options.keep_bytes = 8 * 60 * 60 * 60 - 1; // too little for the array
  CHECK_INT(run(2), first);
  in.options.keep_bytes += 1;
  e.owner = &other;
  CHECK_INT(run(2), sphere);

  cube small(30); // there is room for one of the two: what was used last stays
  small.options.keep_bytes = in.options.keep_bytes;
  CHECK_INT(small.run(e, &text, &report, &second), TSR_OK);
  CHECK_INT(run(2), first);
  tsr_device_release();
  in.values = ball;
  CHECK_INT(run(2), sphere);
  tsr_device_forget(&other);
}

// What is kept gives way where a plan finds no memory.
void kept_input_gives_way() {
  const cube in(400), next(380); // 512 MB, and 439, as some of the former's memory goes elsewhere
  const int64_t chunk = 64 << 20;
  std::string text;
  tsr_report report;
  int64_t leaves = 0, same = 0;
  tsr_execution e = execution_cuda();
  CHECK_INT(next.run(e, &text, &report, &same), TSR_OK);
  tsr_device_release();
  generation_now = 1;
  e.generation = generation;
  e.owner = &in;
  CHECK_INT(in.run(e, &text, &report, &leaves), TSR_OK);
  const std::vector<void *> taken = take_memory(chunk);
  const tsr_status status = next.run(e, &text, &report, &leaves);
  CHECK_SAY(status == TSR_OK, "%s", text.c_str());
  CHECK_INT(leaves, same);
  for (void *block : taken)
    CHECK(cudaFree(block) == cudaSuccess);
  tsr_device_forget(&in);
  tsr_device_release();
}

} // namespace

int main() {
  const int missing = gpu_missing();
  if (missing)
    return missing;
  refusals();
  memory_does_not_grow();
  too_little_memory();
  kept_input();
  kept_input_gives_way();
  return check_result();
}
