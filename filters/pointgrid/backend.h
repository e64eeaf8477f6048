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
  int64_t n_items;              /**< points that count */
  int64_t *order;               /**< receives n_items: points held, leaf by leaf */
  tsr_pointgrid_leaves *leaves; /**< receives the leaves that are owned here */
  tsr_report *report;           /**< everything about the device is set */
} tsr_pointgrid_job;

/** Every function leaves a sentence in *error (never NULL here) where it does not return TSR_OK. */
typedef struct tsr_pointgrid_backend {
  /** Refuses what cannot run, and starts the device. Of the rule only the use of the spread is
   *  known; points come with sort. */
  tsr_status (*open)(const tsr_pointgrid_job *job, tsr_pointgrid_device **device, tsr_error *error);
  /** Keeps the leaves there, and nothing else. */
  tsr_status (*sort)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job, tsr_error *error);
  /** The points that the leaves kept share. finest: level of the deepest leaf. corner_of: receives
   *  for each corner of each leaf which of them it is. *corners: receives malloc's array of their
   *  places on the finest lattice, rising; *n: how many. */
  tsr_status (*corners)(tsr_pointgrid_device *device, const tsr_pointgrid_job *job, int finest,
                        int64_t *corner_of, uint64_t **corners, int64_t *n, tsr_error *error);
  void (*close)(tsr_pointgrid_device *device);
} tsr_pointgrid_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_pointgrid_backend *tsr_pointgrid_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
