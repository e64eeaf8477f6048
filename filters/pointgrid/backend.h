/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: what the CPU and the CUDA backend work on, and the table of what each of them does
 *  by hand-written code. All other work is steps (steps.h). Not public. */
#ifndef TSR_POINTGRID_BACKEND_H
#define TSR_POINTGRID_BACKEND_H

#include "common/processes/tessera_processes.h"
#include "common/run/backend.h"
#include "common/run/executor.h"
#include "pointgrid/pointgrid_math.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a plan is made of. The processes share the points between `points` set to those of the view
 *  and all later phases. */
typedef struct tsr_pointgrid_input {
  tsr_pointgrid_view view; /**< of the caller */
  tsr_pointgrid_options options;
  const tsr_execution *execution;
  const tsr_processes *processes;
  tsr_pointgrid_cube cube;
  tsr_pointgrid_rule rule;
  tsr_array points;      /**< points held: those of the view, or those received */
  const uint8_t *hidden; /**< of the points held: not 0 = left out; NULL: none is */
  tsr_array spread;      /**< the spread array of the points held */
  int64_t n_items;       /**< points held that count: not hidden, and finite */
  tsr_report *report;
} tsr_pointgrid_input;

/** A list of leaves. */
typedef struct tsr_pointgrid_leaves {
  tsr_pointgrid_leaf *at;
  int64_t n, room;
} tsr_pointgrid_leaves;

/** The sorted points, in the memory of the executor. */
typedef struct tsr_pointgrid_sorted {
  tsr_pointgrid_leaves leaves; /**< in Morton order */
  int64_t *order;              /**< points held, leaf by leaf: input.n_items */
} tsr_pointgrid_sorted;

/** A plan's place on a device. */
typedef struct tsr_pointgrid_device tsr_pointgrid_device;

/** The table of functions. A function that does not return TSR_OK fills *error (never NULL here).
 *  device: what `open` made. */
typedef struct tsr_pointgrid_backend {
  /** Sets up the executor. Fails if the plan cannot run on the device; cube and rule are not known
   *  yet, except whether the rule has a spread. The input must stay where it is. */
  tsr_status (*open)(const tsr_pointgrid_input *input, tsr_pointgrid_device **device,
                     tsr_executor *executor, tsr_error *error);
  /** Sorts the points into the leaves that are owned here. */
  tsr_status (*sort)(tsr_pointgrid_device *device, const tsr_pointgrid_input *input,
                     tsr_pointgrid_sorted *sorted, tsr_error *error);
  /** Writes mean, least and greatest of one attribute of the points held for each leaf, or for each
   *  of `cells` cells of TREE. cell_leaf: NULL, or of each cell of TREE the index of its leaf, or
   *  -1 - (its first child), or INT64_MIN if it is foreign; a device has no TREE. */
  tsr_status (*values)(tsr_pointgrid_device *device, const tsr_pointgrid_input *input,
                       const tsr_pointgrid_sorted *sorted, const int64_t *cell_leaf, int64_t cells,
                       const tsr_pointgrid_attribute *attribute, tsr_error *error);
  /** Frees the device, and all memory that it made. */
  void (*close)(tsr_pointgrid_device *device);
} tsr_pointgrid_backend;

/** The table of the CPU, whose device is NULL. */
const tsr_pointgrid_backend *tsr_pointgrid_cpu(void);

/** The table of CUDA; only where TESSERA_HAS_CUDA is defined. */
const tsr_pointgrid_backend *tsr_pointgrid_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
