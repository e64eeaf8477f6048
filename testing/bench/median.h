/* SPDX-License-Identifier: BSD-3-Clause */
/** The median of measured times. */
#ifndef TSR_BENCH_MEDIAN_H
#define TSR_BENCH_MEDIAN_H

#include <stdlib.h>

static inline int median_by_value(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

/** Sorts the n values, n > 0. */
static inline double median(double *values, int n) {
  qsort(values, (size_t)n, sizeof *values, median_by_value);
  return values[n / 2];
}

#endif
