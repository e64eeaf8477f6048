// SPDX-License-Identifier: BSD-3-Clause
// Coarsening on the device.
#ifndef TSR_COARSEN_CUH
#define TSR_COARSEN_CUH

#include "cuda/curves/plan.cuh"

// What its kernels get.
struct tsr_thinning {
  tsr_curves_view view;
  tsr_criteria criteria;
  tsr_places places;
  int n_kept; // of the plan
  const uint32_t *leaves;
  int64_t room; // from a plane of vertices to the next
  double *v;    // of segment g in walk w: vertex g + w; the walk's last vertex follows
  uint8_t *keep;
  int64_t *walk_start;
  double *walk_error;
};

// 1 if there are joints, and they may go.
bool tsr_device_coarsens(const tsr_curves_device &plan);

// Takes points away that are not needed: plan->leaves become those that stay, and segment_start
// the sums of them. n_segments: of all spans together.
tsr_status tsr_device_coarsen(tsr_curves_device *plan, const tsr_execution *execution,
                              int64_t n_segments, tsr_error *error);

#endif
