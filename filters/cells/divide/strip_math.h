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

#include "cells/divide/product_math.h"

/** Factor from one depth that is tried to the next, and how many are tried: down to a ten
 *  thousandth. A factor of 0.75 makes 0 to 3 % more triangles on balls of Lagrange hexahedra of
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

/** The vectors in the parameters of a face along its side s, and across. */
TSR_FN void tsr_side_vectors(int sides, int s, double along[2], double across[2]) {
  static const double corner[2][4][2] = {{{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}},
                                         {{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}}};
  const double(*at)[2] = corner[sides - 3];
  const double *from = at[s], *to = at[(s + 1) % sides], *up = at[(s + sides - 1) % sides];
  for (int c = 0; c < 2; ++c) {
    along[c] = to[c] - from[c];
    across[c] = up[c] - (sides == 3 ? 0.5 * (from[c] + to[c]) : from[c]);
  }
}

/** Bounds of the second derivatives near a side of a face. */
typedef struct tsr_near {
  double along[2], across[2];   /**< see tsr_side_vectors() */
  double bend[3];               /**< along the side, mixed, across */
  const tsr_products *products; /**< NULL: there are none */
} tsr_near;

/** Bound of the second derivative along two vectors, of which (x, y) is x times that along the side
 *  plus y times that across. */
TSR_FN double tsr_near_bend(const tsr_near *it, double x, double y, double x2, double y2) {
  const double sum = (it->bend[0] * fabs(x * x2) + it->bend[1] * fabs(x * y2 + x2 * y)) +
                     it->bend[2] * fabs(y * y2);
  double e[2], f[2], product;
  if (!it->products)
    return sum;
  for (int c = 0; c < 2; ++c) {
    e[c] = x * it->along[c] + y * it->across[c];
    f[c] = x2 * it->along[c] + y2 * it->across[c];
  }
  product = tsr_products_bend(it->products, e[0] * f[0], e[0] * f[1] + e[1] * f[0], e[1] * f[1]);
  return product < sum ? product : sum;
}

/** Bound of the error in triangles of height `depth` over a base, whose third corner is beside the
 *  middle of the base by `off` at most. As the corner moves, the error at a place of the triangle
 *  is a polynomial of degree 2: its values with the corner at both ends bound it, and its
 *  coefficient between them, of which the derivatives are along both vectors to the corner. */
TSR_FN double tsr_beside_error(const tsr_near *it, double base, double depth, double off) {
  const double half = 0.5 * base, whole = tsr_near_bend(it, base, 0.0, base, 0.0);
  /* Without products both ends are alike, and their bound is a convex function of the place. */
  const int products = it->products != NULL;
  double most = 0.0;
  for (int k = 1 - products; k < 2 + products; ++k) {
    const double t = k == 1 ? off : -off, u = k == 0 ? -off : off;
    const double d[3] = {whole, tsr_near_bend(it, half + t, depth, half + u, depth),
                         tsr_near_bend(it, t - half, depth, u - half, depth)};
    const double error = tsr_triangle_error(d);
    most = error > most ? error : most;
  }
  return most;
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

/** Lengths along a side of the triangles of a strip: the bases on the side (0) and on the grid's
 * row (1), and how far the third corners are beside the middles of these bases, at most. */
typedef struct tsr_strip_bases {
  double length[2], off[2];
} tsr_strip_bases;

/** Bounds for any strip with these steps whose grid's row ends a step of the grid before the side
 *  does, at most. A triangle is made over the step whose middle comes next: the third corner is
 *  beside it by half a step of the other row at most, or, at the ends, by what the grid's row is
 *  shorter. */
TSR_FN void tsr_strip_any(double along, double grid, tsr_strip_bases *to) {
  const double end = grid - 0.5 * along;
  to->length[0] = along;
  to->length[1] = grid;
  to->off[0] = end > 0.5 * grid ? end : 0.5 * grid;
  to->off[1] = 0.5 * along;
}

/** The bases of a strip, which is walked along. */
TSR_FN void tsr_strip_walk(const tsr_strip *it, tsr_strip_bases *to) {
  const double along = 1.0 / (double)it->n;
  const double grid = it->m > 0 ? (it->end - it->start) / (double)it->m : 0.0;
  int i = 0, j = 0;
  to->length[0] = along;
  to->length[1] = grid;
  to->off[0] = to->off[1] = 0.0;
  while (i < it->n || j < it->m) {
    const int row = !tsr_strip_next(it, &i, &j);
    const double side = (double)i * along, end = it->start + (double)j * grid;
    const double off = fabs(row ? side - (end - 0.5 * grid) : end - (side - 0.5 * along));
    to->off[row] = off > to->off[row] ? off : to->off[row];
  }
}

/** Bound of the error in a strip of this depth along side s. */
TSR_FN double tsr_strip_error(const tsr_bends *bends, const tsr_products *products, int s,
                              const tsr_strip_bases *bases, double depth) {
  double side, other;
  tsr_near it;
  it.products = products;
  tsr_side_vectors(bends->sides, s, it.along, it.across);
  for (int kind = 0; kind < 3; ++kind) {
    const double near = tsr_rows_most(&bends->rows[s][kind], depth), all = bends->most[s][kind];
    it.bend[kind] = near < all ? near : all;
  }
  side = tsr_beside_error(&it, bases->length[0], depth, bases->off[0]);
  other = tsr_beside_error(&it, bases->length[1], depth, bases->off[1]);
  return side > other ? side : other;
}

/** What the triangles of a strip extend by along its side, at most. */
TSR_FN double tsr_strip_extent(const tsr_strip_bases *it) {
  double most = 0.0;
  for (int row = 0; row < 2; ++row) {
    const double length = it->length[row], half = 0.5 * length, off = it->off[row];
    const double extent = off > half ? half + off : length;
    most = extent > most ? extent : most;
  }
  return most;
}

/** How far the triangles of a strip of this depth reach. */
TSR_FN tsr_strip_reach tsr_strip_reach_of(const tsr_strip_bases *it, double depth) {
  tsr_strip_reach to = {0.0, depth, 0.0};
  for (int row = 0; row < 2; ++row) {
    const double length = it->length[row], half = 0.5 * length;
    const double over = it->off[row] > half ? it->off[row] - half : 0.0;
    const double turn = over > 0.0 ? over * (length + over) : half * half;
    to.half = half + over > to.half ? half + over : to.half;
    to.turn = turn > to.turn ? turn : to.turn;
  }
  to.turn *= 0.5 / depth;
  return to;
}

/** 1 if the triangles of a strip of this depth fulfil the criteria. */
TSR_FN int tsr_strip_fulfilled(const tsr_bends *bends, const tsr_products *products,
                               const tsr_shape_asked *asked, int s, const tsr_strip_bases *bases,
                               double depth) {
  const tsr_strip_reach reach = tsr_strip_reach_of(bases, depth);
  return tsr_strip_error(bends, products, s, bases, depth) <= TSR_FULFILLED &&
         tsr_strip_is_short(asked, s, tsr_strip_extent(bases), depth) &&
         tsr_strip_is_even(asked, s, &reach);
}

/** Finds how many depths smaller than `deepest` have to be taken until the triangles of a strip
 *  fulfil the criteria; TSR_STRIP_TRIES if none does. The grid's row ends a step `grid` before the
 *  side, at most. *uneven: set to 1 if the normals of the triangles do not fulfil theirs. */
TSR_FN int tsr_strip_tries(const tsr_bends *bends, const tsr_products *products,
                           const tsr_shape_asked *asked, int s, double along, double grid,
                           double deepest, uint8_t *uneven) {
  double extent;
  int first = TSR_STRIP_TRIES;
  tsr_strip_bases bases;
  tsr_strip_any(along, grid, &bases);
  extent = tsr_strip_extent(&bases);
  for (int k = 0; k < TSR_STRIP_TRIES; ++k) {
    const double depth = deepest; /* tsr_strip_depth() of k tries */
    const tsr_strip_reach reach = tsr_strip_reach_of(&bases, depth);
    deepest *= TSR_STRIP_STEP;
    if (tsr_strip_error(bends, products, s, &bases, depth) > TSR_FULFILLED ||
        !tsr_strip_is_short(asked, s, extent, depth))
      continue;
    if (tsr_strip_is_even(asked, s, &reach))
      return k;
    first = k < first ? k : first;
  }
  if (asked->sine > 0.0)
    *uneven = 1;
  return first;
}

#endif
