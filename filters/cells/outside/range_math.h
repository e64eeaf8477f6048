/* SPDX-License-Identifier: BSD-3-Clause */
/** The range of a component of an array. */
#ifndef TSR_CELLS_OUTSIDE_RANGE_MATH_H
#define TSR_CELLS_OUTSIDE_RANGE_MATH_H

#include "common/common_math.h"

/** A component of an array. */
typedef struct tsr_range_job {
  tsr_array array;
  int component;
} tsr_range_job;

/** Least and largest value; least > most: there is none. */
typedef struct tsr_value_range {
  double least, most;
} tsr_value_range;

TSR_FN tsr_value_range tsr_cells_range_none(void) {
  const tsr_value_range none = {2e300, -2e300};
  return none;
}

/** Adds tuple i. Values that are not finite, or beyond 1e300, are left out. */
TSR_FN void tsr_cells_range(const tsr_range_job *job, int64_t i, tsr_value_range *range) {
  const double value = tsr_load(&job->array, i * job->array.components + job->component);
  if (!(fabs(value) <= 1e300))
    return;
  range->least = value < range->least ? value : range->least;
  range->most = value > range->most ? value : range->most;
}

TSR_FN void tsr_cells_range_join(tsr_value_range *all, const tsr_value_range *part) {
  all->least = part->least < all->least ? part->least : all->least;
  all->most = part->most > all->most ? part->most : all->most;
}

#endif
