/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the sorting of lists. */
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
