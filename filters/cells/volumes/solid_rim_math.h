/* SPDX-License-Identifier: BSD-3-Clause */
/** The rim of a solid: the corners, then the points inside its edges, then those inside its faces,
 *  and the triangles of its faces. */
#ifndef TSR_CELLS_VOLUMES_SOLID_RIM_MATH_H
#define TSR_CELLS_VOLUMES_SOLID_RIM_MATH_H

#include "cells/output/cell_fill_math.h"

/** Most edges and faces of a solid that is divided. */
#define TSR_SOLID_EDGES 12
#define TSR_SOLID_FACES 6

/** The rim's parts. */
typedef struct tsr_rim {
  tsr_cell cell;
  int64_t item; /**< of face 0 */
  int faces, edges, corners;
  int end[TSR_SOLID_EDGES][2];            /**< corners of each edge, the lower one first */
  int64_t slot[TSR_SOLID_EDGES];          /**< a slot of the edge */
  int against[TSR_SOLID_EDGES];           /**< 1: that slot's side runs from the higher corner */
  int steps[TSR_SOLID_EDGES];             /**< of each edge */
  int64_t edge[TSR_SOLID_EDGES];          /**< first point inside each edge */
  int64_t face[TSR_SOLID_FACES];          /**< first point inside each face */
  tsr_division division[TSR_SOLID_FACES]; /**< of each face, as the item sees it that leads */
  int64_t points, triangles;              /**< how many there are */
} tsr_rim;

/** Number of the edge between two corners; -1: it is not listed. */
TSR_FN int tsr_rim_edge(const tsr_rim *it, int a, int b) {
  const int low = a < b ? a : b, high = a < b ? b : a;
  for (int e = 0; e < it->edges; ++e)
    if (it->end[e][0] == low && it->end[e][1] == high)
      return e;
  return -1;
}

/** Adds side s of face f. */
TSR_FN void tsr_rim_add_side(const tsr_cells_work *work, tsr_rim *it, int f, int s) {
  const int n = tsr_face_corners(&it->cell, f), e = it->edges;
  const int a = tsr_face_corner(&it->cell, f, s), b = tsr_face_corner(&it->cell, f, (s + 1) % n);
  if (tsr_rim_edge(it, a, b) >= 0)
    return;
  it->end[e][0] = a < b ? a : b;
  it->end[e][1] = a < b ? b : a;
  it->slot[e] = work->sides[it->item + f] + s;
  it->against[e] = a > b;
  it->steps[e] = work->edge_steps[tsr_slot_number(work, it->slot[e])];
  it->edge[e] = it->points;
  it->points += it->steps[e] - 1;
  ++it->edges;
}

/** Opens the rim of solid i, which is curved; its faces are divided. */
TSR_FN void tsr_rim_open(const tsr_cells_work *work, int64_t i, tsr_rim *it) {
  tsr_good_cell_at(&work->view, work->solids.cell[i], &it->cell);
  it->item = work->solids.item[i];
  it->faces = tsr_cell_faces(&it->cell);
  it->corners = tsr_solid_corners(it->cell.shape);
  it->points = it->corners;
  it->edges = 0;
  it->triangles = 0;
  for (int f = 0; f < it->faces; ++f)
    for (int s = 0; s < tsr_face_corners(&it->cell, f); ++s)
      tsr_rim_add_side(work, it, f, s);
  for (int f = 0; f < it->faces; ++f) {
    tsr_item_division(work, tsr_leading_item(work, it->item + f), tsr_face_corners(&it->cell, f),
                      &it->division[f]);
    it->face[f] = it->points;
    it->points += tsr_division_points(&it->division[f]);
    it->triangles += tsr_division_triangles(&it->division[f]);
  }
}

/** 1 if solid i has no rim: it is linear, and copied, or a plain tetrahedron. */
TSR_FN int tsr_solid_is_whole(const tsr_cells_work *work, int64_t i) {
  tsr_cell cell;
  tsr_good_cell_at(&work->view, work->solids.cell[i], &cell);
  return !cell.curved || work->plain[work->solids.item[i]] != 0;
}

/** Counts the rim of solid i. */
TSR_FN void tsr_solid_count_rim(const tsr_cells_work *work, int64_t i) {
  tsr_rim rim;
  work->solids.rim_points[i] = work->solids.rim_triangles[i] = 0;
  if (tsr_solid_is_whole(work, i))
    return;
  tsr_rim_open(work, i, &rim);
  work->solids.rim_points[i] = rim.points;
  work->solids.rim_triangles[i] = rim.triangles;
}

/** Sets a point of the rim. */
TSR_FN void tsr_rim_put(const tsr_solids *solids, int64_t at, const double place[3],
                        int64_t point) {
  for (int c = 0; c < 3; ++c)
    solids->place[3 * at + c] = place[c];
  solids->point[at] = point;
}

/** Sets the points at the corners and inside the edges; first: of the solid's points. */
TSR_FN void tsr_rim_fill_edges(const tsr_cells_filler *filler, const tsr_rim *it, int64_t first) {
  const tsr_solids *solids = &filler->work.solids;
  double x[3], from[3], to[3];
  for (int k = 0; k < it->corners; ++k) {
    tsr_solid_corner(it->cell.shape, k, x);
    tsr_rim_put(solids, first + k, x, tsr_corner_point(&filler->work, &it->cell, k));
  }
  for (int e = 0; e < it->edges; ++e) {
    const int n = it->steps[e];
    tsr_solid_corner(it->cell.shape, it->end[e][0], from);
    tsr_solid_corner(it->cell.shape, it->end[e][1], to);
    for (int k = 1; k < n; ++k) {
      const double t = (double)k / (double)n;
      for (int c = 0; c < 3; ++c)
        x[c] = from[c] + t * (to[c] - from[c]);
      tsr_rim_put(solids, first + it->edge[e] + k - 1, x,
                  tsr_slot_point(filler, it->slot[e], it->against[e] ? n - k : k, n));
    }
  }
}

/** Sets the points inside face f, as the item sees it that leads. */
TSR_FN void tsr_rim_fill_inside(const tsr_cells_filler *filler, const tsr_rim *it, int f,
                                const tsr_solid_face *face, int64_t first) {
  const tsr_cells_work *work = &filler->work;
  const tsr_division *division = &it->division[f];
  const int64_t leader = tsr_leading_item(work, it->item + f);
  int64_t to = first + it->face[f], point = filler->first_face_point + work->item_points[leader];
  double u, v, x[3];
  tsr_inside inside;
  tsr_inside_open(&inside, division, 0, tsr_division_points(division));
  while (tsr_inside_next(&inside, &u, &v)) {
    tsr_solid_face_place(face, u, v, x);
    tsr_rim_put(&work->solids, to++, x, point++);
  }
}

/** Writes the triangles of face f from `to` on. Returns where the next face's begin. */
TSR_FN int64_t *tsr_rim_fill_triangles(const tsr_cells_filler *filler, const tsr_rim *it, int f,
                                       const tsr_solid_face *face, int64_t *to) {
  const tsr_division *division = &it->division[f];
  tsr_face_writer writer;
  int64_t first[4] = {0, 0, 0, 0};
  int step[4] = {0, 0, 0, 0};
  writer.filler = filler;
  writer.slot = 0;
  writer.inside = it->face[f];
  writer.skip = 0;
  writer.left = tsr_division_triangles(division);
  writer.to = to;
  writer.division = *division;
  writer.first = first;
  writer.step = step;
  for (int s = 0; s < face->sides; ++s) {
    const int a = face->corner[s], b = face->corner[(s + 1) % face->sides];
    const int e = tsr_rim_edge(it, a, b), up = a < b;
    writer.corner[s] = a;
    step[s] = up ? 1 : -1;
    first[s] = it->edge[e] + (up ? -1 : it->steps[e] - 1);
  }
  tsr_write_triangles(&writer);
  for (; face->mirrored && to < writer.to; to += 3) {
    const int64_t swap = to[1];
    to[1] = to[2];
    to[2] = swap;
  }
  return writer.to;
}

/** Sets the rim of solid i: places, points of the output and triangles. */
TSR_FN void tsr_solid_fill_rim(const tsr_cells_filler *filler, int64_t i) {
  const tsr_cells_work *work = &filler->work;
  const int64_t first = work->solids.rim_points[i];
  int64_t *to = work->solids.triangle + 3 * work->solids.rim_triangles[i];
  tsr_rim rim;
  if (tsr_solid_is_whole(work, i))
    return;
  tsr_rim_open(work, i, &rim);
  tsr_rim_fill_edges(filler, &rim, first);
  for (int f = 0; f < rim.faces; ++f) {
    tsr_solid_face face;
    tsr_solid_face_open(work, rim.item + f, tsr_leading_item(work, rim.item + f), &face);
    tsr_rim_fill_inside(filler, &rim, f, &face, first);
    to = tsr_rim_fill_triangles(filler, &rim, f, &face, to);
  }
}

#endif
