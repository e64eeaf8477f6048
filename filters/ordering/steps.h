/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: the list of the steps that every executor runs. See common/run/executor.h. */
#ifndef TSR_ORDERING_STEPS_H
#define TSR_ORDERING_STEPS_H

#include "common/run/executor.h"
#include "ordering/curves_math.h"

#define TSR_ORDERING_STEPS(STEP)                                                                   \
  STEP(tsr_make_word, tsr_sort_phase)                                                              \
  STEP(tsr_read_word, tsr_sort_phase)                                                              \
  STEP(tsr_find_repeats_of, tsr_finder)                                                            \
  STEP(tsr_flag_cut, tsr_finder)                                                                   \
  STEP(tsr_count_points, tsr_finder)                                                               \
  STEP(tsr_put_total, tsr_finder_totals)                                                           \
  STEP(tsr_place_points, tsr_placer)

#define TSR_ORDERING_REDUCTIONS(REDUCTION)                                                         \
  REDUCTION(tsr_examine_point, tsr_ordering_view, tsr_point_facts)

enum { TSR_ORDERING_STEPS(TSR_STEP_NUMBER) };
enum { TSR_ORDERING_REDUCTIONS(TSR_REDUCTION_NUMBER) };

#endif
