/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: the table of what CUDA does by hand, which is to open and to close a device. All
 *  other work is steps (steps.h). Not public. */
#ifndef TSR_CELLS_BACKEND_H
#define TSR_CELLS_BACKEND_H

#include "cells/steps.h"
#include "common/run/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan's place on a device. */
typedef struct tsr_cells_device tsr_cells_device;

/** The table of CUDA. */
typedef struct tsr_cells_backend {
  /** Sets up the executor. */
  tsr_status (*open)(const tsr_execution *execution, tsr_report *report, tsr_cells_device **device,
                     tsr_executor *executor, tsr_error *error);
  /** Frees the device, and all memory that it made. */
  void (*close)(tsr_cells_device *device);
} tsr_cells_backend;

/** Returns the table; only where TESSERA_HAS_CUDA is defined. */
const tsr_cells_backend *tsr_cells_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
