/* SPDX-License-Identifier: BSD-3-Clause */
/** One grid for many time steps: a front that moves. The same cells at each step, those of every
 *  step's own grid or finer ones, and the interpolation error within its bound, by a slow look at
 *  every input point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_case.h"

enum { STEPS = 6 };

/** A ball that grows and moves. */
static void set_step(grid_case *grid, int step) {
  const int64_t *n = grid->cells;
  for (int64_t k = 0; k < grid->n_points; k++) {
    const double x = (double)(k % (n[0] + 1)) - 4.0 - 2.5 * step;
    const double y = (double)(k / (n[0] + 1) % (n[1] + 1)) - 6.0;
    const double z = (double)(k / ((n[0] + 1) * (n[1] + 1))) - 0.5 * (double)n[2];
    grid->points[k] = tanh(1.5 * (sqrt(x * x + y * y + z * z) - 3.0 - 0.2 * step));
  }
}

/** The largest difference of an input value to what the corners of a leaf interpolate. */
static double largest_error(const grid_case *grid, const tsr_grid_options *o, const grid_out *out) {
  double largest = 0.0;
  for (int64_t c = 0; c < out->sizes.leaves; c++) {
    const tsr_grid_node *node = &out->nodes[c];
    int64_t low[3], high[3], i[3];
    if (node->level > o->coarsen_levels) {
      continue;
    }
    for (int a = 0; a < 3; a++) {
      const int64_t size = (int64_t)1 << (o->coarsen_levels - node->level);
      low[a] = node->index[a] * size;
      high[a] = low[a] + size < grid->cells[a] ? low[a] + size : grid->cells[a];
    }
    for (i[2] = low[2]; i[2] <= high[2]; i[2]++) {
      for (i[1] = low[1]; i[1] <= high[1]; i[1]++) {
        for (i[0] = low[0]; i[0] <= high[0]; i[0]++) {
          double value = 0.0;
          for (int k = 0; k < 8; k++) {
            double weight = 1.0;
            int64_t at[3];
            for (int a = 0; a < 3; a++) {
              const double t =
                  high[a] > low[a] ? (double)(i[a] - low[a]) / (double)(high[a] - low[a]) : 0.0;
              at[a] = (k >> a) & 1 ? high[a] : low[a];
              weight *= (k >> a) & 1 ? t : 1.0 - t;
            }
            value +=
                weight *
                grid->points[(at[2] * (grid->cells[1] + 1) + at[1]) * (grid->cells[0] + 1) + at[0]];
          }
          const double there =
              grid->points[(i[2] * (grid->cells[1] + 1) + i[1]) * (grid->cells[0] + 1) + i[0]];
          largest = fmax(largest, fabs(there - value));
        }
      }
    }
  }
  return largest;
}

/** The level of the leaf at each cell of the finest level. */
static int *levels_of(const grid_case *grid, const tsr_grid_options *o, const grid_out *out) {
  const int64_t n = grid_finest_count(grid, o);
  const int finest = o->coarsen_levels + o->refine_levels;
  int64_t size[3], i[3];
  int *levels = malloc((size_t)n * sizeof *levels);
  memset(levels, -1, (size_t)n * sizeof *levels);
  for (int a = 0; a < 3; a++) {
    size[a] = grid->cells[a] << o->refine_levels;
  }
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const tsr_grid_node *node =
        &out->nodes[out->leaf && o->output == TSR_GRID_CONFORMING ? out->leaf[c] : c];
    const int64_t wide = (int64_t)1 << (finest - node->level);
    if (out->state[c] != TSR_STATE_LEAF) {
      continue;
    }
    for (i[2] = node->index[2] * wide; i[2] < (node->index[2] + 1) * wide && i[2] < size[2];
         i[2]++) {
      for (i[1] = node->index[1] * wide; i[1] < (node->index[1] + 1) * wide && i[1] < size[1];
           i[1]++) {
        for (i[0] = node->index[0] * wide; i[0] < (node->index[0] + 1) * wide && i[0] < size[0];
             i[0]++) {
          levels[(i[2] * size[1] + i[1]) * size[0] + i[0]] = node->level;
        }
      }
    }
  }
  return levels;
}

/** Makes the grid of a step with the marks, and takes its own in their place. */
static void add_step(grid_case *grid, tsr_grid_options *o, int step, tsr_grid_node **nodes) {
  const tsr_grid_view view = grid_case_view(grid);
  tsr_grid_plan *plan;
  tsr_error error;
  set_step(grid, step);
  o->keep_marks = 1;
  CHECK_SAY(tsr_grid_plan_create(&view, o, NULL, &plan, &error) == TSR_OK, "step %d: %s", step,
            error.text);
  const tsr_grid_marks marks = tsr_grid_plan_marks(plan);
  CHECK_SAY(marks.n >= o->marks.n, "step %d: marks are lost", step);
  tsr_grid_node *copy = malloc((size_t)(marks.n + 1) * sizeof *copy);
  memcpy(copy, marks.nodes, (size_t)marks.n * sizeof *copy);
  free(*nodes);
  *nodes = copy;
  o->marks.nodes = copy;
  o->marks.n = marks.n;
  o->keep_marks = 0;
  tsr_grid_plan_free(plan);
}

/** All steps, again and again, until none adds a mark. Returns how many plans were made. */
static int add_all(grid_case *grid, tsr_grid_options *o, int backwards, tsr_grid_node **nodes) {
  int plans = 0, idle = 0;
  for (; idle < STEPS && plans < 20 * STEPS; plans++) {
    const int64_t before = o->marks.n;
    const int step = plans % STEPS;
    add_step(grid, o, backwards ? STEPS - 1 - step : step, nodes);
    idle = o->marks.n > before ? 1 : idle + 1;
  }
  CHECK_SAY(idle >= STEPS, "no end after %d plans", plans);
  return plans;
}

static void test_one(const char *what, const tsr_grid_criterion *criterion,
                     tsr_grid_options options, int64_t nz) {
  grid_case grid;
  grid_case_init(&grid, 21, 13, nz);
  tsr_grid_criterion own = *criterion;
  own.array = grid_case_points(&grid);
  options.criteria = &own;
  options.n_criteria = 1;
  const tsr_grid_options alone = options;
  tsr_grid_node *nodes = NULL, *others = NULL;
  tsr_grid_options backwards = options;
  const int plans = add_all(&grid, &options, 0, &nodes);
  add_all(&grid, &backwards, 1, &others);
  if (own.measure != TSR_MEASURE_INTERPOLATION_ERROR) {
    CHECK_SAY(plans <= 2 * STEPS - 1, "%s: %d plans", what, plans);
  }
  CHECK_SAY(options.marks.n == backwards.marks.n, "%s: %lld marks, backwards %lld", what,
            (long long)options.marks.n, (long long)backwards.marks.n);
  int *first = NULL;
  int64_t leaves_alone = 0, leaves = 0;
  for (int step = 0; step < STEPS; step++) {
    const tsr_grid_view view = grid_case_view(&grid);
    grid_out out, mine, back;
    set_step(&grid, step);
    CHECK_SAY(grid_run(&grid, &view, &options, NULL, &out) == TSR_OK, "%s: %s", what,
              out.error.text);
    CHECK_SAY(grid_run(&grid, &view, &alone, NULL, &mine) == TSR_OK, "%s: %s", what,
              mine.error.text);
    CHECK_SAY(grid_run(&grid, &view, &backwards, NULL, &back) == TSR_OK, "%s: %s", what,
              back.error.text);
    int *levels = levels_of(&grid, &options, &out), *own_levels = levels_of(&grid, &options, &mine);
    int *back_levels = levels_of(&grid, &options, &back);
    const int64_t n = grid_finest_count(&grid, &options);
    int64_t coarser = 0, other = 0, turned = 0;
    for (int64_t k = 0; k < n; k++) {
      coarser += levels[k] < own_levels[k];
      other += first && levels[k] != first[k];
      turned += levels[k] != back_levels[k];
    }
    CHECK_SAY(coarser == 0, "%s, step %d: coarser than its own at %lld", what, step,
              (long long)coarser);
    CHECK_SAY(other == 0, "%s, step %d: another grid at %lld", what, step, (long long)other);
    CHECK_SAY(turned == 0, "%s, step %d: the order of steps counts at %lld", what, step,
              (long long)turned);
    leaves_alone = mine.sizes.leaves > leaves_alone ? mine.sizes.leaves : leaves_alone;
    leaves = out.sizes.leaves;
    if (own.measure == TSR_MEASURE_INTERPOLATION_ERROR && options.output == TSR_GRID_CELLS) {
      const double error = largest_error(&grid, &options, &out);
      CHECK_SAY(error <= own.threshold, "%s, step %d: error %g", what, step, error);
    }
    if (own.measure == TSR_MEASURE_INTERPOLATION_ERROR && options.output == TSR_GRID_CONFORMING) {
      CHECK_SAY(out.point_error <= own.threshold, "%s, step %d: error %g", what, step,
                out.point_error);
    }
    if (first) {
      free(levels);
    } else {
      first = levels;
    }
    free(own_levels);
    free(back_levels);
    grid_out_free(&out);
    grid_out_free(&mine);
    grid_out_free(&back);
  }
  CHECK_SAY(leaves > leaves_alone && leaves < grid_finest_count(&grid, &options), "%s: %lld leaves",
            what, (long long)leaves);
  free(first);
  free(nodes);
  free(others);
  grid_case_free(&grid);
}

static void test_refusals(void) {
  grid_case grid;
  grid_case_init(&grid, 16, 16, 0);
  const tsr_grid_criterion criterion = grid_criterion(&grid, TSR_MEASURE_VALUE_RANGE, 0.1);
  const tsr_grid_view view = grid_case_view(&grid);
  tsr_grid_node node = {{0, 0, 0}, 0};
  tsr_grid_options o = grid_options(&criterion, 1);
  tsr_grid_plan *plan;
  tsr_error error;
  o.marks.n = 1;
  CHECK_SAY(tsr_grid_plan_create(&view, &o, NULL, &plan, &error) == TSR_BAD_OPTION, "no nodes");
  o.marks.nodes = &node;
  CHECK_SAY(tsr_grid_plan_create(&view, &o, NULL, &plan, &error) == TSR_OK, "%s", error.text);
  CHECK_SAY(tsr_grid_plan_sizes(plan)->leaves == 7, "%lld leaves",
            (long long)tsr_grid_plan_sizes(plan)->leaves);
  CHECK_SAY(tsr_grid_plan_marks(plan).n == 0, "marks that nobody wants");
  tsr_grid_plan_free(plan);
  node.index[1] = 2;
  CHECK_SAY(tsr_grid_plan_create(&view, &o, NULL, &plan, &error) == TSR_BAD_OPTION &&
                error.item == 0,
            "a node outside");
  node.index[1] = 0;
  node.level = 3;
  CHECK_SAY(tsr_grid_plan_create(&view, &o, NULL, &plan, &error) == TSR_BAD_OPTION,
            "a level too deep");
  node.level = 0;
  o.cell_budget = 100;
  CHECK_SAY(tsr_grid_plan_create(&view, &o, NULL, &plan, &error) == TSR_BAD_OPTION, "a budget");
  grid_case_free(&grid);
}

int main(void) {
  grid_case empty;
  grid_case_init(&empty, 1, 1, 1);
  const tsr_grid_criterion error = grid_criterion(&empty, TSR_MEASURE_INTERPOLATION_ERROR, 0.05);
  const tsr_grid_criterion range = grid_criterion(&empty, TSR_MEASURE_VALUE_RANGE, 0.5);
  const tsr_grid_criterion deviation = grid_criterion(&empty, TSR_MEASURE_STANDARD_DEVIATION, 0.2);
  tsr_grid_options o = grid_options(NULL, 0);
  o.output = TSR_GRID_CELLS;
  test_one("error", &error, o, 10);
  test_one("error in 2D", &error, o, 0);
  test_one("range", &range, o, 10);
  test_one("deviation", &deviation, o, 10);
  o.buffer_cells = 1;
  test_one("range with a buffer", &range, o, 10);
  o.buffer_cells = 0;
  o.coarsen_levels = 2;
  o.refine_levels = 2;
  test_one("range below the input cells", &range, o, 5);
  o.refine_levels = 0;
  o.coarsen_levels = 3;
  o.output = TSR_GRID_CONFORMING;
  test_one("error, conforming", &error, o, 10);
  o.output = TSR_GRID_TREES;
  test_one("range, trees", &range, o, 10);
  o.output = TSR_GRID_PATCHES;
  o.coarsen_levels = o.block_size = 2;
  test_one("range, patches", &range, o, 10);
  test_refusals();
  grid_case_free(&empty);
  return check_result();
}
