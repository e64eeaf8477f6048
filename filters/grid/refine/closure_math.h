/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: where balance looks from a refined node. */
#ifndef TSR_GRID_CLOSURE_MATH_H
#define TSR_GRID_CLOSURE_MATH_H

#include "grid/lattice_math.h"

/** Directions are numbered 0 to 26; 13 is none. */
TSR_FN void tsr_direction(int number, int64_t d[3]) {
  d[0] = number % 3 - 1;
  d[1] = number / 3 % 3 - 1;
  d[2] = number / 9 - 1;
}

/** Bits of the children on the side of a direction, if the balance rule looks there; else 0. */
TSR_FN unsigned tsr_balance_side(int dimension, tsr_balance balance, int number) {
  int64_t d[3];
  int length = 0, within = 1;
  unsigned bits = 0;
  tsr_direction(number, d);
  for (int a = 0; a < 3; ++a) {
    length += d[a] != 0;
    within = within && (d[a] == 0 || a < dimension);
  }
  for (unsigned k = 0; k < 8; ++k) {
    int touches = within && length > 0 && length <= (int)balance;
    for (int a = 0; a < 3; ++a)
      touches = touches && (d[a] == 0 || (int)((k >> a) & 1) == (d[a] > 0));
    bits |= touches ? 1u << k : 0u;
  }
  return bits;
}

#endif
