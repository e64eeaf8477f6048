/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Point grids: the points that leaves share. Each corner of each leaf is a number made of its place
 * on the lattice of the finest leaf; sorted, equal ones are one point.
 */
#include "pointgrid/plan.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, MAX_BLOCKS = 64 };

/** A corner of a leaf. */
typedef struct corner {
  uint64_t place;
  int64_t slot; /**< in the connectivity */
} corner;

typedef struct corner_work {
  const tsr_pointgrid_plan *plan;
  corner *from, *to;
  int64_t n, blocks;
  int64_t *counts; /**< blocks x DIGITS */
  int shift;       /**< of the digit */
  int finest;      /**< level */
} corner_work;

static void make_corners(void *data, int64_t begin, int64_t end) {
  const corner_work *work = data;
  const int dimension = work->plan->rule.dimension;
  for (int64_t i = begin; i < end; ++i) {
    const tsr_pointgrid_leaf *leaf = &work->plan->leaves.at[i];
    for (int c = 0; c < 1 << dimension; ++c) {
      corner *one = &work->from[(i << dimension) + c];
      one->place = tsr_pointgrid_corner(leaf->key, leaf->level, c, dimension, work->finest);
      one->slot = (i << dimension) + c;
    }
  }
}

static void block_range(const corner_work *work, int64_t b, int64_t range[2]) {
  range[0] = work->n / work->blocks * b;
  range[1] = b + 1 == work->blocks ? work->n : work->n / work->blocks * (b + 1);
}

static void count_digits(void *data, int64_t begin, int64_t end) {
  const corner_work *work = data;
  for (int64_t b = begin; b < end; ++b) {
    int64_t *counts = work->counts + b * DIGITS, range[2];
    block_range(work, b, range);
    memset(counts, 0, DIGITS * sizeof *counts);
    for (int64_t i = range[0]; i < range[1]; ++i)
      counts[work->from[i].place >> work->shift & (DIGITS - 1)]++;
  }
}

static void move_digits(void *data, int64_t begin, int64_t end) {
  const corner_work *work = data;
  for (int64_t b = begin; b < end; ++b) {
    int64_t *places = work->counts + b * DIGITS, range[2];
    block_range(work, b, range);
    for (int64_t i = range[0]; i < range[1]; ++i)
      work->to[places[work->from[i].place >> work->shift & (DIGITS - 1)]++] = work->from[i];
  }
}

/** One pass of the sort. */
static tsr_status sort_pass(corner_work *work, tsr_error *error) {
  tsr_status status =
      tsr_pointgrid_run(work->plan, count_digits, work, work->blocks, 1, 0.35, 0.37, error);
  int64_t sum = 0;
  for (int64_t d = 0; d < DIGITS; ++d) {
    for (int64_t b = 0; b < work->blocks; ++b) {
      int64_t *count = &work->counts[b * DIGITS + d];
      const int64_t here = *count;
      *count = sum;
      sum += here;
    }
  }
  if (status == TSR_OK)
    status = tsr_pointgrid_run(work->plan, move_digits, work, work->blocks, 1, 0.37, 0.39, error);
  corner *const swap = work->from;
  work->from = work->to;
  work->to = swap;
  return status;
}

/** Numbers the corners, sorted, each place once. */
static tsr_status number_corners(tsr_pointgrid_plan *plan, const corner_work *work,
                                 tsr_error *error) {
  int64_t points = 0;
  for (int64_t i = 0; i < work->n; ++i)
    points += i == 0 || work->from[i].place != work->from[i - 1].place;
  plan->sizes.points = points;
  plan->corners = tsr_alloc(points, sizeof *plan->corners, "the points of the cells", error);
  plan->corner_of = tsr_alloc(work->n, sizeof *plan->corner_of, "the points of the cells", error);
  if (!plan->corners || !plan->corner_of)
    return TSR_NO_MEMORY;
  for (int64_t i = 0, id = -1; i < work->n; ++i) {
    if (i == 0 || work->from[i].place != work->from[i - 1].place)
      plan->corners[++id] =
          tsr_pointgrid_full_place(work->from[i].place, plan->rule.dimension, work->finest);
    plan->corner_of[work->from[i].slot] = id;
  }
  return TSR_OK;
}

tsr_status tsr_pointgrid_find_corners(tsr_pointgrid_plan *plan, tsr_error *error) {
  const int finest = tsr_pointgrid_finest(&plan->summary);
  const int dimension = plan->rule.dimension;
  const int64_t n = plan->leaves.n << dimension, most = n / TSR_POINTGRID_BLOCK + 1;
  corner_work work = {
      .plan = plan, .n = n, .blocks = most < MAX_BLOCKS ? most : MAX_BLOCKS, .finest = finest};
  corner *corners = tsr_alloc(2 * n, sizeof *corners, "the points of the cells", error);
  work.counts =
      tsr_alloc(work.blocks * DIGITS, sizeof *work.counts, "the points of the cells", error);
  tsr_status status = corners && work.counts ? TSR_OK : TSR_NO_MEMORY;
  work.from = corners;
  work.to = corners ? corners + n : NULL;
  if (status == TSR_OK)
    status = tsr_pointgrid_run(plan, make_corners, &work, plan->leaves.n, 8192, 0.34, 0.35, error);
  for (; status == TSR_OK && work.shift < dimension * tsr_pointgrid_corner_bits(finest);
       work.shift += DIGIT_BITS)
    status = sort_pass(&work, error);
  if (status == TSR_OK)
    status = number_corners(plan, &work, error);
  free(corners);
  free(work.counts);
  return status;
}
