/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Speed of disc images: the scenes at 1024 x 1024, shortest of several runs, and how many samples
 * are blended a second.
 * Use: bench_discs [threads, 1] [cpu or cuda, cpu] [runs, 3]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "disc_scene.h"
#include "executor.h"

enum { SIDE = 1024 };

static double seconds(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Samples that all discs together cover, near enough: of those that lie within the image whole. */
static double blended(const disc_scene *scene) {
  double sum = 0.0;
  for (int64_t i = 0; i < scene->n; i++) {
    sum += 3.14159265358979 * (double)scene->radii[i] * (double)scene->radii[i];
  }
  return sum * SIDE * SIDE;
}

static void bench(const char *name, const disc_scene *scene, const tsr_discs_options *o,
                  const tsr_execution *execution, int runs, uint8_t *rgba) {
  double plan_best = 1e300, fill_best = 1e300, device_best = 1e300;
  tsr_discs_view view;
  tsr_report report;
  disc_scene_view(scene, &view);
  for (int k = 0; k < runs; k++) {
    tsr_discs_plan *plan;
    tsr_discs_output out;
    tsr_error error;
    double start = seconds();
    tsr_discs_output_init(&out);
    out.rgba = rgba;
    if (tsr_discs_plan_create(&view, o, execution, &plan, &error) != TSR_OK) {
      printf("%s\n", error.text);
      exit(1);
    }
    plan_best = fmin(plan_best, seconds() - start);
    start = seconds();
    if (tsr_discs_fill(plan, &out, &error) != TSR_OK) {
      printf("%s\n", error.text);
      exit(1);
    }
    fill_best = fmin(fill_best, seconds() - start);
    tsr_discs_plan_report(plan, &report);
    device_best = fmin(device_best, report.device_seconds);
    tsr_discs_plan_free(plan);
  }
  printf("%-12s %8lld points %-9s plan %9.3f ms, fill %9.3f ms, kernels %8.3f ms, %7.1f million "
         "samples/s\n",
         name, (long long)scene->n, o->falloff == TSR_DISCS_GAUSSIAN ? "gaussian" : "even",
         1e3 * plan_best, 1e3 * fill_best, 1e3 * device_best,
         1e-6 * blended(scene) / (plan_best + fill_best));
}

int main(int argc, char **argv) {
  executor exec = {.threads = argc > 1 ? atoi(argv[1]) : 1};
  const int runs = argc > 3 ? atoi(argv[3]) : 3;
  tsr_execution execution = executor_execution(&exec);
  uint8_t *rgba = malloc((size_t)SIDE * SIDE * 4);
  if (argc > 2 && strcmp(argv[2], "cuda") == 0) {
    execution.backend = TSR_BACKEND_CUDA;
  }
  for (int k = 0; k < DISC_SCENES && rgba != NULL; k++) {
    tsr_random_discs_options random;
    tsr_discs_options o;
    disc_scene scene;
    disc_scene_options(k, &random);
    disc_scene_make(&random, &scene);
    disc_scene_square(SIDE, &o);
    o.falloff = random.scene == TSR_SCENE_SNOW ? TSR_DISCS_GAUSSIAN : TSR_DISCS_EVEN;
    bench(disc_scene_names[k], &scene, &o, &execution, runs, rgba);
    disc_scene_free(&scene);
  }
  free(rgba);
  return 0;
}
