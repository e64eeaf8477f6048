/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: the list of the steps that every executor runs. See common/run/executor.h. */
#ifndef TSR_CELLS_STEPS_H
#define TSR_CELLS_STEPS_H

#include "cells/output/cell_fill_math.h"
#include "cells/outside/merge_math.h"
#include "cells/outside/range_math.h"
#include "cells/volumes/solid_fill_math.h"
#include "common/run/executor.h"

#define TSR_CELLS_STEPS(STEP)                                                                      \
  STEP(tsr_cells_hash_place, tsr_cells_merger)                                                     \
  STEP(tsr_cells_find_leaders, tsr_cells_merger)                                                   \
  STEP(tsr_cells_rename, tsr_cells_merger)                                                         \
  STEP(tsr_cells_list, tsr_cells_work)                                                             \
  STEP(tsr_cells_hash_face, tsr_cells_work)                                                        \
  STEP(tsr_cells_match, tsr_cells_work)                                                            \
  STEP(tsr_cells_keep, tsr_cells_work)                                                             \
  STEP(tsr_cells_clear_corner, tsr_cells_work)                                                     \
  STEP(tsr_cells_find_corners, tsr_cells_work)                                                     \
  STEP(tsr_cells_count_sides, tsr_cells_work)                                                      \
  STEP(tsr_cells_hash_sides, tsr_cells_work)                                                       \
  STEP(tsr_cells_lead, tsr_cells_work)                                                             \
  STEP(tsr_cells_number_edge, tsr_cells_work)                                                      \
  STEP(tsr_cells_put_field, tsr_cells_field_job)                                                   \
  STEP(tsr_cells_divide, tsr_cells_work)                                                           \
  STEP(tsr_cells_put_target, tsr_cells_target_job)                                                 \
  STEP(tsr_cells_fill_corner, tsr_cells_filler)                                                    \
  STEP(tsr_cells_fill_edge, tsr_cells_filler)                                                      \
  STEP(tsr_cells_fill_inside, tsr_cells_filler)                                                    \
  STEP(tsr_cells_fill_item, tsr_cells_filler)                                                      \
  STEP(tsr_cells_fill_line, tsr_cells_filler)                                                      \
  STEP(tsr_cells_pair_slot, tsr_cells_filler)                                                      \
  STEP(tsr_cells_count_corners, tsr_cells_filler)                                                  \
  STEP(tsr_cells_pair_corners, tsr_cells_filler)                                                   \
  STEP(tsr_cells_clear_normal, tsr_cells_filler)                                                   \
  STEP(tsr_cells_corner_normals, tsr_cells_filler)                                                 \
  STEP(tsr_cells_edge_normals, tsr_cells_filler)                                                   \
  STEP(tsr_cells_face_normals, tsr_cells_filler)                                                   \
  STEP(tsr_cells_corner_parameters, tsr_cells_filler)                                              \
  STEP(tsr_cells_edge_parameters, tsr_cells_filler)                                                \
  STEP(tsr_cells_inside_parameters, tsr_cells_filler)                                              \
  STEP(tsr_solid_list, tsr_cells_work)                                                             \
  STEP(tsr_solid_find_near, tsr_cells_work)                                                        \
  STEP(tsr_solid_list_near, tsr_cells_work)                                                        \
  STEP(tsr_solid_pair, tsr_cells_work)                                                             \
  STEP(tsr_solid_bend, tsr_cells_work)                                                             \
  STEP(tsr_solid_mark, tsr_cells_work)                                                             \
  STEP(tsr_solid_count_rim, tsr_cells_work)                                                        \
  STEP(tsr_solid_fill_rim, tsr_cells_filler)                                                       \
  STEP(tsr_solid_divide, tsr_cells_work)                                                           \
  STEP(tsr_cells_fill_solid_points, tsr_cells_filler)                                              \
  STEP(tsr_cells_fill_solid, tsr_cells_filler)                                                     \
  STEP(tsr_cells_fill_walls, tsr_cells_filler)

#define TSR_CELLS_REDUCTIONS(REDUCTION)                                                            \
  REDUCTION(tsr_cells_look, tsr_cells_work, tsr_cells_facts)                                       \
  REDUCTION(tsr_cells_range, tsr_range_job, tsr_value_range)                                       \
  REDUCTION(tsr_cells_sum, tsr_cells_work, tsr_divided_facts)                                      \
  REDUCTION(tsr_solid_sum, tsr_cells_work, tsr_note_count)

enum { TSR_CELLS_STEPS(TSR_STEP_NUMBER) };
enum { TSR_CELLS_REDUCTIONS(TSR_REDUCTION_NUMBER) };

#endif
