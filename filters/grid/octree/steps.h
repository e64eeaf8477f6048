/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: the list of the steps that every executor runs. See
 *  common/run/executor.h. */
#ifndef TSR_GRID_OCTREE_STEPS_H
#define TSR_GRID_OCTREE_STEPS_H

#include "grid/octree/error_math.h"
#include "grid/octree/tree_out_math.h"

#define TSR_OCTREE_STEPS(STEP)                                                                     \
  STEP(tsr_octree_make_key, tsr_octree_input)                                                      \
  STEP(tsr_octree_keep_cell, tsr_octree_input)                                                     \
  STEP(tsr_octree_take_cell, tsr_octree_input)                                                     \
  STEP(tsr_octree_count_nodes, tsr_octree_node_job)                                                \
  STEP(tsr_octree_put_nodes, tsr_octree_node_job)                                                  \
  STEP(tsr_octree_link_node, tsr_octree_node_job)                                                  \
  STEP(tsr_octree_complete_node, tsr_octree_node_job)                                              \
  STEP(tsr_octree_flag_family, tsr_octree_corner_job)                                              \
  STEP(tsr_octree_own, tsr_octree_corner_job)                                                      \
  STEP(tsr_octree_count_slots, tsr_octree_corner_job)                                              \
  STEP(tsr_octree_make_slots, tsr_octree_corner_job)                                               \
  STEP(tsr_octree_count_points, tsr_octree_corner_job)                                             \
  STEP(tsr_octree_number_chunk, tsr_octree_corner_job)                                             \
  STEP(tsr_octree_hold, tsr_octree_corner_job)                                                     \
  STEP(tsr_octree_move_point, tsr_octree_move_job)                                                 \
  STEP(tsr_octree_put_columns, tsr_octree_column_job)                                              \
  STEP(tsr_octree_clear, tsr_octree_clear_job)                                                     \
  STEP(tsr_octree_count_sample, tsr_octree_sample_job)                                             \
  STEP(tsr_octree_put_sample, tsr_octree_sample_job)                                               \
  STEP(tsr_octree_take_sample, tsr_octree_sample_job)                                              \
  STEP(tsr_octree_begin_samples, tsr_octree_sample_job)                                            \
  STEP(tsr_octree_gather, tsr_octree_gather_job)                                                   \
  STEP(tsr_octree_find_corners, tsr_octree_rule_job)                                               \
  STEP(tsr_octree_find_payload, tsr_octree_rule_job)                                               \
  STEP(tsr_octree_ask, tsr_octree_rule_job)                                                        \
  STEP(tsr_octree_decide, tsr_octree_rule_job)                                                     \
  STEP(tsr_octree_look, tsr_octree_rule_job)                                                       \
  STEP(tsr_octree_settle, tsr_octree_rule_job)                                                     \
  STEP(tsr_octree_flag_refined, tsr_octree_close_job)                                              \
  STEP(tsr_octree_put_refined, tsr_octree_close_job)                                               \
  STEP(tsr_octree_count_buffer, tsr_octree_close_job)                                              \
  STEP(tsr_octree_put_buffer, tsr_octree_close_job)                                                \
  STEP(tsr_octree_count_mark, tsr_octree_close_job)                                                \
  STEP(tsr_octree_put_mark, tsr_octree_close_job)                                                  \
  STEP(tsr_octree_clear_height, tsr_octree_close_job)                                              \
  STEP(tsr_octree_flag_word, tsr_octree_close_job)                                                 \
  STEP(tsr_octree_take_word, tsr_octree_close_job)                                                 \
  STEP(tsr_octree_put_split, tsr_octree_close_job)                                                 \
  STEP(tsr_octree_link_split, tsr_octree_close_job)                                                \
  STEP(tsr_octree_set_root, tsr_octree_close_job)                                                  \
  STEP(tsr_octree_link_children, tsr_octree_close_job)                                             \
  STEP(tsr_octree_count_wanted, tsr_octree_close_job)                                              \
  STEP(tsr_octree_put_wanted, tsr_octree_close_job)                                                \
  STEP(tsr_octree_count_leaves, tsr_octree_close_job)                                              \
  STEP(tsr_octree_begin_leaves, tsr_octree_close_job)                                              \
  STEP(tsr_octree_put_leaves, tsr_octree_leaf_job)                                                 \
  STEP(tsr_octree_put_only_leaf, tsr_octree_leaf_job)                                              \
  STEP(tsr_octree_flag_way, tsr_octree_way_job)                                                    \
  STEP(tsr_octree_count_way, tsr_octree_way_job)                                                   \
  STEP(tsr_octree_make_way, tsr_octree_way_job)                                                    \
  STEP(tsr_octree_begin_seen, tsr_octree_guard_job)                                                \
  STEP(tsr_octree_count_looks, tsr_octree_guard_job)                                               \
  STEP(tsr_octree_look_again, tsr_octree_guard_job)                                                \
  STEP(tsr_octree_count_hit, tsr_octree_guard_job)                                                 \
  STEP(tsr_octree_put_hit, tsr_octree_guard_job)                                                   \
  STEP(tsr_octree_count_tree, tsr_octree_out_job)                                                  \
  STEP(tsr_octree_put_root, tsr_octree_out_job)                                                    \
  STEP(tsr_octree_put_children, tsr_octree_out_job)                                                \
  STEP(tsr_octree_count_block, tsr_octree_out_job)                                                 \
  STEP(tsr_octree_put_block, tsr_octree_out_job)                                                   \
  STEP(tsr_octree_put_block_node, tsr_octree_out_job)                                              \
  STEP(tsr_octree_count_parts, tsr_octree_put)                                                     \
  STEP(tsr_octree_put_point, tsr_octree_put)                                                       \
  STEP(tsr_octree_put_connectivity, tsr_octree_put)                                                \
  STEP(tsr_octree_put_offsets, tsr_octree_put)                                                     \
  STEP(tsr_octree_put_types, tsr_octree_put)                                                       \
  STEP(tsr_octree_put_level, tsr_octree_put)                                                       \
  STEP(tsr_octree_put_leaf_number, tsr_octree_put)                                                 \
  STEP(tsr_octree_put_state, tsr_octree_put)                                                       \
  STEP(tsr_octree_put_source, tsr_octree_put)                                                      \
  STEP(tsr_octree_put_node, tsr_octree_put)                                                        \
  STEP(tsr_octree_put_hanging, tsr_octree_put)                                                     \
  STEP(tsr_octree_put_cell_tuple, tsr_octree_put)                                                  \
  STEP(tsr_octree_count_error_looks, tsr_octree_error_job)                                         \
  STEP(tsr_octree_error_look, tsr_octree_error_job)                                                \
  STEP(tsr_octree_clear_ratio, tsr_octree_ratio_job)                                               \
  STEP(tsr_octree_raise_ratio, tsr_octree_ratio_job)                                               \
  STEP(tsr_octree_put_indicator, tsr_octree_put)                                                   \
  STEP(tsr_octree_flag_off, tsr_octree_off_job)                                                    \
  STEP(tsr_octree_find_source, tsr_octree_put)                                                     \
  STEP(tsr_octree_put_point_tuple, tsr_octree_put)

#define TSR_OCTREE_REDUCTIONS(REDUCTION)                                                           \
  REDUCTION(tsr_octree_inspect, tsr_octree_input, tsr_octree_found)                                \
  REDUCTION(tsr_octree_clash, tsr_octree_input, tsr_octree_found)                                  \
  REDUCTION(tsr_octree_stray, tsr_octree_tuple_job, tsr_octree_found)                              \
  REDUCTION(tsr_octree_bounds, tsr_octree_rule_job, tsr_octree_range)                              \
  REDUCTION(tsr_octree_span, tsr_octree_span_job, tsr_octree_range)                                \
  REDUCTION(tsr_octree_odd, tsr_octree_rule_job, tsr_note_count)                                   \
  REDUCTION(tsr_octree_count, tsr_octree_put, tsr_octree_tally)                                    \
  REDUCTION(tsr_octree_off, tsr_octree_off_job, tsr_note_count)                                    \
  REDUCTION(tsr_octree_largest, tsr_octree_error_job, double)                                      \
  REDUCTION(tsr_octree_error, tsr_octree_error_job, double)

enum { TSR_OCTREE_STEPS(TSR_STEP_NUMBER) };
enum { TSR_OCTREE_REDUCTIONS(TSR_REDUCTION_NUMBER) };

#endif
