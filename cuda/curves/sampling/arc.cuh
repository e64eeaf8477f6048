// SPDX-License-Identifier: BSD-3-Clause
// Sampling by equal arc length on the device.
#ifndef TSR_CURVES_SAMPLING_ARC_CUH
#define TSR_CURVES_SAMPLING_ARC_CUH

#include "cuda/curves/plan.cuh"

// Measures all spans and divides the curves: plan->segment_start gets the number of segments that
// begin in each span.
tsr_status tsr_device_divide(tsr_curves_device *plan, const tsr_execution *execution,
                             tsr_error *error);

// Makes plan->leaves of n segments, and plan->walk_error, once segment_start has the sums.
tsr_status tsr_device_list_arcs(tsr_curves_device *plan, const tsr_execution *execution, int64_t n,
                                tsr_error *error);

#endif
