/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: values of whole nodes: means, errors, indicators. */
#include "grid/output/mean_math.h"
#include "grid/output/output.h"

#include "grid/criteria/rows.h"
#include "grid/cut_field_math.h"

#include <string.h>

/* Mean over the input cells of a box; hidden: 1 counts the hidden ones, too. weighted: by
 * volume.
 * Returns 0 where there is nothing to take the mean of. */
static int box_mean(const tsr_grid_input *input, const tsr_array *array, int cell_data,
                    int component, const int64_t range[3][2], int hidden, int weighted,
                    double *mean) {
  const tsr_lattice *lattice = &input->lattice;
  double sum = 0.0, weights = 0.0;
  int64_t c[3];
  for (c[2] = range[2][0]; c[2] < range[2][1]; ++c[2])
    for (c[1] = range[1][0]; c[1] < range[1][1]; ++c[1])
      for (c[0] = range[0][0]; c[0] < range[0][1]; ++c[0]) {
        double weight = 1.0;
        if (!hidden && input->hidden && input->hidden[tsr_cell_at(lattice, c)])
          continue;
        if (weighted)
          weight = tsr_cell_volume(lattice, &input->space, c);
        sum += weight * tsr_cell_value(lattice, array, cell_data, component, c);
        weights += weight;
      }
  *mean = sum / weights;
  return weights > 0.0 && tsr_finite(weights);
}

#define TSR_MEAN_PIECE 64 /* points of a row at a time */

/* Sum along a row of n points of a node, those within it twice, in their order. */
static double row_sum(const tsr_array *array, int64_t at, int64_t n) {
  double value[TSR_MEAN_PIECE], sum = 0.0;
  for (int64_t begin = 0; begin < n; begin += TSR_MEAN_PIECE) {
    const int64_t count = n - begin < TSR_MEAN_PIECE ? n - begin : TSR_MEAN_PIECE;
    tsr_row_load(array, at + begin * array->components, array->components, count, value);
    for (int64_t x = 0; x < count; ++x)
      sum += tsr_row_weight(begin + x, n) * value[x];
  }
  return sum;
}

/* Mean of a point array over a node whose cells are all alike and visible: cell by cell the mean of
 * the corners, so that a point counts as often as cells touch it. */
static double points_mean(const tsr_grid_input *input, const tsr_array *array, int component,
                          int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &input->lattice;
  int64_t first[3], last[3], p[3];
  double sum = 0.0, cells = 1.0;
  tsr_node_points(lattice, level, i, first, last);
  for (int a = 0; a < lattice->dimension; ++a)
    cells *= 2.0 * (double)(last[a] - first[a]);
  for (p[2] = first[2]; p[2] <= last[2]; ++p[2])
    for (p[1] = first[1]; p[1] <= last[1]; ++p[1]) {
      p[0] = first[0];
      sum += row_sum(array, tsr_point_at(lattice, p) * array->components + component,
                     last[0] + 1 - first[0]) *
             tsr_rows_weight(first, last, p);
    }
  return sum / cells;
}

/* 1 if an input cell of the box is hidden. */
static int box_hides(const tsr_grid_input *input, const int64_t range[3][2]) {
  int64_t c[3] = {range[0][0], 0, 0};
  if (!input->hidden)
    return 0;
  for (c[2] = range[2][0]; c[2] < range[2][1]; ++c[2])
    for (c[1] = range[1][0]; c[1] < range[1][1]; ++c[1])
      if (memchr(input->hidden + tsr_cell_at(&input->lattice, c), 1,
                 (size_t)(range[0][1] - range[0][0])))
        return 1;
  return 0;
}

double tsr_node_value(const tsr_grid_input *input, const tsr_array *array, int cell_data,
                      int component, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &input->lattice;
  int64_t range[3][2];
  double mean = 0.0;
  if (level >= lattice->coarsen)
    return tsr_part_value(lattice, array, cell_data, component, level, i);
  for (int a = 0; a < 3; ++a)
    tsr_node_cells(lattice, a, level, i[a], range[a]);
  if (!cell_data && input->space.geometry == TSR_GEOMETRY_UNIFORM &&
      !box_hides(input, (const int64_t(*)[2])range))
    return points_mean(input, array, component, level, i);
  for (int k = 0; k < 4; ++k) /* with all cells if none is visible, unweighted if all are flat */
    if (box_mean(input, array, cell_data, component, (const int64_t(*)[2])range, k >> 1, !(k & 1),
                 &mean))
      break;
  return mean;
}

/* Differences of the input points of a node to one value. */
static double points_error(const tsr_grid_input *input, const tsr_array *array, int component,
                           int level, const int64_t i[3], double value) {
  const tsr_lattice *lattice = &input->lattice;
  int64_t first[3], last[3], p[3];
  double most = 0.0;
  tsr_node_points(lattice, level, i, first, last);
  for (p[2] = first[2]; p[2] <= last[2]; ++p[2])
    for (p[1] = first[1]; p[1] <= last[1]; ++p[1])
      for (p[0] = first[0]; p[0] <= last[0]; ++p[0]) {
        const int64_t at = tsr_point_at(lattice, p) * array->components + component;
        const double e = fabs(tsr_load(array, at) - value);
        most = e > most && tsr_finite(e) ? e : most;
      }
  return most;
}

/* Differences of the input cells of a node to one value. */
static double cells_error(const tsr_grid_input *input, const tsr_array *array, int component,
                          int level, const int64_t i[3], double value) {
  int64_t range[3][2], c[3];
  double most = 0.0;
  for (int a = 0; a < 3; ++a)
    tsr_node_cells(&input->lattice, a, level, i[a], range[a]);
  for (c[2] = range[2][0]; c[2] < range[2][1]; ++c[2])
    for (c[1] = range[1][0]; c[1] < range[1][1]; ++c[1])
      for (c[0] = range[0][0]; c[0] < range[0][1]; ++c[0]) {
        const double e = fabs(tsr_cell_value(&input->lattice, array, 1, component, c) - value);
        most = e > most && tsr_finite(e) ? e : most;
      }
  return most;
}

double tsr_leaf_error(const tsr_grid_input *input, const tsr_tree *tree, const tsr_array *array,
                      int cell_data, int component, int level, const int64_t i[3], double value) {
  const tsr_lattice *lattice = &input->lattice;
  double corner[8] = {0.0};
  int64_t range[3][2];
  tsr_cut cut;
  if (cell_data)
    return cells_error(input, array, component, level, i, value);
  if (tsr_grid_has_states(input))
    return level > lattice->coarsen ? 0.0 : points_error(input, array, component, level, i, value);
  if (level > lattice->coarsen || (level == lattice->coarsen && !input->options.constrain))
    return 0.0;
  if (input->options.output == TSR_GRID_CONFORMING && tsr_cut_find(lattice, tree, level, i, &cut))
    return tsr_cut_error(lattice, &input->space, array, component, &cut, TSR_INFINITY, 0.0);
  for (int a = 0; a < 3; ++a)
    tsr_node_lattice(lattice, a, level, i[a], range[a]);
  if (!input->options.constrain)
    tsr_node_corner_values(lattice, array, component, level, i, corner);
  if (input->options.constrain)
    for (int k = 0; k < 1 << lattice->dimension; ++k) {
      const int64_t x[3] = {range[0][k & 1], range[1][(k >> 1) & 1], range[2][(k >> 2) & 1]};
      corner[k] = tsr_constrained_value(input, tree, array, component, x);
    }
  return tsr_node_error(input, array, component, level, i, corner, TSR_INFINITY, 0.0);
}
