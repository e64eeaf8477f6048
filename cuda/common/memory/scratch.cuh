// SPDX-License-Identifier: BSD-3-Clause
// Device memory with something that takes long to make and that any later plan can use, as a table:
// one plan has it at a time, and the next one finds it as it was left.
#ifndef TSR_SCRATCH_CUH
#define TSR_SCRATCH_CUH

#include "cuda/common/common.cuh"

// Takes what was given back under this tag, which is an address of the caller's, or allocates it
// from the device's pool. *good: 1 if it is as a plan left it, 0 if it holds anything.
tsr_status tsr_scratch_take(tsr_device_state *state, cudaStream_t stream, const void *tag,
                            size_t bytes, void **memory, bool *good, tsr_error *error);

// Gives it back, if there is any; the stream has come to its end. good: the next one may use what
// it holds.
void tsr_scratch_give(const tsr_device_state *state, const void *tag, void *memory, bool good);

// Frees what waits.
void tsr_scratch_release(void);

#endif
