/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * From sorted points to curves: which points repeat, where a curve begins, and who is alone.
 *
 *   group      a a a a a a a b c c        first of a group   #......##.
 *   repeat     . . . x x . . . . .   ->   a cut              .....#....   (from kept to kept)
 *   far        . . . . . x . . . .        alone              .......#..
 *
 * Each pass reads what the one before has written; no two threads write to the same place.
 */
#include "ordering/plan.h"

#include <stdlib.h>

/* Progress: the sorting is done, the plan is done. */
#define SORTED 0.3
#define PLANNED 0.4

typedef struct chunk_counts {
  int64_t points, curves, verts, repeats, cuts, singles_dropped;
} chunk_counts;

typedef struct finder {
  tsr_ordering_plan *plan;
  tsr_finder points;
  chunk_counts *counts; /* of each chunk; then of all chunks before it */
} finder;

/* The runs that start in [begin, end). */
static void find_repeats(void *data, int64_t begin, int64_t end) {
  const tsr_finder *f = &((const finder *)data)->points;
  int64_t i = begin;
  while (i < end && !tsr_starts_run(f, i))
    ++i;
  while (i < end)
    i = tsr_find_repeats(f, i);
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
  chunk_counts at = f->counts[begin / TSR_ORDERING_CHUNK];
  for (int64_t i = begin; i < end; ++i) {
    const int is = f->points.is[i];
    tsr_place_point(&f->points, &f->plan->curves, i, at.points, at.curves, at.verts);
    at.points += (is & TSR_IS_KEPT) != 0;
    at.curves += (is & TSR_IS_FIRST) != 0;
    at.verts += (is & TSR_IS_ALONE) != 0;
  }
}

/* The passes up to the sizes. */
static tsr_status count_all(finder *f) {
  tsr_ordering_plan *plan = f->plan;
  const double step = (PLANNED - SORTED) / 4.0;
  tsr_status status = TSR_OK;
  if (f->points.repeats)
    status = tsr_ordering_run(&plan->base.execution, find_repeats, f, plan->n, TSR_ORDERING_CHUNK,
                              SORTED, SORTED + step);
  if (status == TSR_OK)
    status = tsr_ordering_run(&plan->base.execution, find_cuts, f, plan->n, TSR_ORDERING_CHUNK,
                              SORTED + step, SORTED + 2.0 * step);
  if (status == TSR_OK)
    status = tsr_ordering_run(&plan->base.execution, count_chunk, f, plan->n, TSR_ORDERING_CHUNK,
                              SORTED + 2.0 * step, SORTED + 3.0 * step);
  return status;
}

/* Allocates the curves, whose sizes are known now, and places the points in them. */
static tsr_status place_all(finder *f, tsr_error *error) {
  tsr_ordering_plan *plan = f->plan;
  tsr_curve_list *to = &plan->curves;
  tsr_status status;
  to->verts = plan->sizes.verts;
  to->n = plan->sizes.verts + plan->sizes.lines;
  to->start = tsr_alloc(to->n + 1, sizeof *to->start, "the curves", error);
  to->cell = tsr_alloc(to->n, sizeof *to->cell, "the curves", error);
  /* If all points are kept, each is placed where it is. */
  to->point_ids = plan->sizes.points == plan->n
                      ? plan->sorted
                      : tsr_alloc(plan->sizes.points, sizeof *to->point_ids, "points", error);
  if (!to->start || !to->cell || !to->point_ids)
    return TSR_NO_MEMORY;
  to->start[to->n] = plan->sizes.points;
  status = tsr_ordering_run(&plan->base.execution, place_chunk, f, plan->n, TSR_ORDERING_CHUNK,
                            PLANNED - (PLANNED - SORTED) / 4.0, PLANNED);
  if (to->point_ids != plan->sorted)
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
