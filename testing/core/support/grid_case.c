/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void grid_case_init(grid_case *grid, int64_t nx, int64_t ny, int64_t nz) {
  const int64_t cells[3] = {nx, ny, nz};
  memset(grid, 0, sizeof *grid);
  grid->n_points = grid->n_cells = 1;
  for (int a = 0; a < 3; a++) {
    grid->cells[a] = cells[a];
    grid->n_points *= cells[a] + 1;
    grid->n_cells *= cells[a] > 0 ? cells[a] : 1;
  }
  grid->points = calloc((size_t)grid->n_points, sizeof *grid->points);
  grid->values = calloc((size_t)grid->n_cells, sizeof *grid->values);
}

void grid_case_free(grid_case *grid) {
  free(grid->points);
  free(grid->values);
  free(grid->hidden);
  memset(grid, 0, sizeof *grid);
}

static double field(const double x[3], uint64_t *state) {
  const double r =
      sqrt((x[0] - 0.3) * (x[0] - 0.3) + (x[1] - 0.6) * (x[1] - 0.6) + (x[2] - 0.4) * (x[2] - 0.4));
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return exp(-40.0 * r * r) + 0.5 * tanh(30.0 * (x[0] + 0.3 * x[1] - 0.9)) +
         1e-3 * (double)(*state >> 40) / 16777216.0;
}

void grid_case_fill(grid_case *grid, uint64_t seed) {
  const int64_t *n = grid->cells;
  for (int64_t i = 0; i < grid->n_points; i++) {
    const int64_t p[3] = {i % (n[0] + 1), i / (n[0] + 1) % (n[1] + 1), i / (n[0] + 1) / (n[1] + 1)};
    double x[3];
    for (int a = 0; a < 3; a++) {
      x[a] = n[a] > 0 ? (double)p[a] / (double)n[a] : 0.4;
    }
    grid->points[i] = field(x, &seed);
  }
  const int64_t m[3] = {n[0] > 0 ? n[0] : 1, n[1] > 0 ? n[1] : 1, n[2] > 0 ? n[2] : 1};
  for (int64_t i = 0; i < grid->n_cells; i++) {
    const int64_t c[3] = {i % m[0], i / m[0] % m[1], i / m[0] / m[1]};
    double x[3];
    for (int a = 0; a < 3; a++) {
      x[a] = n[a] > 0 ? ((double)c[a] + 0.5) / (double)n[a] : 0.4;
    }
    grid->values[i] = field(x, &seed);
  }
}

tsr_grid_view grid_case_view(const grid_case *grid) {
  tsr_grid_view view;
  tsr_grid_view_init(&view);
  for (int a = 0; a < 3; a++) {
    view.whole[2 * a] = view.extent[2 * a] = 0;
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = grid->cells[a];
  }
  view.hidden_cells = grid->hidden;
  return view;
}

tsr_array grid_case_points(const grid_case *grid) {
  const tsr_array array = {grid->points, TSR_DOUBLE, 1, grid->n_points};
  return array;
}

tsr_array grid_case_cells(const grid_case *grid) {
  const tsr_array array = {grid->values, TSR_DOUBLE, 1, grid->n_cells};
  return array;
}

tsr_grid_criterion grid_criterion(const grid_case *grid, tsr_grid_measure measure,
                                  double threshold) {
  tsr_grid_criterion criterion;
  tsr_grid_criterion_init(&criterion);
  criterion.measure = measure;
  criterion.array = grid_case_points(grid);
  criterion.threshold = threshold;
  return criterion;
}

tsr_grid_options grid_options(const tsr_grid_criterion *criteria, int n) {
  tsr_grid_options options;
  tsr_grid_options_init(&options);
  options.criteria = criteria;
  options.n_criteria = n;
  return options;
}

/** Cells of the finest level along the axes. */
static void finest(const grid_case *grid, const tsr_grid_options *options, int64_t n[3]) {
  for (int a = 0; a < 3; a++) {
    n[a] = grid->cells[a] > 0 ? grid->cells[a] << options->refine_levels : 1;
  }
}

int64_t grid_finest_count(const grid_case *grid, const tsr_grid_options *options) {
  int64_t n[3];
  finest(grid, options, n);
  return n[0] * n[1] * n[2];
}

int64_t grid_finest_source(const grid_case *grid, const tsr_grid_options *options, int64_t k) {
  int64_t n[3], at = 0, step = 1;
  finest(grid, options, n);
  for (int a = 0; a < 3; a++) {
    const int64_t cells = grid->cells[a] > 0 ? grid->cells[a] : 1;
    at += k % n[a] * cells / n[a] * step;
    step *= cells;
    k /= n[a];
  }
  return at;
}

tsr_status grid_run(const grid_case *grid, const tsr_grid_view *view,
                    const tsr_grid_options *options, const tsr_execution *execution,
                    grid_out *out) {
  memset(out, 0, sizeof *out);
  tsr_status status = tsr_grid_plan_create(view, options, execution, &out->plan, &out->error);
  if (status != TSR_OK) {
    return status;
  }
  out->sizes = *tsr_grid_plan_sizes(out->plan);
  out->nodes = tsr_grid_plan_nodes(out->plan);
  const size_t n = (size_t)out->sizes.cells + 1;
  const size_t m = (size_t)out->sizes.points + 1;
  tsr_grid_output output;
  tsr_grid_output_init(&output);
  output.points_type = TSR_DOUBLE;
  out->points = output.points = malloc(3 * m * sizeof(double));
  out->offsets = output.offsets = malloc(n * sizeof(int64_t));
  out->connectivity = output.connectivity =
      malloc(((size_t)out->sizes.connectivity + 1) * sizeof(int64_t));
  out->point_values = malloc((m + n) * sizeof(double));
  out->cell_values = malloc(n * sizeof(double));
  out->level = output.level = malloc(n * sizeof(int32_t));
  out->source_cell = output.source_cell = malloc(n * sizeof(int64_t));
  out->state = output.state = malloc(n);
  out->cell_type = output.cell_type = malloc(n);
  out->leaf = output.leaf = malloc(n * sizeof(int64_t));
  out->hanging = output.hanging = malloc(m);
  out->indicator = output.indicator = malloc(n * sizeof(double));
  const tsr_grid_attribute attributes[2] = {
      {grid_case_points(grid), 0, out->point_values, &out->point_error, {0}},
      {grid_case_cells(grid), 1, out->cell_values, &out->cell_error, {0}}};
  output.attributes = attributes;
  output.n_attributes = 2;
  return tsr_grid_fill(out->plan, &output, &out->error);
}

void grid_out_free(grid_out *out) {
  tsr_grid_plan_free(out->plan);
  free(out->points);
  free(out->offsets);
  free(out->connectivity);
  free(out->point_values);
  free(out->cell_values);
  free(out->level);
  free(out->source_cell);
  free(out->state);
  free(out->hanging);
  free(out->cell_type);
  free(out->leaf);
  free(out->indicator);
  memset(out, 0, sizeof *out);
}

int64_t *grid_leaf_map(const grid_case *grid, const tsr_grid_options *options,
                       const grid_out *out) {
  const int levels = options->coarsen_levels + options->refine_levels;
  int64_t n[3];
  finest(grid, options, n);
  const int64_t total = n[0] * n[1] * n[2];
  int64_t *map = malloc((size_t)total * sizeof *map);
  for (int64_t k = 0; k < total; k++) {
    map[k] = -1;
  }
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const tsr_grid_node *node = &out->nodes[c];
    int64_t begin[3], end[3];
    if (out->state[c] != TSR_STATE_LEAF) {
      continue;
    }
    for (int a = 0; a < 3; a++) {
      const int64_t size = grid->cells[a] > 0 ? (int64_t)1 << (levels - node->level) : 1;
      begin[a] = node->index[a] * size;
      end[a] = begin[a] + size < n[a] ? begin[a] + size : n[a];
    }
    for (int64_t z = begin[2]; z < end[2]; z++) {
      for (int64_t y = begin[1]; y < end[1]; y++) {
        for (int64_t x = begin[0]; x < end[0]; x++) {
          int64_t *at = &map[(z * n[1] + y) * n[0] + x];
          if (*at != -1) {
            printf("leaves %lld and %lld overlap\n", (long long)*at, (long long)c);
            exit(1);
          }
          *at = c;
        }
      }
    }
  }
  return map;
}

int64_t grid_unbalanced(const grid_case *grid, const tsr_grid_options *options, const grid_out *out,
                        const int64_t *map, int kind) {
  int64_t n[3], bad = 0;
  finest(grid, options, n);
  for (int64_t k = 0; k < n[0] * n[1] * n[2]; k++) {
    const int64_t i[3] = {k % n[0], k / n[0] % n[1], k / n[0] / n[1]};
    for (int d = 0; d < 27; d++) {
      const int64_t step[3] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
      int64_t q[3];
      int inside = 1, length = 0;
      for (int a = 0; a < 3; a++) {
        q[a] = i[a] + step[a];
        length += step[a] != 0;
        inside = inside && q[a] >= 0 && q[a] < n[a];
      }
      if (!inside || length == 0 || length > kind) {
        continue;
      }
      const int64_t a = map[k], b = map[(q[2] * n[1] + q[1]) * n[0] + q[0]];
      if (a >= 0 && b >= 0 && abs(out->level[a] - out->level[b]) > 1) {
        bad++;
      }
    }
  }
  return bad;
}
