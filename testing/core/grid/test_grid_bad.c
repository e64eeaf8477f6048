/* SPDX-License-Identifier: BSD-3-Clause */
/** Bad options and views are refused with a sentence; odd but valid grids come out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "grid_case.h"

/** What a call with something wrong in it gives. */
typedef struct bad_case {
  grid_case grid;
  tsr_grid_view view;
  tsr_grid_criterion criterion;
  tsr_grid_options options;
} bad_case;

static void begin(bad_case *b) {
  grid_case_init(&b->grid, 10, 9, 8);
  grid_case_fill(&b->grid, 1);
  b->view = grid_case_view(&b->grid);
  b->criterion = grid_criterion(&b->grid, TSR_MEASURE_VALUE_RANGE, 0.1);
  tsr_grid_options_init(&b->options);
  b->options.criteria = &b->criterion;
  b->options.n_criteria = 1;
}

/** Runs and frees it; the text must hold `word`. */
static void expect(bad_case *b, tsr_status status, const char *word) {
  tsr_grid_plan *plan = (tsr_grid_plan *)1;
  tsr_error error = {TSR_OK, -1, ""};
  CHECK_INT(tsr_grid_plan_create(&b->view, &b->options, NULL, &plan, &error), status);
  CHECK_SAY(status == TSR_OK || (error.status == status && strstr(error.text, word) != NULL),
            "\"%s\" does not say \"%s\"", error.text, word);
  CHECK(status == TSR_OK || plan == NULL);
  if (status == TSR_OK) {
    tsr_grid_plan_free(plan);
  }
  grid_case_free(&b->grid);
  begin(b);
}

static void check_options(void) {
  bad_case b;
  begin(&b);
  b.options.struct_size = 0;
  expect(&b, TSR_BAD_OPTION, "options");
  b.view.struct_size = 0;
  expect(&b, TSR_BAD_INPUT, "view");
  b.options.coarsen_levels = -1;
  expect(&b, TSR_BAD_OPTION, "coarsen");
  b.options.coarsen_levels = 20;
  b.options.refine_levels = 20;
  expect(&b, TSR_BAD_OPTION, "together");
  b.options.refine_levels = 29;
  b.options.coarsen_levels = 1;
  expect(&b, TSR_BAD_INPUT, "29 refine levels");
  b.options.buffer_cells = 17;
  expect(&b, TSR_BAD_OPTION, "buffer");
  b.options.balance = (tsr_balance)9;
  expect(&b, TSR_BAD_OPTION, "balance");
  b.options.mode = (tsr_grid_mode)-1;
  expect(&b, TSR_BAD_OPTION, "mode");
  b.options.output = (tsr_grid_output_kind)5;
  expect(&b, TSR_BAD_OPTION, "output");
  b.options.output = TSR_GRID_PATCHES;
  b.options.block_size = 6;
  expect(&b, TSR_BAD_OPTION, "block size");
  b.options.output = TSR_GRID_POLYGONS;
  expect(&b, TSR_BAD_OPTION, "2 dimensions");
  b.options.keep_bytes = -1;
  expect(&b, TSR_BAD_OPTION, "kept on a device");
  b.options.device_bytes = -1;
  expect(&b, TSR_BAD_OPTION, "input on a device");
  b.options.cell_budget = -1;
  expect(&b, TSR_BAD_OPTION, "budget");
  b.options.limit_cells = 5;
  expect(&b, TSR_TOO_LARGE, "limit of 5");
  b.options.cell_budget = 100;
  b.criterion.threshold = 0.0;
  expect(&b, TSR_BAD_OPTION, "criterion 0 is 0");
  b.options.use_region = 1;
  b.options.region[3] = (double)NAN;
  expect(&b, TSR_BAD_OPTION, "region");
  b.options.criteria = NULL;
  expect(&b, TSR_BAD_OPTION, "criteria");
  b.options.cell_budget = 100; /* whose check looks at the criteria, too */
  b.options.criteria = NULL;
  expect(&b, TSR_BAD_OPTION, "1 criteria, but no list");
  expect(&b, TSR_OK, "");
  tsr_grid_plan *plan;
  CHECK_INT(tsr_grid_plan_create(NULL, &b.options, NULL, &plan, NULL), TSR_BAD_INPUT);
  CHECK_INT(tsr_grid_plan_create(&b.view, &b.options, NULL, NULL, NULL), TSR_BAD_INPUT);
  tsr_grid_plan_free(NULL);
  grid_case_free(&b.grid);
}

static void check_criteria(void) {
  bad_case b;
  begin(&b);
  b.criterion.measure = (tsr_grid_measure)8;
  expect(&b, TSR_BAD_OPTION, "measure 8 of criterion 0 is");
  const char *name = "the gradient of 'T'";
  b.options.criterion_names = &name;
  b.criterion.component = 1;
  expect(&b, TSR_BAD_OPTION, "the gradient of 'T' looks at component 1");
  b.options.criterion_names = &name;
  b.criterion.array.data = NULL;
  expect(&b, TSR_BAD_INPUT, "the array of the gradient of 'T'");
  b.criterion.threshold = -1.0;
  expect(&b, TSR_BAD_OPTION, "threshold");
  b.criterion.threshold = (double)NAN;
  expect(&b, TSR_BAD_OPTION, "threshold");
  b.criterion.measure = TSR_MEASURE_IN_RANGE;
  b.criterion.lower = 2.0;
  b.criterion.upper = 1.0;
  expect(&b, TSR_BAD_OPTION, "empty");
  b.criterion.component = 1;
  expect(&b, TSR_BAD_OPTION, "component");
  b.criterion.array.data = NULL; /* a missing array */
  expect(&b, TSR_BAD_INPUT, "criterion 0");
  b.criterion.array.tuples--;
  expect(&b, TSR_BAD_INPUT, "tuples");
  b.criterion.array.type = (tsr_type)77;
  expect(&b, TSR_BAD_INPUT, "type");
  b.criterion.measure = TSR_MEASURE_Q;
  expect(&b, TSR_BAD_INPUT, "components");
  grid_case_free(&b.grid);
}

static void check_views(void) {
  bad_case b;
  begin(&b);
  b.view.geometry = (tsr_grid_geometry)5;
  expect(&b, TSR_BAD_INPUT, "geometry");
  b.view.geometry = TSR_GEOMETRY_POINTS;
  expect(&b, TSR_BAD_INPUT, "points");
  b.view.geometry = TSR_GEOMETRY_RECTILINEAR;
  expect(&b, TSR_BAD_INPUT, "coordinates");
  b.view.spacing[0] = (double)INFINITY;
  expect(&b, TSR_BAD_INPUT, "finite");
  b.view.extent[1] = 11;
  expect(&b, TSR_BAD_INPUT, "within");
  b.view.owned[1] = 5;
  expect(&b, TSR_BAD_INPUT, "multiples");
  b.view.whole[1] = INT64_MAX;
  expect(&b, TSR_BAD_INPUT, "large");
  b.view.whole[1] = 20;
  b.view.owned[1] = 8;
  b.view.extent[1] = b.view.owned[1];
  b.view.owned[3] = 9;
  b.view.owned[5] = 8;
  b.criterion.measure = TSR_MEASURE_SECOND_DERIVATIVE;
  expect(&b, TSR_BAD_INPUT, "ghost");
  grid_case_free(&b.grid);
}

/** Empty, one point, one cell, many levels above one cell, zero spacing. */
static void check_odd(void) {
  tsr_grid_options o;
  grid_case g;
  grid_out out;
  tsr_grid_options_init(&o);
  o.coarsen_levels = 20;
  o.refine_levels = 2;
  for (int k = 0; k < 5; k++) {
    grid_case_init(&g, k > 0, k > 1, k > 2);
    grid_case_fill(&g, 3);
    const tsr_grid_criterion c = grid_criterion(&g, TSR_MEASURE_VALUE_RANGE, 0.0);
    tsr_grid_view view = grid_case_view(&g);
    o.criteria = &c;
    o.n_criteria = 1;
    o.output = k == 4 ? TSR_GRID_TREES : TSR_GRID_CELLS;
    if (k == 0) {
      view.whole[1] = view.extent[1] = view.whole[3] = view.extent[3] = 0;
    }
    CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
    CHECK_INT(out.sizes.leaves, k == 0 ? 0 : 1 << 2 * (k < 3 ? k : 3));
    CHECK_INT(out.sizes.dimension, k < 3 ? k : 3);
    grid_out_free(&out);
    if (k == 0) {
      view.whole[1] = view.extent[1] = -1;
      CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
      CHECK_INT(out.sizes.cells, 0);
      grid_out_free(&out);
    }
    grid_case_free(&g);
  }
  grid_case_init(&g, 8, 8, 8);
  double *flow = malloc((size_t)g.n_points * 3 * sizeof *flow);
  for (int64_t k = 0; k < 3 * g.n_points; k++) {
    flow[k] = (double)(k % 7);
  }
  tsr_grid_criterion c = grid_criterion(&g, TSR_MEASURE_VORTICITY, 0.0);
  c.array = (tsr_array){flow, TSR_DOUBLE, 3, g.n_points};
  tsr_grid_view view = grid_case_view(&g);
  view.spacing[1] = 0.0;
  o.coarsen_levels = 2;
  o.output = TSR_GRID_CELLS;
  o.criteria = &c;
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.leaves, 8);
  CHECK_INT(out.sizes.notes[TSR_GRID_NOTE_FLAT_CELL].count, 512);
  grid_out_free(&out);
  /* All cells hidden: nothing comes out. */
  g.hidden = malloc((size_t)g.n_cells);
  memset(g.hidden, 1, (size_t)g.n_cells);
  view = grid_case_view(&g);
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.cells, 0);
  CHECK_INT(out.sizes.points, 0);
  grid_out_free(&out);
  free(flow);
  grid_case_free(&g);
}

/** What is too large ends soon: 8 cubed cells divided 8 times would be 8.6 billion. */
static void check_bounded_work(void) {
  grid_case g;
  grid_out out;
  grid_case_init(&g, 8, 8, 8);
  for (int64_t p = 0; p < g.n_points; p++) {
    g.points[p] = (double)(p % 9);
  }
  const tsr_grid_criterion c = grid_criterion(&g, TSR_MEASURE_VALUE_RANGE, 1e-9);
  tsr_grid_options o = grid_options(&c, 1);
  tsr_grid_view view = grid_case_view(&g);
  o.coarsen_levels = 0;
  o.refine_levels = 8;
  o.cell_budget = 600; /* either no input cell is divided, or all 512 are */
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.leaves, 512);
  CHECK(out.sizes.threshold_scale >= 1e9 && out.sizes.threshold_scale < 1.1e9);
  grid_out_free(&out);
  o.cell_budget = 0;
  o.limit_cells = 600;
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_TOO_LARGE);
  grid_out_free(&out);
  o.mode = TSR_GRID_FINE;
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_TOO_LARGE);
  grid_out_free(&out);
  o.refine_levels = 0;
  o.cell_budget = 100; /* of adaptive grids only */
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.leaves, 512);
  CHECK_INT(out.sizes.notes[TSR_GRID_NOTE_BUDGET].count, 0);
  grid_out_free(&out);
  grid_case_free(&g);
}

/** A part at the far end of a grid of 2^60 cells comes out as the same part at its beginning. */
static void check_far(void) {
  const int64_t side = (int64_t)1 << 20, offset = side - 8;
  grid_case g;
  grid_out near_out, far_out;
  grid_case_init(&g, 8, 8, 8);
  grid_case_fill(&g, 4);
  g.points[(5 * 9 + 4) * 9 + 3] = NAN;
  const tsr_grid_criterion c = grid_criterion(&g, TSR_MEASURE_VALUE_RANGE, 0.05);
  tsr_grid_options o = grid_options(&c, 1);
  o.coarsen_levels = 2;
  o.refine_levels = 2;
  tsr_grid_view view = grid_case_view(&g);
  CHECK_INT(grid_run(&g, &view, &o, NULL, &near_out), TSR_OK);
  for (int a = 0; a < 3; a++) {
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = side;
    view.extent[2 * a] = offset;
  }
  CHECK_INT(grid_run(&g, &view, &o, NULL, &far_out), TSR_OK);
  CHECK_INT(far_out.sizes.notes[0].first, ((offset + 4) * side + (offset + 3)) * side + offset + 2);
  CHECK_INT(near_out.sizes.notes[0].first, (4 * 8 + 3) * 8 + 2);
  if (CHECK_INT(far_out.sizes.cells, near_out.sizes.cells) &&
      CHECK_INT(far_out.sizes.points, near_out.sizes.points)) {
    const int64_t cells = near_out.sizes.cells, points = near_out.sizes.points;
    for (int64_t l = 0; l < 3 * cells; l++) {
      const tsr_grid_node *n = &near_out.nodes[l / 3], *f = &far_out.nodes[l / 3];
      CHECK_INT(f->level, n->level);
      CHECK_INT(f->index[l % 3], n->index[l % 3] + (offset << n->level >> 2));
    }
    for (int64_t p = 0; p < 3 * points; p++) {
      CHECK(far_out.points[p] == near_out.points[p] + (double)offset);
    }
    CHECK(memcmp(far_out.connectivity, near_out.connectivity,
                 (size_t)cells * 8 * sizeof(int64_t)) == 0);
    CHECK(memcmp(far_out.source_cell, near_out.source_cell, (size_t)cells * sizeof(int64_t)) == 0);
    CHECK(memcmp(far_out.cell_values, near_out.cell_values, (size_t)cells * sizeof(double)) == 0);
  }
  grid_out_free(&near_out);
  grid_out_free(&far_out);
  for (int a = 0; a < 3; a++) {
    view.whole[2 * a + 1] = (int64_t)1 << 21;
  }
  tsr_error error = {TSR_OK, -1, ""};
  tsr_grid_plan *plan;
  CHECK_INT(tsr_grid_plan_create(&view, &o, NULL, &plan, &error), TSR_BAD_INPUT);
  CHECK(strstr(error.text, "2^62") != NULL);
  grid_case_free(&g);
}

/** Bad outputs are refused. */
static void check_outputs(void) {
  bad_case b;
  grid_out out;
  tsr_grid_output output;
  tsr_error error;
  float value;
  begin(&b);
  CHECK_INT(grid_run(&b.grid, &b.view, &b.options, NULL, &out), TSR_OK);
  tsr_grid_output_init(&output);
  output.points_type = TSR_INT8;
  CHECK_INT(tsr_grid_fill(out.plan, &output, &error), TSR_BAD_OPTION);
  tsr_grid_output_init(&output);
  output.index_type = TSR_FLOAT;
  CHECK_INT(tsr_grid_fill(out.plan, &output, &error), TSR_BAD_OPTION);
  output.struct_size = 0;
  CHECK_INT(tsr_grid_fill(out.plan, &output, &error), TSR_BAD_OPTION);
  CHECK(strstr(error.text, "output") != NULL);
  tsr_grid_output_init(&output);
  const tsr_grid_attribute attribute = {{&value, TSR_FLOAT, 1, 1}, 0, &value, NULL, {0}};
  output.attributes = &attribute;
  output.n_attributes = 1;
  CHECK_INT(tsr_grid_fill(out.plan, &output, &error), TSR_BAD_OPTION);
  CHECK(strstr(error.text, "attribute 0") != NULL);
  output.attributes = NULL;
  CHECK_INT(tsr_grid_fill(out.plan, &output, &error), TSR_BAD_OPTION);
  CHECK(strstr(error.text, "1 attributes, but no list") != NULL);
  CHECK_INT(tsr_grid_fill(out.plan, NULL, &error), TSR_BAD_OPTION);
  CHECK_INT(tsr_grid_fill(NULL, &output, &error), TSR_BAD_INPUT);
  grid_out_free(&out);
  grid_case_free(&b.grid);
}

/** Memory that no machine has is refused in a sentence that a user understands: how much it is, and
 *  what to change. */
static void check_memory(void) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* which abort at such sizes   \
                                                                     */
  bad_case b;
  tsr_grid_plan *plan;
  tsr_error error;
  begin(&b);
  b.criterion.threshold = 1e-4; /* many cells, with 2^42 bytes for the levels in each */
  b.options.refine_levels = 15;
  CHECK_INT(tsr_grid_plan_create(&b.view, &b.options, NULL, &plan, &error), TSR_NO_MEMORY);
  CHECK_SAY(strncmp(error.text, "there is not enough memory for the levels below the input cells (",
                    strlen("there is not enough memory for the levels below the input cells (")) ==
                0,
            "%s", error.text);
  CHECK_SAY(strstr(error.text, " TiB): take fewer refine levels, raise the thresholds or set a "
                               "cell budget") != NULL,
            "%s", error.text);
  b.options.mode = TSR_GRID_FINE;
  b.options.limit_cells = INT64_MAX;
  expect(&b, TSR_NO_MEMORY, "TiB): take fewer refine levels");
  grid_case_free(&b.grid);
#endif
}

int main(void) {
  check_options();
  check_memory();
  check_criteria();
  check_views();
  check_odd();
  check_bounded_work();
  check_far();
  check_outputs();
  return check_result();
}
