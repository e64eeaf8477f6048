/* SPDX-License-Identifier: BSD-3-Clause */
/** Places in sorted arrays, and in what lies one after another in an array. */
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

/** The first of the sorted keys [low, high) that is not below `key`; `high` where all are. */
TSR_FN int64_t tsr_first_not_below(const uint64_t *keys, int64_t low, int64_t high, uint64_t key) {
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/** Number of bits set in a byte below bit c. */
TSR_FN int tsr_bits_below(unsigned byte, int c) {
  unsigned v = byte & ((1u << c) - 1u);
  v = (v & 0x55u) + (v >> 1 & 0x55u);
  v = (v & 0x33u) + (v >> 2 & 0x33u);
  return (int)((v & 0x0fu) + (v >> 4));
}

#endif
