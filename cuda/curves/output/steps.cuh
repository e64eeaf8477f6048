// SPDX-License-Identifier: BSD-3-Clause
// What the steps of a fill share.
#ifndef TSR_FILLING_CUH
#define TSR_FILLING_CUH

#include "cuda/curves/output/heap.cuh"
#include "cuda/curves/output/host_side.cuh"
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
  int64_t record_bytes;            // of a point, all arrays together
  int64_t slot_bytes;              // of the largest item
  int64_t most_points, most_items; // of a piece
  double *span_error;
  tsr_host_side side;
  double download_seconds;
};

// What belongs to cells and does not depend on the points.
tsr_status tsr_fill_cells(tsr_filling *f, tsr_error *error);

// The errors that were reached, once every piece has given those of its spans.
tsr_status tsr_fill_errors(tsr_filling *f, tsr_error *error);

// Lengths along the curves: sums whose order matters, from the points as stored.
void tsr_fill_lengths(tsr_filling *f);

#endif
