/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Spans of one degree, known to the compiler.
 *
 * Where all spans of an input are polynomial and of one degree, as those of streamlines are, a
 * kernel that is compiled for that degree needs no loop over control points that is not unrolled,
 * and keeps them in registers: local memory is what the kernel for any span waits for. Such a .cu
 * file defines TSR_ONE_DEGREE before it includes anything: the degree then is a number in the code
 * wherever the arithmetic asks a net or a span for it. It is also constant that no span is rational
 * or a Lagrange cell, that no vertex lies off the curve, and that the curvature rule is off. The
 * arithmetic and its bits do not change.
 */
#ifndef TSR_CURVES_SPAN_DEGREE_H
#define TSR_CURVES_SPAN_DEGREE_H

#include "common/common_math.h"
#include "curves/tessera_curves.h"

#ifdef TSR_ONE_DEGREE

/** An int that is always N, whatever it is set to. A template, so that each file has its own. */
template <int N> struct tsr_always {
  __host__ __device__ constexpr operator int() const { return N; }
  __host__ __device__ constexpr void operator=(int) {}
};
typedef tsr_always<TSR_ONE_DEGREE> tsr_degree;
typedef tsr_always<TSR_ONE_DEGREE + 1> tsr_order;
typedef tsr_always<0> tsr_rational;

/** tsr_load, with what is neither float nor double out of line: the code of a kernel that has all
 *  types at every place is larger than what a multiprocessor keeps of it. */
[[maybe_unused]] static __host__ __device__ __noinline__ double
tsr_get_integer(const void *data, tsr_type type, int64_t i) {
  const tsr_array array = {data, type, 1, 0};
  return tsr_load(&array, i);
}
TSR_FN double tsr_get(const tsr_array *array, int64_t i) {
  if (array->type == TSR_FLOAT)
    return (double)((const float *)array->data)[i];
  if (array->type == TSR_DOUBLE)
    return ((const double *)array->data)[i];
  return tsr_get_integer(array->data, array->type, i);
}
#define TSR_MAX_ORDER (TSR_ONE_DEGREE < 3 ? 4 : TSR_ONE_DEGREE + 1)

#else

typedef int tsr_degree;
typedef int tsr_order;
typedef int tsr_rational;
#define tsr_get tsr_load
#define TSR_MAX_ORDER (TSR_MAX_DEGREE + 1)

#endif

/** 1 if spans may be of any degree, rational, Lagrange cells, with vertices off the curve, or
 *  counted by the curvature rule. */
#ifdef TSR_ONE_DEGREE
#define TSR_ANY_SPAN 0
#else
#define TSR_ANY_SPAN 1
#endif

#endif
