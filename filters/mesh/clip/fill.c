/* SPDX-License-Identifier: BSD-3-Clause */
/** Clipped meshes: the fill. */
#include "mesh/clip/clip.h"

#include <string.h>

/** Points that a thread takes at a time. */
enum { GRAIN = 512 };

/* What the tasks below read and write. */
typedef struct filling {
  const tsr_mesh_clip *clip;
  const tsr_mesh_clip_output *out;
  const tsr_mesh_attribute *attribute;
  double *to; /* points x components */
} filling;

/* Where point i is, and which piece has it first. */
static const double *point(const tsr_mesh_clip *clip, int64_t i, const tsr_clip_piece **piece) {
  const int corners = clip->plan.mesh.dimension + 1;
  *piece = &clip->piece[clip->corner[i] / corners];
  return (*piece)->x[clip->corner[i] % corners];
}

static void put_points(void *data, int64_t begin, int64_t end) {
  const filling *it = data;
  const tsr_mesh *mesh = &it->clip->plan.mesh;
  const double unit = 1.0 / (double)((int64_t)1 << mesh->levels);
  for (int64_t i = begin; i < end; ++i) {
    const tsr_clip_piece *piece;
    const double *x = point(it->clip, i, &piece);
    for (int a = 0; a < 3; ++a) {
      const int axis = mesh->axis[a];
      if (it->out->points)
        it->out->points[3 * i + axis] =
            mesh->origin[axis] + (a < mesh->dimension ? x[a] * mesh->size : 0.0);
      if (it->out->places)
        it->out->places[3 * i + axis] = a < mesh->dimension ? x[a] * unit : 0.0;
    }
  }
}

static void put_values(void *data, int64_t begin, int64_t end) {
  const filling *it = data;
  const tsr_mesh *mesh = &it->clip->plan.mesh;
  const tsr_array *in = &it->attribute->in;
  for (int64_t i = begin; i < end; ++i) {
    const tsr_clip_piece *piece;
    const double *x = point(it->clip, i, &piece);
    tsr_mesh_spot spot = {.cell = piece->cell, .face = piece->face, .edge = piece->edge};
    tsr_mesh_shape shape;
    tsr_mesh_fan fan;
    double weights[8];
    memset(&fan, 0, sizeof fan); /* it is not set for cells that are no fans */
    tsr_bodies_locate(mesh, x, &spot);
    tsr_mesh_weigh(mesh, &spot, NULL, &fan, &shape, weights);
    for (int c = 0; c < in->components; ++c)
      it->to[i * in->components + c] = tsr_mesh_weighed(mesh, &fan, &shape, weights, in, c);
  }
}

/* Stores rows of values at the output's type, by the step that the octree has for it. */
static void store(void *data, int64_t begin, int64_t end) {
  const filling *it = data;
  tsr_mesh_value_job job;
  memset(&job, 0, sizeof job);
  job.out = it->attribute->out;
  job.array = it->attribute->in;
  job.columns = it->attribute->in.components;
  job.to = it->to;
  for (int64_t i = begin; i < end; ++i)
    tsr_mesh_put_point_tuple(&job, i);
}

static tsr_status fill_attribute(tsr_mesh_clip *clip, const tsr_mesh_attribute *attribute,
                                 tsr_error *error) {
  filling it = {.clip = clip, .attribute = attribute};
  tsr_executor *e = &clip->plan.executor;
  const size_t bytes = tsr_tuple_bytes(&attribute->in);
  const int64_t n = clip->sizes.points;
  if (!attribute->out)
    return TSR_OK;
  if (attribute->cell_data) {
    for (int64_t i = 0; i < clip->sizes.pieces; ++i)
      memcpy((char *)attribute->out + (size_t)i * bytes,
             (const char *)attribute->in.data + (size_t)clip->piece[i].cell * bytes, bytes);
    return TSR_OK;
  }
  TSR_MESH_TRY(tsr_mesh_alloc(&clip->plan, &it.to, n * attribute->in.components, sizeof *it.to,
                              "values at points of pieces", error));
  TSR_MESH_TRY(tsr_executor_run(e, put_values, &it, n, GRAIN, error));
  TSR_MESH_TRY(tsr_executor_run(e, store, &it, n, GRAIN, error));
  tsr_mesh_release(&clip->plan, &it.to);
  return TSR_OK;
}

static tsr_status check_attributes(const tsr_mesh_clip *clip, const tsr_mesh_clip_output *out,
                                   tsr_error *error) {
  const tsr_mesh_view *view = &clip->plan.view;
  for (int i = 0; i < out->n_attributes; ++i)
    TSR_MESH_TRY(tsr_check_array(&out->attributes[i].in, "an attribute", 0,
                                 out->attributes[i].cell_data ? view->n_cells : view->points.tuples,
                                 error));
  return TSR_OK;
}

tsr_status tsr_clip_write(void *data, const void *output, tsr_error *error) {
  tsr_mesh_clip *clip = data;
  const tsr_mesh_clip_output *out = output;
  const int corners = clip->sizes.dimension + 1;
  filling it = {.clip = clip, .out = out};
  tsr_executor *e = &clip->plan.executor;
  TSR_MESH_TRY(check_attributes(clip, out, error));
  if (clip->sizes.dimension == 0) {
    if (out->cut)
      memset(out->cut, 1, (size_t)clip->options.n_leaves);
    return TSR_OK;
  }
  if (out->cut)
    memcpy(out->cut, clip->cut, (size_t)clip->options.n_leaves);
  if (out->connectivity)
    memcpy(out->connectivity, clip->number,
           (size_t)(clip->sizes.pieces * corners) * sizeof *out->connectivity);
  for (int64_t i = 0; i < clip->sizes.pieces; ++i) {
    if (out->leaf)
      out->leaf[i] = clip->piece[i].leaf;
    if (out->source)
      out->source[i] = clip->piece[i].cell;
  }
  e->done_first = 0.9;
  e->done_last = 1.0;
  TSR_MESH_TRY(tsr_executor_run(e, put_points, &it, clip->sizes.points, GRAIN, error));
  for (int i = 0; i < out->n_attributes; ++i)
    TSR_MESH_TRY(fill_attribute(clip, &out->attributes[i], error));
  return TSR_OK;
}
