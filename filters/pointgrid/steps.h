/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the list of the steps that every executor runs. See common/run/executor.h. */
#ifndef TSR_POINTGRID_STEPS_H
#define TSR_POINTGRID_STEPS_H

#include "pointgrid/output/output_math.h"
#include "pointgrid/tree/tree_math.h"

#define TSR_POINTGRID_STEPS(STEP)                                                                  \
  STEP(tsr_pointgrid_make_corner, tsr_pointgrid_corners)                                           \
  STEP(tsr_pointgrid_flag_corner, tsr_pointgrid_corners)                                           \
  STEP(tsr_pointgrid_number_corner, tsr_pointgrid_corners)                                         \
  STEP(tsr_pointgrid_put_corner, tsr_pointgrid_put)                                                \
  STEP(tsr_pointgrid_put_point, tsr_pointgrid_put)                                                 \
  STEP(tsr_pointgrid_put_multiple, tsr_pointgrid_put)                                              \
  STEP(tsr_pointgrid_put_index, tsr_pointgrid_put)                                                 \
  STEP(tsr_pointgrid_put_level, tsr_pointgrid_put)                                                 \
  STEP(tsr_pointgrid_put_count, tsr_pointgrid_put)                                                 \
  STEP(tsr_pointgrid_put_density, tsr_pointgrid_put)                                               \
  STEP(tsr_pointgrid_put_point_levels, tsr_pointgrid_put)                                          \
  STEP(tsr_pointgrid_put_point_leaves, tsr_pointgrid_put)                                          \
  STEP(tsr_pointgrid_put_tuple, tsr_pointgrid_put)

#define TSR_POINTGRID_REDUCTIONS(REDUCTION)                                                        \
  REDUCTION(tsr_pointgrid_bound, tsr_pointgrid_bound_job, tsr_pointgrid_box)                       \
  REDUCTION(tsr_pointgrid_summarise, tsr_pointgrid_summarise_job, tsr_pointgrid_summary)

enum { TSR_POINTGRID_STEPS(TSR_STEP_NUMBER) };
enum { TSR_POINTGRID_REDUCTIONS(TSR_REDUCTION_NUMBER) };

#endif
