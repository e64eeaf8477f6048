/* SPDX-License-Identifier: BSD-3-Clause */
/** The interpolation error bounds trees and blocks, too: how far any input value in a cell is from
 *  the cell's. */
#include <math.h>
#include <stdlib.h>

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

int main(void) {
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
