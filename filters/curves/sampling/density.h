/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the density of a span and the steps that follow from it, by loops that become vectors.
 */
#ifndef TSR_CURVES_SAMPLING_DENSITY_H
#define TSR_CURVES_SAMPLING_DENSITY_H

#include "curves/sampling/equal_math.h"

/** Steps of a walk that are found together. */
#define TSR_STEPS 8

/** Calls tsr_density_of_span. */
void tsr_density_make(tsr_density *density, const tsr_span_case *it);

/** Finds where the steps of a walk from number walk->k on end, as tsr_near_fixed and
 *  tsr_density_place do. wide: criteria->wide. */
void tsr_density_steps(const tsr_walk *walk, int wide, double ends[TSR_STEPS]);

#endif
