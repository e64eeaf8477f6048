/* SPDX-License-Identifier: BSD-3-Clause */
/** Random numbers that depend on a seed and an index only, so that any thread can make any of them.
 *  Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014. */
#ifndef TSR_COMMON_RANDOM_MATH_H
#define TSR_COMMON_RANDOM_MATH_H

#include "common/common_math.h"

/** Number `index` of the sequence that belongs to the seed, in [0, 1). */
TSR_FN double tsr_random(uint64_t seed, uint64_t index) {
  uint64_t z = seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
  z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(z >> 11) * (1.0 / 9007199254740992.0);
}

#endif
