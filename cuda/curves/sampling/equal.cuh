// SPDX-License-Identifier: BSD-3-Clause
// Counting and leaves of the sampling by equal errors, a thread a span. Both return CUDA's error.
#ifndef TSR_EQUAL_CUH
#define TSR_EQUAL_CUH

#include "cuda/curves/strategy/kernels.cuh"

// Counts of every span, and plan->choices.
cudaError_t tsr_equal_count(const tsr_curves_device *plan, int64_t limit);

// The piece's leaves, in order, by the choices of the count: nothing is searched again. stop: of
// the plan's summary; where it is set they stay incomplete.
cudaError_t tsr_equal_leaves(const tsr_fill_job &job, const tsr_choice *choices, uint32_t *leaves,
                             const int *stop, cudaStream_t stream);

#endif
