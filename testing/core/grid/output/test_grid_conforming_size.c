/* SPDX-License-Identifier: BSD-3-Clause */
/** Conforming grids of the jet and the carotid: at most three cells for each leaf of the grid that
 * is balanced by edges. */
#include <stdlib.h>

#include "case_file.h"
#include "check.h"
#include "grid_case.h"

/** A case of real size: the number of cells, and the error that is reported. */
static void check_size(const tsr_grid_view *view, tsr_array array, const char *name) {
  tsr_grid_criterion c;
  tsr_grid_criterion_init(&c);
  c.measure = TSR_MEASURE_INTERPOLATION_ERROR;
  c.array = array;
  c.relative = 1;
  c.threshold = 0.01;
  for (int coarsen = 2; coarsen <= 4; coarsen++) {
    tsr_grid_options o = grid_options(&c, 1);
    tsr_grid_plan *plan, *balanced;
    tsr_error error;
    o.coarsen_levels = coarsen;
    o.output = TSR_GRID_CONFORMING;
    CHECK_INT(tsr_grid_plan_create(view, &o, NULL, &plan, &error), TSR_OK);
    o.output = TSR_GRID_CELLS;
    o.balance = TSR_BALANCE_EDGE;
    CHECK_INT(tsr_grid_plan_create(view, &o, NULL, &balanced, &error), TSR_OK);
    const tsr_grid_sizes *s = tsr_grid_plan_sizes(plan), *b = tsr_grid_plan_sizes(balanced);
    CHECK_AT_MOST(s->cells, 3 * b->cells);
    printf("%s: %d levels: %lld leaves balanced by edges, %lld conforming, %lld of them cut, %lld "
           "cells (%.2f)\n",
           name, coarsen, (long long)b->cells, (long long)s->leaves, (long long)s->cut_leaves,
           (long long)s->cells, (double)s->cells / (double)b->cells);
    tsr_grid_plan_free(plan);
    tsr_grid_plan_free(balanced);
  }
}

static void check_jet(void) {
  const int64_t n[3] = {97, 50, 45};
  tsr_jet_options o;
  tsr_jet_output out;
  tsr_error error;
  tsr_grid_view view;
  tsr_jet_options_init(&o);
  tsr_grid_view_init(&view);
  for (int a = 0; a < 3; a++) {
    o.whole[2 * a + 1] = n[a] - 1;
    view.whole[2 * a] = view.extent[2 * a] = 0;
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = n[a] - 1;
  }
  float *velocity = malloc((size_t)(n[0] * n[1] * n[2]) * 3 * sizeof *velocity);
  tsr_jet_output_init(&out);
  out.velocity = velocity;
  CHECK_INT(tsr_jet_fill(&o, o.whole, NULL, &out, &error), TSR_OK);
  const tsr_array array = {velocity, TSR_FLOAT, 3, n[0] * n[1] * n[2]};
  check_size(&view, array, "jet");
  free(velocity);
}

static void check_carotid(void) {
  case_file file;
  tsr_grid_view view;
  if (!case_file_open(&file, "carotid")) {
    return;
  }
  const int64_t *n = case_file_array(&file, "dims").data;
  tsr_grid_view_init(&view);
  for (int a = 0; a < 3; a++) {
    view.whole[2 * a] = view.extent[2 * a] = 0;
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = n[a] - 1;
  }
  check_size(&view, case_file_array(&file, "p:scalars"), "carotid scalars");
  check_size(&view, case_file_array(&file, "p:vectors"), "carotid vectors");
  case_file_close(&file);
}

int main(void) {
  check_jet();
  check_carotid();
  return check_result();
}
