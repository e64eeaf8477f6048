/* SPDX-License-Identifier: BSD-3-Clause */
/** Errors that refinement keeps for the fill. The fill knows arrays by where they lie, so it looks
 * for the errors of a copy point by point: they must be those of the array itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "grid_case.h"

/** What one plan is made of. */
typedef struct found_case {
  int64_t cells[3], n;
  int components;
  double *values, *copy;
  uint8_t *hidden;
  tsr_grid_view view;
  tsr_grid_criterion criteria[2];
  tsr_grid_options options;
} found_case;

static int one_in(uint64_t *random, int n) { return random_in(random, 0.0, (double)n) < 1.0; }

static int below(uint64_t *random, int n) {
  const int k = (int)random_in(random, 0.0, (double)n);
  return k < n ? k : n - 1;
}

/** A front, and noise at a few points; one value in a thousand may be no number. */
static void make_values(found_case *it, uint64_t *random) {
  const int odd = one_in(random, 8), noisy = one_in(random, 2);
  int64_t at = 0;
  for (int64_t z = 0; z <= it->cells[2]; z++)
    for (int64_t y = 0; y <= it->cells[1]; y++)
      for (int64_t x = 0; x <= it->cells[0]; x++)
        for (int c = 0; c < it->components; c++, at++) {
          const double d = 0.05 * (double)(x * x + y * y + z * z) - 8.0 - 4.0 * c;
          it->values[at] = d / (1.0 + fabs(d));
          if (noisy && one_in(random, 500))
            it->values[at] += random_in(random, 0.0, 0.3);
          if (odd && one_in(random, 1000))
            it->values[at] = one_in(random, 2) ? (double)NAN : (double)INFINITY;
        }
  memcpy(it->copy, it->values, (size_t)at * sizeof *it->copy);
}

static void make_options(found_case *it, uint64_t *random) {
  const int flat = it->cells[2] == 0;
  tsr_grid_options *o = &it->options;
  for (int r = 0; r < 2; r++) {
    tsr_grid_criterion_init(&it->criteria[r]);
    it->criteria[r].measure = TSR_MEASURE_INTERPOLATION_ERROR;
    it->criteria[r].array = (tsr_array){it->values, TSR_DOUBLE, it->components, it->n};
    it->criteria[r].threshold = random_in(random, 0.002, 0.05);
    it->criteria[r].component = one_in(random, 3) ? 0 : -1;
    it->criteria[r].max_level = one_in(random, 4) ? below(random, 3) : -1;
  }
  tsr_grid_options_init(o);
  o->criteria = it->criteria;
  o->n_criteria = 1 + one_in(random, 3);
  o->coarsen_levels = 1 + below(random, 4);
  o->refine_levels = one_in(random, 6);
  o->output = one_in(random, 3)           ? TSR_GRID_CELLS
              : flat && one_in(random, 2) ? TSR_GRID_POLYGONS
                                          : TSR_GRID_CONFORMING;
  o->constrain = o->output != TSR_GRID_CONFORMING && one_in(random, 3);
  o->balance = (tsr_balance)(1 + below(random, flat ? 2 : 3));
  o->buffer_cells = one_in(random, 4);
  o->cell_budget = one_in(random, 8) ? 3000 : 0;
  if (one_in(random, 4)) {
    o->use_region = 1;
    for (int k = 0; k < 6; k++)
      o->region[k] = k % 2 ? 9.0 : 2.0;
    o->outside_level = below(random, 3);
  }
}

/** Makes the plan with the marks of another one, and compares the errors. Returns the error. */
static double compare(found_case *it, const tsr_grid_marks *marks, tsr_grid_plan **plan) {
  double error[2] = {-1.0, -2.0};
  tsr_grid_attribute attributes[2];
  tsr_grid_output output;
  tsr_error why;
  it->options.keep_marks = it->options.cell_budget == 0;
  if (marks)
    it->options.marks = *marks;
  if (!CHECK_INT(tsr_grid_plan_create(&it->view, &it->options, NULL, plan, &why), TSR_OK))
    return 0.0;
  memset(attributes, 0, sizeof attributes);
  for (int a = 0; a < 2; a++) {
    attributes[a].in = (tsr_array){a ? it->copy : it->values, TSR_DOUBLE, it->components, it->n};
    attributes[a].error = &error[a];
  }
  tsr_grid_output_init(&output);
  output.attributes = attributes;
  output.n_attributes = 2;
  CHECK_INT(tsr_grid_fill(*plan, &output, &why), TSR_OK);
  CHECK_SAY(error[0] == error[1], "error %.17g, of the copy %.17g", error[0], error[1]);
  return error[1];
}

/** One case; returns 1 if there was an error that could be found. */
static int run_case(uint64_t *random) {
  found_case it = {.components = 1 + one_in(random, 3)};
  tsr_grid_plan *first = NULL, *second = NULL;
  double error;
  it.n = 1;
  for (int a = 0; a < 3; a++) {
    it.cells[a] = a == 2 && one_in(random, 4) ? 0 : 3 + below(random, 22);
    it.n *= it.cells[a] + 1;
  }
  it.values = malloc((size_t)(it.n * it.components) * sizeof(double));
  it.copy = malloc((size_t)(it.n * it.components) * sizeof(double));
  it.hidden = calloc((size_t)it.n, 1);
  tsr_grid_view_init(&it.view);
  for (int a = 0; a < 3; a++)
    it.view.whole[2 * a + 1] = it.view.extent[2 * a + 1] = it.cells[a];
  if (one_in(random, 4)) {
    for (int64_t k = 0; k < it.n; k++)
      it.hidden[k] = (uint8_t)one_in(random, 300);
    it.view.hidden_points = it.hidden;
  }
  make_values(&it, random);
  make_options(&it, random);
  error = compare(&it, NULL, &first);
  if (first && it.options.cell_budget == 0) {
    const tsr_grid_marks marks = tsr_grid_plan_marks(first);
    it.criteria[0].threshold *= 2.0;
    compare(&it, &marks, &second);
  }
  tsr_grid_plan_free(first);
  tsr_grid_plan_free(second);
  free(it.values);
  free(it.copy);
  free(it.hidden);
  return error > 0.0;
}

int main(void) {
  uint64_t random = 1;
  int with_error = 0;
  for (int k = 0; k < 300; k++)
    with_error += run_case(&random);
  CHECK_SAY(with_error > 200, "only %d of 300 cases had an error", with_error);
  return check_result();
}
