/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the list of the steps that every executor runs. See common/run/executor.h. */
#ifndef TSR_GRID_STEPS_H
#define TSR_GRID_STEPS_H

#include "common/run/executor.h"
#include "grid/output/patch_math.h"
#include "grid/output/side_math.h"
#include "grid/output/tree_math.h"

#define TSR_GRID_STEPS(STEP)                                                                       \
  STEP(tsr_trees_plant, tsr_trees_job)                                                             \
  STEP(tsr_trees_count, tsr_trees_job)                                                             \
  STEP(tsr_trees_branch, tsr_trees_job)                                                            \
  STEP(tsr_trees_put, tsr_trees_job)                                                               \
  STEP(tsr_patch_begin, tsr_patch_job)                                                             \
  STEP(tsr_patch_count, tsr_patch_job)                                                             \
  STEP(tsr_patch_split, tsr_patch_job)                                                             \
  STEP(tsr_patch_measure, tsr_patch_job)                                                           \
  STEP(tsr_patch_keep, tsr_patch_job)                                                              \
  STEP(tsr_patch_list, tsr_patch_job)                                                              \
  STEP(tsr_bits_clear, tsr_bits)                                                                   \
  STEP(tsr_bits_count_word, tsr_bits)                                                              \
  STEP(tsr_points_mark, tsr_points_job)                                                            \
  STEP(tsr_sides_count, tsr_sides_job)

enum { TSR_GRID_STEPS(TSR_STEP_NUMBER) };

#endif
