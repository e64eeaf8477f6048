/* SPDX-License-Identifier: BSD-3-Clause */
/** The points of the output, with their arrays: corners, then points inside edges, then inside
 * faces.
 */
#ifndef TSR_CELLS_OUTPUT_POINT_MATH_H
#define TSR_CELLS_OUTPUT_POINT_MATH_H

#include "cells/output/count_math.h"
#include "common/part_math.h"

/** Most components of an array that are made at a time. */
#define TSR_CELLS_COMPONENTS 16

/** An array of the output. */
typedef struct tsr_cells_target {
  tsr_array in;
  void *out;
  tsr_type type; /**< of out */
} tsr_cells_target;

/** What writes a target to where the steps read it. */
typedef struct tsr_cells_target_job {
  tsr_cells_target *to;
  tsr_cells_target target;
} tsr_cells_target_job;

TSR_FN void tsr_cells_put_target(const tsr_cells_target_job *job, int64_t i) {
  job->to[i] = job->target;
}

/** What a fill reads and writes. */
typedef struct tsr_cells_filler {
  tsr_cells_work work;
  const tsr_cells_target *points; /**< n_points: points and point arrays */
  const tsr_cells_target *cells;  /**< n_cells: cell arrays */
  int n_points, n_cells;
  int64_t share;            /**< points and cells that an item of a step makes at a time */
  int64_t first_edge_point; /**< number of the first point inside an edge */
  int64_t first_face_point; /**< number of the first point inside a face */
  int64_t *offsets[3];      /**< of vertices, lines and polygons; NULL: not wanted */
  int64_t *ids[3];          /**< their connectivity; NULL: not wanted */
  int64_t *source;          /**< NULL: not wanted */
  double *achieved;         /**< NULL: not wanted */
  float *normals;           /**< NULL: not wanted */
  tsr_pairs around_edges;   /**< the edge of each slot, and the slot */
  tsr_pairs around_corners; /**< the point of each corner of an item, and the corner's number */
  int64_t *item_corners;    /**< n_items + 1: corners; then sums */
  int64_t *corner_item;     /**< the item of each corner */
  double *parameters;       /**< NULL: not wanted */
  int64_t *parameter_cell;  /**< NULL: not wanted */
  uint8_t *solid_types;     /**< of what solids become; NULL: not wanted */
  int64_t *solid_offsets;   /**< NULL: not wanted */
  int64_t *solid_ids;       /**< NULL: not wanted */
} tsr_cells_filler;

/** Place of tuple i of an array of the output. */
TSR_FN char *tsr_target_at(const tsr_cells_target *it, size_t value_size, int64_t i) {
  return (char *)it->out + (size_t)(i * it->in.components) * value_size;
}

/** Copies tuple `from` of an array to tuple `to` of the output. */
TSR_FN void tsr_copy_tuple(const tsr_cells_target *it, int64_t from, int64_t to) {
  const size_t size = tsr_value_size(it->type);
  const int n = it->in.components;
  if (it->type == it->in.type) {
    memcpy(tsr_target_at(it, size, to), (const char *)it->in.data + (size_t)(from * n) * size,
           (size_t)n * size);
    return;
  }
  for (int c = 0; c < n; ++c) {
    const double value = tsr_load(&it->in, from * n + c);
    tsr_store(tsr_target_at(it, size, to) + (size_t)c * size, it->type, 1, &value, 1);
  }
}

/** Makes tuple `to` of all point arrays from n nodes and their weights. */
TSR_FAR_FN void tsr_make_point(const tsr_cells_filler *filler, int64_t to, int n, const int64_t *id,
                               const double *w) {
  for (int t = 0; t < filler->n_points; ++t) {
    const tsr_cells_target *it = &filler->points[t];
    const size_t size = tsr_value_size(it->type);
    double values[TSR_CELLS_COMPONENTS];
    for (int first = 0; first < it->in.components; first += TSR_CELLS_COMPONENTS) {
      const int left = it->in.components - first;
      const int count = left < TSR_CELLS_COMPONENTS ? left : TSR_CELLS_COMPONENTS;
      for (int c = 0; c < count; ++c)
        values[c] = tsr_weighted_value(&it->in, first + c, n, id, w);
      tsr_store(tsr_target_at(it, size, to) + (size_t)first * size, it->type, 1, values, count);
    }
  }
}

/** Copies input point i, if it is one of the output. */
TSR_FN void tsr_cells_fill_corner(const tsr_cells_filler *filler, int64_t i) {
  const int64_t *corners = filler->work.corners;
  if (corners[i + 1] > corners[i])
    for (int t = 0; t < filler->n_points; ++t)
      tsr_copy_tuple(&filler->points[t], i, corners[i]);
}

/** Makes the points inside edge i. */
TSR_FN void tsr_cells_fill_edge(const tsr_cells_filler *filler, int64_t i) {
  const tsr_cells_work *work = &filler->work;
  const int steps = work->edge_steps[i];
  const int64_t first = filler->first_edge_point + work->edge_first[i] - 1;
  double w[TSR_EDGE_NODES];
  tsr_edge edge;
  if (steps == 1)
    return;
  tsr_slot_edge(work, work->edge_slot[i], &edge);
  for (int k = 1; k < steps; ++k) {
    tsr_edge_weights(&work->view, &edge, (double)k / (double)steps, w);
    tsr_make_point(filler, first + k, edge.degree + 1, edge.id, w);
  }
}

/** The division of item i, a curved face with so many sides. */
TSR_FN void tsr_item_division(const tsr_cells_work *work, int64_t i, int sides,
                              tsr_division *division) {
  int steps[4];
  tsr_item_steps(work, i, steps);
  tsr_division_open(division, sides, steps, &work->divided[i]);
}

/** Points inside a face, one after another. */
typedef struct tsr_inside {
  tsr_division division;
  int i, j; /**< the next point is point (i, j) of the grid */
  int64_t left;
} tsr_inside;

/** Opens n points inside a divided face, from number `first` on. */
TSR_FN void tsr_inside_open(tsr_inside *it, const tsr_division *division, int64_t first,
                            int64_t n) {
  it->division = *division;
  it->left = n;
  it->j = tsr_division_row_of(division, first);
  it->i = tsr_division_left(division) + (int)(first - tsr_division_before(division, it->j));
}

/** The parameters of the next point. Returns 0 where none is left. */
TSR_FN int tsr_inside_next(tsr_inside *it, double *u, double *v) {
  if (it->left == 0)
    return 0;
  tsr_division_place(&it->division, it->i, it->j, u, v);
  if (++it->i > tsr_division_right(&it->division, it->j)) {
    it->i = tsr_division_left(&it->division);
    ++it->j;
  }
  --it->left;
  return 1;
}

/** Opens n points inside item i, a curved face with so many sides, from number `first` on. */
TSR_FN void tsr_inside_open_item(tsr_inside *it, const tsr_cells_work *work, int64_t i, int sides,
                                 int64_t first, int64_t n) {
  tsr_division division;
  tsr_item_division(work, i, sides, &division);
  tsr_inside_open(it, &division, first, n);
}

/** Makes n points inside item i, from number `first` on. */
TSR_FN void tsr_make_inside(const tsr_cells_filler *filler, int64_t i, int64_t first, int64_t n) {
  const tsr_cells_work *work = &filler->work;
  int64_t to = filler->first_face_point + work->item_points[i] + first;
  double w[TSR_FACE_NODES + 1], u, v;
  tsr_inside inside;
  tsr_patch patch;
  tsr_cell cell;
  tsr_work_cell(work, work->items[i], &cell);
  tsr_patch_of(&work->view, &cell, tsr_item_face(work->items[i]), &patch);
  tsr_inside_open_item(&inside, work, i, patch.sides, first, n);
  while (tsr_inside_next(&inside, &u, &v)) {
    const int nodes = tsr_patch_weights(&work->view, &patch, u, v, w);
    tsr_make_point(filler, to++, nodes, patch.id, w);
  }
}

/** Defines step NAME, which makes share k of values that lie in runs: MAKE(filler, run, first, n)
 *  makes n values of a run, from its number `first` on. STARTS, N: as tsr_share_open takes them,
 *  members of `work`. */
#define TSR_CELLS_SHARED_STEP(NAME, MAKE, STARTS, N)                                               \
  TSR_FN void NAME(const tsr_cells_filler *filler, int64_t k) {                                    \
    const tsr_cells_work *work = &filler->work;                                                    \
    int64_t run, first, n;                                                                         \
    tsr_share share;                                                                               \
    tsr_share_open(&share, work->STARTS, work->N, k, filler->share);                               \
    while ((run = tsr_share_next(&share, &first, &n)) >= 0)                                        \
      MAKE(filler, run, first, n);                                                                 \
  }

/** The points inside items. */
TSR_CELLS_SHARED_STEP(tsr_cells_fill_inside, tsr_make_inside, item_points, n_items)

#endif
