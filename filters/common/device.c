/* SPDX-License-Identifier: BSD-3-Clause */
/** The way to the CUDA backend, and what holds where it is not built in. */
#include "curves/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const tsr_backend *tsr_device_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_cuda_backend();
#else
  return NULL;
#endif
}

tsr_status tsr_device_wanted(const tsr_execution *execution, const tsr_backend **backend,
                             tsr_error *error) {
  *backend = NULL;
  if ((unsigned)execution->backend > (unsigned)TSR_BACKEND_CPU)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the backend %d is unknown",
                    (int)execution->backend);
  if (execution->backend != TSR_BACKEND_CPU)
    *backend = tsr_device_backend();
  if (!*backend && execution->backend == TSR_BACKEND_CUDA)
    return tsr_fail(error, TSR_NO_BACKEND, -1, "the backend CUDA is not built into this Tessera");
  return TSR_OK;
}

int tsr_device_falls_back(const tsr_execution *execution, tsr_status status) {
  return execution->backend == TSR_BACKEND_AUTO &&
         (status == TSR_NO_BACKEND || status == TSR_DEVICE || status == TSR_NO_MEMORY);
}

static tsr_device_job tsr_device_job_of(tsr_curves_plan *plan) {
  const tsr_device_job job = {&plan->view,  &plan->execution, &plan->criteria, plan->limit,
                              &plan->sizes, &plan->report,    &plan->n_spans};
  return job;
}

tsr_status tsr_device_open(tsr_curves_plan *plan, tsr_error *error) {
  const tsr_device_job job = tsr_device_job_of(plan);
  const tsr_backend *backend;
  tsr_error own;
  tsr_status status = tsr_device_wanted(&plan->execution, &backend, error);
  if (!backend)
    return status;
  status = backend->open(&job, &plan->device, &own);
  if (status == TSR_OK || tsr_device_gave_up(plan, status, &own))
    return TSR_OK;
  return tsr_fail(error, status, own.item, "%s", own.text);
}

tsr_status tsr_device_count(tsr_curves_plan *plan, tsr_error *error) {
  const tsr_device_job job = tsr_device_job_of(plan);
  return tsr_device_backend()->count(plan->device, &job, error);
}

tsr_status tsr_device_fill(tsr_curves_plan *plan, const tsr_curves_output *output,
                           tsr_error *error) {
  const tsr_device_job job = tsr_device_job_of(plan);
  return tsr_device_backend()->fill(plan->device, &job, output, error);
}

void tsr_device_close(tsr_curves_plan *plan) {
  if (plan->device)
    tsr_device_backend()->close(plan->device);
  plan->device = NULL;
}

int tsr_device_gave_up(tsr_curves_plan *plan, tsr_status status, const tsr_error *error) {
  if (!tsr_device_falls_back(&plan->execution, status))
    return 0;
  tsr_device_close(plan);
  memcpy(plan->report.fallback, error->text, sizeof plan->report.fallback);
  return 1;
}

int tsr_devices_present(void) {
  const tsr_backend *backend = tsr_device_backend();
  return backend ? backend->count_devices() : 0;
}

void tsr_device_report(tsr_devices *devices) {
  const tsr_backend *backend = tsr_device_backend();
  memset(devices, 0, sizeof *devices);
  if (backend)
    backend->report(devices);
  else
    snprintf(devices->problem, sizeof devices->problem,
             "this Tessera was built without CUDA: everything runs on the CPU");
}

void tsr_device_release(void) {
  const tsr_backend *backend = tsr_device_backend();
  if (backend)
    backend->release();
}

void *tsr_output_alloc(size_t bytes) {
  const tsr_backend *backend = tsr_device_backend();
  if (bytes == 0)
    return NULL;
  return backend ? backend->output_alloc(bytes) : malloc(bytes);
}

int64_t tsr_output_waiting(void) {
  const tsr_backend *backend = tsr_device_backend();
  return backend ? backend->output_waiting() : 0;
}

void tsr_output_free(void *memory) {
  const tsr_backend *backend = tsr_device_backend();
  if (backend)
    backend->output_free(memory);
  else
    free(memory);
}
