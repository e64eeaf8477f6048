// SPDX-License-Identifier: BSD-3-Clause
// Where items and spans go in the output.
#ifndef TSR_PLACES_CUH
#define TSR_PLACES_CUH

#include "cuda/common/common.cuh"
#include "curves/check_math.h"

// What the items before an item have: spans, open curves and output cells.
struct tsr_item_sum {
  int64_t spans, open, cells;
};

// Where items and spans go: the plan's sums on the device, as kernels see them. Where every item is
// one good, open span (identity), the arrays of items and the two last ones are absent.
struct tsr_places {
  int identity;
  int64_t n_items, n_spans, n_points;
  const uint16_t *notes;        // n_items
  const tsr_item_sum *items;    // n_items + 1
  const int64_t *segment_start; // n_spans + 1
  const int64_t *span_item;     // n_spans
  const int64_t *span_point;    // n_spans + 1: number of the span's first output point
};

static __host__ __device__ inline int64_t tsr_first_span(const tsr_places &p, int64_t item) {
  return p.identity ? item : p.items[item].spans;
}
static __host__ __device__ inline int64_t tsr_first_point(const tsr_places &p, int64_t item) {
  return p.identity ? p.segment_start[item] + item
                    : p.segment_start[p.items[item].spans] + p.items[item].open;
}
static __host__ __device__ inline int64_t tsr_cell_of(const tsr_places &p, int64_t item) {
  return p.identity ? item : p.items[item].cells;
}
static __host__ __device__ inline int64_t tsr_item_of(const tsr_places &p, int64_t span) {
  return p.identity ? span : p.span_item[span];
}
// Of the span after the last: the number of points.
static __host__ __device__ inline int64_t tsr_point_of(const tsr_places &p, int64_t span) {
  return p.identity ? p.segment_start[span] + span : p.span_point[span];
}

// Last span of [lo, hi) whose first point is not after `point`; lo if there is none.
static __device__ inline int64_t tsr_span_at_point(const tsr_places &p, int64_t lo, int64_t hi,
                                                   int64_t point) {
  while (hi - lo > 1) {
    const int64_t middle = lo + (hi - lo) / 2;
    if (tsr_point_of(p, middle) <= point)
      lo = middle;
    else
      hi = middle;
  }
  return lo;
}

#endif
