/* SPDX-License-Identifier: BSD-3-Clause */
/** Pseudorandom numbers of one sequence, the same everywhere, for the one file that includes this.
 */
#ifndef TESSERA_PARITY_RANDOM_NUMBERS_H
#define TESSERA_PARITY_RANDOM_NUMBERS_H

#include <stdint.h>

static uint64_t state; /* set it to begin a sequence */

/** From 0 to below 1. */
static double uniform(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) / 9007199254740992.0;
}

/** A whole number from 0 to below n. */
static int below(int n) { return (int)(uniform() * (double)n); }

#endif
