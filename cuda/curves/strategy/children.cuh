// SPDX-License-Identifier: BSD-3-Clause
// The strategies whose kernels launch kernels. Only these are compiled with relocatable device code
// and linked separately.
#ifndef TSR_CURVES_STRATEGY_CHILDREN_CUH
#define TSR_CURVES_STRATEGY_CHILDREN_CUH

#include "cuda/curves/strategy/kernels.cuh"

// Counts the segments by TSR_STRATEGY_RECURSIVE_CHILDREN. Keeps the leaves if there is memory for
// them.
tsr_status tsr_children_count(tsr_curves_device *plan, const tsr_curves_request *request,
                              tsr_error *error);

// Fills a piece by the strategies CHILD_PER_ITEM or AGGREGATED_CHILDREN.
tsr_status tsr_children_fill(tsr_curves_device *plan, const tsr_curves_request *request,
                             const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                             tsr_error *error);

#endif
