// SPDX-License-Identifier: BSD-3-Clause
// Coarsening on the device.
#ifndef TSR_CURVES_COARSEN_COARSEN_CUH
#define TSR_CURVES_COARSEN_COARSEN_CUH

#include "cuda/curves/plan.cuh"

// Arguments of the coarsening kernels.
struct tsr_thinning {
  tsr_curves_view view;
  tsr_curves_criteria criteria;
  tsr_places places;
  int n_kept; // of the plan
  const uint32_t *leaves;
  int64_t room; // distance between the planes of v, one for each component
  double *v; // vertices: segment g of walk w starts at vertex g + w; a walk's last vertex follows
  uint8_t *keep;
  int64_t *walk_start;
  double *walk_error;
};

// True if the options allow coarsening and there are joints between segments that could go.
bool tsr_device_coarsens(const tsr_curves_device &plan);

// Removes the points that the tolerance does not need. plan->leaves becomes the remaining leaves,
// segment_start their prefix sums. n_segments: number of segments of all spans before.
tsr_status tsr_device_coarsen(tsr_curves_device *plan, const tsr_execution *execution,
                              int64_t n_segments, tsr_error *error);

#endif
