/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: the order in which discs are drawn. */
#include "common/sort.h"
#include "discs/plan.h"

#include <stdlib.h>

enum { GRAIN = 65536 };

typedef struct sort_work {
  const tsr_discs_plan *plan;
  tsr_pair *pairs;
} sort_work;

static void make_keys(void *data, int64_t begin, int64_t end) {
  const sort_work *work = data;
  for (int64_t i = begin; i < end; ++i) {
    work->pairs[i].key = tsr_disc_order_key(&work->plan->view, &work->plan->options, i);
    work->pairs[i].value = i;
  }
}

static void take_order(void *data, int64_t begin, int64_t end) {
  const sort_work *work = data;
  for (int64_t i = begin; i < end; ++i)
    work->plan->order[i] = (uint32_t)work->pairs[i].value;
}

static tsr_status sort_pairs(tsr_discs_plan *plan, tsr_pair *pairs, int64_t n, tsr_error *error) {
  const tsr_execution *execution = &plan->base.execution;
  sort_work work = {plan, pairs};
  tsr_sort sort = {execution, pairs, pairs + n, n, 2, 0, 0, 0.02, 0.09};
  tsr_job keys = {execution, make_keys, &work, n, 0.0, 0.02, 0, 0};
  tsr_job order = {execution, take_order, &work, n, 0.09, 0.1, 0, 0};
  tsr_status status = tsr_job_run(&keys, GRAIN);
  if (status == TSR_OK)
    status = tsr_sort_run(&sort, error);
  work.pairs = sort.items;
  return status == TSR_OK ? tsr_job_run(&order, GRAIN) : status;
}

tsr_status tsr_discs_sort(tsr_discs_plan *plan, tsr_error *error) {
  const int64_t n = plan->sizes.discs;
  tsr_pair *pairs;
  tsr_status status = TSR_NO_MEMORY;
  if (plan->options.order == TSR_DISCS_BY_INDEX || n == 0)
    return TSR_OK;
  plan->order = tsr_alloc(n, sizeof *plan->order, "the order of the discs", error);
  pairs = tsr_alloc(2 * n, sizeof *pairs, "the order of the discs", error);
  if (plan->order && pairs)
    status = sort_pairs(plan, pairs, n, error);
  free(pairs);
  return status;
}
