/* SPDX-License-Identifier: BSD-3-Clause */
/** The points of the output, with their arrays: corners, then points inside edges, then inside
 * faces.
 */
#ifndef TSR_CELLS_OUTPUT_POINT_MATH_H
#define TSR_CELLS_OUTPUT_POINT_MATH_H

#include "cells/output/count_math.h"

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

/** Makes the points inside item i. */
TSR_FN void tsr_cells_fill_inside(const tsr_cells_filler *filler, int64_t i) {
  const tsr_cells_work *work = &filler->work;
  int64_t to = filler->first_face_point + work->item_points[i];
  double w[TSR_FACE_NODES + 1], u, v;
  tsr_division division;
  tsr_patch patch;
  tsr_cell cell;
  if (work->item_points[i + 1] == work->item_points[i])
    return;
  tsr_work_cell(work, work->items[i], &cell);
  tsr_patch_of(&work->view, &cell, tsr_item_face(work->items[i]), &patch);
  tsr_item_division(work, i, patch.sides, &division);
  for (int k = tsr_division_bottom(&division); k <= tsr_division_top(&division); ++k) {
    for (int j = tsr_division_left(&division); j <= tsr_division_right(&division, k); ++j) {
      tsr_division_place(&division, j, k, &u, &v);
      const int n = tsr_patch_weights(&work->view, &patch, u, v, w);
      tsr_make_point(filler, to++, n, patch.id, w);
    }
  }
}

#endif
