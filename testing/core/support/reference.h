/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Slow, obvious evaluation of curves in long double, from the textbooks: de Casteljau for Bezier,
 * the Cox-de Boor recursion for B-splines, the Barry-Goldman pyramid for Catmull-Rom, the product
 * formula for Lagrange. It shares no line with the code under test.
 */
#ifndef TESSERA_TEST_REFERENCE_H
#define TESSERA_TEST_REFERENCE_H

#include "curve_set.h"

/** Most components that reference_value can take. */
#define REFERENCE_COMPONENTS 4

/** How many spans the item has. */
int64_t reference_spans(const curve_set *set, int64_t item);

/**
 * The value at u of a span of an item. values: `components` numbers for each point of the set
 * (set->points with 3 for the position). The first span of a closed B-spline is that whose first
 * control point is the item's first.
 */
void reference_value(const curve_set *set, int64_t item, tsr_knots knots, double tension,
                     const double *values, int components, int64_t span, double u, double *out);

/** Parameters between which piece k of the connectivity of polyline `cell` replaces the curve. */
void reference_piece(const curve_set *set, const tessellation *out, int64_t cell, int64_t k,
                     double *from, double *to);

/** Greatest distance found between the curve of polyline `cell` and that polyline, by looking at
 *  `samples` parameters inside each segment. */
double measured_error(const curve_set *set, const tessellation *out, int64_t cell, tsr_knots knots,
                      double tension, int samples);

#endif
