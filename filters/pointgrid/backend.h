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
  uint64_t key; /**< the lowest Morton key in the leaf */
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
  int64_t bad, first_bad; /**< points that are not finite: their number, and the first; -1: none */
  int64_t kept;           /**< points that count */
} tsr_pointgrid_box;

/** Numbers of leaves, for sizes and notes. */
typedef struct tsr_pointgrid_summary {
  int64_t of_level[TSR_POINTGRID_MAX_LEVEL + 1]; /**< leaves of each level */
  int64_t full, first_full; /**< leaves with more than max_points: their number, and the first; -1:
                                 none */
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
  tsr_report *report; /**< the device sets all members about CUDA */
} tsr_pointgrid_job;

/** The table of functions. A function that does not return TSR_OK fills *error (never NULL here).
 */
typedef struct tsr_pointgrid_backend {
  /** Fails if the plan cannot run on the device. Points are not uploaded yet, and of the rule only
   *  the use of the spread is set. */
  tsr_status (*open)(const tsr_pointgrid_job *job, tsr_pointgrid_device **device, tsr_error *error);
  /** Uploads the points and finds their box; the cube need not be known. Optional: sort uploads the
   *  points otherwise. */
  tsr_status (*box)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job,
                    tsr_pointgrid_box *box, tsr_error *error);
  /** Sorts the points into the leaves that are owned here; both stay on the device. *n: receives
   * the number of leaves. */
  tsr_status (*sort)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job,
                     tsr_pointgrid_summary *summary, int64_t *n, tsr_error *error);
  /** After sort: downloads its result. order: receives n_items indices of points held, leaf by
   * leaf. leaves: receives all leaves. */
  tsr_status (*fetch)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job, int64_t *order,
                      tsr_pointgrid_leaf *leaves, tsr_error *error);
  /** After sort: finds the corners of the leaves, each once; they stay on the device. finest: level
   *  of the deepest leaf. *n: receives the number of corners. */
  tsr_status (*corners)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job, int finest,
                        int64_t *n, tsr_error *error);
  /** Writes the whole output except attributes and state. CELLS needs corners before. */
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
