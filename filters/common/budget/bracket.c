/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/budget/bracket.h"

#include <math.h>

/* lo does not fit, hi does, as *fits says. */
static tsr_status halve(const tsr_bracket *bracket, double lo, double *hi, double *tried,
                        tsr_fit *fits, tsr_error *error) {
  tsr_status status = TSR_OK;
  while (status == TSR_OK && *fits != TSR_FITS_WELL && *hi > lo * (1.0 + bracket->width)) {
    const double middle = sqrt(lo * *hi);
    tsr_fit fit = TSR_FITS_NOT;
    if (!(middle > lo && middle < *hi)) /* no number lies between */
      break;
    *tried = middle;
    status = bracket->attempt(bracket->context, middle, &fit, error);
    if (fit == TSR_FITS_NOT) {
      lo = middle;
    } else {
      *hi = middle;
      *fits = fit;
    }
  }
  return status;
}

tsr_status tsr_bracket_search(const tsr_bracket *bracket, double *factor, double *tried,
                              tsr_error *error) {
  double lo = 1.0, hi = 1.0;
  tsr_fit fits = TSR_FITS_NOT;
  for (;;) {
    tsr_status status;
    *tried = hi;
    status = bracket->attempt(bracket->context, hi, &fits, error);
    if (status != TSR_OK)
      return status;
    if (fits != TSR_FITS_NOT)
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
  return hi > 1.0 ? halve(bracket, lo, factor, tried, &fits, error) : TSR_OK;
}
