/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Points to curves: the spine.
 *
 *     take                    check.c             the caller's structs, checked
 *     make                                        on the plan's executor:
 *       tsr_ordering_open          device.c         the executor, of the CPU or of a device
 *       tsr_ordering_sort_points   points.c         points by group and order
 *       tsr_ordering_find_curves   curves.c         repeats, cuts, singles, sizes
 *     fill                    fill.c              on the device (cuda/ordering/fill.cu), or here
 *
 * common/run/plan.c calls take, make and fill, and falls back to the CPU.
 */
#include "ordering/plan.h"

#include <string.h>

/* Copies the caller's structs and checks them. */
static tsr_status take(void *data, const void *view, const void *options, tsr_error *error) {
  tsr_ordering_plan *plan = data;
  tsr_status status;
  tsr_ordering_view_init(&plan->view);
  tsr_ordering_options_init(&plan->options);
  status = tsr_copy_versioned(&plan->view, sizeof plan->view, view, "view", TSR_BAD_INPUT, error);
  if (status == TSR_OK)
    status = tsr_copy_versioned(&plan->options, sizeof plan->options, options, "options",
                                TSR_BAD_OPTION, error);
  plan->n = plan->view.points.tuples;
  return status == TSR_OK ? tsr_ordering_check(&plan->view, &plan->options, error) : status;
}

/* With fewer points than this, one thread of the CPU is done before the points have been to an H200
 * and back: there, whole calls took as long at about 9,000 points
 * (testing/bench/bench_ordering_cuda), 0.2 times as long with a thousand, 3.5 times with 30,000. */
static int suits_device(const void *data) {
  const tsr_ordering_plan *plan = data;
  return plan->n >= 9000;
}

static void free_sorting(tsr_ordering_plan *plan) {
  tsr_executor *e = &plan->executor;
  e->free(e, plan->words);
  e->free(e, plan->scratch);
  e->free(e, plan->flags);
  if (plan->sorted != plan->curves.point_ids)
    e->free(e, plan->sorted);
  plan->words = plan->scratch = NULL;
  plan->flags = NULL;
  plan->sorted = NULL;
}

/* Brings the view's arrays to where the steps can read them. */
static tsr_status place_view(tsr_ordering_plan *plan, tsr_error *error) {
  tsr_array *const arrays[] = {&plan->placed.points, &plan->placed.group, &plan->placed.order};
  void *to[3];
  plan->placed = plan->view;
  for (int k = 0; k < 3; ++k)
    if (arrays[k]->components == 0)
      arrays[k]->data = NULL;
  const tsr_array from[] = {*arrays[0], *arrays[1], *arrays[2]};
  const tsr_status status = plan->executor.input(&plan->executor, from, 3, 1, to, error);
  for (int k = 0; status == TSR_OK && k < 3; ++k)
    arrays[k]->data = to[k];
  return status;
}

static tsr_status make(void *data, tsr_error *error) {
  tsr_ordering_plan *plan = data;
  tsr_status status = tsr_ordering_open(plan, error);
  if (status == TSR_OK)
    status = place_view(plan, error);
  if (plan->n == 0)
    return status;
  if (status == TSR_OK)
    status = tsr_ordering_sort_points(plan, error);
  if (status == TSR_OK)
    status = tsr_ordering_find_curves(plan, error);
  free_sorting(plan);
  return status;
}

static tsr_status fill(void *data, const void *output, tsr_error *error) {
  tsr_ordering_plan *plan = data;
  if (plan->n == 0) {
    int64_t none = 0;
    const tsr_curve_list empty = {.start = &none};
    tsr_fill_last_offsets(&empty, output);
    return TSR_OK;
  }
  return plan->base.on_device ? tsr_ordering_device_fill(plan, output, error)
                              : tsr_ordering_fill_on_cpu(plan, output);
}

static void drop(void *data) {
  tsr_ordering_plan *plan = data;
  tsr_executor *e = &plan->executor;
  static const tsr_ordering_sizes none;
  static const tsr_curve_list no_curves;
  if (e->free) { /* it was opened */
    free_sorting(plan);
    e->free(e, plan->curves.point_ids);
    e->free(e, plan->curves.start);
    e->free(e, plan->curves.cell);
  }
  tsr_ordering_device_close(plan);
  *e = (tsr_executor){0};
  plan->curves = no_curves;
  plan->sizes = none;
}

static const tsr_plan_steps STEPS = {.size = sizeof(tsr_ordering_plan),
                                     .take = take,
                                     .suits_device = suits_device,
                                     .make = make,
                                     .fill = fill,
                                     .drop = drop,
                                     .on_host_only = "curves through points"};

tsr_status tsr_ordering_plan_create(const tsr_ordering_view *view,
                                    const tsr_ordering_options *options,
                                    const tsr_execution *execution, tsr_ordering_plan **plan,
                                    tsr_error *error) {
  return tsr_plan_create(&STEPS, view, options, execution, plan, error);
}

void tsr_ordering_plan_free(tsr_ordering_plan *plan) { tsr_plan_free(&STEPS, plan); }

const tsr_ordering_sizes *tsr_ordering_plan_sizes(const tsr_ordering_plan *plan) {
  return &plan->sizes;
}

void tsr_ordering_plan_report(const tsr_ordering_plan *plan, tsr_report *report) {
  *report = tsr_plan_report(&plan->base);
  report->items = plan->n;
  report->points = plan->sizes.points;
  report->cells = plan->sizes.verts + plan->sizes.lines;
}

tsr_status tsr_ordering_fill(tsr_ordering_plan *plan, const tsr_ordering_output *output,
                             tsr_error *error) {
  tsr_ordering_output out;
  tsr_status status = tsr_need(plan != NULL, "the plan", error);
  if (status != TSR_OK)
    return status;
  tsr_ordering_output_init(&out);
  status = tsr_copy_versioned(&out, sizeof out, output, "output", TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = tsr_ordering_check_output(&out, plan->n, error);
  return status == TSR_OK ? tsr_plan_fill(&STEPS, plan, &out, error) : status;
}
