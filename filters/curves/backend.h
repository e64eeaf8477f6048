/* SPDX-License-Identifier: BSD-3-Clause */
/** The interface between the curves' plan and its CUDA backend. Not public. */
#ifndef TSR_CURVES_BACKEND_H
#define TSR_CURVES_BACKEND_H

#include "common/run/backend.h"
#include "curves/sampling/criteria_math.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan's arrays on a device. */
typedef struct tsr_curves_device tsr_curves_device;

/** What the backend works on: the plan's own structs, all of them valid while it is open. */
typedef struct tsr_curves_request {
  const tsr_curves_view *view;
  const tsr_execution *execution;
  const tsr_curves_launch *launch;
  const tsr_curves_criteria *criteria;
  int64_t limit_points;    /**< most points that the plan may have */
  int64_t fine_limit;      /**< most segments before joints go */
  tsr_curves_sizes *sizes; /**< count sets them */
  tsr_report *report;      /**< the device sets all members about CUDA */
  int64_t *n_spans;        /**< open sets it */
} tsr_curves_request;

/** The table of functions. A function that does not return TSR_OK fills *error (never NULL here).
 */
typedef struct tsr_curves_backend {
  /** Fails if the plan cannot run on the device; else uploads the view and checks the items. */
  tsr_status (*open)(const tsr_curves_request *request, tsr_curves_device **device,
                     tsr_error *error);
  /** Finds the bounding box of the good curves: see tsr_curves_bounds. */
  tsr_status (*bounds)(tsr_curves_device *device, double bounds[6], tsr_error *error);
  /** Counts the segments with the request's criteria, and sums them up. */
  tsr_status (*count)(tsr_curves_device *device, const tsr_curves_request *request,
                      tsr_error *error);
  tsr_status (*fill)(tsr_curves_device *device, const tsr_curves_request *request,
                     const tsr_curves_output *output, tsr_error *error);
  void (*close)(tsr_curves_device *device);
} tsr_curves_backend;

/** What makes an output smaller: for the sentence that there is no room for it. */
static inline const char *tsr_curves_advice(const tsr_curves_criteria *criteria) {
  return criteria->sampling == TSR_SAMPLING_EQUAL_ARC_LENGTH ? "ask for fewer or longer segments"
                                                             : "raise the tolerances";
}

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_curves_backend *tsr_curves_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
