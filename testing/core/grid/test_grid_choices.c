/* SPDX-License-Identifier: BSD-3-Clause */
/** What is set about grids: which choices go together, and what they ask the core for. */
#include <string.h>

#include "check.h"
#include "tessera.h"

static void said(const tsr_grid_choices *choices, const tsr_grid_options *options, int composite,
                 const char *expected) {
  tsr_error error = {TSR_OK, 0, ""};
  CHECK_INT(tsr_grid_choices_check(choices, options, composite, &error),
            expected ? TSR_BAD_OPTION : TSR_OK);
  CHECK_SAY(!expected || strcmp(error.text, expected) == 0, "%s", error.text);
}

static void checks(void) {
  tsr_grid_choices c;
  tsr_grid_options o;
  tsr_grid_choices_init(&c);
  tsr_grid_options_init(&o);
  said(&c, &o, 1, NULL);
  o.cell_budget = 9;
  said(&c, &o, 1, NULL);
  c.all_steps = 1;
  said(&c, &o, 0,
       "Cell Budget scales the thresholds of one time step, and does not go together with Over "
       "Time set to All Steps: take one of the two.");
  o.cell_budget = -7;
  said(&c, &o, 0, "Cell Budget must be 0 (off) or more, not -7.");
  o.cell_budget = 0;
  c.component = -2;
  said(&c, &o, 0, "Component must be -1 (the magnitude) or more, not -2.");
  c.component = 4;
  c.output = TSR_GRID_AMR;
  said(&c, &o, 0, NULL);
  said(&c, &o, 1, "Overlapping AMR comes from one image, not from a composite dataset.");
  c.merge_blocks = 1;
  said(&c, &o, 1, NULL);
  c.boundary = TSR_GRID_CLIPPED;
  said(&c, &o, 0,
       "Boundary Clipped At Surface cuts cells, which trees and AMR do not have: take "
       "Unstructured Grid as the Output Type, or another Boundary.");
  c.output = TSR_GRID_UNSTRUCTURED;
  said(&c, &o, 0, NULL);
  c.move_cells = 1;
  said(&c, &o, 0,
       "Boundary Clipped At Surface leaves cell arrays on cells: set Cell Arrays to Keep On Cells, "
       "and put Cell Data to Point Data before this filter.");
  c.boundary = TSR_GRID_TOUCHING;
  said(&c, &o, 0, NULL);
  c.move_cells = 0;
  c.output = TSR_GRID_AMR;
  c.use_region = 1;
  said(&c, &o, 0, NULL); /* the bounds of the input */
  c.use_region = 0;
  c.region[2] = 3.5;
  c.region[3] = -1e30;
  said(&c, &o, 0, NULL); /* not in use */
  c.use_region = 1;
  said(&c, &o, 0, "Region must reach from a lower to a higher x, not from 1 to -1.");
  c.region[0] = c.region[4] = 0.0;
  c.region[1] = c.region[5] = 1.0;
  said(&c, &o, 0, "Region must reach from a lower to a higher y, not from 3.5 to -1e+30.");
  c.region[2] = c.region[3];
  said(&c, &o, 0, NULL);
  c.region[5] = (double)NAN;
  said(&c, &o, 0, "Region must reach from a lower to a higher z, not from 0 to nan.");
}

static void outputs(void) {
  static const struct {
    int output, hanging, constrain;
    tsr_grid_output_kind kind;
  } all[] = {{TSR_GRID_UNSTRUCTURED, TSR_GRID_FREE, 0, TSR_GRID_CELLS},
             {TSR_GRID_UNSTRUCTURED, TSR_GRID_CONSTRAINED, 1, TSR_GRID_CELLS},
             {TSR_GRID_UNSTRUCTURED, TSR_GRID_SIDES, 0, TSR_GRID_POLYGONS},
             {TSR_GRID_UNSTRUCTURED, TSR_GRID_NO_HANGING, 0, TSR_GRID_CONFORMING},
             {TSR_GRID_HYPER_TREE, TSR_GRID_CONSTRAINED, 0, TSR_GRID_TREES},
             {TSR_GRID_AMR, TSR_GRID_SIDES, 0, TSR_GRID_PATCHES}};
  for (int k = 0; k < 6; k++) {
    tsr_grid_choices c;
    tsr_grid_options o;
    tsr_grid_choices_init(&c);
    tsr_grid_options_init(&o);
    c.output = all[k].output;
    c.hanging_nodes = all[k].hanging;
    tsr_grid_choices_apply(&c, &o);
    CHECK_INT(o.output, all[k].kind);
    CHECK_INT(o.constrain, all[k].constrain);
  }
}

/** Each measure alone, and all of them: name, threshold and range are its own. */
static void wishes(void) {
  static const char *const names[TSR_GRID_MEASURES] = {
      "Value Range", "Gradient",           "Second Derivative", "Vorticity",
      "Q-Criterion", "Standard Deviation", "Array In Range",    "Interpolation Error"};
  tsr_grid_choices c;
  tsr_grid_wish w[TSR_GRID_WISHES];
  tsr_tolerance t[TSR_GRID_WISHES];
  tsr_grid_choices_init(&c);
  CHECK_INT(tsr_grid_choices_wishes(&c, w), 1); /* the default */
  CHECK(w[0].measure == TSR_MEASURE_INTERPOLATION_ERROR && w[0].threshold == 0.01);
  c.in_range[0] = 5.0;
  c.in_range[1] = 6.0;
  for (int m = 0; m < TSR_GRID_MEASURES; m++) {
    const int range = m == TSR_MEASURE_IN_RANGE;
    for (int k = 0; k < TSR_GRID_MEASURES; k++) {
      c.thresholds[k].use = k == m;
      c.thresholds[k].threshold = 0.5 + k;
    }
    CHECK_INT(tsr_grid_choices_wishes(&c, w), 1);
    CHECK_SAY(strcmp(w[0].name, names[m]) == 0, "%s is %s", names[m], w[0].name);
    CHECK(w[0].measure == (tsr_grid_measure)m && w[0].threshold == 0.5 + m);
    CHECK(w[0].lower == (range ? 5.0 : 0.0) && w[0].upper == (range ? 6.0 : 0.0));
    CHECK_INT(tsr_grid_choices_tolerances(&c, t), range ? 0 : 1);
    CHECK(range || (strcmp(t[0].name, names[m]) == 0 && t[0].value == 0.5 + m));
    const char *of = m == TSR_MEASURE_SECOND_DERIVATIVE              ? NULL
                     : tsr_grid_measure_is_flow((tsr_grid_measure)m) ? "the largest value"
                                                                     : "the range";
    for (c.relative = 0; c.relative < 2 && !range; c.relative++) {
      CHECK_INT(tsr_grid_choices_tolerances(&c, t), 1);
      CHECK(c.relative && of ? t[0].of && strcmp(t[0].of, of) == 0 : t[0].of == NULL);
    }
    CHECK_INT(tsr_grid_measure_is_flow((tsr_grid_measure)m),
              m == TSR_MEASURE_VORTICITY || m == TSR_MEASURE_Q);
  }
  for (int k = 0; k < TSR_GRID_MEASURES; k++) {
    c.thresholds[k].use = 1;
  }
  CHECK_INT(tsr_grid_choices_wishes(&c, w), TSR_GRID_MEASURES);
  CHECK(w[0].measure == TSR_MEASURE_INTERPOLATION_ERROR);
  CHECK(w[TSR_GRID_MEASURES - 1].measure == TSR_MEASURE_IN_RANGE);
  CHECK_INT(tsr_grid_choices_tolerances(&c, t), TSR_GRID_MEASURES - 1);
  c.geometry.use = 1;
  CHECK_INT(tsr_grid_choices_wishes(&c, w), TSR_GRID_WISHES);
  const tsr_grid_wish last = w[TSR_GRID_WISHES - 1];
  CHECK(last.geometry && last.measure == TSR_MEASURE_INTERPOLATION_ERROR && !w[0].geometry);
  CHECK(strcmp(last.name, "Geometric Error") == 0 && last.threshold == 0.001);
  CHECK_INT(tsr_grid_choices_tolerances(&c, t), TSR_GRID_WISHES - 1);
}

static void check_growth(const tsr_grid_growth *growth, int n, const char *expected) {
  static const tsr_tolerance list[] = {{"Interpolation Error", 0.01, NULL},
                                       {"Gradient", 0.25, NULL}};
  char text[300];
  tsr_grid_growth_sentence(growth, list, n, text, sizeof text);
  CHECK_SAY(strcmp(text, expected) == 0, "'%s', not '%s'", text, expected);
}

/** Members: cells, fine, leaves, refined, scale, fewer. */
static void growth(void) {
  check_growth(&(tsr_grid_growth){120, 100, 90, 0, 5.0, 60}, 1,
               "The output has 120 cells, more than the input with 100. There would be 60 with "
               "Interpolation Error 0.05, and at most 90 with Hanging Nodes set to Free.");
  check_growth(
      &(tsr_grid_growth){120, 100, 100, 1, 2.0, 60}, 2,
      "The output has 120 cells, more than the fixed fine grid with 100. There would be 60 "
      "with Interpolation Error 0.02 and Gradient 0.5.");
  check_growth(
      &(tsr_grid_growth){100, 100, 100, 0, 10.0, 7}, 1,
      "The output has 100 cells, as many as the input. There would be 7 with Interpolation "
      "Error 0.1.");
  check_growth(&(tsr_grid_growth){120, 100, 90, 0, 0.0, 0}, 1,
               "The output has 120 cells, more than the input with 100. There would be at most 90 "
               "with Hanging Nodes set to Free.");
  check_growth(&(tsr_grid_growth){120, 100, 100, 0, 0.0, 0}, 1,
               "The output has 120 cells, more than the input with 100: raise the thresholds, or "
               "Coarsen Levels.");
  check_growth(&(tsr_grid_growth){100, 100, 100, 0, 0.0, 0}, 1, "");
  CHECK(tsr_grid_growth_scale(0) == 5.0);   /* one level coarser: more than 4 */
  CHECK(tsr_grid_growth_scale(1) == 20.0);  /* two levels: more than 16 */
  CHECK(tsr_grid_growth_scale(2) == 100.0); /* noise */
  CHECK(tsr_grid_growth_scale(3) == 0.0);   /* there are no more */
}

static void check_balance(tsr_grid_output_kind output, tsr_balance asked, int dimension,
                          const char *expected) {
  char text[100];
  tsr_grid_options o;
  tsr_grid_options_init(&o);
  o.output = output;
  o.balance = asked;
  tsr_grid_balance_text(&o, dimension, text, sizeof text);
  CHECK_SAY(strcmp(text, expected) == 0, "%s, not %s", text, expected);
}

static void balance(void) {
  check_balance(TSR_GRID_CELLS, TSR_BALANCE_NONE, 3, "None");
  check_balance(TSR_GRID_TREES, TSR_BALANCE_FACE, 3, "Across Faces");
  check_balance(TSR_GRID_CONFORMING, TSR_BALANCE_FACE, 2, "Across Faces");
  check_balance(TSR_GRID_CONFORMING, TSR_BALANCE_CORNER, 3, "Across Corners");
  check_balance(TSR_GRID_CONFORMING, TSR_BALANCE_NONE, 2,
                "Across Faces (None was asked for; conforming cells need this)");
  check_balance(TSR_GRID_CONFORMING, TSR_BALANCE_FACE, 3,
                "Across Edges (Across Faces was asked for; conforming cells need this)");
  check_balance(TSR_GRID_PATCHES, TSR_BALANCE_EDGE, 2,
                "Across Corners (Across Edges was asked for; blocks need this)");
}

static void check_bound(tsr_grid_output_kind output, int constrain, int in_use,
                        const char *expected) {
  tsr_grid_options o;
  tsr_grid_options_init(&o);
  o.output = output;
  o.constrain = constrain;
  const char *const text = tsr_grid_bound_text(&o, in_use);
  CHECK_SAY(strstr(text, expected) != NULL, "%s has not: %s", text, expected);
}

static void bounds(void) {
  check_bound(TSR_GRID_CONFORMING, 0, 1, "at every input point");
  check_bound(TSR_GRID_CONFORMING, 0, 0, "none");
  check_bound(TSR_GRID_CELLS, 1, 1, "but hanging ones");
  check_bound(TSR_GRID_CONFORMING, 1, 1, "at every input point"); /* which needs no constraint */
  check_bound(TSR_GRID_POLYGONS, 0, 1, "four corners");
  check_bound(TSR_GRID_TREES, 0, 1, "cells as large as an input cell have no bound");
  check_bound(TSR_GRID_PATCHES, 0, 1, "cells as large as an input cell have no bound");
}

static void budgets(void) {
  CHECK_INT(tsr_grid_budget_share(0, 5, 10), 0);
  CHECK_INT(tsr_grid_budget_share(1000, 5, 10), 500);
  CHECK_INT(tsr_grid_budget_share(1000, 10, 10), 1000);
  CHECK_INT(tsr_grid_budget_share(10, 1, 1000), 1);
  CHECK_INT(tsr_grid_budget_share(10, 0, 0), 10);
}

int main(void) {
  checks();
  outputs();
  wishes();
  growth();
  balance();
  bounds();
  budgets();
  return check_result();
}
