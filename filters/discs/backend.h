/* SPDX-License-Identifier: BSD-3-Clause */
/** The interface between the plan of a disc image and its CUDA backend. Not public. */
#ifndef TSR_DISCS_BACKEND_H
#define TSR_DISCS_BACKEND_H

#include "common/backend.h"
#include "discs/discs_math.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan's arrays on a device. */
typedef struct tsr_discs_device tsr_discs_device;

/** What the backend works on: the plan's own structs, all of them valid while it is open. */
typedef struct tsr_discs_request {
  const tsr_discs_view *view;
  const tsr_discs_options *options;
  const tsr_execution *execution;
  const tsr_disc_rules *rules;
  const double *falloff;  /**< TSR_FALLOFF_STEPS + 1 */
  tsr_discs_sizes *sizes; /**< open sets inside, outside and notes */
  tsr_report *report;     /**< the device sets all members about CUDA */
} tsr_discs_request;

/** The table of functions. A function that does not return TSR_OK fills *error (never NULL here).
 */
typedef struct tsr_discs_backend {
  /** Fails if the plan cannot run on the device; else uploads the view, sorts the discs into
   * drawing order and projects them. */
  tsr_status (*open)(const tsr_discs_request *request, tsr_discs_device **device, tsr_error *error);
  tsr_status (*fill)(tsr_discs_device *device, const tsr_discs_request *request,
                     const tsr_discs_output *output, tsr_error *error);
  void (*close)(tsr_discs_device *device);
} tsr_discs_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_discs_backend *tsr_discs_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
