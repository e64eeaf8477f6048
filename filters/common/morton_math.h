/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Morton numbers: the bits of the indices of a cell along 1 to 3 axes, interleaved, the bit of the
 * first axis lowest. The children of cell n of a tree, in Morton order, are the cells 2^d n to
 * 2^d n + 2^d - 1 of the next level, where d is the dimension.
 */
#ifndef TSR_COMMON_MORTON_MATH_H
#define TSR_COMMON_MORTON_MATH_H

#include "common/common_math.h"

/** Moves bit i, of 21, to bit 3 i. */
TSR_FN uint64_t tsr_spread_by_3(uint64_t v) {
  v = (v | v << 32) & 0x001f00000000ffffu;
  v = (v | v << 16) & 0x001f0000ff0000ffu;
  v = (v | v << 8) & 0x100f00f00f00f00fu;
  v = (v | v << 4) & 0x10c30c30c30c30c3u;
  return (v | v << 2) & 0x1249249249249249u;
}

/** Moves bit i, of 32, to bit 2 i. */
TSR_FN uint64_t tsr_spread_by_2(uint64_t v) {
  v = (v | v << 16) & 0x0000ffff0000ffffu;
  v = (v | v << 8) & 0x00ff00ff00ff00ffu;
  v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fu;
  v = (v | v << 2) & 0x3333333333333333u;
  return (v | v << 1) & 0x5555555555555555u;
}

/** Returns the Morton number of the cell with these indices. They must fit: 21 bits along each of 3
 *  axes, 32 bits along each of 2. */
TSR_FN uint64_t tsr_morton(const uint64_t i[3], int dimension) {
  if (dimension == 1)
    return i[0];
  return dimension == 3
             ? tsr_spread_by_3(i[0]) | tsr_spread_by_3(i[1]) << 1 | tsr_spread_by_3(i[2]) << 2
             : tsr_spread_by_2(i[0]) | tsr_spread_by_2(i[1]) << 1;
}

/** The bits of a Morton number that belong to its first axis. */
TSR_FN uint64_t tsr_morton_mask(int dimension) {
  return dimension == 3   ? 0x1249249249249249u
         : dimension == 2 ? 0x5555555555555555u
                          : 0xffffffffffffffffu;
}

/** Returns the index along axis a of a cell, from its Morton number shifted right by a. */
TSR_FN uint64_t tsr_morton_axis(uint64_t v, int dimension) {
  if (dimension == 1)
    return v;
  if (dimension == 3) {
    v &= tsr_morton_mask(3);
    v = (v | v >> 2) & 0x10c30c30c30c30c3u;
    v = (v | v >> 4) & 0x100f00f00f00f00fu;
    v = (v | v >> 8) & 0x001f0000ff0000ffu;
    v = (v | v >> 16) & 0x001f00000000ffffu;
    return (v | v >> 32) & 0x00000000001fffffu;
  }
  v &= tsr_morton_mask(2);
  v = (v | v >> 1) & 0x3333333333333333u;
  v = (v | v >> 2) & 0x0f0f0f0f0f0f0f0fu;
  v = (v | v >> 4) & 0x00ff00ff00ff00ffu;
  v = (v | v >> 8) & 0x0000ffff0000ffffu;
  return (v | v >> 16) & 0x00000000ffffffffu;
}

#endif
