/* SPDX-License-Identifier: BSD-3-Clause */
/** How far vectors differ from a plane, and in which directions of it they point. */
#ifndef TSR_CELLS_DIVIDE_SPREAD_MATH_H
#define TSR_CELLS_DIVIDE_SPREAD_MATH_H

#include "cells/divide/bend_math.h"
#include "common/vector_math.h"

/** What is known of all vectors that were put in. Those in the plane are the parts of the vectors
 *  in the plane across `normal`. */
typedef struct tsr_spread {
  const double *normal;   /**< of length 1 */
  double along;           /**< largest part along the normal */
  double least;           /**< least length in the plane; 0: two may be 180 degrees apart there */
  double middle[3];       /**< in the plane: vectors at less than 90 degrees to it are told apart */
  double low[3], high[3]; /**< in the plane: the first and the last, as they turn around normal */
} tsr_spread;

/** Part of a x b along n. */
TSR_FN double tsr_turned(const double n[3], const double a[3], const double b[3]) {
  double x[3];
  tsr_cross(a, b, x);
  return tsr_dot(n, x);
}

TSR_FN void tsr_copy_vector(const double from[3], double to[3]) {
  for (int c = 0; c < 3; ++c)
    to[c] = from[c];
}

TSR_FN void tsr_spread_begin(const double *normal, const double middle[3], tsr_spread *to) {
  to->normal = normal;
  to->along = 0.0;
  to->least = TSR_BEND_MOST;
  for (int c = 0; c < 3; ++c)
    to->middle[c] = to->low[c] = to->high[c] = middle[c];
}

TSR_FN void tsr_spread_put(tsr_spread *it, const double at[3]) {
  const double along = tsr_dot(at, it->normal);
  double flat[3], size;
  it->along = tsr_larger_bend(it->along, fabs(along));
  for (int c = 0; c < 3; ++c)
    flat[c] = at[c] - along * it->normal[c];
  size = sqrt(tsr_dot(flat, flat));
  if (!(tsr_dot(flat, it->middle) > 0.0))
    size = 0.0;
  it->least = size < it->least ? size : it->least;
  if (tsr_turned(it->normal, it->low, flat) < 0.0)
    tsr_copy_vector(flat, it->low);
  if (tsr_turned(it->normal, it->high, flat) > 0.0)
    tsr_copy_vector(flat, it->high);
}

/** Lower bound of the part of a x b along their normal, for any means a of some vectors and b of
 *  others, if that of both middles is above 0; 0: none is known. */
TSR_FN double tsr_spread_facing(const tsr_spread *a, const tsr_spread *b) {
  const double first = tsr_turned(a->normal, a->high, b->low) /
                       sqrt(tsr_dot(a->high, a->high) * tsr_dot(b->low, b->low));
  const double last = tsr_turned(a->normal, a->low, b->high) /
                      sqrt(tsr_dot(a->low, a->low) * tsr_dot(b->high, b->high));
  const double sine = first < last ? first : last;
  return first > 0.0 && last > 0.0 ? sine * (a->least * b->least) : 0.0;
}

#endif
