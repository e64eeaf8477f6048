/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: shape functions of VTK's linear cells, and where a place is in a cell. */
#ifndef TSR_MESH_SHAPE_SHAPE_MATH_H
#define TSR_MESH_SHAPE_SHAPE_MATH_H

#include "mesh/shape/kind_math.h"

/** A place this far outside a cell, in parameters, is inside: rounding must not let a corner on a
 *  shared face fall between two cells. */
#define TSR_MESH_INSIDE 1e-8

/** Boxes and cells are compared with this tolerance, in finest cells, so that the test of insides
 *  never finds a corner in a cell that touches no box there. Large cells add a part of their
 * extent, far more than TSR_MESH_INSIDE allows. */
#define TSR_MESH_TOUCHES 1e-5
#define TSR_MESH_REACH 1e-6

/** A cell whose Jacobian at the centre is below this part of the product of its columns is flat. */
#define TSR_MESH_FLAT 1e-13

/** Steps of Newton's method at most. It ends where a step moves no parameter by more than
 *  TSR_MESH_SETTLED, as the next one would move it by the square of that. */
enum { TSR_MESH_NEWTON = 16 };
#define TSR_MESH_SETTLED 1e-7

/** The geometry of a cell with shape functions: at most 8 places. */
typedef struct tsr_mesh_shape {
  int kind, n;
  double x[TSR_MESH_SHAPE_POINTS][3];
} tsr_mesh_shape;

/* Shape functions N and their derivatives D at r. The parameters of a pyramid are (1-t) r, (1-t) s
 * and 1-t of VTK's: at its apex the latter are not unique, and these are all 0. */

TSR_FN void tsr_mesh_simplex_functions(int n, const double r[3], double N[8], double D[8][3]) {
  N[0] = 1.0;
  for (int a = 0; a < 3; ++a)
    D[0][a] = a < n - 1 ? -1.0 : 0.0;
  for (int k = 1; k < n; ++k) {
    N[k] = r[k - 1];
    N[0] -= r[k - 1];
    for (int a = 0; a < 3; ++a)
      D[k][a] = a == k - 1 ? 1.0 : 0.0;
  }
}

TSR_FN void tsr_mesh_cube_functions(int n, const double r[3], double N[8], double D[8][3]) {
  for (int k = 0; k < n; ++k) {
    const int i = (k ^ k >> 1) & 1, j = k >> 1 & 1, l = k >> 2;
    const double u = i ? r[0] : 1.0 - r[0], v = j ? r[1] : 1.0 - r[1];
    const double w = n == 4 ? 1.0 : l ? r[2] : 1.0 - r[2];
    N[k] = u * v * w;
    D[k][0] = (i ? v : -v) * w;
    D[k][1] = (j ? u : -u) * w;
    D[k][2] = n == 4 ? 0.0 : l ? u * v : -(u * v);
  }
}

TSR_FN void tsr_mesh_wedge_functions(const double r[3], double N[8], double D[8][3]) {
  const double b[3] = {1.0 - r[0] - r[1], r[0], r[1]};
  for (int k = 0; k < 6; ++k) {
    const int c = k % 3;
    const double w = k < 3 ? 1.0 - r[2] : r[2];
    N[k] = b[c] * w;
    D[k][0] = c == 0 ? -w : c == 1 ? w : 0.0;
    D[k][1] = c == 0 ? -w : c == 2 ? w : 0.0;
    D[k][2] = k < 3 ? -b[c] : b[c];
  }
}

TSR_FN void tsr_mesh_pyramid_functions(const double r[3], double N[8], double D[8][3]) {
  const int apex = fabs(r[2]) < 1e-200;
  const double u = apex ? 0.0 : r[0] / r[2], v = apex ? 0.0 : r[1] / r[2], m = u * r[1];
  const double signs[4] = {1.0, -1.0, 1.0, -1.0};
  N[0] = r[2] - r[0] - r[1] + m;
  N[1] = r[0] - m;
  N[2] = m;
  N[3] = r[1] - m;
  N[4] = 1.0 - r[2];
  for (int k = 0; k < 4; ++k) {
    D[k][0] = signs[k] * v + (k == 0 ? -1.0 : k == 1 ? 1.0 : 0.0);
    D[k][1] = signs[k] * u + (k == 0 ? -1.0 : k == 3 ? 1.0 : 0.0);
    D[k][2] = -signs[k] * u * v + (k == 0 ? 1.0 : 0.0);
  }
  D[4][0] = D[4][1] = 0.0;
  D[4][2] = -1.0;
}

TSR_FN void tsr_mesh_functions(int kind, const double r[3], double N[8], double D[8][3]) {
  switch (kind) {
  case TSR_MESH_TRIANGLE:
    tsr_mesh_simplex_functions(3, r, N, D);
    return;
  case TSR_MESH_TETRAHEDRON:
    tsr_mesh_simplex_functions(4, r, N, D);
    return;
  case TSR_MESH_PIXEL:
  case TSR_MESH_QUAD:
    tsr_mesh_cube_functions(4, r, N, D);
    return;
  case TSR_MESH_WEDGE:
    tsr_mesh_wedge_functions(r, N, D);
    return;
  case TSR_MESH_PYRAMID:
    tsr_mesh_pyramid_functions(r, N, D);
    return;
  default:
    tsr_mesh_cube_functions(8, r, N, D);
    return;
  }
}

/** The centre of a kind in parameters. */
TSR_FN void tsr_mesh_centre(int kind, double r[3]) {
  r[0] = r[1] = r[2] = 0.5;
  if (kind == TSR_MESH_TRIANGLE || kind == TSR_MESH_WEDGE)
    r[0] = r[1] = 1.0 / 3.0;
  if (kind == TSR_MESH_TETRAHEDRON)
    r[0] = r[1] = r[2] = 0.25;
  if (kind == TSR_MESH_PYRAMID) {
    r[0] = r[1] = 0.4;
    r[2] = 0.8;
  }
}

TSR_FN double tsr_mesh_between(double v, double low, double high) {
  return v < low ? low : v > high ? high : v;
}

/** Moves r into the kind's range of parameters. */
TSR_FN void tsr_mesh_clamp(int kind, int dimension, double r[3]) {
  double sum = 0.0;
  int simplex = 0;
  if (kind == TSR_MESH_TRIANGLE || kind == TSR_MESH_WEDGE)
    simplex = 2;
  if (kind == TSR_MESH_TETRAHEDRON)
    simplex = 3;
  for (int a = 0; a < 3; ++a)
    r[a] = a < dimension ? r[a] : 0.0;
  if (kind == TSR_MESH_PYRAMID) {
    r[2] = tsr_mesh_between(r[2], 0.0, 1.0);
    r[0] = tsr_mesh_between(r[0], 0.0, r[2]);
    r[1] = tsr_mesh_between(r[1], 0.0, r[2]);
    return;
  }
  for (int a = 0; a < dimension; ++a)
    r[a] = tsr_mesh_between(r[a], 0.0, 1.0);
  for (int a = 0; a < simplex; ++a)
    sum += r[a];
  for (int a = 0; a < simplex && sum > 1.0; ++a)
    r[a] = r[a] / sum;
}

/** 1 if v is outside the range by more than a cell that spans it may hold by TSR_MESH_INSIDE. */
TSR_FN int tsr_mesh_beyond(double low, double high, double v) {
  const double reach = TSR_MESH_TOUCHES + TSR_MESH_REACH * (high - low);
  return v < low - reach || v > high + reach;
}

/** 1 if r is in the kind's range of parameters. */
TSR_FN int tsr_mesh_in_range(int kind, int dimension, const double r[3]) {
  const double e = TSR_MESH_INSIDE, most = 1.0 + TSR_MESH_INSIDE;
  for (int a = 0; a < dimension; ++a)
    if (!(r[a] >= -e && r[a] <= most))
      return 0;
  if (kind == TSR_MESH_TRIANGLE || kind == TSR_MESH_WEDGE)
    return r[0] + r[1] <= most;
  if (kind == TSR_MESH_TETRAHEDRON)
    return r[0] + r[1] + r[2] <= most;
  if (kind == TSR_MESH_PYRAMID)
    return r[0] <= r[2] + e && r[1] <= r[2] + e;
  return 1;
}

/** The place of r, and the Jacobian: column a is the derivative by parameter a. In a plane the last
 *  column is the third axis. */
TSR_FN void tsr_mesh_map(const tsr_mesh_shape *s, int dimension, const double N[8], double D[8][3],
                         double x[3], double J[3][3]) {
  for (int b = 0; b < 3; ++b) {
    x[b] = N[0] * s->x[0][b];
    for (int a = 0; a < 3; ++a)
      J[a][b] = D[0][a] * s->x[0][b];
  }
  for (int k = 1; k < s->n; ++k)
    for (int b = 0; b < 3; ++b) {
      x[b] += N[k] * s->x[k][b];
      for (int a = 0; a < 3; ++a)
        J[a][b] += D[k][a] * s->x[k][b];
    }
  if (dimension == 2) {
    J[2][0] = J[2][1] = 0.0;
    J[2][2] = 1.0;
  }
}

/** The columns' cross products, for a solution of J d = e by Cramer's rule. */
typedef struct tsr_mesh_inverse {
  double u[3], v[3], w[3]; /**< of columns 1 and 2, 2 and 0, 0 and 1 */
  double det;
} tsr_mesh_inverse;

/** The product of the columns' lengths, below which a determinant cannot be compared with its
 *  square. */
#define TSR_MESH_TINY 1e-250

/** Finds whether J can be inverted: whether its determinant is more than TSR_MESH_FLAT times the
 *  product of its columns' lengths. inverse: its `u` and `det` are set. */
TSR_FN int tsr_mesh_is_solid(double J[3][3], tsr_mesh_inverse *inverse) {
  tsr_cross(J[1], J[2], inverse->u);
  const double det = tsr_mesh_dot(J[0], inverse->u);
  const double a = tsr_mesh_dot(J[0], J[0]), b = tsr_mesh_dot(J[1], J[1]);
  const double c = tsr_mesh_dot(J[2], J[2]), size2 = a * b * c;
  inverse->det = det;
  /* Twice as much is more, however the squares were rounded: most cells need no square roots. */
  if (size2 > TSR_MESH_TINY && det * det > 4.0 * TSR_MESH_FLAT * TSR_MESH_FLAT * size2)
    return 1;
  const double size = sqrt(a) * sqrt(b) * sqrt(c);
  return size > 0.0 && fabs(det / size) > TSR_MESH_FLAT;
}

/** Solves J d = e. Returns the determinant, or 0 if J is flat; d is 0 then. */
TSR_FN double tsr_mesh_invert(double J[3][3], const double e[3], double d[3]) {
  tsr_mesh_inverse inverse;
  d[0] = d[1] = d[2] = 0.0;
  if (!tsr_mesh_is_solid(J, &inverse))
    return 0.0;
  tsr_cross(J[2], J[0], inverse.v);
  tsr_cross(J[0], J[1], inverse.w);
  d[0] = tsr_mesh_dot(inverse.u, e) / inverse.det;
  d[1] = tsr_mesh_dot(inverse.v, e) / inverse.det;
  d[2] = tsr_mesh_dot(inverse.w, e) / inverse.det;
  return inverse.det;
}

/** The edges of a simplex from its first point, and p from there. */
TSR_FN void tsr_mesh_simplex_edges(const tsr_mesh_shape *s, int dimension, const double p[3],
                                   double J[3][3], double e[3]) {
  for (int a = 0; a < 3; ++a) {
    e[a] = p[a] - s->x[0][a];
    J[0][a] = s->x[1][a] - s->x[0][a];
    J[1][a] = s->x[2][a] - s->x[0][a];
    J[2][a] = dimension == 3 ? s->x[3][a] - s->x[0][a] : a == 2 ? 1.0 : 0.0;
  }
  if (dimension == 2)
    e[2] = 0.0;
}

/** The Jacobian's determinant at the centre; 0 if the cell is flat. */
TSR_FN double tsr_mesh_volume(const tsr_mesh_shape *s, int dimension) {
  double r[3], N[8], D[8][3], x[3], J[3][3], d[3];
  const double none[3] = {0.0, 0.0, 0.0};
  if (s->kind == TSR_MESH_TRIANGLE || s->kind == TSR_MESH_TETRAHEDRON) {
    tsr_mesh_inverse inverse;
    tsr_mesh_simplex_edges(s, dimension, s->x[0], J, d);
    return tsr_mesh_is_solid(J, &inverse) ? inverse.det : 0.0;
  }
  tsr_mesh_centre(s->kind, r);
  tsr_mesh_functions(s->kind, r, N, D);
  tsr_mesh_map(s, dimension, N, D, x, J);
  return tsr_mesh_invert(J, none, d);
}

/** The parameters of p in a simplex. Returns 0 if it is flat. */
TSR_FN int tsr_mesh_solve_simplex(const tsr_mesh_shape *s, int dimension, const double p[3],
                                  double r[3]) {
  double J[3][3], e[3];
  tsr_mesh_simplex_edges(s, dimension, p, J, e);
  return tsr_mesh_invert(J, e, r) != 0.0;
}

/** 1 if the simplex holds place p; r: receives its parameters, by tsr_mesh_solve_simplex. What lies
 *  clearly outside is found before anything is divided. */
TSR_FN int tsr_mesh_inside_simplex(const tsr_mesh_shape *s, int dimension, const double p[3],
                                   double r[3]) {
  double J[3][3], e[3];
  tsr_mesh_inverse inverse;
  tsr_mesh_simplex_edges(s, dimension, p, J, e);
  if (!tsr_mesh_is_solid(J, &inverse))
    return 0;
  const double det = inverse.det, size = fabs(det), sign = det < 0.0 ? -1.0 : 1.0;
  const double low = -2.0 * TSR_MESH_INSIDE * size, high = (1.0 + 2.0 * TSR_MESH_INSIDE) * size;
  const double first = tsr_mesh_dot(inverse.u, e);
  if (!(sign * first >= low && sign * first <= high))
    return 0;
  tsr_cross(J[2], J[0], inverse.v);
  const double second = tsr_mesh_dot(inverse.v, e);
  if (!(sign * second >= low && sign * second <= high))
    return 0;
  tsr_cross(J[0], J[1], inverse.w);
  r[0] = first / det;
  r[1] = second / det;
  r[2] = tsr_mesh_dot(inverse.w, e) / det;
  return tsr_mesh_in_range(s->kind, dimension, r);
}

/** A hexahedron as a polynomial: coefficient k, bits of k for the parameters that it goes with. */
typedef struct tsr_mesh_cube {
  double c[8][3];
} tsr_mesh_cube;

TSR_FN void tsr_mesh_cube_of(const tsr_mesh_shape *s, tsr_mesh_cube *cube) {
  for (int a = 0; a < 3; ++a) {
    const double low = s->x[1][a] - s->x[0][a], far = s->x[2][a] - s->x[3][a];
    const double up = s->x[5][a] - s->x[4][a], top = s->x[6][a] - s->x[7][a];
    cube->c[0][a] = s->x[0][a];
    cube->c[1][a] = low;
    cube->c[2][a] = s->x[3][a] - s->x[0][a];
    cube->c[3][a] = far - low;
    cube->c[4][a] = s->x[4][a] - s->x[0][a];
    cube->c[5][a] = up - low;
    cube->c[6][a] = (s->x[7][a] - s->x[4][a]) - cube->c[2][a];
    cube->c[7][a] = (top - up) - (far - low);
  }
}

/** As tsr_mesh_map. */
TSR_FN void tsr_mesh_map_cube(const tsr_mesh_cube *cube, const double r[3], double x[3],
                              double J[3][3]) {
  const double rs = r[0] * r[1], rt = r[0] * r[2], st = r[1] * r[2];
  for (int a = 0; a < 3; ++a) {
    const double c1 = cube->c[1][a], c2 = cube->c[2][a], c3 = cube->c[3][a], c4 = cube->c[4][a];
    const double c5 = cube->c[5][a], c6 = cube->c[6][a], c7 = cube->c[7][a];
    J[0][a] = c1 + c3 * r[1] + c5 * r[2] + c7 * st;
    J[1][a] = c2 + c3 * r[0] + c6 * r[2] + c7 * rt;
    J[2][a] = c4 + c5 * r[0] + c6 * r[1] + c7 * rs;
    x[a] = cube->c[0][a] + (J[0][a] * r[0] + (c2 * r[1] + (c4 * r[2] + c6 * st)));
  }
}

/** Finds the parameters of place p by Newton's method from the centre; they stay within the box of
 *  the cell's parameters and once its size around it. Returns 0 if the cell is flat, 2 if the
 *  parameters have settled, 1 otherwise. */
TSR_FN int tsr_mesh_solve(const tsr_mesh_shape *s, int dimension, const double p[3], double r[3]) {
  const int is_cube = s->kind == TSR_MESH_HEXAHEDRON || s->kind == TSR_MESH_VOXEL;
  double N[8], D[8][3], x[3], J[3][3], d[3], e[3];
  tsr_mesh_cube cube = {{{0.0}}};
  if (s->kind == TSR_MESH_TRIANGLE || s->kind == TSR_MESH_TETRAHEDRON)
    return 2 * tsr_mesh_solve_simplex(s, dimension, p, r);
  tsr_mesh_centre(s->kind, r);
  if (is_cube)
    tsr_mesh_cube_of(s, &cube);
  for (int step = 0; step < TSR_MESH_NEWTON; ++step) {
    double moved = 0.0;
    if (is_cube) {
      tsr_mesh_map_cube(&cube, r, x, J);
    } else {
      tsr_mesh_functions(s->kind, r, N, D);
      tsr_mesh_map(s, dimension, N, D, x, J);
    }
    for (int a = 0; a < 3; ++a)
      e[a] = a < dimension ? p[a] - x[a] : 0.0;
    if (tsr_mesh_invert(J, e, d) == 0.0)
      return step > 0;
    for (int a = 0; a < dimension; ++a) {
      const double kept = tsr_mesh_between(r[a] + d[a], -1.0, 2.0);
      moved = fabs(kept - r[a]) > moved ? fabs(kept - r[a]) : moved;
      r[a] = kept;
    }
    if (moved <= TSR_MESH_SETTLED)
      return 2;
  }
  return 1;
}

/** 1 if the cell holds place p; r: receives its parameters. */
TSR_FN int tsr_mesh_inside_shape(const tsr_mesh_shape *s, int dimension, const double p[3],
                                 double r[3]) {
  if (s->kind == TSR_MESH_TRIANGLE || s->kind == TSR_MESH_TETRAHEDRON)
    return tsr_mesh_inside_simplex(s, dimension, p, r);
  return tsr_mesh_solve(s, dimension, p, r) == 2 && tsr_mesh_in_range(s->kind, dimension, r);
}

/** 0 if place p is clearly outside the box of n places x, which hold whatever the parameters of a
 *  cell with these points may hold. */
TSR_FN int tsr_mesh_box_may_hold(const double (*x)[3], int n, int dimension, const double p[3]) {
  for (int a = 0; a < dimension; ++a) {
    double low = x[0][a], high = x[0][a];
    for (int k = 1; k < n; ++k) {
      low = x[k][a] < low ? x[k][a] : low;
      high = x[k][a] > high ? x[k][a] : high;
    }
    if (tsr_mesh_beyond(low, high, p[a]))
      return 0;
  }
  return 1;
}

/** Reads a cell with shape functions. */
TSR_FN void tsr_mesh_load(const tsr_mesh *mesh, const tsr_mesh_cell *c, tsr_mesh_shape *s) {
  const int boxes = c->kind == TSR_MESH_VOXEL || c->kind == TSR_MESH_PIXEL;
  s->kind = c->kind;
  s->n = (int)c->n;
  for (int k = 0; k < s->n; ++k) {
    const double *x =
        tsr_mesh_place(mesh, boxes ? tsr_mesh_id(mesh, c, k) : tsr_mesh_listed_id(mesh, c, k));
    for (int a = 0; a < 3; ++a)
      s->x[k][a] = x[a];
  }
}

#endif
