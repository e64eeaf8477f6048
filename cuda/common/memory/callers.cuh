// SPDX-License-Identifier: BSD-3-Clause
// Arrays of the caller that lie on the device (tsr_execution.device_arrays), and copies between
// them and the host.
#ifndef TSR_COMMON_MEMORY_CALLERS_CUH
#define TSR_COMMON_MEMORY_CALLERS_CUH

#include "cuda/common/opened.cuh"

#include "common/run/backend.h"

// Sets *there to whether the caller's array lies on the plan's device; the plan's stream then waits
// for the caller's. Fails if the array lies on another device. Without device_arrays, *there is
// false and nobody is asked.
tsr_status tsr_find_callers(const tsr_opened *plan, const void *array, bool *there,
                            tsr_error *error);

// tsr_find_callers for an array that is written.
tsr_status tsr_find_output(const tsr_opened *plan, const void *array, bool *there,
                           tsr_error *error);

// The functions of tsr_memory_backend.
tsr_status tsr_copy_between(const tsr_execution *execution, void *to, const void *from,
                            int64_t bytes, tsr_error *error);
tsr_status tsr_caller_lies_on_device(const tsr_execution *execution, const void *array,
                                     int *on_device, tsr_error *error);

// The functions of tsr_device_backend. device: -1 = the first usable one.
tsr_status tsr_callers_alloc(int device, int64_t bytes, void **memory, tsr_error *error);
void tsr_callers_free(void *memory);
tsr_status tsr_callers_wait(int device, void *stream, tsr_error *error);

#endif
