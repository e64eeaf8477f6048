/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids with uneven coordinates: volumes, and constrained points as in space. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_case.h"

enum { MOST = 12 };

/** Uneven, and different along each axis. */
static void uneven(double x[3][MOST]) {
  for (int a = 0; a < 3; a++) {
    for (int i = 0; i < MOST; i++) {
      x[a][i] = i + 0.35 * i * i * (a + 1) + (i % 3) * 0.2;
    }
  }
}

static tsr_grid_view view_of(const grid_case *grid, double x[3][MOST]) {
  tsr_grid_view view = grid_case_view(grid);
  view.geometry = TSR_GEOMETRY_RECTILINEAR;
  for (int a = 0; a < 3; a++) {
    const tsr_array coordinates = {x[a], TSR_DOUBLE, 1, grid->cells[a] + 1};
    view.coordinates[a] = coordinates;
  }
  return view;
}

/** One root over the whole grid: its cell value is the mean by volume; the same where the points
 *  are given one by one, and where the grid is sheared, which leaves the ratios of volumes. */
static void check_mean(int64_t nx, int64_t ny, int64_t nz) {
  double x[3][MOST], sum = 0.0, volume = 0.0;
  grid_case grid;
  grid_out out;
  uneven(x);
  grid_case_init(&grid, nx, ny, nz);
  for (int64_t c = 0; c < grid.n_cells; c++) {
    double v = 1.0;
    for (int64_t a = 0, rest = c; a < 3; a++) {
      const int64_t n = grid.cells[a] > 0 ? grid.cells[a] : 1, i = rest % n;
      v *= grid.cells[a] > 0 ? x[a][i + 1] - x[a][i] : 1.0;
      rest /= n;
    }
    grid.values[c] = (double)((c * 37 + 11) % 17);
    sum += v * grid.values[c];
    volume += v;
  }
  double *points = malloc((size_t)grid.n_points * 3 * sizeof *points);
  tsr_grid_view view = view_of(&grid, x);
  view.points = (tsr_array){points, TSR_DOUBLE, 3, grid.n_points};
  for (int k = 0; k < 3; k++) {
    for (int64_t p = 0; p < grid.n_points; p++) {
      double *at = points + 3 * p;
      for (int64_t a = 0, rest = p; a < 3; a++) {
        at[a] = x[a][rest % (grid.cells[a] + 1)];
        rest /= grid.cells[a] + 1;
      }
      at[0] += k == 2 ? 0.5 * at[1] - 0.25 * at[2] : 0.0;
    }
    tsr_grid_options o = grid_options(NULL, 0);
    o.mode = TSR_GRID_COARSE;
    o.coarsen_levels = 2;
    view.geometry = k == 0 ? TSR_GEOMETRY_RECTILINEAR : TSR_GEOMETRY_POINTS;
    CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
    if (CHECK_INT(out.sizes.cells, 1)) {
      CHECK_NEAR(out.cell_values[0], sum / volume, 1e-12);
    }
    grid_out_free(&out);
  }
  free(points);
  grid_case_free(&grid);
}

/** The interpolant, in space, of a leaf's corners at x; 0 where x is outside the leaf. */
static int leaf_value(const grid_out *out, int64_t leaf, const double x[3], double *value) {
  const int n = 1 << out->sizes.dimension;
  const int64_t *ids = out->connectivity + leaf * n;
  double low[3], high[3];
  for (int a = 0; a < 3; a++) {
    low[a] = high[a] = out->points[3 * ids[0] + a];
    for (int k = 1; k < n; k++) {
      low[a] = fmin(low[a], out->points[3 * ids[k] + a]);
      high[a] = fmax(high[a], out->points[3 * ids[k] + a]);
    }
    if (x[a] < low[a] || x[a] > high[a]) {
      return 0;
    }
  }
  *value = 0.0;
  for (int k = 0; k < n; k++) {
    double weight = 1.0;
    for (int a = 0; a < 3; a++) {
      const double t = high[a] > low[a] ? (x[a] - low[a]) / (high[a] - low[a]) : 0.0;
      weight *= out->points[3 * ids[k] + a] > low[a] ? t : 1.0 - t;
    }
    *value += weight * out->point_values[ids[k]];
  }
  return 1;
}

/** Constrained points leave no jump: each has the value of every leaf that it lies in. */
static void check_constrained(int64_t nx, int64_t ny, int64_t nz, int coarsen, int refine,
                              int balance) {
  double x[3][MOST];
  int64_t hanging = 0;
  grid_case grid;
  grid_out out;
  uneven(x);
  grid_case_init(&grid, nx, ny, nz);
  for (int64_t p = 0; p < grid.n_points; p++) {
    grid.points[p] = (double)((p * 7919 + 5) % 23);
  }
  grid.values[0] = grid.values[grid.n_cells / 2] = 1.0;
  tsr_grid_criterion c[2];
  if (nz == 8) { /* about the middle: a root in cells, one in halves, the others whole */
    memset(grid.values, 0, (size_t)grid.n_cells * sizeof *grid.values);
    grid.values[(3 * 8 + 3) * 8 + 3] = 1.0;
    grid.values[(3 * 8 + 3) * 8 + 4] = 2.0;
  }
  for (int k = 0; k < 2; k++) {
    c[k] = grid_criterion(&grid, TSR_MEASURE_IN_RANGE, 0.0);
    c[k].array = grid_case_cells(&grid);
    c[k].cell_data = 1;
    c[k].lower = c[k].upper = k + 1;
    c[k].max_level = k == 0 ? -1 : 1;
  }
  tsr_grid_options o = grid_options(c, 2);
  o.coarsen_levels = coarsen;
  o.refine_levels = refine;
  o.balance = (tsr_balance)balance;
  o.constrain = 1;
  const tsr_grid_view view = view_of(&grid, x);
  CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
  for (int64_t p = 0; p < out.sizes.points; p++) {
    hanging += out.hanging[p];
    for (int64_t leaf = 0; leaf < out.sizes.cells; leaf++) {
      double value;
      if (leaf_value(&out, leaf, out.points + 3 * p, &value)) {
        CHECK_NEAR(out.point_values[p], value, 1e-11);
      }
    }
  }
  CHECK(hanging > 0);
  grid_out_free(&out);
  grid_case_free(&grid);
}

/** What is linear in space needs no refinement, whatever the indices. */
static void check_linear(int64_t nx, int64_t ny, int64_t nz) {
  double x[3][MOST];
  grid_case grid;
  grid_out out;
  uneven(x);
  grid_case_init(&grid, nx, ny, nz);
  for (int64_t p = 0; p < grid.n_points; p++) {
    const int64_t px = nx + 1, py = ny + 1;
    grid.points[p] = x[0][p % px] + 2 * x[1][p / px % py] + 3 * x[2][p / px / py];
  }
  tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_INTERPOLATION_ERROR, 1e-9);
  tsr_grid_options o = grid_options(&c, 1);
  o.coarsen_levels = 2;
  const tsr_grid_view view = view_of(&grid, x);
  CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.cells,
            (nx + 3) / 4 * (ny > 0 ? (ny + 3) / 4 : 1) * (nz > 0 ? (nz + 3) / 4 : 1));
  CHECK_AT_MOST(out.point_error, 1e-9);
  grid_out_free(&out);
  grid_case_free(&grid);
}

int main(void) {
  check_linear(8, 0, 0);
  check_linear(8, 7, 0);
  check_linear(4, 8, 6);
  check_mean(4, 0, 0);
  check_mean(4, 3, 0);
  check_mean(0, 4, 3);
  check_mean(4, 3, 4);
  check_constrained(8, 8, 8, 2, 0, TSR_BALANCE_NONE);
  for (int balance = 0; balance < 4; balance++) {
    check_constrained(8, 8, 0, 3, 0, balance);
    check_constrained(8, 7, 0, 2, 2, balance);
    check_constrained(4, 4, 4, 2, 1, balance);
    check_constrained(3, 3, 3, 0, 2, balance);
  }
  return check_result();
}
