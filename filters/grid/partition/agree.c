/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: what several processes agree on. */
#include "grid/partition/partition.h"

#include <stdlib.h>

tsr_status tsr_grid_gather_equal(const tsr_grid_options *o, const void *mine, int64_t bytes,
                                 void *all, tsr_error *error) {
  int64_t *sizes = tsr_alloc(o->n_ranks, sizeof *sizes, "the sizes of processes", error);
  int failed;
  if (!sizes)
    return TSR_NO_MEMORY;
  for (int k = 0; k < o->n_ranks; ++k)
    sizes[k] = bytes;
  failed = o->gather(o->gather_context, mine, bytes, all, sizes);
  free(sizes);
  if (failed)
    return tsr_fail(error, TSR_ABORTED, -1, "the processes could not exchange data");
  return TSR_OK;
}

tsr_status tsr_grid_sum(const tsr_grid_options *options, int64_t *value, tsr_error *error) {
  int64_t *all, sum = 0;
  tsr_status status;
  if (!options->gather)
    return TSR_OK;
  all = tsr_alloc(options->n_ranks, sizeof *all, "the numbers of processes", error);
  if (!all)
    return TSR_NO_MEMORY;
  status = tsr_grid_gather_equal(options, value, sizeof *value, all, error);
  for (int k = 0; status == TSR_OK && k < options->n_ranks; ++k)
    sum += all[k];
  *value = sum;
  free(all);
  return status;
}

tsr_status tsr_grid_agree(const tsr_grid_options *options, tsr_status status, tsr_error *error) {
  int64_t failures = status != TSR_OK;
  tsr_error own;
  const tsr_status sum = tsr_grid_sum(options, &failures, &own);
  if (status != TSR_OK)
    return status;
  if (sum != TSR_OK)
    return tsr_fail(error, sum, -1, "%s", own.text);
  if (failures > 0)
    return tsr_fail(error, TSR_ABORTED, -1, "another process could not make its part of the grid");
  return TSR_OK;
}

tsr_status tsr_grid_agree_range(const tsr_grid_options *options, double range[2],
                                tsr_error *error) {
  double *all;
  tsr_status status;
  if (!options->gather)
    return TSR_OK;
  all = tsr_alloc(2 * (int64_t)options->n_ranks, sizeof *all, "the ranges of processes", error);
  if (!all)
    return TSR_NO_MEMORY;
  status = tsr_grid_gather_equal(options, range, 2 * sizeof *range, all, error);
  for (int k = 0; status == TSR_OK && k < options->n_ranks; ++k) {
    range[0] = all[2 * k] < range[0] ? all[2 * k] : range[0];
    range[1] = all[2 * k + 1] > range[1] ? all[2 * k + 1] : range[1];
  }
  free(all);
  return status;
}
