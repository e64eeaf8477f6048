// SPDX-License-Identifier: BSD-3-Clause
// Prefix sums by CUB. They are compiled in one file of their own, since CUB takes long to compile.
#ifndef TSR_COMMON_SCAN_CUH
#define TSR_COMMON_SCAN_CUH

#include "cuda/common/common.cuh"

// Replaces values[0..n] by their exclusive prefix sums; values[n] becomes the total.
tsr_status tsr_scan_counts(int64_t *values, int64_t n, tsr_memory *memory, cudaStream_t stream,
                           tsr_error *error);

// As tsr_scan_counts, in memory that the caller provides. With room NULL it only sets *bytes to the
// size that it needs.
cudaError_t tsr_scan_counts_in(void *room, size_t *bytes, int64_t *values, int64_t n,
                               cudaStream_t stream);

#endif
