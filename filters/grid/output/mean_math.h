/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: what the mean of a node is made of: values and volumes of input cells, and rows of
 * points. Sums go through the cells, or the rows, in their order. */
#ifndef TSR_GRID_MEAN_MATH_H
#define TSR_GRID_MEAN_MATH_H

#include "grid/criteria/measure_math.h"

/** Volume of an input cell: exact for boxes, at the centre for others; 1 where all are equal. */
TSR_FN double tsr_cell_volume(const tsr_lattice *lattice, const tsr_space *space,
                              const int64_t c[3]) {
  double dx[3][3] = {{0.0}}, n[3], volume = 1.0;
  if (space->geometry == TSR_GEOMETRY_UNIFORM)
    return 1.0;
  if (space->geometry == TSR_GEOMETRY_RECTILINEAR) {
    for (int a = 0; a < lattice->dimension; ++a) {
      const tsr_array *x = &space->coordinates[lattice->axis[a]];
      const int64_t at = c[a] - lattice->held[a][0];
      volume *= fabs(tsr_load(x, at + 1) - tsr_load(x, at));
    }
    return volume;
  }
  tsr_cell_edges(lattice, space, c, dx);
  for (int a = 0; a < lattice->dimension; ++a)
    for (int d = 0; d < 3; ++d)
      dx[a][d] /= (double)(1 << (lattice->dimension - 1));
  if (lattice->dimension == 1)
    return sqrt(tsr_dot3(dx[0], dx[0]));
  tsr_cross3(dx[0], dx[1], n);
  return lattice->dimension == 2 ? sqrt(tsr_dot3(n, n)) : fabs(tsr_dot3(n, dx[2]));
}

/** Value of an input cell; of point data the mean of its corners. */
TSR_FN double tsr_cell_value(const tsr_lattice *lattice, const tsr_array *array, int cell_data,
                             int component, const int64_t c[3]) {
  const int n = 1 << lattice->dimension;
  double sum = 0.0;
  if (cell_data)
    return tsr_load(array, tsr_cell_at(lattice, c) * array->components + component);
  for (int k = 0; k < n; ++k) {
    const int64_t p[3] = {c[0] + (k & 1), c[1] + ((k >> 1) & 1), c[2] + ((k >> 2) & 1)};
    sum += tsr_load(array, tsr_point_at(lattice, p) * array->components + component);
  }
  return sum / (double)n;
}

/** Value of an input cell or a part of one. */
TSR_FN double tsr_part_value(const tsr_lattice *lattice, const tsr_array *array, int cell_data,
                             int component, int level, const int64_t i[3]) {
  const int n = 1 << lattice->dimension;
  int64_t range[3][2], c[3];
  double sum = 0.0;
  for (int a = 0; a < 3; ++a) {
    tsr_node_cells(lattice, a, level, i[a], range[a]);
    c[a] = range[a][0];
  }
  if (cell_data || level == lattice->coarsen)
    return tsr_cell_value(lattice, array, cell_data, component, c);
  for (int a = 0; a < 3; ++a)
    tsr_node_lattice(lattice, a, level, i[a], range[a]);
  for (int k = 0; k < n; ++k) {
    const int64_t x[3] = {range[0][k & 1], range[1][(k >> 1) & 1], range[2][(k >> 2) & 1]};
    tsr_corners corners;
    tsr_lattice_corners(lattice, x, &corners);
    sum += tsr_corners_value(&corners, array, component);
  }
  return sum / (double)n;
}

/** How often point x of a row of n counts: those within touch two cells. */
TSR_FN double tsr_row_weight(int64_t x, int64_t n) { return x > 0 && x < n - 1 ? 2.0 : 1.0; }

/** The same of the row of a node that point p lies in. first, last: of the node. */
TSR_FN double tsr_rows_weight(const int64_t first[3], const int64_t last[3], const int64_t p[3]) {
  const int twice_z = p[2] > first[2] && p[2] < last[2];
  const int twice_y = p[1] > first[1] && p[1] < last[1];
  return (double)((1 + twice_y) * (1 + twice_z));
}

#endif
