/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * From sorted points to curves: which points repeat, where a curve begins, and who is alone.
 *
 *   group      a a a a a a a b c c        first of a group   #......##.
 *   repeat     . . . x x . . . . .   ->   a cut              .....#....   (from kept to kept)
 *   far        . . . . . x . . . .        alone              .......#..
 *
 * Every pass reads what the one before has written, and each thread writes only what is its own.
 */
#include "ordering/curves_math.h"
#include "ordering/plan.h"

#include <stdlib.h>
#include <string.h>

/* Progress: the sorting is done, the plan is done. */
#define SORTED 0.3
#define PLANNED 0.4

typedef struct chunk_counts {
  int64_t points, curves, verts, repeats, cuts, singles_dropped;
} chunk_counts;

typedef struct finder {
  tsr_ordering_plan *plan;
  tsr_finder points;
  chunk_counts *counts; /* one a chunk: its own; then those of the chunks before */
} finder;

static void clear_repeats(void *data, int64_t begin, int64_t end) {
  const finder *f = data;
  memset(f->points.repeats + begin, 0, (size_t)(end - begin));
}

/* From the first point that is kept anyway to the first such point beyond the end. */
static void find_repeats(void *data, int64_t begin, int64_t end) {
  const tsr_finder *f = &((const finder *)data)->points;
  tsr_place before = {{0.0, 0.0, 0.0}}, kept = before;
  int started = 0;
  if (begin > 0)
    before = tsr_sorted_place(f, begin - 1);
  for (int64_t i = begin; i < f->n && (started || i < end); ++i) {
    const tsr_place here = tsr_sorted_place(f, i);
    if (tsr_starts_anew(f, i, &before, &here)) {
      if (i >= end)
        return;
      started = 1;
      kept = here;
    } else if (started && tsr_is_repeat(&kept, &here, f->options.tolerance)) {
      f->repeats[i] = 1;
    } else {
      kept = here;
    }
    before = here;
  }
}

static void find_cuts(void *data, int64_t begin, int64_t end) {
  const finder *f = data;
  for (int64_t i = begin; i < end; ++i)
    tsr_flag_cut(&f->points, i);
}

static void count_chunk(void *data, int64_t begin, int64_t end) {
  const finder *f = data;
  chunk_counts counts = {0, 0, 0, 0, 0, 0};
  for (int64_t i = begin; i < end; ++i) {
    int gone;
    const int is = tsr_what_is(&f->points, i, &gone);
    f->points.is[i] = (uint8_t)is;
    counts.points += (is & TSR_IS_KEPT) != 0;
    counts.curves += (is & TSR_IS_FIRST) != 0;
    counts.verts += (is & TSR_IS_ALONE) != 0;
    counts.repeats += (f->points.flags[i] & TSR_FLAG_DROPPED) != 0;
    counts.cuts += (f->points.flags[i] & TSR_FLAG_CUT) != 0;
    counts.singles_dropped += gone;
  }
  f->counts[begin / TSR_ORDERING_CHUNK] = counts;
}

/* Replaces the counts of each chunk by those of all before it, and sets the sizes. */
static void sum_counts(finder *f, int64_t chunks) {
  tsr_ordering_sizes *sizes = &f->plan->sizes;
  chunk_counts sum = {0, 0, 0, 0, 0, 0};
  for (int64_t c = 0; c < chunks; ++c) {
    const chunk_counts one = f->counts[c];
    f->counts[c] = sum;
    sum.points += one.points;
    sum.curves += one.curves;
    sum.verts += one.verts;
    sum.repeats += one.repeats;
    sum.cuts += one.cuts;
    sum.singles_dropped += one.singles_dropped;
  }
  sizes->points = sum.points;
  sizes->verts = sum.verts;
  sizes->lines = sum.curves - sum.verts;
  sizes->repeats = sum.repeats;
  sizes->cuts = sum.cuts;
  sizes->singles_dropped = sum.singles_dropped;
}

static void place_chunk(void *data, int64_t begin, int64_t end) {
  const finder *f = data;
  const tsr_ordering_plan *plan = f->plan;
  chunk_counts at = f->counts[begin / TSR_ORDERING_CHUNK];
  for (int64_t i = begin; i < end; ++i) {
    const int is = f->points.is[i];
    if (is & TSR_IS_FIRST) {
      plan->curve_start[at.curves] = at.points;
      plan->curve_cell[at.curves] =
          is & TSR_IS_ALONE ? at.verts : plan->sizes.verts + (at.curves - at.verts);
      ++at.curves;
      at.verts += (is & TSR_IS_ALONE) != 0;
    }
    if ((is & TSR_IS_KEPT) && plan->point_ids != plan->sorted)
      plan->point_ids[at.points] = plan->sorted[i];
    at.points += (is & TSR_IS_KEPT) != 0;
  }
}

/* The passes up to the sizes. */
static tsr_status count_all(finder *f) {
  tsr_ordering_plan *plan = f->plan;
  const double step = (PLANNED - SORTED) / 4.0;
  tsr_status status = TSR_OK;
  if (f->points.repeats) {
    status = tsr_ordering_run(&plan->base.execution, clear_repeats, f, plan->n, TSR_ORDERING_CHUNK,
                              SORTED, SORTED);
    if (status == TSR_OK)
      status = tsr_ordering_run(&plan->base.execution, find_repeats, f, plan->n, TSR_ORDERING_CHUNK,
                                SORTED, SORTED + step);
  }
  if (status == TSR_OK)
    status = tsr_ordering_run(&plan->base.execution, find_cuts, f, plan->n, TSR_ORDERING_CHUNK,
                              SORTED + step, SORTED + 2.0 * step);
  if (status == TSR_OK)
    status = tsr_ordering_run(&plan->base.execution, count_chunk, f, plan->n, TSR_ORDERING_CHUNK,
                              SORTED + 2.0 * step, SORTED + 3.0 * step);
  return status;
}

/* The arrays whose sizes are known now, and what goes into them. */
static tsr_status place_all(finder *f, tsr_error *error) {
  tsr_ordering_plan *plan = f->plan;
  const int64_t curves = plan->sizes.verts + plan->sizes.lines;
  tsr_status status;
  plan->curve_start = tsr_alloc(curves + 1, sizeof *plan->curve_start, "the curves", error);
  plan->curve_cell = tsr_alloc(curves, sizeof *plan->curve_cell, "the curves", error);
  plan->point_ids = plan->sizes.points == plan->n
                        ? plan->sorted
                        : tsr_alloc(plan->sizes.points, sizeof *plan->point_ids, "points", error);
  if (!plan->curve_start || !plan->curve_cell || !plan->point_ids)
    return TSR_NO_MEMORY;
  plan->curve_start[curves] = plan->sizes.points;
  status = tsr_ordering_run(&plan->base.execution, place_chunk, f, plan->n, TSR_ORDERING_CHUNK,
                            PLANNED - (PLANNED - SORTED) / 4.0, PLANNED);
  if (plan->point_ids != plan->sorted)
    free(plan->sorted);
  plan->sorted = NULL;
  return status;
}

tsr_status tsr_ordering_find_curves(tsr_ordering_plan *plan, tsr_error *error) {
  const int64_t chunks = (plan->n + TSR_ORDERING_CHUNK - 1) / TSR_ORDERING_CHUNK;
  uint8_t *bytes = (uint8_t *)plan->words; /* 8 n bytes that nobody needs any more */
  finder f = {plan,
              {plan->view.points, plan->view.order, plan->options, plan->n, plan->sorted,
               plan->flags, plan->options.drop_repeats ? bytes : NULL, bytes + plan->n},
              tsr_alloc(chunks, sizeof *f.counts, "the counts of points", error)};
  tsr_status status = f.counts ? count_all(&f) : TSR_NO_MEMORY;
  if (status == TSR_OK) {
    sum_counts(&f, chunks);
    status = place_all(&f, error);
  }
  free(f.counts);
  return status;
}
