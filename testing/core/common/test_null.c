/* SPDX-License-Identifier: BSD-3-Clause */
/** Pointers that are NULL: each function that returns a status refuses one that it needs, with a
 *  sentence, and each free function takes it. */
#define _POSIX_C_SOURCE 200809L /* sigaction */
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "check.h"
#include "tessera.h"

/** Arguments that are as they should be. */
typedef struct given {
  tsr_curves_view curves;
  tsr_curves_options curves_options;
  tsr_curves_output curves_output;
  tsr_join_view joined;
  tsr_pass_view passed;
  tsr_grid_view grid;
  tsr_grid_options grid_options;
  tsr_grid_output grid_output;
  tsr_discs_view discs;
  tsr_discs_options discs_options;
  tsr_discs_output discs_output;
  tsr_random_discs_options random_discs;
  tsr_random_discs_output random_discs_output;
  tsr_jet_options jet;
  tsr_jet_output jet_output;
  tsr_ordering_view ordering;
  tsr_ordering_options ordering_options;
  tsr_ordering_output ordering_output;
  tsr_pointgrid_view points;
  tsr_pointgrid_options points_options;
  tsr_pointgrid_output points_output;
  tsr_modes *modes;
  tsr_grid_part part;
  int64_t extent[6];
  double low[3], high[3], map[8];
} given;

/** Plans, and where calls put what they make. */
typedef struct received {
  tsr_curves_plan *curves, *curves_made;
  tsr_grid_plan *grid, *grid_made;
  tsr_discs_plan *discs, *discs_made;
  tsr_ordering_plan *ordering, *ordering_made;
  tsr_pointgrid_plan *points, *points_made;
  tsr_join join;
  tsr_pass *pass;
  tsr_grid_shares shares;
  double bounds[6], scale;
  int64_t changes;
} received;

static given g;
static received r;

/** Inputs without points and cells, and their plans. */
static void set_up(void) {
  const double map[] = {0, 0, 0, 0, 1, 1, 1, 1};
  memcpy(g.map, map, sizeof map);
  tsr_curves_view_init(&g.curves);
  g.curves.points = (tsr_array){NULL, TSR_DOUBLE, 3, 0};
  tsr_curves_options_init(&g.curves_options);
  tsr_curves_output_init(&g.curves_output);
  tsr_grid_view_init(&g.grid);
  tsr_grid_options_init(&g.grid_options);
  tsr_grid_output_init(&g.grid_output);
  tsr_discs_view_init(&g.discs);
  tsr_discs_options_init(&g.discs_options);
  tsr_discs_output_init(&g.discs_output);
  tsr_random_discs_options_init(&g.random_discs);
  tsr_random_discs_output_init(&g.random_discs_output);
  tsr_jet_options_init(&g.jet);
  tsr_jet_output_init(&g.jet_output);
  tsr_ordering_view_init(&g.ordering);
  tsr_ordering_options_init(&g.ordering_options);
  tsr_ordering_output_init(&g.ordering_output);
  tsr_pointgrid_view_init(&g.points);
  tsr_pointgrid_options_init(&g.points_options);
  tsr_pointgrid_output_init(&g.points_output);
  g.part.view = &g.grid;
  CHECK_INT(tsr_modes_create(TSR_INTERPOLATE_CURVE, &g.modes, NULL), TSR_OK);
  CHECK_INT(tsr_curves_plan_create(&g.curves, &g.curves_options, NULL, &r.curves, NULL), TSR_OK);
  CHECK_INT(tsr_grid_plan_create(&g.grid, &g.grid_options, NULL, &r.grid, NULL), TSR_OK);
  CHECK_INT(tsr_discs_plan_create(&g.discs, &g.discs_options, NULL, &r.discs, NULL), TSR_OK);
  CHECK_INT(tsr_ordering_plan_create(&g.ordering, &g.ordering_options, NULL, &r.ordering, NULL),
            TSR_OK);
  CHECK_INT(tsr_pointgrid_plan_create(&g.points, &g.points_options, NULL, &r.points, NULL), TSR_OK);
}

static void clean_up(void) {
  tsr_modes_free(g.modes);
  tsr_curves_plan_free(r.curves);
  tsr_grid_plan_free(r.grid);
  tsr_discs_plan_free(r.discs);
  tsr_ordering_plan_free(r.ordering);
  tsr_pointgrid_plan_free(r.points);
}

/** Calls number k of the table, with its text in *what: NULL behind the last one. */
static tsr_status call(int k, const char *volatile *what, tsr_error *e) {
  tsr_curves_plan *no_plans[] = {NULL};
  const tsr_processes group = {.n = 1};
  const double *axes[3] = {NULL, NULL, NULL};
  const tsr_polylines lines = {.n = 0};
  tsr_polyline_class classes[TSR_POLYLINE_CLASSES] = {{0}};
  tsr_maxima maxima = {0};
  int moved, n;
  int at = 0;
#define REFUSED(CALL)                                                                              \
  if (at++ == k) {                                                                                 \
    *what = #CALL;                                                                                 \
    return CALL;                                                                                   \
  }
  REFUSED(tsr_curves_plan_create(NULL, &g.curves_options, NULL, &r.curves_made, e))
  REFUSED(tsr_curves_plan_create(&g.curves, NULL, NULL, &r.curves_made, e))
  REFUSED(tsr_curves_plan_create(&g.curves, &g.curves_options, NULL, NULL, e))
  REFUSED(tsr_curves_fill(NULL, &g.curves_output, e))
  REFUSED(tsr_curves_fill(r.curves, NULL, e))
  REFUSED(tsr_curves_label_changes(NULL, &r.changes, e))
  REFUSED(tsr_curves_label_changes(r.curves, NULL, e))
  REFUSED(tsr_curves_bounds(NULL, NULL, r.bounds, e))
  REFUSED(tsr_curves_bounds(&g.curves, NULL, NULL, e))
  REFUSED(tsr_curves_fit_budget(NULL, 1, 10, NULL, NULL, &r.scale, e))
  REFUSED(tsr_curves_fit_budget(no_plans, 1, 10, NULL, NULL, &r.scale, e))
  REFUSED(tsr_curves_fit_budget(&r.curves, 1, 10, NULL, NULL, NULL, e))
  REFUSED(tsr_curves_choices_check(NULL, e))
  REFUSED(tsr_random_curves_check(NULL, e))
  REFUSED(tsr_random_curves_fill(1, 2, 0, 1, NULL, e))
  REFUSED(tsr_join_lines(NULL, &r.join, e))
  REFUSED(tsr_join_lines(&g.joined, NULL, e))
  REFUSED(tsr_pass_create(NULL, &r.pass, e))
  REFUSED(tsr_pass_create(&g.passed, NULL, e))
  REFUSED(tsr_modes_create(TSR_INTERPOLATE_CURVE, NULL, e))
  REFUSED(tsr_modes_choose(NULL, "array", TSR_INTERPOLATE_CURVE, e))
  REFUSED(tsr_modes_choose(g.modes, NULL, TSR_INTERPOLATE_CURVE, e))
  REFUSED(tsr_modes_no_label(NULL, "array", e))
  REFUSED(tsr_modes_no_label(g.modes, NULL, e))
  REFUSED(tsr_modes_look(NULL, "array", NULL, e))
  REFUSED(tsr_modes_look(g.modes, NULL, NULL, e))
  REFUSED(tsr_grid_plan_create(NULL, &g.grid_options, NULL, &r.grid_made, e))
  REFUSED(tsr_grid_plan_create(&g.grid, NULL, NULL, &r.grid_made, e))
  REFUSED(tsr_grid_plan_create(&g.grid, &g.grid_options, NULL, NULL, e))
  REFUSED(tsr_grid_fill(NULL, &g.grid_output, e))
  REFUSED(tsr_grid_fill(r.grid, NULL, e))
  REFUSED(tsr_grid_check_options(NULL, e))
  REFUSED(tsr_grid_check_part(NULL, e))
  REFUSED(tsr_grid_choices_check(NULL, &g.grid_options, 0, e))
  REFUSED(tsr_grid_share(NULL, &group, &r.shares, e))
  REFUSED(tsr_grid_share(&g.part, NULL, &r.shares, e))
  REFUSED(tsr_grid_share(&g.part, &group, NULL, e))
  REFUSED(tsr_grid_check_cover(NULL, &group, 0, e))
  REFUSED(tsr_grid_check_cover(&r.shares, NULL, 0, e))
  REFUSED(tsr_grid_check_trees(NULL, axes, 3, 8, &moved, e))
  REFUSED(tsr_grid_check_trees(&g.grid, NULL, 3, 8, &moved, e))
  REFUSED(tsr_grid_check_trees(&g.grid, axes, 3, 8, NULL, e))
  REFUSED(tsr_grid_check_blocks(NULL, axes, 3, e))
  REFUSED(tsr_grid_check_blocks(&g.grid, NULL, 3, e))
  REFUSED(tsr_discs_plan_create(NULL, &g.discs_options, NULL, &r.discs_made, e))
  REFUSED(tsr_discs_plan_create(&g.discs, NULL, NULL, &r.discs_made, e))
  REFUSED(tsr_discs_plan_create(&g.discs, &g.discs_options, NULL, NULL, e))
  REFUSED(tsr_discs_fill(NULL, &g.discs_output, e))
  REFUSED(tsr_discs_fill(r.discs, NULL, e))
  REFUSED(tsr_discs_bounds(NULL, &g.discs_options, g.low, g.high, e))
  REFUSED(tsr_discs_bounds(&g.discs, NULL, g.low, g.high, e))
  REFUSED(tsr_discs_bounds(&g.discs, &g.discs_options, NULL, g.high, e))
  REFUSED(tsr_discs_bounds(&g.discs, &g.discs_options, g.low, NULL, e))
  REFUSED(tsr_discs_color_table(NULL, 2, g.map, 1, e))
  REFUSED(tsr_discs_color_table(g.map, 2, NULL, 1, e))
  REFUSED(tsr_discs_choices_check(NULL, &g.discs_options, 0, 0, e))
  REFUSED(tsr_random_discs_fill(NULL, 0, 1, &g.random_discs_output, e))
  REFUSED(tsr_random_discs_fill(&g.random_discs, 0, 1, NULL, e))
  REFUSED(tsr_jet_fill(NULL, g.extent, NULL, &g.jet_output, e))
  REFUSED(tsr_jet_fill(&g.jet, NULL, NULL, &g.jet_output, e))
  REFUSED(tsr_jet_fill(&g.jet, g.extent, NULL, NULL, e))
  REFUSED(tsr_jet_choices_check(NULL, &g.jet, e))
  REFUSED(tsr_jet_check_memory(NULL, 1.0, 1.0, e))
  REFUSED(tsr_ordering_plan_create(NULL, &g.ordering_options, NULL, &r.ordering_made, e))
  REFUSED(tsr_ordering_plan_create(&g.ordering, NULL, NULL, &r.ordering_made, e))
  REFUSED(tsr_ordering_plan_create(&g.ordering, &g.ordering_options, NULL, NULL, e))
  REFUSED(tsr_ordering_fill(NULL, &g.ordering_output, e))
  REFUSED(tsr_ordering_fill(r.ordering, NULL, e))
  REFUSED(tsr_ordering_share(NULL, &g.ordering.group, 0, NULL, e))
  REFUSED(tsr_ordering_share(&group, NULL, 0, NULL, e))
  REFUSED(tsr_pointgrid_plan_create(NULL, &g.points_options, NULL, &r.points_made, e))
  REFUSED(tsr_pointgrid_plan_create(&g.points, NULL, NULL, &r.points_made, e))
  REFUSED(tsr_pointgrid_plan_create(&g.points, &g.points_options, NULL, NULL, e))
  REFUSED(tsr_pointgrid_fill(NULL, &g.points_output, e))
  REFUSED(tsr_pointgrid_fill(r.points, NULL, e))
  REFUSED(tsr_polylines_classify(NULL, NULL, classes, e))
  REFUSED(tsr_polylines_classify(&lines, NULL, NULL, e))
  REFUSED(tsr_filter_choices_check(NULL, 0, 0, 0, e))
  REFUSED(tsr_properties_check(NULL, 1, &g.jet, e))
  REFUSED(tsr_properties_check(tsr_jet_properties(&n), 1, NULL, e))
  REFUSED(tsr_maxima_add(NULL, "array", 0, g.low, 1, e))
  REFUSED(tsr_maxima_add(&maxima, NULL, 0, g.low, 1, e))
  REFUSED(tsr_maxima_add(&maxima, "array", 0, NULL, 1, e))
#undef REFUSED
  *what = NULL;
  return TSR_OK;
}

static void free_nothing(void) {
  tsr_curves_plan_free(NULL);
  tsr_grid_plan_free(NULL);
  tsr_discs_plan_free(NULL);
  tsr_ordering_plan_free(NULL);
  tsr_pointgrid_plan_free(NULL);
  tsr_join_free(NULL);
  tsr_pass_free(NULL);
  tsr_modes_free(NULL);
  tsr_grid_shares_free(NULL);
  tsr_grid_pieces_free(NULL);
  tsr_output_free(NULL);
  tsr_route_free(NULL);
  tsr_maxima_free(NULL);
}

static sigjmp_buf after_a_crash;

static void on_crash(int number) { siglongjmp(after_a_crash, number); }

int main(void) {
  const char *volatile what = "";
  set_up();
  free_nothing();
  sigaction(SIGSEGV, &(struct sigaction){.sa_handler = on_crash}, NULL);
  for (volatile int k = 0; what; ++k) {
    tsr_error error = {TSR_OK, -1, ""};
    if (sigsetjmp(after_a_crash, 1) != 0) {
      CHECK_SAY(0, "%s reads or writes there", what);
      continue;
    }
    const tsr_status status = call(k, &what, &error);
    if (what) {
      CHECK_SAY(status != TSR_OK && status == error.status && error.text[0], "%s: status %d, '%s'",
                what, (int)status, error.text);
      CHECK_INT(call(k, &what, NULL), status);
    }
  }
  clean_up();
  return check_result();
}
