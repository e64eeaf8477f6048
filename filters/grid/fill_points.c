/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the fill of points: positions, point arrays, and the centres of cut leaves. */
#include "grid/fill.h"

#include <string.h>

/* One point array at one point, which is between these corners. constraint: NULL where the point
 * does not hang. kept: NULL, or receives the values in double. */
static void fill_point_attribute(const tsr_grid_plan *plan, const tsr_grid_attribute *attribute,
                                 int64_t id, const tsr_corners *corners,
                                 const tsr_constraint *constraint, double *kept) {
  const tsr_array *in = &attribute->in;
  const size_t bytes = tsr_tuple_bytes(in);
  if (corners->n == 1 && !constraint) {
    memcpy((char *)attribute->out + (size_t)id * bytes,
           (const char *)in->data + (size_t)corners->at[0] * bytes, bytes);
    return;
  }
  for (int c = 0; c < in->components; ++c) {
    const double value = constraint
                             ? tsr_constraint_value(&plan->input, &plan->tree, constraint, in, c)
                             : tsr_corners_value(corners, in, c);
    if (kept)
      kept[c] = value;
    if (attribute->out)
      tsr_store(tsr_value_at(attribute->out, in->type, id * in->components + c), in->type, 1,
                &value, 1);
  }
}

/* All point arrays at one point. */
static void fill_point_attributes(const tsr_grid_filler *f, int64_t id, const int64_t x[3],
                                  const tsr_constraint *constraint) {
  double *row = constraint ? tsr_hanging_row(&f->hanging, id) : NULL;
  tsr_corners corners;
  tsr_lattice_corners(&f->plan->input.lattice, x, &corners);
  for (int a = 0; a < f->out->n_attributes; ++a) {
    const tsr_grid_attribute *attribute = &f->out->attributes[a];
    if (attribute->cell_data)
      continue;
    if (attribute->out || row)
      fill_point_attribute(f->plan, attribute, id, &corners, constraint, row);
    row = row ? row + attribute->in.components : NULL;
  }
}

void tsr_grid_fill_point(void *data, int64_t id, const int64_t x[3]) {
  const tsr_grid_filler *f = data;
  const tsr_grid_plan *plan = f->plan;
  const tsr_grid_output *out = f->out;
  tsr_constraint found, *constraint = NULL;
  int64_t node[3];
  int level = 0;
  if (plan->input.options.constrain && tsr_constraint_find(&plan->input, &plan->tree, x, &found))
    constraint = &found;
  if (out->hanging && plan->input.options.constrain)
    out->hanging[id] = constraint != NULL;
  else if (out->hanging)
    out->hanging[id] =
        !plan->cuts.has && tsr_point_hangs(&plan->input, &plan->tree, x, &level, node);
  if (out->points) {
    double position[3];
    tsr_lattice_position(&plan->input.lattice, &plan->input.space, x, position);
    if (constraint && plan->input.space.geometry == TSR_GEOMETRY_POINTS)
      for (int c = 0; c < 3; ++c)
        position[c] = tsr_constraint_value(&plan->input, &plan->tree, constraint,
                                           &plan->input.space.points, c);
    tsr_store(tsr_value_at(out->points, out->points_type, 3 * id), out->points_type, 1, position,
              3);
  }
  fill_point_attributes(f, id, x, constraint);
}

void tsr_grid_fill_centre(const tsr_grid_filler *f, const tsr_cut *cut, int64_t id) {
  const tsr_grid_plan *plan = f->plan;
  const tsr_lattice *lattice = &plan->input.lattice;
  const tsr_grid_output *out = f->out;
  const int count = 1 << lattice->dimension;
  tsr_corners corners[8];
  double position[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < count; ++k) {
    double corner[3];
    int64_t x[3];
    tsr_cut_lattice(cut, 2 * (k & 1) + 6 * (k >> 1 & 1) + 18 * (k >> 2), x);
    tsr_lattice_corners(lattice, x, &corners[k]);
    tsr_lattice_position(lattice, &plan->input.space, x, corner);
    for (int c = 0; c < 3; ++c)
      position[c] += corner[c] / (double)count;
  }
  if (out->hanging)
    out->hanging[id] = 0;
  if (out->points)
    tsr_store(tsr_value_at(out->points, out->points_type, 3 * id), out->points_type, 1, position,
              3);
  for (int a = 0; a < out->n_attributes; ++a) {
    const tsr_grid_attribute *attribute = &out->attributes[a];
    for (int c = 0; c < attribute->in.components && !attribute->cell_data && attribute->out; ++c) {
      double sum = 0.0;
      for (int k = 0; k < count; ++k)
        sum += tsr_corners_value(&corners[k], &attribute->in, c);
      sum /= (double)count;
      tsr_store(tsr_value_at(attribute->out, attribute->in.type, id * attribute->in.components + c),
                attribute->in.type, 1, &sum, 1);
    }
  }
}
