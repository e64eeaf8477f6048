/* SPDX-License-Identifier: BSD-3-Clause */
/** The interface between the plan of points to curves and its CUDA backend. Not public. */
#ifndef TSR_ORDERING_BACKEND_H
#define TSR_ORDERING_BACKEND_H

#include "common/backend.h"
#include "ordering/ordering_math.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan's arrays on a device. */
typedef struct tsr_ordering_device tsr_ordering_device;

/** What the backend works on: the plan's own structs, all of them valid while it is open. */
typedef struct tsr_ordering_request {
  const tsr_ordering_view *view;
  const tsr_ordering_options *options;
  const tsr_execution *execution;
  tsr_ordering_sizes *sizes; /**< open sets them */
  tsr_report *report;        /**< the device sets all members about CUDA */
} tsr_ordering_request;

/** The table of functions. A function that does not return TSR_OK fills *error (never NULL here).
 */
typedef struct tsr_ordering_backend {
  /** Uploads the view, sorts, and finds repeats and cuts. */
  tsr_status (*open)(const tsr_ordering_request *request, tsr_ordering_device **device,
                     tsr_error *error);
  tsr_status (*fill)(tsr_ordering_device *device, const tsr_ordering_request *request,
                     const tsr_ordering_output *output, tsr_error *error);
  void (*close)(tsr_ordering_device *device);
} tsr_ordering_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_ordering_backend *tsr_ordering_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
