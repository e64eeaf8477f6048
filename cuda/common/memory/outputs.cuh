// SPDX-License-Identifier: BSD-3-Clause
// Host memory for large outputs; see tsr_output_alloc.
#ifndef TSR_COMMON_MEMORY_OUTPUTS_CUH
#define TSR_COMMON_MEMORY_OUTPUTS_CUH

#include "cuda/common/common.cuh"

// True if the range is output memory.
bool tsr_output_holds(const void *memory, size_t bytes);

// True if the range is output memory and page-locked. If it is output memory that is not
// page-locked yet, it is marked as filled by the device, for tsr_outputs_lock.
bool tsr_output_locked(void *memory, size_t bytes);

// Starts to page-lock, in the background, the output memory that was marked as filled by the
// device, so that the next copy into it is fast.
void tsr_outputs_lock(int device);

// Frees the output memory that is kept for later use.
void tsr_outputs_release(void);

#endif
