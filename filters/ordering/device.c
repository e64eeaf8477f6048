/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: the way to the CUDA backend, which does the plan and the fill as a whole. */
#include "ordering/plan.h"

#include <string.h>

/* Auto takes a device for at least this many points. With fewer, one thread of the CPU is done
 * before the points have been to an H200 and back: there, whole calls took as long at about 9,000
 * points (testing/bench/bench_ordering_cuda), 0.2 times as long with a thousand, 3.5 times with
 * 30,000. */
enum { LEAST_FOR_A_DEVICE = 9000 };

/* A plan has a device only where there is a table. */
static const tsr_ordering_backend *ordering_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_ordering_cuda();
#else
  return NULL;
#endif
}

static tsr_ordering_job job_of(tsr_ordering_plan *plan) {
  const tsr_ordering_job job = {.view = &plan->view,
                                .options = &plan->options,
                                .execution = &plan->execution,
                                .sizes = &plan->sizes,
                                .report = &plan->report};
  return job;
}

static tsr_status open_device(void *data, tsr_error *error) {
  tsr_ordering_plan *plan = data;
  const tsr_ordering_job job = job_of(plan);
  return ordering_backend()->open(&job, &plan->device, error);
}

tsr_status tsr_ordering_device_open(tsr_ordering_plan *plan, tsr_error *error) {
  if (plan->execution.backend == TSR_BACKEND_AUTO && plan->n < LEAST_FOR_A_DEVICE)
    return TSR_OK;
  return tsr_open_on_device(&plan->execution, &plan->report, open_device, plan, error);
}

tsr_status tsr_ordering_device_fill(tsr_ordering_plan *plan, const tsr_ordering_output *output,
                                    tsr_error *error) {
  const tsr_ordering_job job = job_of(plan);
  tsr_report without;
  tsr_error why;
  const tsr_status status = ordering_backend()->fill(plan->device, &job, output, &why);
  if (status == TSR_OK)
    return TSR_OK;
  memset(&without, 0, sizeof without);
  without.plan_seconds = plan->report.plan_seconds;
  without.fill_seconds = plan->report.fill_seconds;
  if (!tsr_device_gave_up(&plan->execution, status, &why, &without))
    return tsr_fail(error, status, why.item, "%s", why.text);
  tsr_ordering_device_close(plan);
  plan->report = without;
  return TSR_OK;
}

void tsr_ordering_device_close(tsr_ordering_plan *plan) {
  if (plan->device)
    ordering_backend()->close(plan->device);
  plan->device = NULL;
}
