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
#include "grid/output/hang_math.h"
#include "grid/output/output.h"

int tsr_point_hangs(const tsr_grid_input *input, const tsr_tree *tree, const int64_t x[3],
                    int *level, int64_t node[3]) {
  return tsr_hangs_on(&input->lattice, tree, input->hidden, x, level, node);
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
  int64_t node[3], corner[8][3];
  double weight[8], sum = 0.0;
  int level, corners;
  if (!tsr_point_hangs(input, tree, x, &level, node))
    return free_value(input, array, component, x);
  corners = tsr_hang_corners(&input->space, &input->lattice, x, level, node, corner, weight);
  for (int k = 0; k < corners; ++k)
    if (weight[k] != 0.0)
      sum += weight[k] * tsr_constrained_value(input, tree, array, component, corner[k]);
  return sum;
}
