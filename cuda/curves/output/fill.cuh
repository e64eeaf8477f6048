// SPDX-License-Identifier: BSD-3-Clause
#ifndef TSR_CURVES_OUTPUT_FILL_CUH
#define TSR_CURVES_OUTPUT_FILL_CUH

#include "cuda/curves/plan.cuh"

// Writes the output of a plan into the caller's arrays. An output that does not fit on the device
// is made in several pieces.
tsr_status tsr_curves_cuda_fill(tsr_curves_device *plan, const tsr_curves_request *request,
                                const tsr_curves_output *output, tsr_error *error);

#endif
