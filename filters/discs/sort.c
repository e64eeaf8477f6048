/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: the order in which discs are drawn, by a stable radix sort, eight bits at a time
 *  from the least ones on. Digits that all keys share are passed over. */
#include "discs/plan.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8, BUCKETS = 256 };

typedef struct sort_item {
  uint64_t key;
  uint32_t point;
} sort_item;

typedef struct sort_keys {
  const tsr_discs_plan *plan;
  sort_item *items;
} sort_keys;

static void make_keys(void *data, int64_t begin, int64_t end) {
  const sort_keys *keys = data;
  for (int64_t i = begin; i < end; ++i) {
    keys->items[i].key = tsr_disc_order_key(&keys->plan->view, &keys->plan->options, i);
    keys->items[i].point = (uint32_t)i;
  }
}

static void sort_items(sort_item *items, sort_item *other, int64_t n, uint32_t *order) {
  static const int bits = 8;
  for (int digit = 0; digit < DIGITS; ++digit) {
    int64_t places[BUCKETS + 1] = {0};
    const int shift = digit * bits;
    for (int64_t i = 0; i < n; ++i)
      ++places[(items[i].key >> shift) & (BUCKETS - 1)];
    if (places[(items[0].key >> shift) & (BUCKETS - 1)] == n)
      continue;
    tsr_scan(places, BUCKETS);
    for (int64_t i = 0; i < n; ++i)
      other[places[(items[i].key >> shift) & (BUCKETS - 1)]++] = items[i];
    sort_item *const swap = items;
    items = other;
    other = swap;
  }
  for (int64_t i = 0; i < n; ++i)
    order[i] = items[i].point;
}

tsr_status tsr_discs_sort(tsr_discs_plan *plan, tsr_error *error) {
  const int64_t n = plan->sizes.discs;
  sort_item *items;
  tsr_status status;
  if (plan->options.order == TSR_DISCS_BY_INDEX || n == 0)
    return TSR_OK;
  plan->order = tsr_alloc(n, sizeof *plan->order, "the order of the discs", error);
  items = tsr_alloc(2 * n, sizeof *items, "the order of the discs", error);
  if (plan->order && items) {
    sort_keys keys = {plan, items};
    tsr_job job = {&plan->base.execution, make_keys, &keys, n, 0.0, 0.1, 0, 0};
    status = tsr_job_run(&job, 65536);
    if (status == TSR_OK)
      sort_items(items, items + n, n, plan->order);
    else
      tsr_fail(error, status, -1, "the user stopped the sorting of the discs");
  } else {
    status = TSR_NO_MEMORY;
  }
  free(items);
  return status;
}
