/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the table of what CUDA does. All work is steps (steps.h), so
 *  that it only opens and closes a device. Not public. */
#ifndef TSR_MESH_BACKEND_H
#define TSR_MESH_BACKEND_H

#include "common/run/backend.h"
#include "common/run/executor.h"
#include "mesh/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan's place on a device. */
typedef struct tsr_mesh_device tsr_mesh_device;

/** The table of CUDA. */
typedef struct tsr_mesh_backend {
  /** Sets up the executor. keep_bytes: as of the options. */
  tsr_status (*open)(const tsr_execution *execution, int64_t keep_bytes, tsr_report *report,
                     tsr_mesh_device **device, tsr_executor *executor, tsr_error *error);
  /** Frees the device, and all memory that it made. */
  void (*close)(tsr_mesh_device *device);
} tsr_mesh_backend;

/** Returns the table; only where TESSERA_HAS_CUDA is defined. */
const tsr_mesh_backend *tsr_mesh_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
