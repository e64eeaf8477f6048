/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How a face is divided: by a regular grid, and a strip along each side whose edge has another
 * number of steps than the grid.
 *
 *     snug    o-----o-----o     loose   o-----o-----o
 *             | \  / \  / |             | \   / \   / |     Two faces whose edges have 2 and 3
 *             +---+---+---+             |   +---+   |     steps. A snug strip takes the place of
 *             | \ | \ | \ |             o  /| \ |\  o     one row of the grid, which meets the
 *             +---+---+---+             | / +---+ \ |     other sides. Loose strips lie along all
 *             | \ | \ | \ |             |/  /  \  \ |     sides, and are as deep as they may be.
 *             o---o---o---o             o---o---o---o
 *
 * Snug strips make fewer triangles. Where they are too deep for the criteria, strips are loose.
 */
#ifndef TSR_CELLS_DIVIDE_DIVISION_MATH_H
#define TSR_CELLS_DIVIDE_DIVISION_MATH_H

#include "cells/divide/strip_math.h"

/** What is decided of a face, as a plan keeps it for each of them. */
typedef struct tsr_divided {
  uint16_t nu, nv;  /**< steps that the criteria ask for along u and v; of a triangle both are the
                         steps of each side */
  uint8_t tries[4]; /**< strips: see tsr_strip_depth */
  uint8_t strips;   /**< bit s: a strip lies along side s */
  uint8_t loose;    /**< 1: all strips are loose; 0: they are snug, and tries are 0 */
  uint8_t limit;    /**< 1: the criteria do not hold, since more steps are not allowed */
  uint8_t turned; /**< quadrilateral: which diagonal cuts the cells of the grid: 0: from the end of
                       u to the end of v, 1: from the start to both ends */
  uint8_t uneven; /**< 1: the angle of normals does not hold */
} tsr_divided;

/** A divided face. */
typedef struct tsr_division {
  int sides; /**< 3, 4 */
  int turned;
  int a, b;     /**< steps of the grid along u and v; of a triangle a on each side. 0: the grid is
                     a line or a single point */
  int steps[4]; /**< of the sides */
  int strip[4]; /**< 1: a strip lies along the side; 0: the grid meets it */
  double depth[4]; /**< of the strips; 0: there is none */
} tsr_division;

/** Steps of the grid of a face in the direction across side s, and along it. */
TSR_FN int tsr_divided_across(int sides, const tsr_divided *it, int s) {
  return sides == 4 && s % 2 == 0 ? it->nv : it->nu;
}
TSR_FN int tsr_divided_along(int sides, const tsr_divided *it, int s) {
  return sides == 4 && s % 2 == 1 ? it->nv : it->nu;
}

/** Depth of the strip along side s before any smaller one is taken. */
TSR_FN double tsr_division_deepest(int sides, const tsr_divided *it, int s) {
  const double step = 1.0 / (double)tsr_divided_across(sides, it, s);
  const double depth = sides == 3 ? 2.0 * step / 3.0 : step;
  const double most = sides == 3 ? 1.0 / 3.0 : 0.5;
  if (!it->loose)
    return step;
  return depth < most ? depth : most;
}

/** Steps of a length `span` of the parameter, if the whole has n of them. */
TSR_FN int tsr_inner_steps(double span, int n) {
  return span > 1e-9 ? (int)tsr_ceil_count(span * (double)n - 1e-9, n) : 0;
}

/** The face with these sides that was divided so. */
TSR_FAR_FN void tsr_division_open(tsr_division *it, int sides, const int steps[4],
                                  const tsr_divided *divided) {
  const double *depth = it->depth;
  const int *strip = it->strip;
  it->sides = sides;
  it->turned = divided->turned;
  for (int s = 0; s < 4; ++s) {
    it->steps[s] = s < sides ? steps[s] : 0;
    it->strip[s] = divided->strips >> s & 1;
    it->depth[s] = it->strip[s]
                       ? tsr_strip_depth(tsr_division_deepest(sides, divided, s), divided->tries[s])
                       : 0.0;
  }
  if (sides == 3) {
    it->a = divided->loose ? tsr_inner_steps(((1.0 - depth[0]) - depth[1]) - depth[2], divided->nu)
                           : ((divided->nu - strip[0]) - strip[1]) - strip[2];
    it->b = it->a;
  } else if (divided->loose) {
    it->a = tsr_inner_steps((1.0 - depth[3]) - depth[1], divided->nu);
    it->b = tsr_inner_steps((1.0 - depth[0]) - depth[2], divided->nv);
  } else {
    it->a = (divided->nu - strip[3]) - strip[1];
    it->b = (divided->nv - strip[0]) - strip[2];
  }
}

/** First and last row of the grid's points inside the face, and the last point of row j inside. The
 *  first one is tsr_division_left(). */
TSR_FN int tsr_division_bottom(const tsr_division *it) { return !it->strip[0]; }
TSR_FN int tsr_division_top(const tsr_division *it) {
  return it->sides == 3 ? (it->a - !it->strip[1]) - !it->strip[2] : it->b - !it->strip[2];
}
TSR_FN int tsr_division_left(const tsr_division *it) { return !it->strip[it->sides - 1]; }
TSR_FN int tsr_division_right(const tsr_division *it, int j) {
  return (it->sides == 3 ? it->a - j : it->a) - !it->strip[1];
}

/** Number of points inside the face that come before row j, of those that are inside. */
TSR_FN int64_t tsr_division_before(const tsr_division *it, int j) {
  const int64_t rows = j - tsr_division_bottom(it);
  const int64_t first = tsr_division_right(it, tsr_division_bottom(it)) - tsr_division_left(it) + 1;
  return rows * first - (it->sides == 3 ? rows * (rows - 1) / 2 : 0);
}

/** Finds the row of the grid with point `index` of those inside the face, of which there are more.
 */
TSR_FN int tsr_division_row_of(const tsr_division *it, int64_t index) {
  int row = tsr_division_bottom(it), end = tsr_division_top(it) + 1;
  while (end - row > 1) {
    const int middle = row + (end - row) / 2;
    if (tsr_division_before(it, middle) <= index)
      row = middle;
    else
      end = middle;
  }
  return row;
}

/** Number of points inside the face. */
TSR_FN int64_t tsr_division_points(const tsr_division *it) {
  const int top = tsr_division_top(it), bottom = tsr_division_bottom(it);
  if (top < bottom || tsr_division_right(it, bottom) < tsr_division_left(it))
    return 0;
  return tsr_division_before(it, top + 1);
}

/** Number of triangles. */
TSR_FN int64_t tsr_division_triangles(const tsr_division *it) {
  const int64_t a = it->a, b = it->b;
  int64_t n = it->sides == 3 ? a * a : 2 * a * b;
  for (int s = 0; s < it->sides; ++s)
    n += it->strip[s] ? it->steps[s] + (it->sides == 3 || s % 2 == 0 ? a : b) : 0;
  return n;
}

/** The strip along side s. */
TSR_FN void tsr_division_strip(const tsr_division *it, int s, tsr_strip *strip) {
  const int before = s == 0 ? it->sides - 1 : s - 1, after = s + 1 == it->sides ? 0 : s + 1;
  const double half = it->sides == 3 ? 0.5 * it->depth[s] : 0.0;
  strip->n = it->steps[s];
  strip->m = it->sides == 3 || s % 2 == 0 ? it->a : it->b;
  strip->start = it->depth[before] + half;
  strip->end = (1.0 - it->depth[after]) - half;
}

/** The parameters of point (i, j) of the grid of a face. */
TSR_FN void tsr_division_place(const tsr_division *it, int i, int j, double *u, double *v) {
  const double *depth = it->depth;
  double span;
  if (it->sides == 3) {
    span = it->a > 0 ? (((1.0 - depth[0]) - depth[1]) - depth[2]) / (double)it->a : 0.0;
    *u = depth[2] + (double)i * span;
    *v = depth[0] + (double)j * span;
    return;
  }
  span = it->a > 0 ? ((1.0 - depth[3]) - depth[1]) / (double)it->a : 0.0;
  *u = depth[3] + (double)i * span;
  span = it->b > 0 ? ((1.0 - depth[0]) - depth[2]) / (double)it->b : 0.0;
  *v = depth[0] + (double)j * span;
}

/** Point (i, j) of the grid that is the one at step k of its row along side s. */
TSR_FN void tsr_division_row(const tsr_division *it, int s, int k, int *i, int *j) {
  if (it->sides == 3) {
    *i = s == 0 ? k : (s == 1 ? it->a - k : 0);
    *j = s == 0 ? 0 : (s == 1 ? k : it->a - k);
  } else {
    *i = s == 0 ? k : (s == 1 ? it->a : (s == 2 ? it->a - k : 0));
    *j = s == 0 ? 0 : (s == 1 ? k : (s == 2 ? it->b : it->b - k));
  }
}

#endif
