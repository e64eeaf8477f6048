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
#include "ordering/plan.h"

#include <stdlib.h>
#include <string.h>

/* Progress: the sorting is done, the plan is done. */
#define SORTED 0.3
#define PLANNED 0.4

/* What a sorted point is. */
enum { IS_KEPT = 1, IS_FIRST = 2, IS_ALONE = 4 };

typedef struct chunk_counts {
  int64_t points, curves, verts, repeats, cuts, singles_dropped;
} chunk_counts;

typedef struct finder {
  tsr_ordering_plan *plan;
  uint8_t *repeats;     /* n: 1 = dropped as a repeat; NULL: none is */
  uint8_t *is;          /* n */
  chunk_counts *counts; /* one a chunk: its own; then those of the chunks before */
} finder;

static tsr_place place_at(const finder *f, int64_t i) {
  return tsr_place_of(&f->plan->view.points, f->plan->sorted[i]);
}

/* 1 where sorted point i is kept whatever came before it. */
static int kept_anyway(const finder *f, int64_t i, const tsr_place *before, const tsr_place *here) {
  return (f->plan->flags[i] & TSR_FLAG_GROUP) ||
         tsr_is_kept_anyway(before, here, f->plan->options.tolerance);
}

static void clear_repeats(void *data, int64_t begin, int64_t end) {
  const finder *f = data;
  memset(f->repeats + begin, 0, (size_t)(end - begin));
}

/* From the first point that is kept anyway to the first such point beyond the end. */
static void find_repeats(void *data, int64_t begin, int64_t end) {
  const finder *f = data;
  tsr_place before = {{0.0, 0.0, 0.0}}, kept = before;
  int started = 0;
  if (begin > 0)
    before = place_at(f, begin - 1);
  for (int64_t i = begin; i < f->plan->n && (started || i < end); ++i) {
    const tsr_place here = place_at(f, i);
    if (kept_anyway(f, i, &before, &here)) {
      if (i >= end)
        return;
      started = 1;
      kept = here;
    } else if (started && tsr_is_repeat(&kept, &here, f->plan->options.tolerance)) {
      f->repeats[i] = 1;
    } else {
      kept = here;
    }
    before = here;
  }
}

/* Sorted point i, the first of no group, against the one kept before it. */
static int is_cut(const finder *f, int64_t i) {
  const tsr_ordering_plan *plan = f->plan;
  const tsr_ordering_options *o = &plan->options;
  int64_t before = i - 1;
  while (f->repeats && f->repeats[before])
    --before;
  if (o->use_gap &&
      tsr_is_gap(&plan->view.order, plan->sorted[before], plan->sorted[i], o->max_gap))
    return 1;
  if (o->use_distance) {
    const tsr_place a = place_at(f, before), b = place_at(f, i);
    return tsr_distance(&a, &b) > o->max_distance;
  }
  return 0;
}

static void find_cuts(void *data, int64_t begin, int64_t end) {
  const finder *f = data;
  const tsr_ordering_options *o = &f->plan->options;
  uint8_t *flags = f->plan->flags;
  for (int64_t i = begin; i < end; ++i) {
    if (f->repeats && f->repeats[i])
      flags[i] |= TSR_FLAG_DROPPED;
    else if (!(flags[i] & TSR_FLAG_GROUP) && (o->use_gap || o->use_distance) && is_cut(f, i))
      flags[i] |= TSR_FLAG_CUT;
  }
}

/* 1 where the curve that sorted point i begins has no other point. */
static int is_alone(const tsr_ordering_plan *plan, int64_t i) {
  int64_t next = i + 1;
  while (next < plan->n && (plan->flags[next] & TSR_FLAG_DROPPED))
    ++next;
  return next == plan->n || (plan->flags[next] & (TSR_FLAG_GROUP | TSR_FLAG_CUT));
}

static void count_chunk(void *data, int64_t begin, int64_t end) {
  const finder *f = data;
  const tsr_ordering_plan *plan = f->plan;
  chunk_counts counts = {0, 0, 0, 0, 0, 0};
  for (int64_t i = begin; i < end; ++i) {
    const int flags = plan->flags[i];
    const int first = flags & (TSR_FLAG_GROUP | TSR_FLAG_CUT);
    const int alone = first && is_alone(plan, i);
    const int gone = alone && plan->options.singles == TSR_SINGLES_DROP;
    const int kept = !(flags & TSR_FLAG_DROPPED) && !gone;
    f->is[i] = (uint8_t)((kept ? IS_KEPT : 0) | (first && kept ? IS_FIRST : 0) |
                         (alone && kept ? IS_ALONE : 0));
    counts.points += kept;
    counts.curves += first && kept;
    counts.verts += alone && kept;
    counts.repeats += (flags & TSR_FLAG_DROPPED) != 0;
    counts.cuts += (flags & TSR_FLAG_CUT) != 0;
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
    const int is = f->is[i];
    if (is & IS_FIRST) {
      plan->curve_start[at.curves] = at.points;
      plan->curve_cell[at.curves] =
          is & IS_ALONE ? at.verts : plan->sizes.verts + (at.curves - at.verts);
      ++at.curves;
      at.verts += (is & IS_ALONE) != 0;
    }
    if ((is & IS_KEPT) && plan->point_ids != plan->sorted)
      plan->point_ids[at.points] = plan->sorted[i];
    at.points += (is & IS_KEPT) != 0;
  }
}

/* The passes up to the sizes. */
static tsr_status count_all(finder *f) {
  tsr_ordering_plan *plan = f->plan;
  const double step = (PLANNED - SORTED) / 4.0;
  tsr_status status = TSR_OK;
  if (f->repeats) {
    status = tsr_ordering_run(&plan->execution, clear_repeats, f, plan->n, TSR_ORDERING_CHUNK,
                              SORTED, SORTED);
    if (status == TSR_OK)
      status = tsr_ordering_run(&plan->execution, find_repeats, f, plan->n, TSR_ORDERING_CHUNK,
                                SORTED, SORTED + step);
  }
  if (status == TSR_OK)
    status = tsr_ordering_run(&plan->execution, find_cuts, f, plan->n, TSR_ORDERING_CHUNK,
                              SORTED + step, SORTED + 2.0 * step);
  if (status == TSR_OK)
    status = tsr_ordering_run(&plan->execution, count_chunk, f, plan->n, TSR_ORDERING_CHUNK,
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
  status = tsr_ordering_run(&plan->execution, place_chunk, f, plan->n, TSR_ORDERING_CHUNK,
                            PLANNED - (PLANNED - SORTED) / 4.0, PLANNED);
  if (plan->point_ids != plan->sorted)
    free(plan->sorted);
  plan->sorted = NULL;
  return status;
}

tsr_status tsr_ordering_find_curves(tsr_ordering_plan *plan, tsr_error *error) {
  const int64_t chunks = (plan->n + TSR_ORDERING_CHUNK - 1) / TSR_ORDERING_CHUNK;
  uint8_t *bytes = (uint8_t *)plan->words; /* 8 n bytes that nobody needs any more */
  finder f = {plan, plan->options.drop_repeats ? bytes : NULL, bytes + plan->n,
              tsr_alloc(chunks, sizeof *f.counts, "the counts of points", error)};
  tsr_status status = f.counts ? count_all(&f) : TSR_NO_MEMORY;
  if (status == TSR_OK) {
    sum_counts(&f, chunks);
    status = place_all(&f, error);
  }
  free(f.counts);
  return status;
}
