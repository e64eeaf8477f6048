/* SPDX-License-Identifier: BSD-3-Clause */
/** What lies one after another in an array, and which part of it a place is in. */
#ifndef TSR_COMMON_PART_MATH_H
#define TSR_COMMON_PART_MATH_H

#include "common/common_math.h"

/** The last of the parts [first, end) that begins at `at` or before it; `first` where none does.
 *  starts: where each part begins; these numbers never fall. Of parts that begin at the same place
 *  all but the last one are empty, so this is the part that `at` lies in. */
TSR_FN int64_t tsr_part_at(const int64_t *starts, int64_t first, int64_t end, int64_t at) {
  while (end - first > 1) {
    const int64_t middle = first + (end - first) / 2;
    if (starts[middle] <= at)
      first = middle;
    else
      end = middle;
  }
  return first;
}

#endif
