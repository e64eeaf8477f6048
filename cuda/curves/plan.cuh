// SPDX-License-Identifier: BSD-3-Clause
// A plan of Adaptive Curves on the device.
#ifndef TSR_CURVES_PLAN_CUH
#define TSR_CURVES_PLAN_CUH

#include "cuda/common/opened.cuh"
#include "cuda/curves/places.cuh"
#include "curves/backend.h"
#include "curves/sampling/equal_math.h"

// Data of the tuned kernels (strategy/tuned.cuh). order 0: they cannot make this plan.
struct tsr_tuned {
  int order;           // control points of every curve
  float *packed;       // order x 3 values a curve
  int tile;            // points that a block makes; 0: the tuned fill is not used
  int64_t *tile_lines; // first curve of every tile, and the number of curves
  int most_lines;      // curves in a tile
};

// What the kernels find out about the whole input, in one struct so that one copy brings it to the
// host.
struct tsr_plan_summary {
  int stop;                      // 1: the user has aborted; the host sets it while kernels run
  int irregular;                 // 1: some item is not one valid, open span
  int min_order, max_order;      // fewest and most control points of a span
  int least_degree, most_degree; // degrees of the spans; 0 if one is not a polynomial Bezier span
  int limited;                   // 1: the bisection of some span ended at the level limit
  int odd_span;                  // 1: some curve is not a polynomial Bezier span of degree 2 or 3
  int most_lines;                // curves in a tile of the tuned fill
  unsigned long long running;    // segments counted so far, to stop early
  unsigned long long n_searched; // number of spans in the plan's list `searched`
  long long most_points;         // largest number of points of an item
  long long most_segments;       // largest number of segments of a span, before coarsening
  unsigned long long note_count[TSR_NOTES];
  long long note_first[TSR_NOTES];
};

// A span with at most this many leaves (parameter intervals of segments) has them kept by
// counting, so that the fill need not find them again. Most spans of streamlines have no more.
const int tsr_few_leaves = 8;

struct tsr_curves_device : tsr_opened {
  tsr_curves_view view;         // with device pointers
  tsr_curves_criteria criteria; // with device pointers
  int n_values;                 // tsr_vertex_values of it
  int n_kept;                   // tsr_kept_components of it
  tsr_places places;
  uint16_t *notes;
  tsr_item_sum *items;
  int64_t *segment_start, *span_item, *span_point;
  uint8_t *limited;         // n_items; 1: a span of the item ended at the level limit
  uint32_t *leaves;         // of all segments, if counting or coarsening kept them; NULL: not kept
  double *lengths, *totals; // of spans and of curves; EQUAL_ARC_LENGTH, else NULL
  int64_t *walk_start; // n_items + 1: number of walks before the item; NULL: no coarsening. Under
                       // EQUAL_ARC_LENGTH each item is one walk
  double *walk_error;  // bound of the chord error of each walk's segments
  tsr_choice *choices; // n_spans; how counting divides each span; EQUAL_ERROR, else NULL
  int64_t *searched;   // n_spans; list of the spans that need more than one segment; EQUAL_ERROR,
                       // else NULL
  uint32_t *few; // n_spans x tsr_few_leaves; leaves of the spans that have no more; NULL: not kept
  tsr_tuned tuned;
  int64_t n_closed;
  tsr_plan_summary *summary; // on the device
  tsr_plan_summary found;    // the host's copy, as of the last tsr_read_summary
};

tsr_status tsr_curves_cuda_open(const tsr_curves_request *request, tsr_curves_device **made,
                                tsr_error *error);
tsr_status tsr_curves_cuda_count(tsr_curves_device *plan, const tsr_curves_request *request,
                                 tsr_error *error);
tsr_status tsr_curves_cuda_bounds(tsr_curves_device *plan, double bounds[6], tsr_error *error);
void tsr_curves_cuda_close(tsr_curves_device *plan);

// Neighbouring lanes of a warp that share an item, a power of two: so many that each of them sees
// at least four points of a mean item. The box of 200,000 lines of 300 points takes 0.6 ms of an
// H100 with 32 lanes a line, and 3.6 ms with one.
inline int tsr_lanes_of_item(const tsr_curves_view &view) {
  int lanes = 1;
  while (lanes < 32 && 8 * lanes * view.n_items <= view.n_connectivity)
    lanes *= 2;
  return lanes;
}

// Copies the summary to plan->found.
tsr_status tsr_read_summary(tsr_curves_device *plan, tsr_error *error);

// Replaces values[0..n] by their exclusive prefix sums; values[n] becomes the total.
tsr_status tsr_scan_items(tsr_item_sum *values, int64_t n, tsr_memory *memory, cudaStream_t stream,
                          tsr_error *error);

#endif
