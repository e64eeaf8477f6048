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
 *  thousandth. A factor of 0.75 makes 6 to 7 % more triangles on balls of Lagrange hexahedra of
 *  degree 2 and 4. */
#define TSR_STRIP_STEP 0.9
#define TSR_STRIP_TRIES 88

/** The depth of a strip after `tries` smaller ones were taken. */
TSR_FN double tsr_strip_depth(double deepest, int tries) {
  for (int k = 0; k < tries; ++k)
    deepest *= TSR_STRIP_STEP;
  return deepest;
}

/** Half of the largest sum of l_i l_j D_ij over barycentric coordinates l: the error in a triangle
 *  with the bends d along its sides. If D are squared lengths, the sum is the squared radius of the
 *  circle around the triangle, or of the one over its longest side. */
TSR_FN double tsr_triangle_error(const double d[3]) {
  const double sum = (d[0] + d[1]) + d[2];
  double most = d[0] > d[1] ? d[0] : d[1], product, area;
  most = d[2] > most ? d[2] : most;
  if (most >= 0.5 * sum)
    return 0.125 * most;
  product = (d[0] / most) * (d[1] / most) * (d[2] / most);
  area = 2.0 * ((d[0] * d[1] + d[1] * d[2]) + d[2] * d[0]) / (most * most) -
         ((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]) / (most * most);
  return 0.5 * most * (product / area);
}

/** Bound of the second derivative along the vector (along, across). */
TSR_FN double tsr_bend_along(const double bend[3], double along, double across) {
  const double x = fabs(along);
  return (bend[0] * (x * x) + 2.0 * bend[1] * (x * across)) + bend[2] * (across * across);
}

/** Bound of the error in triangles of height `depth` over a base, whose third corner is beside the
 *  middle of the base by `off` at most: the error is a convex function of the place of the corner.
 */
TSR_FN double tsr_beside_error(const double bend[3], double base, double depth, double off) {
  const double d[3] = {tsr_bend_along(bend, base, 0.0),
                       tsr_bend_along(bend, 0.5 * base + off, depth),
                       tsr_bend_along(bend, 0.5 * base - off, depth)};
  return tsr_triangle_error(d);
}

/** Bound of the error in a strip of this depth along side s, whose steps are `along`; those of the
 *  grid, and what its row is shorter at each end, are `grid` at most, and that is at most `along`.
 *  Going along both rows, a triangle is made over the step whose middle comes next: the third
 * corner is beside it by half a step of the other row at most, or, at the ends, by what the grid's
 * row is shorter. */
TSR_FN double tsr_strip_error(const tsr_bends *bends, int s, double along, double grid,
                              double depth) {
  const double end = grid - 0.5 * along, off = end > 0.5 * grid ? end : 0.5 * grid;
  double most[3], side, other;
  for (int kind = 0; kind < 3; ++kind) {
    const double near = tsr_rows_most(&bends->rows[s][kind], depth), all = bends->most[s][kind];
    most[kind] = near < all ? near : all;
  }
  side = tsr_beside_error(most, along, depth, off);
  other = tsr_beside_error(most, grid, depth, 0.5 * along);
  return side > other ? side : other;
}

/** Finds how many depths smaller than `deepest` have to be taken until the triangles of a strip,
 *  which extend by `along` at most, fulfil the criteria; TSR_STRIP_TRIES if none does. grid: as for
 *  tsr_strip_error. *uneven: set to 1 if the normals of the triangles do not fulfil theirs. */
TSR_FN int tsr_strip_tries(const tsr_bends *bends, const tsr_shape_asked *asked, int s,
                           double along, double grid, double deepest, uint8_t *uneven) {
  int first = TSR_STRIP_TRIES;
  for (int k = 0; k < TSR_STRIP_TRIES; ++k) {
    const double depth = tsr_strip_depth(deepest, k);
    if (tsr_strip_error(bends, s, along, grid, depth) > TSR_FULFILLED ||
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
