/* SPDX-License-Identifier: BSD-3-Clause */
/** Clipped meshes: which leaves the boundary touches, and which cells of the mesh are near them. */
#include "common/sort/sort.h"
#include "mesh/clip/clip.h"

/** Cells of the mesh that a thread takes at a time. */
enum { GRAIN = 256 };

/* A cell, or a face of one, that leaves are compared with. */
typedef struct look {
  tsr_mesh_clip *clip;
  tsr_mesh_cell c;
  tsr_mesh_face face;
  int64_t n;       /* leaves that are cut so far */
  tsr_pair *pairs; /* leaf and cell; NULL: they are only counted */
} look;

/* The cell's place in a list of the caller. */
typedef struct list {
  tsr_mesh_clip *clip;
  int64_t *before;
  tsr_pair *pairs;
} list;

static void widen(const double x[3], int first, double low[3], double high[3]) {
  for (int a = 0; a < 3; ++a) {
    low[a] = first || x[a] < low[a] ? x[a] : low[a];
    high[a] = first || x[a] > high[a] ? x[a] : high[a];
  }
}

static void find_box(const tsr_mesh *mesh, const tsr_mesh_cell *c, double low[3], double high[3]) {
  for (int64_t k = 0; k < c->n; ++k)
    widen(tsr_mesh_place(mesh, tsr_mesh_id(mesh, c, k)), k == 0, low, high);
}

static int counts(const tsr_mesh *mesh, int64_t i) { return mesh->use[i] == mesh->dimension; }

/* ---- Leaves that the boundary touches */

static void cut_if_touched(void *data, int64_t leaf) {
  const look *it = data;
  const tsr_mesh *mesh = &it->clip->plan.mesh;
  const double *at = it->clip->leaves + 4 * leaf;
  int32_t index[3] = {0, 0, 0};
  int height = 0;
  if (it->clip->cut[leaf])
    return;
  while ((double)((int64_t)1 << height) < at[3])
    ++height;
  for (int a = 0; a < mesh->dimension; ++a)
    index[a] = (int32_t)(at[a] / at[3]);
  if (tsr_mesh_face_touches(mesh, &it->c, &it->face, height, index))
    tsr_set_flag(&it->clip->cut[leaf]);
}

static void look_at_faces(void *data, int64_t begin, int64_t end) {
  tsr_mesh_clip *clip = data;
  const tsr_mesh_plan *plan = &clip->plan;
  const tsr_mesh *mesh = &plan->mesh;
  look it = {.clip = clip};
  for (int64_t i = begin; i < end; ++i) {
    const int64_t first = plan->boundary_first[i];
    it.c = tsr_mesh_cell_of(mesh, i);
    for (int64_t f = first; f < plan->boundary_first[i + 1]; ++f) {
      double low[3], high[3];
      if (!plan->boundary_open[f])
        continue;
      it.face = tsr_mesh_face_of(mesh, &it.c, f - first);
      for (int64_t k = 0; k < it.face.n; ++k)
        widen(tsr_mesh_place(mesh, tsr_mesh_face_id(mesh, &it.c, &it.face, k)), k == 0, low, high);
      tsr_clip_visit(&clip->boxes, low, high, mesh->dimension, cut_if_touched, &it);
    }
  }
}

/* ---- Leaves whose middle is in the mesh */

static void see(void *data, int64_t leaf) {
  const look *it = data;
  const tsr_mesh *mesh = &it->clip->plan.mesh;
  const double *at = it->clip->leaves + 4 * leaf;
  double middle[3] = {0.0, 0.0, 0.0};
  tsr_mesh_spot spot;
  if (it->clip->cut[leaf] || it->clip->seen[leaf])
    return;
  for (int a = 0; a < mesh->dimension; ++a)
    middle[a] = at[a] + 0.5 * at[3];
  if (tsr_mesh_inside(mesh, it->c.cell, middle, &spot))
    tsr_set_flag(&it->clip->seen[leaf]);
}

static void see_leaves(void *data, int64_t begin, int64_t end) {
  tsr_mesh_clip *clip = data;
  const tsr_mesh *mesh = &clip->plan.mesh;
  look it = {.clip = clip};
  for (int64_t i = begin; i < end; ++i) {
    double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
    if (!counts(mesh, i))
      continue;
    it.c = tsr_mesh_cell_of(mesh, i);
    find_box(mesh, &it.c, low, high);
    tsr_mesh_set_box(mesh, i, low, high); /* tsr_mesh_inside reads it */
    tsr_clip_visit(&clip->boxes, low, high, mesh->dimension, see, &it);
  }
}

/* ---- Cells near the leaves that are cut */

static void take_pair(void *data, int64_t leaf) {
  look *it = data;
  if (!it->clip->cut[leaf])
    return;
  if (it->pairs)
    it->pairs[it->n] = (tsr_pair){(uint64_t)leaf, it->c.cell};
  ++it->n;
}

static void list_leaves(void *data, int64_t begin, int64_t end) {
  const list *to = data;
  const tsr_mesh *mesh = &to->clip->plan.mesh;
  for (int64_t i = begin; i < end; ++i) {
    look it = {.clip = to->clip, .pairs = to->pairs, .n = to->pairs ? to->before[i] : 0};
    double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
    if (counts(mesh, i)) {
      it.c = tsr_mesh_cell_of(mesh, i);
      find_box(mesh, &it.c, low, high);
      tsr_clip_visit(&to->clip->boxes, low, high, mesh->dimension, take_pair, &it);
    }
    if (!to->pairs)
      to->before[i] = it.n;
  }
}

/* Sorts the pairs by leaves, and makes lists of their cells. */
static tsr_status sort_cells(tsr_mesh_clip *clip, tsr_pair *pairs, tsr_pair *other, int64_t n,
                             tsr_error *error) {
  tsr_sort sort = {.execution = clip->plan.executor.execution,
                   .items = pairs,
                   .other = other,
                   .n = n,
                   .words = 2,
                   .first = 0.3,
                   .last = 0.35};
  const int64_t leaves = clip->options.n_leaves;
  TSR_MESH_TRY(tsr_sort_run(&sort, error));
  const tsr_pair *sorted = sort.items;
  TSR_MESH_TRY(tsr_mesh_alloc(&clip->plan, &clip->touching, n, sizeof *clip->touching,
                              "the cells of leaves", error));
  for (int64_t i = 0; i <= leaves; ++i)
    clip->first[i] = 0;
  for (int64_t k = 0; k < n; ++k) {
    clip->touching[k] = sorted[k].value;
    ++clip->first[sorted[k].key];
  }
  tsr_scan(clip->first, leaves);
  return TSR_OK;
}

static tsr_status list_cells(tsr_mesh_clip *clip, tsr_error *error) {
  tsr_mesh_plan *plan = &clip->plan;
  tsr_executor *e = &plan->executor;
  const int64_t n = plan->mesh.n;
  const char *what = "the cells of leaves";
  list to = {clip, NULL, NULL};
  tsr_pair *pairs = NULL, *other = NULL;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &to.before, n + 1, sizeof *to.before, what, error));
  TSR_MESH_TRY(tsr_executor_run(e, list_leaves, &to, n, GRAIN, error));
  const int64_t all = tsr_scan(to.before, n);
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &pairs, all, sizeof *pairs, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &other, all, sizeof *other, what, error));
  to.pairs = pairs;
  TSR_MESH_TRY(tsr_executor_run(e, list_leaves, &to, n, GRAIN, error));
  TSR_MESH_TRY(sort_cells(clip, pairs, other, all, error));
  tsr_mesh_release(plan, &to.before);
  tsr_mesh_release(plan, &pairs);
  tsr_mesh_release(plan, &other);
  return TSR_OK;
}

tsr_status tsr_clip_find_cells(tsr_mesh_clip *clip, tsr_error *error) {
  tsr_mesh_plan *plan = &clip->plan;
  tsr_executor *e = &plan->executor;
  const int64_t n = plan->mesh.n, leaves = clip->options.n_leaves;
  const char *what = "the leaves";
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &clip->cut, leaves, 1, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &clip->seen, leaves, 1, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &clip->first, leaves + 1, sizeof *clip->first, what, error));
  TSR_MESH_TRY(
      tsr_mesh_alloc(plan, &plan->mesh.boxes, 6 * n, sizeof(float), "the boxes of cells", error));
  for (int64_t i = 0; i < leaves; ++i)
    clip->cut[i] = clip->seen[i] = 0;
  TSR_MESH_TRY(tsr_executor_run(e, look_at_faces, clip, n, GRAIN, error));
  TSR_MESH_TRY(tsr_executor_run(e, see_leaves, clip, n, GRAIN, error));
  /* A leaf that no face touches and whose middle is outside lies beyond the mesh. */
  for (int64_t i = 0; i < leaves; ++i)
    clip->cut[i] = clip->cut[i] || !clip->seen[i];
  for (int64_t i = 0; i < leaves; ++i)
    clip->sizes.cut += clip->cut[i];
  return list_cells(clip, error);
}
