// SPDX-License-Identifier: BSD-3-Clause
// Positions of items (input curves) and spans in the output.
#ifndef TSR_CURVES_PLACES_CUH
#define TSR_CURVES_PLACES_CUH

#include "cuda/common/common.cuh"
#include "curves/check_math.h"

// Number of spans, open curves and output cells of all items before an item.
struct tsr_item_sum {
  int64_t spans, open, cells;
};

// The prefix sums of a plan, as kernels see them. If every item is one valid, open span (identity),
// the positions follow from segment_start alone, and the other arrays are NULL.
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
// Number of the span's first output point; for span n_spans, the number of points in all.
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
