/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: faces at the boundary, for octrees of whole cells. */
#include "mesh/mesh.h"

static tsr_status sort_faces(tsr_mesh_plan *plan, tsr_mesh_boundary_job *job, int64_t faces,
                             tsr_error *error) {
  tsr_executor *e = &plan->executor;
  TSR_MESH_TRY(e->alloc_pairs(e, &job->pairs, faces, "the faces of the mesh", error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_hash_faces, *job, plan->mesh.n, error));
  TSR_MESH_TRY(e->sort(e, &job->pairs, 64, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_find_open, *job, faces, error));
  return e->finish(e, NULL, error);
}

tsr_status tsr_mesh_find_boundary(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_boundary_job job = {.mesh = plan->mesh};
  tsr_executor *e = &plan->executor;
  const int64_t n = plan->mesh.n;
  const char *what = "the faces of the mesh";
  int64_t faces;
  tsr_status status;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.first, n + 1, sizeof *job.first, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_count_faces, job, n, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, job.first, n, &faces, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.second, faces, sizeof *job.second, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.open, faces, 1, what, error));
  status = sort_faces(plan, &job, faces, error);
  e->free_pairs(e, &job.pairs);
  tsr_mesh_release(plan, &job.second);
  plan->boundary_first = job.first;
  plan->boundary_open = job.open;
  return status;
}

tsr_status tsr_mesh_drop_open(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_boundary_job job = {.mesh = plan->mesh, .tree = plan->tree};
  job.first = plan->boundary_first;
  job.open = plan->boundary_open;
  return TSR_EACH(&plan->executor, tsr_mesh_flag_open, job, plan->tree.n, error);
}
