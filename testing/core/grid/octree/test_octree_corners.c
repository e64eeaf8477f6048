/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Cell data at the points of a domain whose corner cell is large and whose other cells are small,
 * in 2D and 3D: linear functions come out exactly, whichever corner it is. At a corner of the
 * domain one cell alone touches the point, and the value there is extrapolated from the cells
 * beyond its sides.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tessera.h"

#define MOST_CELLS (8 * 64)
#define MOST_GRADIENTS 27

typedef struct domain {
  int dimension, gradients;
  tsr_grid_octree octree;
  uint8_t level[MOST_CELLS];
  int32_t index[3 * MOST_CELLS];
  double value[MOST_CELLS * MOST_GRADIENTS];
} domain;

/** Component a of gradient g: -1, 0 or 1. */
static double slope(int g, int a) {
  return (double)((a == 0 ? g : a == 1 ? g / 3 : g / 9) % 3 - 1);
}

/** Adds the parts of a cell of level 0 that is halved `levels` times, with the values of all
 * gradients. */
static void add_parts(domain *it, const int32_t cell[3], int levels) {
  const int n = 1 << levels;
  for (int k = 0; k < 1 << (levels * it->dimension); ++k) {
    const int64_t i = it->octree.n++;
    const int at[3] = {k % n, k / n % n, k / n / n};
    it->level[i] = (uint8_t)levels;
    for (int a = 0; a < 3; ++a)
      it->index[3 * i + a] = a < it->dimension ? cell[a] * n + at[a] : 0;
    for (int g = 0; g < it->gradients; ++g) {
      double v = 0.0;
      for (int a = 0; a < it->dimension; ++a)
        v += slope(g, a) * ((double)it->index[3 * i + a] + 0.5) / n;
      it->value[i * it->gradients + g] = v;
    }
  }
}

/** Two cells of level 0 along each axis: the one at `corner` is whole, its neighbour along axis a
 * is halved levels[a] times, and each other cell twice. */
static void make(domain *it, int dimension, int corner, const int levels[3]) {
  memset(it, 0, sizeof *it);
  it->dimension = dimension;
  it->gradients = dimension == 3 ? 27 : 9;
  for (int c = 0; c < 1 << dimension; ++c) {
    const int32_t cell[3] = {c & 1, c >> 1 & 1, c >> 2};
    int depth = c == corner ? 0 : 2;
    for (int a = 0; a < dimension; ++a)
      depth = (c ^ corner) == 1 << a ? levels[a] : depth;
    add_parts(it, cell, depth);
  }
  for (int a = 0; a < 3; ++a)
    it->octree.cells[a] = a < dimension ? 2 : 0;
  it->octree.level = it->level;
  it->octree.index = it->index;
}

/** Plans and fills at the input's own resolution. Returns the largest error at a point. */
static double worst_of(const domain *it) {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_output out;
  tsr_grid_plan *plan = NULL;
  tsr_error error;
  double worst = 0.0;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&options);
  tsr_grid_output_init(&out);
  view.octree = &it->octree;
  options.mode = TSR_GRID_FINE;
  options.move_cells = 1;
  if (!CHECK_SAY(tsr_grid_plan_create(&view, &options, NULL, &plan, &error) == TSR_OK, "%s",
                 error.text))
    return INFINITY;
  const size_t n = (size_t)tsr_grid_plan_sizes(plan)->points;
  double *points = malloc(3 * n * sizeof *points);
  double *moved = malloc(n * (size_t)it->gradients * sizeof *moved);
  const tsr_grid_attribute attribute = {
      {it->value, TSR_DOUBLE, it->gradients, it->octree.n}, 2, moved, NULL, {0}};
  out.points = points;
  out.points_type = TSR_DOUBLE;
  out.attributes = &attribute;
  out.n_attributes = 1;
  CHECK_SAY(tsr_grid_fill(plan, &out, &error) == TSR_OK, "%s", error.text);
  for (size_t p = 0; p < n; ++p)
    for (int g = 0; g < it->gradients; ++g) {
      double v = 0.0;
      for (int a = 0; a < it->dimension; ++a)
        v += slope(g, a) * points[3 * p + (size_t)a];
      worst = fmax(worst, fabs(moved[p * (size_t)it->gradients + (size_t)g] - v));
    }
  free(points);
  free(moved);
  tsr_grid_plan_free(plan);
  return worst;
}

int main(void) {
  domain *it = malloc(sizeof *it);
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int corner = 0; corner < 1 << dimension; ++corner)
      for (int k = 0; k < (dimension == 3 ? 27 : 9); ++k) {
        const int levels[3] = {k % 3, k / 3 % 3, k / 9};
        make(it, dimension, corner, levels);
        const double worst = worst_of(it);
        CHECK_SAY(worst < 1e-12, "%dD, corner %d, neighbours halved %d, %d and %d times: off by %g",
                  dimension, corner, levels[0], levels[1], levels[2], worst);
      }
  free(it);
  return check_result();
}
