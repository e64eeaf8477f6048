/* SPDX-License-Identifier: BSD-3-Clause */
/** The least number of segments of a polyline whose vertices are among its points, by slow
 * independent code in long double. */
#ifndef TESSERA_TEST_LEAST_H
#define TESSERA_TEST_LEAST_H

#include <stdint.h>

/** 1 if the segment a b is within `error` of the n points x y z, taken in order, by the Frechet
 * distance: each point gets the earliest place on the segment that its distance and the place of
 * the point before allow. */
int polyline_is_within(const double *a, const double *b, const double *x, int64_t n, double error);

/** Number of segments of the shortest path from the first to the last of n points x y z, among all
 * segments that are within the error of the points that they replace (Imai and Iri, 1986). */
int64_t least_segments(const double *x, int n, double error);

#endif
