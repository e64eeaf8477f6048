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

/** A share of values that lie in runs, one run after another: the values that are left of it. */
typedef struct tsr_share {
  const int64_t *starts; /**< the first value of each run, and the end of the last one */
  int64_t run;           /**< that the next value is in, or an empty one before it */
  int64_t at, end;       /**< the next value, and the end of the share */
} tsr_share;

/** Opens share k of `size` values each; the last one has what is left. starts: n + 1, prefix sums
 * of the lengths of n runs. */
TSR_FN void tsr_share_open(tsr_share *it, const int64_t *starts, int64_t n, int64_t k,
                           int64_t size) {
  const int64_t left = starts[n] - k * size;
  it->starts = starts;
  it->at = k * size;
  it->end = it->at + (left < size ? left : size);
  it->run = tsr_part_at(starts, 0, n, it->at);
}

/** Takes the values of the next run from the share: *n of them, of which the first is number *first
 *  of the run. Returns the run; -1: no value is left. */
TSR_FN int64_t tsr_share_next(tsr_share *it, int64_t *first, int64_t *n) {
  int64_t end;
  if (it->at >= it->end)
    return -1;
  while (it->starts[it->run + 1] <= it->at)
    ++it->run;
  end = it->starts[it->run + 1] < it->end ? it->starts[it->run + 1] : it->end;
  *first = it->at - it->starts[it->run];
  *n = end - it->at;
  it->at = end;
  return it->run;
}

/** Shares of `size` values each that n values make. */
TSR_FN int64_t tsr_shares(int64_t n, int64_t size) { return (n + size - 1) / size; }

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
