/* SPDX-License-Identifier: BSD-3-Clause */
/** Which division of a face makes the fewest triangles: a search over grids. */
#ifndef TSR_CELLS_DIVIDE_SEARCH_MATH_H
#define TSR_CELLS_DIVIDE_SEARCH_MATH_H

#include "cells/divide/division_math.h"

/** Bound of the error in a grid of nu x nv steps, with one diagonal or the other. It may be larger
 *  with more steps along one direction. */
TSR_FN double tsr_quad_error(const tsr_products *it, int turned, int nu, int nv) {
  const double h = 1.0 / (double)nu, k = 1.0 / (double)nv;
  const double d[3] = {it->size[0] * (h * h), it->size[2] * (k * k),
                       tsr_products_diagonal(it, turned, h, k)};
  return tsr_triangle_error(d);
}

/** 1 if such a grid fulfils the criteria. */
TSR_FN int tsr_quad_fulfilled(const tsr_products *it, const tsr_shape_asked *asked, int turned,
                              int nu, int nv) {
  return tsr_quad_error(it, turned, nu, nv) <= TSR_FULFILLED &&
         tsr_grid_is_asked(asked, turned, 1.0 / (double)nu, 1.0 / (double)nv);
}

/** Least steps along v, from `least` on, that fulfil the criteria with nu steps along u; `cap` + 1:
 *  none up to cap. */
TSR_FN int tsr_quad_steps(const tsr_products *it, const tsr_shape_asked *asked, int turned, int nu,
                          int least, int cap) {
  int low = least, high = cap;
  if (!tsr_quad_fulfilled(it, asked, turned, nu, cap))
    return cap + 1;
  for (int step = 1; low + step < high; step *= 2) { /* doubling steps, then bisection */
    if (tsr_quad_fulfilled(it, asked, turned, nu, low + step - 1)) {
      high = low + step - 1;
      break;
    }
    low += step;
  }
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (tsr_quad_fulfilled(it, asked, turned, nu, middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/** 1 if a grid of the steps on the sides fulfils the criteria by the sizes of the bends alone: then
 *  there is no need for the products, unless strips are needed. */
TSR_FN int tsr_is_plain(const tsr_bends *bends, const int n[4]) {
  const double h = 1.0 / (double)(n[0] > n[2] ? n[0] : n[2]);
  const double k = 1.0 / (double)(n[1] > n[3] ? n[1] : n[3]);
  const double *most = bends->most[0];
  const double side[3] = {most[0], bends->most[1][0], bends->most[2][0]};
  if (bends->sides == 3)
    return n[0] == n[1] && n[1] == n[2] && tsr_triangle_error(side) * (h * h) <= TSR_FULFILLED;
  return (most[0] * (h * h) + 2.0 * most[1] * (h * k)) + most[2] * (k * k) <= 8.0 * TSR_FULFILLED;
}

/** A search for a division. */
typedef struct tsr_search {
  const tsr_bends *bends;
  const tsr_products *products; /**< NULL: there are none */
  const tsr_shape_asked *asked;
  int sides;
  const int *n;      /**< steps of the sides */
  int64_t triangles; /**< of the division that is best so far; INT64_MAX: there is none */
} tsr_search;

/** Sets the grid of a face, and snug strips where its steps are not those of the sides. Returns the
 *  number of triangles; INT64_MAX: the grid has no room for the strips. */
TSR_FN int64_t tsr_divide_snugly(const tsr_search *it, int nu, int nv, int turned, tsr_divided *to,
                                 tsr_division *division) {
  to->nu = (uint16_t)nu;
  to->nv = (uint16_t)nv;
  to->turned = (uint8_t)turned;
  to->strips = to->loose = 0;
  for (int s = 0; s < 4; ++s) {
    to->tries[s] = 0;
    if (s < it->sides && it->n[s] != tsr_divided_along(it->sides, to, s))
      to->strips |= (uint8_t)(1 << s);
  }
  tsr_division_open(division, it->sides, it->n, to);
  return division->a < 0 || division->b < 0 ? INT64_MAX : tsr_division_triangles(division);
}

/** Takes the division with this grid, which fulfils the criteria, and snug strips, if the strips
 *  fulfil them, too, and it makes the fewest triangles so far. */
TSR_FN void tsr_search_snug(tsr_search *it, int nu, int nv, int turned, tsr_divided *to) {
  tsr_division division;
  tsr_divided found = *to;
  const int64_t triangles = tsr_divide_snugly(it, nu, nv, turned, &found, &division);
  if (triangles >= it->triangles)
    return;
  for (int s = 0; s < it->sides; ++s) {
    tsr_strip strip;
    tsr_strip_bases bases;
    if (!division.strip[s])
      continue;
    tsr_division_strip(&division, s, &strip);
    tsr_strip_walk(&strip, &bases);
    if (!tsr_strip_fulfilled(it->bends, it->products, it->asked, s, &bases, division.depth[s]))
      return;
  }
  it->triangles = triangles;
  *to = found;
}

/** Takes the division with this grid and loose strips, if that makes fewer triangles. limit: 1: the
 *  grid does not fulfil the criteria. */
TSR_FN void tsr_search_loose(tsr_search *it, int nu, int nv, int turned, int limit,
                             tsr_divided *to) {
  tsr_division division;
  tsr_divided found = *to;
  const int64_t snug = tsr_divide_snugly(it, nu, nv, turned, &found, &division);
  if (it->triangles < INT64_MAX && it->triangles <= snug)
    return; /* loose strips are not deeper than snug ones, so that they make no fewer triangles */
  found.limit = (uint8_t)limit;
  found.loose = 1;
  found.strips = (uint8_t)((1 << it->sides) - 1);
  for (int s = 0; s < it->sides; ++s) {
    const double side = 1.0 / (double)it->n[s];
    const double grid = 1.0 / (double)tsr_divided_along(it->sides, &found, s);
    const int tries = tsr_strip_tries(it->bends, it->products, it->asked, s, side, grid,
                                      tsr_division_deepest(it->sides, &found, s), &found.uneven);
    found.tries[s] = (uint8_t)tries;
    found.limit = found.limit || tries == TSR_STRIP_TRIES;
  }
  tsr_division_open(&division, it->sides, it->n, &found);
  if (it->triangles == INT64_MAX || (!found.limit && found.uneven == to->uneven &&
                                     tsr_division_triangles(&division) < it->triangles))
    *to = found;
}

/** A grid of a quadrilateral. */
typedef struct tsr_grid_steps {
  int nu, nv, turned;
} tsr_grid_steps;

/** Number of points of a grid. With loose strips, the triangles are about twice as many. */
TSR_FN int64_t tsr_grid_points(int nu, int nv) { return (int64_t)(nu + 1) * (nv + 1); }

/** Finds the grid of fewest points with at least nu x nv steps that fulfils the criteria. Returns 0
 *  if `cap` allows none, and takes `cap` along both directions. */
TSR_FN int tsr_quad_grid(const tsr_products *it, const tsr_shape_asked *asked, int nu, int nv,
                         int cap, tsr_grid_steps *grid) {
  const int bent = (int)tsr_ceil_count(sqrt(it->size[0] / (8.0 * TSR_FULFILLED)), cap);
  const int asks = tsr_grid_asks(asked, cap), first = asks > bent ? asks : bent;
  grid->nu = grid->nv = cap + 1; /* more than any that is allowed */
  grid->turned = 0;
  for (int u = first > nu ? first : nu;
       u <= cap && tsr_grid_points(u, nv) < tsr_grid_points(grid->nu, grid->nv); ++u)
    for (int turned = 0; turned < 2; ++turned) {
      const int v = tsr_quad_steps(it, asked, turned, u, nv, cap);
      if (v > cap || tsr_grid_points(u, v) >= tsr_grid_points(grid->nu, grid->nv))
        continue;
      grid->nu = u;
      grid->nv = v;
      grid->turned = turned;
    }
  if (grid->nu <= cap)
    return 1;
  grid->nu = grid->nv = cap;
  return 0;
}

/** Divides a quadrilateral with n steps on its sides. it->uneven: may be set to 1.
 *
 * Snug strips may need smaller steps than the grid does for itself. To look at grids with one step
 * more makes 1 to 12 % fewer triangles on balls of Lagrange hexahedra of degree 2 and 4, and all
 * grids up to twice as many steps 0 to 1 % fewer still. */
TSR_FAR_FN void tsr_quad_divide(const tsr_bends *bends, const tsr_products *products,
                                const tsr_shape_asked *asked, int cap, const int n[4],
                                tsr_divided *it) {
  const int nu = n[0] > n[2] ? n[0] : n[2], nv = n[1] > n[3] ? n[1] : n[3];
  const tsr_products *known = products;
  tsr_search search = {bends, products, asked, 4, n, INT64_MAX};
  tsr_products sizes;
  tsr_grid_steps grid;
  int limit;
  if (!known) {
    tsr_products_of_sizes(bends->most[0], &sizes);
    known = &sizes;
  }
  limit = !tsr_quad_grid(known, asked, nu, nv, cap, &grid);
  it->limit = 0;
  for (int more = 0; more < 4 && !limit; ++more) {
    const int u = grid.nu + more % 2, v = grid.nv + more / 2;
    if (u <= cap && v <= cap && tsr_quad_fulfilled(known, asked, grid.turned, u, v))
      tsr_search_snug(&search, u, v, grid.turned, it);
  }
  tsr_search_loose(&search, grid.nu, grid.nv, grid.turned, limit, it);
}

/** Divides a triangle with n steps on its sides. it->uneven: may be set to 1. */
TSR_FAR_FN void tsr_triangle_divide(const tsr_bends *bends, const tsr_products *products,
                                    const tsr_shape_asked *asked, int cap, const int n[3],
                                    tsr_divided *it) {
  const double most[3] = {bends->most[0][0], bends->most[1][0], bends->most[2][0]};
  const double error = tsr_triangle_error(most);
  const int bent = (int)tsr_ceil_count(sqrt(error), cap), asks = tsr_triangle_asks(asked, cap);
  tsr_search search = {bends, products, asked, 3, n, INT64_MAX};
  int m = asks > bent ? asks : bent, limit;
  for (int s = 0; s < 3; ++s)
    m = n[s] > m ? n[s] : m;
  limit = error > (double)m * (double)m * TSR_FULFILLED || !tsr_triangle_is_asked(asked, m);
  it->limit = 0;
  for (int k = m; k <= m + 1 && k <= cap && !limit; ++k)
    tsr_search_snug(&search, k, k, 0, it);
  tsr_search_loose(&search, m, m, 0, limit, it);
}

#endif
