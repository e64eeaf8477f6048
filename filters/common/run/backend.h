/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the rooms' CUDA backends have in common: opening a plan on a device, and falling back to the
 * CPU. Each room's own backend.h has the table of its backend's functions. Not public.
 */
#ifndef TSR_COMMON_RUN_BACKEND_H
#define TSR_COMMON_RUN_BACKEND_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Decides whether a plan runs on a device. suits: 1 if Auto may take one for this plan. Sets
 * *on_device. Fails if the backend is unknown, or CUDA is asked for and not built in. */
tsr_status tsr_choose_device(const tsr_execution *execution, int suits, int *on_device,
                             tsr_error *error);

/** Opens a room's plan on the device. On failure the plan has no device, and *error (never NULL
 * here) is filled. */
typedef tsr_status (*tsr_device_opener)(void *plan, tsr_error *error);

/**
 * Opens a plan on the device if the execution asks for one. If that fails under Auto, falls back to
 * the CPU: returns TSR_OK, with the reason in report->fallback and the rest of the report
 * unchanged.
 */
tsr_status tsr_open_on_device(const tsr_execution *execution, tsr_report *report,
                              tsr_device_opener open, void *plan, tsr_error *error);

/** Returns 1 if the CPU is to do what the device failed to do with this status: the backend is
 * Auto, and the failure is one of the device. Then copies the reason to report->fallback. */
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
