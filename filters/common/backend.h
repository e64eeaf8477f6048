/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The way to a device. Not public. Each room has a table of what its CUDA side does, in its own
 * backend.h; here is what they have in common: who asks for a device, and what follows where it
 * fails.
 */
#ifndef TSR_BACKEND_H
#define TSR_BACKEND_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Opens a room's plan on the device; on failure it leaves no device plan, but a sentence in *error
 *  (never NULL here). */
typedef tsr_status (*tsr_device_opener)(void *plan, tsr_error *error);

/**
 * Opens a plan where the execution asks for a device. Where Auto has to do without one, the status
 * is TSR_OK and the report as it was, but for the reason in `fallback`.
 */
tsr_status tsr_open_on_device(const tsr_execution *execution, tsr_report *report,
                              tsr_device_opener open, void *plan, tsr_error *error);

/** 1 if the CPU shall do what the device failed to do with this status: the report then says why.
 */
int tsr_device_gave_up(const tsr_execution *execution, tsr_status status, const tsr_error *why,
                       tsr_report *report);

/** Host memory that the device writes into at full speed; see tsr_output_alloc. */
typedef struct tsr_memory_backend {
  void *(*alloc)(size_t bytes);
  int64_t (*waiting)(void);
  void (*free)(void *memory);
} tsr_memory_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_memory_backend *tsr_memory_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
