/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the way to the CUDA backend. It makes whole plans and their output, or refines the levels
 *  down to the input cells, and takes the means and errors of arrays that it has. */
#include "grid/plan.h"

#include <stdlib.h>
#include <string.h>

/* A plan has a device only where there is a table. */
static const tsr_grid_backend *grid_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_grid_cuda();
#else
  return NULL;
#endif
}

static tsr_grid_job job_of(tsr_grid_plan *plan, const tsr_rule *rules) {
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

static tsr_status open_device(void *data, tsr_error *error) {
  tsr_grid_plan *plan = data;
  const tsr_grid_job job = job_of(plan, NULL);
  return grid_backend()->open(&job, &plan->device, error);
}

tsr_status tsr_grid_device_open(tsr_grid_plan *plan, tsr_error *error) {
  return tsr_open_on_device(&plan->input.execution, &plan->report, open_device, plan, error);
}

/* What a step's status means: where AUTO gives the device up, the CPU begins anew. */
static tsr_status conclude(tsr_grid_plan *plan, tsr_status status, const tsr_error *why,
                           tsr_error *error) {
  tsr_report without;
  if (status == TSR_OK) {
    plan->report.backend = TSR_BACKEND_CUDA;
    return TSR_OK;
  }
  memset(&without, 0, sizeof without);
  if (!tsr_device_gave_up(&plan->input.execution, status, why, &without))
    return tsr_fail(error, status, why->item, "%s", why->text);
  tsr_grid_device_close(plan);
  plan->report = without;
  return TSR_OK;
}

tsr_status tsr_grid_device_range(void *data, const tsr_rule *rule, int measure, double range[2],
                                 tsr_error *error) {
  tsr_grid_plan *plan = data;
  const tsr_grid_job job = job_of(plan, NULL);
  tsr_error why;
  tsr_status status;
  range[0] = TSR_INFINITY;
  range[1] = -TSR_INFINITY;
  if (!plan->device)
    return TSR_OK;
  status = grid_backend()->range(plan->device, &job, rule, measure, range, &why);
  if (status != TSR_OK)
    range[1] = -TSR_INFINITY;
  if (range[0] > range[1] && tsr_grid_owned_cells(&plan->input.lattice) > 0)
    plan->by_cpu |= TSR_BY_CPU_RANGES;
  return conclude(plan, status, &why, error);
}

int tsr_grid_device_is_whole(tsr_grid_plan *plan) {
  const tsr_grid_job job = job_of(plan, NULL);
  return plan->device && grid_backend()->is_whole(plan->device, &job);
}

tsr_status tsr_grid_device_refine(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_job job = job_of(plan, plan->criteria.in_force);
  tsr_error why;
  tsr_status status;
  plan->whole = tsr_grid_device_is_whole(plan);
  if (!plan->whole)
    plan->by_cpu |= TSR_BY_CPU_CLOSURE;
  if (!plan->whole && plan->input.lattice.levels > plan->input.lattice.coarsen)
    plan->by_cpu |= TSR_BY_CPU_PARTS;
  status = grid_backend()->descend(plan->device, &job, plan->whole, &why);
  if (status == TSR_OK && plan->whole)
    status = grid_backend()->refine(plan->device, &job, &plan->counts, &why);
  return conclude(plan, status, &why, error);
}

tsr_status tsr_grid_device_look(void *data, tsr_grid_look *look, tsr_error *error) {
  tsr_grid_plan *plan = data;
  const tsr_grid_job job = job_of(plan, plan->criteria.in_force);
  tsr_error why;
  if (!plan->device)
    return TSR_OK;
  return conclude(plan, grid_backend()->look(plan->device, &job, look, &why), &why, error);
}

tsr_status tsr_grid_device_take_tree(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_job job = job_of(plan, NULL);
  tsr_error why;
  tsr_status status;
  plan->has_tree = 1;
  if (!plan->device || plan->leaves.n == 0)
    return TSR_OK;
  if (!grid_backend()->can_list(plan->device, &job)) {
    plan->by_cpu |= TSR_BY_CPU_OUTPUT;
    return TSR_OK;
  }
  status = grid_backend()->take_tree(plan->device, &job, &plan->counts, &why);
  plan->whole = status == TSR_OK;
  return conclude(plan, status, &why, error);
}

/* Makes the list, and brings it. */
static tsr_status bring_marks(tsr_grid_plan *plan, tsr_error *why) {
  const tsr_grid_job job = job_of(plan, NULL);
  tsr_status status = grid_backend()->marks(plan->device, &job, NULL, &plan->n_marks, why);
  if (status != TSR_OK || plan->n_marks == 0)
    return status;
  plan->marks = tsr_alloc(plan->n_marks, sizeof *plan->marks, "the marks", why);
  return plan->marks ? grid_backend()->marks(plan->device, &job, plan->marks, &plan->n_marks, why)
                     : TSR_NO_MEMORY;
}

tsr_status tsr_grid_device_marks(tsr_grid_plan *plan, tsr_error *error) {
  tsr_error why;
  const tsr_status status = bring_marks(plan, &why);
  if (status != TSR_OK) {
    free(plan->marks);
    plan->marks = NULL;
    plan->n_marks = 0;
  }
  return conclude(plan, status, &why, error);
}

tsr_status tsr_grid_device_list(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_job job = job_of(plan, NULL);
  tsr_error why;
  const tsr_status status = grid_backend()->list(plan->device, &job, &plan->counts, &why);
  return conclude(plan, status, &why, error);
}

/* The bricks of a whole plan. */
static tsr_status fetch_bricks(tsr_grid_plan *plan, const tsr_grid_job *job, tsr_error *why) {
  tsr_tree *tree = &plan->tree;
  tsr_status status =
      tsr_bits_create(&tree->has_brick, 8 * tsr_tree_bytes(tree, plan->input.lattice.coarsen),
                      "the refined input cells", why);
  if (status == TSR_OK)
    status = grid_backend()->fetch_bricks(plan->device, job, why);
  if (status == TSR_OK)
    status = tsr_tree_make_bricks(tree, why);
  return status == TSR_OK ? grid_backend()->fetch_bricks(plan->device, job, why) : status;
}

tsr_status tsr_grid_device_fetch(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_job job = job_of(plan, NULL);
  tsr_error why;
  tsr_status status = tsr_tree_clear(&plan->tree, &plan->input.lattice, error);
  if (status != TSR_OK)
    return status;
  status = grid_backend()->fetch(plan->device, &job, &why);
  if (status == TSR_OK && plan->input.lattice.levels > plan->input.lattice.coarsen + 1)
    status = fetch_bricks(plan, &job, &why);
  return conclude(plan, status, &why, error);
}

tsr_status tsr_grid_device_fill(tsr_grid_plan *plan, const tsr_grid_output *out, int *done,
                                tsr_error *error) {
  const tsr_grid_job job = job_of(plan, plan->criteria.in_force);
  tsr_error why;
  const tsr_status status = grid_backend()->fill(plan->device, &job, &plan->counts, out, &why);
  *done = status == TSR_OK;
  if (*done)
    return TSR_OK;
  plan->by_cpu |= TSR_BY_CPU_OUTPUT;
  if (tsr_device_gave_up(&plan->input.execution, status, &why, &plan->report))
    return TSR_OK;
  return tsr_fail(error, status, why.item, "%s", why.text);
}

tsr_status tsr_grid_device_measure(tsr_grid_plan *plan, const tsr_grid_attribute *attribute,
                                   tsr_grid_device_values *found, tsr_error *error) {
  const tsr_grid_job job = job_of(plan, NULL);
  tsr_grid_values values = {.nodes = plan->lists.nodes,
                            .n = plan->lists.n,
                            .of_level = plan->sizes.leaves_of_level,
                            .array = &attribute->in,
                            .cell_data = attribute->cell_data,
                            .error = attribute->error ? &found->error : NULL};
  tsr_error why;
  tsr_status status;
  /* Errors of point arrays are those in the parts of leaves, which the device does not know. */
  if (!plan->device || tsr_grid_has_states(&plan->input) ||
      (plan->cuts.cell && !attribute->cell_data) ||
      !(attribute->error || (attribute->cell_data && attribute->out)))
    return TSR_OK;
  if (attribute->cell_data && attribute->out) {
    found->means = tsr_alloc(values.n * attribute->in.components, sizeof *found->means,
                             "the means of cells", error);
    if (!found->means)
      return TSR_NO_MEMORY;
    values.means = found->means;
  }
  status = grid_backend()->values(plan->device, &job, &values, &found->done, &why);
  if (status == TSR_OK)
    return TSR_OK;
  found->done = 0;
  if (tsr_device_gave_up(&plan->input.execution, status, &why, &plan->report))
    return TSR_OK;
  return tsr_fail(error, status, why.item, "%s", why.text);
}

void tsr_grid_device_close(tsr_grid_plan *plan) {
  if (plan->device)
    grid_backend()->close(plan->device);
  plan->device = NULL;
  plan->whole = 0;
}
