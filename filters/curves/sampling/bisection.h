/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: nodes of a bisection that fail for certain, found side by side without their pieces. */
#ifndef TSR_CURVES_SAMPLING_BISECTION_H
#define TSR_CURVES_SAMPLING_BISECTION_H

#include "curves/sampling/criteria_math.h"

/** Levels of a bisection that are looked at before a walk: the nodes of the deepest one, 2^5, and
 *  their children are bits of a word. */
#define TSR_LEVELS_BEFORE 6

/** Finds nodes of a polynomial cubic that do not keep its chord error. A node that is not found may
 *  keep it or not.
 *  levels: 1 to TSR_LEVELS_BEFORE; fails: receives for each level a bit for each node, from the
 *  lowest: 1 if it fails. The root, level 0, is not looked at: its bit is 0. */
void tsr_find_failing(const tsr_span_case *it, int levels, uint64_t *fails);

#endif
