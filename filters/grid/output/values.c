/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: values of whole nodes: means, errors, indicators. */
#include "grid/output/mean_math.h"
#include "grid/output/output.h"

#include "grid/criteria/rows.h"
#include "grid/cut/cut_error.h"

#include <string.h>

#define TSR_MEAN_LEVELS 3 /* above the input cells: a block */
#define TSR_MEAN_BLOCK 8  /* cells of it along an axis */
#define TSR_MEAN_POINTS (TSR_MEAN_BLOCK + 1)

/* Numbers of the points or cells of a block, n[a] of them along axis a. */
typedef struct tsr_mean_block {
  double v[TSR_MEAN_POINTS][TSR_MEAN_POINTS][TSR_MEAN_POINTS]; /* axis 0 last */
  int64_t n[3];
} tsr_mean_block;

/* Adds what lies at `other` to each row of n, and keeps it at `to`. */
static void add_rows(double *to, const double *row, const double *other, int64_t n) {
  for (int64_t x = 0; x < n; ++x)
    to[x] = row[x] + other[x];
}

/* Sums of two along an axis, `step` from one sum to the next: 1: of neighbours, 2: of pairs. */
static void add_along(tsr_mean_block *b, int axis, int step) {
  b->n[axis] = step == 1 ? b->n[axis] - 1 : b->n[axis] / 2;
  for (int64_t z = 0; z < b->n[2]; ++z)
    for (int64_t y = 0; y < b->n[1]; ++y) {
      double *to = b->v[z][y];
      if (axis == 2)
        add_rows(to, b->v[step * z][y], b->v[step * z + 1][y], b->n[0]);
      else if (axis == 1)
        add_rows(to, b->v[z][step * y], b->v[z][step * y + 1], b->n[0]);
      else
        for (int64_t x = 0; x < b->n[0]; ++x)
          to[x] = to[step * x] + to[step * x + 1];
    }
}

/* Widens {least, largest} to n values. */
static void widen_extremes(const double *values, int64_t n, double extremes[2]) {
  for (int64_t x = 0; x < n; ++x) {
    extremes[0] = values[x] < extremes[0] ? values[x] : extremes[0];
    extremes[1] = values[x] > extremes[1] ? values[x] : extremes[1];
  }
}

/* Loads the samples of n[a] places from `first` on. extremes: NULL, or widened to them. */
static void load_block(const tsr_mean_of *of, const int64_t first[3], tsr_mean_block *b,
                       double *extremes) {
  const tsr_array *array = of->array;
  for (int64_t z = 0; z < b->n[2]; ++z)
    for (int64_t y = 0; y < b->n[1]; ++y) {
      const int64_t s[3] = {first[0], first[1] + y, first[2] + z};
      const int64_t at = of->cell_data ? tsr_cell_at(of->lattice, s) : tsr_point_at(of->lattice, s);
      tsr_row_load(array, at * array->components + of->component, array->components, b->n[0],
                   b->v[z][y]);
      if (extremes)
        widen_extremes(b->v[z][y], b->n[0], extremes);
    }
}

/* Sums of corners become means of them: cell by cell, as tsr_cell_value does. */
static void divide(tsr_mean_block *b, int dimension) {
  const double unit = 1.0 / (double)(1 << dimension); /* exact */
  for (int64_t z = 0; z < b->n[2]; ++z)
    for (int64_t y = 0; y < b->n[1]; ++y)
      for (int64_t x = 0; x < b->n[0]; ++x)
        b->v[z][y][x] *= unit;
}

/* Makes it 2^down cells along each axis; those beyond the box are 0. */
static void widen(tsr_mean_block *b, int dimension, int down) {
  int64_t to[3] = {1, 1, 1};
  for (int a = 0; a < dimension; ++a)
    to[a] = (int64_t)1 << down;
  for (int64_t z = 0; z < to[2]; ++z)
    for (int64_t y = 0; y < to[1]; ++y)
      for (int64_t x = z < b->n[2] && y < b->n[1] ? b->n[0] : 0; x < to[0]; ++x)
        b->v[z][y][x] = 0.0;
  memcpy(b->n, to, sizeof to);
}

/* Means of cells become means times weights; `weights` receives these. */
static void weigh(const tsr_mean_of *of, int kind, const int64_t first[3], tsr_mean_block *b,
                  tsr_mean_block *weights) {
  memcpy(weights->n, b->n, sizeof b->n);
  for (int64_t z = 0; z < b->n[2]; ++z)
    for (int64_t y = 0; y < b->n[1]; ++y)
      for (int64_t x = 0; x < b->n[0]; ++x) {
        const int64_t c[3] = {first[0] + x, first[1] + y, first[2] + z};
        const double weight = tsr_cell_weight(of, kind, c);
        weights->v[z][y][x] = weight;
        b->v[z][y][x] = weight < 0.0 ? 0.0 : weight * b->v[z][y][x];
        if (weight < 0.0)
          weights->v[z][y][x] = 0.0;
      }
}

/* Makes it one number, of `down` levels of cells. */
static double fold(tsr_mean_block *b, int dimension, int down) {
  widen(b, dimension, down);
  for (int k = 0; k < down; ++k)
    for (int a = dimension - 1; a >= 0; --a)
      add_along(b, a, 2);
  return b->v[0][0][0];
}

/* Sums of a node, at most a block, all cells at once. alike: all count alike, and are visible.
 * extremes: as of load_block. */
static tsr_sums block_sums(const tsr_mean_of *of, int kind, int alike, int down,
                           int64_t range[3][2], double *extremes) {
  const int dimension = of->lattice->dimension;
  const int64_t first[3] = {range[0][0], range[1][0], range[2][0]};
  tsr_sums sums = {0.0, 1.0};
  tsr_mean_block b, weights;
  for (int a = 0; a < 3; ++a) {
    b.n[a] = range[a][1] - range[a][0] + (!of->cell_data && a < dimension);
    sums.weight *= (double)(range[a][1] - range[a][0]);
  }
  load_block(of, first, &b, extremes);
  for (int a = dimension - 1; a >= 0 && !of->cell_data; --a)
    add_along(&b, a, 1);
  if (!of->cell_data)
    divide(&b, dimension);
  if (!alike) {
    weigh(of, kind, first, &b, &weights);
    sums.weight = fold(&weights, dimension, down);
  }
  sums.value = fold(&b, dimension, down);
  return sums;
}

/* Sums of a node above the input cells. alike, extremes: as of block_sums. */
static tsr_sums node_sums(const tsr_mean_of *of, int kind, int alike, int level, const int64_t i[3],
                          double *extremes) {
  const tsr_lattice *lattice = of->lattice;
  const tsr_sums none = {0.0, 0.0};
  const int down = lattice->coarsen - level;
  tsr_sums children[8];
  int64_t range[3][2];
  for (int a = 0; a < 3; ++a)
    tsr_node_cells(lattice, a, level, i[a], range[a]);
  if (down <= TSR_MEAN_LEVELS)
    return block_sums(of, kind, alike, down, range, extremes);
  for (unsigned k = 0; k < 1u << lattice->dimension; ++k) {
    int64_t child[3];
    children[k] = none;
    if (tsr_node_child(lattice, level, i, k, child))
      children[k] = node_sums(of, kind, alike, level + 1, child, extremes);
  }
  return tsr_add_up(lattice->dimension, children);
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
  tsr_mean_of of = {lattice, &input->space, input->hidden, array, cell_data, component};
  int64_t range[3][2];
  tsr_sums sums;
  int alike, kind = TSR_MEAN_VISIBLE;
  if (level >= lattice->coarsen)
    return tsr_part_value(lattice, array, cell_data, component, level, i);
  for (int a = 0; a < 3; ++a)
    tsr_node_cells(lattice, a, level, i[a], range[a]);
  if (!box_hides(input, (const int64_t(*)[2])range))
    of.hidden = NULL;
  alike = input->space.geometry == TSR_GEOMETRY_UNIFORM && !of.hidden;
  do {
    sums = node_sums(&of, kind, alike, level, i, NULL);
    kind = tsr_mean_next(&of, kind);
  } while (kind < TSR_MEAN_KINDS && !tsr_sums_have_mean(&sums));
  return sums.value / sums.weight;
}

tsr_sums tsr_node_sums(const tsr_grid_input *input, const tsr_array *array, int cell_data,
                       int component, int level, const int64_t i[3], double extremes[2]) {
  tsr_mean_of of = {&input->lattice, &input->space, input->hidden, array, cell_data, component};
  int64_t range[3][2];
  if (level == input->lattice.coarsen)
    return tsr_cell_sums(&of, TSR_MEAN_VISIBLE, i);
  for (int a = 0; a < 3; ++a)
    tsr_node_cells(&input->lattice, a, level, i[a], range[a]);
  if (!box_hides(input, (const int64_t(*)[2])range))
    of.hidden = NULL;
  return node_sums(&of, TSR_MEAN_VISIBLE,
                   input->space.geometry == TSR_GEOMETRY_UNIFORM && !of.hidden, level, i, extremes);
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

double tsr_leaf_error(const tsr_grid_input *input, const tsr_array *array, int cell_data,
                      int component, int level, const int64_t i[3], double value,
                      const double *corner, const tsr_cut *cut) {
  const tsr_lattice *lattice = &input->lattice;
  double own[8] = {0.0};
  if (cell_data)
    return cells_error(input, array, component, level, i, value);
  if (tsr_grid_has_states(input))
    return level > lattice->coarsen ? 0.0 : points_error(input, array, component, level, i, value);
  if (level > lattice->coarsen || (level == lattice->coarsen && !corner))
    return 0.0;
  if (cut)
    return tsr_cut_error(input->cuts, lattice, &input->space, array, component, cut, TSR_INFINITY,
                         0.0);
  if (!corner)
    tsr_node_corner_values(lattice, array, component, level, i, own);
  return tsr_node_error(input, array, component, level, i, corner ? corner : own, TSR_INFINITY,
                        0.0);
}

double tsr_mean_error(const tsr_grid_input *input, const tsr_array *array, int cell_data,
                      int component, int level, const int64_t i[3], double value,
                      const double extremes[2]) {
  const double low = fabs(extremes[0] - value), high = fabs(extremes[1] - value);
  const double most = low > high ? low : high; /* rounding keeps the order of differences */
  return tsr_finite(low) && tsr_finite(high)
             ? most
             : tsr_leaf_error(input, array, cell_data, component, level, i, value, NULL, NULL);
}
