/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: discs in samples, in the order in which they are drawn, and their tiles. */
#include "discs/plan.h"

#include <stdlib.h>
#include <string.h>

tsr_status tsr_discs_project(tsr_discs_plan *plan, tsr_error *error) {
  const int64_t n = plan->sizes.discs;
  tsr_discs_sizes *sizes = &plan->sizes;
  tsr_executor *e = &plan->executor;
  tsr_disc_list *s = &plan->list;
  tsr_disc_sums sums;
  e->done_first = 0.1;
  e->done_last = 0.3;
  tsr_status status = e->alloc(e, (void **)&s->discs, n, sizeof *s->discs, "the discs", error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&s->boxes, n, sizeof *s->boxes, "the boxes of the discs", error);
  if (status == TSR_OK)
    status = TSR_REDUCE(e, tsr_disc_project, *s, n, &sums, error);
  if (status != TSR_OK)
    return status;
  sizes->inside = sums.inside;
  sizes->outside = sums.outside;
  memcpy(sizes->notes, sums.notes, sizeof sums.notes);
  for (int k = 0; k < TSR_DISCS_NOTES; ++k)
    if (sums.notes[k].count == 0)
      sizes->notes[k].first = -1;
  return TSR_OK;
}

typedef struct row_sums {
  const tsr_discs_plan *plan;
  _Atomic int64_t *rows;
} row_sums;

static void count_range(void *data, int64_t begin, int64_t end) {
  const row_sums *sums = data;
  for (int64_t rank = begin; rank < end; ++rank) {
    const int32_t *box = sums->plan->list.boxes[rank];
    const int64_t last = box[3] < 0 ? -1 : box[3] / TSR_DISCS_TILE_Y;
    for (int64_t row = box[2] / TSR_DISCS_TILE_Y; row <= last; ++row)
      atomic_fetch_add_explicit(&sums->rows[row],
                                tsr_discs_row_parts(sums->plan, (uint32_t)rank, row),
                                memory_order_relaxed);
  }
}

tsr_status tsr_discs_count_rows(tsr_discs_plan *plan, tsr_error *error) {
  const int64_t n = plan->tiles[1];
  row_sums sums = {plan, tsr_alloc(n, sizeof *sums.rows, "the rows of tiles", error)};
  tsr_status status = TSR_NO_MEMORY;
  plan->rows = tsr_alloc(n, sizeof *plan->rows, "the rows of tiles", error);
  if (plan->rows && sums.rows) {
    for (int64_t row = 0; row < n; ++row)
      atomic_init(&sums.rows[row], 0);
    status =
        tsr_run_task(&plan->base.execution, count_range, &sums, plan->sizes.discs, 4096, 0.3, 0.4);
    plan->sizes.parts = 0;
    for (int64_t row = 0; row < n; ++row)
      plan->sizes.parts += plan->rows[row] = sums.rows[row];
  }
  free((void *)sums.rows);
  return status;
}
