/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the fill. */
#include "mesh/mesh.h"

#include <string.h>

static tsr_status fill_cells(tsr_mesh_plan *plan, const tsr_mesh_output *out, tsr_error *error) {
  const int64_t n = plan->tree.n, corners = (int64_t)1 << plan->mesh.dimension;
  tsr_mesh_value_job job = tsr_mesh_value_job_of(plan);
  tsr_executor *e = &plan->executor;
  TSR_MESH_TRY(TSR_MAKE(e, tsr_mesh_put_level, job, n, out->level, n, error));
  TSR_MESH_TRY(TSR_MAKE(e, tsr_mesh_put_index, job, n, out->index,
                        3 * n * (int64_t)sizeof *out->index, error));
  TSR_MESH_TRY(TSR_MAKE(e, tsr_mesh_put_corners, job, n, out->corners,
                        corners * n * (int64_t)sizeof *out->corners, error));
  TSR_MESH_TRY(TSR_MAKE(e, tsr_mesh_put_outside, job, n, out->outside, n, error));
  TSR_MESH_TRY(
      TSR_MAKE(e, tsr_mesh_put_inside, job, plan->corners.n, out->inside, plan->corners.n, error));
  return TSR_MAKE(e, tsr_mesh_put_source, job, n, out->source, n * (int64_t)sizeof *out->source,
                  error);
}

static tsr_status fill_places(tsr_mesh_plan *plan, const tsr_mesh_output *out, tsr_error *error) {
  const int64_t points = plan->mesh.points.tuples, cells = plan->mesh.n;
  tsr_mesh_value_job job = tsr_mesh_value_job_of(plan);
  tsr_executor *e = &plan->executor;
  TSR_MESH_TRY(TSR_MAKE(e, tsr_mesh_put_point_place, job, points, out->point_places,
                        3 * points * (int64_t)sizeof *out->point_places, error));
  return TSR_MAKE(e, tsr_mesh_put_cell_place, job, cells, out->cell_places,
                  3 * cells * (int64_t)sizeof *out->cell_places, error);
}

/* Writes a point array. */
static tsr_status fill_points(tsr_mesh_plan *plan, const tsr_mesh_attribute *attribute,
                              tsr_mesh_value_job *job, tsr_error *error) {
  const int64_t n = plan->corners.n;
  tsr_executor *e = &plan->executor;
  job->columns = attribute->in.components;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job->to, n * job->columns, sizeof *job->to,
                              "values at corners", error));
  for (int c = 0; c < job->columns; ++c) {
    job->component = job->column = c;
    TSR_MESH_TRY(tsr_mesh_make_values(plan, job, error));
  }
  TSR_MESH_TRY(TSR_MAKE(e, tsr_mesh_put_point_tuple, *job, n, attribute->out,
                        n * (int64_t)tsr_tuple_bytes(&attribute->in), error));
  TSR_MESH_TRY(e->finish(e, NULL, error));
  tsr_mesh_release(plan, &job->to);
  return TSR_OK;
}

static tsr_status fill_attribute(tsr_mesh_plan *plan, const tsr_mesh_attribute *attribute,
                                 tsr_error *error) {
  tsr_mesh_value_job job = tsr_mesh_value_job_of(plan);
  tsr_executor *e = &plan->executor;
  void *to;
  if (!attribute->out)
    return TSR_OK;
  TSR_MESH_TRY(e->input(e, &attribute->in, 1, 0, &to, error));
  job.array = attribute->in;
  job.array.data = to;
  if (attribute->cell_data) {
    job.columns = (int)tsr_tuple_bytes(&attribute->in);
    TSR_MESH_TRY(TSR_MAKE(e, tsr_mesh_put_cell_tuple, job, plan->tree.n, attribute->out,
                          plan->tree.n * job.columns, error));
  } else {
    TSR_MESH_TRY(fill_points(plan, attribute, &job, error));
  }
  return e->finish(e, to, error);
}

static tsr_status check_attributes(const tsr_mesh_plan *plan, const tsr_mesh_output *out,
                                   tsr_error *error) {
  for (int i = 0; i < out->n_attributes; ++i)
    TSR_MESH_TRY(tsr_check_array(
        &out->attributes[i].in, "an attribute", 0,
        out->attributes[i].cell_data ? plan->view.n_cells : plan->view.points.tuples, error));
  return TSR_OK;
}

/* Without a cell there is no place. */
static void fill_nothing(const tsr_mesh_plan *plan, const tsr_mesh_output *out) {
  for (int64_t i = 0; out->point_places && i < 3 * plan->view.points.tuples; ++i)
    out->point_places[i] = tsr_to_double((double)NAN);
  for (int64_t i = 0; out->cell_places && i < 3 * plan->view.n_cells; ++i)
    out->cell_places[i] = tsr_to_double((double)NAN);
}

tsr_status tsr_mesh_write(void *data, const void *output, tsr_error *error) {
  tsr_mesh_plan *plan = data;
  const tsr_mesh_output *out = output;
  int cell_data = out->source != NULL;
  TSR_MESH_TRY(check_attributes(plan, out, error));
  if (plan->sizes.dimension == 0) {
    fill_nothing(plan, out);
    return TSR_OK;
  }
  for (int i = 0; i < out->n_attributes; ++i)
    cell_data = cell_data || out->attributes[i].cell_data;
  plan->executor.done_first = 0.4;
  plan->executor.done_last = 0.6;
  if (cell_data)
    TSR_MESH_TRY(tsr_mesh_need_sources(plan, error));
  TSR_MESH_TRY(fill_cells(plan, out, error));
  TSR_MESH_TRY(fill_places(plan, out, error));
  plan->executor.done_first = 0.6;
  plan->executor.done_last = 1.0;
  for (int i = 0; i < out->n_attributes; ++i)
    TSR_MESH_TRY(fill_attribute(plan, &out->attributes[i], error));
  return plan->executor.finish(&plan->executor, NULL, error);
}
