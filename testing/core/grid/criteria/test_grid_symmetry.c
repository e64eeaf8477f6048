/* SPDX-License-Identifier: BSD-3-Clause */
/** Every criterion makes the same grid however the axes are named, and whichever way they run. */
#include <stdlib.h>

#include "check.h"
#include "grid_case.h"

/** A grid with a vector at every point and in every cell. */
typedef struct field {
  grid_case grid;
  double *points, *cells;
} field;

static void field_init(field *f, const int64_t n[3]) {
  grid_case_init(&f->grid, n[0], n[1], n[2]);
  f->points = malloc(3 * (size_t)f->grid.n_points * sizeof(double));
  f->cells = malloc(3 * (size_t)f->grid.n_cells * sizeof(double));
}

static void field_free(field *f) {
  grid_case_free(&f->grid);
  free(f->points);
  free(f->cells);
}

/** Axis a of the new grid is axis `of[a]` of the old one, backwards where bit a of `flips` is set.
 */
typedef struct turn {
  int of[3];
  unsigned flips;
} turn;

/** Number, on a lattice of n, of what is number k on the turned lattice. */
static int64_t turned_from(const turn *t, const int64_t n[3], int64_t k) {
  int64_t p[3];
  for (int a = 0; a < 3; a++) {
    const int64_t size = n[t->of[a]], i = k % size;
    p[t->of[a]] = t->flips >> a & 1 ? size - 1 - i : i;
    k /= size;
  }
  return (p[2] * n[1] + p[1]) * n[0] + p[0];
}

static void turn_array(const turn *t, const int64_t n[3], const double *one, const double *vector,
                       double *to_one, double *to_vector) {
  for (int64_t k = 0; k < n[0] * n[1] * n[2]; k++) {
    const int64_t from = turned_from(t, n, k);
    to_one[k] = one[from];
    for (int a = 0; a < 3; a++) {
      to_vector[3 * k + a] = (t->flips >> a & 1 ? -1.0 : 1.0) * vector[3 * from + t->of[a]];
    }
  }
}

static field turned(const field *f, const turn *t) {
  const int64_t *n = f->grid.cells, points[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
  const int64_t cells[3] = {n[t->of[0]], n[t->of[1]], n[t->of[2]]};
  field to;
  field_init(&to, cells);
  turn_array(t, points, f->grid.points, f->points, to.grid.points, to.points);
  turn_array(t, n, f->grid.values, f->cells, to.grid.values, to.cells);
  return to;
}

/** Level of the leaf of each input cell (malloc). */
static int32_t *levels_of(const field *f, tsr_grid_criterion c, int64_t *leaves) {
  const int vector = c.measure == TSR_MEASURE_VORTICITY || c.measure == TSR_MEASURE_Q;
  const tsr_grid_view view = grid_case_view(&f->grid);
  const int64_t tuples = c.cell_data ? f->grid.n_cells : f->grid.n_points;
  const double *data = c.cell_data ? f->grid.values : f->grid.points;
  if (vector) {
    data = c.cell_data ? f->cells : f->points;
  }
  c.array = (tsr_array){data, TSR_DOUBLE, vector ? 3 : 1, tuples};
  const tsr_grid_options o = grid_options(&c, 1);
  int32_t *levels = calloc((size_t)f->grid.n_cells, sizeof *levels);
  grid_out out;
  if (CHECK_INT(grid_run(&f->grid, &view, &o, NULL, &out), TSR_OK)) {
    int64_t *map = grid_leaf_map(&f->grid, &o, &out);
    for (int64_t k = 0; k < f->grid.n_cells; k++) {
      levels[k] = out.nodes[map[k]].level;
    }
    *leaves = out.sizes.leaves;
    free(map);
  }
  grid_out_free(&out);
  return levels;
}

static void check_turns(const field *f, tsr_grid_criterion c) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const int64_t *n = f->grid.cells;
  int64_t leaves = 0, other = 0;
  int32_t *levels = levels_of(f, c, &leaves);
  CHECK_SAY(leaves > n[0] * n[1] * n[2] / 512 && leaves < f->grid.n_cells,
            "measure %d, %s: %lld leaves say nothing", (int)c.measure,
            c.cell_data ? "cells" : "points", (long long)leaves);
  for (int k = 1; k < 48; k++) {
    const turn t = {{orders[k % 6][0], orders[k % 6][1], orders[k % 6][2]}, (unsigned)k / 6};
    field to = turned(f, &t);
    int32_t *found = levels_of(&to, c, &other);
    int64_t differ = 0;
    for (int64_t i = 0; i < f->grid.n_cells; i++) {
      differ += found[i] != levels[turned_from(&t, n, i)];
    }
    CHECK_SAY(differ == 0, "measure %d, %s, turn %d: %lld leaves, not %lld; %lld cells differ",
              (int)c.measure, c.cell_data ? "cells" : "points", k, (long long)other,
              (long long)leaves, (long long)differ);
    free(found);
    field_free(&to);
  }
  free(levels);
}

int main(void) {
  /* by measure, for points and cells */
  static const double thresholds[8][2] = {{0.2, 0.2},   {0.3, 0.3},   {0.75, 0.75}, {0.5, 0.5},
                                          {2e-4, 2e-4}, {0.06, 0.06}, {0, 0},       {0.01, 0}};
  static const int64_t n[3] = {24, 16, 32};
  field f;
  uint64_t state = 7;
  field_init(&f, n);
  grid_case_fill(&f.grid, 5);
  for (int64_t k = 0; k < 3 * f.grid.n_points; k++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    f.points[k] =
        f.grid.points[k / 3] * (double)(k % 3 - 1) + 0.05 * (double)(state >> 40) / 16777216.0;
  }
  for (int64_t k = 0; k < 3 * f.grid.n_cells; k++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    f.cells[k] =
        f.grid.values[k / 3] * (double)(k % 3 - 1) + 0.05 * (double)(state >> 40) / 16777216.0;
  }
  for (int k = 0; k < 16; k++) {
    tsr_grid_criterion c =
        grid_criterion(&f.grid, (tsr_grid_measure)(k / 2), thresholds[k / 2][k % 2]);
    c.cell_data = k % 2;
    c.lower = 0.3;
    c.upper = 0.4;
    if (!(c.cell_data && c.measure == TSR_MEASURE_INTERPOLATION_ERROR)) {
      check_turns(&f, c);
    }
  }
  field_free(&f);
  return check_result();
}
