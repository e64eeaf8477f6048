/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the way to the CUDA backend, which sorts the points into leaves and finds the
 * corners that leaves share. Balance, the corners after it, and values are the CPU's. */
#include "pointgrid/plan.h"

#include <stdlib.h>
#include <string.h>

/* Auto takes a device from so many points on. With fewer, one thread of the CPU is done before the
 * points have been to an H200 and back: there, whole calls took as long at about 12,000 points
 * (testing/bench/bench_pointgrid_cuda), 0.2 times as long with a thousand, twice with 30,000. */
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
                                 .hidden = plan->route.sent ? NULL : plan->view.hidden,
                                 .spread = &plan->spread,
                                 .spread_component = plan->options.spread_component,
                                 .n_items = plan->n_items,
                                 .order = plan->order,
                                 .leaves = &plan->leaves,
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

/* Undoes what a device has left half done, where the CPU may begin again. */
static tsr_status give_up(tsr_pointgrid_plan *plan, tsr_status status, const tsr_error *why,
                          tsr_error *error) {
  tsr_report without = tsr_pointgrid_cpu_report(plan);
  if (!tsr_device_gave_up(&plan->execution, status, why, &without))
    return tsr_fail(error, status, why->item, "%s", why->text);
  plan->report = without;
  free(plan->order);
  plan->order = NULL;
  free(plan->leaves.at);
  memset(&plan->leaves, 0, sizeof plan->leaves);
  return TSR_OK;
}

tsr_status tsr_pointgrid_device_sort(tsr_pointgrid_plan *plan, int *done, tsr_error *error) {
  tsr_status status;
  tsr_error why;
  *done = 0;
  if (!plan->device || plan->n_items == 0 || plan->rule.begin >= plan->rule.end)
    return TSR_OK;
  plan->order = tsr_alloc(plan->n_items, sizeof *plan->order, "sorting the points", error);
  if (!plan->order)
    return TSR_NO_MEMORY;
  const tsr_pointgrid_job job = job_of(plan);
  status = pointgrid_backend()->sort(plan->device, &job, &why);
  if (status != TSR_OK) {
    tsr_pointgrid_device_close(plan);
    return give_up(plan, status, &why, error);
  }
  plan->report.backend = TSR_BACKEND_CUDA;
  free(plan->items);
  plan->items = NULL;
  *done = 1;
  return TSR_OK;
}

tsr_status tsr_pointgrid_device_corners(tsr_pointgrid_plan *plan, int finest, int *done,
                                        tsr_error *error) {
  const int64_t n = plan->leaves.n << plan->rule.dimension;
  tsr_error why;
  /* The device has the leaves as they were before the balance. */
  *done = plan->device && plan->report.backend == TSR_BACKEND_CUDA && plan->leaves.n > 0 &&
          plan->options.balance == TSR_BALANCE_NONE;
  if (!*done)
    return TSR_OK;
  plan->corner_of = tsr_alloc(n, sizeof *plan->corner_of, "the points of the cells", error);
  if (!plan->corner_of)
    return TSR_NO_MEMORY;
  const tsr_pointgrid_job job = job_of(plan);
  const tsr_status status = pointgrid_backend()->corners(
      plan->device, &job, finest, plan->corner_of, &plan->corners, &plan->sizes.points, &why);
  if (status == TSR_OK)
    return TSR_OK;
  free(plan->corner_of);
  plan->corner_of = NULL;
  *done = 0;
  /* The leaves are there all the same. */
  return tsr_device_gave_up(&plan->execution, status, &why, &plan->report)
             ? TSR_OK
             : tsr_fail(error, status, why.item, "%s", why.text);
}

void tsr_pointgrid_device_close(tsr_pointgrid_plan *plan) {
  if (plan->device)
    pointgrid_backend()->close(plan->device);
  plan->device = NULL;
}
