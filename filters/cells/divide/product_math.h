/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The second derivatives a (along u), b (mixed) and c (along v) of a face, seen together.
 *
 * Along the diagonal (h, -k) of a cell of the grid the second derivative is a h^2 - 2 b h k + c
 * k^2; along the other one b has the other sign. Along two vectors e and f it is a e_u f_u + b (e_u
 * f_v + e_v f_u) + c e_v f_v. Where b points elsewhere than a and c, or against them, that is less
 * than the sum of the lengths. So the largest products of the vectors are found,
 * of Bernstein coefficients in the same place: those of derivatives raised to one degree.
 */
#ifndef TSR_CELLS_DIVIDE_PRODUCT_MATH_H
#define TSR_CELLS_DIVIDE_PRODUCT_MATH_H

#include "cells/divide/asked_math.h"
#include "common/vector_math.h"

/** Largest products of a, b and c, which may be negative. */
typedef struct tsr_products {
  double size[3];             /**< largest |a|, |b|, |c| */
  double ab[2], ac[2], bc[2]; /**< largest a b, and largest -a b; so the others */
} tsr_products;

/** What is known from the sizes alone. */
TSR_FN void tsr_products_of_sizes(const double size[3], tsr_products *to) {
  for (int k = 0; k < 3; ++k)
    to->size[k] = size[k];
  to->ac[0] = to->ac[1] = size[0] * size[2];
  to->ab[0] = to->ab[1] = size[0] * size[1];
  to->bc[0] = to->bc[1] = size[1] * size[2];
}

/** What is known of no vectors. */
TSR_FN void tsr_products_none(tsr_products *to) {
  to->size[0] = to->size[1] = to->size[2] = 0.0;
  to->ab[0] = to->ab[1] = -TSR_BEND_MOST;
  to->ac[0] = to->ac[1] = -TSR_BEND_MOST;
  to->bc[0] = to->bc[1] = -TSR_BEND_MOST;
}

/** Takes the vectors at one place into account. */
TSR_FN void tsr_products_put(tsr_products *to, double at[3][3]) {
  const double ab = tsr_dot(at[0], at[1]), ac = tsr_dot(at[0], at[2]);
  const double bc = tsr_dot(at[1], at[2]);
  for (int k = 0; k < 3; ++k)
    to->size[k] = tsr_larger_bend(to->size[k], sqrt(tsr_dot(at[k], at[k])));
  for (int sign = 0; sign < 2; ++sign) {
    to->ab[sign] = tsr_larger_bend(to->ab[sign], sign ? -ab : ab);
    to->ac[sign] = tsr_larger_bend(to->ac[sign], sign ? -ac : ac);
    to->bc[sign] = tsr_larger_bend(to->bc[sign], sign ? -bc : bc);
  }
}

/** Adds one criterion of a polynomial face. */
TSR_FAR_FN void tsr_products_add(const tsr_homogeneous *it, tsr_products *to) {
  const int n = it->components;
  tsr_derivative u, v, second[3];
  double at[3][3];
  tsr_derive(n, it->x, &it->w, 0, &u);
  tsr_derive(n, it->x, &it->w, 1, &v);
  tsr_derive(n, u.x, &u.w, 0, &second[0]);
  tsr_derive(n, u.x, &u.w, 1, &second[1]);
  tsr_derive(n, v.x, &v.w, 1, &second[2]);
  for (int l = 0; l <= it->w.dv; ++l) {
    for (int j = 0; j <= tsr_scaled_last(&it->w, l); ++j) {
      const double over = it->over / tsr_scaled_factor(&it->w, j, l);
      for (int k = 0; k < 3; ++k) {
        at[k][0] = at[k][1] = at[k][2] = 0.0;
        for (int c = 0; c < n; ++c)
          at[k][c] = over * second[k].x[c].at[tsr_scaled_place(&it->w, j, l)];
      }
      tsr_products_put(to, at);
    }
  }
}

/** Adds one criterion of a rational face. */
TSR_FAR_FN void tsr_products_add_rational(const tsr_bent *bent, int sides, int du, int dv,
                                          const double *w, tsr_products *to) {
  tsr_rational_forms it;
  tsr_rational_row row;
  double at[3][3];
  tsr_rational_forms_set(bent, sides, du, dv, w, &it);
  for (int l = 0; l <= 3 * dv; ++l) {
    tsr_rational_row_at(&it, l, &row);
    for (int k = 0; k < row.n; ++k) {
      tsr_rational_row_get(&row, k, at);
      tsr_products_put(to, at);
    }
  }
}

/** Finds the products of a face. Those of a rational quadrilateral are the largest of its quarters.
 */
TSR_FAR_FN void tsr_patch_products(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                                   const tsr_patch *patch, tsr_products *to) {
  const int criteria_n = tsr_criteria_count(criteria), sides = patch->sides;
  const int du = sides == 3 ? tsr_triangle_degree(patch) : patch->du;
  const int dv = sides == 3 ? du : patch->dv;
  double w[TSR_FACE_NODES], part_w[TSR_FACE_NODES];
  tsr_homogeneous it;
  tsr_bent bent, part;
  tsr_products_none(to);
  for (int k = 0; k < TSR_FACE_NODES; ++k)
    w[k] = patch->rational && k < patch->n ? tsr_load(&view->weights, patch->id[k]) : 1.0;
  tsr_scaled_set(&it.w, sides, du, dv, w);
  for (int i = 0; i < criteria_n; ++i) {
    if (!tsr_patch_criterion(view, criteria, patch, i, &bent))
      continue;
    for (int k = 0; patch->rational && sides == 4 && k < 4; ++k) {
      tsr_bent_part(&bent, du, dv, k, w, &part, part_w);
      tsr_products_add_rational(&part, sides, du, dv, part_w, to);
    }
    if (patch->rational && sides == 3)
      tsr_products_add_rational(&bent, sides, du, dv, w, to);
    if (!patch->rational) {
      tsr_homogeneous_set(&it, sides, du, dv, &bent);
      tsr_products_add(&it, to);
    }
  }
}

/** Lowers the bounds on a whole quadrilateral to those that the products know. Along the sides of a
 *  triangle there are bounds of their own. */
TSR_FN void tsr_bends_lower(tsr_bends *bends, const tsr_products *products) {
  for (int s = 0; bends->sides == 4 && s < 4; ++s)
    for (int k = 0; k < 3; ++k) {
      const double size = products->size[s % 2 == 0 ? k : 2 - k];
      bends->most[s][k] = size < bends->most[s][k] ? size : bends->most[s][k];
    }
}

/** Bound of p a + q b + r c. */
TSR_FN double tsr_products_bend(const tsr_products *it, double p, double q, double r) {
  const double *size = it->size, pq = p * q, qr = q * r, pr = p * r;
  const double square = (((size[0] * size[0]) * (p * p) + (size[1] * size[1]) * (q * q)) +
                         (size[2] * size[2]) * (r * r)) +
                        2.0 * ((fabs(pq) * it->ab[pq < 0.0] + fabs(qr) * it->bc[qr < 0.0]) +
                               fabs(pr) * it->ac[pr < 0.0]);
  return sqrt(square > 0.0 ? square : 0.0);
}

/** Bound of the second derivative along a diagonal of a cell of h x k; turned: 0: (h, -k), 1: (h,
 * k).
 */
TSR_FN double tsr_products_diagonal(const tsr_products *it, int turned, double h, double k) {
  return tsr_products_bend(it, h * h, (turned ? 2.0 : -2.0) * (h * k), k * k);
}

#endif
