/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the rooms' CUDA backends have in common: opening a plan on a device, and falling back to the
 * CPU. Each room's own backend.h has the table of its backend's functions. Not public.
 */
#ifndef TSR_COMMON_RUN_BACKEND_H
#define TSR_COMMON_RUN_BACKEND_H

#include "common/tessera_common.h"
#include "common/tessera_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Decides whether a plan may run on a device, and sets *on_device. Fails if the backend is
 * unknown, if CUDA is asked for and not built in, or if arrays may lie on a device and the CPU is
 * asked for.
 */
tsr_status tsr_choose_device(const tsr_execution *execution, int *on_device, tsr_error *error);

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

/** Fails with BAD_OPTION if execution->device_arrays is set. who: what takes arrays on the host
 *  only, as the subject of a sentence in the plural. */
tsr_status tsr_refuse_device_arrays(const tsr_execution *execution, const char *who,
                                    tsr_error *error);

/** Copies `bytes` bytes between any two of host memory and the memory of the execution's device,
 *  after the work on execution->stream, and waits for them. Without device_arrays both must be on
 *  the host. */
tsr_status tsr_copy_anywhere(const tsr_execution *execution, void *to, const void *from,
                             int64_t bytes, tsr_error *error);

/** Sets *on_device to 1 if execution->device_arrays is set and the array lies on a device. */
tsr_status tsr_lies_on_device(const tsr_execution *execution, const void *array, int *on_device,
                              tsr_error *error);

/** Memory that devices share with the host. */
typedef struct tsr_memory_backend {
  /** Host memory that the device writes into at full speed; see tsr_output_alloc. */
  void *(*alloc)(size_t bytes);
  int64_t (*waiting)(void);
  void (*free)(void *memory);
  /** See tsr_memory_traffic, tsr_copy_anywhere and tsr_lies_on_device. */
  tsr_bus_traffic (*traffic)(void);
  tsr_status (*copy)(const tsr_execution *execution, void *to, const void *from, int64_t bytes,
                     tsr_error *error);
  tsr_status (*lies_on_device)(const tsr_execution *execution, const void *array, int *on_device,
                               tsr_error *error);
} tsr_memory_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_memory_backend *tsr_memory_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
