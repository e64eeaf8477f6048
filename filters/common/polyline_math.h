/* SPDX-License-Identifier: BSD-3-Clause */
/** Classes of polylines by their number of segments; arithmetic that CPU and CUDA share. */
#ifndef TSR_COMMON_POLYLINE_MATH_H
#define TSR_COMMON_POLYLINE_MATH_H

#include "common/common_math.h"
#include "common/tessera_polylines.h"

/** Places in the connectivity that one sum covers; the sums are added in order. */
#define TSR_POLYLINE_PART ((int64_t)1 << 15)

/** Returns the class of a polyline with this many segments. */
TSR_FN int tsr_polyline_class_of(int64_t segments) {
  int k = 0;
  while (k < TSR_POLYLINE_CLASSES - 1 && (int64_t)1 << k <= segments)
    k++;
  return k;
}

/** Returns the length of a segment from its vector. */
TSR_FN double tsr_polyline_leg(double dx, double dy, double dz) {
  return sqrt(dx * dx + dy * dy + dz * dz);
}

#endif
