/* SPDX-License-Identifier: BSD-3-Clause */
/** Each criterion refines the nodes that a slow look at all their values says, and no others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_case.h"

static double point_at(const grid_case *g, int64_t x, int64_t y, int64_t z) {
  return g->points[(z * (g->cells[1] + 1) + y) * (g->cells[0] + 1) + x];
}

static double cell_at(const grid_case *g, int64_t x, int64_t y, int64_t z) {
  const int64_t n[2] = {g->cells[0] > 0 ? g->cells[0] : 1, g->cells[1] > 0 ? g->cells[1] : 1};
  return g->values[(z * n[1] + y) * n[0] + x];
}

/** Input cells [begin, end) of a node. */
typedef struct box {
  int64_t begin[3], end[3];
} box;

static double value_range(const grid_case *g, const box *b, int cells) {
  double low = INFINITY, high = -INFINITY;
  const int more = !cells;
  for (int64_t z = b->begin[2]; z < b->end[2] + (more && g->cells[2] > 0); z++) {
    for (int64_t y = b->begin[1]; y < b->end[1] + (more && g->cells[1] > 0); y++) {
      for (int64_t x = b->begin[0]; x < b->end[0] + (more && g->cells[0] > 0); x++) {
        const double v = cells ? cell_at(g, x, y, z) : point_at(g, x, y, z);
        low = fmin(low, v);
        high = fmax(high, v);
      }
    }
  }
  return high - low;
}

/** The corner values of a cell; missing axes repeat them. */
static void corners(const grid_case *g, int64_t x, int64_t y, int64_t z, double v[2][2][2]) {
  for (int k = 0; k < 8; k++) {
    v[k >> 2][k >> 1 & 1][k & 1] =
        point_at(g, x + (k & 1) * (g->cells[0] > 0), y + (k >> 1 & 1) * (g->cells[1] > 0),
                 z + (k >> 2) * (g->cells[2] > 0));
  }
}

static double cell_gradient(const grid_case *g, int64_t x, int64_t y, int64_t z) {
  double v[2][2][2], d[3] = {0.0, 0.0, 0.0};
  corners(g, x, y, z, v);
  for (int j = 0; j < 2; j++) {
    for (int i = 0; i < 2; i++) {
      d[0] += (v[j][i][1] - v[j][i][0]) / 4;
      d[1] += (v[j][1][i] - v[j][0][i]) / 4;
      d[2] += (v[1][j][i] - v[0][j][i]) / 4;
    }
  }
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/** Loehner's estimator at an input point, axes that are missing or end there left out: all pairs
 *  of axes in both orders, of each the derivative along b on both sides along a. */
static double loehner(const grid_case *g, const int64_t p[3]) {
  double above = 0.0, below = 0.0;
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) {
      double v[3][3];
      if (p[a] < 1 || p[a] >= g->cells[a] || p[b] < 1 || p[b] >= g->cells[b]) {
        continue;
      }
      for (int i = -1; i <= 1; i++) {
        for (int j = -1; j <= 1; j++) {
          int64_t q[3] = {p[0], p[1], p[2]};
          q[a] += i;
          q[b] += a == b ? 0 : j;
          v[i + 1][j + 1] = point_at(g, q[0], q[1], q[2]);
        }
      }
      double d, e;
      if (a == b) {
        d = v[2][1] - 2.0 * v[1][1] + v[0][1];
        e = fabs(v[2][1] - v[1][1]) + fabs(v[1][1] - v[0][1]) +
            0.01 * (fabs(v[2][1]) + 2.0 * fabs(v[1][1]) + fabs(v[0][1]));
      } else {
        d = (v[2][2] - v[2][0] - v[0][2] + v[0][0]) / 4;
        e = (fabs(v[2][2] - v[2][0]) + fabs(v[0][2] - v[0][0]) +
             0.01 * (fabs(v[2][2]) + fabs(v[2][0]) + fabs(v[0][2]) + fabs(v[0][0]))) /
            4;
      }
      above += d * d;
      below += e * e;
    }
  }
  return below > 0.0 ? sqrt(above / below) : 0.0;
}

static double interpolation_error(const grid_case *g, const box *b) {
  double most = 0.0;
  int64_t last[3];
  for (int a = 0; a < 3; a++) {
    last[a] = g->cells[a] > 0 ? b->end[a] : b->begin[a];
  }
  for (int64_t z = b->begin[2]; z <= last[2]; z++) {
    for (int64_t y = b->begin[1]; y <= last[1]; y++) {
      for (int64_t x = b->begin[0]; x <= last[0]; x++) {
        const int64_t p[3] = {x, y, z};
        double sum = 0.0;
        for (int k = 0; k < 8; k++) {
          double w = 1.0;
          int64_t q[3];
          for (int a = 0; a < 3; a++) {
            const double size = (double)(last[a] - b->begin[a]);
            const double t = size > 0.0 ? (double)(p[a] - b->begin[a]) / size : 0.0;
            w *= k >> a & 1 ? t : 1.0 - t;
            q[a] = k >> a & 1 ? last[a] : b->begin[a];
          }
          sum += w * point_at(g, q[0], q[1], q[2]);
        }
        most = fmax(most, fabs(sum - point_at(g, x, y, z)));
      }
    }
  }
  return most;
}

/** The measure of a node, from all of its cells. */
static double measure_of(const grid_case *g, const tsr_grid_criterion *c, const box *b,
                         double size) {
  double most = -INFINITY, sum = 0.0, squares = 0.0, n = 0.0;
  if (c->measure == TSR_MEASURE_VALUE_RANGE ||
      (c->measure == TSR_MEASURE_INTERPOLATION_ERROR && c->cell_data)) {
    return value_range(g, b, c->cell_data);
  }
  if (c->measure == TSR_MEASURE_INTERPOLATION_ERROR) {
    return interpolation_error(g, b);
  }
  for (int64_t z = b->begin[2]; z < b->end[2]; z++) {
    for (int64_t y = b->begin[1]; y < b->end[1]; y++) {
      for (int64_t x = b->begin[0]; x < b->end[0]; x++) {
        double v[2][2][2], low = INFINITY, high = -INFINITY;
        corners(g, x, y, z, v);
        for (int k = 0; k < 8; k++) {
          const double f = c->cell_data ? cell_at(g, x, y, z) : v[k >> 2][k >> 1 & 1][k & 1];
          low = fmin(low, f);
          high = fmax(high, f);
          sum += f;
          squares += f * f;
          n += 1.0;
          if (c->measure == TSR_MEASURE_SECOND_DERIVATIVE) {
            const int64_t p[3] = {x + ((k & 1) && g->cells[0] > 0),
                                  y + ((k >> 1 & 1) && g->cells[1] > 0),
                                  z + ((k >> 2) && g->cells[2] > 0)};
            most = fmax(most, loehner(g, p));
          }
        }
        if (c->measure == TSR_MEASURE_GRADIENT) {
          most = fmax(most, size * cell_gradient(g, x, y, z));
        }
        if (c->measure == TSR_MEASURE_IN_RANGE) {
          most = fmax(most, high >= c->lower && low <= c->upper);
        }
      }
    }
  }
  if (c->measure == TSR_MEASURE_STANDARD_DEVIATION) {
    return sqrt(fmax(0.0, squares / n - sum / n * (sum / n)));
  }
  return most;
}

/** Measure over threshold of node i of a level; -1 where it has no cells. */
static double ratio_of(const grid_case *g, const tsr_grid_options *o, int level,
                       const int64_t i[3]) {
  const int64_t size = (int64_t)1 << (o->coarsen_levels - level);
  const tsr_grid_criterion *c = o->criteria;
  box b;
  for (int a = 0; a < 3; a++) {
    const int64_t cells = g->cells[a];
    b.begin[a] = cells > 0 ? i[a] * size : 0;
    b.end[a] = cells > 0 ? (b.begin[a] + size < cells ? b.begin[a] + size : cells) : 1;
    if (b.begin[a] >= b.end[a] || (cells == 0 && i[a] > 0)) {
      return -1.0;
    }
  }
  return measure_of(g, c, &b, (double)size) /
         (c->measure == TSR_MEASURE_IN_RANGE ? 0.5 : c->threshold);
}

/** Appends the leaves of a node, in the order of the children. */
static void refine(const grid_case *g, const tsr_grid_options *o, int level, const int64_t i[3],
                   tsr_grid_node *leaves, int64_t *n) {
  const double ratio = ratio_of(g, o, level, i);
  if (ratio < 0.0) {
    return;
  }
  if (level < o->coarsen_levels && ratio > 1.0) {
    for (int k = 0; k < 8; k++) {
      const int64_t child[3] = {(g->cells[0] > 0 ? 2 * i[0] : 0) + (k & 1),
                                (g->cells[1] > 0 ? 2 * i[1] : 0) + (k >> 1 & 1),
                                (g->cells[2] > 0 ? 2 * i[2] : 0) + (k >> 2)};
      refine(g, o, level + 1, child, leaves, n);
    }
    return;
  }
  leaves[(*n)++] = (tsr_grid_node){{(int32_t)i[0], (int32_t)i[1], (int32_t)i[2]}, (int32_t)level};
}

static int compare_nodes(const void *a, const void *b) {
  return memcmp(a, b, sizeof(tsr_grid_node));
}

static void check_measure(grid_case *g, tsr_grid_criterion criterion, int coarsen) {
  tsr_grid_options o = grid_options(&criterion, 1);
  o.coarsen_levels = coarsen;
  o.balance = TSR_BALANCE_NONE;
  const tsr_grid_view view = grid_case_view(g);
  tsr_grid_node *leaves = malloc((size_t)g->n_cells * sizeof *leaves);
  int64_t n = 0, roots[3];
  for (int a = 0; a < 3; a++) {
    roots[a] = g->cells[a] > 0 ? (g->cells[a] + (1 << coarsen) - 1) >> coarsen : 1;
  }
  for (int64_t k = 0; k < roots[0] * roots[1] * roots[2]; k++) {
    const int64_t i[3] = {k % roots[0], k / roots[0] % roots[1], k / roots[0] / roots[1]};
    refine(g, &o, 0, i, leaves, &n);
  }
  grid_out out;
  CHECK_INT(grid_run(g, &view, &o, NULL, &out), TSR_OK);
  if (CHECK_SAY(out.sizes.cells == n, "measure %d, %d levels: %lld cells, not %lld",
                (int)criterion.measure, coarsen, (long long)out.sizes.cells, (long long)n)) {
    tsr_grid_node *nodes = malloc((size_t)n * sizeof *nodes);
    memcpy(nodes, out.nodes, (size_t)n * sizeof *nodes);
    qsort(nodes, (size_t)n, sizeof *nodes, compare_nodes);
    qsort(leaves, (size_t)n, sizeof *leaves, compare_nodes);
    CHECK(memcmp(nodes, leaves, (size_t)n * sizeof *nodes) == 0);
    free(nodes);
  }
  /* What the criterion asks for holds in every leaf that could be refined. */
  for (int64_t c = 0; c < out.sizes.cells; c++) {
    const int64_t i[3] = {out.nodes[c].index[0], out.nodes[c].index[1], out.nodes[c].index[2]};
    const double ratio = ratio_of(g, &o, out.nodes[c].level, i);
    CHECK(out.nodes[c].level == coarsen || out.indicator[c] <= 1.0);
    CHECK_NEAR(out.indicator[c], ratio, 1e-6 * (1.0 + ratio));
  }
  if (criterion.measure == TSR_MEASURE_INTERPOLATION_ERROR) {
    CHECK_AT_MOST(out.point_error, criterion.threshold);
  }
  grid_out_free(&out);
  free(leaves);
}

static void check_scalars(int64_t nx, int64_t ny, int64_t nz, int coarsen) {
  static const double thresholds[8][2] = {{0.05, 0.2}, {0.05, 0.3},  {0.3, 0.6}, {0, 0},
                                          {0, 0},      {0.02, 0.06}, {0, 0},     {0.01, 0.002}};
  grid_case g;
  grid_case_init(&g, nx, ny, nz);
  grid_case_fill(&g, 8);
  for (int k = 0; k < 16; k++) {
    tsr_grid_criterion c = grid_criterion(&g, (tsr_grid_measure)(k / 2), thresholds[k / 2][k % 2]);
    if (c.measure == TSR_MEASURE_VORTICITY || c.measure == TSR_MEASURE_Q) {
      continue;
    }
    c.lower = k % 2 ? 0.45 : -0.1;
    c.upper = k % 2 ? 0.46 : 0.0;
    check_measure(&g, c, coarsen);
  }
  for (int k = 0; k < 3; k++) {
    static const tsr_grid_measure measures[] = {
        TSR_MEASURE_VALUE_RANGE, TSR_MEASURE_STANDARD_DEVIATION, TSR_MEASURE_IN_RANGE};
    tsr_grid_criterion c = grid_criterion(&g, measures[k], 0.1);
    c.cell_data = 1;
    c.array = grid_case_cells(&g);
    c.lower = 0.2;
    c.upper = 0.3;
    check_measure(&g, c, coarsen);
  }
  grid_case_free(&g);
}

/** Just below the exact values of |curl| and Q every node is refined, just above none. */
static void check_thresholds(const grid_case *g, const tsr_grid_view *view, tsr_array v,
                             int cell_data, double w2) {
  for (int k = 0; k < 4; k++) {
    const int q = k / 2;
    const double exact = q ? w2 : 2.0 * sqrt(w2);
    tsr_grid_criterion c = grid_criterion(g, q ? TSR_MEASURE_Q : TSR_MEASURE_VORTICITY,
                                          exact * (k % 2 ? 1.0 + 1e-9 : 1.0 - 1e-9));
    c.array = v;
    c.cell_data = cell_data;
    tsr_grid_options o = grid_options(&c, 1);
    o.coarsen_levels = 2;
    tsr_grid_plan *plan;
    tsr_error error;
    if (CHECK_INT(tsr_grid_plan_create(view, &o, NULL, &plan, &error), TSR_OK)) {
      const int64_t roots = 3 * 2 * (g->cells[2] > 0 ? 2 : 1);
      CHECK_INT(tsr_grid_plan_sizes(plan)->leaves, k % 2 ? roots : g->n_cells);
      tsr_grid_plan_free(plan);
    }
  }
}

/** v = w x r on a grid that is stretched, or sheared and turned: |curl v| = 2 |w|, Q = |w|^2. */
static void check_rotation(tsr_grid_geometry geometry, int cell_data, int dimension) {
  const double w[3] = {dimension == 3 ? 0.5 : 0.0, dimension == 3 ? -1.0 : 0.0, 2.0};
  const double w2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  const int64_t n[3] = {9, 6, dimension == 3 ? 5 : 0};
  grid_case g;
  grid_case_init(&g, n[0], n[1], n[2]);
  tsr_grid_view view = grid_case_view(&g);
  double *xyz = malloc((size_t)g.n_points * 3 * sizeof *xyz), along[3][16];
  double *v = malloc((size_t)g.n_points * 3 * sizeof *v);
  view.geometry = geometry;
  view.spacing[0] = 0.5;
  view.spacing[1] = 0.25;
  view.origin[2] = 7.0;
  for (int a = 0; a < 3; a++) {
    for (int64_t k = 0; k <= n[a]; k++) {
      along[a][k] = geometry == TSR_GEOMETRY_RECTILINEAR ? (double)(k * k) * 0.1 + (double)k
                                                         : (double)k * view.spacing[a];
    }
    view.coordinates[a] = (tsr_array){along[a], TSR_DOUBLE, 1, n[a] + 1};
  }
  for (int64_t p = 0; p < g.n_points; p++) {
    const int64_t i[3] = {p % (n[0] + 1), p / (n[0] + 1) % (n[1] + 1), p / (n[0] + 1) / (n[1] + 1)};
    double *x = xyz + 3 * p;
    for (int a = 0; a < 3; a++) {
      x[a] = along[a][i[a]];
    }
    if (geometry == TSR_GEOMETRY_POINTS) {
      x[0] += 0.5 * x[1];
      x[1] += 0.25 * x[0];
    }
  }
  view.points = (tsr_array){xyz, TSR_DOUBLE, 3, g.n_points};
  int64_t tuples = cell_data ? g.n_cells : g.n_points;
  for (int64_t k = 0; k < tuples; k++) {
    double x[3] = {0.0, 0.0, 0.0};
    for (int q = 0; q < 8; q++) { /* the point, or the mean of the cell's corners */
      const int64_t nx = cell_data ? n[0] : n[0] + 1, ny = cell_data ? n[1] : n[1] + 1;
      const int64_t i = k % nx + (cell_data ? q & 1 : 0),
                    j = k / nx % ny + (cell_data ? q >> 1 & 1 : 0);
      const int64_t l = k / nx / ny + (cell_data && n[2] > 0 ? q >> 2 : 0);
      for (int a = 0; a < 3; a++) {
        x[a] += xyz[3 * ((l * (n[1] + 1) + j) * (n[0] + 1) + i) + a] / 8;
      }
    }
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      v[3 * k + a] = w[b] * x[c] - w[c] * x[b];
    }
  }
  check_thresholds(&g, &view, (tsr_array){v, TSR_DOUBLE, 3, tuples}, cell_data, w2);
  free(xyz);
  free(v);
  grid_case_free(&g);
}

/** A fraction of the range is the same as the product, and is agreed on for vectors' magnitudes. */
static void check_relative(void) {
  grid_case g;
  grid_case_init(&g, 20, 18, 17);
  grid_case_fill(&g, 3);
  double low = INFINITY, high = -INFINITY;
  for (int64_t k = 0; k < g.n_points; k++) {
    low = fmin(low, g.points[k]);
    high = fmax(high, g.points[k]);
  }
  tsr_grid_criterion c = grid_criterion(&g, TSR_MEASURE_VALUE_RANGE, 0.25);
  tsr_grid_criterion d = grid_criterion(&g, TSR_MEASURE_VALUE_RANGE, 0.25 * (high - low));
  tsr_grid_options o;
  tsr_grid_options_init(&o);
  o.n_criteria = 1;
  grid_out out[2];
  const tsr_grid_view view = grid_case_view(&g);
  c.relative = 1;
  o.criteria = &c;
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out[0]), TSR_OK);
  o.criteria = &d;
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out[1]), TSR_OK);
  CHECK(out[0].sizes.leaves > 27 && out[0].sizes.leaves < g.n_cells);
  CHECK_INT(out[0].sizes.leaves, out[1].sizes.leaves);
  CHECK(memcmp(out[0].nodes, out[1].nodes, (size_t)out[0].sizes.cells * sizeof(tsr_grid_node)) ==
        0);
  grid_out_free(&out[0]);
  grid_out_free(&out[1]);
  grid_case_free(&g);
}

/** Measure over threshold of [a, b] on a line, whose values are linear between the points. */
static double line_ratio(const grid_case *g, const tsr_grid_criterion *c, double a, double b) {
  double low = INFINITY, high = -INFINITY, steepest = 0.0, sum = 0.0, squares = 0.0, n = 0.0;
  for (int64_t k = (int64_t)a; (double)k < b; k++) {
    const double slope = g->points[k + 1] - g->points[k];
    for (int e = 0; e < 2; e++) {
      const double x = e ? fmin(b, (double)k + 1.0) : fmax(a, (double)k);
      const double v = g->points[k] + (x - (double)k) * slope;
      low = fmin(low, v);
      high = fmax(high, v);
      sum += v;
      squares += v * v;
      n += 1.0;
    }
    steepest = fmax(steepest, fabs(slope));
  }
  switch (c->measure) {
  case TSR_MEASURE_IN_RANGE:
    return high >= c->lower && low <= c->upper ? 2.0 : 0.0;
  case TSR_MEASURE_GRADIENT:
    return steepest * (b - a) / c->threshold;
  case TSR_MEASURE_STANDARD_DEVIATION:
    return sqrt(fmax(0.0, squares / n - sum / n * (sum / n))) / c->threshold;
  default:
    return (high - low) / c->threshold;
  }
}

/** Compares the leaves from number *leaf on with those of [a, b], a node of a level. */
static void check_line_node(const grid_case *g, const tsr_grid_options *o, const grid_out *out,
                            int level, double a, double b, int64_t *leaf) {
  const tsr_grid_criterion *c = o->criteria;
  const double ratio = line_ratio(g, c, a, b);
  if (level < o->coarsen_levels + o->refine_levels && ratio > 1.0 &&
      (c->max_level < 0 || level < c->max_level)) {
    check_line_node(g, o, out, level + 1, a, 0.5 * (a + b), leaf);
    check_line_node(g, o, out, level + 1, 0.5 * (a + b), b, leaf);
    return;
  }
  if (*leaf < out->sizes.cells) {
    CHECK_INT(out->level[*leaf], level);
    CHECK_NEAR(out->points[3 * out->connectivity[2 * *leaf]], a, 1e-12);
    CHECK_NEAR(out->indicator[*leaf], ratio, 1e-6 * (1.0 + ratio));
  }
  ++*leaf;
}

/** Parts of input cells are measured as what lies in them, where the values go over linearly; and a
 *  criterion with a level of its own refines none from there on. */
static void check_line(tsr_grid_measure measure, double threshold) {
  static const double values[] = {0.1, 0.9, 0.2, 0.3, 0.35, 0.9, 0.9, 0.1, 0.0};
  for (int max_level = -1; max_level <= 6; max_level++) {
    grid_case g;
    grid_out out;
    int64_t leaf = 0;
    grid_case_init(&g, 8, 0, 0);
    memcpy(g.points, values, sizeof values);
    tsr_grid_criterion c = grid_criterion(&g, measure, threshold);
    c.lower = 0.48;
    c.upper = 0.49;
    c.max_level = max_level;
    tsr_grid_options o = grid_options(&c, 1);
    o.coarsen_levels = 2;
    o.refine_levels = 4;
    o.balance = TSR_BALANCE_NONE;
    const tsr_grid_view view = grid_case_view(&g);
    CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
    check_line_node(&g, &o, &out, 0, 0.0, 4.0, &leaf);
    check_line_node(&g, &o, &out, 0, 4.0, 8.0, &leaf);
    CHECK_INT(out.sizes.cells, leaf);
    grid_out_free(&out);
    grid_case_free(&g);
  }
}

int main(void) {
  check_scalars(13, 0, 0, 3);
  check_scalars(0, 21, 18, 4);
  check_scalars(14, 0, 9, 2);
  check_scalars(19, 11, 16, 3);
  check_scalars(33, 17, 20, 5);
  check_scalars(5, 1, 1, 4);
  for (int geometry = 0; geometry < 3; geometry++) {
    for (int k = 0; k < 4; k++) {
      check_rotation((tsr_grid_geometry)geometry, k / 2, 2 + k % 2);
    }
  }
  check_relative();
  check_line(TSR_MEASURE_VALUE_RANGE, 0.06);
  check_line(TSR_MEASURE_GRADIENT, 0.06);
  check_line(TSR_MEASURE_STANDARD_DEVIATION, 0.03);
  check_line(TSR_MEASURE_IN_RANGE, 0.0);
  return check_result();
}
