/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the way to the CUDA backend, which refines the levels down to the input cells, and takes
 *  the means and errors of arrays that it has. */
#include "common/backend.h"
#include "grid/plan.h"

#include <string.h>

static tsr_grid_job tsr_grid_job_of(tsr_grid_plan *plan, const tsr_rule *rules) {
  const tsr_grid_job job = {.view = &plan->input.view,
                            .options = &plan->input.options,
                            .execution = &plan->input.execution,
                            .lattice = &plan->input.lattice,
                            .space = &plan->input.space,
                            .hidden = plan->input.hidden,
                            .rules = rules,
                            .n_rules = rules ? plan->criteria.n : 0,
                            .tree = &plan->tree,
                            .notes = plan->sizes.notes,
                            .report = &plan->report};
  return job;
}

/* Auto goes on without the device, and says why. */
static int tsr_grid_gave_up(tsr_grid_plan *plan, tsr_status status, const tsr_error *error) {
  if (!tsr_device_falls_back(&plan->input.execution, status))
    return 0;
  tsr_grid_device_close(plan);
  memset(&plan->report, 0, sizeof plan->report);
  memcpy(plan->report.fallback, error->text, sizeof plan->report.fallback);
  return 1;
}

tsr_status tsr_grid_device_open(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_job job = tsr_grid_job_of(plan, NULL);
  const tsr_backend *backend;
  tsr_error own;
  tsr_status status = tsr_device_wanted(&plan->input.execution, &backend, error);
  if (!backend)
    return status;
  status = backend->grid_open(&job, &plan->device, &own);
  if (status == TSR_OK || tsr_grid_gave_up(plan, status, &own))
    return TSR_OK;
  return tsr_fail(error, status, own.item, "%s", own.text);
}

tsr_status tsr_grid_device_refine(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_job job = tsr_grid_job_of(plan, plan->criteria.in_force);
  tsr_error own;
  const tsr_status status = tsr_device_backend()->grid_decide(plan->device, &job, &own);
  if (status == TSR_OK) {
    plan->report.backend = TSR_BACKEND_CUDA;
    return TSR_OK;
  }
  if (tsr_grid_gave_up(plan, status, &own))
    return TSR_OK;
  return tsr_fail(error, status, own.item, "%s", own.text);
}

tsr_status tsr_grid_device_measure(tsr_grid_plan *plan, const tsr_grid_attribute *attribute,
                                   tsr_grid_device_values *found, tsr_error *error) {
  const tsr_grid_job job = tsr_grid_job_of(plan, NULL);
  tsr_grid_values values = {.nodes = plan->lists.nodes,
                            .n = plan->sizes.cells,
                            .of_level = plan->sizes.leaves_of_level,
                            .array = &attribute->in,
                            .cell_data = attribute->cell_data,
                            .error = attribute->error ? &found->error : NULL};
  tsr_error own;
  tsr_status status;
  if (!plan->device || tsr_grid_has_states(&plan->input) ||
      !(attribute->error || (attribute->cell_data && attribute->out)))
    return TSR_OK;
  if (attribute->cell_data && attribute->out) {
    found->means = tsr_alloc(values.n * attribute->in.components, sizeof *found->means,
                             "the means of cells", error);
    if (!found->means)
      return TSR_NO_MEMORY;
    values.means = found->means;
  }
  status = tsr_device_backend()->grid_values(plan->device, &job, &values, &found->done, &own);
  if (status == TSR_OK || !tsr_device_falls_back(&plan->input.execution, status))
    return status == TSR_OK ? status : tsr_fail(error, status, own.item, "%s", own.text);
  found->done = 0;
  memcpy(plan->report.fallback, own.text, sizeof plan->report.fallback);
  return TSR_OK;
}

void tsr_grid_device_close(tsr_grid_plan *plan) {
  if (plan->device)
    tsr_device_backend()->grid_close(plan->device);
  plan->device = NULL;
}
