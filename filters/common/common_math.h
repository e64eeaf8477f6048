/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What all arithmetic headers share: the function qualifier and the reading of arrays.
 *
 * The arithmetic headers (*_math.h) are compiled by C and CUDA compilers alike and must give the
 * same bits: double precision, + - * / sqrt fabs, comparisons and integers only; contraction
 * into fused multiply-adds is switched off by the build.
 */
#ifndef TSR_COMMON_COMMON_MATH_H
#define TSR_COMMON_COMMON_MATH_H

#include "common/tessera_common.h"

#include <math.h>
#ifndef __cplusplus
#include <stdatomic.h>
#endif
#include <string.h>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "Tessera's arithmetic must not be compiled with fast-math: results would differ"
#endif

/** TSR_FAR_FN: large and rarely called; a kernel has it once, out of the way of what is. */
#ifdef __CUDACC__
#define TSR_FN static __host__ __device__ inline
#define TSR_FAR_FN [[maybe_unused]] static __host__ __device__ __noinline__
#else
#define TSR_FN static inline
#define TSR_FAR_FN static inline
#endif

/** Stands before a short loop in the body of another loop. Gcc makes vectors of the outer loop only
 * if the inner one is unrolled, and unrolls it by itself too late. Clang needs no such hint. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define TSR_UNROLL _Pragma("GCC unroll 8")
#else
#define TSR_UNROLL
#endif

/** Sets a byte to 1, which several items of a step may do: every order of the items gives the same
 *  bytes. C has a relaxed atomic store for it, which costs no more than another store. CUDA's
 * memory model takes a volatile store for a relaxed one (PTX ISA, Memory Consistency Model). */
TSR_FN void tsr_set_flag(uint8_t *flag) {
#ifdef __cplusplus
  *(volatile uint8_t *)flag = 1;
#else
  atomic_store_explicit((_Atomic uint8_t *)flag, 1, memory_order_relaxed);
#endif
}

/** Adds the warnings of a part. Parts may come in any order. */
TSR_FN void tsr_note_join(tsr_note_count *all, tsr_note_count part) {
  if (part.count > 0 && (all->count == 0 || part.first < all->first))
    all->first = part.first;
  all->count += part.count;
}

/** Adds a warning about item i to each of the notes whose bits are set. */
TSR_FN void tsr_note_item(tsr_note_count *notes, int bits, int64_t i) {
  const tsr_note_count one = {1, i};
  for (int k = 0; bits >> k; ++k)
    if (bits >> k & 1)
      tsr_note_join(&notes[k], one);
}

/** Bytes of a value of the type; 0 for an unknown type. */
TSR_FN size_t tsr_value_size(tsr_type type) {
  switch (type) {
  case TSR_INT8:
  case TSR_UINT8:
    return 1;
  case TSR_INT16:
  case TSR_UINT16:
    return 2;
  case TSR_INT32:
  case TSR_UINT32:
  case TSR_FLOAT:
    return 4;
  case TSR_INT64:
  case TSR_UINT64:
  case TSR_DOUBLE:
    return 8;
  }
  return 0;
}

/** Value i (not tuple i) of an array, as a double. */
TSR_FN double tsr_load(const tsr_array *array, int64_t i) {
  switch (array->type) {
  case TSR_FLOAT:
    return (double)((const float *)array->data)[i];
  case TSR_DOUBLE:
    return ((const double *)array->data)[i];
  case TSR_INT8:
    return (double)((const int8_t *)array->data)[i];
  case TSR_UINT8:
    return (double)((const uint8_t *)array->data)[i];
  case TSR_INT16:
    return (double)((const int16_t *)array->data)[i];
  case TSR_UINT16:
    return (double)((const uint16_t *)array->data)[i];
  case TSR_INT32:
    return (double)((const int32_t *)array->data)[i];
  case TSR_UINT32:
    return (double)((const uint32_t *)array->data)[i];
  case TSR_INT64:
    return (double)((const int64_t *)array->data)[i];
  case TSR_UINT64:
    return (double)((const uint64_t *)array->data)[i];
  }
  return 0.0;
}

/** Tuple i of an array of 3 components, as doubles. */
TSR_FN void tsr_load3(const tsr_array *array, int64_t i, double x[3]) {
  if (array->type == TSR_FLOAT) {
    const float *from = (const float *)array->data + 3 * i;
    x[0] = (double)from[0];
    x[1] = (double)from[1];
    x[2] = (double)from[2];
  } else if (array->type == TSR_DOUBLE) {
    const double *from = (const double *)array->data + 3 * i;
    x[0] = from[0];
    x[1] = from[1];
    x[2] = from[2];
  } else {
    for (int c = 0; c < 3; ++c)
      x[c] = tsr_load(array, 3 * i + c);
  }
}

/** Entry i of an index array of type TSR_INT32 or TSR_INT64. */
TSR_FN int64_t tsr_load_index(const void *data, tsr_type type, int64_t i) {
  return type == TSR_INT32 ? (int64_t)((const int32_t *)data)[i] : ((const int64_t *)data)[i];
}

/** Stores it; the caller has checked that the value fits. */
TSR_FN void tsr_store_index(void *data, tsr_type type, int64_t i, int64_t value) {
  if (type == TSR_INT32)
    ((int32_t *)data)[i] = (int32_t)value;
  else
    ((int64_t *)data)[i] = value;
}

/* Rounds half away from zero and clamps to the type; not-a-number becomes 0. The limits are
 * compared as doubles, so that the conversion never overflows; the fraction is exact at every size.
 */
#define TSR_DEFINE_ROUND(NAME, T, LOWEST, HIGHEST)                                                 \
  TSR_FN T NAME(double v) {                                                                        \
    T whole;                                                                                       \
    if (!(v == v))                                                                                 \
      return (T)0;                                                                                 \
    if (v >= (double)(HIGHEST))                                                                    \
      return (HIGHEST);                                                                            \
    if (v <= (double)(LOWEST))                                                                     \
      return (LOWEST);                                                                             \
    whole = (T)v;                                                                                  \
    if (v - (double)whole >= 0.5)                                                                  \
      return (T)(whole + 1);                                                                       \
    if (v - (double)whole <= -0.5)                                                                 \
      return (T)(whole - 1);                                                                       \
    return whole;                                                                                  \
  }
TSR_DEFINE_ROUND(tsr_to_int8, int8_t, INT8_MIN, INT8_MAX)
TSR_DEFINE_ROUND(tsr_to_uint8, uint8_t, 0, UINT8_MAX)
TSR_DEFINE_ROUND(tsr_to_int16, int16_t, INT16_MIN, INT16_MAX)
TSR_DEFINE_ROUND(tsr_to_uint16, uint16_t, 0, UINT16_MAX)
TSR_DEFINE_ROUND(tsr_to_int32, int32_t, INT32_MIN, INT32_MAX)
TSR_DEFINE_ROUND(tsr_to_uint32, uint32_t, 0, UINT32_MAX)
TSR_DEFINE_ROUND(tsr_to_int64, int64_t, INT64_MIN, INT64_MAX)
TSR_DEFINE_ROUND(tsr_to_uint64, uint64_t, 0, UINT64_MAX)

/* NaN with the bits of a CUDA device's conversion to float, since processors keep the bits of the
 * NaN that they were given: both backends store the same one. */
TSR_FN float tsr_to_float(double v) {
  const uint32_t bits = 0x7fffffffu;
  float nan;
  memcpy(&nan, &bits, sizeof nan);
  return v == v ? (float)v : nan;
}

TSR_FN double tsr_to_double(double v) {
  const uint64_t bits = (uint64_t)0x7ff8 << 48;
  double nan;
  memcpy(&nan, &bits, sizeof nan);
  return v == v ? v : nan;
}

/** Stores n doubles as `type`, `stride` values apart, from out on. NaN loses its payload. */
TSR_FN void tsr_store(void *out, tsr_type type, int64_t stride, const double *values, int64_t n) {
#define TSR_STORE(T, CONVERT)                                                                      \
  for (int64_t i = 0; i < n; ++i)                                                                  \
    ((T *)out)[i * stride] = CONVERT(values[i]);                                                   \
  break
  switch (type) {
  case TSR_FLOAT:
    TSR_STORE(float, tsr_to_float);
  case TSR_DOUBLE:
    TSR_STORE(double, tsr_to_double);
  case TSR_INT8:
    TSR_STORE(int8_t, tsr_to_int8);
  case TSR_UINT8:
    TSR_STORE(uint8_t, tsr_to_uint8);
  case TSR_INT16:
    TSR_STORE(int16_t, tsr_to_int16);
  case TSR_UINT16:
    TSR_STORE(uint16_t, tsr_to_uint16);
  case TSR_INT32:
    TSR_STORE(int32_t, tsr_to_int32);
  case TSR_UINT32:
    TSR_STORE(uint32_t, tsr_to_uint32);
  case TSR_INT64:
    TSR_STORE(int64_t, tsr_to_int64);
  case TSR_UINT64:
    TSR_STORE(uint64_t, tsr_to_uint64);
  }
#undef TSR_STORE
}

/** The number that tsr_store() leaves in an array of `type` when it is given v. */
TSR_FN double tsr_stored_value(tsr_type type, double v) {
  switch (type) {
  case TSR_FLOAT:
    return (double)tsr_to_float(v);
  case TSR_DOUBLE:
    return tsr_to_double(v);
  case TSR_INT8:
    return (double)tsr_to_int8(v);
  case TSR_UINT8:
    return (double)tsr_to_uint8(v);
  case TSR_INT16:
    return (double)tsr_to_int16(v);
  case TSR_UINT16:
    return (double)tsr_to_uint16(v);
  case TSR_INT32:
    return (double)tsr_to_int32(v);
  case TSR_UINT32:
    return (double)tsr_to_uint32(v);
  case TSR_INT64:
    return (double)tsr_to_int64(v);
  case TSR_UINT64:
    return (double)tsr_to_uint64(v);
  }
  return v;
}

/** Largest magnitude of a coordinate: squares and cubes of it stay finite. */
#define TSR_LARGEST_COORDINATE 1e100

/** Largest magnitude of a coordinate where points are stored in single precision: a curve leaves
 *  the box of its points by less than 1000 times their size (Lagrange cells of degree 15 go
 *  furthest), and single precision ends at 3.4e38. */
#define TSR_LARGEST_SINGLE 3e35

/** 1 if v is a number of usable size (false for NaN). */
TSR_FN int tsr_usable(double v) { return fabs(v) <= TSR_LARGEST_COORDINATE; }

/** The least integer n >= v with 1 <= n <= cap; NaN gives 1. */
TSR_FN int64_t tsr_ceil_count(double v, int64_t cap) {
  int64_t n;
  if (!(v > 1.0))
    return 1;
  if (v >= (double)cap)
    return cap;
  n = (int64_t)v;
  return (double)n < v ? n + 1 : n;
}

#endif
