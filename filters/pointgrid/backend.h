/* SPDX-License-Identifier: BSD-3-Clause */
/** What the CUDA backend gets to sort points with, and what it gives back. Not public. */
#ifndef TSR_POINTGRID_BACKEND_H
#define TSR_POINTGRID_BACKEND_H

#include "common/backend.h"
#include "pointgrid/pointgrid_math.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A leaf and its points: order[begin .. begin + count). */
typedef struct tsr_pointgrid_leaf {
  uint64_t key; /**< its first */
  int64_t begin, count;
  int level;
} tsr_pointgrid_leaf;

/** Leaves in Morton order; `at` is malloc's. */
typedef struct tsr_pointgrid_leaves {
  tsr_pointgrid_leaf *at;
  int64_t n, room;
} tsr_pointgrid_leaves;

/** The box of the points that count. */
typedef struct tsr_pointgrid_box {
  double low[3], high[3]; /**< high below low: there is no point */
  int64_t bad, first_bad; /**< points that are not finite; of none -1 */
  int64_t kept;           /**< points that count */
} tsr_pointgrid_box;

/** What is told of leaves. */
typedef struct tsr_pointgrid_summary {
  int64_t of_level[TSR_POINTGRID_MAX_LEVEL + 1];
  int64_t full, first_full; /**< leaves that hold too many points; of none -1 */
} tsr_pointgrid_summary;

/** A plan's place on a device. */
typedef struct tsr_pointgrid_device tsr_pointgrid_device;

/** What the backend works on: the plan's own structs, all of them valid while it is open. */
typedef struct tsr_pointgrid_job {
  const tsr_execution *execution;
  const tsr_pointgrid_launch *launch;
  const tsr_pointgrid_cube *cube;
  const tsr_pointgrid_rule *rule;
  const tsr_array *points; /**< held */
  const uint8_t *hidden;   /**< one a point, or NULL */
  const tsr_array *spread; /**< held; where the rule uses it */
  int spread_component;
  int64_t n_items;    /**< points that count */
  int64_t first_leaf; /**< number of the first leaf here among those of all */
  tsr_pointgrid_output_kind output;
  tsr_report *report; /**< everything about the device is set */
} tsr_pointgrid_job;

/** Every function leaves a sentence in *error (never NULL here) where it does not return TSR_OK. */
typedef struct tsr_pointgrid_backend {
  /** Refuses what cannot run, and starts the device. Of the rule only the use of the spread is
   *  known; points come later. */
  tsr_status (*open)(const tsr_pointgrid_job *job, tsr_pointgrid_device **device, tsr_error *error);
  /** Uploads the points, and finds their box: the cube need not be known. May be left out. */
  tsr_status (*box)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job,
                    tsr_pointgrid_box *box, tsr_error *error);
  /** Sorts the points into the leaves that are owned here, and keeps both there. *n: how many
   *  leaves. */
  tsr_status (*sort)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job,
                     tsr_pointgrid_summary *summary, int64_t *n, tsr_error *error);
  /** Downloads them. order: receives n_items: points held, leaf by leaf. leaves: receives all. */
  tsr_status (*fetch)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job, int64_t *order,
                      tsr_pointgrid_leaf *leaves, tsr_error *error);
  /** Finds the points that the leaves kept share, and keeps them there. finest: level of the
   *  deepest leaf. *n: how many points. */
  tsr_status (*corners)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job, int finest,
                        int64_t *n, tsr_error *error);
  /** Writes all of the output but the attributes and the state: cells after corners, or points. */
  tsr_status (*fill)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job,
                     const tsr_pointgrid_output *output, tsr_error *error);
  /** Writes one attribute, whose array is of the points held. */
  tsr_status (*attribute)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job,
                          const tsr_pointgrid_attribute *attribute, tsr_error *error);
  void (*close)(tsr_pointgrid_device *device);
} tsr_pointgrid_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_pointgrid_backend *tsr_pointgrid_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
