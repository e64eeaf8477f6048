/* SPDX-License-Identifier: BSD-3-Clause */
/** Random Bezier curves to try the tessellation on. */
#include "common/random_math.h"
#include "common/support.h"
#include "curves/tessera_random_curves.h"

#include <math.h>

/* Property, member, type, bounds, default. */
#define ONE(NAME, MEMBER, TYPE, LEAST, MOST, VALUE)                                                \
  TSR_PROPERTY(tsr_random_curves_options, NAME, MEMBER, TYPE, 1, 1, LEAST, MOST, VALUE)

static const tsr_property properties[] = {
    ONE(NumberOfCurves, count, INT64, 0, INFINITY, 1000),
    ONE(Degree, degree, INT, 1, TSR_RANDOM_CURVES_MAX_DEGREE, 2),
    ONE(Seed, seed, INT64, -INFINITY, INFINITY, 1)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_random_curves_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_random_curves_options_init(tsr_random_curves_options *options) {
  tsr_options_init(options, sizeof *options, properties, PROPERTIES);
}

tsr_status tsr_random_curves_check(const tsr_random_curves_options *options, tsr_error *error) {
  if (tsr_need(options != NULL, "the struct of the options", error))
    return TSR_BAD_INPUT;
  if (options->count < 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "Number Of Curves must be 0 or more, not %lld.",
                    (long long)options->count);
  if (options->degree < 1 || options->degree > TSR_RANDOM_CURVES_MAX_DEGREE)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "Degree must be 1 to %d, not %d.",
                    TSR_RANDOM_CURVES_MAX_DEGREE, options->degree);
  return TSR_OK;
}

tsr_status tsr_random_curves_fill(int64_t seed, int degree, int64_t begin, int64_t end,
                                  float *points, tsr_error *error) {
  if (tsr_need(points != NULL || begin == end, "the array of points", error))
    return TSR_BAD_INPUT;
  const int64_t values = 3 * ((int64_t)degree + 1);
  if (degree < 1 || degree > TSR_RANDOM_CURVES_MAX_DEGREE)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the degree must be from 1 to %d, not %d",
                    TSR_RANDOM_CURVES_MAX_DEGREE, degree);
  if (begin < 0 || begin > end || end > TSR_RANDOM_CURVES_MAX)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "random curves are numbered from 0 to %d; there are none from %lld to %lld",
                    TSR_RANDOM_CURVES_MAX, (long long)begin, (long long)end);
  for (int64_t i = begin * values; i < end * values; ++i)
    points[i - begin * values] = (float)tsr_random((uint64_t)seed, (uint64_t)i);
  return TSR_OK;
}
