/* SPDX-License-Identifier: BSD-3-Clause */
/** Clipped meshes: the pieces of leaves, and their points. */
#include "common/sort/sort.h"
#include "mesh/clip/clip.h"

#include <string.h>

/** Leaves, and corners of pieces, that a thread takes at a time. */
enum { GRAIN_LEAVES = 16, GRAIN_CORNERS = 4096 };

/* ---- Pieces */

/* Where the pieces of a leaf go. */
typedef struct taking {
  int dimension;
  int64_t leaf, n;
  tsr_clip_piece *to; /* NULL: they are only counted */
  tsr_mesh_spot spot;
} taking;

static void take(void *data, const double *const vertices[4]) {
  taking *it = data;
  if (it->to) {
    tsr_clip_piece *piece = &it->to[it->n];
    for (int k = 0; k <= it->dimension; ++k)
      memcpy(piece->x[k], vertices[k], sizeof piece->x[k]);
    piece->leaf = it->leaf;
    piece->cell = it->spot.cell;
    piece->face = it->spot.face;
    piece->edge = it->spot.edge;
  }
  ++it->n;
}

static void cut_leaves(void *data, int64_t begin, int64_t end) {
  tsr_mesh_clip *clip = data;
  const tsr_mesh *mesh = &clip->plan.mesh;
  tsr_bodies bodies;
  tsr_body body;
  for (int64_t i = begin; i < end; ++i) {
    const double *leaf = clip->leaves + 4 * i;
    taking it = {.dimension = mesh->dimension, .leaf = i};
    it.to = clip->piece ? clip->piece + clip->before[i] : NULL;
    for (int64_t k = clip->first[i]; k < clip->first[i + 1]; ++k) {
      tsr_bodies_begin(&bodies, mesh, clip->touching[k]);
      while (tsr_bodies_next(&bodies, &body, &it.spot))
        if (tsr_body_clip(&body, leaf, leaf[3]))
          tsr_body_cut(&body, take, &it);
    }
    if (!clip->piece)
      clip->before[i] = it.n;
  }
}

tsr_status tsr_clip_make_pieces(tsr_mesh_clip *clip, tsr_error *error) {
  tsr_mesh_plan *plan = &clip->plan;
  tsr_executor *e = &plan->executor;
  const int64_t n = clip->options.n_leaves;
  const char *what = "the pieces of cells";
  tsr_clip_piece *pieces;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &clip->before, n + 1, sizeof *clip->before, what, error));
  TSR_MESH_TRY(tsr_executor_run(e, cut_leaves, clip, n, GRAIN_LEAVES, error));
  clip->sizes.pieces = tsr_scan(clip->before, n);
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &pieces, clip->sizes.pieces, sizeof *pieces, what, error));
  clip->piece = pieces;
  return tsr_executor_run(e, cut_leaves, clip, n, GRAIN_LEAVES, error);
}

/* ---- Points */

/* Corners of pieces, sorted by hashes of their places. */
typedef struct joining {
  const tsr_mesh_clip *clip;
  int corners; /* of a piece */
  tsr_pair *pairs;
  int64_t *number; /* corners: the first one at its place */
} joining;

static const double *corner(const joining *it, int64_t i) {
  return it->clip->piece[i / it->corners].x[i % it->corners];
}

static void hash(void *data, int64_t begin, int64_t end) {
  const joining *it = data;
  for (int64_t i = begin; i < end; ++i)
    it->pairs[i] = (tsr_pair){tsr_mesh_hash_place(corner(it, i)), i};
}

/* Corners at one place have one hash, and the sort has kept them in order. */
static void find_first(void *data, int64_t begin, int64_t end) {
  const joining *it = data;
  for (int64_t k = begin; k < end; ++k) {
    const int64_t i = it->pairs[k].value;
    int64_t first = i;
    for (int64_t m = k; m-- > 0 && it->pairs[m].key == it->pairs[k].key;)
      if (tsr_body_compare(corner(it, it->pairs[m].value), corner(it, i)) == 0)
        first = it->pairs[m].value;
    it->number[i] = first;
  }
}

/* Replaces the first corner of each by the number of the point. */
static tsr_status number_corners(tsr_mesh_clip *clip, int64_t *number, int64_t n,
                                 tsr_error *error) {
  int64_t points = 0;
  for (int64_t i = 0; i < n; ++i)
    points += number[i] == i;
  clip->sizes.points = points;
  clip->number = number;
  TSR_MESH_TRY(tsr_mesh_alloc(&clip->plan, &clip->corner, points, sizeof *clip->corner,
                              "the points of pieces", error));
  points = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (number[i] == i) {
      clip->corner[points] = i;
      number[i] = points++;
    } else {
      number[i] = number[number[i]]; /* the first one comes before */
    }
  }
  return TSR_OK;
}

tsr_status tsr_clip_number_points(tsr_mesh_clip *clip, tsr_error *error) {
  tsr_mesh_plan *plan = &clip->plan;
  tsr_executor *e = &plan->executor;
  joining it = {.clip = clip, .corners = plan->mesh.dimension + 1};
  const int64_t n = clip->sizes.pieces * it.corners;
  const char *what = "the points of pieces";
  tsr_pair *pairs, *other;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &pairs, n, sizeof *pairs, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &other, n, sizeof *other, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &it.number, n, sizeof *it.number, what, error));
  it.pairs = pairs;
  TSR_MESH_TRY(tsr_executor_run(e, hash, &it, n, GRAIN_CORNERS, error));
  tsr_sort sort = {.execution = e->execution,
                   .items = pairs,
                   .other = other,
                   .n = n,
                   .words = 2,
                   .first = 0.8,
                   .last = 0.9};
  TSR_MESH_TRY(tsr_sort_run(&sort, error));
  it.pairs = sort.items;
  TSR_MESH_TRY(tsr_executor_run(e, find_first, &it, n, GRAIN_CORNERS, error));
  TSR_MESH_TRY(number_corners(clip, it.number, n, error));
  tsr_mesh_release(plan, &pairs);
  tsr_mesh_release(plan, &other);
  return TSR_OK;
}
