/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: nodes that cells ask for, and corners that they may hold. */
#include "mesh/mesh.h"

/* Lists the corners that cells may hold: `hits` of them. The caller frees job->held. */
static tsr_status list_held(tsr_mesh_plan *plan, tsr_mesh_touch_job *job, int64_t hits,
                            tsr_error *error) {
  const int bits = plan->mesh.dimension * (plan->mesh.bits + 1);
  uint64_t *held;
  uint32_t *held_by;
  TSR_MESH_TRY(tsr_mesh_alloc_pairs(plan, &job->held, hits > 0 ? hits : 1, bits, error));
  job->held.n = hits;
  TSR_MESH_TRY(TSR_EACH(&plan->executor, tsr_mesh_put_held, *job, plan->mesh.n, error));
  TSR_MESH_TRY(tsr_mesh_sort(plan, &job->held, bits, &held, &held_by, error));
  plan->corners.n_held = hits;
  plan->corners.held = held;
  plan->corners.held_by = held_by;
  return TSR_OK;
}

tsr_status tsr_mesh_ask(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_touch_job job = {.hits = NULL};
  tsr_executor *e = &plan->executor;
  const int64_t n = plan->mesh.n;
  const char *what = "the cells of nodes";
  int64_t hits;
  int again;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &plan->mesh.boxes, 6 * n, sizeof(float), what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.hits, n + 1, sizeof *job.hits, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &plan->found, n, sizeof *plan->found, what, error));
  job.mesh = plan->mesh;
  job.found = plan->found;
  TSR_MESH_TRY(tsr_mesh_make_marks(plan, error));
  do {
    job.marks = plan->tree.marks;
    TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_touch, job, n, error));
    TSR_MESH_TRY(tsr_mesh_grow_marks(plan, &again, error));
  } while (again);
  TSR_MESH_TRY(tsr_mesh_sum(plan, job.hits, n, &hits, error));
  const tsr_status status = list_held(plan, &job, hits, error);
  e->free_pairs(e, &job.held);
  TSR_MESH_TRY(status);
  tsr_mesh_release(plan, &job.hits);
  return tsr_mesh_list_nodes(plan, error);
}
