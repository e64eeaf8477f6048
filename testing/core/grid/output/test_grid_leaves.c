/* SPDX-License-Identifier: BSD-3-Clause */
/** Leaves cover the box once, are balanced, share their points, and carry the right values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_case.h"

static uint64_t state = 2027;

static int64_t any(int64_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)(state >> 33) % n;
}

/** Every visible cell of the finest level has a leaf, every hidden one none. */
static void check_cover(const grid_case *grid, const tsr_grid_options *o, const grid_out *out,
                        const int64_t *map) {
  for (int64_t k = 0; k < grid_finest_count(grid, o); k++) {
    const int64_t c = grid_finest_source(grid, o, k);
    const int hidden = grid->hidden != NULL && grid->hidden[c];
    CHECK_SAY((map[k] >= 0) == !hidden, "the cell %lld of the finest level has leaf %lld",
              (long long)k, (long long)map[k]);
  }
  CHECK(out->sizes.fine_cells >= out->sizes.leaves);
}

static int compare_points(const void *a, const void *b) { return memcmp(a, b, 3 * sizeof(double)); }

/** No point stands twice, every cell's corners are those of its box, each point is used. */
static void check_points(const grid_case *grid, const tsr_grid_options *o, const grid_out *out) {
  const int levels = o->coarsen_levels + o->refine_levels, corners = 1 << out->sizes.dimension;
  int axis[3], dimension = 0;
  for (int a = 0; a < 3; a++) {
    if (grid->cells[a] > 0) {
      axis[dimension++] = a;
    }
  }
  uint8_t *used = calloc((size_t)out->sizes.points + 1, 1);
  double volume = 0.0, box = 0.0;
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const double unit = 1.0 / (double)(1 << o->refine_levels);
    double v = 1.0;
    CHECK_INT(out->offsets[c], c * corners);
    for (int k = 0; k < corners; k++) {
      const int64_t id = out->connectivity[c * corners + k];
      if (!CHECK(id >= 0 && id < out->sizes.points)) {
        continue;
      }
      used[id] = 1;
      for (int d = 0; d < dimension; d++) {
        const int a = axis[d];
        const int64_t size = (int64_t)1 << (levels - out->nodes[c].level);
        const double last = (double)grid->cells[a];
        double x = (double)((out->nodes[c].index[a] + (k >> d & 1)) * size) * unit;
        x = x < last ? x : last;
        CHECK_SAY(out->points[3 * id + a] == x, "corner %d of cell %lld is at %g, not %g", k,
                  (long long)c, out->points[3 * id + a], x);
      }
    }
    for (int d = 0; d < dimension; d++) {
      const int64_t far = out->connectivity[c * corners + corners - 1];
      v *= out->points[3 * far + axis[d]] -
           out->points[3 * out->connectivity[c * corners] + axis[d]];
    }
    volume += v;
  }
  box = (double)out->sizes.fine_cells / pow(2.0, dimension * o->refine_levels);
  CHECK_NEAR(volume, box, 1e-9 * box);
  for (int64_t p = 0; p < out->sizes.points; p++) {
    CHECK_SAY(used[p], "point %lld is used by no cell", (long long)p);
  }
  double *sorted = malloc((size_t)out->sizes.points * 3 * sizeof *sorted + 1);
  memcpy(sorted, out->points, (size_t)out->sizes.points * 3 * sizeof *sorted);
  qsort(sorted, (size_t)out->sizes.points, 3 * sizeof *sorted, compare_points);
  for (int64_t p = 1; p < out->sizes.points; p++) {
    CHECK_SAY(compare_points(sorted + 3 * p - 3, sorted + 3 * p) != 0, "a point stands twice");
  }
  free(sorted);
  free(used);
}

/** Multilinear between the input points around x, in the order of a textbook. */
static double between(const grid_case *grid, const double *x) {
  double sum = 0.0;
  for (int k = 0; k < 8; k++) {
    double weight = 1.0;
    int64_t p[3];
    for (int a = 0; a < 3; a++) {
      int64_t low = (int64_t)floor(x[a]);
      low = low >= grid->cells[a] && low > 0 ? low - 1 : low;
      const double t = x[a] - (double)low;
      weight *= k >> a & 1 ? t : 1.0 - t;
      p[a] = low + (k >> a & 1);
    }
    if (weight > 0.0) {
      sum +=
          weight * grid->points[(p[2] * (grid->cells[1] + 1) + p[1]) * (grid->cells[0] + 1) + p[0]];
    }
  }
  return sum;
}

static void check_values(const grid_case *grid, const tsr_grid_options *o, const grid_out *out,
                         const int64_t *map) {
  double *sum = calloc((size_t)out->sizes.cells + 1, sizeof *sum);
  double *count = calloc((size_t)out->sizes.cells + 1, sizeof *count);
  for (int64_t p = 0; p < out->sizes.points; p++) {
    const double *x = out->points + 3 * p;
    const double value = between(grid, x);
    const int at_input = x[0] == floor(x[0]) && x[1] == floor(x[1]) && x[2] == floor(x[2]);
    CHECK_NEAR(out->point_values[p], value, at_input ? 0.0 : 1e-14);
  }
  for (int64_t k = 0; k < grid_finest_count(grid, o); k++) {
    const int64_t c = grid_finest_source(grid, o, k);
    if (map[k] >= 0) {
      sum[map[k]] += grid->values[c];
      count[map[k]] += 1.0;
    }
  }
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const int fine = out->nodes[c].level >= o->coarsen_levels;
    CHECK_NEAR(out->cell_values[c], sum[c] / count[c], 1e-12);
    CHECK_INT(out->level[c], out->nodes[c].level);
    if (fine) {
      CHECK(out->cell_values[c] == grid->values[out->source_cell[c]]);
    }
  }
  free(sum);
  free(count);
}

/** A point hangs if a leaf that touches it does not have it as a corner: looked up in the map. */
static void check_hanging(const grid_case *grid, const tsr_grid_options *o, const grid_out *out,
                          const int64_t *map) {
  const int corners = 1 << out->sizes.dimension;
  int64_t n[3];
  for (int a = 0; a < 3; a++) {
    n[a] = grid->cells[a] > 0 ? grid->cells[a] << o->refine_levels : 1;
  }
  for (int64_t p = 0; p < out->sizes.points; p++) {
    int hangs = 0;
    for (int k = 0; k < 8; k++) {
      int64_t q[3];
      int inside = 1, is_corner = 0;
      for (int a = 0; a < 3; a++) {
        const int64_t x = (int64_t)(out->points[3 * p + a] * (double)(1 << o->refine_levels));
        q[a] = grid->cells[a] > 0 ? x - 1 + (k >> a & 1) : 0;
        inside = inside && q[a] >= 0 && q[a] < n[a];
      }
      const int64_t leaf = inside ? map[(q[2] * n[1] + q[1]) * n[0] + q[0]] : -1;
      for (int c = 0; leaf >= 0 && c < corners; c++) {
        is_corner |= out->connectivity[leaf * corners + c] == p;
      }
      hangs |= leaf >= 0 && !is_corner;
    }
    CHECK_INT(out->hanging[p], hangs);
  }
}

static void run(const grid_case *grid, const tsr_grid_options *o) {
  const tsr_grid_view view = grid_case_view(grid);
  grid_out out;
  if (!CHECK_INT(grid_run(grid, &view, o, NULL, &out), TSR_OK)) {
    printf("%s\n", out.error.text);
    return;
  }
  int64_t *map = grid_leaf_map(grid, o, &out);
  check_cover(grid, o, &out, map);
  CHECK_INT(grid_unbalanced(grid, o, &out, map, (int)o->balance), 0);
  check_points(grid, o, &out);
  check_values(grid, o, &out, map);
  check_hanging(grid, o, &out, map);
  free(map);
  grid_out_free(&out);
}

static void check_random(int trial) {
  const int64_t most = trial % 3 == 0 ? 40 : trial % 3 == 1 ? 20 : 11;
  grid_case grid;
  int64_t n[3] = {0, 0, 0};
  for (int a = 0; a < 1 + trial % 3; a++) {
    n[(a + trial / 3) % 3] = 1 + any(most);
  }
  grid_case_init(&grid, n[0], n[1], n[2]);
  grid_case_fill(&grid, (uint64_t)trial);
  if (trial % 4 == 3) {
    grid.hidden = calloc((size_t)grid.n_cells, 1);
    for (int64_t k = 0; k < grid.n_cells; k++) {
      grid.hidden[k] = k % 17 < 3;
    }
  }
  const tsr_grid_criterion criterion = grid_criterion(
      &grid, (tsr_grid_measure)(trial % 2 ? TSR_MEASURE_VALUE_RANGE : TSR_MEASURE_GRADIENT),
      0.02 + 0.1 * (double)any(4));
  tsr_grid_options o = grid_options(&criterion, 1);
  o.coarsen_levels = (int)any(5);
  o.refine_levels = (int)any(4);
  o.balance = (tsr_balance)any(4);
  o.buffer_cells = (int)any(3);
  run(&grid, &o);
  grid_case_free(&grid);
}

static void check_modes(void) {
  grid_case grid;
  tsr_grid_options o;
  tsr_grid_options_init(&o);
  grid_case_init(&grid, 13, 7, 9);
  grid_case_fill(&grid, 5);
  o.coarsen_levels = 2;
  o.refine_levels = 2;
  const tsr_grid_view view = grid_case_view(&grid);
  grid_out out;
  o.mode = TSR_GRID_COARSE;
  CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.leaves, 4 * 2 * 3);
  CHECK_INT(out.sizes.fine_cells, 13 * 7 * 9 * 64);
  grid_out_free(&out);
  o.mode = TSR_GRID_FINE;
  CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.leaves, 13 * 7 * 9 * 64);
  CHECK_INT(out.sizes.points, 53 * 29 * 37);
  grid_out_free(&out);
  grid_case_free(&grid);
}

int main(void) {
  for (int trial = 0; trial < 120; trial++) {
    check_random(trial);
  }
  check_modes();
  return check_result();
}
