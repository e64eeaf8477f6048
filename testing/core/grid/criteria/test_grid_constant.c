/* SPDX-License-Identifier: BSD-3-Clause */
/** Fields in which nothing happens are not refined, though sums and interpolants are rounded. */
#include <string.h>

#include "check.h"
#include "grid_case.h"

/** Leaves of a plan with one criterion. */
static int64_t leaves_of(const grid_case *g, const tsr_grid_criterion *c) {
  const tsr_grid_view view = grid_case_view(g);
  const tsr_grid_options o = grid_options(c, 1);
  tsr_grid_plan *plan;
  tsr_error error;
  int64_t leaves = -1;
  if (CHECK_INT(tsr_grid_plan_create(&view, &o, NULL, &plan, &error), TSR_OK)) {
    leaves = tsr_grid_plan_sizes(plan)->leaves;
    tsr_grid_plan_free(plan);
  }
  return leaves;
}

/** Every measure of a constant array: three by two by two roots, whatever the threshold refers to.
 */
static void check_constant(double value, int components) {
  double tuples[3 * 25 * 16 * 18];
  grid_case g;
  grid_case_init(&g, 24, 15, 17);
  for (size_t k = 0; k < sizeof tuples / sizeof *tuples; k++) {
    tuples[k] = value;
  }
  for (int k = 0; k < 32; k++) {
    tsr_grid_criterion c = grid_criterion(&g, (tsr_grid_measure)(k / 4), k % 2 ? 0.01 : 0.0);
    const int flow = c.measure == TSR_MEASURE_VORTICITY || c.measure == TSR_MEASURE_Q;
    c.relative = k % 2;
    c.cell_data = k / 2 % 2;
    if (c.measure == TSR_MEASURE_IN_RANGE || (flow && components != 3)) {
      continue;
    }
    c.array = (tsr_array){tuples, TSR_DOUBLE, components, c.cell_data ? g.n_cells : g.n_points};
    const int64_t leaves = leaves_of(&g, &c);
    CHECK_SAY(leaves == 3 * 2 * 3, "measure %d of %g, %s, %s: %lld leaves, not 18", k / 4, value,
              c.cell_data ? "cells" : "points", c.relative ? "relative" : "absolute",
              (long long)leaves);
  }
  grid_case_free(&g);
}

/** Linear fields are their interpolants: no bound, not even 0, asks for more. */
static void check_linear(void) {
  grid_case g;
  grid_case_init(&g, 24, 15, 17);
  for (int64_t k = 0; k < g.n_points; k++) {
    g.points[k] =
        293.15 + 0.1 * (double)(k % 25) - 0.7 * (double)(k / 25 % 16) + 0.3 * (double)(k / 25 / 16);
  }
  const tsr_grid_criterion c = grid_criterion(&g, TSR_MEASURE_INTERPOLATION_ERROR, 0.0);
  CHECK_INT(leaves_of(&g, &c), 18);
  g.points[g.n_points / 2] += 1e-9; /* what is more than rounding still counts */
  CHECK(leaves_of(&g, &c) > 18);
  grid_case_free(&g);
}

int main(void) {
  static const double values[] = {293.15, -1.0 / 3.0, 1e-150, 1e150, 0.0};
  for (int k = 0; k < 5; k++) {
    check_constant(values[k], 1);
    check_constant(values[k], 3);
  }
  check_linear();
  return check_result();
}
