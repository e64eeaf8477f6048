// SPDX-License-Identifier: BSD-3-Clause
// Memory per curve from the device heap. Its size can change only until the first kernel here has
// run, which is why no other file's kernels allocate: they leave it free to change.
#ifndef TSR_HEAP_CUH
#define TSR_HEAP_CUH

#include "cuda/curves/range.cuh"

// Asks for a heap of `wanted` bytes, or (0) of at least `needed`. *in_force: what it is. An error
// only if another size was wanted than can be had.
tsr_status tsr_heap_prepare(int64_t wanted, int64_t needed, int64_t *in_force, tsr_error *error);

// Puts the heap's limit back, where CUDA still allows it.
void tsr_heap_restore(void);

// Allocates for every curve of the piece. *failures: those that got nothing.
tsr_status tsr_heap_take(const tsr_fill_job &piece, const tsr_fill_job *device_piece,
                         tsr_memory *memory, cudaStream_t stream, int *failures, tsr_error *error);

// Frees all of it.
cudaError_t tsr_heap_free(const tsr_fill_job &piece, const tsr_fill_job *device_piece,
                          cudaStream_t stream);

#endif
