/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: the spine. Check, sort, find the curves, count; on the device or here. */
#include "ordering/plan.h"

#include <stdlib.h>
#include <string.h>

static void free_sorting(tsr_ordering_plan *plan) {
  free(plan->words);
  free(plan->scratch);
  free(plan->flags);
  plan->words = plan->scratch = NULL;
  plan->flags = NULL;
}

static tsr_status plan_on_cpu(tsr_ordering_plan *plan, tsr_error *error) {
  tsr_status status;
  memset(&plan->sizes, 0, sizeof plan->sizes); /* a device may have begun */
  status = tsr_ordering_sort_points(plan, error);
  if (status == TSR_OK)
    status = tsr_ordering_find_curves(plan, error);
  free_sorting(plan);
  return status;
}

static tsr_status plan_anywhere(tsr_ordering_plan *plan, tsr_error *error) {
  const tsr_status status = tsr_ordering_device_open(plan, error);
  return status == TSR_OK && !plan->device ? plan_on_cpu(plan, error) : status;
}

/* A job that was stopped knows of no error. */
static tsr_status told(tsr_status status, tsr_error *error) {
  return status == TSR_ABORTED ? tsr_fail(error, status, -1, "the work was stopped") : status;
}

/* Takes the caller's structs over. */
static tsr_status take(tsr_ordering_plan *plan, const tsr_ordering_view *view,
                       const tsr_ordering_options *options, const tsr_execution *execution,
                       tsr_error *error) {
  tsr_status status;
  tsr_ordering_view_init(&plan->view);
  tsr_ordering_options_init(&plan->options);
  status = tsr_copy_versioned(&plan->view, sizeof plan->view, view, "view", TSR_BAD_INPUT, error);
  if (status == TSR_OK)
    status = tsr_copy_versioned(&plan->options, sizeof plan->options, options, "options",
                                TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = tsr_take_execution(&plan->execution, execution, error);
  if (status == TSR_OK)
    status = tsr_ordering_check(&plan->view, &plan->options, error);
  plan->n = plan->view.points.tuples;
  return status;
}

tsr_status tsr_ordering_plan_create(const tsr_ordering_view *view,
                                    const tsr_ordering_options *options,
                                    const tsr_execution *execution, tsr_ordering_plan **plan,
                                    tsr_error *error) {
  tsr_status status;
  tsr_ordering_plan *made = tsr_plan_alloc(sizeof *made, plan, view, options, &status, error);
  if (made)
    status = take(made, view, options, execution, error);
  if (status == TSR_OK) {
    const double start = tsr_now(&made->execution);
    status = plan_anywhere(made, error);
    made->report.plan_seconds = tsr_now(&made->execution) - start;
  }
  if (status != TSR_OK) {
    tsr_ordering_plan_free(made);
    made = NULL;
  }
  if (plan)
    *plan = made;
  return told(status, error);
}

void tsr_ordering_plan_free(tsr_ordering_plan *plan) {
  if (!plan)
    return;
  tsr_ordering_device_close(plan);
  free_sorting(plan);
  if (plan->sorted != plan->point_ids)
    free(plan->sorted);
  free(plan->point_ids);
  free(plan->curve_start);
  free(plan->curve_cell);
  free(plan);
}

const tsr_ordering_sizes *tsr_ordering_plan_sizes(const tsr_ordering_plan *plan) {
  return &plan->sizes;
}

void tsr_ordering_plan_report(const tsr_ordering_plan *plan, tsr_report *report) {
  *report = plan->report;
  report->backend = plan->device ? TSR_BACKEND_CUDA : TSR_BACKEND_CPU;
  report->threads = plan->execution.threads;
  report->tolerance_scale = 1.0;
  report->items = plan->n;
  report->points = plan->sizes.points;
  report->cells = plan->sizes.verts + plan->sizes.lines;
}

tsr_status tsr_ordering_fill(tsr_ordering_plan *plan, const tsr_ordering_output *output,
                             tsr_error *error) {
  if (tsr_need(plan != NULL, "the plan", error))
    return TSR_BAD_INPUT;
  const double start = tsr_now(&plan->execution);
  tsr_ordering_output out;
  tsr_status status;
  tsr_ordering_output_init(&out);
  status = tsr_copy_versioned(&out, sizeof out, output, "output", TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = tsr_ordering_check_output(&out, plan->n, error);
  if (status == TSR_OK && plan->device) {
    status = tsr_ordering_device_fill(plan, &out, error);
    if (status == TSR_OK && !plan->device)
      status = plan_on_cpu(plan, error);
  }
  if (status == TSR_OK && !plan->device)
    status = tsr_ordering_fill_on_cpu(plan, &out);
  plan->report.fill_seconds += tsr_now(&plan->execution) - start;
  return told(status, error);
}
