/* SPDX-License-Identifier: BSD-3-Clause */
/** A NULL pointer where an output or a list has to be is refused with a sentence, by every room. */
#include <string.h>

#include "check.h"
#include "tessera.h"

static const double points[] = {0, 0, 0, 1, 1, 0, 2, 0, 1, 3, 1, 2};
static const int64_t offsets[] = {0, 4}, ids[] = {0, 1, 2, 3};
static const tsr_array places = {points, TSR_DOUBLE, 3, 4};

/** An output with `n` attributes, but no list of them: refused as the room documents it. */
#define REFUSES_LISTS(ROOM, PLAN, STATUS)                                                          \
  do {                                                                                             \
    tsr_##ROOM##_output output;                                                                    \
    tsr_##ROOM##_output_init(&output);                                                             \
    for (output.n_attributes = -1; output.n_attributes <= 1; output.n_attributes += 2) {           \
      tsr_error why = {TSR_OK, 0, ""};                                                             \
      CHECK_INT(tsr_##ROOM##_fill(PLAN, &output, &why), STATUS);                                   \
      CHECK_SAY(strstr(why.text, "no list") != NULL, "\"%s\"", why.text);                          \
    }                                                                                              \
  } while (0)

/** No output at all. */
#define REFUSES_NULL(ROOM, PLAN)                                                                   \
  do {                                                                                             \
    tsr_error why = {TSR_OK, 0, ""};                                                               \
    CHECK_INT(tsr_##ROOM##_fill(PLAN, NULL, &why), TSR_BAD_OPTION);                                \
    CHECK_SAY(strstr(why.text, "output") != NULL, "\"%s\"", why.text);                             \
  } while (0)

static void curves(void) {
  tsr_curves_view view;
  tsr_curves_options options;
  tsr_curves_plan *plan;
  tsr_error error;
  double scale;
  tsr_curves_view_init(&view);
  tsr_curves_options_init(&options);
  view.points = places;
  view.n_items = 1;
  view.offsets = offsets;
  view.connectivity = ids;
  view.n_connectivity = 4;
  if (CHECK_INT(tsr_curves_plan_create(&view, &options, NULL, &plan, NULL), TSR_OK)) {
    REFUSES_LISTS(curves, plan, TSR_BAD_OPTION);
    REFUSES_NULL(curves, plan);
    tsr_curves_plan_free(plan);
  }
  options.n_fields = 1;
  CHECK_INT(tsr_curves_plan_create(&view, &options, NULL, &plan, &error), TSR_BAD_OPTION);
  CHECK_SAY(strstr(error.text, "1 fields") != NULL, "\"%s\"", error.text);
  options.n_fields = 0;
  options.n_labels = 1;
  CHECK_INT(tsr_curves_plan_create(&view, &options, NULL, &plan, &error), TSR_BAD_OPTION);
  CHECK_SAY(strstr(error.text, "1 labels") != NULL, "\"%s\"", error.text);
  CHECK_INT(tsr_curves_fit_budget(NULL, 1, 5, NULL, NULL, &scale, &error), TSR_BAD_OPTION);
  CHECK_SAY(strstr(error.text, "1 plans") != NULL, "\"%s\"", error.text);
}

static void grids(void) {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_plan *plan;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&options);
  memset(view.whole, 0, sizeof view.whole);
  view.whole[1] = view.whole[3] = 4;
  memcpy(view.extent, view.whole, sizeof view.extent);
  if (CHECK_INT(tsr_grid_plan_create(&view, &options, NULL, &plan, NULL), TSR_OK)) {
    REFUSES_LISTS(grid, plan, TSR_BAD_OPTION);
    REFUSES_NULL(grid, plan);
    tsr_grid_plan_free(plan);
  }
}

static void point_grids(void) {
  tsr_pointgrid_view view;
  tsr_pointgrid_options options;
  tsr_pointgrid_plan *plan;
  tsr_pointgrid_view_init(&view);
  tsr_pointgrid_options_init(&options);
  view.points = places;
  if (CHECK_INT(tsr_pointgrid_plan_create(&view, &options, NULL, &plan, NULL), TSR_OK)) {
    REFUSES_LISTS(pointgrid, plan, TSR_BAD_OPTION);
    REFUSES_NULL(pointgrid, plan);
    tsr_pointgrid_plan_free(plan);
  }
}

static void ordering(void) {
  tsr_ordering_view view;
  tsr_ordering_options options;
  tsr_ordering_plan *plan;
  tsr_ordering_view_init(&view);
  tsr_ordering_options_init(&options);
  view.points = places;
  if (CHECK_INT(tsr_ordering_plan_create(&view, &options, NULL, &plan, NULL), TSR_OK)) {
    REFUSES_LISTS(ordering, plan, TSR_BAD_INPUT);
    REFUSES_NULL(ordering, plan);
    tsr_ordering_plan_free(plan);
  }
}

static void discs(void) {
  tsr_discs_view view;
  tsr_discs_options options;
  tsr_random_discs_options random;
  tsr_discs_plan *plan;
  double low[3], high[3];
  tsr_discs_view_init(&view);
  tsr_discs_options_init(&options);
  tsr_random_discs_options_init(&random);
  view.points = places;
  if (CHECK_INT(tsr_discs_plan_create(&view, &options, NULL, &plan, NULL), TSR_OK)) {
    REFUSES_NULL(discs, plan);
    tsr_discs_plan_free(plan);
  }
  CHECK_INT(tsr_discs_bounds(NULL, &options, low, high, NULL), TSR_BAD_INPUT);
  CHECK_INT(tsr_random_discs_fill(&random, 0, 1, NULL, NULL), TSR_BAD_OPTION);
}

int main(void) {
  curves();
  grids();
  point_grids();
  ordering();
  discs();
  return check_result();
}
