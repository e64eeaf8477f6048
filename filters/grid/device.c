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

static tsr_grid_request request_of(tsr_grid_plan *plan, const tsr_rule *rules) {
  const tsr_grid_request request = {.view = &plan->input.view,
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
  return request;
}

static tsr_status open_device(void *data, tsr_error *error) {
  tsr_grid_plan *plan = data;
  const tsr_grid_request request = request_of(plan, NULL);
  return grid_backend()->open(&request, &plan->device, error);
}

tsr_status tsr_grid_device_open(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_request request = request_of(plan, NULL);
  const tsr_status status =
      tsr_open_on_device(&plan->input.execution, &plan->report, open_device, plan, error);
  if (status != TSR_OK || !plan->device)
    return status;
  plan->report.backend = TSR_BACKEND_CUDA;
  plan->on_device.criteria = 1;
  plan->on_device.tree = grid_backend()->is_whole(plan->device, &request);
  plan->on_device.output = grid_backend()->can_list(plan->device, &request);
  return TSR_OK;
}

void tsr_grid_device_close(tsr_grid_plan *plan) {
  static const tsr_grid_on_device nothing;
  if (plan->device)
    grid_backend()->close(plan->device);
  plan->device = NULL;
  plan->on_device = nothing;
}

int tsr_grid_device_gave_up(tsr_grid_plan *plan, tsr_status status, const tsr_error *why) {
  return plan->on_device.criteria &&
         tsr_device_gave_up(&plan->input.execution, status, why, &plan->report);
}

tsr_status tsr_grid_device_range(void *data, const tsr_rule *rule, int measure, double range[2],
                                 tsr_error *error) {
  tsr_grid_plan *plan = data;
  const tsr_grid_request request = request_of(plan, NULL);
  return grid_backend()->range(plan->device, &request, rule, measure, range, error);
}

tsr_status tsr_grid_device_descend(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_request request = request_of(plan, plan->criteria.in_force);
  return grid_backend()->descend(plan->device, &request, 0, error);
}

tsr_status tsr_grid_device_check(void *data, tsr_grid_leaf_check *check, tsr_error *error) {
  tsr_grid_plan *plan = data;
  const tsr_grid_request request = request_of(plan, plan->criteria.in_force);
  return grid_backend()->check(plan->device, &request, check, error);
}

tsr_status tsr_grid_device_refine(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_request request = request_of(plan, plan->criteria.in_force);
  const tsr_status status = grid_backend()->descend(plan->device, &request, 1, error);
  return status == TSR_OK ? grid_backend()->refine(plan->device, &request, &plan->counts, error)
                          : status;
}

tsr_status tsr_grid_device_take_tree(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_request request = request_of(plan, NULL);
  return grid_backend()->take_tree(plan->device, &request, &plan->counts, error);
}

tsr_status tsr_grid_device_marks(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_request request = request_of(plan, NULL);
  const tsr_status status =
      grid_backend()->marks(plan->device, &request, NULL, &plan->n_marks, error);
  if (status != TSR_OK || plan->n_marks == 0)
    return status;
  plan->marks = tsr_alloc(plan->n_marks, sizeof *plan->marks, "the marks", error);
  return plan->marks
             ? grid_backend()->marks(plan->device, &request, plan->marks, &plan->n_marks, error)
             : TSR_NO_MEMORY;
}

tsr_status tsr_grid_device_list(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_request request = request_of(plan, NULL);
  return grid_backend()->list(plan->device, &request, &plan->counts, error);
}

/* The bricks of the device's tree. */
static tsr_status fetch_bricks(tsr_grid_plan *plan, const tsr_grid_request *request,
                               tsr_error *error) {
  tsr_tree *tree = &plan->tree;
  tsr_status status =
      tsr_bits_create(&tree->has_brick, 8 * tsr_tree_bytes(tree, plan->input.lattice.coarsen),
                      "the refined input cells", error);
  if (status == TSR_OK)
    status = grid_backend()->fetch_bricks(plan->device, request, error);
  if (status == TSR_OK)
    status = tsr_tree_make_bricks(tree, error);
  return status == TSR_OK ? grid_backend()->fetch_bricks(plan->device, request, error) : status;
}

tsr_status tsr_grid_device_fetch(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_request request = request_of(plan, NULL);
  tsr_status status = tsr_tree_clear(&plan->tree, &plan->input.lattice, error);
  if (status == TSR_OK)
    status = grid_backend()->fetch(plan->device, &request, error);
  return status == TSR_OK && plan->input.lattice.levels > plan->input.lattice.coarsen + 1
             ? fetch_bricks(plan, &request, error)
             : status;
}

tsr_status tsr_grid_device_fill(tsr_grid_plan *plan, const tsr_grid_output *out, tsr_error *error) {
  const tsr_grid_request request = request_of(plan, plan->criteria.in_force);
  return grid_backend()->fill(plan->device, &request, &plan->counts, out, error);
}

tsr_status tsr_grid_device_measure(tsr_grid_plan *plan, const tsr_grid_attribute *attribute,
                                   tsr_grid_device_values *found, tsr_error *error) {
  const tsr_grid_request request = request_of(plan, NULL);
  tsr_grid_values values = {.nodes = plan->lists.nodes,
                            .n = plan->lists.n,
                            .of_level = plan->sizes.leaves_of_level,
                            .array = &attribute->in,
                            .cell_data = attribute->cell_data,
                            .error = attribute->error ? &found->error : NULL};
  /* Errors of point arrays are those in the parts of leaves, which the device does not know. */
  if (!plan->on_device.criteria || tsr_grid_has_states(&plan->input) ||
      (plan->cuts.has && !attribute->cell_data) ||
      !(attribute->error || (attribute->cell_data && attribute->out)))
    return TSR_OK;
  if (attribute->cell_data && attribute->out) {
    found->means = tsr_alloc(values.n * attribute->in.components, sizeof *found->means,
                             "the means of cells", error);
    if (!found->means)
      return TSR_NO_MEMORY;
    values.means = found->means;
  }
  return grid_backend()->values(plan->device, &request, &values, &found->done, error);
}
