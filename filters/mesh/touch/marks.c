/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the table of the nodes that cells ask for. */
#include "mesh/mesh.h"

/* The first table has a place for 16 cells, and at least the least number. In bench_mesh without a
 * tolerance a block has 48 hexahedra or 550 tetrahedra, so that a third of the places is taken at
 * most; with a quarter of them, hexahedra would be looked at twice. */
enum { CELLS_OF_PLACE = 16, LEAST_PLACES = 1 << 10 };

/* A table that is full is replaced by one of this many times its size. The step over the cells ends
 * early in a table that is full, so that all tables before the last cost a seventh of it at most.
 */
enum { GROWTH = 8 };

static tsr_status make_table(tsr_mesh_plan *plan, int64_t room, tsr_error *error) {
  tsr_mesh_marks *marks = &plan->tree.marks;
  const char *what = "the nodes of the octree";
  tsr_mesh_release(plan, &marks->word);
  tsr_mesh_release(plan, &marks->asked);
  tsr_mesh_release(plan, &marks->wanted);
  marks->room = room;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &marks->word, room, sizeof *marks->word, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &marks->asked, room, sizeof *marks->asked, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &marks->wanted, room, sizeof *marks->wanted, what, error));
  return TSR_EACH(&plan->executor, tsr_mesh_clear_marks, *marks, room, error);
}

tsr_status tsr_mesh_make_marks(tsr_mesh_plan *plan, tsr_error *error) {
  int64_t room = LEAST_PLACES;
  while (room < plan->mesh.n / CELLS_OF_PLACE)
    room *= 2;
  TSR_MESH_TRY(
      tsr_mesh_alloc(plan, &plan->tree.marks.full, 1, 1, "the nodes of the octree", error));
  return make_table(plan, room, error);
}

tsr_status tsr_mesh_grow_marks(tsr_mesh_plan *plan, int *grown, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  uint8_t full;
  TSR_MESH_TRY(e->read(e, &full, plan->tree.marks.full, 1, error));
  *grown = full;
  return full ? make_table(plan, GROWTH * plan->tree.marks.room, error) : TSR_OK;
}

tsr_status tsr_mesh_list_nodes(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_nodes_job job = {.mesh = plan->mesh, .marks = plan->tree.marks};
  tsr_executor *e = &plan->executor;
  const int64_t room = job.marks.room;
  const char *what = "the nodes of the octree";
  int64_t n;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.before, room + 1, sizeof *job.before, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_count_blocks, job, room, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, job.before, room, &n, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.blocks, n, sizeof *job.blocks, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_put_blocks, job, room, error));
  TSR_MESH_TRY(tsr_mesh_sort_words(plan, &job.blocks, n, tsr_mesh_node_bits(&plan->mesh), error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_count_nodes, job, n, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, job.before, n, &plan->n_nodes, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.nodes, plan->n_nodes, sizeof *job.nodes, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_put_nodes, job, n, error));
  TSR_MESH_TRY(e->finish(e, NULL, error));
  tsr_mesh_release(plan, &job.before);
  tsr_mesh_release(plan, &job.blocks);
  plan->nodes = job.nodes;
  return TSR_OK;
}
