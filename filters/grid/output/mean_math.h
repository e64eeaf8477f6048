/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the volume-weighted mean of a node, from the values and volumes of its input cells. Sums
 * are pairwise, up the octree: the sum of a node is that of its children's sums,
 *
 *     ((c0 + c4) + (c2 + c6)) + ((c1 + c5) + (c3 + c7))
 *
 * where bit a of a child's number is 1 for the upper half along axis a. The slowest axis is summed
 * first, axis 0 last. A child beyond the end of the box has the sum 0. So one pass makes the sums
 * of all nodes, and each value of a sum of 2^m cells goes through at most m roundings.
 */
#ifndef TSR_GRID_OUTPUT_MEAN_MATH_H
#define TSR_GRID_OUTPUT_MEAN_MATH_H

#include "grid/criteria/measure_math.h"

/** Sum of 2^dimension values. */
TSR_FN double tsr_pair_sum(int dimension, const double v[8]) {
  if (dimension == 3)
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
  if (dimension == 2)
    return (v[0] + v[2]) + (v[1] + v[3]);
  return dimension == 1 ? v[0] + v[1] : v[0];
}

/** Volume of an input cell (2D: area, 1D: length): exact for rectilinear grids, from the edges at
 *  the cell's centre for structured ones. It is 1 for images, whose cells all weigh the same. */
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

/** Value of an input cell: for point data the mean of its corner values. */
TSR_FN double tsr_cell_value(const tsr_lattice *lattice, const tsr_array *array, int cell_data,
                             int component, const int64_t c[3]) {
  const int n = 1 << lattice->dimension;
  double v[8] = {0.0};
  if (cell_data)
    return tsr_load(array, tsr_cell_at(lattice, c) * array->components + component);
  for (int k = 0; k < n; ++k) {
    const int64_t p[3] = {c[0] + (k & 1), c[1] + ((k >> 1) & 1), c[2] + ((k >> 2) & 1)};
    v[k] = tsr_load(array, tsr_point_at(lattice, p) * array->components + component);
  }
  return tsr_pair_sum(lattice->dimension, v) / (double)n;
}

/** Value of an input cell, or of a node finer than the input cells: for cell data the input cell's
 *  value, for point data the mean of the values interpolated at the node's corners. */
TSR_FN double tsr_part_value(const tsr_lattice *lattice, const tsr_array *array, int cell_data,
                             int component, int level, const int64_t i[3]) {
  const int n = 1 << lattice->dimension;
  int64_t range[3][2], c[3];
  double v[8] = {0.0};
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
    v[k] = tsr_corners_value(&corners, array, component);
  }
  return tsr_pair_sum(lattice->dimension, v) / (double)n;
}

/** What to average: one component of an array on a lattice. */
typedef struct tsr_mean_of {
  const tsr_lattice *lattice;
  const tsr_space *space;
  const uint8_t *hidden; /**< one flag for each held input cell; NULL if none is hidden */
  const tsr_array *array;
  int cell_data, component;
} tsr_mean_of;

/** How cells are weighted. A node's mean is of the first kind whose weights have a finite sum above
 *  0, and of the last kind if there is none. */
typedef enum tsr_mean_kind {
  TSR_MEAN_VISIBLE = 0,       /**< visible cells by volume */
  TSR_MEAN_VISIBLE_ALIKE = 1, /**< visible cells, equal weights: if their volumes are 0 */
  TSR_MEAN_ALL = 2,           /**< all cells by volume: if none is visible */
  TSR_MEAN_ALL_ALIKE = 3,     /**< all cells, equal weights */
  TSR_MEAN_KINDS = 4
} tsr_mean_kind;

/** Sums over cells. */
typedef struct tsr_sums {
  double value, weight; /**< of values times weights; of weights */
} tsr_sums;

/** Returns the kind of mean to try after `kind`, or TSR_MEAN_KINDS if there is no further one.
 * Skips kinds that cannot give another result: equal weights if all cells have the same volume,
 * hidden cells if none is hidden. */
TSR_FN int tsr_mean_next(const tsr_mean_of *of, int kind) {
  const int alike = of->space->geometry == TSR_GEOMETRY_UNIFORM;
  const int next = kind + (alike ? 2 : 1);
  return next >= TSR_MEAN_ALL && !of->hidden ? TSR_MEAN_KINDS : next;
}

/** 1 if the sum of weights is finite and above 0, so that there is a mean. */
TSR_FN int tsr_sums_have_mean(const tsr_sums *sums) {
  return sums->weight > 0.0 && tsr_finite(sums->weight);
}

/** How much an input cell counts; below 0: not at all, whatever its value is. */
TSR_FN double tsr_cell_weight(const tsr_mean_of *of, int kind, const int64_t c[3]) {
  if (kind < TSR_MEAN_ALL && of->hidden && of->hidden[tsr_cell_at(of->lattice, c)])
    return -1.0;
  return kind & 1 ? 1.0 : tsr_cell_volume(of->lattice, of->space, c);
}

/** Sums of one input cell; 0 if it has no weight. */
TSR_FN tsr_sums tsr_cell_sums(const tsr_mean_of *of, int kind, const int64_t c[3]) {
  tsr_sums sums = {0.0, 0.0};
  const double weight = tsr_cell_weight(of, kind, c);
  if (weight < 0.0)
    return sums;
  sums.weight = weight;
  sums.value = weight * tsr_cell_value(of->lattice, of->array, of->cell_data, of->component, c);
  return sums;
}

/** Sums of a node from those of its children. */
TSR_FN tsr_sums tsr_add_up(int dimension, const tsr_sums children[8]) {
  double values[8] = {0.0}, weights[8] = {0.0};
  tsr_sums sums;
  for (int k = 0; k < 1 << dimension; ++k) {
    values[k] = children[k].value;
    weights[k] = children[k].weight;
  }
  sums.value = tsr_pair_sum(dimension, values);
  sums.weight = tsr_pair_sum(dimension, weights);
  return sums;
}

/** Sums of a node one level above the input cells, from its cells. */
TSR_FN tsr_sums tsr_pair_sums(const tsr_mean_of *of, int kind, const int64_t i[3]) {
  const int dimension = of->lattice->dimension;
  const tsr_sums none = {0.0, 0.0};
  tsr_sums cells[8];
  for (unsigned k = 0; k < 1u << dimension; ++k) {
    int64_t c[3];
    cells[k] = none;
    if (tsr_node_child(of->lattice, of->lattice->coarsen - 1, i, k, c))
      cells[k] = tsr_cell_sums(of, kind, c);
  }
  return tsr_add_up(dimension, cells);
}

/** Sums of a node two levels above the input cells, from its cells. */
TSR_FN tsr_sums tsr_quad_sums(const tsr_mean_of *of, int kind, const int64_t i[3]) {
  const int dimension = of->lattice->dimension;
  const tsr_sums none = {0.0, 0.0};
  tsr_sums pairs[8];
  for (unsigned k = 0; k < 1u << dimension; ++k) {
    int64_t c[3];
    pairs[k] = none;
    if (tsr_node_child(of->lattice, of->lattice->coarsen - 2, i, k, c))
      pairs[k] = tsr_pair_sums(of, kind, c);
  }
  return tsr_add_up(dimension, pairs);
}

#endif
