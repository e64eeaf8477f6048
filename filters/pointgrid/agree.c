/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids of several processes: what they tell each other. */
#include "pointgrid/plan.h"

#include <stdlib.h>
#include <string.h>

static tsr_status message_failed(tsr_error *error) {
  return tsr_fail(error, TSR_ABORTED, -1, "a message between the processes failed");
}

tsr_status tsr_pointgrid_gather(const tsr_pointgrid_plan *plan, const void *mine, int64_t bytes,
                                void *all, tsr_error *error) {
  const tsr_pointgrid_options *o = &plan->options;
  int64_t *sizes;
  int failed;
  if (!o->gather) {
    memcpy(all, mine, (size_t)bytes);
    return TSR_OK;
  }
  /* So little memory is always there; without it the others would wait. */
  sizes = tsr_alloc(o->n_ranks, sizeof *sizes, "a message", error);
  if (!sizes)
    return TSR_NO_MEMORY;
  for (int rank = 0; rank < o->n_ranks; ++rank)
    sizes[rank] = bytes;
  failed = o->gather(o->context, mine, bytes, all, sizes);
  free(sizes);
  return failed ? message_failed(error) : TSR_OK;
}

tsr_status tsr_pointgrid_agree(const tsr_pointgrid_plan *plan, tsr_status mine, tsr_error *error) {
  const tsr_pointgrid_options *o = &plan->options;
  const int32_t one = (int32_t)mine;
  int32_t *all;
  tsr_status status;
  if (!o->gather)
    return mine;
  all = tsr_alloc(o->n_ranks, sizeof *all, "a message", mine == TSR_OK ? error : NULL);
  if (!all)
    return TSR_NO_MEMORY;
  status = tsr_pointgrid_gather(plan, &one, sizeof one, all, mine == TSR_OK ? error : NULL);
  for (int rank = 0; rank < o->n_ranks && status == TSR_OK; ++rank)
    if (all[rank] != TSR_OK && mine == TSR_OK)
      status = tsr_fail(error, TSR_ABORTED, -1, "process %d failed", rank);
  free(all);
  return mine != TSR_OK ? mine : status;
}

tsr_status tsr_pointgrid_gather_all(const tsr_pointgrid_plan *plan, const void *mine, int64_t bytes,
                                    void **all, int64_t *total, tsr_error *error) {
  const tsr_pointgrid_options *o = &plan->options;
  int64_t *sizes = tsr_alloc(o->n_ranks, sizeof *sizes, "a message", error);
  tsr_status status = sizes ? TSR_OK : TSR_NO_MEMORY;
  *all = NULL;
  *total = 0;
  if (status == TSR_OK)
    status = tsr_pointgrid_gather(plan, &bytes, sizeof bytes, sizes, error);
  for (int rank = 0; status == TSR_OK && rank < o->n_ranks; ++rank)
    *total += sizes[rank];
  if (status == TSR_OK) {
    *all = tsr_alloc(*total, 1, "what the processes tell each other", error);
    status = tsr_pointgrid_agree(plan, *all ? TSR_OK : TSR_NO_MEMORY, error);
  }
  if (status == TSR_OK && o->gather && o->gather(o->context, mine, bytes, *all, sizes))
    status = message_failed(error);
  else if (status == TSR_OK && !o->gather && bytes > 0)
    memcpy(*all, mine, (size_t)bytes);
  free(sizes);
  return status;
}
