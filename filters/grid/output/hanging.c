/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: points that hang on coarser leaves. A point is a corner of some leaf; it hangs where
 * another leaf that touches it does not have it as a corner:
 *
 *     +-------+---+
 *     |       |   |      h is a corner of the two small leaves and lies on a side of the large one.
 *     |       h---+      Constrained, h takes the value of the large leaf's interpolant, whose
 *     |       |   |      corners may hang on still larger leaves: their values come first.
 *     +-------+---+
 */
#include "grid/output/output.h"

int tsr_point_hangs(const tsr_grid_input *input, const tsr_tree *tree, const int64_t x[3],
                    int *level, int64_t node[3]) {
  const tsr_lattice *lattice = &input->lattice;
  int found = 0;
  for (int k = 0; k < 1 << lattice->dimension; ++k) {
    int64_t i[3], n[3];
    int leaf, is_corner = 1;
    for (int a = 0; a < 3; ++a)
      i[a] = a < lattice->dimension ? x[a] - 1 + ((k >> a) & 1) : 0;
    if (!tsr_node_in_tree(lattice, lattice->levels, i))
      continue;
    leaf = tsr_tree_leaf(tree, lattice, i);
    for (int a = 0; a < 3; ++a) {
      int64_t range[2];
      n[a] = tsr_shift(lattice, a, i[a], lattice->levels - leaf);
      tsr_node_lattice(lattice, a, leaf, n[a], range);
      is_corner = is_corner && (x[a] == range[0] || x[a] == range[1]);
    }
    if (is_corner || (found && leaf >= *level) || tsr_leaf_hidden(input, leaf, n))
      continue;
    found = 1;
    *level = leaf;
    for (int a = 0; a < 3; ++a)
      node[a] = n[a];
  }
  return found;
}

/* Where lattice place x lies between b0 and b1, as tsr_axis_parameter for input points. */
static double lattice_parameter(const tsr_grid_input *input, int axis, int64_t b0, int64_t b1,
                                int64_t x) {
  const tsr_lattice *lattice = &input->lattice;
  const int deep = lattice->levels - lattice->coarsen;
  const int64_t ends[3] = {b0, b1, x};
  double at[3];
  if (input->space.geometry == TSR_GEOMETRY_RECTILINEAR) {
    const tsr_array *coordinates = &input->space.coordinates[lattice->axis[axis]];
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

/* The free value: that of the input, or between input points. */
static double free_value(const tsr_grid_input *input, const tsr_array *array, int component,
                         const int64_t x[3]) {
  tsr_corners corners;
  tsr_lattice_corners(&input->lattice, x, &corners);
  return tsr_corners_value(&corners, array, component);
}

double tsr_constrained_value(const tsr_grid_input *input, const tsr_tree *tree,
                             const tsr_array *array, int component, const int64_t x[3]) {
  const tsr_lattice *lattice = &input->lattice;
  int64_t node[3], range[3][2];
  double t[3] = {0.0, 0.0, 0.0}, sum = 0.0;
  int level;
  if (!tsr_point_hangs(input, tree, x, &level, node))
    return free_value(input, array, component, x);
  for (int a = 0; a < lattice->dimension; ++a) {
    tsr_node_lattice(lattice, a, level, node[a], range[a]);
    t[a] = x[a] == range[a][0]   ? 0.0
           : x[a] == range[a][1] ? 1.0
                                 : lattice_parameter(input, a, range[a][0], range[a][1], x[a]);
  }
  for (int k = 0; k < 1 << lattice->dimension; ++k) {
    int64_t corner[3] = {0, 0, 0};
    double weight = 1.0;
    for (int a = 0; a < lattice->dimension; ++a) {
      corner[a] = range[a][(k >> a) & 1];
      weight *= (k >> a) & 1 ? t[a] : 1.0 - t[a];
    }
    if (weight != 0.0)
      sum += weight * tsr_constrained_value(input, tree, array, component, corner);
  }
  return sum;
}
