// SPDX-License-Identifier: BSD-3-Clause
// Prefix sums and sorting, by CUB: kept in a file of their own, which takes long to compile.
#ifndef TSR_SCAN_CUH
#define TSR_SCAN_CUH

#include "cuda/common/common.cuh"

// Replaces values[0..n] by their exclusive prefix sums; values[n] becomes the total.
tsr_status tsr_scan_counts(int64_t *values, int64_t n, tsr_memory *memory, cudaStream_t stream,
                           tsr_error *error);

// The same in given memory; room NULL: *bytes receives how much it takes.
cudaError_t tsr_scan_counts_in(void *room, size_t *bytes, int64_t *values, int64_t n,
                               cudaStream_t stream);

// Sorts n keys of `bits` bits; *sorted receives one of the two buffers.
tsr_status tsr_sort_keys(uint64_t *keys, uint64_t *other, int64_t n, int bits, uint64_t **sorted,
                         tsr_memory *memory, cudaStream_t stream, tsr_error *error);

#endif
