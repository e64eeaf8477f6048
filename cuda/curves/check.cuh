// SPDX-License-Identifier: BSD-3-Clause
#ifndef TSR_CURVES_CHECK_CUH
#define TSR_CURVES_CHECK_CUH

#include "cuda/common/common.cuh"
#include "curves/backend.h"

// Returns an error for launch settings that cannot run. The request's report
// receives the settings in force.
tsr_status tsr_check_launch(const tsr_curves_request *request, tsr_error *error);

#endif
