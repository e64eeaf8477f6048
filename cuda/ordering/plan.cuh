// SPDX-License-Identifier: BSD-3-Clause
// Points To Curves on the device: the executor runs the plan; the fill is written by hand.
#ifndef TSR_ORDERING_PLAN_CUH
#define TSR_ORDERING_PLAN_CUH

#include "cuda/common/executor.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "ordering/backend.h"

struct tsr_ordering_device : tsr_opened {};

// The function `fill` of the backend's table; see ordering/backend.h.
tsr_status tsr_ordering_cuda_fill(tsr_ordering_device *device, const tsr_ordering_request *request,
                                  const tsr_ordering_output *output, tsr_error *error);

#endif
