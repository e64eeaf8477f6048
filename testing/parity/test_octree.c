/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes, CPU against CUDA: the same bytes for every kind of output,
 *  criterion and option, on random octrees, some of which have samples or cells that are outside.
 * With the argument `small`: fewer of them. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "octree_case.h"
#include "outputs.h"

static tsr_grid_criterion criterion_of(const octree_case *it, int kind) {
  static const tsr_grid_measure measures[] = {TSR_MEASURE_INTERPOLATION_ERROR,
                                              TSR_MEASURE_INTERPOLATION_ERROR,
                                              TSR_MEASURE_VALUE_RANGE,
                                              TSR_MEASURE_STANDARD_DEVIATION,
                                              TSR_MEASURE_GRADIENT,
                                              TSR_MEASURE_IN_RANGE,
                                              TSR_MEASURE_VORTICITY,
                                              TSR_MEASURE_INTERPOLATION_ERROR};
  tsr_grid_criterion c;
  tsr_grid_criterion_init(&c);
  c.measure = measures[kind];
  c.threshold = 0.05;
  c.relative = kind != 5;
  c.lower = -0.1;
  c.upper = 0.1;
  c.array = (tsr_array){it->point, TSR_DOUBLE, 1, it->octree.points};
  if (kind == 1 || kind == 6)
    c.array = (tsr_array){it->vector, TSR_FLOAT, 3, it->octree.points};
  c.samples = (tsr_array){it->point_there, TSR_DOUBLE, 1, it->octree.at_points.n};
  if (kind == 1)
    c.samples = (tsr_array){it->vector_there, TSR_FLOAT, 3, it->octree.at_points.n};
  if (kind == 4 || kind == 7) {
    c.array = (tsr_array){it->cell, TSR_FLOAT, 1, it->octree.n};
    c.samples = (tsr_array){it->cell_there, TSR_FLOAT, 1, it->octree.at_cells.n};
    c.cell_data = 1;
  }
  return c;
}

static void compare(const octree_case *it, int output, int kind, int variant) {
  const tsr_execution cpu = execution_cpu(), cuda = execution_cuda();
  const tsr_grid_criterion c = criterion_of(it, kind);
  tsr_grid_options o;
  octree_out one, other;
  const char *difference;
  tsr_grid_options_init(&o);
  o.output = (tsr_grid_output_kind)output;
  o.criteria = &c;
  o.n_criteria = 1;
  o.coarsen_levels = variant % 3;
  o.balance = (tsr_balance)(variant % 4);
  o.buffer_cells = variant == 3 ? 2 : 0;
  o.block_size = variant % 2 ? 4 : 8;
  o.move_cells = variant % 2;
  o.mode = variant == 4 ? TSR_GRID_COARSE : variant == 5 ? TSR_GRID_FINE : TSR_GRID_ADAPTIVE;
  o.cell_budget = variant == 1 && kind == 2 ? 300 : 0;
  o.n_ranks = variant == 2 ? 3 : 1;
  o.rank = variant == 2 ? 1 : 0;
  octree_run(it, &o, &cpu, &one);
  octree_run(it, &o, &cuda, &other);
  difference = octree_difference(&one, &other);
  CHECK_SAY(difference == NULL && one.status == other.status,
            "output %d, criterion %d, variant %d: %s differs (%s; %s)", output, kind, variant,
            difference ? difference : "", one.status ? one.error.text : "",
            other.status ? other.error.text : "");
  if (other.status == TSR_OK)
    CHECK_INT(other.report.backend, TSR_BACKEND_CUDA);
  octree_out_free(&one);
  octree_out_free(&other);
}

int main(int argc, char **argv) {
  static const octree_recipe recipes[] = {
      {1, {3, 2, 2}, 3, 0.5, 0.05, 0, 0, 8.0},  {2, {4, 4, 4}, 3, 0.0, 0.0, 1, 0, 12.0},
      {3, {0, 5, 4}, 5, 0.6, 0.03, 0, 1, 20.0}, {4, {6, 0, 5}, 4, 0.0, 0.0, 1, 1, 15.0},
      {5, {0, 0, 9}, 6, 0.5, 0.02, 0, 0, 30.0}, {6, {8, 8, 8}, 2, 0.3, 0.0, 0, 0, 5.0}};
  const int small = argc > 1 && strcmp(argv[1], "small") == 0;
  const int missing = gpu_missing();
  if (missing)
    return missing;
  for (size_t r = 0; r < (small ? 4 : sizeof recipes / sizeof *recipes); ++r) {
    octree_case it = octree_case_make(&recipes[r]);
    if (r != 1 && r != 3)
      octree_case_add_samples(&it, r == 0 ? 20000 : 1000, 0.1);
    if (r > 1)
      octree_case_add_outside(&it, 0.8);
    for (int output = 0; output <= TSR_GRID_CONFORMING; ++output)
      for (int kind = 0; kind < 8; ++kind)
        for (int variant = 0; variant < 6; ++variant)
          if (!small || (kind + variant + output + (int)r) % 6 == 0)
            compare(&it, output, kind, variant);
    octree_case_free(&it);
  }
  return check_result();
}
