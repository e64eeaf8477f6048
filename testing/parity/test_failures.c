/* SPDX-License-Identifier: BSD-3-Clause */
/** The n-th CUDA call of a run fails, for every n: Backend CUDA gives a sentence that quotes CUDA
 * or the right bytes, Auto the right bytes, and nothing stays behind. Where a run makes too many
 *  calls for that, every k-th fails. Searches, estimates and time steps are among the scenes.
 *  Arguments: "small", for devices that are slow; what the scenes' names contain (all of them).
 */
#include "check.h"
#include "cuda_calls.h"
#include "outputs.h"
#include "scene.h"

#include <math.h>
#include <string.h>

enum { LEAST_FAILURES = 4 };          /* of a scene, however slow it is */
static double seconds_in_all = 240.0; /* as far as it can be known before */
static double started;
static int scenes, scenes_before;

static int quotes_cuda(const char *text) {
  return strstr(text, "CUDA") != NULL || strstr(text, "cudaError") != NULL;
}

/** One run in which call n fails (0: none); 1 if so many calls were made. */
static int attempt(const scene *it, const tsr_execution *e, const scene_result *cpu, int64_t n) {
  cuda_calls_start(n);
  const scene_result got = scene_run(it, e);
  cuda_calls_stop();
  const char *const name = cuda_calls_failed();
  const char *const what = name ? name : "nothing";
  const int by_cpu = got.report.backend == TSR_BACKEND_CPU;
  if (got.status == TSR_OK) {
    CHECK_SAY(!(n > 0 && name && by_cpu) || quotes_cuda(got.report.fallback),
              "%s, backend %d, call %lld (%s) failed: the report says '%s'", it->name,
              (int)e->backend, (long long)n, what, got.report.fallback);
    CHECK_SAY(got.bytes == cpu->bytes, "%s, backend %d, call %lld (%s) failed: other bytes",
              it->name, (int)e->backend, (long long)n, what);
  } else {
    const char *const text = got.error.text;
    CHECK_SAY(name && e->backend == TSR_BACKEND_CUDA && quotes_cuda(text),
              "%s, backend %d, call %lld (%s) failed: status %d: %s", it->name, (int)e->backend,
              (long long)n, what, (int)got.status, text);
  }
  return name != NULL;
}

static const char *only; /* of the scenarios' names; NULL: all */

/** After call n failed nothing stays behind but lanes, of which there are more where two processes
 *  met for the first time: those go with the device. */
static void check_live(const scene *it, int64_t n, int64_t *live) {
  const char *const name = cuda_calls_failed();
  if (cuda_calls_live() != *live) {
    tsr_device_release();
    CHECK_SAY(cuda_calls_live() <= 1, "%s: call %lld (%s) failed: %lld things stay behind",
              it->name, (long long)n, name ? name : "none", (long long)cuda_calls_live());
    const tsr_execution cuda = execution_cuda();
    scene_run(it, &cuda);
    *live = cuda_calls_live();
  }
}

/** Every k-th call of a scene fails, by both backends. */
static void fail_all(void *data, const scene *it) {
  const tsr_execution cuda = execution_cuda(), on_cpu = execution_cpu();
  tsr_execution either = cuda;
  (void)data;
  if (only && !strstr(it->name, only)) {
    return;
  }
  const scene_result cpu = scene_run(it, &on_cpu);
  CHECK_SAY(cpu.status == TSR_OK, "%s: %s", it->name, cpu.error.text);
  either.backend = TSR_BACKEND_AUTO;
  const int by_auto = scene_run(it, &either).report.backend == TSR_BACKEND_CUDA;
  attempt(it, &cuda, &cpu, 0);
  int64_t live = cuda_calls_live();
  const double start = cuda.clock();
  attempt(it, &cuda, &cpu, 0);
  const double run_seconds = cuda.clock() - start;
  cuda_calls_start(0);
  attempt(it, &cuda, &cpu, 0);
  const int64_t calls = cuda_calls_stop();
  const int left = scenes - scenes_before++;
  const double share = fmax(1.0, seconds_in_all - (cuda.clock() - started)) / fmax(1.0, left);
  const double wished = (double)calls * 4.0 * run_seconds / share;
  const int64_t most = calls / LEAST_FAILURES > 1 ? calls / LEAST_FAILURES : 1;
  const int64_t step = wished < (double)most ? (int64_t)wished + 1 : most;
  for (int64_t n = 1 + step / 2; n <= calls; n += step) {
    attempt(it, &cuda, &cpu, n);
    check_live(it, n, &live);
    attempt(it, &either, &cpu, n);
    check_live(it, n, &live);
    attempt(it, &cuda, &cpu, 0);
  }
  printf("%s: %lld calls, every %lld. failed, %.4f s a run, Auto takes %s\n", it->name,
         (long long)calls, (long long)step, run_seconds, by_auto ? "the device" : "the CPU");
}

/** Fails the calls that start a device and make the lanes, too; they happen once a process.
 * Afterwards only the device's pool of memory is kept. The first grid does it, since CUB, which
 * curves need, also asks for the device once a process, and never again where that failed. */
static void fail_first_start(void *data, const scene *it) {
  const tsr_execution cuda = execution_cuda(), on_cpu = execution_cpu();
  int *done = data;
  int64_t n = 1;
  if ((*done)++ > 0) {
    return;
  }
  const scene_result cpu = scene_run(it, &on_cpu);
  while (n < 2000 && attempt(it, &cuda, &cpu, n)) {
    const char *const name = cuda_calls_failed();
    tsr_device_release();
    CHECK_SAY(cuda_calls_live() <= 1, "first start: call %lld (%s) failed: %lld things stay behind",
              (long long)n, name, (long long)cuda_calls_live());
    n++;
  }
  printf("first start: %lld calls\n", (long long)n - 1);
}

static void count(void *data, const scene *it) {
  (void)data;
  scenes += !only || strstr(it->name, only) != NULL;
}

static void visit_all(scene_visit visit, void (*look)(void *data, const scene *it)) {
  visit.look = look;
  scenes_of_curves(&visit);
  scenes_of_grids(&visit);
  scenes_of_meshes(&visit);
  scenes_of_cells(&visit);
  scenes_of_points(&visit);
  scenes_of_orders(&visit);
  scenes_of_discs(&visit);
}

int main(int argc, char **argv) {
  const int small = argc > 1 && strcmp(argv[1], "small") == 0; /* for devices that are slow */
  scene_visit visit = {.curves = 24, .cells = 1500, .side = 40, .points = 20000, .devices = 1};
  int grids = 0;
  only = argc > 1 + small ? argv[1 + small] : NULL;
  if (tsr_devices_present() <= 0) {
    return gpu_missing();
  }
  if (small) {
    visit.cells = 60;
    visit.side = 6;
    visit.points = 12500; /* Auto takes the CPU for fewer */
    seconds_in_all = 30.0;
  }
  started = execution_cuda().clock();
  visit.look = fail_first_start; /* before anything else has started the device */
  visit.data = &grids;
  scenes_of_grids(&visit);
  const int missing = gpu_missing();
  if (missing) {
    return missing;
  }
  visit_all(visit, count);
  visit_all(visit, fail_all);
  return check_result();
}
