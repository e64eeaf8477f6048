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
  grid_case_free(&g);
  check_close(1e-3);
  check_close(1e-12);
  return check_result();
}
