/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: where the steps of a fill read and write. */
#include "cells/placed.h"

#include <stdlib.h>
#include <string.h>

/* Arrays of an output beside point arrays and cell arrays. */
#define OWN_ARRAYS 14

/* Sets *to, a pointer, to where the steps write n values that the caller wants at `host`. */
static tsr_status place(tsr_cells_placed *it, tsr_cells_plan *plan, void *host, int64_t n,
                        size_t size, void *to, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  void *there = host;
  if (host && plan->base.on_device) {
    const tsr_status status = e->alloc(e, &there, n, size, "the output", error);
    if (status != TSR_OK)
      return status;
    it->copies[it->n_copies++] = (tsr_cells_copy){host, there, n * (int64_t)size};
  }
  memcpy(to, &there, sizeof there);
  return TSR_OK;
}

/* Sets what a target of n tuples reads and writes, and puts it where the steps read it. */
static tsr_status place_target(tsr_cells_placed *it, tsr_cells_plan *plan, tsr_cells_target target,
                               int64_t n, tsr_cells_target *to, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_cells_target_job job = {to, target};
  const size_t size = (size_t)target.in.components * tsr_value_size(target.type);
  void *there = NULL;
  tsr_status status = place(it, plan, target.out, n, size, &job.target.out, error);
  if (status == TSR_OK)
    status = e->input(e, &target.in, 1, 0, &there, error);
  if (status != TSR_OK)
    return status;
  it->inputs[it->n_inputs++] = there;
  job.target.in.data = there;
  return TSR_EACH(e, tsr_cells_put_target, job, 1, error);
}

/* Sets the targets of the points, then of point arrays and cell arrays. */
static tsr_status place_targets(tsr_cells_placed *it, tsr_cells_plan *plan,
                                const tsr_cells_output *out, tsr_cells_filler *filler,
                                tsr_error *error) {
  const tsr_cells_sizes *sizes = &plan->sizes;
  const int64_t cells = sizes->verts + sizes->lines + sizes->polys + sizes->solids;
  tsr_cells_target *to = it->targets;
  tsr_status status = TSR_OK;
  filler->points = to;
  if (out->points) {
    const tsr_cells_target points = {plan->view.points, out->points, out->points_type};
    status = place_target(it, plan, points, sizes->points, to++, error);
  }
  for (int k = 0; status == TSR_OK && k < out->n_point_arrays; ++k) {
    const tsr_cells_attribute *from = &out->point_arrays[k];
    const tsr_cells_target target = {from->in, from->out, from->in.type};
    status = place_target(it, plan, target, sizes->points, to++, error);
  }
  filler->n_points = (int)(to - filler->points);
  filler->cells = to;
  for (int k = 0; status == TSR_OK && k < out->n_cell_arrays; ++k) {
    const tsr_cells_attribute *from = &out->cell_arrays[k];
    const tsr_cells_target target = {from->in, from->out, from->in.type};
    status = place_target(it, plan, target, cells, to++, error);
  }
  filler->n_cells = (int)(to - filler->cells);
  return status;
}

/* Sets the places of all other arrays. */
static tsr_status place_own(tsr_cells_placed *it, tsr_cells_plan *plan, const tsr_cells_output *out,
                            tsr_cells_filler *filler, tsr_error *error) {
  const tsr_cells_sizes *s = &plan->sizes;
  const int64_t cells = s->verts + s->lines + s->polys + s->solids, points = s->points;
  const struct {
    void *host;
    int64_t n;
    size_t size;
    void *to;
  } arrays[OWN_ARRAYS] = {{out->vert_offsets, s->verts, 8, &filler->offsets[0]},
                          {out->line_offsets, s->lines, 8, &filler->offsets[1]},
                          {out->poly_offsets, s->polys, 8, &filler->offsets[2]},
                          {out->vert_connectivity, s->vert_connectivity, 8, &filler->ids[0]},
                          {out->line_connectivity, s->line_connectivity, 8, &filler->ids[1]},
                          {out->poly_connectivity, s->poly_connectivity, 8, &filler->ids[2]},
                          {out->source_cell, cells, 8, &filler->source},
                          {out->achieved, cells, sizeof(double), &filler->achieved},
                          {out->normals, 3 * points, sizeof(float), &filler->normals},
                          {out->parameters, 3 * points, sizeof(double), &filler->parameters},
                          {out->parameter_cell, points, 8, &filler->parameter_cell},
                          {out->solid_types, s->solids, 1, &filler->solid_types},
                          {out->solid_offsets, s->solids, 8, &filler->solid_offsets},
                          {out->solid_connectivity, s->solid_connectivity, 8, &filler->solid_ids}};
  tsr_status status = TSR_OK;
  for (int k = 0; status == TSR_OK && k < OWN_ARRAYS; ++k)
    status = place(it, plan, arrays[k].host, arrays[k].n, arrays[k].size, arrays[k].to, error);
  return status;
}

tsr_status tsr_cells_placed_open(tsr_cells_placed *it, tsr_cells_plan *plan,
                                 const tsr_cells_output *out, tsr_cells_filler *filler,
                                 tsr_error *error) {
  tsr_executor *e = &plan->executor;
  const int64_t targets = (int64_t)out->n_point_arrays + out->n_cell_arrays + 1;
  tsr_status status;
  it->copies = tsr_alloc(targets + OWN_ARRAYS, sizeof *it->copies, "the list of arrays", error);
  it->inputs =
      it->copies ? tsr_alloc(targets, sizeof *it->inputs, "the list of arrays", error) : NULL;
  if (!it->inputs)
    return TSR_NO_MEMORY;
  status =
      e->alloc(e, (void **)&it->targets, targets, sizeof *it->targets, "the list of arrays", error);
  if (status == TSR_OK)
    status = place_targets(it, plan, out, filler, error);
  return status == TSR_OK ? place_own(it, plan, out, filler, error) : status;
}

tsr_status tsr_cells_placed_bring(const tsr_cells_placed *it, tsr_cells_plan *plan,
                                  tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_status status = e->finish(e, NULL, error);
  for (int k = 0; status == TSR_OK && k < it->n_copies; ++k) {
    const tsr_cells_copy *copy = &it->copies[k];
    if (copy->bytes > 0)
      status = e->read(e, copy->host, copy->there, copy->bytes, error);
  }
  return status;
}

void tsr_cells_placed_close(tsr_cells_placed *it, tsr_cells_plan *plan) {
  tsr_executor *e = &plan->executor;
  tsr_error none;
  for (int k = 0; k < it->n_copies; ++k)
    e->free(e, it->copies[k].there);
  for (int k = 0; k < it->n_inputs; ++k)
    (void)e->finish(e, it->inputs[k], &none);
  e->free(e, it->targets);
  free(it->copies);
  free(it->inputs);
}
