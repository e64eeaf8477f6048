// SPDX-License-Identifier: BSD-3-Clause
// Host memory for large outputs; see tsr_output_alloc.
#ifndef TSR_OUTPUTS_CUH
#define TSR_OUTPUTS_CUH

#include "cuda/common/common.cuh"

// 1 if the range is output memory and page-locked. Of output memory that is not, it notes that the
// device fills it.
bool tsr_output_locked(void *memory, size_t bytes);

// Starts to page-lock the output memory that the device has filled, beside whatever follows.
void tsr_outputs_lock(int device);

// Gives back what waits.
void tsr_outputs_release(void);

#endif
