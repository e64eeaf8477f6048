// SPDX-License-Identifier: BSD-3-Clause
// What the steps of a fill share.
#ifndef TSR_FILLING_CUH
#define TSR_FILLING_CUH

#include "cuda/common/transfer/transfer.cuh"
#include "cuda/curves/output/heap.cuh"
#include "cuda/curves/output/host_side.cuh"
#include "cuda/curves/output/parts.cuh"
#include "cuda/curves/plan.cuh"
#include "cuda/curves/strategy/range.cuh"

// One call of fill.
struct tsr_filling {
  tsr_curves_device *plan;
  const tsr_curves_job *job;
  const tsr_curves_output *out;
  tsr_heap heap; // before the memory: its limit is put back when nothing uses it any more
  tsr_memory memory;
  std::vector<tsr_point_array> arrays; // their `out` is the piece's, on the device
  std::vector<char *> host;            // where each array goes
  std::vector<int> tuned;              // 1: a tuned kernel makes the array
  tsr_point_array *device_arrays;
  tsr_fill_parts parts;            // of the piece
  int64_t *tile_spans;             // of the piece, where it is filled by tiles
  int64_t record_bytes;            // of a point, all arrays together
  int64_t slot_bytes;              // of the largest item
  int64_t most_points, most_items; // of a piece
  std::vector<tsr_copy> cells;     // of cells, to go with the first part
  double *span_error;
  tsr_polyline_class *classes; // of every part of the polylines, where the device has found them
  tsr_host_side side;
  double download_seconds;
};

// 1 if curves get memory of their own at first.
inline bool tsr_fills_per_item(const tsr_filling &f) {
  return f.job->report->output_memory != TSR_MEMORY_EXACT;
}

// 1 if the leaves have to be made again: counting has left none, and steps are not uniform.
inline bool tsr_fill_makes_leaves(const tsr_filling &f) {
  return !f.plan->leaves && f.plan->criteria.sampling != TSR_SAMPLING_UNIFORM;
}

// Starts all that makes the piece's points, part by part, and the bounds of their errors.
tsr_status tsr_run_piece(tsr_filling *f, const tsr_fill_job &piece,
                         const tsr_fill_job *device_piece, tsr_error *error);

// What belongs to cells and does not depend on the points.
tsr_status tsr_fill_cells(tsr_filling *f, tsr_error *error);

// The errors that were reached, once every piece has given those of its spans.
tsr_status tsr_fill_errors(tsr_filling *f, tsr_error *error);

// The classes of polylines: found by the device where it has all points at once and no curve is
// closed, and given to the caller.
tsr_status tsr_find_classes(tsr_filling *f, const tsr_fill_job &piece, tsr_error *error);
tsr_status tsr_fill_classes(tsr_filling *f, tsr_error *error);

// Lengths along the curves: sums whose order matters, from the points as stored.
void tsr_fill_lengths(tsr_filling *f);

#endif
