/* SPDX-License-Identifier: BSD-3-Clause */
/** The least number of segments, with vertices on the curve: each as long as it can be. */
#ifndef TESSERA_TEST_GREEDY_H
#define TESSERA_TEST_GREEDY_H

#include "curve_set.h"

/**
 * Number of segments for a Bezier cell of the set such that no point of the curve is farther than
 * `error` from its segment. Each segment is made as long as that allows, one after another. Only
 * samples are tested, so the number is never too large.
 */
int64_t greedy_segments(const curve_set *set, int64_t item, double error);

#endif
