/* SPDX-License-Identifier: BSD-3-Clause */
/** What the CUDA backend offers to filters/, and what it gets from there. Not public. */
#ifndef TSR_BACKEND_H
#define TSR_BACKEND_H

#include "curves/criteria_math.h"
#include "device/tessera_device.h"
#include "grid/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan's arrays on a device. */
typedef struct tsr_device_plan tsr_device_plan;

/** What the backend works on: the plan's own structs, all of them valid while it is open. */
typedef struct tsr_device_job {
  const tsr_curves_view *view;
  const tsr_execution *execution;
  const tsr_criteria *criteria;
  int64_t limit_points;    /**< most points that the plan may have */
  tsr_curves_sizes *sizes; /**< count sets them */
  tsr_report *report;      /**< everything about the device is set */
  int64_t *n_spans;        /**< open sets it */
} tsr_device_job;

/** Every function leaves a sentence in *error (never NULL here) where it does not return TSR_OK. */
typedef struct tsr_backend {
  /** Refuses what cannot run, uploads the view and checks the items. */
  tsr_status (*open)(const tsr_device_job *job, tsr_device_plan **plan, tsr_error *error);
  /** Counts the segments with the job's criteria, and sums them up. */
  tsr_status (*count)(tsr_device_plan *plan, const tsr_device_job *job, tsr_error *error);
  tsr_status (*fill)(tsr_device_plan *plan, const tsr_device_job *job,
                     const tsr_curves_output *output, tsr_error *error);
  void (*close)(tsr_device_plan *plan);
  int (*count_devices)(void);
  void (*report)(tsr_devices *devices);
  void (*release)(void);
  void *(*output_alloc)(size_t bytes);
  int64_t (*output_waiting)(void);
  void (*output_free)(void *memory);
  /** Refuses what cannot run, and uploads the arrays of the criteria. */
  tsr_status (*grid_open)(const tsr_grid_job *job, tsr_grid_device **grid, tsr_error *error);
  /** Decides the levels down to the input cells, by the job's rules. */
  tsr_status (*grid_decide)(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);
  /** Means and errors of an array. *done: 0 where the array is not on the device, or of a kind that
   *  the CPU is to look at. */
  tsr_status (*grid_values)(tsr_grid_device *grid, const tsr_grid_job *job,
                            const tsr_grid_values *values, int *done, tsr_error *error);
  void (*grid_close)(tsr_grid_device *grid);
} tsr_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_backend *tsr_cuda_backend(void);

/** The table, or NULL where CUDA is not built in. */
const tsr_backend *tsr_device_backend(void);

/** The backend that the execution asks for; *backend is NULL where the CPU is to do the work. */
tsr_status tsr_device_wanted(const tsr_execution *execution, const tsr_backend **backend,
                             tsr_error *error);

/** 1 if the CPU shall do what the device failed to do with this status and error. */
int tsr_device_falls_back(const tsr_execution *execution, tsr_status status);

#ifdef __cplusplus
}
#endif
#endif
