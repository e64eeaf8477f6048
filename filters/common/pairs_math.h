/* SPDX-License-Identifier: BSD-3-Clause */
/** Pairs of a key and a value, which executors sort. See common/executor.h. */
#ifndef TSR_COMMON_PAIRS_MATH_H
#define TSR_COMMON_PAIRS_MATH_H

#include "common/common_math.h"

/** n pairs. The CPU sorts fastest where a value follows its key; a device, where keys and values
 *  are two arrays, and values are narrow. */
typedef struct tsr_pairs {
  uint64_t *keys; /**< the next key is `stride` words further */
  void *values;   /**< wide: int64_t, as far apart as the keys; otherwise uint32_t, in a row */
  int64_t n;
  int stride;
  int wide;
} tsr_pairs;

/** Sets pair i. value: from 0 to n - 1. */
TSR_FN void tsr_pairs_set(const tsr_pairs *pairs, int64_t i, uint64_t key, int64_t value) {
  pairs->keys[i * pairs->stride] = key;
  if (pairs->wide)
    ((int64_t *)pairs->values)[i * pairs->stride] = value;
  else
    ((uint32_t *)pairs->values)[i] = (uint32_t)value;
}

TSR_FN uint64_t tsr_pairs_key(const tsr_pairs *pairs, int64_t i) {
  return pairs->keys[i * pairs->stride];
}

TSR_FN int64_t tsr_pairs_value(const tsr_pairs *pairs, int64_t i) {
  return pairs->wide ? ((const int64_t *)pairs->values)[i * pairs->stride]
                     : (int64_t)((const uint32_t *)pairs->values)[i];
}

#endif
