// SPDX-License-Identifier: BSD-3-Clause
// Device memory whose contents take long to make and serve any later plan, such as a table. One
// plan uses it at a time and leaves it to the next one as it is.
#ifndef TSR_COMMON_MEMORY_SCRATCH_CUH
#define TSR_COMMON_MEMORY_SCRATCH_CUH

#include "cuda/common/common.cuh"

// Takes the memory that was given back under `tag`, an address that identifies its kind, or
// allocates it from the device's pool. *good: true if the contents are those that a plan left,
// false if they are undefined.
tsr_status tsr_scratch_take(tsr_device_state *state, cudaStream_t stream, const void *tag,
                            size_t bytes, void **memory, bool *good, tsr_error *error);

// Gives the memory back (NULL: no-op); the plan's stream must have finished. good: true if the next
// plan may use the contents.
void tsr_scratch_give(const tsr_device_state *state, const void *tag, void *memory, bool good);

// Frees the memory that no plan uses.
void tsr_scratch_release(void);

#endif
