/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: the list of the steps that every executor runs. See common/run/executor.h. */
#ifndef TSR_DISCS_STEPS_H
#define TSR_DISCS_STEPS_H

#include "common/run/executor.h"
#include "discs/discs_math.h"

#define TSR_DISCS_STEPS(STEP)                                                                      \
  STEP(tsr_disc_make_pair, tsr_disc_list)                                                          \
  STEP(tsr_disc_take_point, tsr_disc_list)

#define TSR_DISCS_REDUCTIONS(REDUCTION) REDUCTION(tsr_disc_project, tsr_disc_list, tsr_disc_sums)

enum { TSR_DISCS_STEPS(TSR_STEP_NUMBER) };
enum { TSR_DISCS_REDUCTIONS(TSR_REDUCTION_NUMBER) };

#endif
