/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: nodes that cells ask for, and the sorting of lists. */
#include "mesh/mesh.h"

tsr_status tsr_mesh_keep_unique(tsr_mesh_plan *plan, uint64_t **words, int64_t *n,
                                tsr_error *error) {
  tsr_mesh_unique_job job = {.words = *words};
  tsr_executor *e = &plan->executor;
  const char *what = "the nodes of the octree";
  int64_t kept;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.before, *n + 1, sizeof *job.before, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_flag_unique, job, *n, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, job.before, *n, &kept, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.to, kept, sizeof *job.to, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_take_unique, job, *n, error));
  TSR_MESH_TRY(e->finish(e, NULL, error));
  tsr_mesh_release(plan, &job.before);
  *words = job.to;
  *n = kept;
  return TSR_OK;
}

tsr_status tsr_mesh_sort_words(tsr_mesh_plan *plan, uint64_t **words, int64_t n, int bits,
                               tsr_error *error) {
  tsr_executor *e = &plan->executor;
  uint64_t *both[2] = {*words, NULL}, *spare;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &both[1], n, sizeof *both[1], "sorting", error));
  spare = both[1];
  if (n > 0)
    TSR_MESH_TRY(e->sort_words(e, both, n, 0, bits, error));
  TSR_MESH_TRY(e->finish(e, NULL, error));
  if (both[0] == spare)
    spare = *words;
  *words = both[0];
  tsr_mesh_release(plan, &spare);
  return TSR_OK;
}

tsr_status tsr_mesh_sort(tsr_mesh_plan *plan, tsr_pairs *pairs, int bits, uint64_t **key,
                         uint32_t **value, tsr_error *error) {
  tsr_mesh_unpack_job job = {.key = NULL};
  tsr_executor *e = &plan->executor;
  const char *what = "the cells of nodes";
  if (pairs->n > 0)
    TSR_MESH_TRY(e->sort(e, pairs, bits, error));
  job.pairs = *pairs;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.key, pairs->n, sizeof *job.key, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.value, pairs->n, sizeof *job.value, what, error));
  *key = job.key;
  *value = job.value;
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_unpack, job, pairs->n, error));
  return e->finish(e, NULL, error);
}

tsr_status tsr_mesh_alloc_pairs(tsr_mesh_plan *plan, tsr_pairs *pairs, int64_t n, int bits,
                                tsr_error *error) {
  tsr_executor *e = &plan->executor;
  /* Values below n may share a word with their key. */
  pairs->key_bits = n >= plan->mesh.n ? bits : 0;
  return e->alloc_pairs(e, pairs, n, "the cells of nodes", error);
}

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
