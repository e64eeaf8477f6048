/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The search of a budget: the smallest scale, at least 1, at which something fits. It is doubled
 * until it fits, and the bracket is then bisected in proportion. Not public.
 *
 *     1    2    4    8                  doubled: 8 is the first that fits
 *               |----*----|             sqrt(4 * 8) fits or not: one half goes
 *               |--*-|
 *                 ...                   until the ends are within 1/64: the upper one is it
 */
#ifndef TSR_BRACKET_H
#define TSR_BRACKET_H

#include "common/support.h"

/** Tries a scale: sets *fits. What does not fit is an answer; a failure ends the search. */
typedef tsr_status (*tsr_bracket_try)(void *context, double scale, int *fits, tsr_error *error);

/**
 * Searches, with `scale` growing from 1 to `coarsest`; what fits at a scale must fit at larger
 * ones. scale: receives the smallest that was seen to fit, or infinity where even the coarsest does
 * not. The last try need not have been at *scale. Fails as `fits` does.
 */
tsr_status tsr_bracket_search(tsr_bracket_try fits, void *context, double coarsest, double *scale,
                              tsr_error *error);

#endif
