/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the list of the steps that every executor runs. See
 *  common/run/executor.h. */
#ifndef TSR_MESH_STEPS_H
#define TSR_MESH_STEPS_H

#include "mesh/boundary_math.h"
#include "mesh/check_math.h"
#include "mesh/value_math.h"

#define TSR_MESH_STEPS(STEP)                                                                       \
  STEP(tsr_mesh_unmark, tsr_mesh)                                                                  \
  STEP(tsr_mesh_mark, tsr_mesh)                                                                    \
  STEP(tsr_mesh_count_edges, tsr_mesh_edge_job)                                                    \
  STEP(tsr_mesh_put_edges, tsr_mesh_edge_job)                                                      \
  STEP(tsr_mesh_find_shared, tsr_mesh_edge_job)                                                    \
  STEP(tsr_mesh_put_place, tsr_mesh)                                                               \
  STEP(tsr_mesh_touch, tsr_mesh_touch_job)                                                         \
  STEP(tsr_mesh_put_held, tsr_mesh_touch_job)                                                      \
  STEP(tsr_mesh_clear_marks, tsr_mesh_marks)                                                       \
  STEP(tsr_mesh_clear_wanted, tsr_mesh_marks)                                                      \
  STEP(tsr_mesh_count_blocks, tsr_mesh_nodes_job)                                                  \
  STEP(tsr_mesh_put_blocks, tsr_mesh_nodes_job)                                                    \
  STEP(tsr_mesh_count_nodes, tsr_mesh_nodes_job)                                                   \
  STEP(tsr_mesh_put_nodes, tsr_mesh_nodes_job)                                                     \
  STEP(tsr_mesh_count_wanted, tsr_mesh_list_job)                                                   \
  STEP(tsr_mesh_put_wanted, tsr_mesh_list_job)                                                     \
  STEP(tsr_mesh_unpack, tsr_mesh_unpack_job)                                                       \
  STEP(tsr_mesh_flag_unique, tsr_mesh_unique_job)                                                  \
  STEP(tsr_mesh_take_unique, tsr_mesh_unique_job)                                                  \
  STEP(tsr_mesh_count_above, tsr_mesh_above_job)                                                   \
  STEP(tsr_mesh_put_above, tsr_mesh_above_job)                                                     \
  STEP(tsr_mesh_copy, tsr_mesh_copy_job)                                                           \
  STEP(tsr_mesh_link_root, tsr_mesh_tree_job)                                                      \
  STEP(tsr_mesh_link_split, tsr_mesh_tree_job)                                                     \
  STEP(tsr_mesh_put_leaves, tsr_mesh_tree_job)                                                     \
  STEP(tsr_mesh_find_pushed, tsr_mesh_tree_job)                                                    \
  STEP(tsr_mesh_find_asked, tsr_mesh_tree_job)                                                     \
  STEP(tsr_mesh_want_leaf, tsr_mesh_tree_job)                                                      \
  STEP(tsr_mesh_want_fresh, tsr_mesh_tree_job)                                                     \
  STEP(tsr_mesh_count_faces, tsr_mesh_boundary_job)                                                \
  STEP(tsr_mesh_hash_faces, tsr_mesh_boundary_job)                                                 \
  STEP(tsr_mesh_find_open, tsr_mesh_boundary_job)                                                  \
  STEP(tsr_mesh_flag_open, tsr_mesh_boundary_job)                                                  \
  STEP(tsr_mesh_find_runs, tsr_mesh_push_job)                                                      \
  STEP(tsr_mesh_push, tsr_mesh_push_job)                                                           \
  STEP(tsr_mesh_put_pushed, tsr_mesh_push_job)                                                     \
  STEP(tsr_mesh_gather, tsr_mesh_gather_job)                                                       \
  STEP(tsr_mesh_find_height, tsr_mesh_height_job)                                                  \
  STEP(tsr_mesh_make_slot, tsr_mesh_corner_job)                                                    \
  STEP(tsr_mesh_flag_corner, tsr_mesh_corner_job)                                                  \
  STEP(tsr_mesh_number_corner, tsr_mesh_corner_job)                                                \
  STEP(tsr_mesh_find_spot, tsr_mesh_corner_job)                                                    \
  STEP(tsr_mesh_flag_far, tsr_mesh_corner_job)                                                     \
  STEP(tsr_mesh_list_far, tsr_mesh_corner_job)                                                     \
  STEP(tsr_mesh_want_leaves, tsr_mesh_corner_job)                                                  \
  STEP(tsr_mesh_find_closest, tsr_mesh_corner_job)                                                 \
  STEP(tsr_mesh_reach_corner, tsr_mesh_corner_job)                                                 \
  STEP(tsr_mesh_find_source, tsr_mesh_corner_job)                                                  \
  STEP(tsr_mesh_reach_leaf, tsr_mesh_corner_job)                                                   \
  STEP(tsr_mesh_put_value, tsr_mesh_value_job)                                                     \
  STEP(tsr_mesh_put_mean, tsr_mesh_value_job)                                                      \
  STEP(tsr_mesh_clear_off, tsr_mesh_value_job)                                                     \
  STEP(tsr_mesh_compare, tsr_mesh_value_job)                                                       \
  STEP(tsr_mesh_count_off, tsr_mesh_value_job)                                                     \
  STEP(tsr_mesh_put_off, tsr_mesh_value_job)                                                       \
  STEP(tsr_mesh_put_level, tsr_mesh_value_job)                                                     \
  STEP(tsr_mesh_put_index, tsr_mesh_value_job)                                                     \
  STEP(tsr_mesh_put_corners, tsr_mesh_value_job)                                                   \
  STEP(tsr_mesh_put_outside, tsr_mesh_value_job)                                                   \
  STEP(tsr_mesh_put_inside, tsr_mesh_value_job)                                                    \
  STEP(tsr_mesh_put_source, tsr_mesh_value_job)                                                    \
  STEP(tsr_mesh_put_point_place, tsr_mesh_value_job)                                               \
  STEP(tsr_mesh_put_cell_place, tsr_mesh_value_job)                                                \
  STEP(tsr_mesh_put_point_tuple, tsr_mesh_value_job)                                               \
  STEP(tsr_mesh_put_cell_tuple, tsr_mesh_value_job)

#define TSR_MESH_REDUCTIONS(REDUCTION)                                                             \
  REDUCTION(tsr_mesh_check, tsr_mesh, tsr_mesh_found)                                              \
  REDUCTION(tsr_mesh_measure, tsr_mesh, tsr_mesh_found)                                            \
  REDUCTION(tsr_mesh_wanted, tsr_mesh_marks, int64_t)                                              \
  REDUCTION(tsr_mesh_bounds, tsr_mesh, tsr_mesh_box)                                               \
  REDUCTION(tsr_mesh_left, tsr_mesh_corner_job, int64_t)                                           \
  REDUCTION(tsr_mesh_leaves_left, tsr_mesh_corner_job, int64_t)                                    \
  REDUCTION(tsr_mesh_outsiders, tsr_mesh_tree_job, int64_t)                                        \
  REDUCTION(tsr_mesh_values, tsr_mesh_range_job, tsr_mesh_range)

enum { TSR_MESH_STEPS(TSR_STEP_NUMBER) };
enum { TSR_MESH_REDUCTIONS(TSR_REDUCTION_NUMBER) };

#endif
