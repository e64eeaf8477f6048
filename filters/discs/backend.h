/* SPDX-License-Identifier: BSD-3-Clause */
/** What CUDA does with disc images, and what it gets for that. Not public. */
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
typedef struct tsr_discs_job {
  const tsr_discs_view *view;
  const tsr_discs_options *options;
  const tsr_execution *execution;
  const tsr_disc_rules *rules;
  const double *falloff;  /**< TSR_FALLOFF_STEPS + 1 */
  tsr_discs_sizes *sizes; /**< open sets inside, outside and notes */
  tsr_report *report;     /**< everything about the device is set */
} tsr_discs_job;

/** Every function leaves a sentence in *error (never NULL here) where it does not return TSR_OK. */
typedef struct tsr_discs_backend {
  /** Refuses what cannot run, uploads the view, orders the discs and makes them. */
  tsr_status (*open)(const tsr_discs_job *job, tsr_discs_device **device, tsr_error *error);
  tsr_status (*fill)(tsr_discs_device *device, const tsr_discs_job *job,
                     const tsr_discs_output *output, tsr_error *error);
  void (*close)(tsr_discs_device *device);
} tsr_discs_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_discs_backend *tsr_discs_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
