/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: places in space, values of input points, and derivatives of fields. */
#ifndef TSR_GRID_CRITERIA_FIELD_MATH_H
#define TSR_GRID_CRITERIA_FIELD_MATH_H

#include "grid/lattice_math.h"

#define TSR_INFINITY ((double)INFINITY)

/** Where points are in space. Arrays belong to outer axes, and to the held points. */
typedef struct tsr_space {
  tsr_grid_geometry geometry;
  double origin[3]; /**< of the lowest corner of the whole grid */
  double spacing[3], direction[9];
  tsr_array coordinates[3];
  tsr_array points;
} tsr_space;

/** A criterion with its numbers in force. */
typedef struct tsr_rule {
  tsr_grid_measure measure;
  tsr_array array;
  int cell_data, component;
  double threshold, lower, upper;
  int max_level;
  int tame; /**< 1: all values in the grid, and sums of their squares, are known to be finite */
  int criterion; /**< the criterion's index in the options */
} tsr_rule;

/** Position of an input point. */
TSR_FN void tsr_space_point(const tsr_space *space, const tsr_lattice *lattice, const int64_t p[3],
                            double x[3]) {
  double u[3] = {0.0, 0.0, 0.0};
  if (space->geometry == TSR_GEOMETRY_POINTS) {
    const int64_t at = 3 * tsr_point_at(lattice, p);
    for (int c = 0; c < 3; ++c)
      x[c] = tsr_load(&space->points, at + c);
    return;
  }
  for (int a = 0; a < 3; ++a) {
    const int axis = lattice->axis[a];
    u[axis] = space->geometry == TSR_GEOMETRY_RECTILINEAR
                  ? tsr_load(&space->coordinates[axis], p[a] - lattice->held[a][0])
                  : (double)p[a] * space->spacing[axis];
  }
  for (int c = 0; c < 3; ++c)
    x[c] = space->geometry == TSR_GEOMETRY_RECTILINEAR
               ? u[c]
               : space->origin[c] +
                     ((space->direction[3 * c] * u[0] + space->direction[3 * c + 1] * u[1]) +
                      space->direction[3 * c + 2] * u[2]);
}

/** Where index i lies between i0 and i1, 0 to 1: in space for rectilinear grids, else in the
 *  index. */
TSR_FN double tsr_axis_parameter(const tsr_space *space, const tsr_lattice *lattice, int axis,
                                 int64_t i0, int64_t i1, int64_t i) {
  if (i1 <= i0)
    return 0.0;
  if (space->geometry == TSR_GEOMETRY_RECTILINEAR) {
    const tsr_array *x = &space->coordinates[lattice->axis[axis]];
    const int64_t first = lattice->held[axis][0];
    const double x0 = tsr_load(x, i0 - first), x1 = tsr_load(x, i1 - first);
    if (x1 - x0 != 0.0)
      return (tsr_load(x, i - first) - x0) / (x1 - x0);
  }
  return (double)(i - i0) / (double)(i1 - i0);
}

/** Component, or magnitude, of a tuple. */
TSR_FN double tsr_sample(const tsr_rule *rule, int64_t at) {
  const int n = rule->array.components;
  double sum = 0.0;
  if (rule->component >= 0 || n == 1)
    return tsr_load(&rule->array, at * n + (rule->component > 0 ? rule->component : 0));
  for (int c = 0; c < n; ++c) {
    const double v = tsr_load(&rule->array, at * n + c);
    sum += v * v;
  }
  return sqrt(sum);
}

/** Neighbours of cell c along an axis between which its derivative is taken. */
TSR_FN void tsr_cell_neighbours(const tsr_lattice *lattice, int axis, const int64_t c[3],
                                int64_t low[3], int64_t high[3]) {
  for (int b = 0; b < 3; ++b)
    low[b] = high[b] = c[b];
  if (low[axis] > 0)
    --low[axis];
  if (high[axis] < lattice->cells[axis] - 1)
    ++high[axis];
}

/** Magnitude of the undivided gradient of cell data. */
TSR_FN double tsr_cell_gradient(const tsr_lattice *lattice, const tsr_rule *rule,
                                const int64_t c[3]) {
  double squares = 0.0;
  for (int a = 0; a < lattice->dimension; ++a) {
    int64_t low[3], high[3];
    double d;
    tsr_cell_neighbours(lattice, a, c, low, high);
    if (high[a] == low[a])
      continue;
    d = (tsr_sample(rule, tsr_cell_at(lattice, high)) -
         tsr_sample(rule, tsr_cell_at(lattice, low))) /
        (double)(high[a] - low[a]);
    squares += d * d;
  }
  return sqrt(squares);
}

/** Centre of an input cell: the mean of its corners. */
TSR_FN void tsr_space_centre(const tsr_space *space, const tsr_lattice *lattice, const int64_t c[3],
                             double x[3]) {
  const int n = 1 << lattice->dimension;
  for (int d = 0; d < 3; ++d)
    x[d] = 0.0;
  for (int k = 0; k < n; ++k) {
    const int64_t p[3] = {c[0] + (k & 1), c[1] + ((k >> 1) & 1), c[2] + ((k >> 2) & 1)};
    double y[3];
    tsr_space_point(space, lattice, p, y);
    for (int d = 0; d < 3; ++d)
      x[d] += y[d];
  }
  for (int d = 0; d < 3; ++d)
    x[d] /= (double)n;
}

/** Component d of the way from an index to the next along an axis of UNIFORM geometry. */
TSR_FN double tsr_uniform_step(const tsr_space *space, const tsr_lattice *lattice, int axis,
                               int d) {
  const int outer = lattice->axis[axis];
  return space->direction[3 * d + outer] * space->spacing[outer];
}

/** Sum, over the edges of a cell along an axis, of the differences of the values at its corners. */
TSR_FN double tsr_corners_difference(int dimension, int axis, const double v[8]) {
  const int step = 1 << axis, edges = 1 << (dimension - 1);
  double d = 0.0;
  TSR_UNROLL
  for (int edge = 0; edge < edges; ++edge) {
    const int low = ((edge >> axis) << (axis + 1)) | (edge & (step - 1));
    d += v[low + step] - v[low];
  }
  return d;
}

/** Place of corner k of an input cell in the held point arrays. */
TSR_FN int64_t tsr_corner_at(const tsr_lattice *lattice, const int64_t c[3], int k) {
  const int64_t p[3] = {c[0] + (k & 1), c[1] + ((k >> 1) & 1), c[2] + ((k >> 2) & 1)};
  return tsr_point_at(lattice, p);
}

/** Differences of an array of three components over the edges of an input cell: d[axis]. */
TSR_FN void tsr_edge_differences(const tsr_lattice *lattice, const tsr_array *array,
                                 const int64_t c[3], double d[3][3]) {
  for (int k = 0; k < 3; ++k) {
    double v[8] = {0.0};
    for (int corner = 0; corner < 1 << lattice->dimension; ++corner)
      v[corner] = tsr_load(array, 3 * tsr_corner_at(lattice, c, corner) + k);
    for (int a = 0; a < lattice->dimension; ++a)
      d[a][k] = tsr_corners_difference(lattice->dimension, a, v);
  }
}

/** Sums, over the edges of an input cell along each axis, of the differences of position. */
TSR_FN void tsr_cell_edges(const tsr_lattice *lattice, const tsr_space *space, const int64_t c[3],
                           double dx[3][3]) {
  const int n = 1 << lattice->dimension;
  for (int a = 0; a < lattice->dimension; ++a) {
    const int axis = lattice->axis[a];
    for (int d = 0; d < 3; ++d)
      dx[a][d] = 0.0;
    if (space->geometry == TSR_GEOMETRY_UNIFORM) {
      for (int d = 0; d < 3; ++d)
        dx[a][d] = tsr_uniform_step(space, lattice, a, d) * (double)(n / 2);
    } else if (space->geometry == TSR_GEOMETRY_RECTILINEAR) {
      const int64_t at = c[a] - lattice->held[a][0];
      dx[a][axis] =
          (tsr_load(&space->coordinates[axis], at + 1) - tsr_load(&space->coordinates[axis], at)) *
          (double)(n / 2);
    }
  }
  if (space->geometry == TSR_GEOMETRY_POINTS)
    tsr_edge_differences(lattice, &space->points, c, dx);
}

/** Differences of position (dx[axis]) and of the three components (dv[axis]) along each axis: point
 *  data over the edges of the cell, cell data between the centres of its neighbours. */
TSR_FN void tsr_cell_differences(const tsr_lattice *lattice, const tsr_space *space,
                                 const tsr_rule *rule, const int64_t c[3], double dx[3][3],
                                 double dv[3][3]) {
  if (!rule->cell_data) {
    tsr_cell_edges(lattice, space, c, dx);
    tsr_edge_differences(lattice, &rule->array, c, dv);
  }
  for (int a = 0; rule->cell_data && a < lattice->dimension; ++a) {
    int64_t low[3], high[3];
    double x0[3], x1[3];
    tsr_cell_neighbours(lattice, a, c, low, high);
    if (space->geometry != TSR_GEOMETRY_UNIFORM) {
      tsr_space_centre(space, lattice, low, x0);
      tsr_space_centre(space, lattice, high, x1);
    }
    for (int d = 0; d < 3; ++d) {
      dx[a][d] = space->geometry == TSR_GEOMETRY_UNIFORM
                     ? tsr_uniform_step(space, lattice, a, d) * (double)(high[a] - low[a])
                     : x1[d] - x0[d];
      dv[a][d] = tsr_load(&rule->array, 3 * tsr_cell_at(lattice, high) + d) -
                 tsr_load(&rule->array, 3 * tsr_cell_at(lattice, low) + d);
    }
  }
}

TSR_FN void tsr_cross3(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

TSR_FN double tsr_dot3(const double a[3], const double b[3]) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/** The vectors r[a] with grad f = sum of df[a] r[a]; along what no axis spans the gradient is 0.
 *  Returns 0 where the cell is flat. */
TSR_FN int tsr_reciprocal_axes(int dimension, const double dx[3][3], double r[3][3]) {
  double n[3], det;
  if (dimension == 1) {
    det = tsr_dot3(dx[0], dx[0]);
    TSR_UNROLL
    for (int d = 0; d < 3; ++d)
      r[0][d] = dx[0][d] / det;
    return (det > 0.0) & tsr_finite(det);
  }
  tsr_cross3(dx[0], dx[1], n);
  if (dimension == 2) {
    det = tsr_dot3(n, n);
    tsr_cross3(dx[1], n, r[0]);
    tsr_cross3(n, dx[0], r[1]);
  } else {
    det = tsr_dot3(n, dx[2]);
    tsr_cross3(dx[1], dx[2], r[0]);
    tsr_cross3(dx[2], dx[0], r[1]);
    TSR_UNROLL
    for (int d = 0; d < 3; ++d)
      r[2][d] = n[d];
  }
  TSR_UNROLL
  for (int a = 0; a < dimension; ++a) {
    TSR_UNROLL
    for (int d = 0; d < 3; ++d)
      r[a][d] /= det;
  }
  return (det != 0.0) & tsr_finite(det);
}

/** Vorticity or Q, from the differences along the axes and the vectors of tsr_reciprocal_axes. */
TSR_FN double tsr_flow_measure(tsr_grid_measure measure, int dimension, const double dv[3][3],
                               const double r[3][3]) {
  double g[3][3]; /* derivative of component i along j */
  TSR_UNROLL
  for (int i = 0; i < 3; ++i) {
    TSR_UNROLL
    for (int j = 0; j < 3; ++j) {
      g[i][j] = 0.0;
      TSR_UNROLL
      for (int a = 0; a < dimension; ++a)
        g[i][j] += dv[a][i] * r[a][j];
    }
  }
  if (measure == TSR_MEASURE_VORTICITY) {
    const double w[3] = {g[2][1] - g[1][2], g[0][2] - g[2][0], g[1][0] - g[0][1]};
    return sqrt(tsr_dot3(w, w));
  } else {
    const double squares = (g[0][0] * g[0][0] + g[1][1] * g[1][1]) + g[2][2] * g[2][2];
    const double mixed = (g[0][1] * g[1][0] + g[0][2] * g[2][0]) + g[1][2] * g[2][1];
    return -0.5 * squares - mixed;
  }
}

/** Vorticity or Q of a cell. Returns 0, with measure 0, where the cell is flat. */
TSR_FN int tsr_cell_flow(const tsr_lattice *lattice, const tsr_space *space, const tsr_rule *rule,
                         const int64_t c[3], double *measure) {
  double dx[3][3], dv[3][3], r[3][3];
  *measure = 0.0;
  tsr_cell_differences(lattice, space, rule, c, dx, dv);
  for (int a = 0; a < lattice->dimension; ++a)
    for (int d = 0; d < 3; ++d)
      if (!tsr_finite(dv[a][d])) {
        *measure = TSR_INFINITY;
        return 1;
      }
  if (!tsr_reciprocal_axes(lattice->dimension, (const double(*)[3])dx, r))
    return 0;
  *measure = tsr_flow_measure(rule->measure, lattice->dimension, (const double(*)[3])dv,
                              (const double(*)[3])r);
  return 1;
}

#endif
