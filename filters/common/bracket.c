/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/bracket.h"

#include <math.h>

/* lo does not fit, hi does. */
static tsr_status halve(const tsr_bracket *bracket, double lo, double *hi, double *tried,
                        tsr_error *error) {
  tsr_status status = TSR_OK;
  while (status == TSR_OK && *hi > lo * (1.0 + 1.0 / 64.0)) {
    const double middle = sqrt(lo * *hi);
    int fits = 0;
    *tried = middle;
    status = bracket->attempt(bracket->context, middle, &fits, error);
    if (fits)
      *hi = middle;
    else
      lo = middle;
  }
  return status;
}

tsr_status tsr_bracket_search(const tsr_bracket *bracket, double *factor, double *tried,
                              tsr_error *error) {
  double lo = 1.0, hi = 1.0;
  for (;;) {
    int fits = 0;
    tsr_status status;
    *tried = hi;
    status = bracket->attempt(bracket->context, hi, &fits, error);
    if (status != TSR_OK)
      return status;
    if (fits)
      break;
    if (hi >= bracket->coarsest) {
      *factor = INFINITY;
      return TSR_OK;
    }
    lo = hi;
    hi *= hi < 1e6 ? 2.0 : 1e6;
    if (hi > bracket->coarsest)
      hi = bracket->coarsest;
  }
  *factor = hi;
  return hi > 1.0 ? halve(bracket, lo, factor, tried, error) : TSR_OK;
}
