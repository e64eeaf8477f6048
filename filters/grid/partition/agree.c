/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: what several processes agree on. */
#include "common/run/plan.h"
#include "grid/partition/partition.h"

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

int tsr_grid_agree_again(const tsr_grid_options *options, int gave_up, tsr_status status,
                         char why[500]) {
  const tsr_processes processes = tsr_grid_processes(options);
  return tsr_processes_fall_back(&processes, gave_up, status, why);
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
