/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How much a solid bends: bounds of its second derivatives, as shares of what the criteria allow.
 *
 * There are six kinds of second derivatives, and the derivative along a vector e of parameters is
 * bounded by the sum of their bounds M, each times a product of coordinates of e:
 *
 *     tetrahedron  along its six edges: with barycentric coordinates e_0 + ... + e_3 = 0, the
 *                  derivative is minus the sum of e_i e_j times that along edge ij
 *     hexahedron   xx, yy, zz, xy, xz, yz
 *     wedge        along the three edges of its triangle; zz; along edges 01 and 02 with z
 *
 * Each is bounded by its Bernstein coefficients. Of a rational solid S = X / w,
 *
 *     X/w - LX/Lw = ((X - LX) - S (w - Lw)) / Lw,
 *
 * where L interpolates over a tetrahedron: with S measured from the middle of the nodes, |S| <= R
 * and w >= m, the second derivatives |X''| + R |w''|, divided by m, bound the bend.
 */
#ifndef TSR_CELLS_VOLUMES_SOLID_BEND_MATH_H
#define TSR_CELLS_VOLUMES_SOLID_BEND_MATH_H

#include "cells/divide/bend_math.h"
#include "cells/volumes/solid_math.h"

/** Kinds of second derivatives. */
#define TSR_SOLID_KINDS 6

/** What the triangles of faces and the steps of edges may take of what the criteria allow inside. A
 *  tetrahedron of thin shells takes at most 1.5 times as much as its triangle (tsr_tetra_error), so
 *  that below 2/3 a finite number of shells is enough. With a share s, the triangles number 1 / s
 * and the shells s / (sqrt(s) (2 - 3 s)), but for factors; the product is least at 2/9. */
#define TSR_RIM_SHARE 0.25

/** Where the matrix of tetrahedra of degree d begins in their table of forms. */
TSR_FN int tsr_tetra_form(int d) {
  int at = 0;
  for (int k = 1; k < d; ++k)
    at += (k + 1) * (k + 2) * (k + 3) / 6 * ((k + 1) * (k + 2) * (k + 3) / 6);
  return at;
}

/** A kind of second derivative: scale times the sum of factor times the coefficient at (place +
 *  offset), for all places of a lattice of the degrees d. */
typedef struct tsr_stencil {
  int d[3], terms, offset[4][3];
  double factor[4], scale;
} tsr_stencil;

/** Sets the second difference along the edge from corner i to corner j of a simplex: offset 0 of
 *  corner 0, a step along axis k - 1 of corner k. */
TSR_FN void tsr_stencil_edge(tsr_stencil *it, int i, int j, int d) {
  static const double factor[3] = {1.0, -2.0, 1.0};
  const int from[3][2] = {{i, i}, {i, j}, {j, j}};
  it->terms = 3;
  it->scale = (double)(d * (d - 1));
  for (int t = 0; t < 3; ++t) {
    it->factor[t] = factor[t];
    for (int c = 0; c < 3; ++c)
      it->offset[t][c] = (from[t][0] == c + 1) + (from[t][1] == c + 1);
  }
}

/** Sets the second derivative along the axes i and j of a lattice of the degrees d. */
TSR_FN void tsr_stencil_axes(tsr_stencil *it, int i, int j, const int d[3]) {
  static const double straight[4] = {1.0, -2.0, 1.0, 0.0}, mixed[4] = {1.0, -1.0, -1.0, 1.0};
  it->terms = i == j ? 3 : 4;
  it->scale = i == j ? (double)(d[i] * (d[i] - 1)) : (double)(d[i] * d[j]);
  for (int t = 0; t < 4; ++t) {
    it->factor[t] = i == j ? straight[t] : mixed[t];
    for (int c = 0; c < 3; ++c)
      it->offset[t][c] = i == j ? (c == i ? t : 0) : (c == i && t % 2) + (c == j && t / 2);
  }
  --it->d[i];
  --it->d[j];
}

/** Sets the stencil of kind k of a solid. */
TSR_FN void tsr_stencil_set(tsr_stencil *it, tsr_shape shape, const int d[3], int k) {
  static const int edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  static const int flat[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  static const int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int c = 0; c < 3; ++c)
    it->d[c] = d[c];
  if (shape == TSR_SHAPE_TETRA) {
    tsr_stencil_edge(it, edge[k][0], edge[k][1], d[0]);
    it->d[0] = it->d[1] = it->d[2] = d[0] - 2;
  } else if (shape == TSR_SHAPE_HEXAHEDRON) {
    tsr_stencil_axes(it, axes[k][0], axes[k][1], d);
  } else if (k < 3) {
    tsr_stencil_edge(it, flat[k][0], flat[k][1], d[0]);
    it->d[0] = it->d[1] = d[0] - 2;
  } else {
    /* the triangle's coefficients step along both axes alike */
    static const int axis[3] = {2, 0, 1};
    tsr_stencil_axes(it, axis[k - 3], 2, d);
    if (k == 5) {
      it->scale = (double)(d[0] * d[2]);
      it->d[0] = d[0] - 1;
    }
  }
}

/** What the second derivatives along the edge from corner i to corner j of a simplex count in the
 *  one along two vectors with barycentric coordinates p and q. */
TSR_FN double tsr_edge_part(const double *p, const double *q, int i, int j) {
  return 0.5 * (fabs(p[i] * q[j]) + fabs(p[j] * q[i]));
}

/** What the one along axis i counts in the one along the vectors x and y, and the mixed ones along
 *  the axes i and j. */
TSR_FN double tsr_axis_part(const double *x, const double *y, int i) { return fabs(x[i] * y[i]); }
TSR_FN double tsr_mixed_part(const double *x, const double *y, int i, int j) {
  return fabs(x[i] * y[j]) + fabs(x[j] * y[i]);
}

/** Bound of the second derivative along the vectors x and y of parameters: the sum of the bounds of
 *  all kinds, each times what it counts. Most of the time of Cells is spent here: without loops. */
TSR_FN double tsr_solid_bend_along(tsr_shape shape, const double *bends, const double x[3],
                                   const double y[3]) {
  double sum;
  if (shape == TSR_SHAPE_TETRA) {
    const double p[4] = {-((x[0] + x[1]) + x[2]), x[0], x[1], x[2]};
    const double q[4] = {-((y[0] + y[1]) + y[2]), y[0], y[1], y[2]};
    sum = bends[0] * tsr_edge_part(p, q, 0, 1) + bends[1] * tsr_edge_part(p, q, 0, 2);
    sum = (sum + bends[2] * tsr_edge_part(p, q, 0, 3)) + bends[3] * tsr_edge_part(p, q, 1, 2);
    return (sum + bends[4] * tsr_edge_part(p, q, 1, 3)) + bends[5] * tsr_edge_part(p, q, 2, 3);
  }
  if (shape == TSR_SHAPE_HEXAHEDRON) {
    sum = bends[0] * tsr_axis_part(x, y, 0) + bends[1] * tsr_axis_part(x, y, 1);
    sum = (sum + bends[2] * tsr_axis_part(x, y, 2)) + bends[3] * tsr_mixed_part(x, y, 0, 1);
    return (sum + bends[4] * tsr_mixed_part(x, y, 0, 2)) + bends[5] * tsr_mixed_part(x, y, 1, 2);
  }
  const double p[3] = {-(x[0] + x[1]), x[0], x[1]}, q[3] = {-(y[0] + y[1]), y[0], y[1]};
  sum = bends[0] * tsr_edge_part(p, q, 0, 1) + bends[1] * tsr_edge_part(p, q, 0, 2);
  sum = (sum + bends[2] * tsr_edge_part(p, q, 1, 2)) + bends[3] * tsr_axis_part(x, y, 2);
  return (sum + bends[4] * tsr_mixed_part(x, y, 0, 2)) + bends[5] * tsr_mixed_part(x, y, 1, 2);
}

/** tsr_solid_bend_along() for x and x, with the same bits: what is halved there is a sum of two
 * equal numbers. */
TSR_FN double tsr_solid_bend_twice(tsr_shape shape, const double *bends, const double x[3]) {
  double sum;
  if (shape != TSR_SHAPE_TETRA)
    return tsr_solid_bend_along(shape, bends, x, x);
  const double last = -((x[0] + x[1]) + x[2]);
  sum = bends[0] * fabs(last * x[0]) + bends[1] * fabs(last * x[1]);
  sum = (sum + bends[2] * fabs(last * x[2])) + bends[3] * fabs(x[0] * x[1]);
  return (sum + bends[4] * fabs(x[0] * x[2])) + bends[5] * fabs(x[1] * x[2]);
}

/** Values at the nodes of a solid, missing ones included, become Bernstein coefficients. */
TSR_FAR_FN void tsr_solid_to_bernstein(const tsr_cells_criteria *criteria, const tsr_solid *it,
                                       double *q) {
  const int *d = it->d, layer = it->n / (d[2] + 1);
  double p[TSR_TETRA_NODES];
  if (it->basis == TSR_BASIS_BEZIER)
    return;
  if (it->shape == TSR_SHAPE_TETRA) {
    const double *matrix = criteria->tetra_forms + tsr_tetra_form(d[0]);
    for (int i = 0; i < it->n; ++i) {
      p[i] = 0.0;
      for (int k = 0; k < it->n; ++k)
        p[i] += matrix[i * it->n + k] * q[k];
    }
    for (int i = 0; i < it->n; ++i)
      q[i] = p[i];
    return;
  }
  for (int c = 0; c <= d[2]; ++c) {
    double *at = q + c * layer;
    if (it->shape == TSR_SHAPE_WEDGE)
      tsr_form_apply(criteria->forms + tsr_triangle_form(d[0]), layer, at, 1);
    for (int b = 0; it->shape != TSR_SHAPE_WEDGE && b <= d[1]; ++b)
      tsr_form_apply(criteria->forms + tsr_line_form(d[0]), d[0] + 1, at + b * (d[0] + 1), 1);
    for (int a = 0; it->shape != TSR_SHAPE_WEDGE && a <= d[0]; ++a)
      tsr_form_apply(criteria->forms + tsr_line_form(d[1]), d[1] + 1, at + a, d[0] + 1);
  }
  for (int k = 0; k < layer; ++k)
    tsr_form_apply(criteria->forms + tsr_line_form(d[2]), d[2] + 1, q + k, layer);
}

/** Coefficients of a criterion of a solid. */
typedef struct tsr_solid_bent {
  int components;
  double over;   /**< 1 / (error that is allowed times the least weight) */
  double radius; /**< of a rational solid: largest |S| */
  double q[3][TSR_SOLID_NODES];
  double w[TSR_SOLID_NODES];
} tsr_solid_bent;

/** Measures the components of a rational criterion from the middle of the nodes' values. */
TSR_FN void tsr_solid_center(const tsr_solid *it, tsr_solid_bent *bent) {
  double least_weight = bent->w[0], square = 0.0;
  for (int k = 1; k < it->n; ++k)
    least_weight = bent->w[k] < least_weight ? bent->w[k] : least_weight;
  for (int c = 0; c < bent->components; ++c) {
    double least = 0.0, most = 0.0;
    for (int k = 0; k < it->n; ++k) {
      const double value = bent->q[c][k] / bent->w[k];
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
    for (int k = 0; k < it->n; ++k)
      bent->q[c][k] -= 0.5 * (least + most) * bent->w[k];
    square += 0.25 * (most - least) * (most - least);
  }
  bent->radius = sqrt(square);
  bent->over /= least_weight;
}

/** Finds criterion i of a solid. Returns 0 if it asks for nothing. */
TSR_FN int tsr_solid_criterion(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                               const tsr_solid *it, int i, tsr_solid_bent *bent) {
  const tsr_array *array;
  int component;
  bent->over = tsr_criterion(view, criteria, i, &array, &component);
  bent->components = i == 0 ? 3 : 1;
  bent->radius = 0.0;
  for (int c = 0; bent->over > 0.0 && c < bent->components; ++c) {
    tsr_load_nodes(view, array, component + c, it->n, it->id, it->rational, bent->q[c]);
    tsr_solid_fill_holes(it, 0, bent->q[c]);
    tsr_solid_to_bernstein(criteria, it, bent->q[c]);
  }
  for (int k = 0; bent->over > 0.0 && it->rational && k < it->n; ++k)
    bent->w[k] = tsr_load(&view->weights, it->id[k]);
  if (bent->over > 0.0 && it->rational)
    tsr_solid_center(it, bent);
  return bent->over > 0.0;
}

/** The stencil applied at (a, b, c) to coefficients of a solid. */
TSR_FN double tsr_stencil_at(const tsr_stencil *stencil, const tsr_solid *it, int a, int b, int c,
                             const double *q) {
  double sum = 0.0;
  for (int t = 0; t < stencil->terms; ++t) {
    const int *o = stencil->offset[t];
    sum += stencil->factor[t] * q[tsr_solid_place(it->shape, it->d, a + o[0], b + o[1], c + o[2])];
  }
  return stencil->scale * sum;
}

/** Largest second derivative of a kind, as a share of what is allowed. */
TSR_FAR_FN double tsr_solid_bend_of(const tsr_solid *it, const tsr_solid_bent *bent, int kind) {
  double most = 0.0;
  tsr_stencil s;
  tsr_stencil_set(&s, it->shape, it->d, kind);
  if (s.d[0] < 0 || s.d[1] < 0 || s.d[2] < 0)
    return 0.0;
  for (int c = 0; c <= s.d[2]; ++c)
    for (int b = 0; b <= tsr_solid_last_b(it->shape, s.d, c); ++b)
      for (int a = 0; a <= tsr_solid_last_a(it->shape, s.d, b, c); ++a) {
        double square = 0.0, bend;
        for (int i = 0; i < bent->components; ++i) {
          const double value = tsr_stencil_at(&s, it, a, b, c, bent->q[i]);
          square += value * value;
        }
        bend = sqrt(square);
        if (it->rational)
          bend += bent->radius * fabs(tsr_stencil_at(&s, it, a, b, c, bent->w));
        most = tsr_larger_bend(most, bend * bent->over);
      }
  return most;
}

/** Finds the bounds of all kinds, over all criteria. */
TSR_FAR_FN void tsr_solid_bends(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                                const tsr_solid *it, double bends[TSR_SOLID_KINDS]) {
  const int n = tsr_criteria_count(criteria);
  tsr_solid_bent bent;
  for (int k = 0; k < TSR_SOLID_KINDS; ++k)
    bends[k] = 0.0;
  for (int i = 0; i < n; ++i) {
    if (!tsr_solid_criterion(view, criteria, it, i, &bent))
      continue;
    for (int k = 0; k < TSR_SOLID_KINDS; ++k)
      bends[k] = tsr_larger_bend(bends[k], tsr_solid_bend_of(it, &bent, k));
  }
}

/** Adds the components `first` to `first` + n - 1 of an array at the nodes of a Lagrange
 * tetrahedron of degree 2, in VTK's order, to the bounds of all kinds. Has the bits of
 * tsr_solid_bend_of(): in rows of the form's matrix, zeros are left out. They matter where a value
 * is not finite: no derivative is a number then. */
TSR_FN void tsr_quadratic_bends_add(const tsr_array *array, int first, int n, double over,
                                    const int64_t id[10], double bends[TSR_SOLID_KINDS]) {
  static const int edge[6][3] = {{0, 4, 1}, {0, 6, 2}, {0, 7, 3}, {1, 5, 2}, {1, 8, 3}, {2, 9, 3}};
  double square[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  for (int c = first; c < first + n; ++c) {
    double x[10], zero = 0.0;
    tsr_load_values(array, c, 10, id, x);
    for (int k = 9; k >= 0; --k) {
      x[k] = k == 0 ? 0.0 : x[k] - x[0];
      zero += 0.0 * x[k];
    }
    if (!(zero == 0.0))
      return;
    for (int k = 0; k < 6; ++k) {
      const double from = x[edge[k][0]], to = x[edge[k][2]];
      const double middle = (-0.5 * from + 2.0 * x[edge[k][1]]) + -0.5 * to;
      const double value = 2.0 * ((from - 2.0 * middle) + to);
      square[k] += value * value;
    }
  }
  for (int k = 0; k < 6; ++k)
    bends[k] = tsr_larger_bend(bends[k], sqrt(square[k]) * over);
}

/** Finds the bounds of all kinds of a Lagrange tetrahedron of degree 2, over all criteria. */
TSR_FN void tsr_quadratic_bends(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                                const tsr_cell *cell, double bends[TSR_SOLID_KINDS]) {
  const int n = tsr_criteria_count(criteria);
  int64_t id[10];
  for (int k = 0; k < 10; ++k)
    id[k] = tsr_cell_id(view, cell, k);
  for (int k = 0; k < TSR_SOLID_KINDS; ++k)
    bends[k] = 0.0;
  for (int i = 0; i < n; ++i) {
    const tsr_array *array;
    int component;
    const double over = tsr_criterion(view, criteria, i, &array, &component);
    if (over > 0.0)
      tsr_quadratic_bends_add(array, component, i == 0 ? 3 : 1, over, id, bends);
  }
}

/** Finds the bounds of all kinds of a curved solid, over all criteria. */
TSR_FN void tsr_cell_bends(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                           const tsr_cell *cell, double bends[TSR_SOLID_KINDS]) {
  tsr_solid solid;
  if (cell->shape == TSR_SHAPE_TETRA && cell->d[0] == 2 && cell->basis == TSR_BASIS_LAGRANGE) {
    tsr_quadratic_bends(view, criteria, cell, bends);
    return;
  }
  tsr_solid_of(view, cell, &solid);
  tsr_solid_bends(view, criteria, &solid, bends);
}

/** Half of the largest sum of l_i l_j D_ij over barycentric coordinates l of a tetrahedron, or
 * more. Opposite edges, 01 and 23, 02 and 13, 03 and 12, share a bound: l_0 l_1 + l_2 l_3 is at
 * most 1/4, and all six products together are at most 3/8. d: 01, 23, 02, 13, 03, 12. */
TSR_FN double tsr_tetra_error(const double d[6]) {
  double first = 0.0, second = 0.0;
  for (int k = 0; k < 6; k += 2) {
    const double pair = d[k] > d[k + 1] ? d[k] : d[k + 1];
    if (pair > first) {
      second = first;
      first = pair;
    } else if (pair > second) {
      second = pair;
    }
  }
  return 0.125 * first + 0.0625 * second;
}

#endif
