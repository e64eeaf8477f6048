/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: random Bezier curves. A part of the public header; include tessera.h. */
#ifndef TSR_CURVES_TESSERA_RANDOM_CURVES_H
#define TSR_CURVES_TESSERA_RANDOM_CURVES_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Greatest degree of a random curve. */
#define TSR_RANDOM_CURVES_MAX_DEGREE 10

/** Most random curves. */
#define TSR_RANDOM_CURVES_MAX 2147483647

/** Which curves. Set up by tsr_random_curves_options_init; defaults in brackets. */
typedef struct tsr_random_curves_options {
  size_t struct_size;
  int64_t count; /**< [1000] 0 to TSR_RANDOM_CURVES_MAX */
  int64_t seed;  /**< [1] the control points come from it */
  int degree;    /**< [2] of all of them, 1 to TSR_RANDOM_CURVES_MAX_DEGREE */
} tsr_random_curves_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_random_curves_options_init(tsr_random_curves_options *options);

/** The options that the user sets; n: receives how many. */
const tsr_property *tsr_random_curves_properties(int *n);

/** Checks the options; fails with BAD_OPTION and a whole sentence for the user. */
tsr_status tsr_random_curves_check(const tsr_random_curves_options *options, tsr_error *error);

/**
 * Makes the control points of Bezier curves [begin, end), uniform in the unit cube. A curve depends
 * on the seed, the degree and its index only.
 * degree: 1 to TSR_RANDOM_CURVES_MAX_DEGREE.
 * points: receives (end - begin) x (degree + 1) x 3 values, curve after curve.
 * Fails with BAD_OPTION.
 */
tsr_status tsr_random_curves_fill(int64_t seed, int degree, int64_t begin, int64_t end,
                                  float *points, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
