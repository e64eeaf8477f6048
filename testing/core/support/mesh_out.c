/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh_case.h"

#include <stdlib.h>
#include <string.h>

static void *poisoned(int64_t n, size_t size) {
  const size_t bytes = (size_t)(n > 0 ? n : 1) * size;
  void *at = malloc(bytes);
  memset(at, 0x5a, bytes);
  return at;
}

static void alloc_out(const mesh_case *it, mesh_out *out) {
  const int64_t n = out->sizes.n, points = out->sizes.points;
  out->level = poisoned(n, 1);
  out->outside = poisoned(n, 1);
  out->inside = poisoned(points, 1);
  out->index = poisoned(3 * n, sizeof(int32_t));
  out->corners = poisoned(n << out->sizes.dimension, sizeof(int64_t));
  out->source = poisoned(n, sizeof(int64_t));
  out->number = poisoned(n, sizeof(int64_t));
  out->point_places = poisoned(3 * it->n_points, sizeof(double));
  out->cell_places = poisoned(3 * it->n_cells, sizeof(double));
  out->linear = poisoned(points, sizeof(double));
  out->front = poisoned(points, sizeof(double));
  out->pair = poisoned(2 * points, sizeof(int32_t));
}

tsr_status mesh_run(const mesh_case *it, const tsr_mesh_options *options,
                    const tsr_execution *execution, mesh_out *out) {
  tsr_mesh_plan *plan;
  tsr_mesh_output o;
  memset(out, 0, sizeof *out);
  out->status = tsr_mesh_plan_create(&it->view, options, execution, &plan, &out->error);
  if (out->status != TSR_OK)
    return out->status;
  out->sizes = *tsr_mesh_plan_sizes(plan);
  alloc_out(it, out);
  const tsr_mesh_attribute attributes[4] = {
      {{it->linear, TSR_DOUBLE, 1, it->n_points}, 0, out->linear},
      {{it->front, TSR_DOUBLE, 1, it->n_points}, 0, out->front},
      {{it->pair, TSR_INT32, 2, it->n_points}, 0, out->pair},
      {{it->number, TSR_INT64, 1, it->n_cells}, 1, out->number}};
  tsr_mesh_output_init(&o);
  o.level = out->level;
  o.index = out->index;
  o.corners = out->corners;
  o.outside = out->outside;
  o.inside = out->inside;
  o.source = out->source;
  o.point_places = out->point_places;
  o.cell_places = out->cell_places;
  o.attributes = attributes;
  o.n_attributes = 4;
  out->status = tsr_mesh_fill(plan, &o, &out->error);
  tsr_mesh_plan_report(plan, &out->report);
  tsr_mesh_plan_free(plan);
  return out->status;
}

void mesh_out_free(mesh_out *out) {
  free(out->level);
  free(out->outside);
  free(out->inside);
  free(out->index);
  free(out->corners);
  free(out->source);
  free(out->number);
  free(out->point_places);
  free(out->cell_places);
  free(out->linear);
  free(out->front);
  free(out->pair);
  memset(out, 0, sizeof *out);
}

const char *mesh_difference(const mesh_case *it, const mesh_out *one, const mesh_out *other) {
  const size_t n = (size_t)one->sizes.n, points = (size_t)one->sizes.points;
  if (one->status != other->status)
    return "status";
  if (memcmp(&one->sizes, &other->sizes, sizeof one->sizes) != 0)
    return "sizes";
  if (one->status != TSR_OK)
    return NULL;
#define SAME(MEMBER, BYTES)                                                                        \
  if (memcmp(one->MEMBER, other->MEMBER, (BYTES)) != 0)                                            \
  return #MEMBER
  SAME(level, n);
  SAME(outside, n);
  SAME(inside, points);
  SAME(index, 3 * n * sizeof(int32_t));
  SAME(corners, (n << one->sizes.dimension) * sizeof(int64_t));
  SAME(source, n * sizeof(int64_t));
  SAME(number, n * sizeof(int64_t));
  SAME(point_places, 3 * (size_t)it->n_points * sizeof(double));
  SAME(cell_places, 3 * (size_t)it->n_cells * sizeof(double));
  SAME(linear, points * sizeof(double));
  SAME(front, points * sizeof(double));
  SAME(pair, 2 * points * sizeof(int32_t));
#undef SAME
  return NULL;
}
