/* SPDX-License-Identifier: BSD-3-Clause */
/** The least number of segments of a polyline with vertices among its points, by a slow loop of its
 *  own in long double. */
#ifndef TESSERA_TEST_LEAST_H
#define TESSERA_TEST_LEAST_H

#include <stdint.h>

/** 1 if the segment a b is within `error` of the n points x y z in order, by the Frechet distance:
 *  each gets the earliest place that its distance and the one before it allow. */
int polyline_is_within(const double *a, const double *b, const double *x, int64_t n, double error);

/** Segments of the shortest path from the first to the last of n points x y z, among all segments
 *  within the error of what they stand for (Imai and Iri, 1986). */
int64_t least_segments(const double *x, int n, double error);

#endif
