/* SPDX-License-Identifier: BSD-3-Clause */
/** Scenes of unstructured meshes as octrees. */
#include "mesh_case.h"
#include "scene.h"

/** What sets a scene apart from the plain one: what is 0 is as there. */
typedef struct settings {
  const char *name;
  mesh_kind kind;
  double grading, tolerance;
  int whole;
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
};

typedef struct mesh_scene {
  const settings *set;
  const mesh_case *mesh;
} mesh_scene;

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
