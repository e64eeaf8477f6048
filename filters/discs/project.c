/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: discs in samples, in the order in which they are drawn, and their tiles. */
#include "discs/plan.h"

#include <stdlib.h>
#include <string.h>

/* What the ranges of discs add up; sums and least indices do not depend on their order. */
typedef struct disc_sums {
  tsr_discs_plan *plan;
  _Atomic int64_t inside, outside;
  _Atomic int64_t count[TSR_DISCS_NOTES], first[TSR_DISCS_NOTES];
  _Atomic int64_t *rows;
} disc_sums;

static void note(disc_sums *sums, int notes, int64_t point) {
  for (int k = 0; notes >> k; ++k)
    if (notes >> k & 1) {
      int64_t first = atomic_load(&sums->first[k]);
      atomic_fetch_add(&sums->count[k], 1);
      while (point < first && !atomic_compare_exchange_weak(&sums->first[k], &first, point)) {
      }
    }
}

static void make_range(void *data, int64_t begin, int64_t end) {
  enum {
    OF_NO_USE = 1 << TSR_DISCS_NOTE_POSITION | 1 << TSR_DISCS_NOTE_RADIUS |
                1 << TSR_DISCS_NOTE_ZERO | 1 << TSR_DISCS_NOTE_OPACITY
  };
  disc_sums *sums = data;
  tsr_discs_plan *plan = sums->plan;
  int64_t inside = 0, outside = 0;
  for (int64_t rank = begin; rank < end; ++rank) {
    const int64_t point = plan->order ? plan->order[rank] : rank;
    tsr_disc_fate fate;
    tsr_disc_make(&plan->view, &plan->options, &plan->rules, point, &plan->discs[rank], &fate);
    if (fate.drawn) {
      memcpy(plan->boxes[rank], fate.box, sizeof fate.box);
      ++inside;
      for (int64_t row = fate.box[2] / TSR_DISCS_TILE_Y; row <= fate.box[3] / TSR_DISCS_TILE_Y;
           ++row)
        atomic_fetch_add_explicit(&sums->rows[row], tsr_discs_row_parts(plan, (uint32_t)rank, row),
                                  memory_order_relaxed);
    } else {
      static const int32_t empty[4] = {0, -1, 0, -1};
      memcpy(plan->boxes[rank], empty, sizeof empty);
      outside += !(fate.notes & OF_NO_USE);
    }
    note(sums, fate.notes, point);
  }
  atomic_fetch_add(&sums->inside, inside);
  atomic_fetch_add(&sums->outside, outside);
}

static void take_sums(tsr_discs_plan *plan, const disc_sums *sums) {
  tsr_discs_sizes *sizes = &plan->sizes;
  sizes->inside = sums->inside;
  sizes->outside = sums->outside;
  for (int k = 0; k < TSR_DISCS_NOTES; ++k) {
    sizes->notes[k].count = sums->count[k];
    sizes->notes[k].first = sums->count[k] > 0 ? sums->first[k] : -1;
  }
  sizes->parts = 0;
  for (int64_t row = 0; row < plan->tiles[1]; ++row) {
    plan->rows[row] = sums->rows[row];
    sizes->parts += plan->rows[row];
  }
}

tsr_status tsr_discs_project(tsr_discs_plan *plan, tsr_error *error) {
  const int64_t n = plan->sizes.discs;
  disc_sums sums = {.plan = plan};
  tsr_job job = {&plan->base.execution, make_range, &sums, n, 0.1, 0.4, 0, 0};
  tsr_status status = TSR_NO_MEMORY;
  plan->discs = tsr_alloc(n, sizeof *plan->discs, "the discs", error);
  plan->boxes = tsr_alloc(n, sizeof *plan->boxes, "the boxes of the discs", error);
  plan->rows = tsr_alloc(plan->tiles[1], sizeof *plan->rows, "the rows of tiles", error);
  sums.rows = tsr_alloc(plan->tiles[1], sizeof *sums.rows, "the rows of tiles", error);
  if (plan->discs && plan->boxes && plan->rows && sums.rows) {
    for (int64_t row = 0; row < plan->tiles[1]; ++row)
      atomic_init(&sums.rows[row], 0);
    for (int k = 0; k < TSR_DISCS_NOTES; ++k)
      atomic_init(&sums.first[k], INT64_MAX);
    status = tsr_job_run(&job, 4096);
    if (status == TSR_OK)
      take_sums(plan, &sums);
  }
  free((void *)sums.rows);
  return status;
}
