/* SPDX-License-Identifier: BSD-3-Clause */
/** Coarsening on the CPU: vertices from which a segment can end at the next vertex only. */
#ifndef TSR_CURVES_COARSEN_LONE_H
#define TSR_CURVES_COARSEN_LONE_H

#include "curves/coarsen/chain_math.h"

/** Sets lone[i] to 1 for each vertex i < chain->last from which a segment, for certain, ends at
 *  vertex i + 1: tsr_look_far() would list that end alone. Sets it to 0 where that is not certain.
 *  The chain's planes are those of tsr_chain_finish(). A reach that is set below 0 later makes no
 *  lone vertex another one. wide: tsr_lanes_are_wide(). */
void tsr_chain_find_lone(const tsr_chain *chain, int wide, uint8_t *lone);

#endif
