/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the list of the cells that touch the nodes that are wanted. */
#include "mesh/mesh.h"

/* Writes the pairs, and sorts them. The caller frees job->pairs. */
static tsr_status put_pairs(tsr_mesh_plan *plan, tsr_mesh_list_job *job, int64_t n,
                            tsr_error *error) {
  const int bits = tsr_mesh_node_bits(&plan->mesh);
  TSR_MESH_TRY(tsr_mesh_alloc_pairs(plan, &job->pairs, n, bits, error));
  TSR_MESH_TRY(TSR_EACH(&plan->executor, tsr_mesh_put_wanted, *job, plan->mesh.n, error));
  return tsr_mesh_sort(plan, &job->pairs, bits, &plan->tree.asked, &plan->tree.by, error);
}

tsr_status tsr_mesh_list_wanted(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_tree *tree = &plan->tree;
  tsr_mesh_list_job job = {.mesh = plan->mesh, .marks = tree->marks, .found = plan->found};
  tsr_executor *e = &plan->executor;
  const char *what = "the cells of nodes";
  int64_t wanted, cells = plan->mesh.n;
  tsr_mesh_release(plan, &tree->asked);
  tsr_mesh_release(plan, &tree->by);
  tree->n_asked = 0;
  TSR_MESH_TRY(TSR_REDUCE(e, tsr_mesh_wanted, tree->marks, tree->marks.room, &wanted, error));
  if (wanted == 0)
    return TSR_OK;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.before, cells + 1, sizeof *job.before, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.touched, cells, sizeof *job.touched, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_count_wanted, job, cells, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, job.before, cells, &tree->n_asked, error));
  const tsr_status status = put_pairs(plan, &job, tree->n_asked, error);
  e->free_pairs(e, &job.pairs);
  TSR_MESH_TRY(status);
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_clear_wanted, tree->marks, tree->marks.room, error));
  TSR_MESH_TRY(e->finish(e, NULL, error));
  tsr_mesh_release(plan, &job.before);
  tsr_mesh_release(plan, &job.touched);
  return TSR_OK;
}
