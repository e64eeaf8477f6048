/* SPDX-License-Identifier: BSD-3-Clause */
/** A point and a segment, in double and in long double. */
#ifndef TESSERA_TEST_SEGMENT_H
#define TESSERA_TEST_SEGMENT_H

#include <math.h>

typedef long double real;

/** Square of the distance of p from the segment a b, in double. */
static inline double segment_distance2(const double *a, const double *b, const double *p) {
  double along = 0.0, square = 0.0, rest = 0.0;
  for (int c = 0; c < 3; c++) {
    along += (p[c] - a[c]) * (b[c] - a[c]);
    square += (b[c] - a[c]) * (b[c] - a[c]);
  }
  double t = square > 0.0 ? along / square : 0.0;
  t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  for (int c = 0; c < 3; c++) {
    const double d = p[c] - (a[c] + t * (b[c] - a[c]));
    rest += d * d;
  }
  return rest;
}

/** Distance of p from the segment a b. */
static inline double segment_distance(const double *a, const double *b, const real *p) {
  real along = 0, square = 0, rest = 0;
  for (int c = 0; c < 3; c++) {
    const real d = (real)b[c] - a[c];
    along += (p[c] - a[c]) * d;
    square += d * d;
  }
  real t = square > 0 ? along / square : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  for (int c = 0; c < 3; c++) {
    const real d = p[c] - (a[c] + t * ((real)b[c] - a[c]));
    rest += d * d;
  }
  return (double)sqrtl(rest);
}

/** Places on the segment a b within `reach` of a point, from *first to *last, 0 to 1. Returns 0
 * where there are none. */
static inline int segment_within(const double *a, const double *b, const real *p, real reach,
                                 real *first, real *last) {
  real along = 0, square = 0, rest = 0;
  for (int c = 0; c < 3; c++) {
    const real d = (real)b[c] - a[c];
    along += (p[c] - a[c]) * d;
    square += d * d;
  }
  const real t = square > 0 ? along / square : 0;
  for (int c = 0; c < 3; c++) {
    const real d = p[c] - (a[c] + t * ((real)b[c] - a[c]));
    rest += d * d;
  }
  if (rest > reach * reach) {
    return 0;
  }
  const real half = square > 0 ? sqrtl((reach * reach - rest) / square) : 2;
  *first = fmaxl(t - half, 0);
  *last = fminl(t + half, 1);
  return *first <= *last;
}

#endif
