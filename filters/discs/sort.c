/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: the order in which discs are drawn. */
#include "discs/plan.h"

tsr_status tsr_discs_sort(tsr_discs_plan *plan, tsr_error *error) {
  const char *what = "the order of the discs";
  const int64_t n = plan->sizes.discs;
  tsr_executor *e = &plan->executor;
  tsr_disc_list *s = &plan->list;
  tsr_status status;
  if (plan->options.order == TSR_DISCS_BY_INDEX || n == 0)
    return TSR_OK;
  e->done_first = 0.0;
  e->done_last = 0.02;
  status = e->alloc_pairs(e, &s->pairs, n, what, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_disc_make_pair, *s, n, error);
  e->done_first = 0.02;
  e->done_last = 0.09;
  if (status == TSR_OK)
    status = e->sort(e, &s->pairs, 64, error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&s->order, n, sizeof *s->order, what, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_disc_take_point, *s, n, error);
  e->free_pairs(e, &s->pairs);
  return status;
}
