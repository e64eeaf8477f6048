/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the directions in which balance asks for neighbours of a refined node. */
#ifndef TSR_GRID_CLOSURE_MATH_H
#define TSR_GRID_CLOSURE_MATH_H

#include "grid/lattice_math.h"

/** Sets d to direction 0 to 26, -1, 0 or 1 along each axis. Number 13 is 0 0 0, no direction. */
TSR_FN void tsr_direction(int number, int64_t d[3]) {
  d[0] = number % 3 - 1;
  d[1] = number / 3 % 3 - 1;
  d[2] = number / 9 - 1;
}

/** Returns the bits of a node's children that touch the neighbour in a direction, if the balance
 * rule includes that direction; else 0. */
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
