/* SPDX-License-Identifier: BSD-3-Clause */
#include "solid_mesh.h"

#include <stdlib.h>
#include <string.h>

void *solid_mesh_room(int64_t n, size_t size) {
  void *memory = calloc((size_t)n + 1, size);
  if (!memory)
    abort();
  return memory;
}

void solid_mesh_free(solid_mesh *it) {
  free(it->points);
  free(it->values);
  free(it->achieved);
  free(it->offsets);
  free(it->ids);
  free(it->source);
  free(it->poly_ids);
  free(it->types);
  memset(it, 0, sizeof *it);
}

tsr_status solid_mesh_make(const cell_mesh *mesh, const tsr_cells_view *view,
                           const tsr_cells_options *options, const tsr_execution *execution,
                           solid_mesh *out, tsr_error *error) {
  tsr_cells_plan *plan = NULL;
  tsr_cells_output o;
  memset(out, 0, sizeof *out);
  tsr_status status = tsr_cells_plan_create(view, options, execution, &plan, error);
  if (status != TSR_OK)
    return status;
  out->sizes = *tsr_cells_plan_sizes(plan);
  const tsr_cells_sizes *s = &out->sizes;
  const int64_t cells = s->verts + s->lines + s->polys + s->solids;
  tsr_cells_output_init(&o);
  o.points_type = TSR_DOUBLE;
  o.points = out->points = solid_mesh_room(3 * s->points, sizeof *out->points);
  out->values = solid_mesh_room(CELL_MESH_VALUES * s->points, sizeof *out->values);
  o.solid_offsets = out->offsets = solid_mesh_room(s->solids, sizeof *out->offsets);
  o.solid_connectivity = out->ids = solid_mesh_room(s->solid_connectivity, sizeof *out->ids);
  o.solid_types = out->types = solid_mesh_room(s->solids, 1);
  o.poly_connectivity = out->poly_ids = solid_mesh_room(s->poly_connectivity, sizeof *out->ids);
  o.source_cell = out->source = solid_mesh_room(cells, sizeof *out->source);
  o.achieved = out->achieved = solid_mesh_room(cells, sizeof *out->achieved);
  const tsr_cells_attribute values = {{mesh->values, TSR_DOUBLE, CELL_MESH_VALUES, mesh->n_points},
                                      out->values};
  o.point_arrays = &values;
  o.n_point_arrays = 1;
  status = tsr_cells_fill(plan, &o, error);
  tsr_cells_plan_report(plan, &out->report);
  tsr_cells_plan_free(plan);
  return status;
}

long double solid_mesh_det(long double m[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

long double solid_mesh_volume(const long double *at[4]) {
  long double m[3][3];
  for (int k = 0; k < 3; k++)
    for (int c = 0; c < 3; c++)
      m[k][c] = at[k + 1][c] - at[0][c];
  return solid_mesh_det(m) / 6.0L;
}
