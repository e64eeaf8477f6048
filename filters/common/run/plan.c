/* SPDX-License-Identifier: BSD-3-Clause */
/** Creating plans, choosing where they run, and falling back to the CPU, for all rooms. */
#include "common/run/plan.h"
#include "common/support.h"

#include <stdlib.h>
#include <string.h>

/* What a process says of its failure. */
typedef struct failure {
  int32_t gave_up;
  int32_t failed; /* for another reason, and not because another process did */
  char why[500];
} failure;

int tsr_processes_fall_back(const tsr_processes *processes, int gave_up, tsr_status status,
                            char why[500]) {
  failure mine = {gave_up, !gave_up && status != TSR_ABORTED, {0}};
  failure *all = tsr_alloc(processes->n, sizeof *all, "a message", NULL);
  const int has_reason = why[0] != '\0';
  int again = 0;
  memcpy(mine.why, why, sizeof mine.why);
  if (all && tsr_processes_gather(processes, &mine, sizeof mine, all, NULL) == TSR_OK) {
    int failed = 0;
    for (int k = processes->n - 1; k >= 0; --k) {
      failed = failed || all[k].failed;
      again = again || all[k].gave_up;
      if (all[k].gave_up && !has_reason)
        memcpy(why, all[k].why, sizeof mine.why);
    }
    again = again && !failed;
  }
  free(all);
  return again;
}

/* Leaves the device. The report keeps the seconds, and why. */
static void leave_device(tsr_plan *plan) {
  tsr_report report = {.plan_seconds = plan->report.plan_seconds,
                       .fill_seconds = plan->report.fill_seconds};
  memcpy(report.fallback, plan->report.fallback, sizeof report.fallback);
  plan->report = report;
  plan->on_device = 0;
}

tsr_status tsr_plan_make(const tsr_plan_steps *steps, void *data, tsr_error *error) {
  tsr_plan *plan = data;
  tsr_status status = steps->make(plan, error);
  if (status != TSR_OK) {
    const int gave_up =
        plan->on_device && tsr_device_gave_up(&plan->execution, status, error, &plan->report);
    const int again = plan->processes.n > 1 ? tsr_processes_fall_back(&plan->processes, gave_up,
                                                                      status, plan->report.fallback)
                                            : gave_up;
    if (again) {
      steps->drop(plan);
      leave_device(plan);
      status = steps->make(plan, error);
    }
  }
  plan->made = status == TSR_OK;
  return status;
}

static tsr_status make_here(const tsr_plan_steps *steps, tsr_plan *plan, tsr_error *error) {
  tsr_status status;
  plan->made = 0;
  if (steps->make_here) {
    status = steps->make_here(plan, error);
  } else {
    steps->drop(plan);
    status = steps->make(plan, error);
  }
  plan->made = status == TSR_OK;
  return status;
}

static tsr_status fill(const tsr_plan_steps *steps, tsr_plan *plan, const void *output,
                       tsr_error *error) {
  /* An earlier fill may have found no memory to fall back. */
  tsr_status status = plan->made ? TSR_OK : make_here(steps, plan, error);
  if (status == TSR_OK)
    status = steps->fill(plan, output, error);
  if (status == TSR_OK || !plan->on_device ||
      !tsr_device_gave_up(&plan->execution, status, error, &plan->report))
    return status;
  leave_device(plan);
  status = make_here(steps, plan, error);
  return status == TSR_OK ? steps->fill(plan, output, error) : status;
}

/* Copies *why to *error. Parallel loops that were stopped leave no text. */
static tsr_status tell(tsr_status status, const tsr_error *why, tsr_error *error) {
  if (status == TSR_OK)
    return TSR_OK;
  return tsr_fail(error, status, why->item, "%s",
                  why->text[0] != '\0' ? why->text : "the work was stopped");
}

static tsr_status start(const tsr_plan_steps *steps, tsr_plan *plan, const void *view,
                        const void *options, const tsr_execution *execution, tsr_error *error) {
  tsr_status status = tsr_take_execution(&plan->execution, execution, error);
  const double begin = tsr_now(&plan->execution);
  if (status == TSR_OK && steps->on_host_only)
    status = tsr_refuse_device_arrays(&plan->execution, steps->on_host_only, error);
  if (status == TSR_OK)
    status = steps->take(plan, view, options, error);
  if (status == TSR_OK)
    status = tsr_choose_device(&plan->execution, &plan->on_device, error);
  if (status == TSR_OK && plan->on_device && steps->suits_device &&
      plan->execution.backend == TSR_BACKEND_AUTO && !plan->execution.device_arrays)
    plan->on_device = steps->suits_device(plan);
  if (status == TSR_OK)
    status = tsr_plan_make(steps, plan, error);
  plan->report.plan_seconds = tsr_now(&plan->execution) - begin;
  return status;
}

tsr_status tsr_plan_create(const tsr_plan_steps *steps, const void *view, const void *options,
                           const tsr_execution *execution, void *place, tsr_error *error) {
  tsr_error why = {.item = -1};
  tsr_status status;
  tsr_plan *plan = tsr_plan_alloc(steps->size, place, view, options, &status, &why);
  if (plan)
    status = start(steps, plan, view, options, execution, &why);
  if (status != TSR_OK) {
    tsr_plan_free(steps, plan);
    plan = NULL;
  }
  if (place)
    memcpy(place, &plan, sizeof plan);
  return tell(status, &why, error);
}

tsr_status tsr_plan_fill(const tsr_plan_steps *steps, void *data, const void *output,
                         tsr_error *error) {
  tsr_plan *plan = data;
  const double begin = tsr_now(&plan->execution);
  tsr_error why = {.item = -1};
  const tsr_status status = fill(steps, plan, output, &why);
  plan->report.fill_seconds += tsr_now(&plan->execution) - begin;
  return tell(status, &why, error);
}

void tsr_plan_free(const tsr_plan_steps *steps, void *plan) {
  if (!plan)
    return;
  steps->drop(plan);
  if (steps->release)
    steps->release(plan);
  free(plan);
}

tsr_report tsr_plan_report(const tsr_plan *plan) {
  tsr_report report = plan->report;
  report.backend = plan->on_device ? TSR_BACKEND_CUDA : TSR_BACKEND_CPU;
  report.threads = plan->execution.threads;
  report.tolerance_scale = 1.0;
  return report;
}
