// SPDX-License-Identifier: BSD-3-Clause
// Disc images on the device: the scenes beside the CPU, and what the policies of the backend
// stand on: looking through all discs against sorting them into tiles, and how many tiles a disc
// must touch for a child grid of its own to pay. By the device's clock; medians.
// Use: bench_discs_cuda [scenes|few|small|large]
#include "bench_device.cuh"

extern "C" {
#include "disc_scene.h"
}

namespace {

struct times {
  double device, all;
};

tsr_discs_options options_of(const tsr_random_discs_options &random, int side) {
  tsr_discs_options o;
  disc_scene_square(side, &o);
  o.falloff = random.scene == TSR_SCENE_SNOW ? TSR_DISCS_GAUSSIAN : TSR_DISCS_EVEN;
  return o;
}

times run(const disc_scene &scene, const tsr_discs_options &o, tsr_backend_id backend, int runs) {
  static executor exec;
  const tsr_execution execution = bench_execution(&exec, backend, bench_threads());
  std::vector<double> device, all;
  std::vector<uint8_t> rgba((size_t)o.width * (size_t)o.height * 4);
  tsr_discs_view view;
  disc_scene_view(&scene, &view);
  for (int k = 0; k <= runs; k++) {
    tsr_discs_plan *plan;
    tsr_discs_output out;
    tsr_error error;
    tsr_report report;
    const double start = now();
    tsr_discs_output_init(&out);
    out.rgba = rgba.data();
    succeed(tsr_discs_plan_create(&view, &o, &execution, &plan, &error), error);
    succeed(tsr_discs_fill(plan, &out, &error), error);
    tsr_discs_plan_report(plan, &report);
    tsr_discs_plan_free(plan);
    if (k > 0) {
      device.push_back(report.device_seconds);
      all.push_back(now() - start);
    }
  }
  return {median(device), median(all)};
}

void bench_scenes() {
  for (int k = 0; k < DISC_SCENES; k++) {
    tsr_random_discs_options random;
    disc_scene scene;
    disc_scene_options(k, &random);
    disc_scene_make(&random, &scene);
    const tsr_discs_options o = options_of(random, 1024);
    const times cuda = run(scene, o, TSR_BACKEND_CUDA, 9), cpu = run(scene, o, TSR_BACKEND_CPU, 2);
    printf("%-12s %8lld discs: kernels %7.3f ms; whole %8.3f ms, on the CPU with %d "
           "threads %8.3f ms\n",
           disc_scene_names[k], (long long)scene.n, 1e3 * cuda.device, 1e3 * cuda.all,
           bench_threads(), 1e3 * cpu.all);
    disc_scene_free(&scene);
  }
}

// Auto looks through all discs up to a number of them; Flat always sorts them into tiles.
void bench_few() {
  static const int64_t counts[] = {300, 1000, 3000, 5000, 10000, 20000, 40000};
  static const double radii[] = {0.001, 0.01, 0.05};
  static const int sides[] = {512, 1024, 4096};
  printf("kernels in ms, looking through all discs / sorting them into tiles\n");
  for (const int side : sides) {
    for (const double radius : radii) {
      printf("  %4d pixels a side, radius %5.3f:", side, radius);
      for (const int64_t count : counts) {
        tsr_random_discs_options random;
        disc_scene scene;
        disc_scene_options(1, &random);
        random.count = count;
        random.smallest = 0.5 * radius;
        random.largest = 1.5 * radius;
        disc_scene_make(&random, &scene);
        tsr_discs_options o = options_of(random, side);
        const double few = run(scene, o, TSR_BACKEND_CUDA, 5).device;
        o.launch.strategy = TSR_DISCS_FLAT;
        const double many = run(scene, o, TSR_BACKEND_CUDA, 5).device;
        printf(" %lld: %.3f/%.3f", (long long)count, 1e3 * few, 1e3 * many);
        disc_scene_free(&scene);
      }
      printf("\n");
    }
  }
}

// Images so small that the CPU may be done before a device has answered.
void bench_small() {
  printf("whole calls in ms, CUDA / CPU on %d threads\n", bench_threads());
  for (const int64_t count : {10, 100, 1000, 10000}) {
    printf("  %5lld discs:", (long long)count);
    for (const int side : {16, 32, 64, 128, 256, 512}) {
      tsr_random_discs_options random;
      disc_scene scene;
      disc_scene_options(1, &random);
      random.count = count;
      disc_scene_make(&random, &scene);
      const tsr_discs_options o = options_of(random, side);
      printf(" %d: %.3f/%.3f", side, 1e3 * run(scene, o, TSR_BACKEND_CUDA, 9).all,
             1e3 * run(scene, o, TSR_BACKEND_CPU, 9).all);
      disc_scene_free(&scene);
    }
    printf("\n");
  }
}

void bench_large() {
  static const int64_t thresholds[] = {4, 16, 64, 256, 1024, 4096};
  for (const int side : {1024, 8192}) {
    for (const int k : {2, 5, 6}) {
      tsr_random_discs_options random;
      disc_scene scene;
      disc_scene_options(k, &random);
      disc_scene_make(&random, &scene);
      tsr_discs_options o = options_of(random, side);
      o.launch.strategy = TSR_DISCS_FLAT;
      const double flat = run(scene, o, TSR_BACKEND_CUDA, 3).device;
      printf("%-10s at %d pixels a side: Flat %.3f ms; Aggregated Grids from so many tiles on:",
             disc_scene_names[k], side, 1e3 * flat);
      o.launch.strategy = TSR_DISCS_AGGREGATED_CHILDREN;
      for (const int64_t threshold : thresholds) {
        o.launch.launch_threshold = threshold;
        printf(" %lld: %.3f", (long long)threshold,
               1e3 * run(scene, o, TSR_BACKEND_CUDA, 3).device);
      }
      printf("\n");
      disc_scene_free(&scene);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  const char *part = argc > 1 ? argv[1] : "";
  leave_without_device();
  if (part[0] == '\0' || strcmp(part, "scenes") == 0) {
    bench_scenes();
  }
  if (part[0] == '\0' || strcmp(part, "few") == 0) {
    bench_few();
  }
  if (part[0] == '\0' || strcmp(part, "small") == 0) {
    bench_small();
  }
  if (part[0] == '\0' || strcmp(part, "large") == 0) {
    bench_large();
  }
  return 0;
}
