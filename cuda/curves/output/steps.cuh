// SPDX-License-Identifier: BSD-3-Clause
// State and functions that the steps of a fill share.
#ifndef TSR_CURVES_OUTPUT_STEPS_CUH
#define TSR_CURVES_OUTPUT_STEPS_CUH

#include "cuda/common/transfer/transfer.cuh"
#include "cuda/curves/output/heap.cuh"
#include "cuda/curves/output/host_side.cuh"
#include "cuda/curves/output/parts.cuh"
#include "cuda/curves/plan.cuh"
#include "cuda/curves/strategy/range.cuh"

// One call of fill.
struct tsr_filling {
  tsr_curves_device *plan;
  const tsr_curves_request *request;
  const tsr_curves_output *out;
  tsr_heap heap; // before `memory`: its limit is restored after the memory is freed
  tsr_memory memory;
  std::vector<tsr_point_array> arrays; // with `out` on the device, for the piece
  std::vector<char *> host;            // where each array goes
  std::vector<int> stays;              // 1: `host` is on the device, and the kernels write there
  std::vector<int> tuned;              // 1: a tuned kernel makes the array
  tsr_point_array *device_arrays;
  tsr_fill_parts parts;                 // of the piece
  int64_t *tile_spans;                  // first span of each tile of the piece; NULL: no tiles
  int64_t record_bytes;                 // bytes of a point in all arrays together
  int64_t down_bytes;                   // of these, in arrays that go to the host
  int64_t slot_bytes;                   // bytes of the largest item's points
  int64_t most_points, most_items;      // largest number in a piece
  std::vector<tsr_copy> cells;          // copies of cell arrays, made with the first part
  int ids_stay, lengths_stay;           // 1: connectivity, or arc lengths, are arrays on the device
  int64_t *wide_offsets, *first_points; // on the device, a cell each; NULL: not needed
  double *span_error;
  tsr_polyline_class *classes; // of each part of the polylines; NULL: not found by the device
  tsr_host_side side;
  double download_seconds;
};

// True if each curve's points first go to memory of its own (output_memory other than EXACT).
inline bool tsr_fills_per_item(const tsr_filling &f) {
  return f.request->report->output_memory != TSR_MEMORY_EXACT;
}

// True if the fill has to find the leaves again: counting has not kept them, and the steps are not
// uniform.
inline bool tsr_fill_makes_leaves(const tsr_filling &f) {
  return !f.plan->leaves && f.plan->criteria.sampling != TSR_SAMPLING_UNIFORM;
}

// Starts the kernels that make the piece's points, part by part, and the bounds of their errors.
tsr_status tsr_run_piece(tsr_filling *f, const tsr_fill_piece &piece,
                         const tsr_fill_piece *device_piece, tsr_error *error);

// Makes the cell arrays that do not depend on the points.
tsr_status tsr_fill_cells(tsr_filling *f, tsr_error *error);

// Makes the array of achieved errors. To be called when all pieces have delivered the errors of
// their spans.
tsr_status tsr_fill_errors(tsr_filling *f, tsr_error *error);

// Finds the class of each polyline on the device, if all points are there at once and no curve is
// closed; tsr_fill_classes hands the classes to the caller.
tsr_status tsr_find_classes(tsr_filling *f, const tsr_fill_piece &piece, tsr_error *error);
tsr_status tsr_fill_classes(tsr_filling *f, tsr_error *error);

// Computes the arc lengths from the points as stored, where they lie: they are sums whose result
// depends on the order.
tsr_status tsr_fill_lengths(tsr_filling *f, tsr_error *error);

// Connectivity and arc lengths that stay on the device.
tsr_status tsr_fill_ids_there(tsr_filling *f, tsr_error *error);
tsr_status tsr_fill_lengths_there(tsr_filling *f, tsr_error *error);

#endif
