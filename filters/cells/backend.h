/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curved cells: what CUDA supplies beside the steps (steps.h): opening and closing a device, and
 * the choice between two tables of kernels. Not public.
 *
 * A step has arrays as long as its cells have nodes, and a device sets memory for them aside for
 * every thread that it can run at once. So there are kernels for cells of degree up to
 * TSR_CELLS_LOW_DEGREE beside those for all cells: the same steps, with shorter arrays.
 */
#ifndef TSR_CELLS_BACKEND_H
#define TSR_CELLS_BACKEND_H

#include "cells/steps.h"
#include "common/run/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Largest degree of the kernels with short arrays. */
#define TSR_CELLS_LOW_DEGREE 4

/** A plan's place on a device. */
typedef struct tsr_cells_device tsr_cells_device;

/** Functions that CUDA supplies. */
typedef struct tsr_cells_backend {
  /** Sets up the executor. keep_bytes: as of the options. */
  tsr_status (*open)(const tsr_execution *execution, int64_t keep_bytes, tsr_report *report,
                     tsr_cells_device **device, tsr_executor *executor, tsr_error *error);
  /** Chooses the kernels by the largest degree of the cells. Until then those for all degrees run.
   */
  void (*set_degree)(tsr_executor *executor, int degree);
  /** Frees the device, and all memory that it made. */
  void (*close)(tsr_cells_device *device);
} tsr_cells_backend;

/** Returns the table; only where TESSERA_HAS_CUDA is defined. */
const tsr_cells_backend *tsr_cells_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
