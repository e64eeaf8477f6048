/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/bracket.h"

#include <math.h>

#define DOUBLED_TO 1e6 /* from there on in larger steps: nobody waits for the 1000th doubling */

/* The scale after one that does not fit. */
static double coarser(double scale, double coarsest) {
  const double next = scale * (scale < DOUBLED_TO ? 2.0 : 1e6);
  return next < coarsest ? next : coarsest;
}

/* Halves the bracket (low does not fit, *high does) until it is 1/64 wide, in proportion. */
static tsr_status bisect(tsr_bracket_try fits, void *context, double low, double *high,
                         tsr_error *error) {
  while (*high > low * (1.0 + 1.0 / 64.0)) {
    const double middle = sqrt(low * *high);
    int does = 0;
    const tsr_status status = fits(context, middle, &does, error);
    if (status != TSR_OK)
      return status;
    if (does)
      *high = middle;
    else
      low = middle;
  }
  return TSR_OK;
}

tsr_status tsr_bracket_search(tsr_bracket_try fits, void *context, double coarsest, double *scale,
                              tsr_error *error) {
  double low = 1.0, high = 1.0;
  for (;;) {
    int does = 0;
    const tsr_status status = fits(context, high, &does, error);
    if (status != TSR_OK)
      return status;
    if (does)
      break;
    if (high >= coarsest) {
      *scale = (double)INFINITY;
      return TSR_OK;
    }
    low = high;
    high = coarser(high, coarsest);
  }
  *scale = high;
  return high > 1.0 ? bisect(fits, context, low, scale, error) : TSR_OK;
}
