/* SPDX-License-Identifier: BSD-3-Clause */
/** The n-th CUDA call of a device report fails, for every n: either nothing of the report differs
 *  from a good one, or a sentence quotes CUDA; nothing stays behind, and the next report is good.
 */
#include "check.h"
#include "cuda_calls.h"
#include "views.h"

#include <string.h>

enum { MOST_CALLS = 5000 };

static tsr_devices devices;

static void make_report(int64_t fail_at) {
  cuda_calls_start(fail_at);
  tsr_device_report(&devices);
  tsr_device_measure(&devices);
}

/** Whether the first device is as a device that works. */
static int is_good(void) {
  const tsr_device *it = &devices.device[0];
  return devices.count > 0 && it->usable && it->launches && !it->problem[0] &&
         it->saxpy_rate > 0.0 && it->copy_rate > 0.0 && it->pinned_upload > 0.0 &&
         it->pinned_download > 0.0 && it->paged_upload > 0.0 && it->paged_download > 0.0 &&
         it->launch_rate > 0.0 && it->deepest_nesting > 0 && it->diverge_expected > 0 &&
         it->diverge_got == it->diverge_expected;
}

/** Calls that only describe a device leave out what they would have said. */
static int only_describes(const char *name) {
  return strcmp(name, "cudaDeviceGetLimit") == 0 || strcmp(name, "cudaMemGetInfo") == 0 ||
         strcmp(name, "cudaGetDeviceProperties") == 0 ||
         strcmp(name, "cudaDriverGetVersion") == 0 || strcmp(name, "cudaRuntimeGetVersion") == 0 ||
         strcmp(name, "cudaFuncSetAttribute") == 0 ||
         strcmp(name, "cudaOccupancyMaxPotentialClusterSize") == 0;
}

/** Calls that give back what is not needed any more: what they say comes too late. */
static int gives_back(const char *name) {
  return strcmp(name, "cudaFree") == 0 || strcmp(name, "cudaFreeHost") == 0 ||
         strcmp(name, "cudaStreamDestroy") == 0 || strcmp(name, "cudaEventDestroy") == 0 ||
         strcmp(name, "cudaSetDevice") == 0 || strcmp(name, "cudaStreamSynchronize") == 0;
}

int main(void) {
  const int missing = gpu_missing();
  if (missing)
    return missing;
  make_report(0);
  CHECK(is_good());
  const int64_t live = cuda_calls_live();
  make_report(0);
  const int64_t calls = cuda_calls_stop();
  CHECK_SAY(calls > 50 && calls < MOST_CALLS, "%lld calls", (long long)calls);
  const size_t problem_size = sizeof devices.device[0].problem;
  for (int64_t n = 1; n <= calls; n++) {
    make_report(n);
    const char *name = cuda_calls_failed();
    const tsr_device *it = &devices.device[0];
    CHECK_INT(cuda_calls_stop() > 0, 1);
    CHECK(memchr(it->problem, 0, problem_size) != NULL);
    CHECK_SAY(is_good() || strstr(it->problem, "cudaError") || strstr(it->problem, "CUDA") ||
                  (name && only_describes(name)),
              "call %lld (%s) failed, and nothing says so", (long long)n, name ? name : "none");
    CHECK_SAY(!is_good() || !name || only_describes(name) || gives_back(name) || devices.count > 1,
              "call %lld (%s) failed without a trace", (long long)n, name ? name : "none");
    CHECK_SAY(cuda_calls_live() == live, "call %lld (%s) failed: %lld things stay behind",
              (long long)n, name ? name : "none", (long long)(cuda_calls_live() - live));
    if (n % 16 == 0) {
      make_report(0);
      CHECK_SAY(is_good(), "after call %lld (%s) failed: %s", (long long)n, name ? name : "none",
                it->problem);
    }
  }
  printf("%lld calls, each failed once\n", (long long)calls);
  return check_result();
}
