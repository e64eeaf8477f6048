/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the corners of leaves, and where values come from. */
#include "mesh/mesh.h"

#include <string.h>

static tsr_mesh_corner_job job_of(const tsr_mesh_plan *plan) {
  tsr_mesh_corner_job job;
  memset(&job, 0, sizeof job);
  job.mesh = plan->mesh;
  job.tree = plan->tree;
  job.corners = plan->corners;
  job.old = plan->old;
  return job;
}

/* Numbers the sorted slots. */
static tsr_status number_slots(tsr_mesh_plan *plan, tsr_mesh_corner_job *job, tsr_error *error) {
  const tsr_mesh *mesh = &plan->mesh;
  tsr_mesh_corners *corners = &plan->corners;
  const int64_t n = corners->slots;
  tsr_executor *e = &plan->executor;
  const char *what = "the corners of the octree";
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_make_slot, *job, n, error));
  TSR_MESH_TRY(e->sort(e, &job->pairs, mesh->dimension * (mesh->bits + 1), error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job->before, n + 1, sizeof *job->before, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_flag_corner, *job, n, error));
  TSR_MESH_TRY(tsr_mesh_sum(plan, job->before, n, &corners->n, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &corners->key, corners->n, sizeof *corners->key, what, error));
  TSR_MESH_TRY(
      tsr_mesh_alloc(plan, &corners->begin, corners->n + 1, sizeof *corners->begin, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &corners->slot, n, sizeof *corners->slot, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &corners->point_of, n, sizeof *corners->point_of, what, error));
  job->corners = *corners;
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_number_corner, *job, n, error));
  TSR_MESH_TRY(e->finish(e, NULL, error));
  tsr_mesh_release(plan, &job->before);
  return TSR_OK;
}

static tsr_status number_corners(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_status status;
  plan->corners.slots = tsr_mesh_slots(&plan->mesh, &plan->tree);
  tsr_mesh_corner_job job = job_of(plan);
  status = e->alloc_pairs(e, &job.pairs, plan->corners.slots, "the corners of the octree", error);
  if (status == TSR_OK)
    status = number_slots(plan, &job, error);
  e->free_pairs(e, &job.pairs);
  return status;
}

/* Gives corners without a spot their layers. */
static tsr_status make_layers(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_corner_job job = job_of(plan);
  tsr_executor *e = &plan->executor;
  int64_t left = plan->corners.n_far, last = left + 1;
  for (job.step = 1; left > 0 && left < last; ++job.step) {
    last = left;
    TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_reach_corner, job, plan->corners.n_far, error));
    TSR_MESH_TRY(TSR_REDUCE(e, tsr_mesh_left, job, plan->corners.n_far, &left, error));
  }
  plan->layers = job.step - 1;
  return TSR_OK;
}

static void drop_old(tsr_mesh_plan *plan) {
  tsr_mesh_release(plan, &plan->old.key);
  tsr_mesh_release(plan, &plan->old.spot);
  tsr_mesh_release(plan, &plan->old.inside);
  plan->old.n = 0;
}

/* Lists the corners without a spot. job->before has a flag for each corner. */
static tsr_status list_far(tsr_mesh_plan *plan, tsr_mesh_corner_job *job, tsr_error *error) {
  tsr_mesh_corners *corners = &plan->corners;
  const char *what = "the corners of the octree";
  TSR_MESH_TRY(tsr_mesh_sum(plan, job->before, corners->n, &corners->n_far, error));
  TSR_MESH_TRY(
      tsr_mesh_alloc(plan, &corners->far, corners->n_far, sizeof *corners->far, what, error));
  job->corners = *corners;
  return TSR_EACH(&plan->executor, tsr_mesh_list_far, *job, corners->n, error);
}

/* Looks for the closest cells of the corners that no cell holds, and lists those without any. */
static tsr_status find_closest(tsr_mesh_plan *plan, tsr_mesh_corner_job *job, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_want_leaves, *job, plan->corners.n_far, error));
  TSR_MESH_TRY(tsr_mesh_list_wanted(plan, error));
  TSR_MESH_TRY(tsr_mesh_find_listed(plan, error));
  job->tree = plan->tree;
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_find_closest, *job, plan->corners.n_far, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_flag_far, *job, plan->corners.n, error));
  TSR_MESH_TRY(e->finish(e, NULL, error));
  tsr_mesh_release(plan, &plan->corners.far);
  return list_far(plan, job, error);
}

static tsr_status find_spots(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_corners *corners = &plan->corners;
  const int64_t n = corners->n;
  tsr_executor *e = &plan->executor;
  const char *what = "the corners of the octree";
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &corners->spot, n, sizeof *corners->spot, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &corners->inside, n, 1, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &corners->layer, n, sizeof *corners->layer, what, error));
  tsr_mesh_corner_job job = job_of(plan);
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.before, n + 1, sizeof *job.before, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_find_spot, job, n, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_flag_far, job, n, error));
  TSR_MESH_TRY(list_far(plan, &job, error));
  if (corners->n_far > 0)
    TSR_MESH_TRY(find_closest(plan, &job, error));
  TSR_MESH_TRY(e->finish(e, NULL, error));
  tsr_mesh_release(plan, &job.before);
  drop_old(plan);
  return make_layers(plan, error);
}

tsr_status tsr_mesh_make_corners(tsr_mesh_plan *plan, tsr_error *error) {
  TSR_MESH_TRY(number_corners(plan, error));
  plan->sizes.points = plan->corners.n;
  return find_spots(plan, error);
}

void tsr_mesh_drop_corners(tsr_mesh_plan *plan) {
  tsr_mesh_corners *corners = &plan->corners;
  plan->old = *corners;
  corners->key = NULL;
  corners->spot = NULL;
  corners->inside = NULL;
  tsr_mesh_release(plan, &corners->begin);
  tsr_mesh_release(plan, &corners->slot);
  tsr_mesh_release(plan, &corners->point_of);
  tsr_mesh_release(plan, &corners->layer);
  tsr_mesh_release(plan, &corners->far);
}

tsr_status tsr_mesh_need_sources(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh_corners *corners = &plan->corners;
  const int64_t n = plan->tree.n;
  tsr_executor *e = &plan->executor;
  const char *what = "the cells of leaves";
  int64_t left, last = n + 1;
  if (corners->source)
    return TSR_OK;
  TSR_MESH_TRY(tsr_mesh_list_all(plan, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &corners->source, n, sizeof *corners->source, what, error));
  TSR_MESH_TRY(
      tsr_mesh_alloc(plan, &corners->leaf_layer, n, sizeof *corners->leaf_layer, what, error));
  tsr_mesh_corner_job job = job_of(plan);
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_find_source, job, n, error));
  TSR_MESH_TRY(TSR_REDUCE(e, tsr_mesh_leaves_left, job, n, &left, error));
  for (job.step = 1; left > 0 && left < last; ++job.step) {
    last = left;
    TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_reach_leaf, job, n, error));
    TSR_MESH_TRY(TSR_REDUCE(e, tsr_mesh_leaves_left, job, n, &left, error));
  }
  return TSR_OK;
}
