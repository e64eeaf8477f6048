// SPDX-License-Identifier: BSD-3-Clause
// A plan on the device.
#ifndef TSR_PLAN_CUH
#define TSR_PLAN_CUH

#include "cuda/common/common.cuh"

// The plainest case (tuned.cuh). order 0: it is not that.
struct tsr_tuned {
  int order;           // control points of every curve
  float *packed;       // order x 3 values a curve
  int tile;            // points a block; 0: not made
  int64_t *tile_lines; // first curve of every tile, and the number of curves
  int most_lines;      // curves in a tile
};

// What the kernels find out about the whole input; read back in one piece.
struct tsr_summary {
  int stop;                   // the caller wants to stop: the host sets it while kernels run
  int irregular;              // some item is not one good, open span
  int min_order, max_order;   // fewest and most control points of a span
  int limited;                // some span ended at the level limit
  int odd_span;               // some curve is not a polynomial Bezier span of degree 2 or 3
  int most_lines;             // curves in a tile of the tuned fill
  unsigned long long running; // segments counted so far, to stop early
  long long most_points;      // of an item
  unsigned long long note_count[TSR_NOTES];
  long long note_first[TSR_NOTES];
};

struct tsr_uploaded {
  const void *host;
  int64_t bytes;
  void *device;
};

struct tsr_device_plan {
  tsr_device_state *state;
  cudaStream_t stream;
  cudaEvent_t begin, end;             // around the kernels that make points
  tsr_memory memory;                  // of the plan: freed with it
  std::vector<tsr_uploaded> uploaded; // arrays that are there already
  tsr_curves_view view;               // with device pointers
  tsr_criteria criteria;              // with device pointers
  tsr_places places;
  uint16_t *notes;
  tsr_item_sum *items;
  int64_t *segment_start, *span_item, *span_point;
  uint8_t *limited; // n_items: a span of it ended at the level limit
  uint32_t *leaves; // of all segments, where counting kept them; else NULL
  tsr_tuned tuned;
  int64_t n_closed;
  tsr_summary *summary; // on the device
  tsr_summary found;    // the same on the host, as last read
};

// Uploads arrays, all of them at once, into `memory`. to: the device pointers. Arrays of the view
// are there already; keep: these will be too.
tsr_status tsr_plan_upload(tsr_device_plan *plan, const tsr_device_job *job, tsr_memory *memory,
                           bool keep, const tsr_array *arrays, int n, void **to, tsr_error *error);

tsr_status tsr_plan_open(const tsr_device_job *job, tsr_device_plan **made, tsr_error *error);
tsr_status tsr_plan_count(tsr_device_plan *plan, const tsr_device_job *job, tsr_error *error);
void tsr_plan_close(tsr_device_plan *plan);

// Copies the summary to plan->found.
tsr_status tsr_plan_read_summary(tsr_device_plan *plan, tsr_error *error);

// Most device memory in use at once since the plan was opened.
void tsr_plan_note_peak(const tsr_device_plan *plan, tsr_report *report);

// Seconds of the execution's clock, 0 where it has none.
double tsr_cuda_now(const tsr_execution *execution);

// 1 after telling the caller how far the work is, where the caller wants it to stop.
int tsr_cuda_stopped(const tsr_execution *execution, double fraction);

// Refuses combinations of options that cannot run, with a sentence.
tsr_status tsr_check_execution(const tsr_device_job *job, const tsr_device_state *state,
                               tsr_error *error);

#endif
