// SPDX-License-Identifier: BSD-3-Clause
// A plan on the device.
#ifndef TSR_CURVES_PLAN_CUH
#define TSR_CURVES_PLAN_CUH

#include "cuda/common/opened.cuh"
#include "cuda/curves/places.cuh"
#include "curves/backend.h"
#include "curves/sampling/equal_math.h"

// The plainest case (tuned.cuh). order 0: it is not that.
struct tsr_tuned {
  int order;           // control points of every curve
  float *packed;       // order x 3 values a curve
  int tile;            // points a block; 0: not made
  int64_t *tile_lines; // first curve of every tile, and the number of curves
  int most_lines;      // curves in a tile
};

// What the kernels find out about the whole input; read back in one piece.
struct tsr_plan_summary {
  int stop;                      // the caller wants to stop: the host sets it while kernels run
  int irregular;                 // some item is not one good, open span
  int min_order, max_order;      // fewest and most control points of a span
  int least_degree, most_degree; // of spans that are polynomial Bezier ones; 0 where one is not
  int limited;                   // some span ended at the level limit
  int odd_span;                  // some curve is not a polynomial Bezier span of degree 2 or 3
  int most_lines;                // curves in a tile of the tuned fill
  unsigned long long running;    // segments counted so far, to stop early
  unsigned long long n_searched; // spans of the plan's list
  long long most_points;         // of an item
  long long most_segments;       // of a span, as counted; before joints go
  unsigned long long note_count[TSR_NOTES];
  long long note_first[TSR_NOTES];
};

// Leaves of a span that counting keeps: those of most spans of streamlines.
const int tsr_few_leaves = 8;

struct tsr_curves_device : tsr_opened {
  tsr_curves_view view;  // with device pointers
  tsr_criteria criteria; // with device pointers
  int n_values;          // tsr_vertex_values of it
  int n_kept;            // tsr_kept_components of it
  tsr_places places;
  uint16_t *notes;
  tsr_item_sum *items;
  int64_t *segment_start, *span_item, *span_point;
  uint8_t *limited;    // n_items: a span of it ended at the level limit
  uint32_t *leaves;    // of all segments, where counting or coarsening kept them; else NULL
  int64_t *walk_start; // n_items + 1: walks before the item; NULL: nothing was coarsened
  double *walk_error;  // bound of the chord error of each walk's segments
  tsr_choice *choices; // n_spans, as counted; EQUAL_ERROR
  int64_t *searched;   // n_spans: room for a list of those that are more than one segment; the same
  uint32_t *few;       // n_spans x tsr_few_leaves, of spans with no more; NULL: not kept
  tsr_tuned tuned;
  int64_t n_closed;
  tsr_plan_summary *summary; // on the device
  tsr_plan_summary found;    // the same on the host, as last read
};

tsr_status tsr_curves_cuda_open(const tsr_curves_job *job, tsr_curves_device **made,
                                tsr_error *error);
tsr_status tsr_curves_cuda_count(tsr_curves_device *plan, const tsr_curves_job *job,
                                 tsr_error *error);
void tsr_curves_cuda_close(tsr_curves_device *plan);

// Copies the summary to plan->found.
tsr_status tsr_read_summary(tsr_curves_device *plan, tsr_error *error);

// Prefix sums of items: values[n] becomes the total.
tsr_status tsr_scan_items(tsr_item_sum *values, int64_t n, tsr_memory *memory, cudaStream_t stream,
                          tsr_error *error);

#endif
