/* SPDX-License-Identifier: BSD-3-Clause */
/** Polylines by their number of segments: what a device finds out as the CPU does. */
#ifndef TSR_POLYLINE_MATH_H
#define TSR_POLYLINE_MATH_H

#include "common/common_math.h"
#include "common/tessera_polylines.h"

/** Places in the connectivity that one sum covers; the sums are added in order. */
#define TSR_POLYLINE_PART ((int64_t)1 << 15)

/** The class of a polyline of so many segments. */
TSR_FN int tsr_polyline_class_of(int64_t segments) {
  int k = 0;
  while (k < TSR_POLYLINE_CLASSES - 1 && (int64_t)1 << k <= segments)
    k++;
  return k;
}

/** How far a place is from the one before it. */
TSR_FN double tsr_polyline_leg(double dx, double dy, double dz) {
  return sqrt(dx * dx + dy * dy + dz * dz);
}

#endif
