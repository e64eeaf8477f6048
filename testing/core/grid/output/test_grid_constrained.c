/* SPDX-License-Identifier: BSD-3-Clause */
/** Constrained hanging points: the errors that the fill reports, and what it takes to find them. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "grid_case.h"

/** Largest difference at the input points of the interpolation in all leaves, from the output's
 *  point values alone. */
static double slow_error(const grid_case *grid, const grid_out *out, int refine) {
  const double unit = 1.0 / (double)(1 << refine);
  const int corners = 1 << out->sizes.dimension;
  double most = 0.0;
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const int64_t *id = out->connectivity + corners * c;
    const double *low = out->points + 3 * id[0], *high = out->points + 3 * id[corners - 1];
    int64_t p[3];
    if (high[0] - low[0] < 1.0 - 0.5 * unit) {
      continue; /* smaller than an input cell */
    }
    for (p[2] = (int64_t)low[2]; (double)p[2] <= high[2]; p[2]++) {
      for (p[1] = (int64_t)low[1]; (double)p[1] <= high[1]; p[1]++) {
        for (p[0] = (int64_t)low[0]; (double)p[0] <= high[0]; p[0]++) {
          const int64_t at = (p[2] * (grid->cells[1] + 1) + p[1]) * (grid->cells[0] + 1) + p[0];
          double value = 0.0;
          for (int k = 0; k < corners; k++) {
            double weight = 1.0;
            for (int a = 0; a < out->sizes.dimension; a++) {
              const double t = ((double)p[a] - low[a]) / (high[a] - low[a]);
              weight *= k >> a & 1 ? t : 1.0 - t;
            }
            value += weight * out->point_values[id[k]];
          }
          most = fmax(most, fabs(value - grid->points[at]));
        }
      }
    }
  }
  return most;
}

static void check_errors(int64_t nx, int64_t ny, int64_t nz, int refine, uint64_t seed) {
  grid_case grid;
  grid_case_init(&grid, nx, ny, nz);
  grid_case_fill(&grid, seed);
  for (int balance = 0; balance < 4; balance++) {
    const tsr_grid_view view = grid_case_view(&grid);
    const tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_VALUE_RANGE, 0.3);
    tsr_grid_options o = grid_options(&c, 1);
    grid_out out;
    o.coarsen_levels = 3;
    o.refine_levels = refine;
    o.balance = (tsr_balance)balance;
    o.constrain = 1;
    if (CHECK_SAY(grid_run(&grid, &view, &o, NULL, &out) == TSR_OK, "%s", out.error.text)) {
      const double most = slow_error(&grid, &out, refine);
      CHECK(most > 0.0);
      CHECK_NEAR(out.point_error, most, 1e-12);
    }
    grid_out_free(&out);
  }
  grid_case_free(&grid);
}

/** The least processor time of three fills with the errors of a point array of 3 components. */
static double fill_time(const grid_case *grid, tsr_grid_options *o, const tsr_array *array) {
  const tsr_grid_view view = grid_case_view(grid);
  tsr_error error;
  tsr_grid_plan *plan;
  double least = INFINITY, largest = 0.0;
  if (!CHECK_SAY(tsr_grid_plan_create(&view, o, NULL, &plan, &error) == TSR_OK, "%s", error.text)) {
    return 0.0;
  }
  const int64_t points = tsr_grid_plan_sizes(plan)->points;
  const tsr_grid_attribute attribute = {
      *array, 0, malloc((size_t)(3 * points) * sizeof(double)), &largest, {0}};
  tsr_grid_output output;
  tsr_grid_output_init(&output);
  output.attributes = &attribute;
  output.n_attributes = 1;
  for (int k = 0; k < 3; k++) {
    const clock_t start = clock();
    CHECK_INT(tsr_grid_fill(plan, &output, &error), TSR_OK);
    least = fmin(least, (double)(clock() - start) / CLOCKS_PER_SEC);
  }
  CHECK(largest > 0.0);
  free(attribute.out);
  tsr_grid_plan_free(plan);
  return least;
}

/** Errors of constrained points cost no more than a few times those of free ones: each hanging
 *  point is looked up once, not once for each leaf and component. */
static void check_time(void) {
  grid_case grid;
  grid_case_init(&grid, 96, 96, 96);
  grid_case_fill(&grid, 3);
  double *values = malloc((size_t)(3 * grid.n_points) * sizeof *values);
  const tsr_array array = {values, TSR_DOUBLE, 3, grid.n_points};
  for (int64_t k = 0; k < 3 * grid.n_points; k++) {
    values[k] = grid.points[k / 3] * (double)(1 + k % 3);
  }
  const tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_INTERPOLATION_ERROR, 0.004);
  tsr_grid_options o = grid_options(&c, 1);
  o.coarsen_levels = 4;
  const double is_free = fill_time(&grid, &o, &array);
  o.constrain = 1;
  const double constrained = fill_time(&grid, &o, &array);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  const double most = 20.0; /* a lookup has more memory accesses, each of which is checked */
#else
  const double most = 6.0;
#endif
  CHECK_SAY(constrained < most * is_free + 0.02, "%g s, where free points take %g s", constrained,
            is_free);
  free(values);
  grid_case_free(&grid);
}

int main(void) {
  check_errors(21, 18, 13, 0, 1);
  check_errors(24, 16, 16, 2, 2);
  check_errors(37, 26, 0, 0, 3);
  check_errors(37, 26, 0, 1, 4);
  check_time();
  return check_result();
}
