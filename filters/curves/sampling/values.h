/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curves on the CPU: Bezier values of a polynomial cubic, all components of several arrays side by
 * side. A span has few control values, so that the vectors go along the components.
 */
#ifndef TSR_CURVES_SAMPLING_VALUES_H
#define TSR_CURVES_SAMPLING_VALUES_H

#include "curves/span/span_math.h"

/** Most components of all arrays. */
#define TSR_MOST_VALUES 128

#define TSR_CUBIC_ORDER 4

/** One number for each component. */
typedef double tsr_value_row[TSR_MOST_VALUES];

/** Where a component is: one of the two is NULL. */
typedef struct tsr_value_place {
  const float *single;
  const double *twice; /**< of double precision */
  int64_t stride;      /**< components of its array */
} tsr_value_place;

typedef struct tsr_values {
  int wide; /**< tsr_lanes_are_wide() */
  int n;    /**< components of all arrays */
  tsr_value_place places[TSR_MOST_VALUES];
  tsr_value_row u[TSR_CUBIC_ORDER]; /**< values at the stencil; 0 behind the last component */
  tsr_value_row q[TSR_CUBIC_ORDER]; /**< Bezier values */
} tsr_values;

/** Starts with no arrays. */
void tsr_values_init(tsr_values *values, int wide);

/** Adds an array, which must outlive the values. Returns 0 if there is no room, or if it is neither
 *  of single nor of double precision. */
int tsr_values_add(tsr_values *values, const tsr_array *array);

/** Number of components, rounded up to whole vectors. */
static inline int tsr_values_rows(const tsr_values *values) { return (values->n + 3) & ~3; }

/** Sets q to the span's Bezier values, as tsr_span_values() finds them. Returns 0 if the span is no
 *  polynomial cubic that is Bezier or Catmull-Rom. */
int tsr_values_load(tsr_values *values, const tsr_span *span);

#endif
