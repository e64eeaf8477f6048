/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: values at corners, and leaves that fields split. */
#include "mesh/mesh.h"

#include <string.h>

tsr_mesh_value_job tsr_mesh_value_job_of(const tsr_mesh_plan *plan) {
  tsr_mesh_value_job job;
  memset(&job, 0, sizeof job);
  job.mesh = plan->mesh;
  job.tree = plan->tree;
  job.corners = plan->corners;
  return job;
}

/* Range of a component, without values that are not numbers. */
static tsr_status find_range(tsr_mesh_plan *plan, const tsr_array *array, int component,
                             tsr_mesh_range *range, tsr_error *error) {
  const tsr_mesh_range_job job = {*array, component};
  return TSR_REDUCE(&plan->executor, tsr_mesh_values, job, array->tuples, range, error);
}

tsr_status tsr_mesh_make_values(tsr_mesh_plan *plan, tsr_mesh_value_job *job, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  const int real = job->array.type == TSR_FLOAT || job->array.type == TSR_DOUBLE;
  if (plan->options.extrapolate && real)
    job->range = (tsr_mesh_range){-HUGE_VAL, HUGE_VAL};
  else
    TSR_MESH_TRY(find_range(plan, &job->array, job->component, &job->range, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_put_value, *job, plan->corners.n, error));
  for (job->step = 1; job->step <= plan->layers; ++job->step)
    TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_put_mean, *job, plan->corners.n_far, error));
  return TSR_OK;
}

/* Flags the points where a field is off. */
static tsr_status compare_field(tsr_mesh_plan *plan, const tsr_mesh_field *field,
                                tsr_mesh_value_job *job, tsr_error *error) {
  const int components = field->array.components;
  tsr_executor *e = &plan->executor;
  tsr_mesh_range all = tsr_mesh_values_none(), one;
  void *to;
  TSR_MESH_TRY(e->input(e, &field->array, 1, 1, &to, error));
  job->array = field->array;
  job->array.data = to;
  for (int c = 0; c < components && field->relative; ++c) {
    TSR_MESH_TRY(find_range(plan, &job->array, c, &one, error));
    tsr_mesh_values_join(&all, &one);
  }
  job->tolerance = field->tolerance;
  if (field->relative)
    job->tolerance *= all.high > all.low ? all.high - all.low : 0.0;
  for (job->component = 0; job->component < components; ++job->component) {
    TSR_MESH_TRY(tsr_mesh_make_values(plan, job, error));
    TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_compare, *job, plan->mesh.points.tuples, error));
  }
  return TSR_OK;
}

/* Lists the leaves of n flagged points: the next round splits them. */
static tsr_status take_split(tsr_mesh_plan *plan, tsr_mesh_value_job *job, int64_t n,
                             tsr_error *error) {
  const int64_t points = plan->mesh.points.tuples;
  tsr_executor *e = &plan->executor;
  uint64_t *sorted;
  TSR_MESH_TRY(
      tsr_mesh_alloc(plan, &job->words, n, sizeof *job->words, "the nodes of the octree", error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_put_off, *job, points, error));
  TSR_MESH_TRY(tsr_mesh_sort_words(plan, &job->words, n, tsr_mesh_node_bits(&plan->mesh), error));
  sorted = job->words;
  tsr_mesh_release(plan, &plan->more);
  plan->more = sorted;
  plan->n_more = n;
  TSR_MESH_TRY(tsr_mesh_keep_unique(plan, &plan->more, &plan->n_more, error));
  tsr_mesh_release(plan, &sorted);
  return TSR_OK;
}

tsr_status tsr_mesh_split_by_fields(tsr_mesh_plan *plan, int *done, tsr_error *error) {
  const int64_t points = plan->mesh.points.tuples;
  const char *what = "the errors of fields";
  tsr_mesh_value_job job = tsr_mesh_value_job_of(plan);
  tsr_executor *e = &plan->executor;
  int64_t n;
  job.columns = 1;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.to, plan->corners.n, sizeof *job.to, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.off, points, 1, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.before, points + 1, sizeof *job.before, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_clear_off, job, points, error));
  for (int k = 0; k < plan->options.n_fields; ++k)
    TSR_MESH_TRY(compare_field(plan, &plan->options.fields[k], &job, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_count_off, job, points, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, job.before, points, &n, error));
  *done = n == 0;
  if (n > 0)
    TSR_MESH_TRY(take_split(plan, &job, n, error));
  tsr_mesh_release(plan, &job.to);
  tsr_mesh_release(plan, &job.off);
  tsr_mesh_release(plan, &job.before);
  return TSR_OK;
}
