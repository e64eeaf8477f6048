/* SPDX-License-Identifier: BSD-3-Clause */
/** The point budget: the smallest scale of the tolerances that fits, over all plans together. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "curve_set.h"

enum { PLANS = 3 };

static void random_set(curve_set *set, uint64_t *state, int items) {
  curve_set_init(set);
  for (int i = 0; i < items; i++) {
    double xyz[24];
    for (int k = 0; k < 24; k++) {
      xyz[k] = random_in(state, -1.0, 1.0);
    }
    curve_set_add(set, i % 2 ? TSR_KIND_CATMULL_ROM : TSR_KIND_BSPLINE3, 8, xyz, NULL, i % 3 == 0);
  }
}

/** Points of all sets together with tolerances made `scale` times coarser by hand. */
static int64_t points_at(const curve_set *sets, tsr_curves_options o, double scale) {
  int64_t points = 0;
  o.chord_error *= scale;
  o.max_length *= scale;
  o.use_turning_angle = o.use_turning_angle && o.turning_angle * scale < 180.0; /* no angle more */
  o.turning_angle = fmin(o.turning_angle * scale, 180.0);
  o.curvature_factor /= scale;
  for (int i = 0; i < PLANS; i++) {
    const tsr_curves_view view = curve_set_view(&sets[i]);
    tsr_curves_plan *plan = NULL;
    CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, NULL), TSR_OK);
    points += tsr_curves_plan_sizes(plan)->points;
    tsr_curves_plan_free(plan);
  }
  return points;
}

static int64_t planned_of(tsr_curves_plan *const *plans, int n) {
  int64_t points = 0;
  for (int i = 0; i < n; i++) {
    points += tsr_curves_plan_sizes(plans[i])->points;
  }
  return points;
}

static int64_t planned(tsr_curves_plan *const *plans) { return planned_of(plans, PLANS); }

/** A plan that was refitted must still fill what it says. */
static void check_fill(tsr_curves_plan *plan, double scale) {
  const tsr_curves_sizes *sizes = tsr_curves_plan_sizes(plan);
  double *points = malloc((size_t)sizes->points * 3 * sizeof *points);
  int64_t *offsets = malloc(((size_t)sizes->cells + 1) * sizeof *offsets);
  int64_t *ids = malloc((size_t)sizes->connectivity * sizeof *ids);
  tsr_curves_output output;
  tsr_curves_output_init(&output);
  output.points_type = TSR_DOUBLE;
  output.points = points;
  output.offsets = offsets;
  output.connectivity = ids;
  CHECK_INT(tsr_curves_fill(plan, &output, NULL), TSR_OK);
  CHECK_INT(offsets[sizes->cells], sizes->connectivity);
  tsr_report report;
  tsr_curves_plan_report(plan, &report);
  CHECK(report.tolerance_scale >= scale && report.tolerance_scale <= scale);
  CHECK_INT(report.points, sizes->points);
  free(points);
  free(offsets);
  free(ids);
}

static void check_budgets(const curve_set *sets, const tsr_curves_options *o) {
  const int64_t free_points = points_at(sets, *o, 1.0);
  for (int64_t budget = 2 * free_points; budget > 1000; budget = budget * 2 / 3) {
    tsr_curves_plan *plans[PLANS];
    double scale = 0.0;
    for (int i = 0; i < PLANS; i++) {
      const tsr_curves_view view = curve_set_view(&sets[i]);
      CHECK_INT(tsr_curves_plan_create(&view, o, NULL, &plans[i], NULL), TSR_OK);
    }
    CHECK_INT(tsr_curves_fit_budget(plans, PLANS, budget, NULL, NULL, &scale, NULL), TSR_OK);
    if (budget >= free_points) {
      CHECK(scale == 1.0);
      CHECK_INT(planned(plans), free_points);
    } else if (isinf(scale)) {
      CHECK_SAY(points_at(sets, *o, 1e9) > budget, "budget %lld: a coarser plan fits",
                (long long)budget);
    } else {
      CHECK_SAY(scale > 1.0, "budget %lld: scale %g", (long long)budget, scale);
      CHECK_AT_MOST(planned(plans), budget);
      CHECK_SAY(planned(plans) == points_at(sets, *o, scale),
                "budget %lld, scale %.17g: %lld points, by hand %lld", (long long)budget, scale,
                (long long)planned(plans), (long long)points_at(sets, *o, scale));
      CHECK_SAY(points_at(sets, *o, scale * (1.0 - 1.1 / 64)) > budget,
                "budget %lld: scale %.17g is not the smallest", (long long)budget, scale);
    }
    for (int i = 0; i < PLANS; i++) {
      check_fill(plans[i], scale);
      tsr_curves_plan_free(plans[i]);
    }
  }
}

/** Stands for a second process that has as many points. */
static int64_t twice(void *context, int64_t value) {
  ++*(int *)context;
  return 2 * value;
}

static void check_sum(const curve_set *sets, const tsr_curves_options *o) {
  const int64_t budget = points_at(sets, *o, 1.0);
  tsr_curves_plan *plans[PLANS];
  double scale = 0.0;
  int calls = 0;
  for (int i = 0; i < PLANS; i++) {
    const tsr_curves_view view = curve_set_view(&sets[i]);
    CHECK_INT(tsr_curves_plan_create(&view, o, NULL, &plans[i], NULL), TSR_OK);
  }
  CHECK_INT(tsr_curves_fit_budget(plans, PLANS, budget, twice, &calls, &scale, NULL), TSR_OK);
  CHECK(calls > 0);
  CHECK(scale > 1.0);
  CHECK_AT_MOST(2 * planned(plans), budget);
  for (int i = 0; i < PLANS; i++) {
    tsr_curves_plan_free(plans[i]);
  }
  /* A process without plans takes part as well. */
  CHECK_INT(tsr_curves_fit_budget(NULL, 0, budget, twice, &calls, &scale, NULL), TSR_OK);
  CHECK(scale == 1.0);
}

/** Not even one segment a span fits: infinity, and the coarsest plans. */
static void check_hopeless(const curve_set *sets, const tsr_curves_options *o) {
  tsr_curves_plan *plans[PLANS];
  double scale = 0.0;
  for (int i = 0; i < PLANS; i++) {
    const tsr_curves_view view = curve_set_view(&sets[i]);
    CHECK_INT(tsr_curves_plan_create(&view, o, NULL, &plans[i], NULL), TSR_OK);
  }
  CHECK_INT(tsr_curves_fit_budget(plans, PLANS, 10, NULL, NULL, &scale, NULL), TSR_OK);
  CHECK(isinf(scale) && scale > 0.0);
  CHECK_INT(planned(plans), points_at(sets, *o, 1e12));
  for (int i = 0; i < PLANS; i++) {
    check_fill(plans[i], scale);
    tsr_curves_plan_free(plans[i]);
  }
  tsr_error error;
  CHECK_INT(tsr_curves_fit_budget(NULL, 0, 0, NULL, NULL, &scale, &error), TSR_BAD_OPTION);
}

/** The coarsest polyline of a zigzag is a segment, from which the zigzag is 1 away, and it says so
 *  however small the tolerance was that the budget began with. */
static void check_coarsest(void) {
  static const double xyz[] = {0, 0, 0, 1, 1, 0, 2, -0.5, 0, 3, 0.5, 0, 4, 0, 0};
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, 1e-9);
  double scale = 0.0, points[6], achieved = 0.0;
  int64_t offsets[2], ids[2];
  tsr_curves_output output;
  tsr_curves_plan *plan;
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 5, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  o.joints = TSR_JOINTS_WHERE_NEEDED;
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, NULL), TSR_OK);
  CHECK_INT(tsr_curves_fit_budget(&plan, 1, 1, NULL, NULL, &scale, NULL), TSR_OK);
  CHECK(isinf(scale));
  if (CHECK_INT(tsr_curves_plan_sizes(plan)->points, 2)) {
    tsr_curves_output_init(&output);
    output.points_type = TSR_DOUBLE;
    output.points = points;
    output.offsets = offsets;
    output.connectivity = ids;
    output.achieved_error = &achieved;
    CHECK_INT(tsr_curves_fill(plan, &output, NULL), TSR_OK);
    CHECK_SAY(achieved >= 1.0 - 1e-9 && achieved < 2.0, "%g", achieved);
  }
  tsr_curves_plan_free(plan);
  curve_set_free(&set);
}

/** A deferred plan is counted by the budget alone: tolerances that would ask for 10^9 points and
 * more cost nothing, and the result is that of a plan that was counted before. */
static void check_deferred(const curve_set *sets, tsr_curves_options o) {
  const int64_t budget = points_at(sets, o, 1.0) / 2;
  const tsr_curves_view view = curve_set_view(&sets[0]);
  tsr_curves_plan *plans[2];
  tsr_curves_output output;
  double scales[2];
  tsr_error error;
  o.chord_error *= 1e-12;
  o.defer_count = 1;
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plans[0], NULL), TSR_OK);
  CHECK_INT(tsr_curves_plan_sizes(plans[0])->points, 0);
  tsr_curves_output_init(&output);
  CHECK_INT(tsr_curves_fill(plans[0], &output, &error), TSR_BAD_OPTION);
  error.status = TSR_OK; /* and success leaves it alone */
  CHECK_INT(tsr_curves_fit_budget(plans, 1, budget, NULL, NULL, &scales[0], &error), TSR_OK);
  CHECK_INT(error.status, TSR_OK);
  CHECK_AT_MOST(planned_of(plans, 1), budget);
  CHECK(scales[0] > 1e9); /* there, five curves have more than three times the budget */
  check_fill(plans[0], scales[0]);
  tsr_curves_plan_free(plans[0]);
  o.chord_error *= 1e12;
  for (int i = 0; i < 2; i++) {
    o.defer_count = i;
    CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plans[i], NULL), TSR_OK);
    CHECK_INT(tsr_curves_fit_budget(&plans[i], 1, budget / 8, NULL, NULL, &scales[i], NULL),
              TSR_OK);
  }
  CHECK(scales[0] == scales[1]);
  CHECK_INT(tsr_curves_plan_sizes(plans[0])->points, tsr_curves_plan_sizes(plans[1])->points);
  tsr_curves_plan_free(plans[0]);
  tsr_curves_plan_free(plans[1]);
}

int main(void) {
  check_coarsest();
  curve_set sets[PLANS];
  uint64_t state = 51;
  for (int i = 0; i < PLANS; i++) {
    random_set(&sets[i], &state, 10 * i + 5);
  }
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    tsr_curves_options o = options_chord_error((tsr_sampling)sampling, 1e-4);
    check_budgets(sets, &o);
    check_sum(sets, &o);
    check_hopeless(sets, &o);
    check_deferred(sets, o);
    o.use_max_length = o.use_turning_angle = 1;
    o.max_length = 0.05;
    o.turning_angle = 5.0;
    check_budgets(sets, &o);
    check_hopeless(sets, &o);
    o = options_points_per_span(4);
    o.sampling = (tsr_sampling)sampling;
    o.max_points = 1000;
    o.min_points = 2;
    o.curvature_factor = 100.0;
    check_budgets(sets, &o);
  }
  for (int i = 0; i < PLANS; i++) {
    curve_set_free(&sets[i]);
  }
  return check_result();
}
