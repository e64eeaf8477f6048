/* SPDX-License-Identifier: BSD-3-Clause */
/** Products of vectors in space. */
#ifndef TSR_COMMON_VECTOR_MATH_H
#define TSR_COMMON_VECTOR_MATH_H

#include "common/common_math.h"

TSR_FN double tsr_dot(const double a[3], const double b[3]) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/** c = a x b; c is none of the two. */
TSR_FN void tsr_cross(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
