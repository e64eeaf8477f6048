/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids made for one rule each: hidden points, errors of trees, balance in every direction, and
 *  the interpolation error of leaves that no criterion asked for. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_case.h"

/** A hidden point hides the cells that have it as a corner, and no others. */
static void check_hidden_points(int64_t nx, int64_t ny, int64_t nz) {
  grid_case grid;
  grid_case_init(&grid, nx, ny, nz);
  uint8_t *hidden = malloc((size_t)grid.n_points), *seen = malloc((size_t)grid.n_cells);
  const int64_t n[3] = {nx, ny > 0 ? ny : 1, nz > 0 ? nz : 1}, px = nx + 1, py = ny + 1;
  for (int64_t p = 0; p < grid.n_points; p++) {
    grid_out out;
    tsr_grid_view view = grid_case_view(&grid);
    tsr_grid_options o = grid_options(NULL, 0);
    o.mode = TSR_GRID_FINE;
    o.coarsen_levels = 1;
    memset(hidden, 0, (size_t)grid.n_points);
    memset(seen, 0, (size_t)grid.n_cells);
    hidden[p] = 1;
    view.hidden_points = hidden;
    CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
    for (int64_t c = 0; c < out.sizes.cells; c++) {
      seen[out.source_cell[c]] = 1;
    }
    for (int64_t c = 0; c < grid.n_cells; c++) {
      const int64_t dx = p % px - c % n[0], dy = p / px % py - c / n[0] % n[1];
      const int64_t dz = p / px / py - c / n[0] / n[1];
      const int is_corner = dx >= 0 && dx <= 1 && dy >= 0 && dy <= 1 && dz >= 0 && dz <= 1;
      CHECK_SAY(seen[c] == !is_corner, "point %lld hidden: cell %lld", (long long)p, (long long)c);
    }
    grid_out_free(&out);
  }
  free(hidden);
  free(seen);
  grid_case_free(&grid);
}

/** One tree of 2 x 2 x 2 cells with one point that is 8: its mean is 1/8 where the point is a
 *  corner, and the largest difference is that to the point. */
static void check_tree_error(void) {
  for (int k = 0; k < 27; k++) {
    const int inner = (k % 3 == 1) + (k / 3 % 3 == 1) + (k / 9 == 1);
    const double mean = 0.125 * (1 << inner);
    grid_case grid;
    grid_out out;
    grid_case_init(&grid, 2, 2, 2);
    grid.points[k] = 8.0;
    const tsr_grid_view view = grid_case_view(&grid);
    tsr_grid_options o = grid_options(NULL, 0);
    o.mode = TSR_GRID_COARSE;
    o.coarsen_levels = 1;
    o.output = TSR_GRID_TREES;
    CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
    CHECK_INT(out.sizes.cells, 1);
    CHECK_NEAR(out.point_values[0], mean, 1e-14);
    CHECK_NEAR(out.point_error, 8.0 - mean, 1e-14);
    grid_out_free(&out);
    grid_case_free(&grid);
  }
}

/** One leaf over 4 x 4 x 4 cells that are 0 at its corners: the error is the largest of what is
 *  finite, 3, wherever else there is something that is not. */
static void check_error_beside_infinite(double value) {
  for (int64_t k = 1; k < 124; k++) {
    const int64_t p[3] = {k % 5, k / 5 % 5, k / 25};
    if (k == 61 || (p[0] % 4 == 0 && p[1] % 4 == 0 && p[2] % 4 == 0)) {
      continue;
    }
    grid_case grid;
    grid_out out;
    grid_case_init(&grid, 4, 4, 4);
    grid.points[61] = -3.0;
    grid.points[k] = value;
    const tsr_grid_view view = grid_case_view(&grid);
    tsr_grid_options o = grid_options(NULL, 0);
    o.mode = TSR_GRID_COARSE;
    o.coarsen_levels = 2;
    CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
    CHECK_INT(out.sizes.cells, 1);
    CHECK_NEAR(out.point_error, 3.0, 1e-14);
    grid_out_free(&out);
    grid_case_free(&grid);
  }
}

/** 2 x 2 x 2 roots, and in one of them the cell at the middle of the grid refined: each rule has
 *  to reach into the other roots in all directions that it covers. */
static void check_balance(int octant, int kind) {
  grid_case grid;
  grid_out out;
  grid_case_init(&grid, 16, 16, 16);
  const int64_t x = 7 + (octant & 1), y = 7 + (octant >> 1 & 1), z = 7 + (octant >> 2);
  grid.values[(z * 16 + y) * 16 + x] = 1.0;
  tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_IN_RANGE, 0.0);
  c.array = grid_case_cells(&grid);
  c.cell_data = 1;
  c.lower = c.upper = 1.0;
  const tsr_grid_view view = grid_case_view(&grid);
  tsr_grid_options o = grid_options(&c, 1);
  o.coarsen_levels = 3;
  o.balance = (tsr_balance)kind;
  CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
  int64_t *map = grid_leaf_map(&grid, &o, &out);
  CHECK_SAY(grid_unbalanced(&grid, &o, &out, map, kind) == 0, "octant %d, rule %d", octant, kind);
  free(map);
  grid_out_free(&out);
  grid_case_free(&grid);
}

/** Along a line: the first root is within 1 of its ends' line, its halves are not. The second is
 *  refined twice, so that balance or buffer splits the first: its halves have to be, too. */
static void check_measured_again(int balance, int buffer) {
  static const double values[] = {0, -0.9, 0.9, -0.9, 0, 9, -9, 9, 0, 0, 0, 0, 0};
  grid_case grid;
  grid_out out;
  grid_case_init(&grid, 12, 0, 0);
  memcpy(grid.points, values, sizeof values);
  tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_INTERPOLATION_ERROR, 1.0);
  const tsr_grid_view view = grid_case_view(&grid);
  tsr_grid_options o = grid_options(&c, 1);
  o.coarsen_levels = 2;
  o.balance = (tsr_balance)balance;
  o.buffer_cells = buffer;
  CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
  for (int64_t leaf = 0; leaf < out.sizes.cells; leaf++) {
    const double a = out.points[3 * out.connectivity[2 * leaf]];
    const double b = out.points[3 * out.connectivity[2 * leaf + 1]];
    for (int64_t p = (int64_t)a; p <= (int64_t)b; p++) {
      const double t = ((double)p - a) / (b - a);
      const double line = (1 - t) * values[(int64_t)a] + t * values[(int64_t)b];
      CHECK_SAY(fabs(values[p] - line) <= 1.0, "point %lld is %g off", (long long)p,
                fabs(values[p] - line));
    }
  }
  grid_out_free(&out);
  grid_case_free(&grid);
}

/** Along a line: roots that are 0 but in their middles, which are all within the threshold. The
 *  error is that of the highest middle, whichever root comes first. */
static void check_largest_error(int first) {
  static const double heights[] = {0.3, 0.6, 0.9};
  grid_case grid;
  grid_out out;
  grid_case_init(&grid, 12, 0, 0);
  for (int p = 0; p <= 12; p++) {
    grid.points[p] = p % 4 == 2 ? heights[(p / 4 + first) % 3] : 0.0;
  }
  tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_INTERPOLATION_ERROR, 1.0);
  const tsr_grid_view view = grid_case_view(&grid);
  tsr_grid_options o = grid_options(&c, 1);
  o.coarsen_levels = 2;
  CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.cells, 3);
  CHECK_NEAR(out.point_error, 0.9, 1e-14);
  grid_out_free(&out);
  grid_case_free(&grid);
}

int main(void) {
  check_hidden_points(3, 0, 0);
  check_hidden_points(4, 3, 0);
  check_hidden_points(3, 2, 4);
  check_tree_error();
  check_error_beside_infinite((double)NAN);
  check_error_beside_infinite((double)INFINITY);
  check_error_beside_infinite(-(double)INFINITY);
  for (int octant = 0; octant < 8; octant++) {
    for (int kind = 1; kind < 4; kind++) {
      check_balance(octant, kind);
    }
  }
  check_measured_again(TSR_BALANCE_FACE, 0);
  check_measured_again(TSR_BALANCE_NONE, 1);
  for (int first = 0; first < 3; first++) {
    check_largest_error(first);
  }
  return check_result();
}
