/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Clipped meshes: the spine. This file calls the phases in the order of the work:
 *
 *     take                        the caller's structs, copied and checked
 *     make
 *       check_cells, make_lattice, find_boundary   of the room: the mesh in the lattice
 *       tsr_clip_make_boxes       search.c   a tree over the leaves
 *       tsr_clip_find_cells       touch.c    leaves that are cut, and cells of the mesh near them
 *       tsr_clip_make_pieces      pieces.c   intersections (source.c, body.c), as simplices
 *       tsr_clip_number_points    pieces.c
 *     tsr_clip_write              fill.c     every element once
 */
#include "mesh/clip/clip.h"

#include <string.h>

void tsr_mesh_clip_options_init(tsr_mesh_clip_options *options) {
  memset(options, 0, sizeof *options);
  options->struct_size = sizeof *options;
  tsr_mesh_options_init(&options->lattice);
}

void tsr_mesh_clip_output_init(tsr_mesh_clip_output *output) {
  memset(output, 0, sizeof *output);
  output->struct_size = sizeof *output;
}

static tsr_status take(void *data, const void *view, const void *options, tsr_error *error) {
  tsr_mesh_clip *clip = data;
  tsr_mesh_clip_options_init(&clip->options);
  TSR_MESH_TRY(tsr_copy_versioned(&clip->options, sizeof clip->options, options, "options",
                                  TSR_BAD_OPTION, error));
  TSR_MESH_TRY(tsr_check_list(clip->options.leaves, clip->options.n_leaves, "leaves",
                              TSR_BAD_OPTION, error));
  clip->plan.base.execution.backend = TSR_BACKEND_CPU;
  clip->options.lattice.fields = NULL;
  clip->options.lattice.n_fields = 0;
  return tsr_mesh_take(&clip->plan, view, &clip->options.lattice, error);
}

/* Brings the leaves to the inner axes. */
static tsr_status read_leaves(tsr_mesh_clip *clip, tsr_error *error) {
  const tsr_mesh *mesh = &clip->plan.mesh;
  const double unit = (double)((int64_t)1 << mesh->levels);
  TSR_MESH_TRY(tsr_mesh_alloc(&clip->plan, &clip->leaves, 4 * clip->options.n_leaves,
                              sizeof(double), "the leaves", error));
  for (int64_t i = 0; i < clip->options.n_leaves; ++i) {
    const double *from = clip->options.leaves + 4 * i;
    double *to = clip->leaves + 4 * i;
    const double side = from[3] * unit;
    int good = side >= 1.0 && side <= 1073741824.0;
    to[3] = side;
    to[2] = 0.0;
    for (int a = 0; a < mesh->dimension; ++a) {
      to[a] = from[mesh->axis[a]] * unit;
      good = good && to[a] >= 0.0 && to[a] <= 1073741824.0 && floor(to[a] / side) * side == to[a];
    }
    int64_t power = 1;
    while (good && (double)power < side)
      power *= 2;
    if (!good || (double)power != side)
      return tsr_fail(error, TSR_BAD_OPTION, i, "leaf %lld is no cell of the lattice",
                      (long long)i);
  }
  return TSR_OK;
}

static tsr_status make(void *data, tsr_error *error) {
  tsr_mesh_clip *clip = data;
  tsr_mesh_plan *plan = &clip->plan;
  tsr_executor *e = &plan->executor;
  memset(&clip->sizes, 0, sizeof clip->sizes);
  TSR_MESH_TRY(tsr_mesh_open(plan, error));
  e->done_first = 0.0;
  e->done_last = 0.1;
  TSR_MESH_TRY(tsr_mesh_check_cells(plan, error));
  if (plan->mesh.dimension == 0)
    return TSR_OK;
  clip->sizes.dimension = plan->mesh.dimension;
  TSR_MESH_TRY(tsr_mesh_make_lattice(plan, error));
  TSR_MESH_TRY(tsr_mesh_find_boundary(plan, error));
  TSR_MESH_TRY(read_leaves(clip, error));
  e->done_first = 0.1;
  e->done_last = 0.3;
  TSR_MESH_TRY(tsr_clip_make_boxes(clip, error));
  TSR_MESH_TRY(tsr_clip_find_cells(clip, error));
  e->done_first = 0.4;
  e->done_last = 0.8;
  TSR_MESH_TRY(tsr_clip_make_pieces(clip, error));
  return tsr_clip_number_points(clip, error);
}

static void drop(void *data) {
  tsr_mesh_clip *clip = data;
  tsr_mesh_clip none;
  tsr_mesh_close(&clip->plan);
  memset(&none, 0, sizeof none);
  none.plan.base = clip->plan.base;
  none.plan.view = clip->plan.view;
  none.plan.options = clip->plan.options;
  none.options = clip->options;
  *clip = none;
}

static const tsr_plan_steps STEPS = {.size = sizeof(tsr_mesh_clip),
                                     .take = take,
                                     .make = make,
                                     .fill = tsr_clip_write,
                                     .drop = drop,
                                     .on_host_only = "clipped cells"};

tsr_status tsr_mesh_clip_create(const tsr_mesh_view *view, const tsr_mesh_clip_options *options,
                                const tsr_execution *execution, tsr_mesh_clip **clip,
                                tsr_error *error) {
  return tsr_plan_create(&STEPS, view, options, execution, clip, error);
}

void tsr_mesh_clip_free(tsr_mesh_clip *clip) { tsr_plan_free(&STEPS, clip); }

const tsr_mesh_clip_sizes *tsr_mesh_clip_plan_sizes(const tsr_mesh_clip *clip) {
  return &clip->sizes;
}

tsr_status tsr_mesh_clip_fill(tsr_mesh_clip *clip, const tsr_mesh_clip_output *output,
                              tsr_error *error) {
  tsr_mesh_clip_output out;
  tsr_mesh_clip_output_init(&out);
  TSR_MESH_TRY(tsr_copy_versioned(&out, sizeof out, output, "output", TSR_BAD_OPTION, error));
  TSR_MESH_TRY(
      tsr_check_list(out.attributes, out.n_attributes, "attributes", TSR_BAD_OPTION, error));
  return tsr_plan_fill(&STEPS, clip, &out, error);
}
