/* SPDX-License-Identifier: BSD-3-Clause */
#include "least.h"

#include <math.h>
#include <stdlib.h>

int polyline_is_within(const double *a, const double *b, const double *x, int64_t n, double error) {
  long double d[3], length = 0.0L, place = 0.0L;
  for (int c = 0; c < 3; c++) {
    d[c] = (long double)b[c] - a[c];
    length += d[c] * d[c];
  }
  length = sqrtl(length);
  for (int64_t k = 0; k < n; k++) {
    long double along = 0.0L, off = 0.0L;
    for (int c = 0; c < 3; c++) {
      along += length > 0.0L ? ((long double)x[3 * k + c] - a[c]) * d[c] / length : 0.0L;
    }
    for (int c = 0; c < 3; c++) {
      const long double foot = a[c] + (length > 0.0L ? along * d[c] / length : 0.0L);
      off += (x[3 * k + c] - foot) * (x[3 * k + c] - foot);
    }
    const long double half2 = (long double)error * error - off;
    if (half2 < 0.0L) {
      return 0;
    }
    const long double half = sqrtl(half2);
    place = along - half > place ? along - half : place;
    if (place > along + half || place > length) {
      return 0;
    }
  }
  return 1;
}

int64_t least_segments(const double *x, int n, double error) {
  int *steps = malloc((size_t)n * sizeof *steps);
  for (int j = 0; j < n; j++) {
    steps[j] = j;
  }
  for (int i = 0; i < n; i++) {
    for (int j = i + 2; j < n; j++) {
      if (steps[i] + 1 < steps[j] &&
          polyline_is_within(x + 3 * i, x + 3 * j, x + 3 * i + 3, j - i - 1, error)) {
        for (int k = j; k < n && steps[k] > steps[i] + 1 + (k - j); k++) {
          steps[k] = steps[i] + 1 + (k - j);
        }
      }
    }
  }
  const int64_t least = steps[n - 1];
  free(steps);
  return least;
}
