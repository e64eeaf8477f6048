/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How a face is divided: a regular grid whose rim has the steps of the edges, or a grid inside,
 * with a strip to each side.
 */
#ifndef TSR_CELLS_DIVIDE_DIVISION_MATH_H
#define TSR_CELLS_DIVIDE_DIVISION_MATH_H

#include "cells/divide/product_math.h"
#include "cells/divide/strip_math.h"

/** What is decided of a face, as a plan keeps it for each of them. */
typedef struct tsr_divided {
  uint16_t nu, nv;  /**< steps that the criteria ask for along u and v; of a triangle both are the
                         steps of each side */
  uint8_t tries[4]; /**< strips: see tsr_strip_depth */
  uint8_t regular;  /**< 1: the grid covers the whole face; 0: strips surround it */
  uint8_t limit;    /**< 1: the criteria do not hold, since more steps are not allowed */
  uint8_t turned; /**< quadrilateral: which diagonal cuts the cells of the grid: 0: from the end of
                       u to the end of v, 1: from the start to both ends */
  uint8_t uneven; /**< 1: the angle of normals does not hold */
} tsr_divided;

/** A divided face. */
typedef struct tsr_division {
  int sides; /**< 3, 4 */
  int regular, turned;
  int a, b;     /**< steps of the grid along u and v; of a triangle a on each side. 0: the grid is a
                     line or a single point */
  int steps[4]; /**< of the sides */
  double depth[4]; /**< of the strips; 0 where regular */
} tsr_division;

/** Depth of the strips along side s before any smaller one is taken. */
TSR_FN double tsr_division_deepest(int sides, const tsr_divided *it, int s) {
  const double depth =
      sides == 3 ? 2.0 / (3.0 * (double)it->nu) : 1.0 / (double)(s % 2 == 0 ? it->nv : it->nu);
  const double most = sides == 3 ? 1.0 / 3.0 : 0.5;
  return depth < most ? depth : most;
}

/** Steps of a length `span` of the parameter, if the whole has n of them. */
TSR_FN int tsr_inner_steps(double span, int n) {
  return span > 1e-9 ? (int)tsr_ceil_count(span * (double)n - 1e-9, n) : 0;
}

/** The face with these sides that was divided so. */
TSR_FAR_FN void tsr_division_open(tsr_division *it, int sides, const int steps[4],
                                  const tsr_divided *divided) {
  it->sides = sides;
  it->regular = divided->regular;
  it->turned = divided->turned;
  it->a = divided->nu;
  it->b = divided->nv;
  for (int s = 0; s < 4; ++s) {
    it->steps[s] = s < sides ? steps[s] : 0;
    it->depth[s] =
        it->regular || s >= sides
            ? 0.0
            : tsr_strip_depth(tsr_division_deepest(sides, divided, s), divided->tries[s]);
  }
  if (it->regular)
    return;
  if (sides == 3) {
    it->a = tsr_inner_steps(((1.0 - it->depth[0]) - it->depth[1]) - it->depth[2], it->a);
    it->b = it->a;
  } else {
    it->a = tsr_inner_steps((1.0 - it->depth[3]) - it->depth[1], it->a);
    it->b = tsr_inner_steps((1.0 - it->depth[0]) - it->depth[2], it->b);
  }
}

/** Number of points inside the face. */
TSR_FN int64_t tsr_division_points(const tsr_division *it) {
  const int64_t a = it->a, b = it->b;
  if (it->sides == 3)
    return it->regular ? (a - 1) * (a - 2) / 2 : (a + 1) * (a + 2) / 2;
  return it->regular ? (a - 1) * (b - 1) : (a + 1) * (b + 1);
}

/** Number of triangles. */
TSR_FN int64_t tsr_division_triangles(const tsr_division *it) {
  const int64_t a = it->a, b = it->b;
  int64_t n = it->sides == 3 ? a * a : 2 * a * b;
  for (int s = 0; !it->regular && s < it->sides; ++s)
    n += it->steps[s] + (it->sides == 3 || s % 2 == 0 ? a : b);
  return n;
}

/** Bound of the error in a grid of nu x nv steps, with one diagonal or the other. */
TSR_FN double tsr_quad_error(const tsr_products *it, int turned, int nu, int nv) {
  const double h = 1.0 / (double)nu, k = 1.0 / (double)nv;
  const double d[3] = {it->size[0] * (h * h), it->size[2] * (k * k),
                       tsr_products_diagonal(it, turned, h, k)};
  return tsr_triangle_error(d);
}

/** 1 if such a grid fulfils the criteria. */
TSR_FN int tsr_quad_fulfilled(const tsr_products *it, int turned, int nu, int nv) {
  return tsr_quad_error(it, turned, nu, nv) <= TSR_FULFILLED &&
         tsr_grid_is_asked(it->asked, turned, 1.0 / (double)nu, 1.0 / (double)nv);
}

/** Least steps along v, from `least` on, that fulfil the criteria with nu steps along u; `cap` + 1:
 *  none up to cap. */
TSR_FN int tsr_quad_steps(const tsr_products *it, int turned, int nu, int least, int cap) {
  int low = least, high = cap;
  if (!tsr_quad_fulfilled(it, turned, nu, cap))
    return cap + 1;
  for (int step = 1; low + step < high; step *= 2) { /* doubling steps, then bisection */
    if (tsr_quad_fulfilled(it, turned, nu, low + step - 1)) {
      high = low + step - 1;
      break;
    }
    low += step;
  }
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (tsr_quad_fulfilled(it, turned, nu, middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/** A regular grid of a quadrilateral. */
typedef struct tsr_grid_steps {
  int nu, nv, turned;
} tsr_grid_steps;

/** Looks for a grid of fewer cells than *grid has that fulfils the criteria, with this diagonal, at
 *  least nu x nv and at most `cap` steps along each direction. Returns 1 if *grid is one now. */
TSR_FN int tsr_quad_search(const tsr_products *it, int turned, int nu, int nv, int cap,
                           tsr_grid_steps *grid) {
  const int bent = (int)tsr_ceil_count(sqrt(it->size[0] / (8.0 * TSR_FULFILLED)), cap);
  const int asks = tsr_grid_asks(it->asked, cap), first = asks > bent ? asks : bent;
  int found = 0;
  for (int u = first > nu ? first : nu; u <= cap && (int64_t)u * nv < (int64_t)grid->nu * grid->nv;
       ++u) {
    const int v = tsr_quad_steps(it, turned, u, nv, cap);
    if (v <= cap && (int64_t)u * v < (int64_t)grid->nu * grid->nv) {
      grid->nu = u;
      grid->nv = v;
      grid->turned = turned;
      found = 1;
    }
  }
  return found;
}

/** Finds the grid of fewest cells with at least nu x nv steps. Returns 0 if `cap` allows none, and
 *  takes `cap` along both directions. */
TSR_FN int tsr_quad_grid(const tsr_products *it, int nu, int nv, int cap, tsr_grid_steps *grid) {
  int found = 0;
  for (int turned = 0; turned < 2; ++turned) {
    if (tsr_quad_fulfilled(it, turned, nu, nv)) {
      grid->nu = nu;
      grid->nv = nv;
      grid->turned = turned;
      return 1;
    }
  }
  grid->nu = grid->nv = cap + 1; /* more than any that is allowed */
  grid->turned = 0;
  for (int turned = 0; turned < 2; ++turned)
    found = tsr_quad_search(it, turned, nu, nv, cap, grid) || found;
  if (!found)
    grid->nu = grid->nv = cap;
  return found;
}

/** 1 if a grid of the steps on the sides fulfils the criteria by the sizes of the bends alone: then
 *  there is no need for the products. */
TSR_FN int tsr_quad_is_plain(const tsr_bends *bends, const int n[4]) {
  const double h = 1.0 / (double)(n[0] > n[2] ? n[0] : n[2]);
  const double k = 1.0 / (double)(n[1] > n[3] ? n[1] : n[3]);
  const double *most = bends->most[0];
  return (most[0] * (h * h) + 2.0 * most[1] * (h * k)) + most[2] * (k * k) <= 8.0 * TSR_FULFILLED;
}

/** Divides a quadrilateral with n steps on its sides. it->uneven: may be set to 1. */
TSR_FAR_FN void tsr_quad_divide(const tsr_bends *bends, const tsr_products *products, int cap,
                                const int n[4], tsr_divided *it) {
  const int nu = n[0] > n[2] ? n[0] : n[2], nv = n[1] > n[3] ? n[1] : n[3];
  tsr_grid_steps grid;
  it->limit = !tsr_quad_grid(products, nu, nv, cap, &grid);
  it->regular = n[0] == n[2] && n[1] == n[3] && grid.nu == nu && grid.nv == nv;
  it->nu = (uint16_t)grid.nu;
  it->nv = (uint16_t)grid.nv;
  it->turned = (uint8_t)grid.turned;
  for (int s = 0; s < 4; ++s) {
    const int tries = it->regular ? 0
                                  : tsr_strip_tries(bends, products->asked, s, 1.0 / (double)n[s],
                                                    1.0 / (double)(s % 2 == 0 ? it->nu : it->nv),
                                                    tsr_division_deepest(4, it, s), &it->uneven);
    it->tries[s] = (uint8_t)tries;
    it->limit = it->limit || tries == TSR_STRIP_TRIES;
  }
}

/** Divides a triangle with n steps on its sides. it->uneven: may be set to 1. */
TSR_FAR_FN void tsr_triangle_divide(const tsr_bends *bends, const tsr_shape_asked *asked, int cap,
                                    const int n[3], tsr_divided *it) {
  const int asks = tsr_triangle_asks(asked, cap);
  double most[3], error;
  int m = n[0] > n[1] ? n[0] : n[1], steps;
  m = n[2] > m ? n[2] : m;
  for (int s = 0; s < 3; ++s)
    most[s] = bends->most[s][0];
  error = tsr_triangle_error(most);
  steps = (int)tsr_ceil_count(sqrt(error), cap);
  steps = asks > steps ? asks : steps;
  it->limit = error > (double)steps * (double)steps * TSR_FULFILLED ||
              !tsr_triangle_is_asked(asked, steps > m ? steps : m);
  it->regular = n[0] == m && n[1] == m && n[2] == m && steps <= m;
  it->nu = it->nv = (uint16_t)(steps > m ? steps : m);
  it->tries[3] = it->turned = 0;
  for (int s = 0; s < 3; ++s) {
    const int tries =
        it->regular ? 0
                    : tsr_strip_tries(bends, asked, s, 1.0 / (double)n[s], 1.0 / (double)it->nu,
                                      tsr_division_deepest(3, it, s), &it->uneven);
    it->tries[s] = (uint8_t)tries;
    it->limit = it->limit || tries == TSR_STRIP_TRIES;
  }
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

/** The strip along side s. */
TSR_FN void tsr_division_strip(const tsr_division *it, int s, tsr_strip *strip) {
  const int before = s == 0 ? it->sides - 1 : s - 1, after = s + 1 == it->sides ? 0 : s + 1;
  const double half = it->sides == 3 ? 0.5 * it->depth[s] : 0.0;
  strip->n = it->steps[s];
  strip->m = it->sides == 3 || s % 2 == 0 ? it->a : it->b;
  strip->start = it->depth[before] + half;
  strip->end = (1.0 - it->depth[after]) - half;
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
