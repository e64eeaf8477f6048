/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the way to the CUDA backend. Balance and all that comes after it, and cells that
 * are split, are the CPU's; without them leaves and points stay on the device, which makes the
 * output of them. */
#include "pointgrid/plan.h"

#include <stdlib.h>
#include <string.h>

/* Auto takes a device for at least this many points. With fewer, one thread of the CPU is done
 * before the points have been to an H200 and back: there, whole calls took as long at about 12,000
 * points (testing/bench/bench_pointgrid_cuda), 0.2 times as long with a thousand, twice with
 * 30,000. */
enum { LEAST_FOR_A_DEVICE = 12000 };

/* A plan has a device only where there is a table. */
static const tsr_pointgrid_backend *pointgrid_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_pointgrid_cuda();
#else
  return NULL;
#endif
}

static tsr_pointgrid_job job_of(tsr_pointgrid_plan *plan) {
  const tsr_pointgrid_job job = {.execution = &plan->execution,
                                 .launch = &plan->options.launch,
                                 .cube = &plan->cube,
                                 .rule = &plan->rule,
                                 .points = &plan->points,
                                 .hidden = plan->route.way.sent ? NULL : plan->view.hidden,
                                 .spread = &plan->spread,
                                 .spread_component = plan->options.spread_component,
                                 .n_items = plan->n_items,
                                 .first_leaf = plan->sizes.first_leaf,
                                 .output = plan->options.output,
                                 .report = &plan->report};
  return job;
}

static tsr_status open_device(void *data, tsr_error *error) {
  tsr_pointgrid_plan *plan = data;
  const tsr_pointgrid_job job = job_of(plan);
  return pointgrid_backend()->open(&job, &plan->device, error);
}

tsr_report tsr_pointgrid_cpu_report(const tsr_pointgrid_plan *plan) {
  const tsr_report report = {.backend = TSR_BACKEND_CPU,
                             .threads = plan->execution.threads,
                             .items = plan->view.points.tuples,
                             .tolerance_scale = 1.0};
  return report;
}

tsr_status tsr_pointgrid_device_open(tsr_pointgrid_plan *plan, tsr_error *error) {
  if (plan->execution.backend == TSR_BACKEND_AUTO && plan->view.points.tuples < LEAST_FOR_A_DEVICE)
    return TSR_OK;
  return tsr_open_on_device(&plan->execution, &plan->report, open_device, plan, error);
}

/* Ends the device. Where the CPU may begin again: without what the device has left half done, and
 * with a report that says so. */
static tsr_status give_up(tsr_pointgrid_plan *plan, tsr_status status, const tsr_error *why,
                          tsr_error *error) {
  tsr_report without = tsr_pointgrid_cpu_report(plan);
  tsr_pointgrid_device_close(plan);
  if (!tsr_device_gave_up(&plan->execution, status, why, &without))
    return tsr_fail(error, status, why->item, "%s", why->text);
  without.plan_seconds = plan->report.plan_seconds;
  without.points = plan->report.points;
  without.cells = plan->report.cells;
  plan->report = without;
  plan->on_device = 0;
  free(plan->order);
  plan->order = NULL;
  free(plan->leaves.at);
  memset(&plan->leaves, 0, sizeof plan->leaves);
  return TSR_OK;
}

tsr_status tsr_pointgrid_device_box(tsr_pointgrid_plan *plan, tsr_pointgrid_box *box, int *done,
                                    tsr_error *error) {
  tsr_error why;
  *done = plan->device && plan->points.tuples > 0;
  if (!*done)
    return TSR_OK;
  const tsr_pointgrid_job job = job_of(plan);
  const tsr_status status = pointgrid_backend()->box(plan->device, &job, box, &why);
  *done = status == TSR_OK;
  return *done ? TSR_OK : give_up(plan, status, &why, error);
}

/* Balance, and cells that are split, need leaves and points here. */
static tsr_status fetch(tsr_pointgrid_plan *plan, const tsr_pointgrid_job *job, tsr_error *why) {
  plan->order = tsr_alloc(plan->n_items, sizeof *plan->order, "sorting the points", why);
  plan->leaves.at = tsr_alloc(plan->leaves.n, sizeof *plan->leaves.at, "the leaves", why);
  plan->leaves.room = plan->leaves.n;
  if (!plan->order || !plan->leaves.at)
    return TSR_NO_MEMORY;
  return pointgrid_backend()->fetch(plan->device, job, plan->order, plan->leaves.at, why);
}

tsr_status tsr_pointgrid_device_sort(tsr_pointgrid_plan *plan, int *done, tsr_error *error) {
  const int stays =
      plan->options.balance == TSR_BALANCE_NONE && plan->options.output != TSR_POINTGRID_TREE;
  tsr_error why;
  *done = 0;
  if (!plan->device || plan->n_items == 0 || plan->rule.begin >= plan->rule.end)
    return TSR_OK;
  const tsr_pointgrid_job job = job_of(plan);
  tsr_status status =
      pointgrid_backend()->sort(plan->device, &job, &plan->summary, &plan->leaves.n, &why);
  if (status == TSR_OK && !stays)
    status = fetch(plan, &job, &why);
  if (status != TSR_OK)
    return give_up(plan, status, &why, error);
  plan->report.backend = TSR_BACKEND_CUDA;
  plan->on_device = stays;
  free(plan->items);
  plan->items = NULL;
  *done = 1;
  return TSR_OK;
}

/* As give_up, and the CPU begins again, so far as the plan is made. */
static tsr_status start_again(tsr_pointgrid_plan *plan, tsr_status status, const tsr_error *why,
                              tsr_error *error) {
  status = give_up(plan, status, why, error);
  return status == TSR_OK ? tsr_pointgrid_start_again(plan, error) : status;
}

tsr_status tsr_pointgrid_device_corners(tsr_pointgrid_plan *plan, int *done, tsr_error *error) {
  const int finest = tsr_pointgrid_finest(&plan->summary);
  tsr_error why;
  *done = plan->on_device;
  if (!*done)
    return TSR_OK;
  const tsr_pointgrid_job job = job_of(plan);
  const tsr_status status =
      pointgrid_backend()->corners(plan->device, &job, finest, &plan->sizes.points, &why);
  /* The CPU then finds these as well. */
  return status == TSR_OK ? TSR_OK : start_again(plan, status, &why, error);
}

tsr_status tsr_pointgrid_device_fill(tsr_pointgrid_plan *plan, const tsr_pointgrid_output *output,
                                     int *done, tsr_error *error) {
  tsr_error why;
  *done = plan->on_device;
  if (!*done)
    return TSR_OK;
  const tsr_pointgrid_job job = job_of(plan);
  const tsr_status status = pointgrid_backend()->fill(plan->device, &job, output, &why);
  *done = status == TSR_OK;
  return *done ? TSR_OK : start_again(plan, status, &why, error);
}

tsr_status tsr_pointgrid_device_attribute(tsr_pointgrid_plan *plan,
                                          const tsr_pointgrid_attribute *attribute, int *done,
                                          tsr_error *error) {
  tsr_error why;
  *done = plan->on_device;
  if (!*done)
    return TSR_OK;
  const tsr_pointgrid_job job = job_of(plan);
  const tsr_status status = pointgrid_backend()->attribute(plan->device, &job, attribute, &why);
  *done = status == TSR_OK;
  return *done ? TSR_OK : start_again(plan, status, &why, error);
}

void tsr_pointgrid_device_close(tsr_pointgrid_plan *plan) {
  if (plan->device)
    pointgrid_backend()->close(plan->device);
  plan->device = NULL;
}
