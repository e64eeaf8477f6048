/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the output of a plan: cells or points, and attributes. */
#include "pointgrid/plan.h"
#include "pointgrid/steps.h"

#include <stdlib.h>
#include <string.h>

static tsr_pointgrid_put put_of(const tsr_pointgrid_plan *plan) {
  const tsr_pointgrid_put put = {.leaves = plan->sorted.leaves.at,
                                 .n_leaves = plan->sorted.leaves.n,
                                 .n_points = plan->input.n_items,
                                 .first = plan->sizes.first_leaf,
                                 .order = plan->sorted.order,
                                 .indices = plan->cells.corner_of,
                                 .corners = plan->cells.corners,
                                 .cube = plan->input.cube};
  return put;
}

/** Makes offsets: multiples of the number of a cell's points. */
static tsr_status put_offsets(tsr_pointgrid_plan *plan, const tsr_pointgrid_output *out,
                              int64_t step, tsr_error *error) {
  const int64_t n = plan->sizes.cells + 1;
  tsr_pointgrid_put put = {.type = out->index_type, .step = step};
  return TSR_MAKE(&plan->executor, tsr_pointgrid_put_multiple, put, n, out->offsets,
                  n * (int64_t)tsr_type_size(put.type), error);
}

static tsr_status fill_cells(tsr_pointgrid_plan *plan, const tsr_pointgrid_output *out,
                             tsr_error *error) {
  const tsr_pointgrid_sizes *sizes = &plan->sizes;
  const int64_t n = sizes->cells, points = sizes->points, slots = sizes->connectivity;
  tsr_executor *e = &plan->executor;
  tsr_pointgrid_put put = put_of(plan);
  put.type = out->points_type;
  tsr_status status = TSR_MAKE(e, tsr_pointgrid_put_corner, put, points, out->points,
                               3 * points * (int64_t)tsr_type_size(put.type), error);
  if (status == TSR_OK)
    status = put_offsets(plan, out, (int64_t)1 << sizes->dimension, error);
  put.type = out->index_type;
  if (status == TSR_OK)
    status = TSR_MAKE(e, tsr_pointgrid_put_index, put, slots, out->connectivity,
                      slots * (int64_t)tsr_type_size(put.type), error);
  if (status == TSR_OK)
    status = TSR_MAKE(e, tsr_pointgrid_put_level, put, n, out->level,
                      n * (int64_t)sizeof *out->level, error);
  if (status == TSR_OK)
    status = TSR_MAKE(e, tsr_pointgrid_put_count, put, n, out->count,
                      n * (int64_t)sizeof *out->count, error);
  if (status == TSR_OK)
    status = TSR_MAKE(e, tsr_pointgrid_put_density, put, n, out->density,
                      n * (int64_t)sizeof *out->density, error);
  if (status == TSR_OK && out->state)
    memset(out->state, TSR_POINTGRID_LEAF, (size_t)n);
  return status;
}

static tsr_status fill_points(tsr_pointgrid_plan *plan, const tsr_pointgrid_output *out,
                              tsr_error *error) {
  const int64_t n = plan->sizes.points;
  const int64_t runs = (n + TSR_POINTGRID_RUN - 1) / TSR_POINTGRID_RUN;
  tsr_executor *e = &plan->executor;
  tsr_pointgrid_put put = put_of(plan);
  void *points;
  tsr_status status = e->input(e, &plan->input.points, 1, 1, &points, error);
  put.array = plan->input.points;
  put.array.data = points;
  put.type = out->points_type;
  if (status == TSR_OK)
    status = TSR_MAKE(e, tsr_pointgrid_put_point, put, n, out->points,
                      3 * n * (int64_t)tsr_type_size(put.type), error);
  if (status == TSR_OK)
    status = put_offsets(plan, out, 1, error);
  put.type = out->index_type;
  put.step = 1;
  if (status == TSR_OK)
    status = TSR_MAKE(e, tsr_pointgrid_put_multiple, put, n, out->connectivity,
                      n * (int64_t)tsr_type_size(put.type), error);
  if (status == TSR_OK)
    status = TSR_MAKE(e, tsr_pointgrid_put_point_levels, put, runs, out->level,
                      n * (int64_t)sizeof *out->level, error);
  if (status == TSR_OK)
    status = TSR_MAKE(e, tsr_pointgrid_put_point_leaves, put, runs, out->leaf,
                      n * (int64_t)sizeof *out->leaf, error);
  put.type = TSR_INT64;
  put.indices = put.order;
  if (status == TSR_OK)
    status = TSR_MAKE(e, tsr_pointgrid_put_index, put, n, out->source_point,
                      n * (int64_t)sizeof *out->source_point, error);
  return status;
}

/** Everything but the attributes. */
static tsr_status fill_structure(tsr_pointgrid_plan *plan, const tsr_pointgrid_part *part,
                                 tsr_error *error) {
  plan->executor.done_first = 0.4;
  plan->executor.done_last = 0.6;
  switch (plan->input.options.output) {
  case TSR_POINTGRID_POINTS:
    return fill_points(plan, part->out, error);
  case TSR_POINTGRID_TREE:
    return tsr_pointgrid_fill_tree(&plan->input, &plan->sorted.leaves, part->walk, part->out,
                                   error);
  default:
    return fill_cells(plan, part->out, error);
  }
}

/** POINTS: puts the tuples of an attribute in the order of the leaves. */
static tsr_status gather_tuples(tsr_pointgrid_plan *plan, const tsr_pointgrid_attribute *attribute,
                                tsr_error *error) {
  const int64_t n = plan->sizes.points;
  tsr_executor *e = &plan->executor;
  tsr_pointgrid_put put = put_of(plan);
  void *values;
  if (!attribute->out)
    return TSR_OK;
  tsr_status status = e->input(e, &attribute->in, 1, 0, &values, error);
  if (status != TSR_OK)
    return status;
  put.array = attribute->in;
  put.array.data = values;
  put.step = (int64_t)tsr_type_size(put.array.type);
  status = TSR_MAKE(e, tsr_pointgrid_put_tuple, put, n, attribute->out,
                    n * (int64_t)tsr_tuple_bytes(&put.array), error);
  return status == TSR_OK ? e->finish(e, values, error) : status;
}

tsr_status tsr_pointgrid_fill_part(tsr_pointgrid_plan *plan, const tsr_pointgrid_part *part,
                                   tsr_error *error) {
  if (!part->attribute)
    return fill_structure(plan, part, error);
  plan->executor.done_first = 0.6;
  plan->executor.done_last = 1.0;
  if (plan->input.options.output == TSR_POINTGRID_POINTS)
    return gather_tuples(plan, part->attribute, error);
  return plan->backend->values(plan->device, &plan->input, &plan->sorted, part->walk->leaf_of,
                               plan->sizes.cells, part->attribute, error);
}

tsr_status tsr_pointgrid_agree_on_attributes(const tsr_pointgrid_plan *plan,
                                             const tsr_pointgrid_output *output, tsr_status mine,
                                             tsr_error *error) {
  const tsr_processes *processes = &plan->base.processes;
  const int n = mine == TSR_OK ? output->n_attributes : 0;
  const int64_t bytes = n * 2 * (int64_t)sizeof(int32_t); /* type and components of each */
  int64_t total;
  void *all;
  if (!plan->route.way.sent)
    return mine;
  tsr_error *own_error = mine == TSR_OK ? error : NULL; /* what failed first is told */
  int32_t *own = tsr_alloc(bytes, 1, "a message", own_error);
  int64_t *sizes = tsr_alloc(processes->n, sizeof *sizes, "a message", own_error);
  tsr_status status = mine == TSR_OK && (!own || !sizes) ? TSR_NO_MEMORY : mine;
  for (int i = 0; status == TSR_OK && i < n; ++i) {
    own[2 * i] = (int32_t)output->attributes[i].in.type;
    own[2 * i + 1] = output->attributes[i].in.components;
  }
  status = tsr_processes_gather_bytes(processes, status, own, bytes, &all, sizes, &total, error);
  const char *at = all;
  for (int rank = 0; status == TSR_OK && rank < processes->n; at += sizes[rank++])
    if (sizes[rank] != bytes || memcmp(at, own, (size_t)bytes) != 0)
      status = tsr_fail(error, TSR_BAD_INPUT, -1,
                        "the processes do not have the same attributes to fill");
  free(own);
  free(sizes);
  free(all);
  return status;
}
