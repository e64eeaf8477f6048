/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The strip of triangles between a side of a face and the grid inside.
 *
 *     side     o-----o-----o-----o-----o     equal steps of the edge
 *               \   / \  /  \   /\    /
 *     grid       +---+---+---+---+--+        equal steps of the grid, which begins `overhang` later
 *
 * Going along both rows, the step whose middle comes first makes the next triangle. So no triangle
 * is longer than the longest of both steps and of the overhangs, and its error is known from that
 * and from the depth of the strip.
 */
#ifndef TSR_CELLS_DIVIDE_STRIP_MATH_H
#define TSR_CELLS_DIVIDE_STRIP_MATH_H

#include "cells/divide/asked_math.h"

/** Factor from one depth that is tried to the next, and how many are tried: down to a ten
 *  thousandth. */
#define TSR_STRIP_STEP 0.75
#define TSR_STRIP_TRIES 34

/** The depth of a strip after `tries` smaller ones were taken. */
TSR_FN double tsr_strip_depth(double deepest, int tries) {
  for (int k = 0; k < tries; ++k)
    deepest *= TSR_STRIP_STEP;
  return deepest;
}

/** Bound of the error in a strip of this depth whose triangles extend by `along` at most. */
TSR_FN double tsr_strip_error(const tsr_bends *bends, int s, double along, double depth) {
  double most[3];
  for (int kind = 0; kind < 3; ++kind) {
    const double near = tsr_rows_most(&bends->rows[s][kind], depth), all = bends->most[s][kind];
    most[kind] = near < all ? near : all;
  }
  return 0.125 * ((most[0] * (along * along) + 2.0 * most[1] * (along * depth)) +
                  most[2] * (depth * depth));
}

/** Finds how many depths smaller than `deepest` have to be taken until the triangles of a strip,
 * which extend by `along` at most, fulfil the criteria; TSR_STRIP_TRIES if none does. *uneven: set
 * to 1 if their normals do not. */
TSR_FN int tsr_strip_tries(const tsr_bends *bends, const tsr_shape_asked *asked, int s,
                           double along, double deepest, uint8_t *uneven) {
  int first = TSR_STRIP_TRIES;
  for (int k = 0; k < TSR_STRIP_TRIES; ++k) {
    const double depth = tsr_strip_depth(deepest, k);
    if (tsr_strip_error(bends, s, along, depth) > TSR_FULFILLED ||
        !tsr_strip_is_short(asked, s, along, depth))
      continue;
    if (tsr_strip_is_even(asked, s, along, depth))
      return k;
    first = k < first ? k : first;
  }
  *uneven = asked->sine > 0.0;
  return first;
}

/** Two rows that a strip joins. */
typedef struct tsr_strip {
  int n;             /**< steps of the side */
  int m;             /**< steps of the grid */
  double start, end; /**< where the grid's row starts and ends; the side's: 0 and 1 */
} tsr_strip;

/** Finds the next triangle of a strip after *i steps of the side and *j of the grid, and takes the
 *  step. Returns 1 if it has two corners on the side, *i - 1 and *i, and *j; 0 if it has *i, *j and
 *  *j - 1. */
TSR_FN int tsr_strip_next(const tsr_strip *it, int *i, int *j) {
  const double step = it->m > 0 ? (it->end - it->start) / (double)it->m : 0.0;
  const double side = ((double)*i + 0.5) / (double)it->n;
  const double grid = it->start + ((double)*j + 0.5) * step;
  if (*j == it->m || (*i < it->n && side <= grid)) {
    ++*i;
    return 1;
  }
  ++*j;
  return 0;
}

#endif
