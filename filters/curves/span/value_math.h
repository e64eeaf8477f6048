/* SPDX-License-Identifier: BSD-3-Clause */
/** Array values at a point of a span, where doubles and sums over all control values will not do:
 *  integers of 64 bits, and values that are not numbers. */
#ifndef TSR_CURVES_SPAN_VALUE_MATH_H
#define TSR_CURVES_SPAN_VALUE_MATH_H

#include "curves/span/span_math.h"

/** 1 if a component of an array of 64-bit integers is the same, bit for bit, at `count` entries of
 *  the span's stencil from `first` on: it is then that number in between, too, which a double may
 *  not hold. */
TSR_FN int tsr_span_is_constant(const tsr_span *span, const tsr_array *array, int component,
                                int first, int count) {
  const int64_t *values = (const int64_t *)array->data;
  const int64_t n = array->components;
  if (array->type != TSR_INT64 && array->type != TSR_UINT64)
    return 0;
  for (int j = first + 1; j < first + count; ++j)
    if (values[span->id[j] * n + component] != values[span->id[first] * n + component])
      return 0;
  return 1;
}

/** Linear interpolation that does not look at a value whose weight is 0. */
TSR_FN double tsr_mix(double a, double b, double t) {
  if (t == 0.0)
    return a;
  return t == 1.0 ? b : (1.0 - t) * a + t * b;
}

/** Value at u of a component that follows the span linearly. */
TSR_FN double tsr_span_linear_value(const tsr_span *span, const tsr_array *array, int component,
                                    double u) {
  int j;
  const double t = tsr_span_linear(span, u, &j);
  return tsr_mix(tsr_get(array, span->id[j] * array->components + component),
                 tsr_get(array, span->id[j + 1] * array->components + component), t);
}

/** Weight at u of stencil entry j of a polynomial span; basis: Bernstein's at u. */
TSR_FN double tsr_span_weight(const tsr_span *span, const double *basis, int j) {
  double sum = 0.0;
  if (span->form == TSR_FORM_BEZIER)
    return basis[j];
  for (int i = 0; i <= span->degree; ++i)
    sum += basis[i] * span->m[i][j];
  return sum;
}

/** A value that follows the curve's weights and came out as no number: without the entries whose
 *  weight is 0. A Lagrange cell has none of these between its nodes. */
TSR_FN double tsr_span_value_again(const tsr_curves_view *view, const tsr_span *span,
                                   const tsr_array *array, int component, double u) {
  double basis[TSR_MAX_ORDER] = {1.0}, sum = 0.0, weights = 0.0;
  if (span->form == TSR_FORM_LAGRANGE)
    return NAN;
  tsr_bernstein(span->degree, u, basis);
  for (int j = 0; j < span->count; ++j) {
    double w = tsr_span_weight(span, basis, j);
    if (w == 0.0)
      continue;
    if (span->rational)
      w *= tsr_get(&view->weights, span->id[j]);
    sum += w * tsr_get(array, span->id[j] * array->components + component);
    weights += w;
  }
  return span->rational ? sum / weights : sum;
}

#endif
