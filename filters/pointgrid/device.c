/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the executors of a plan. Sorted points and the points of cells are in the memory of
 *  the plan's executor. */
#include "pointgrid/plan.h"

#include <stdlib.h>
#include <string.h>

/* The table of CUDA. A plan is on a device only where there is one. */
static const tsr_pointgrid_backend *device_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_pointgrid_cuda();
#else
  return NULL;
#endif
}

static void use_cpu(tsr_pointgrid_plan *plan) {
  plan->backend = tsr_pointgrid_cpu();
  plan->backend->open(&plan->input, &plan->device, &plan->cpu, NULL);
  plan->executor = plan->cpu;
}

tsr_status tsr_pointgrid_open(tsr_pointgrid_plan *plan, tsr_error *error) {
  tsr_status status = TSR_OK;
  use_cpu(plan);
  if (plan->base.on_device)
    status = device_backend()->open(&plan->input, &plan->device, &plan->executor, error);
  if (plan->base.on_device && status == TSR_OK)
    plan->backend = device_backend();
  return status;
}

void tsr_pointgrid_leave_device(tsr_pointgrid_plan *plan) {
  plan->backend->close(plan->device);
  plan->base.on_device = 0;
  use_cpu(plan);
}

/* Copies the sorted points from the device to the host, and leaves the device. */
static tsr_status hand_over(tsr_pointgrid_plan *plan, tsr_error *error) {
  const tsr_pointgrid_sorted *there = &plan->sorted;
  const int64_t n = there->leaves.n, items = plan->input.n_items;
  tsr_executor *e = &plan->executor;
  tsr_pointgrid_leaf *leaves = tsr_alloc(n, sizeof *leaves, "the leaves", error);
  int64_t *order = tsr_alloc(items, sizeof *order, "sorting the points", error);
  tsr_status status = leaves && order ? TSR_OK : TSR_NO_MEMORY;
  if (status == TSR_OK)
    status = e->read(e, leaves, there->leaves.at, n * (int64_t)sizeof *leaves, error);
  if (status == TSR_OK)
    status = e->read(e, order, there->order, items * (int64_t)sizeof *order, error);
  if (status != TSR_OK) {
    free(leaves);
    free(order);
    return status;
  }
  tsr_pointgrid_leave_device(plan);
  plan->sorted = (tsr_pointgrid_sorted){{leaves, n, n}, order};
  return TSR_OK;
}

tsr_status tsr_pointgrid_make_leaves(tsr_pointgrid_plan *plan, tsr_error *error) {
  const tsr_pointgrid_options *o = &plan->input.options;
  const int cpu_comes_next = o->balance != TSR_BALANCE_NONE || o->output == TSR_POINTGRID_TREE;
  plan->executor.done_first = 0.2;
  plan->executor.done_last = 0.3;
  const tsr_status status = plan->backend->sort(plan->device, &plan->input, &plan->sorted, error);
  return status == TSR_OK && cpu_comes_next && plan->base.on_device ? hand_over(plan, error)
                                                                    : status;
}

tsr_status tsr_pointgrid_make_corners(tsr_pointgrid_plan *plan, tsr_error *error) {
  int finest = 0;
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
    finest = plan->summary.of_level[level] > 0 ? level : finest;
  return tsr_pointgrid_find_corners(&plan->executor, &plan->sorted.leaves,
                                    plan->input.rule.dimension, finest, &plan->cells, error);
}

void tsr_pointgrid_drop_sorted(tsr_pointgrid_plan *plan) {
  tsr_executor *e = &plan->executor;
  if (!plan->backend) /* nothing was opened yet */
    return;
  e->free(e, plan->sorted.leaves.at);
  e->free(e, plan->sorted.order);
  e->free(e, plan->cells.corners);
  e->free(e, plan->cells.corner_of);
  memset(&plan->sorted, 0, sizeof plan->sorted);
  memset(&plan->cells, 0, sizeof plan->cells);
  tsr_pointgrid_leave_device(plan);
}
