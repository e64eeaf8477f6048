/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: what CUDA does by hand, which is to open and to close a
 *  device. All other work is steps (steps.h). Not public. */
#ifndef TSR_GRID_OCTREE_BACKEND_H
#define TSR_GRID_OCTREE_BACKEND_H

#include "common/run/backend.h"
#include "grid/octree/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan's place on a device. */
typedef struct tsr_octree_device tsr_octree_device;

/** The table of CUDA. */
typedef struct tsr_octree_backend {
  /** Sets up the executor. keep_bytes: as of the options. */
  tsr_status (*open)(const tsr_execution *execution, int64_t keep_bytes, tsr_report *report,
                     tsr_octree_device **device, tsr_executor *executor, tsr_error *error);
  /** Frees the device, and all memory that it made. */
  void (*close)(tsr_octree_device *device);
} tsr_octree_backend;

/** Returns the table; only where TESSERA_HAS_CUDA is defined. */
const tsr_octree_backend *tsr_octree_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
