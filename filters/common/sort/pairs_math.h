/* SPDX-License-Identifier: BSD-3-Clause */
/** Keys, and pairs of a key and a value, which executors sort. See common/run/executor.h. */
#ifndef TSR_COMMON_SORT_PAIRS_MATH_H
#define TSR_COMMON_SORT_PAIRS_MATH_H

#include "common/common_math.h"

/** n pairs. The CPU sorts fastest where a key and its value share a word, and else where a value
 *  follows its key; a device, where keys and values are two arrays, and values are narrow. */
typedef struct tsr_pairs {
  uint64_t *keys; /**< the next key is `stride` words further */
  void *values;   /**< wide: int64_t, as far apart as the keys; otherwise uint32_t, in a row */
  int64_t n;
  int stride;
  int wide;
  int key_bits; /**< set before alloc_pairs: keys are below 2^key_bits; 0: they may be any */
  int shift;    /**< above 0: a word is a key shifted left by this, and the value below it */
} tsr_pairs;

/** Sets pair i. value: from 0 to n - 1. */
TSR_FN void tsr_pairs_set(const tsr_pairs *pairs, int64_t i, uint64_t key, int64_t value) {
  if (pairs->shift > 0) {
    pairs->keys[i] = key << pairs->shift | (uint64_t)value;
    return;
  }
  pairs->keys[i * pairs->stride] = key;
  if (pairs->wide)
    ((int64_t *)pairs->values)[i * pairs->stride] = value;
  else
    ((uint32_t *)pairs->values)[i] = (uint32_t)value;
}

TSR_FN uint64_t tsr_pairs_key(const tsr_pairs *pairs, int64_t i) {
  return pairs->keys[i * pairs->stride] >> pairs->shift;
}

TSR_FN int64_t tsr_pairs_value(const tsr_pairs *pairs, int64_t i) {
  if (pairs->shift > 0)
    return (int64_t)(pairs->keys[i] & (((uint64_t)1 << pairs->shift) - 1));
  return pairs->wide ? ((const int64_t *)pairs->values)[i * pairs->stride]
                     : (int64_t)((const uint32_t *)pairs->values)[i];
}

/** Mixes a number into a hash: the finaliser of splitmix64 (Steele, Lea and Flood 2014). */
TSR_FN uint64_t tsr_hash(uint64_t hash, int64_t value) {
  hash = (hash ^ (uint64_t)value) + 0x9e3779b97f4a7c15u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

/** The key of NaN: no number has it. */
#define TSR_KEY_NAN UINT64_MAX

/** A double as an integer that compares like it. */
TSR_FN uint64_t tsr_key_of_double(double v) {
  const uint64_t sign = (uint64_t)1 << 63;
  uint64_t bits;
  if (!(v == v))
    return TSR_KEY_NAN;
  if (v == 0.0)
    return sign;
  memcpy(&bits, &v, sizeof bits);
  return bits & sign ? ~bits : bits | sign;
}

TSR_FN uint64_t tsr_key_of_int(int64_t v) { return (uint64_t)v ^ ((uint64_t)1 << 63); }

/** The key of value i of an array; without an array (no components), of i itself. */
TSR_FN uint64_t tsr_key(const tsr_array *array, int64_t i) {
  if (array->components == 0)
    return (uint64_t)i;
  switch (array->type) {
  case TSR_INT8:
    return tsr_key_of_int(((const int8_t *)array->data)[i]);
  case TSR_UINT8:
    return ((const uint8_t *)array->data)[i];
  case TSR_INT16:
    return tsr_key_of_int(((const int16_t *)array->data)[i]);
  case TSR_UINT16:
    return ((const uint16_t *)array->data)[i];
  case TSR_INT32:
    return tsr_key_of_int(((const int32_t *)array->data)[i]);
  case TSR_UINT32:
    return ((const uint32_t *)array->data)[i];
  case TSR_INT64:
    return tsr_key_of_int(((const int64_t *)array->data)[i]);
  case TSR_UINT64:
    return ((const uint64_t *)array->data)[i];
  case TSR_FLOAT:
    return tsr_key_of_double((double)((const float *)array->data)[i]);
  case TSR_DOUBLE:
    return tsr_key_of_double(((const double *)array->data)[i]);
  }
  return 0;
}

#endif
