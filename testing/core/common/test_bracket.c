/* SPDX-License-Identifier: BSD-3-Clause */
/** The search for a scale against the truth: what fits is known here in advance. */
#include <math.h>

#include "check.h"
#include "common/budget/bracket.h"
#include "common/support.h"

/** Everything from `from` on fits; the `fails`-th try fails (0: none does). */
typedef struct budget {
  double from;
  int fails, tries;
  double least_that_fitted, last;
  double well; /* up to this, what fits fits well */
} budget;

static tsr_status fits(void *context, double scale, tsr_fit *does, tsr_error *error) {
  budget *b = context;
  b->tries++;
  b->last = scale;
  if (b->tries == b->fails) {
    return tsr_fail(error, TSR_ABORTED, 3, "try %d", b->tries);
  }
  *does = scale < b->from ? TSR_FITS_NOT : scale <= b->well ? TSR_FITS_WELL : TSR_FITS;
  if (*does && scale < b->least_that_fitted) {
    b->least_that_fitted = scale;
  }
  return TSR_OK;
}

int main(void) {
  static const double from[] = {0.0, 1.0, 1.0001, 1.5, 2.0, 3.7, 1000.0, 1e6, 3e7, 1e20, 1e30};
  tsr_error error;
  for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
    budget b = {.from = from[k], .least_that_fitted = INFINITY};
    const tsr_bracket bracket = {fits, &b, 1e30, 1.0 / 64.0};
    double scale = -1.0, tried = -1.0;
    CHECK(tsr_bracket_search(&bracket, &scale, &tried, &error) == TSR_OK);
    CHECK(tried == b.last);
    CHECK(scale == b.least_that_fitted);
    CHECK(scale >= from[k] && scale >= 1.0);
    CHECK(scale == 1.0 || scale <= from[k] * (1.0 + 1.0 / 64.0));
    CHECK(b.tries <= 40);
  }
  for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
    /* Without a width: down to the last number that fits, or until it fits well. */
    for (int well = 0; well < 2; well++) {
      budget b = {.from = from[k], .least_that_fitted = INFINITY, .well = well ? 1.1 * from[k] : 0};
      const tsr_bracket bracket = {fits, &b, 1e30, 0.0};
      double scale = -1.0, tried = -1.0;
      CHECK(tsr_bracket_search(&bracket, &scale, &tried, &error) == TSR_OK);
      CHECK(scale == b.least_that_fitted && tried == b.last);
      CHECK(scale == fmax(1.0, from[k]) || (well && scale <= 1.1 * from[k]));
      CHECK(b.tries <= (well ? 40 : 110));
    }
  }
  budget none = {.from = 2e30};
  const tsr_bracket hopeless = {fits, &none, 1e30, 1.0 / 64.0};
  double scale = -1.0, tried = -1.0;
  CHECK(tsr_bracket_search(&hopeless, &scale, &tried, &error) == TSR_OK);
  CHECK(isinf(scale) && none.tries == 25);
  for (int n = 1; n < 12; n++) {
    budget b = {.from = 900.0, .fails = n, .least_that_fitted = INFINITY};
    const tsr_bracket bracket = {fits, &b, 1e30, 1.0 / 64.0};
    CHECK(tsr_bracket_search(&bracket, &scale, &tried, &error) == TSR_ABORTED);
    CHECK(b.tries == n && error.item == 3);
  }
  return check_result();
}
