/* SPDX-License-Identifier: BSD-3-Clause */
/** Scenes of unstructured meshes as octrees. */
#include "mesh_case.h"
#include "scene.h"

#include <stdlib.h>

/** What sets a scene apart from the plain one: what is 0 is as there. */
typedef struct settings {
  const char *name;
  mesh_kind kind;
  double grading, tolerance;
  int whole, clip;
} settings;

static const settings all[] = {
    {.name = "octree of tetrahedra", .kind = MESH_TETS_6},
    {.name = "octree of graded hexahedra", .kind = MESH_HEXES, .grading = 30.0},
    {.name = "octree of mixed cells, divided by a field",
     .kind = MESH_MIXED,
     .grading = 30.0,
     .tolerance = 0.05},
    {.name = "octree wholly inside polyhedra", .kind = MESH_POLYHEDRA, .whole = 1},
    {.name = "octree of polygons", .kind = MESH_POLYGONS},
    {.name = "leaves cut at hexahedra", .kind = MESH_HEXES, .clip = 1},
    {.name = "leaves cut at triangles", .kind = MESH_TRIANGLES, .clip = 1},
};

typedef struct mesh_scene {
  const settings *set;
  const mesh_case *mesh;
} mesh_scene;

/* Cuts cells of level 0, which cover the mesh. */
static void clip(const mesh_case *mesh, const tsr_mesh_options *options, const mesh_out *tree,
                 const tsr_execution *execution, scene_result *to) {
  const tsr_mesh_sizes *sizes = &tree->sizes;
  const int64_t n =
      (int64_t)sizes->cells[0] * sizes->cells[1] * (sizes->cells[2] > 0 ? sizes->cells[2] : 1);
  double *leaves = calloc((size_t)n, 4 * sizeof *leaves), *linear = NULL;
  tsr_mesh_clip_options clip_options;
  tsr_mesh_clip_output out;
  tsr_mesh_clip *plan = NULL;
  for (int64_t i = 0; i < n; ++i) {
    leaves[4 * i] = (double)(i % sizes->cells[0]);
    leaves[4 * i + 1] = (double)(i / sizes->cells[0] % sizes->cells[1]);
    leaves[4 * i + 2] = (double)(i / sizes->cells[0] / sizes->cells[1]);
    leaves[4 * i + 3] = 1.0;
  }
  tsr_mesh_clip_options_init(&clip_options);
  clip_options.lattice = *options;
  clip_options.leaves = leaves;
  clip_options.n_leaves = n;
  to->status = tsr_mesh_clip_create(&mesh->view, &clip_options, execution, &plan, &to->error);
  if (to->status == TSR_OK) {
    const tsr_mesh_clip_sizes found = *tsr_mesh_clip_plan_sizes(plan);
    const tsr_mesh_attribute attribute = {{mesh->linear, TSR_DOUBLE, 1, mesh->n_points},
                                          0,
                                          linear =
                                              calloc((size_t)found.points + 1, sizeof *linear)};
    tsr_mesh_clip_output_init(&out);
    out.attributes = &attribute;
    out.n_attributes = 1;
    to->status = tsr_mesh_clip_fill(plan, &out, &to->error);
    scene_add(to, &found, sizeof found);
    scene_add(to, linear, (size_t)found.points * sizeof *linear);
  }
  tsr_mesh_clip_free(plan);
  free(linear);
  free(leaves);
}

static void run(const scene *it, const tsr_execution *execution, scene_result *to) {
  const mesh_scene *of = it->of;
  const mesh_case *mesh = of->mesh;
  const tsr_mesh_field field = {
      {mesh->front, TSR_DOUBLE, 1, mesh->n_points}, of->set->tolerance, 1};
  tsr_mesh_options options;
  mesh_out out;
  tsr_mesh_options_init(&options);
  options.cell_size = of->set->grading > 0.0 ? 0.08 : 0.0;
  options.fields = &field;
  options.n_fields = of->set->tolerance > 0.0;
  options.whole_cells = of->set->whole;
  to->status = mesh_run(mesh, &options, execution, &out);
  to->error = out.error;
  to->report = out.report;
  if (out.status == TSR_OK) {
    scene_add(to, &out.sizes, sizeof out.sizes);
    scene_add(to, out.corners, (size_t)(out.sizes.n << out.sizes.dimension) * sizeof *out.corners);
    scene_add(to, out.front, (size_t)out.sizes.points * sizeof *out.front);
    scene_add(to, out.source, (size_t)out.sizes.n * sizeof *out.source);
  }
  if (out.status == TSR_OK && of->set->clip)
    clip(mesh, &options, &out, execution, to);
  mesh_out_free(&out);
}

void scenes_of_meshes(const scene_visit *visit) {
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
    const mesh_recipe recipe = {.seed = 1u + (unsigned)k,
                                .kind = all[k].kind,
                                .n = {4, 3, 3},
                                .jitter = all[k].kind == MESH_POLYGONS ? 0.0 : 0.2,
                                .scale = {0.3, 0.3, 0.3},
                                .grading = all[k].grading};
    mesh_case mesh = mesh_case_make(&recipe);
    const mesh_scene of = {&all[k], &mesh};
    scene_show(visit, all[k].name, run, &of);
    mesh_case_free(&mesh);
  }
}
