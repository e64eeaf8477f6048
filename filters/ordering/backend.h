/* SPDX-License-Identifier: BSD-3-Clause */
/** The interface between the plan of points to curves and its CUDA backend. Not public. */
#ifndef TSR_ORDERING_BACKEND_H
#define TSR_ORDERING_BACKEND_H

#include "common/run/backend.h"
#include "ordering/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan on a device. */
typedef struct tsr_ordering_device tsr_ordering_device;

/** What a fill works on. The view's arrays and the curves are in the executor's memory. */
typedef struct tsr_ordering_request {
  const tsr_ordering_view *view;
  const tsr_curve_list *curves;
  const tsr_ordering_sizes *sizes;
  const tsr_execution *execution;
  tsr_report *report; /**< the device sets all members about CUDA */
} tsr_ordering_request;

/** The table of functions. A function that does not return TSR_OK fills *error (never NULL here).
 */
typedef struct tsr_ordering_backend {
  /** Opens a device and sets up its executor, which works until the device is closed. */
  tsr_status (*open)(const tsr_execution *execution, tsr_report *report,
                     tsr_ordering_device **device, tsr_executor *executor, tsr_error *error);
  tsr_status (*fill)(tsr_ordering_device *device, const tsr_ordering_request *request,
                     const tsr_ordering_output *output, tsr_error *error);
  /** Frees the device, and all memory that its executor made. */
  void (*close)(tsr_ordering_device *device);
} tsr_ordering_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_ordering_backend *tsr_ordering_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
