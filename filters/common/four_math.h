/* SPDX-License-Identifier: BSD-3-Clause */
/** Four numbers of single precision side by side. Where a processor has instructions for four,
 * these are written down, because compilers do not find them; everywhere the results are the same
 * bits. */
#ifndef TSR_FOUR_MATH_H
#define TSR_FOUR_MATH_H

#include "common/common_math.h"

#if defined(__SSE2__) && !defined(__CUDACC__) && !defined(TSR_FOUR_PLAIN)
#include <emmintrin.h>

typedef __m128 tsr_four;

TSR_FN tsr_four tsr_four_of(float a, float b, float c, float d) { return _mm_setr_ps(a, b, c, d); }
TSR_FN tsr_four tsr_four_all(float a) { return _mm_set1_ps(a); }
TSR_FN tsr_four tsr_four_add(tsr_four a, tsr_four b) { return _mm_add_ps(a, b); }
TSR_FN tsr_four tsr_four_less(tsr_four a, tsr_four b) { return _mm_sub_ps(a, b); }
TSR_FN tsr_four tsr_four_times(tsr_four a, tsr_four b) { return _mm_mul_ps(a, b); }
TSR_FN tsr_four tsr_four_root(tsr_four a) { return _mm_sqrt_ps(a); }

/** The larger of two; b where one of them is no number. */
TSR_FN tsr_four tsr_four_most(tsr_four a, tsr_four b) { return _mm_max_ps(a, b); }

/** The smaller of two; b where one of them is no number. */
TSR_FN tsr_four tsr_four_least(tsr_four a, tsr_four b) { return _mm_min_ps(a, b); }

/** a where `by` is above 0, else b. */
TSR_FN tsr_four tsr_four_pick(tsr_four by, tsr_four a, tsr_four b) {
  const __m128 mask = _mm_cmpgt_ps(by, _mm_setzero_ps());
  return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}

/** 1 if a <= b for all four. */
TSR_FN int tsr_four_ordered(tsr_four a, tsr_four b) {
  return _mm_movemask_ps(_mm_cmple_ps(a, b)) == 15;
}

#else

typedef struct tsr_four {
  float v[4];
} tsr_four;

TSR_FN tsr_four tsr_four_of(float a, float b, float c, float d) {
  const tsr_four it = {{a, b, c, d}};
  return it;
}

TSR_FN tsr_four tsr_four_all(float a) { return tsr_four_of(a, a, a, a); }

TSR_FN tsr_four tsr_four_add(tsr_four a, tsr_four b) {
  for (int m = 0; m < 4; ++m)
    a.v[m] += b.v[m];
  return a;
}

TSR_FN tsr_four tsr_four_less(tsr_four a, tsr_four b) {
  for (int m = 0; m < 4; ++m)
    a.v[m] -= b.v[m];
  return a;
}

TSR_FN tsr_four tsr_four_times(tsr_four a, tsr_four b) {
  for (int m = 0; m < 4; ++m)
    a.v[m] *= b.v[m];
  return a;
}

TSR_FN tsr_four tsr_four_root(tsr_four a) {
  for (int m = 0; m < 4; ++m)
    a.v[m] = sqrtf(a.v[m]);
  return a;
}

TSR_FN tsr_four tsr_four_most(tsr_four a, tsr_four b) {
  for (int m = 0; m < 4; ++m)
    a.v[m] = a.v[m] > b.v[m] ? a.v[m] : b.v[m];
  return a;
}

TSR_FN tsr_four tsr_four_least(tsr_four a, tsr_four b) {
  for (int m = 0; m < 4; ++m)
    a.v[m] = a.v[m] < b.v[m] ? a.v[m] : b.v[m];
  return a;
}

TSR_FN tsr_four tsr_four_pick(tsr_four by, tsr_four a, tsr_four b) {
  for (int m = 0; m < 4; ++m)
    a.v[m] = by.v[m] > 0.0F ? a.v[m] : b.v[m];
  return a;
}

TSR_FN int tsr_four_ordered(tsr_four a, tsr_four b) {
  int ordered = 1;
  for (int m = 0; m < 4; ++m)
    ordered &= a.v[m] <= b.v[m];
  return ordered;
}

#endif
#endif
