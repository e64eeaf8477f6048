/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: does a point hang, on which leaf, and where on it. */
#ifndef TSR_GRID_OUTPUT_HANG_MATH_H
#define TSR_GRID_OUTPUT_HANG_MATH_H

#include "grid/criteria/field_math.h"

/** 1 if a leaf is hidden; 0 as well where its cells may lie outside the held ones. */
TSR_FN int tsr_hidden_leaf(const tsr_lattice *lattice, const uint8_t *hidden, int level,
                           const int64_t i[3]) {
  for (int a = 0; hidden && a < 3; ++a) {
    int64_t range[2];
    tsr_node_cells(lattice, a, level, i[a], range);
    if (range[0] < lattice->held[a][0] || range[0] >= lattice->held[a][1])
      return 0;
  }
  return tsr_hidden_node(lattice, hidden, level, i);
}

/** 1 if the point at lattice place x is no corner of a visible leaf that touches it; node: the
 *  coarsest of those. */
TSR_FN int tsr_hangs_on(const tsr_lattice *lattice, const tsr_tree *tree, const uint8_t *hidden,
                        const int64_t x[3], int *level, int64_t node[3]) {
  int found = 0,
      up = 0; /* up: x is a corner of the nodes of all levels but the first levels - up */
  while (up < lattice->levels && !((x[0] | x[1] | x[2]) >> up & 1))
    ++up;
  for (int k = 0; k < 1 << lattice->dimension; ++k) {
    int64_t i[3], n[3];
    int leaf, is_corner = 1;
    for (int a = 0; a < 3; ++a)
      i[a] = a < lattice->dimension ? x[a] - 1 + ((k >> a) & 1) : 0;
    if (!tsr_node_in_tree(lattice, lattice->levels, i))
      continue;
    for (int a = 0; a < 3; ++a)
      n[a] = tsr_shift(lattice, a, i[a], up + 1);
    if (up == lattice->levels || tsr_tree_get(tree, lattice, lattice->levels - up - 1, n))
      continue;
    leaf = tsr_tree_leaf(tree, lattice, i);
    for (int a = 0; a < 3; ++a) {
      int64_t range[2];
      n[a] = tsr_shift(lattice, a, i[a], lattice->levels - leaf);
      tsr_node_lattice(lattice, a, leaf, n[a], range);
      is_corner = is_corner && (x[a] == range[0] || x[a] == range[1]);
    }
    if (is_corner || (found && leaf >= *level) || tsr_hidden_leaf(lattice, hidden, leaf, n))
      continue;
    found = 1;
    *level = leaf;
    for (int a = 0; a < 3; ++a)
      node[a] = n[a];
  }
  return found;
}

/** Where lattice place x lies between b0 and b1, as tsr_axis_parameter for input points. */
TSR_FN double tsr_lattice_parameter(const tsr_space *space, const tsr_lattice *lattice, int axis,
                                    int64_t b0, int64_t b1, int64_t x) {
  const int deep = lattice->levels - lattice->coarsen;
  const int64_t ends[3] = {b0, b1, x};
  double at[3];
  if (space->geometry == TSR_GEOMETRY_RECTILINEAR) {
    const tsr_array *coordinates = &space->coordinates[lattice->axis[axis]];
    for (int k = 0; k < 3; ++k) {
      const int64_t p = (ends[k] >> deep) - lattice->held[axis][0];
      const int64_t within = ends[k] & (((int64_t)1 << deep) - 1);
      at[k] = tsr_load(coordinates, p);
      if (within > 0)
        at[k] +=
            (tsr_load(coordinates, p + 1) - at[k]) * (double)within / (double)((int64_t)1 << deep);
    }
    if (at[1] - at[0] != 0.0)
      return (at[2] - at[0]) / (at[1] - at[0]);
  }
  return (double)(x - b0) / (double)(b1 - b0);
}

/** Corners of the leaf that a point at lattice place x hangs on, and their weights in its value.
 *  Corners of weight 0 are left out. Returns the number of corners. */
TSR_FN int tsr_hang_corners(const tsr_space *space, const tsr_lattice *lattice, const int64_t x[3],
                            int level, const int64_t node[3], int64_t corner[8][3],
                            double weight[8]) {
  int64_t range[3][2];
  double t[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < lattice->dimension; ++a) {
    tsr_node_lattice(lattice, a, level, node[a], range[a]);
    t[a] = x[a] == range[a][0] ? 0.0
           : x[a] == range[a][1]
               ? 1.0
               : tsr_lattice_parameter(space, lattice, a, range[a][0], range[a][1], x[a]);
  }
  for (int k = 0; k < 1 << lattice->dimension; ++k) {
    weight[k] = 1.0;
    for (int a = 0; a < 3; ++a)
      corner[k][a] = 0;
    for (int a = 0; a < lattice->dimension; ++a) {
      corner[k][a] = range[a][(k >> a) & 1];
      weight[k] *= (k >> a) & 1 ? t[a] : 1.0 - t[a];
    }
  }
  return 1 << lattice->dimension;
}

#endif
