/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: what several processes agree on. */
#include "grid/partition/partition.h"

#include <stdlib.h>
#include <string.h>

tsr_processes tsr_grid_processes(const tsr_grid_options *options) {
  tsr_processes processes = {1, 0, options->gather, NULL, options->gather_context};
  if (options->gather) {
    processes.n = options->n_ranks;
    processes.rank = options->rank;
  }
  return processes;
}

tsr_status tsr_grid_sum(const tsr_grid_options *options, int64_t *value, tsr_error *error) {
  const tsr_processes processes = tsr_grid_processes(options);
  return tsr_processes_sum(&processes, value, 1, error);
}

tsr_status tsr_grid_agree(const tsr_grid_options *options, tsr_status status, tsr_error *error) {
  const tsr_processes processes = tsr_grid_processes(options);
  return tsr_processes_agree(&processes, status, error);
}

/* What a process says of its failure. */
typedef struct tsr_failure {
  int32_t gave_up;
  int32_t failed; /* otherwise, and not since another process did */
  char why[500];
} tsr_failure;

int tsr_grid_agree_again(const tsr_grid_options *options, int gave_up, tsr_status status,
                         char why[500]) {
  const tsr_processes processes = tsr_grid_processes(options);
  tsr_failure mine = {gave_up, !gave_up && status != TSR_ABORTED, {0}};
  tsr_failure *all = tsr_alloc(processes.n, sizeof *all, "a message", NULL);
  const int has_own = why[0] != '\0';
  int again = 0;
  memcpy(mine.why, why, sizeof mine.why);
  if (all && tsr_processes_gather(&processes, &mine, sizeof mine, all, NULL) == TSR_OK) {
    int failed = 0;
    for (int k = processes.n - 1; k >= 0; --k) {
      failed = failed || all[k].failed;
      again = again || all[k].gave_up;
      if (all[k].gave_up && !has_own)
        memcpy(why, all[k].why, sizeof mine.why);
    }
    again = again && !failed;
  }
  free(all);
  return again;
}

tsr_status tsr_grid_agree_range(const tsr_grid_options *options, double range[2],
                                tsr_error *error) {
  const tsr_processes processes = tsr_grid_processes(options);
  double turned[2] = {-range[0], range[1]}; /* the maximum joins two ranges */
  const tsr_status status = tsr_processes_max(&processes, turned, 2, error);
  range[0] = -turned[0];
  range[1] = turned[1];
  return status;
}
