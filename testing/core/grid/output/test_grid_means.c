/* SPDX-License-Identifier: BSD-3-Clause */
/** Means: within the bound of sums in pairs, in that order, and within the interpolation error of
 *  all input values in a cell. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_case.h"

/** Largest difference of the values at a leaf's points to its own. */
static double difference(const grid_case *g, const tsr_grid_node *node, int coarsen, double value) {
  const int64_t size = (int64_t)1 << (coarsen - node->level);
  double most = 0.0;
  for (int64_t k = 0; k < (size + 1) * (size + 1) * (size + 1); k++) {
    const int64_t p[3] = {node->index[0] * size + k % (size + 1),
                          node->index[1] * size + k / (size + 1) % (size + 1),
                          node->index[2] * size + k / (size + 1) / (size + 1)};
    const int64_t at = (p[2] * (g->cells[1] + 1) + p[1]) * (g->cells[0] + 1) + p[0];
    most = fmax(most, fabs(g->points[at] - value));
  }
  return most;
}

static void check_output(const grid_case *g, tsr_array array, tsr_grid_output_kind kind,
                         int relative) {
  tsr_grid_criterion c = grid_criterion(g, TSR_MEASURE_INTERPOLATION_ERROR, relative ? 0.3 : 0.6);
  const tsr_grid_view view = grid_case_view(g);
  double low = INFINITY, high = -INFINITY;
  int64_t coarse = 0, fine = 0;
  grid_out out;
  c.array = array;
  c.relative = relative;
  for (int64_t k = 0; k < g->n_points * array.components; k++) {
    low = fmin(low, ((const double *)array.data)[k]);
    high = fmax(high, ((const double *)array.data)[k]);
  }
  tsr_grid_options o = grid_options(&c, 1);
  o.output = kind;
  o.refine_levels = 1;
  CHECK_INT(grid_run(g, &view, &o, NULL, &out), TSR_OK);
  for (int64_t k = 0; k < out.sizes.cells; k++) {
    if (out.state[k] == TSR_STATE_LEAF && out.nodes[k].level < o.coarsen_levels) {
      coarse++;
      CHECK_AT_MOST(difference(g, &out.nodes[k], o.coarsen_levels, out.point_values[k]),
                    relative ? 0.3 * (high - low) : 0.6);
    }
    fine += out.state[k] == TSR_STATE_LEAF && out.nodes[k].level == o.coarsen_levels;
  }
  CHECK_SAY(coarse > 8 && fine > 8, "%lld and %lld", (long long)coarse, (long long)fine);
  grid_out_free(&out);
}

enum { MOST = 40 };

/** What the cells of a node sum up to, one after another in long double. */
typedef struct long_sums {
  long double value, size, weight; /**< size: of the magnitudes */
} long_sums;

/** One input cell: its volume, and its value or the mean of its corners. */
static void add_cell(const grid_case *g, double x[3][MOST], const int64_t c[3], int corners,
                     long_sums *to) {
  const int64_t *n = g->cells;
  long double weight = 1.0L, value = 0.0L;
  for (int a = 0; a < 3 && x; a++) {
    weight *= n[a] > 0 ? (long double)x[a][c[a] + 1] - (long double)x[a][c[a]] : 1.0L;
  }
  int count = 0;
  for (int k = 0; k < (corners ? 8 : 0); k++) {
    const int64_t p[3] = {c[0] + (k & 1), c[1] + (k >> 1 & 1), c[2] + (k >> 2)};
    if (p[0] <= n[0] && p[1] <= n[1] && p[2] <= n[2]) {
      value += (long double)g->points[(p[2] * (n[1] + 1) + p[1]) * (n[0] + 1) + p[0]];
      count++;
    }
  }
  value = corners ? value / count
                  : (long double)g->values[(c[2] * (n[1] > 0 ? n[1] : 1) + c[1]) * n[0] + c[0]];
  to->value += weight * value;
  to->size += weight * fabsl(value);
  to->weight += weight;
}

/** The cells of a node, hidden ones if `hidden`. */
static long_sums sum_up(const grid_case *g, double x[3][MOST], const tsr_grid_node *node,
                        int coarsen, int corners, int hidden) {
  long_sums to = {0.0L, 0.0L, 0.0L};
  const int64_t ny = g->cells[1] > 0 ? g->cells[1] : 1;
  int64_t first[3], end[3], c[3];
  for (int a = 0; a < 3; a++) {
    const int64_t n = g->cells[a] > 0 ? g->cells[a] : 1,
                  size = (int64_t)1 << (coarsen - node->level);
    first[a] = node->index[a] * size;
    end[a] = first[a] + size < n ? first[a] + size : n;
  }
  for (c[2] = first[2]; c[2] < end[2]; c[2]++) {
    for (c[1] = first[1]; c[1] < end[1]; c[1]++) {
      for (c[0] = first[0]; c[0] < end[0]; c[0]++) {
        if (hidden || !g->hidden || !g->hidden[(c[2] * ny + c[1]) * g->cells[0] + c[0]]) {
          add_cell(g, x, c, corners, &to);
        }
      }
    }
  }
  return to;
}

/** Roundings on the way from a value to the mean of a node, at most: its corners are added in pairs
 *  (a rounding an axis), so are the cells (the same a level), and there is one division. With
 *  volumes there is a product, and each is three differences and two products, above and below,
 * where they are added up, too. */
static double roundings(int coarsen, const tsr_grid_node *node, int volumes) {
  const double levels = coarsen > node->level ? coarsen - node->level : 0;
  return volumes ? 6.0 * levels + 15.0 : 3.0 * levels + 4.0;
}

static void check_nodes(const grid_case *g, double x[3][MOST], const grid_out *out, int coarsen) {
  const int trees = out->sizes.points == 0; /* point arrays have means there */
  int64_t coarse = 0;
  for (int64_t n = 0; n < out->sizes.cells; n++) {
    const tsr_grid_node *node = &out->nodes[n];
    if (out->state[n] == TSR_STATE_OUTSIDE) {
      continue;
    }
    for (int corners = 0; corners <= trees; corners++) {
      long_sums sums = sum_up(g, x, node, coarsen, corners, 0);
      if (sums.weight == 0.0L) {
        sums = sum_up(g, x, node, coarsen, corners, 1);
      }
      const long double mean = sums.value / sums.weight;
      const double bound = roundings(coarsen, node, x != NULL) * 1.0001 * 0.5 * DBL_EPSILON *
                           (double)(sums.size / sums.weight);
      const double value = corners ? out->point_values[n] : out->cell_values[n];
      CHECK_AT_MOST((double)fabsl((long double)value - mean), bound);
    }
    coarse += node->level < coarsen;
  }
  CHECK_SAY(coarse > 0, "no node is larger than an input cell");
}

/** Nodes of all sizes, cut by the box, with and without volumes and hidden cells. The values are
 *  mostly alike: there, sums of one cell after another are further off than the bound. */
static void check_means(int64_t nx, int64_t ny, int64_t nz, int coarsen) {
  double x[3][MOST];
  grid_case g;
  grid_out out;
  grid_case_init(&g, nx, ny, nz);
  for (int64_t k = 0; k < g.n_points; k++) {
    g.points[k] = k * 7 % 1009 == 0 ? 0.5 : 0.1;
  }
  for (int64_t k = 0; k < g.n_cells; k++) {
    g.values[k] = 0.7 + 1e-9 * (double)(k * 53 % 97);
  }
  for (int k = 0; k < 3 * MOST; k++) {
    x[k / MOST][k % MOST] = k % MOST + 0.01 * (k % MOST) * (k % MOST) + 0.1 * (k % 3);
  }
  const tsr_grid_output_kind kinds[3] = {TSR_GRID_CELLS, TSR_GRID_TREES, TSR_GRID_PATCHES};
  for (int k = 0; k < 12; k++) {
    if (k == 6) {
      g.hidden = calloc((size_t)g.n_cells, 1);
      for (int64_t n = 0; n < g.n_cells; n++) {
        g.hidden[n] = n % 211 < 3 || n > g.n_cells / 2;
      }
    }
    const tsr_grid_criterion c = grid_criterion(&g, TSR_MEASURE_VALUE_RANGE, 0.2);
    tsr_grid_options o = grid_options(&c, 1);
    tsr_grid_view view = grid_case_view(&g);
    o.coarsen_levels = coarsen;
    o.output = kinds[k % 3];
    o.block_size = 4;
    if (k / 3 % 2) {
      view.geometry = TSR_GEOMETRY_RECTILINEAR;
      for (int a = 0; a < 3; a++) {
        view.coordinates[a] = (tsr_array){x[a], TSR_DOUBLE, 1, g.cells[a] + 1};
      }
    }
    CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
    check_nodes(&g, k / 3 % 2 ? x : NULL, &out, coarsen);
    grid_out_free(&out);
  }
  grid_case_free(&g);
}

/** The order of the sums: pairs along the slowest axis first, then the next, then axis 0. Large
 *  values, one a child of the node, go away only where they meet at once. */
static void check_order(int dimension, int levels) {
  const int64_t side = (int64_t)1 << levels, half = side / 2, children = (int64_t)1 << dimension;
  grid_case g;
  grid_out out;
  grid_case_init(&g, side, dimension > 1 ? side : 0, dimension > 2 ? side : 0);
  tsr_grid_options o = grid_options(NULL, 0);
  o.mode = TSR_GRID_COARSE;
  o.coarsen_levels = levels;
  for (int64_t k = 0; k < children; k++) {
    const int64_t at = half * ((k & 1) + side * ((k >> 1 & 1) + side * (k >> 2 & 1)));
    const double large = 9007199254740992.0; /* 2^53: the next number is larger by 2 */
    g.values[at] = k == 0 ? large : (k == children / 2 ? -large : 1.0);
  }
  const tsr_grid_view view = grid_case_view(&g);
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
  CHECK_NEAR(out.cell_values[0] * (double)g.n_cells, (double)(children - 2), 0.0);
  grid_out_free(&out);
  grid_case_free(&g);
}

int main(void) {
  for (int dimension = 1; dimension <= 3; dimension++) {
    check_order(dimension, 1);
    check_order(dimension, 6); /* above what the core sums at once */
  }
  check_means(37, 21, 18, 4);
  check_means(39, 30, 0, 5);
  check_means(39, 0, 0, 5);
  check_means(9, 10, 5, 1);
  grid_case g;
  grid_case_init(&g, 24, 18, 13);
  grid_case_fill(&g, 2);
  /* A vector of one length everywhere: each component is bounded. */
  double *turning = malloc(2 * (size_t)g.n_points * sizeof *turning);
  for (int64_t k = 0; k < g.n_points; k++) {
    turning[2 * k] = sin(3.0 * g.points[k]);
    turning[2 * k + 1] = g.points[k] = cos(3.0 * g.points[k]);
  }
  for (int k = 0; k < 4; k++) {
    const tsr_grid_output_kind kind = k % 2 ? TSR_GRID_PATCHES : TSR_GRID_TREES;
    check_output(&g, grid_case_points(&g), kind, k / 2);
    check_output(&g, (tsr_array){turning, TSR_DOUBLE, 2, g.n_points}, kind, k / 2);
  }
  free(turning);
  grid_case_free(&g);
  return check_result();
}
