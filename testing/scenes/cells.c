/* SPDX-License-Identifier: BSD-3-Clause */
/** Scenes of curved cells: a block of each shape beside linear cells and a curve. */
#include "cell_mesh.h"
#include "scene.h"
#include "solid_mesh.h"

#include <string.h>

/** What sets a scene apart from the plain one: what is 0 is as there. */
typedef struct settings {
  const char *name;
  int bezier, rational;
  int no_chord;      /**< 1: the field error alone */
  int curves, shape; /**< 1: edges come out; angles and edges of triangles are bounded */
  int merge;         /**< 1: points at equal positions become one */
  int solids;        /**< 1: volume cells become tetrahedra */
  int64_t budget;    /**< above 0: of points */
} settings;

static const settings all[] = {
    {.name = "cells of Lagrange, their edges", .curves = 1},
    {.name = "cells of Bezier by angles", .bezier = 1, .rational = 1, .shape = 1},
    {.name = "cells of Lagrange"},
    {.name = "cells of Lagrange, their insides", .solids = 1},
    {.name = "cells of Lagrange, merged", .merge = 1},
    {.name = "cells of Lagrange within a budget", .budget = 120},
    {.name = "cells of Lagrange by a field", .no_chord = 1},
    {.name = "cells of Bezier, polynomial", .bezier = 1},
    {.name = "cells of Bezier, rational", .bezier = 1, .rational = 1}};

typedef struct nodes {
  cell_mesh *mesh;
  double shift;
} nodes;

/* A node of a cell of its own, with weights and a field that are not even. */
static int64_t node(void *context, const double place[3]) {
  const nodes *it = context;
  const uint64_t seed = 10 * (uint64_t)it->mesh->n_points;
  double x[3];
  for (int c = 0; c < 3; c++)
    x[c] = place[c] + 0.1 * cell_mesh_random(seed + (uint64_t)c) + (c == 0 ? it->shift : 0.0);
  const int64_t id = cell_mesh_add_point(it->mesh, x);
  it->mesh->weights[id] = 0.5 + cell_mesh_random(seed + 5);
  it->mesh->values[CELL_MESH_VALUES * id + 2] = cell_mesh_random(seed + 6);
  return id;
}

static void make_mesh(const settings *set, cell_mesh *mesh) {
  static const int d[3] = {2, 2, 2}, flat[3] = {3, 2, 1};
  static const int64_t quad[4] = {0, 1, 2, 3};
  nodes it = {mesh, 0.0};
  for (int shape = 0; shape < 6; shape++, it.shift += 2.0)
    cell_mesh_add_lattice(mesh, (set->bezier ? 75 : 68) + shape, shape == 2 ? flat : d, node, &it);
  cell_mesh_add_cell(mesh, 9, d, quad, 4);
  cell_mesh_add_cell(mesh, 1, d, quad, 1);
}

/* Adds what the output Cells makes. */
static void make_solids(const cell_mesh *mesh, const tsr_cells_view *view,
                        const tsr_cells_options *o, const tsr_execution *execution,
                        scene_result *to) {
  solid_mesh out;
  to->status = solid_mesh_make(mesh, view, o, execution, &out, &to->error);
  if (to->status == TSR_OK) {
    const tsr_cells_sizes *s = &out.sizes;
    scene_add(to, s, sizeof *s);
    scene_add(to, out.points, (size_t)s->points * 24);
    scene_add(to, out.values, (size_t)s->points * CELL_MESH_VALUES * 8);
    scene_add(to, out.types, (size_t)s->solids);
    scene_add(to, out.ids, (size_t)s->solid_connectivity * 8);
    scene_add(to, out.achieved, (size_t)(s->verts + s->lines + s->polys + s->solids) * 8);
    to->report = out.report;
  }
  solid_mesh_free(&out);
}

/* As cell_surface_make, with a budget. */
static tsr_status fit_surface(const cell_mesh *mesh, const tsr_cells_view *view,
                              const tsr_cells_options *o, int64_t budget,
                              const tsr_execution *execution, cell_surface *out, tsr_error *error) {
  tsr_cells_plan *plan = NULL;
  double scale;
  memset(out, 0, sizeof *out);
  tsr_status status = tsr_cells_plan_create(view, o, execution, &plan, error);
  if (status == TSR_OK)
    status = tsr_cells_fit_budget(&plan, 1, budget, NULL, NULL, &scale, error);
  if (status == TSR_OK)
    status = cell_surface_fill(mesh, plan, out, error);
  tsr_cells_plan_free(plan);
  return status;
}

/* Adds what the other outputs make. */
static void make_surface(const cell_mesh *mesh, const tsr_cells_view *view,
                         const tsr_cells_options *o, int64_t budget, const tsr_execution *execution,
                         scene_result *to) {
  cell_surface out;
  to->status = budget > 0 ? fit_surface(mesh, view, o, budget, execution, &out, &to->error)
                          : cell_surface_make(mesh, view, o, execution, &out, &to->error);
  if (to->status == TSR_OK) {
    const tsr_cells_sizes *s = &out.sizes;
    const size_t cells = (size_t)(s->verts + s->lines + s->polys);
    scene_add(to, s, sizeof *s);
    scene_add(to, out.points, (size_t)s->points * 24);
    scene_add(to, out.values, (size_t)s->points * CELL_MESH_VALUES * 8);
    scene_add(to, out.polys, (size_t)s->poly_connectivity * 8);
    scene_add(to, out.lines, (size_t)s->line_connectivity * 8);
    scene_add(to, out.normals, (size_t)s->points * 12);
    scene_add(to, out.parameters, (size_t)s->points * 24);
    scene_add(to, out.parameter_cell, (size_t)s->points * 8);
    scene_add(to, out.achieved, cells * 8);
    scene_add(to, out.source, cells * 8);
    to->report = out.report;
  }
  cell_surface_free(&out);
}

static void run(const scene *shown, const tsr_execution *execution, scene_result *to) {
  const settings *set = shown->of;
  tsr_cells_options o;
  cell_mesh mesh = {0};
  make_mesh(set, &mesh);
  const tsr_cells_view view = cell_mesh_view(&mesh, set->rational);
  const tsr_array field = {mesh.values, TSR_DOUBLE, CELL_MESH_VALUES, mesh.n_points};
  tsr_cells_options_init(&o);
  o.use_chord_error = !set->no_chord;
  o.chord_error = o.field_error = set->solids || set->shape ? 0.3 : 0.05;
  o.fields = &field;
  o.n_fields = 1;
  o.output = set->curves ? TSR_CELLS_CURVES : set->solids ? TSR_CELLS_VOLUMES : TSR_CELLS_SURFACE;
  o.use_normal_angle = o.use_max_length = set->shape;
  o.normal_angle = 70.0;
  o.max_length = 0.6;
  if (set->shape) /* an emulated device is slow */
    o.max_segments = 8;
  o.merge_points = set->merge;
  o.defer_count = set->budget > 0;
  if (set->solids)
    make_solids(&mesh, &view, &o, execution, to);
  else
    make_surface(&mesh, &view, &o, set->budget, execution, to);
  cell_mesh_free(&mesh);
}

void scenes_of_cells(const scene_visit *visit) {
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    scene_show(visit, all[k].name, run, &all[k]);
}
