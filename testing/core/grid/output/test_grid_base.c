/* SPDX-License-Identifier: BSD-3-Clause */
/** Base levels: trees that begin above the coarsest cells have the leaves and values of those that
 *  begin there, at most as many roots, and means in the levels that they add. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "grid_case.h"

/** The options with `base` levels more above the coarsest cells. */
static tsr_grid_options deeper(const tsr_grid_options *o, int base) {
  tsr_grid_options deep = *o;
  deep.base_levels = base;
  deep.coarsen_levels += base;
  deep.inside_level += base;
  deep.outside_level += base;
  return deep;
}

/** Each cell of the finest level lies in the same leaf, with the same values. */
static void check_leaves(const grid_case *grid, const tsr_grid_options *o, const grid_out *plain,
                         const tsr_grid_options *deep, const grid_out *out) {
  const int64_t n = grid_finest_count(grid, o);
  int64_t *a = grid_leaf_map(grid, o, plain), *b = grid_leaf_map(grid, deep, out);
  CHECK_INT(out->sizes.leaves, plain->sizes.leaves);
  for (int64_t k = 0; k < n; k++) {
    CHECK((a[k] < 0) == (b[k] < 0));
    if (a[k] < 0 || b[k] < 0) {
      continue;
    }
    const tsr_grid_node *x = &plain->nodes[a[k]], *y = &out->nodes[b[k]];
    CHECK_INT(y->level - deep->base_levels, x->level);
    for (int axis = 0; axis < 3; axis++) {
      CHECK_INT(y->index[axis], x->index[axis]);
    }
    CHECK(out->cell_values[b[k]] == plain->cell_values[a[k]]);
    CHECK(out->point_values[b[k]] == plain->point_values[a[k]]);
  }
  CHECK(out->point_error == plain->point_error && out->cell_error == plain->cell_error);
  free(a);
  free(b);
}

/** The mean of the visible input cells of a node; of all where none is visible. */
static double slow_mean(const grid_case *grid, const tsr_grid_node *node, int coarsen) {
  const int64_t size = (int64_t)1 << (coarsen - node->level);
  double sum[2] = {0.0, 0.0}, n[2] = {0.0, 0.0};
  int64_t begin[3], end[3], m[3];
  for (int a = 0; a < 3; a++) {
    m[a] = grid->cells[a] > 0 ? grid->cells[a] : 1;
    begin[a] = node->index[a] * size;
    end[a] = begin[a] + size < m[a] ? begin[a] + size : m[a];
  }
  for (int64_t z = begin[2]; z < end[2]; z++) {
    for (int64_t y = begin[1]; y < end[1]; y++) {
      for (int64_t x = begin[0]; x < end[0]; x++) {
        const int64_t at = (z * m[1] + y) * m[0] + x;
        const int hidden = grid->hidden && grid->hidden[at];
        sum[hidden] += grid->values[at];
        n[hidden] += 1.0;
      }
    }
  }
  return n[0] > 0.0 ? sum[0] / n[0] : sum[1] / n[1];
}

static void check_nodes(const grid_case *grid, const tsr_grid_options *deep, const grid_out *out) {
  for (int64_t k = 0; k < out->sizes.cells; k++) {
    const tsr_grid_node *node = &out->nodes[k];
    CHECK_INT(out->level[k], node->level - deep->base_levels);
    if (out->state[k] == TSR_STATE_OUTSIDE) {
      continue;
    }
    CHECK(node->level >= deep->base_levels || out->state[k] == TSR_STATE_COVERED);
    if (node->level < deep->coarsen_levels) {
      CHECK_NEAR(out->cell_values[k], slow_mean(grid, node, deep->coarsen_levels), 1e-12);
    }
  }
}

static void check_base(const grid_case *grid, tsr_grid_options *o, int base) {
  const tsr_grid_view view = grid_case_view(grid);
  const tsr_grid_options deep = deeper(o, base);
  grid_out plain, out;
  CHECK_INT(grid_run(grid, &view, o, NULL, &plain), TSR_OK);
  CHECK_INT(grid_run(grid, &view, &deep, NULL, &out), TSR_OK);
  CHECK(out.sizes.trees <= plain.sizes.trees);
  check_leaves(grid, o, &plain, &deep, &out);
  check_nodes(grid, &deep, &out);
  grid_out_free(&plain);
  grid_out_free(&out);
}

/** 32 cubed with roots of 4 cells: 512 trees; with two base levels 8, and the 64 + 8 nodes of two
 *  more levels. */
static void count_trees(void) {
  grid_case grid;
  grid_out out;
  grid_case_init(&grid, 32, 32, 32);
  const tsr_grid_view view = grid_case_view(&grid);
  tsr_grid_options o = grid_options(NULL, 0);
  o.coarsen_levels = 2;
  o.output = TSR_GRID_TREES;
  const tsr_grid_options deep = deeper(&o, 2);
  CHECK_INT(grid_run(&grid, &view, &o, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.trees, 512);
  CHECK_INT(out.sizes.cells, 512);
  grid_out_free(&out);
  CHECK_INT(grid_run(&grid, &view, &deep, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.trees, 8);
  CHECK_INT(out.sizes.cells, 512 + 64 + 8);
  CHECK_INT(out.sizes.leaves_of_level[2], 512);
  grid_out_free(&out);
  grid_case_free(&grid);
}

/** What VTK's front of 512 cubed cells needs, and when roots are left as they are. */
static void propose(void) {
  const tsr_grid_box cubes[] = {{{0, 512, 0, 512, 0, 512}},  {{0, 100, 0, 100, 0, 100}},
                                {{-7, 493, 0, 500, 9, 509}}, {{0, 1030, 0, 1030, 0, 1030}},
                                {{0, 4096, 0, 4096, 0, 0}},  {{0, 4096, 0, 4096, 0, 9}},
                                {{0, 504, 0, 504, 0, 504}}};
  /* 1030 cells: 17 roots of 64 reach 58 cells beyond, 9 of 128 would reach 122.
   * 9 layers: a root of 16 would not lie in the box. 504 cells: 63 roots of 8 end with the box. */
  static const int levels[] = {2, 0, 2, 3, 3, 0, 0};
  const tsr_grid_box flat = {{0, 0, 3, 3, 0, 0}}, empty = {{0, -1, 0, -1, 0, -1}};
  for (int k = 0; k < 7; k++) {
    CHECK_INT(tsr_grid_base_levels(&cubes[k], TSR_GEOMETRY_UNIFORM, 3, 0), levels[k]);
    CHECK_INT(tsr_grid_base_levels(&cubes[k], TSR_GEOMETRY_RECTILINEAR, 3, 0), 0);
  }
  CHECK_INT(tsr_grid_base_levels(&cubes[0], TSR_GEOMETRY_UNIFORM, 3, TSR_GRID_MAX_LEVEL - 4), 1);
  CHECK_INT(tsr_grid_base_levels(&flat, TSR_GEOMETRY_UNIFORM, 0, 0), 0);
  CHECK_INT(tsr_grid_base_levels(&empty, TSR_GEOMETRY_UNIFORM, 0, 0), 0);
}

int main(void) {
  static const int64_t sizes[4][3] = {{19, 14, 11}, {37, 0, 0}, {27, 22, 0}, {16, 8, 8}};
  for (int k = 0; k < 24; k++) {
    const int64_t *n = sizes[k % 4];
    grid_case grid;
    grid_case_init(&grid, n[0], n[1], n[2]);
    grid_case_fill(&grid, (uint64_t)k);
    const tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_VALUE_RANGE, 0.2);
    tsr_grid_options o = grid_options(&c, 1);
    o.output = TSR_GRID_TREES;
    o.mode = (tsr_grid_mode)(k / 4 % 3);
    o.coarsen_levels = 1 + k % 2;
    o.refine_levels = k / 8 % 2;
    o.balance = (tsr_balance)(k % 4);
    o.buffer_cells = k % 2;
    o.use_region = k % 3 == 0;
    o.region[1] = 9.0;
    o.region[3] = o.region[5] = 6.0;
    o.outside_level = 1;
    if (k >= 12) {
      grid.hidden = calloc((size_t)grid.n_cells, 1);
      for (int64_t i = 0; i < grid.n_cells; i++) {
        grid.hidden[i] = i % 29 < 5;
      }
    }
    check_base(&grid, &o, 1 + k % 3);
    grid_case_free(&grid);
  }
  count_trees();
  propose();
  return check_result();
}
