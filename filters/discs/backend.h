/* SPDX-License-Identifier: BSD-3-Clause */
/** The interface between the plan of a disc image and its CUDA backend. Not public. */
#ifndef TSR_DISCS_BACKEND_H
#define TSR_DISCS_BACKEND_H

#include "common/run/backend.h"
#include "discs/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan on a device. */
typedef struct tsr_discs_device tsr_discs_device;

/** What a fill works on. The list's arrays are in the executor's memory. */
typedef struct tsr_discs_request {
  const tsr_disc_list *list;
  const tsr_discs_sizes *sizes;
  const tsr_execution *execution;
  tsr_report *report; /**< the device sets all members about CUDA */
} tsr_discs_request;

/** The table of functions. A function that does not return TSR_OK fills *error (never NULL here).
 */
typedef struct tsr_discs_backend {
  /** Fails if the plan cannot run on the device; else opens it and sets up its executor, which
   * works until the device is closed. */
  tsr_status (*open)(const tsr_discs_launch *launch, const tsr_execution *execution,
                     tsr_report *report, tsr_discs_device **device, tsr_executor *executor,
                     tsr_error *error);
  tsr_status (*fill)(tsr_discs_device *device, const tsr_discs_request *request,
                     const tsr_discs_output *output, tsr_error *error);
  /** Frees the device, and all memory that its executor made. */
  void (*close)(tsr_discs_device *device);
} tsr_discs_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_discs_backend *tsr_discs_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
