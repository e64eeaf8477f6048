/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: the fill. */
#include "grid/octree/octree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points and connectivity of leaves. */
static tsr_status fill_shape(tsr_octree_plan *plan, const tsr_grid_output *out, tsr_error *error) {
  const tsr_grid_sizes *sizes = &plan->sizes;
  const int64_t n = plan->entries.cells.n;
  tsr_octree_put put = tsr_octree_put_of(plan);
  tsr_executor *e = &plan->executor;
  put.hexahedra = out->hexahedra;
  memcpy(put.type_of, out->cell_type_of, sizeof put.type_of);
  put.type = out->points_type;
  TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_point, put, sizes->points, out->points,
                          3 * sizes->points * (int64_t)tsr_type_size(put.type), error));
  put.type = out->index_type;
  const int64_t index = (int64_t)tsr_type_size(put.type);
  TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_offsets, put, n + 1, out->offsets,
                          (sizes->cells + 1) * index, error));
  TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_connectivity, put, n, out->connectivity,
                          sizes->connectivity * index, error));
  TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_types, put, n, out->cell_type, sizes->cells, error));
  if (plan->grid.options.output == TSR_GRID_CONFORMING && out->hanging)
    memset(out->hanging, 0, (size_t)sizes->points);
  else
    TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_hanging, put, sizes->points, out->hanging,
                            sizes->points, error));
  return TSR_OK;
}

/* The largest ratio of measure to threshold. */
static tsr_status fill_indicator(tsr_octree_plan *plan, const tsr_grid_output *out,
                                 tsr_error *error) {
  const int64_t n = plan->entries.cells.n;
  tsr_octree_put put = tsr_octree_put_of(plan);
  tsr_octree_ratio_job job = {.entries = plan->entries};
  tsr_executor *e = &plan->executor;
  if (!out->indicator)
    return TSR_OK;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job.ratio, n, sizeof *job.ratio, "the indicator", error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_clear_ratio, job, n, error));
  for (int r = 0; r < plan->criteria.n; ++r) {
    tsr_octree_error_job looks = {
        .put = put, .rule = tsr_octree_rule_job_of(plan, r), .odd = TSR_INFINITY};
    if (tsr_octree_rule_looks(plan, r))
      TSR_OCTREE_TRY(tsr_octree_look_at_entries(plan, &looks, error));
    job.rule = looks.rule;
    job.looks = looks.looks;
    job.found = looks.found;
    TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_raise_ratio, job, n, error));
    tsr_octree_end_looks(plan, &looks);
  }
  put.values = job.ratio;
  TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_indicator, put, n, out->indicator,
                          plan->sizes.cells * (int64_t)sizeof *out->indicator, error));
  TSR_OCTREE_TRY(e->finish(e, NULL, error));
  tsr_octree_release(plan, &job.ratio);
  return TSR_OK;
}

/* What cells of every kind of output have. */
static tsr_status fill_cells(tsr_octree_plan *plan, const tsr_grid_output *out, tsr_error *error) {
  const int64_t n = plan->entries.cells.n, cells = plan->sizes.cells;
  tsr_octree_put put = tsr_octree_put_of(plan);
  tsr_executor *e = &plan->executor;
  TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_level, put, n, out->level,
                          cells * (int64_t)sizeof *out->level, error));
  TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_source, put, n, out->source_cell,
                          cells * (int64_t)sizeof *out->source_cell, error));
  TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_state, put, n, out->state, cells, error));
  TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_leaf_number, put, n, out->leaf,
                          cells * (int64_t)sizeof *out->leaf, error));
  return fill_indicator(plan, out, error);
}

/* Finds where the points of the output are in the input. */
static tsr_status need_source(tsr_octree_plan *plan, tsr_error *error) {
  tsr_octree_put put;
  TSR_OCTREE_TRY(tsr_octree_need_points(plan, error));
  if (plan->source || plan->entries.state)
    return TSR_OK;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &plan->source, plan->out.points.n, sizeof *plan->source,
                                  "the points of the output", error));
  put = tsr_octree_put_of(plan);
  return TSR_EACH(&plan->executor, tsr_octree_find_source, put, plan->out.points.n, error);
}

/* Finds the error of an attribute. put: with its array and values; looks: it is interpolated. */
static tsr_status find_error(tsr_octree_plan *plan, const tsr_grid_attribute *attribute, int looks,
                             const tsr_octree_put *put, tsr_error *error) {
  const int cell_data = attribute->cell_data == 1;
  tsr_octree_error_job job = {.put = *put,
                              .rule = tsr_octree_rule_job_of(plan, -1),
                              .cuts = put->kind == TSR_GRID_CONFORMING};
  tsr_executor *e = &plan->executor;
  double *values = NULL;
  if (attribute->samples.data && attribute->cell_data != 2)
    TSR_OCTREE_TRY(
        tsr_octree_take_samples(plan, &attribute->samples, cell_data, -1, &values, error));
  job.rule.rule.array = put->array;
  job.rule.values = put->values;
  job.rule.columns = job.rule.sample_columns = put->array.components;
  job.rule.sample_values = values;
  job.rule.samples = plan->samples[cell_data];
  job.rule.samples.begin = values ? job.rule.samples.begin : NULL;
  if (looks) {
    TSR_OCTREE_TRY(tsr_octree_look_at_entries(plan, &job, error));
    TSR_OCTREE_TRY(TSR_REDUCE(e, tsr_octree_largest, job, job.n_looks, attribute->error, error));
    tsr_octree_end_looks(plan, &job);
  } else {
    TSR_OCTREE_TRY(
        TSR_REDUCE(e, tsr_octree_error, job, plan->entries.cells.n, attribute->error, error));
  }
  tsr_octree_release(plan, &values);
  return TSR_OK;
}

/* Writes an attribute, and finds its error. put: with the attribute's array and values. */
static tsr_status put_attribute(tsr_octree_plan *plan, const tsr_grid_attribute *attribute,
                                int to_points, tsr_octree_put *put, tsr_error *error) {
  const int64_t n = to_points ? plan->sizes.points : plan->entries.cells.n;
  const int64_t bytes =
      (to_points ? plan->sizes.points : plan->sizes.cells) * (int64_t)tsr_tuple_bytes(&put->array);
  tsr_executor *e = &plan->executor;
  if (to_points)
    TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_point_tuple, *put, n, attribute->out, bytes, error));
  else
    TSR_OCTREE_TRY(TSR_MAKE(e, tsr_octree_put_cell_tuple, *put, n, attribute->out, bytes, error));
  return attribute->error ? find_error(plan, attribute, to_points, put, error) : TSR_OK;
}

static tsr_status fill_attribute(tsr_octree_plan *plan, const tsr_grid_attribute *attribute,
                                 tsr_error *error) {
  const int moved = attribute->cell_data == 2;
  const int at_points = !attribute->cell_data || moved;
  const int to_points = at_points && !plan->entries.state;
  tsr_executor *e = &plan->executor;
  double *values = NULL;
  tsr_array array = attribute->in;
  void *to;
  TSR_OCTREE_TRY(e->input(e, &attribute->in, 1, 0, &to, error));
  array.data = to;
  if (at_points)
    TSR_OCTREE_TRY(need_source(plan, error));
  if (at_points)
    TSR_OCTREE_TRY(tsr_octree_make_columns(plan, &attribute->in, &array, moved, -1,
                                           array.components, &values, error));
  tsr_octree_put put = tsr_octree_put_of(plan);
  put.array = array;
  put.values = values;
  put.cell_data = !at_points;
  put.corner_tuple = plan->corner_tuple;
  put.moved = moved;
  TSR_OCTREE_TRY(put_attribute(plan, attribute, to_points, &put, error));
  TSR_OCTREE_TRY(e->finish(e, to, error));
  tsr_octree_drop_columns(plan, &values);
  return TSR_OK;
}

/* Checks the arrays of attributes. */
static tsr_status check_attributes(const tsr_octree_plan *plan, const tsr_grid_output *out,
                                   tsr_error *error) {
  for (int i = 0; i < out->n_attributes; ++i) {
    const tsr_grid_attribute *a = &out->attributes[i];
    char name[64];
    if (!a->cell_data && !plan->cells.corners && plan->cells.points == 0)
      return tsr_fail(error, TSR_BAD_OPTION, i,
                      "attribute %d is a point array, and the octree has no points", i);
    TSR_OCTREE_TRY(tsr_check_array(&a->in, "an attribute", 0,
                                   a->cell_data ? plan->cells.n : plan->cells.points, error));
    snprintf(name, sizeof name, "the samples of attribute %d", i);
    if (a->samples.data && a->cell_data != 2)
      TSR_OCTREE_TRY(
          tsr_octree_check_sample_array(plan, &a->samples, &a->in, a->cell_data, name, error));
  }
  return TSR_OK;
}

tsr_status tsr_octree_fill(void *data, const void *output, tsr_error *error) {
  tsr_octree_plan *plan = data;
  const tsr_grid_output *out = output;
  TSR_OCTREE_TRY(check_attributes(plan, out, error));
  for (int i = 0; i < out->n_attributes; ++i)
    if (out->attributes[i].error)
      *out->attributes[i].error = 0.0;
  if (plan->sizes.dimension == 0 || plan->entries.cells.n == 0) {
    if (out->offsets)
      tsr_store_index(out->offsets, out->index_type, 0, 0);
    if (out->tree_first && plan->sizes.trees == 0)
      out->tree_first[0] = 0;
    return TSR_OK;
  }
  plan->executor.done_first = 0.4;
  plan->executor.done_last = 0.6;
  if (!plan->entries.state)
    TSR_OCTREE_TRY(fill_shape(plan, out, error));
  TSR_OCTREE_TRY(fill_cells(plan, out, error));
  if (out->tree_first && plan->tree_first)
    memcpy(out->tree_first, plan->tree_first,
           (size_t)(plan->sizes.trees + 1) * sizeof *out->tree_first);
  if (out->tree_root && plan->tree_root)
    memcpy(out->tree_root, plan->tree_root, (size_t)plan->sizes.trees * sizeof *plan->tree_root);
  if (out->patches && plan->patches)
    memcpy(out->patches, plan->patches, (size_t)plan->sizes.patches * sizeof *out->patches);
  plan->executor.done_first = 0.6;
  plan->executor.done_last = 1.0;
  for (int i = 0; i < out->n_attributes; ++i)
    TSR_OCTREE_TRY(fill_attribute(plan, &out->attributes[i], error));
  return plan->executor.finish(&plan->executor, NULL, error);
}
