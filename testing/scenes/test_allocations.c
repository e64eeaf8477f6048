/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The n-th allocation of the core gets no memory, for every n, in every room, output kind and
 * sampling: a sentence or the right bytes, nothing stays behind, a fill that is called again gives
 * the right bytes, and so does the next plan.
 * Argument: what the scenes' names contain (all of them).
 */
#include "allocations.h"
#include "check.h"
#include "outputs.h"
#include "scene.h"

#include <string.h>

typedef struct failing {
  const char *only;
  tsr_execution execution;
} failing;

/** A run in which allocation n fails. */
static void attempt(const failing *how, const scene *it, const scene_result *right, int64_t n) {
  const int64_t live = allocations_live();
  allocations_start(n);
  const scene_result got = scene_run(it, &how->execution);
  allocations_stop();
  if (got.status == TSR_OK) {
    CHECK_SAY(got.bytes == right->bytes, "%s: other bytes without allocation %lld", it->name,
              (long long)n);
  } else {
    CHECK_SAY(got.status == TSR_NO_MEMORY && got.error.status == TSR_NO_MEMORY &&
                  strlen(got.error.text) > 10,
              "%s: status %d (%d) without allocation %lld: %s", it->name, (int)got.status,
              (int)got.error.status, (long long)n, got.error.text);
  }
  CHECK_SAY(allocations_live() == live, "%s: %lld allocations stay behind without number %lld",
            it->name, (long long)(allocations_live() - live), (long long)n);
}

/** Each allocation of a scene fails. */
static void fail_all(void *data, const scene *it) {
  const failing *how = data;
  if (how->only && !strstr(it->name, how->only)) {
    return;
  }
  const int64_t live = allocations_live();
  allocations_start(0);
  const scene_result right = scene_run(it, &how->execution);
  const int64_t calls = allocations_stop();
  CHECK_SAY(right.status == TSR_OK, "%s: status %d: %s", it->name, (int)right.status,
            right.error.text);
  CHECK_SAY(allocations_live() == live, "%s: %lld allocations stay behind", it->name,
            (long long)(allocations_live() - live));
  for (int64_t n = 1; n <= calls; n++) {
    attempt(how, it, &right, n);
  }
  const scene_result after = scene_run(it, &how->execution);
  CHECK_SAY(after.status == TSR_OK && after.bytes == right.bytes, "%s: other bytes afterwards",
            it->name);
  printf("%s: %lld allocations\n", it->name, (long long)calls);
}

int main(int argc, char **argv) {
  failing how = {.only = argc > 1 ? argv[1] : NULL};
  scene_visit visit = {
      .look = fail_all, .data = &how, .curves = 12, .cells = 700, .side = 7, .points = 300};
  for (visit.fill_again = 0; visit.fill_again < 2; visit.fill_again++) {
    tsr_execution_init(&how.execution);
    if (visit.fill_again) { /* by several threads */
      how.execution = execution_cpu();
    }
    how.execution.backend = TSR_BACKEND_CPU;
    scenes_of_cells(&visit);
    scenes_of_curves(&visit);
    scenes_of_grids(&visit);
    scenes_of_meshes(&visit);
    scenes_of_points(&visit);
    scenes_of_orders(&visit);
    scenes_of_discs(&visit);
    scenes_of_jets(&visit);
  }
  return check_result();
}
