/* SPDX-License-Identifier: BSD-3-Clause */
/** Trees, blocks and polygons hold the same leaves; hanging points follow the coarse side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_case.h"

static void default_options(tsr_grid_options *o, const tsr_grid_criterion *c) {
  tsr_grid_options_init(o);
  o->criteria = c;
  o->n_criteria = 1;
}

/** 1 if all input cells of a node are hidden. */
static int node_is_hidden(const grid_case *grid, const tsr_grid_node *node,
                          const tsr_grid_options *o) {
  const int by = o->coarsen_levels - node->level;
  if (!grid->hidden) {
    return 0;
  }
  for (int64_t k = 0; k < grid->n_cells; k++) {
    const int64_t *n = grid->cells, ny = n[1] > 0 ? n[1] : 1;
    const int64_t c[3] = {k % n[0], k / n[0] % ny, k / n[0] / ny};
    int inside = !grid->hidden[k];
    for (int a = 0; a < 3; a++) {
      const int64_t i = by >= 0 ? c[a] >> by : c[a];
      inside = inside && (n[a] == 0 || i == (by >= 0 ? node->index[a] : node->index[a] >> -by));
    }
    if (inside) {
      return 0;
    }
  }
  return 1;
}

/** Visible leaves cover every visible cell; their values are means. */
static void check_leaves(const grid_case *grid, const tsr_grid_options *o, const grid_out *out) {
  int64_t *map = grid_leaf_map(grid, o, out);
  int64_t total = 1, visible = 0, m[3];
  for (int a = 0; a < 3; a++) {
    m[a] = grid->cells[a] > 0 ? grid->cells[a] << o->refine_levels : 1;
    total *= m[a];
  }
  for (int64_t k = 0; k < total; k++) {
    visible += map[k] >= 0;
  }
  CHECK_INT(visible, out->sizes.fine_cells);
  free(map);
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const tsr_grid_node *node = &out->nodes[c];
    const int64_t size =
        node->level < o->coarsen_levels ? (int64_t)1 << (o->coarsen_levels - node->level) : 1;
    const int below = node->level > o->coarsen_levels ? node->level - o->coarsen_levels : 0;
    if (out->state[c] == TSR_STATE_OUTSIDE) {
      CHECK_INT(out->source_cell[c], -1);
      continue;
    }
    double sum = 0.0, n = 0.0, points = 0.0;
    int64_t b[3], e[3];
    /* Nodes of hidden cells only have the mean of all of them. */
    const int all_hidden = node_is_hidden(grid, node, o);
    for (int a = 0; a < 3; a++) {
      const int64_t cells = grid->cells[a] > 0 ? grid->cells[a] : 1;
      b[a] = (node->index[a] >> below) * size;
      e[a] = b[a] + size < cells ? b[a] + size : cells;
    }
    for (int64_t z = b[2]; z < e[2]; z++) {
      for (int64_t y = b[1]; y < e[1]; y++) {
        for (int64_t x = b[0]; x < e[0]; x++) {
          const int64_t at =
              (z * (grid->cells[1] > 0 ? grid->cells[1] : 1) + y) * grid->cells[0] + x;
          if (grid->hidden && grid->hidden[at] && !all_hidden) {
            continue;
          }
          sum += grid->values[at];
          n += 1.0;
          for (int k = 0; k < 8; k++) {
            const int64_t q[3] = {x + (k & 1), y + (k >> 1 & 1) * (grid->cells[1] > 0),
                                  z + (k >> 2) * (grid->cells[2] > 0)};
            points +=
                grid->points[(q[2] * (grid->cells[1] + 1) + q[1]) * (grid->cells[0] + 1) + q[0]] /
                8;
          }
        }
      }
    }
    CHECK_NEAR(out->cell_values[c], sum / n, 1e-12);
    if (below == 0) {
      CHECK_NEAR(out->point_values[c], points / n, 1e-12);
    }
  }
}

/** Every tree, breadth first: 2^d children of each refined node, in turn, and nothing else. */
static void check_trees(const grid_case *grid, tsr_grid_options *o) {
  const tsr_grid_view view = grid_case_view(grid);
  grid_out out;
  o->output = TSR_GRID_TREES;
  CHECK_INT(grid_run(grid, &view, o, NULL, &out), TSR_OK);
  int64_t *first = malloc((size_t)(out.sizes.trees + 1) * sizeof *first);
  int32_t *root = malloc((size_t)out.sizes.trees * 3 * sizeof *root);
  tsr_grid_output output;
  tsr_grid_output_init(&output);
  output.tree_first = first;
  output.tree_root = root;
  CHECK_INT(tsr_grid_fill(out.plan, &output, &out.error), TSR_OK);
  check_leaves(grid, o, &out);
  CHECK_INT(first[out.sizes.trees], out.sizes.cells);
  int all_beyond = 1; /* no larger root would lie in the box */
  for (int a = 0; a < 3; a++) {
    const int by = o->coarsen_levels - out.sizes.tree_level;
    CHECK(grid->cells[a] == 0 || grid->cells[a] >> by > 0 || by == 0);
    all_beyond = all_beyond && (grid->cells[a] == 0 || grid->cells[a] >> (by + 1) > 0);
  }
  CHECK(out.sizes.tree_level == 0 || !all_beyond);
  for (int64_t t = 0; t < out.sizes.trees; t++) {
    int64_t next = first[t] + 1;
    CHECK_INT(out.nodes[first[t]].level, out.sizes.tree_level);
    CHECK(memcmp(out.nodes[first[t]].index, root + 3 * t, 3 * sizeof *root) == 0);
    for (int64_t n = first[t]; n < first[t + 1]; n++) {
      for (int k = 0; out.state[n] == TSR_STATE_COVERED && k < 1 << out.sizes.dimension; k++) {
        int d = 0;
        CHECK_INT(out.nodes[next].level, out.nodes[n].level + 1);
        for (int a = 0; a < 3; a++) {
          const int64_t child = grid->cells[a] > 0 ? 2 * out.nodes[n].index[a] + (k >> d & 1) : 0;
          d += grid->cells[a] > 0;
          CHECK_INT(out.nodes[next].index[a], child);
        }
        next++;
      }
      if (out.state[n] == TSR_STATE_LEAF) {
        for (int a = 0; a < 3 && out.nodes[n].level <= o->coarsen_levels; a++) {
          const int64_t size = (int64_t)1 << (o->coarsen_levels - out.nodes[n].level);
          CHECK(grid->cells[a] == 0 || (out.nodes[n].index[a] + 1) * size <= grid->cells[a]);
        }
      }
    }
    CHECK_INT(next, first[t + 1]);
  }
  free(first);
  free(root);
  grid_out_free(&out);
}

/** The level below has a cell wherever the block's neighbourhood lies in the grid. */
static void check_nesting(const tsr_grid_patch *b, uint8_t *const owner[], int64_t n[][3]) {
  for (int64_t z = b->begin[2] / 2 - 1; b->level > 0 && z <= (b->end[2] - 1) / 2 + 1; z++) {
    for (int64_t y = b->begin[1] / 2 - 1; y <= (b->end[1] - 1) / 2 + 1; y++) {
      for (int64_t x = b->begin[0] / 2 - 1; x <= (b->end[0] - 1) / 2 + 1; x++) {
        const int64_t *m = n[b->level - 1];
        if (x >= 0 && y >= 0 && z >= 0 && x < m[0] && y < m[1] && z < m[2]) {
          CHECK(owner[b->level - 1][(z * m[1] + y) * m[0] + x] == 1);
        }
      }
    }
  }
}

/** Blocks of a level do not overlap, hold the leaves, and have a cell of the coarser level
 *  around them. */
static void check_patches(const grid_case *grid, tsr_grid_options *o, int block_size) {
  const tsr_grid_view view = grid_case_view(grid);
  const int levels = o->coarsen_levels + o->refine_levels;
  grid_out out;
  o->output = TSR_GRID_PATCHES;
  o->block_size = block_size;
  CHECK_INT(grid_run(grid, &view, o, NULL, &out), TSR_OK);
  tsr_grid_patch *patches = malloc((size_t)out.sizes.patches * sizeof *patches);
  tsr_grid_output output;
  tsr_grid_output_init(&output);
  output.patches = patches;
  CHECK_INT(tsr_grid_fill(out.plan, &output, &out.error), TSR_OK);
  check_leaves(grid, o, &out);
  uint8_t *owner[16] = {NULL};
  int64_t n[16][3], cells = 0;
  for (int level = 0; level <= levels; level++) {
    for (int a = 0; a < 3; a++) {
      const int by = o->coarsen_levels - level;
      n[level][a] = grid->cells[a] == 0 ? 1
                    : by >= 0           ? grid->cells[a] >> by /* that lie in the box */
                                        : grid->cells[a] << -by;
    }
    owner[level] = calloc((size_t)(n[level][0] * n[level][1] * n[level][2]), 1);
  }
  for (int64_t p = 0; p < out.sizes.patches; p++) {
    const tsr_grid_patch *b = &patches[p];
    CHECK_INT(b->first, cells);
    CHECK(p == 0 || b->level >= patches[p - 1].level);
    for (int64_t z = b->begin[2]; z < b->end[2]; z++) {
      for (int64_t y = b->begin[1]; y < b->end[1]; y++) {
        for (int64_t x = b->begin[0]; x < b->end[0]; x++, cells++) {
          const int64_t *m = n[b->level];
          uint8_t *at = &owner[b->level][(z * m[1] + y) * m[0] + x];
          CHECK(*at == 0);
          *at = 1;
          CHECK(out.nodes[cells].index[0] == x && out.nodes[cells].index[1] == y &&
                out.nodes[cells].index[2] == z);
        }
      }
    }
    for (int a = 0; a < 3; a++) {
      CHECK(b->end[a] - b->begin[a] <= block_size && (b->begin[a] % block_size == 0));
      if (b->level > 0 && grid->cells[a] > 0) { /* coarse cells are covered as a whole */
        CHECK(b->begin[a] % 2 == 0 && (b->end[a] % 2 == 0 || b->end[a] == n[b->level][a]));
      }
      if (grid->cells[a] > 0 && b->level < o->coarsen_levels) { /* and lie in the box */
        CHECK((int64_t)b->end[a] << (o->coarsen_levels - b->level) <= grid->cells[a]);
      }
    }
    check_nesting(b, owner, n);
  }
  CHECK_INT(cells, out.sizes.cells);
  for (int level = 0; level <= levels; level++) {
    free(owner[level]);
  }
  free(patches);
  grid_out_free(&out);
}

/** Each side of a polygon is a side of exactly one other, the other way round, or of the box. */
static void check_polygons(const grid_case *grid, tsr_grid_options *o) {
  const tsr_grid_view view = grid_case_view(grid);
  grid_out out;
  o->output = TSR_GRID_POLYGONS;
  CHECK_INT(grid_run(grid, &view, o, NULL, &out), TSR_OK);
  const int64_t n = out.sizes.points;
  double area = 0.0;
  int64_t open = 0;
  int64_t *next = malloc((size_t)out.sizes.connectivity * 2 * sizeof *next);
  int64_t sides = 0;
  for (int64_t c = 0; c < out.sizes.cells; c++) {
    const int64_t *ids = out.connectivity + out.offsets[c];
    const int64_t count = out.offsets[c + 1] - out.offsets[c];
    CHECK(count >= 4);
    for (int64_t k = 0; k < count; k++) {
      const int64_t a = ids[k], b = ids[(k + 1) % count];
      const double *x = out.points + 3 * a, *y = out.points + 3 * b;
      CHECK(a >= 0 && a < n && a != b);
      area += 0.5 * (x[0] * y[1] - x[1] * y[0]);
      next[2 * sides] = a;
      next[2 * sides + 1] = b;
      sides++;
    }
  }
  CHECK_INT(sides, out.sizes.connectivity);
  CHECK_NEAR(area, (double)(grid->cells[0] * grid->cells[1]), 1e-9 * area);
  for (int64_t s = 0; s < sides; s++) {
    int twins = 0, same = 0;
    for (int64_t t = 0; t < sides; t++) {
      twins += next[2 * t] == next[2 * s + 1] && next[2 * t + 1] == next[2 * s];
      same += next[2 * t] == next[2 * s] && next[2 * t + 1] == next[2 * s + 1];
    }
    const double *x = out.points + 3 * next[2 * s], *y = out.points + 3 * next[2 * s + 1];
    const int border = (x[0] == y[0] && (x[0] == 0.0 || x[0] == (double)grid->cells[0])) ||
                       (x[1] == y[1] && (x[1] == 0.0 || x[1] == (double)grid->cells[1]));
    CHECK_INT(same, 1);
    CHECK_INT(twins, border ? 0 : 1);
    open += border;
  }
  CHECK(open > 0);
  free(next);
  grid_out_free(&out);
}

/** Constrained: on the boundary of every leaf, the values of all points there are its own
 *  interpolant's, so the field has no jumps. */
static void check_constrained(const grid_case *grid, tsr_grid_options *o) {
  const tsr_grid_view view = grid_case_view(grid);
  const int levels = o->coarsen_levels + o->refine_levels;
  grid_out out;
  o->output = TSR_GRID_CELLS;
  o->constrain = 1;
  CHECK_INT(grid_run(grid, &view, o, NULL, &out), TSR_OK);
  o->constrain = 0;
  int64_t *map = grid_leaf_map(grid, o, &out), n[3], hanging = 0;
  const int corners = 1 << out.sizes.dimension;
  for (int a = 0; a < 3; a++) {
    n[a] = grid->cells[a] > 0 ? grid->cells[a] << o->refine_levels : 1;
  }
  for (int64_t p = 0; p < out.sizes.points; p++) {
    hanging += out.hanging[p];
    for (int k = 0; k < 8; k++) {
      double x[3], value = 0.0;
      int64_t q[3];
      int inside = 1;
      for (int a = 0; a < 3; a++) {
        x[a] = out.points[3 * p + a] * (double)(1 << o->refine_levels);
        q[a] = grid->cells[a] > 0 ? (int64_t)x[a] - 1 + (k >> a & 1) : 0;
        inside = inside && q[a] >= 0 && q[a] < n[a];
      }
      const int64_t leaf = inside ? map[(q[2] * n[1] + q[1]) * n[0] + q[0]] : -1;
      if (leaf < 0) {
        continue;
      }
      for (int c = 0; c < corners; c++) {
        double weight = 1.0;
        for (int a = 0, d = 0; a < 3; a++) {
          if (grid->cells[a] > 0) {
            const int64_t size = (int64_t)1 << (levels - out.nodes[leaf].level);
            const double begin = (double)(out.nodes[leaf].index[a] * size);
            const double end = fmin(begin + (double)size, (double)n[a]);
            const double t = (x[a] - begin) / (end - begin);
            weight *= c >> d++ & 1 ? t : 1.0 - t;
          }
        }
        value += weight * out.point_values[out.connectivity[leaf * corners + c]];
      }
      CHECK_NEAR(out.point_values[p], value, 1e-13);
    }
  }
  CHECK(hanging > 0 || corners == 2 || out.sizes.leaves == out.sizes.fine_cells);
  free(map);
  grid_out_free(&out);
}

int main(void) {
  for (int k = 0; k < 12; k++) {
    static const int64_t sizes[4][3] = {{19, 14, 11}, {37, 0, 0}, {27, 22, 0}, {16, 8, 8}};
    const int64_t *n = sizes[k % 4];
    grid_case grid;
    grid_case_init(&grid, n[0], n[1], n[2]);
    grid_case_fill(&grid, (uint64_t)k);
    const tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_VALUE_RANGE, 0.2);
    tsr_grid_options o;
    default_options(&o, &c);
    o.coarsen_levels = 1 + k % 3;
    o.refine_levels = k / 4;
    o.balance = (tsr_balance)(k % 4);
    o.buffer_cells = k % 2;
    check_constrained(&grid, &o);
    if (n[1] > 0 && n[2] == 0) {
      check_polygons(&grid, &o);
    }
    if (k >= 8) {
      grid.hidden = calloc((size_t)grid.n_cells, 1);
      for (int64_t i = 0; i < grid.n_cells; i++) {
        grid.hidden[i] = i % 29 < 5;
      }
    }
    check_trees(&grid, &o);
    check_patches(&grid, &o, 2 << k % 3);
    o.coarsen_levels = 6; /* more than the box has */
    check_trees(&grid, &o);
    check_patches(&grid, &o, 2 << k % 3);
    grid_case_free(&grid);
  }
  return check_result();
}
