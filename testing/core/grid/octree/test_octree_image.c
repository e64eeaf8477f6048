/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * An image given as an octree of one level gives the grid that the image gives: the code of
 * structured grids, which shares next to nothing with that of octrees, is the known answer.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tessera.h"

enum { MOST_CRITERIA = 2 };

/** An image, and the cells of it as an octree. */
typedef struct image {
  int dimension;
  int64_t cells[3], n_cells, n_points;
  double *point, *cell, *flow; /**< a point, a cell and a point array of 3 components */
  uint8_t *level;
  int32_t *index;
  int64_t *corners;
} image;

static uint64_t state = 88172645463325252u;

static double uniform(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

static double field(const double x[3], double sharp) {
  const double d = x[0] * x[0] + 0.7 * x[1] * x[1] + 1.3 * x[2] * x[2] - 0.4;
  return d * sharp / (1.0 + fabs(d) * sharp) + 0.1 * x[0];
}

static void fill(image *m, double sharp, double noise) {
  int64_t c = 0, p = 0;
  for (int64_t z = 0; z <= m->cells[2]; ++z)
    for (int64_t y = 0; y <= m->cells[1]; ++y)
      for (int64_t x = 0; x <= m->cells[0]; ++x) {
        const int64_t at[3] = {x, y, z};
        double u[3];
        int inside = 1;
        for (int a = 0; a < 3; ++a) {
          u[a] = m->cells[a] ? (double)at[a] / (double)m->cells[a] : 0.0;
          inside = inside && (at[a] < m->cells[a] || m->cells[a] == 0);
        }
        m->point[p] = field(u, sharp) + noise * uniform();
        for (int k = 0; k < 3; ++k)
          m->flow[3 * p + k] = field(u, sharp + k) + noise * uniform();
        if (inside) {
          const int64_t row = m->cells[0] + 1, plane = row * (m->cells[1] + 1);
          int n = 0;
          m->cell[c] = field(u, sharp) + noise * uniform();
          for (int a = 0; a < 3; ++a)
            m->index[3 * c + a] = (int32_t)at[a];
          for (int k = 0; k < 8; ++k)
            if ((!(k & 1) || m->cells[0]) && (!(k & 2) || m->cells[1]) && (!(k & 4) || m->cells[2]))
              m->corners[(c << m->dimension) + n++] =
                  p + (k & 1) + (k & 2 ? row : 0) + (k & 4 ? plane : 0);
          ++c;
        }
        ++p;
      }
}

static image image_make(const int64_t cells[3], double sharp, double noise) {
  image m = {.n_cells = 1, .n_points = 1};
  for (int a = 0; a < 3; ++a) {
    m.cells[a] = cells[a];
    m.dimension += cells[a] > 0;
    m.n_cells *= cells[a] ? cells[a] : 1;
    m.n_points *= cells[a] + 1;
  }
  m.point = malloc((size_t)m.n_points * sizeof(double));
  m.flow = malloc(3 * (size_t)m.n_points * sizeof(double));
  m.cell = malloc((size_t)m.n_cells * sizeof(double));
  m.level = calloc((size_t)m.n_cells, 1);
  m.index = malloc(3 * (size_t)m.n_cells * sizeof(int32_t));
  m.corners = malloc(8 * (size_t)m.n_cells * sizeof(int64_t));
  fill(&m, sharp, noise);
  return m;
}

static void image_free(image *m) {
  free(m->point);
  free(m->flow);
  free(m->cell);
  free(m->level);
  free(m->index);
  free(m->corners);
}

/** What comes out. */
typedef struct result {
  tsr_grid_sizes sizes;
  tsr_grid_node *nodes;
  double error[2], volume, mean;
  double sum; /**< of the point array over the points of the output */
  double most_indicator;
} result;

static int compare_nodes(const void *left, const void *right) {
  const tsr_grid_node *a = left, *b = right;
  if (a->level != b->level)
    return a->level < b->level ? -1 : 1;
  for (int k = 2; k >= 0; --k)
    if (a->index[k] != b->index[k])
      return a->index[k] < b->index[k] ? -1 : 1;
  return 0;
}

static int run(const image *m, const tsr_grid_view *view, const tsr_grid_options *o, result *r) {
  tsr_grid_output out;
  tsr_grid_plan *plan;
  tsr_error error;
  memset(r, 0, sizeof *r);
  if (!CHECK_SAY(tsr_grid_plan_create(view, o, NULL, &plan, &error) == TSR_OK, "%s", error.text))
    return 0;
  r->sizes = *tsr_grid_plan_sizes(plan);
  const int has_points = o->output != TSR_GRID_TREES && o->output != TSR_GRID_PATCHES;
  const int64_t n_point = has_points ? r->sizes.points : r->sizes.cells;
  const size_t points = (size_t)n_point + 1, cells = (size_t)r->sizes.cells + 1;
  double *point = malloc(points * sizeof *point), *cell = malloc(cells * sizeof *cell);
  double *indicator = malloc(cells * sizeof *indicator);
  tsr_grid_output_init(&out);
  const tsr_grid_attribute attributes[2] = {
      {{m->point, TSR_DOUBLE, 1, m->n_points}, 0, point, &r->error[0], {0}},
      {{m->cell, TSR_DOUBLE, 1, m->n_cells}, 1, cell, &r->error[1], {0}}};
  out.attributes = attributes;
  out.n_attributes = 2;
  out.indicator = indicator;
  if (CHECK_SAY(tsr_grid_fill(plan, &out, &error) == TSR_OK, "%s", error.text)) {
    const int64_t n = o->output == TSR_GRID_CONFORMING ? r->sizes.leaves : r->sizes.cells;
    r->nodes = malloc((size_t)(n + 1) * sizeof *r->nodes);
    memcpy(r->nodes, tsr_grid_plan_nodes(plan), (size_t)n * sizeof *r->nodes);
    qsort(r->nodes, (size_t)n, sizeof *r->nodes, compare_nodes);
    for (int64_t i = 0; i < n_point; ++i)
      r->sum += point[i];
    for (int64_t i = 0; i < r->sizes.cells; ++i) {
      r->mean += cell[i];
      r->most_indicator = indicator[i] > r->most_indicator ? indicator[i] : r->most_indicator;
    }
  }
  tsr_grid_plan_free(plan);
  free(point);
  free(cell);
  free(indicator);
  return 1;
}

static void check_same(const image *m, const tsr_grid_options *o) {
  tsr_grid_view view;
  tsr_grid_octree octree = {.n = m->n_cells,
                            .level = m->level,
                            .index = m->index,
                            .corners = m->corners,
                            .points = m->n_points};
  result grid, tree;
  tsr_grid_view_init(&view);
  for (int a = 0; a < 3; ++a) {
    octree.cells[a] = (int32_t)m->cells[a];
    view.whole[2 * a] = view.extent[2 * a] = 0;
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = m->cells[a];
    view.spacing[a] = 0.25 * (a + 1);
    view.origin[a] = a;
  }
  if (!run(m, &view, o, &grid))
    return;
  view.octree = &octree;
  if (run(m, &view, o, &tree)) {
    const int conforming = o->output == TSR_GRID_CONFORMING;
    const int64_t n = conforming ? grid.sizes.leaves : grid.sizes.cells;
    CHECK_INT(tree.sizes.leaves, grid.sizes.leaves);
    CHECK_INT(tree.sizes.cells, grid.sizes.cells);
    CHECK_INT(tree.sizes.points, grid.sizes.points);
    CHECK_INT(tree.sizes.connectivity, grid.sizes.connectivity);
    CHECK_INT(tree.sizes.cut_leaves, grid.sizes.cut_leaves);
    CHECK_INT(tree.sizes.trees, grid.sizes.trees);
    CHECK_INT(tree.sizes.patches, grid.sizes.patches);
    CHECK_INT(tree.sizes.levels, grid.sizes.levels);
    CHECK_INT(tree.sizes.tree_level, grid.sizes.tree_level);
    CHECK_INT(tree.sizes.fine_cells, grid.sizes.fine_cells);
    CHECK_INT(tree.sizes.all_leaves, grid.sizes.all_leaves);
    if (tree.sizes.cells == grid.sizes.cells && tree.sizes.leaves == grid.sizes.leaves)
      CHECK(memcmp(tree.nodes, grid.nodes, (size_t)n * sizeof *grid.nodes) == 0);
    for (int k = 0; k < 2; ++k)
      CHECK_SAY(fabs(tree.error[k] - grid.error[k]) <= 1e-12 * (1.0 + grid.error[k]),
                "error %d is %g, not %g", k, tree.error[k], grid.error[k]);
    CHECK_SAY(fabs(tree.sum - grid.sum) <= 1e-9 * (1.0 + fabs(grid.sum)), "%g %g", tree.sum,
              grid.sum);
    CHECK_SAY(fabs(tree.mean - grid.mean) <= 1e-9 * (1.0 + fabs(grid.mean)), "%g %g", tree.mean,
              grid.mean);
    CHECK_SAY(fabs(tree.most_indicator - grid.most_indicator) <=
                  1e-9 * (1.0 + fabs(grid.most_indicator)),
              "indicator %g, not %g", tree.most_indicator, grid.most_indicator);
  }
  free(grid.nodes);
  free(tree.nodes);
}

static tsr_grid_criterion criterion_of(const image *m, int kind) {
  static const double thresholds[] = {0.02, 0.05, 0.02, 0.03, 0.0, 0.02, 0.1, 0.05};
  static const tsr_grid_measure measures[] = {TSR_MEASURE_INTERPOLATION_ERROR,
                                              TSR_MEASURE_VALUE_RANGE,
                                              TSR_MEASURE_STANDARD_DEVIATION,
                                              TSR_MEASURE_GRADIENT,
                                              TSR_MEASURE_IN_RANGE,
                                              TSR_MEASURE_INTERPOLATION_ERROR,
                                              TSR_MEASURE_VORTICITY,
                                              TSR_MEASURE_INTERPOLATION_ERROR};
  tsr_grid_criterion c;
  tsr_grid_criterion_init(&c);
  c.measure = measures[kind];
  c.threshold = thresholds[kind];
  c.relative = kind % 2 == 0 && kind != 4;
  c.lower = -0.01;
  c.upper = 0.02;
  c.cell_data = kind == 7;
  c.array = (tsr_array){m->point, TSR_DOUBLE, 1, m->n_points};
  if (kind == 5 || kind == 6)
    c.array = (tsr_array){m->flow, TSR_DOUBLE, 3, m->n_points};
  if (kind == 7)
    c.array = (tsr_array){m->cell, TSR_DOUBLE, 1, m->n_cells};
  if (kind == 6 && m->dimension < 3)
    c.measure = TSR_MEASURE_Q;
  return c;
}

/** Every kind of output with every kind of criterion and option; the images take a third each. */
static void check_image(const int64_t cells[3], double sharp, double noise, int third) {
  image m = image_make(cells, sharp, noise);
  for (int output = 0; output <= TSR_GRID_CONFORMING; ++output)
    for (int kind = 0; kind < 8; ++kind)
      for (int variant = 0; variant < 6; ++variant) {
        const tsr_grid_criterion c = criterion_of(&m, kind);
        tsr_grid_options o;
        if ((output == TSR_GRID_POLYGONS && m.dimension != 2) ||
            (output + kind + variant) % 3 != third)
          continue;
        tsr_grid_options_init(&o);
        o.output = (tsr_grid_output_kind)output;
        o.criteria = &c;
        o.n_criteria = 1;
        o.coarsen_levels = 1 + variant % 3;
        o.balance = (tsr_balance)(output == TSR_GRID_POLYGONS && variant == 0 ? TSR_BALANCE_FACE
                                                                              : variant % 4);
        if (output == TSR_GRID_POLYGONS && o.balance == TSR_BALANCE_NONE)
          o.balance = TSR_BALANCE_FACE;
        o.buffer_cells = variant == 3 ? 2 : 0;
        o.block_size = variant % 2 ? 4 : 8;
        o.mode = variant == 4 && kind == 0   ? TSR_GRID_COARSE
                 : variant == 5 && kind == 0 ? TSR_GRID_FINE
                                             : TSR_GRID_ADAPTIVE;
        if (variant == 2) {
          o.use_region = 1;
          o.region[1] = 9.0;
          o.region[3] = 7.0;
          o.region[5] = 5.0;
          o.outside_level = 1;
        }
        if (variant == 5 && kind == 1)
          o.cell_budget = 200;
        if (variant == 5 && kind == 1 && c.measure != TSR_MEASURE_VALUE_RANGE)
          o.cell_budget = 0;
        check_same(&m, &o);
      }
  image_free(&m);
}

int main(void) {
  const int64_t cube[3] = {24, 16, 8}, plane[3] = {0, 40, 24}, line[3] = {0, 0, 64};
  const int64_t flat[3] = {32, 0, 16};
  check_image(cube, 20.0, 0.0, 0);
  check_image(cube, 8.0, 0.02, 1);
  check_image(cube, 8.0, 0.0, 2);
  check_image(plane, 40.0, 0.0, 0);
  check_image(flat, 10.0, 0.01, 1);
  check_image(plane, 10.0, 0.0, 2);
  check_image(line, 30.0, 0.0, 0);
  return check_result();
}
