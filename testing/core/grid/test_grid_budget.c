/* SPDX-License-Identifier: BSD-3-Clause */
/** A cell budget is used as far as any threshold uses it, but for 1 %. */
#include <stdlib.h>

#include "check.h"
#include "grid_case.h"

/** Leaves with a threshold, or within a budget. */
static int64_t leaves_of(const grid_case *g, tsr_grid_criterion c, double scale, int64_t budget) {
  const tsr_grid_view view = grid_case_view(g);
  tsr_grid_options o;
  tsr_grid_plan *plan;
  tsr_error error;
  int64_t leaves = -1;
  c.threshold *= scale;
  o = grid_options(&c, 1);
  o.cell_budget = budget;
  if (CHECK_INT(tsr_grid_plan_create(&view, &o, NULL, &plan, &error), TSR_OK)) {
    leaves = tsr_grid_plan_sizes(plan)->leaves;
    tsr_grid_plan_free(plan);
  }
  return leaves;
}

/** Budgets against the best of all thresholds, each 0.1 % above the one before. */
static void check_best(const grid_case *g, tsr_grid_measure measure) {
  const tsr_grid_criterion c = grid_criterion(g, measure, 0.001);
  enum { steps = 9000 };
  static int64_t leaves[steps];
  double scale = 1.0;
  for (int k = 0; k < steps; k++) {
    leaves[k] = leaves_of(g, c, scale, 0);
    scale *= 1.001;
  }
  for (int64_t budget = 20; budget < leaves[0]; budget += 1 + budget / 9) {
    const int64_t found = leaves_of(g, c, 1.0, budget);
    int64_t best = 0;
    for (int k = 0; k < steps; k++) {
      best = leaves[k] <= budget && leaves[k] > best ? leaves[k] : best;
    }
    CHECK_SAY(found <= budget && 100 * found >= 99 * best,
              "measure %d: of %lld cells %lld, though %lld are possible", (int)measure,
              (long long)budget, (long long)found, (long long)best);
  }
}

/** Conforming: the budget bounds the cells that come out, not the leaves before they are cut. What
 *  comes out is not far from the best of all thresholds: as cells of cut leaves may become fewer
 *  where more is refined, the search need not find it. */
static void check_conforming(const grid_case *g, tsr_grid_measure measure, int coarsen) {
  const tsr_grid_view view = grid_case_view(g);
  tsr_grid_criterion c = grid_criterion(g, measure, 0.001);
  tsr_grid_options o = grid_options(&c, 1);
  enum { steps = 300 };
  int64_t cells[steps], cut = 0;
  grid_out out;
  o.coarsen_levels = coarsen;
  o.output = TSR_GRID_CONFORMING;
  for (int k = 0; k < steps; k++) {
    CHECK_INT(grid_run(g, &view, &o, NULL, &out), TSR_OK);
    cells[k] = out.sizes.cells;
    grid_out_free(&out);
    c.threshold *= 1.03;
  }
  c.threshold = 0.001;
  for (int64_t budget = 2 * cells[steps - 1] + 100; budget < cells[0]; budget += 1 + budget / 5) {
    int64_t best = 0;
    o.cell_budget = budget;
    CHECK_INT(grid_run(g, &view, &o, NULL, &out), TSR_OK);
    for (int k = 0; k < steps; k++) {
      best = cells[k] <= budget && cells[k] > best ? cells[k] : best;
    }
    CHECK_SAY(out.sizes.cells <= budget && 10 * out.sizes.cells >= 9 * best,
              "measure %d: of %lld cells %lld, though %lld are possible", (int)measure,
              (long long)budget, (long long)out.sizes.cells, (long long)best);
    CHECK_INT(out.sizes.notes[TSR_GRID_NOTE_BUDGET].count, 0);
    cut += out.sizes.cut_leaves;
    grid_out_free(&out);
  }
  CHECK(cut > 0);
  o.cell_budget = 1;
  CHECK_INT(grid_run(g, &view, &o, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.notes[TSR_GRID_NOTE_BUDGET].count, out.sizes.cells - 1);
  grid_out_free(&out);
}

/** Peaks in all roots, of heights that hardly differ: any number of roots can be refined. */
static void check_close(double step) {
  grid_case g;
  grid_case_init(&g, 32, 32, 0);
  for (int64_t k = 0; k < 64; k++) {
    g.points[(k / 8 * 4 + 1) * 33 + k % 8 * 4 + 1] = 1.0 + (double)k * step;
  }
  tsr_grid_criterion c = grid_criterion(&g, TSR_MEASURE_VALUE_RANGE, 0.5);
  for (int64_t refined = 0; refined < 64; refined++) {
    const tsr_grid_view view = grid_case_view(&g);
    grid_out out;
    tsr_grid_options o = grid_options(&c, 1);
    o.coarsen_levels = 2;
    o.balance = TSR_BALANCE_NONE;
    o.cell_budget = 64 + 6 * refined + 2; /* a root with a peak becomes seven leaves */
    CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
    CHECK_SAY(100 * out.sizes.leaves >= 99 * (64 + 6 * refined) &&
                  out.sizes.leaves <= o.cell_budget,
              "%lld leaves, not %lld", (long long)out.sizes.leaves, (long long)(64 + 6 * refined));
    grid_out_free(&out);
  }
  grid_case_free(&g);
}

int main(void) {
  grid_case g;
  grid_case_init(&g, 10, 9, 8);
  grid_case_fill(&g, 3);
  check_best(&g, TSR_MEASURE_VALUE_RANGE);
  check_best(&g, TSR_MEASURE_INTERPOLATION_ERROR);
  check_best(&g, TSR_MEASURE_STANDARD_DEVIATION);
  check_conforming(&g, TSR_MEASURE_VALUE_RANGE, 3);
  check_conforming(&g, TSR_MEASURE_INTERPOLATION_ERROR, 2);
  grid_case_free(&g);
  grid_case_init(&g, 45, 38, 0);
  grid_case_fill(&g, 5);
  check_conforming(&g, TSR_MEASURE_INTERPOLATION_ERROR, 3);
  grid_case_free(&g);
  check_close(1e-3);
  check_close(1e-12);
  return check_result();
}
