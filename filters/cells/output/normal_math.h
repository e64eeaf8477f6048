/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Normals of the output's points. A point inside a face has the face's normal. A point where faces
 * meet has the mean of theirs, which are added in the order of the faces: so the sides of faces are
 * sorted by their edges, and the corners by their points.
 */
#ifndef TSR_CELLS_OUTPUT_NORMAL_MATH_H
#define TSR_CELLS_OUTPUT_NORMAL_MATH_H

#include "cells/output/point_math.h"

/** Where a face has no normal, as at the pole of a sphere, it is taken so far from there towards
 * the middle of the parameters; and a normal below this part of the one in the middle counts as
 * none. */
#define TSR_NORMAL_SHIFT 1e-4
#define TSR_NORMAL_LEAST 1e-9

/** Makes a vector a unit vector; 0 stays. */
TSR_FN double tsr_make_unit(double n[3]) {
  const double size = sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
  for (int c = 0; size > 0.0 && c < 3; ++c)
    n[c] /= size;
  return size;
}

/** Points of an edge whose normals are made together, so that a face's derivatives are found once
 * for all of them. */
#define TSR_NORMAL_RUN 8

/** The parameters u and v in the middle of a face. */
TSR_FN double tsr_middle_parameter(const tsr_face_forms *it) {
  return it->it.w.sides == 3 ? 1.0 / 3.0 : 0.5;
}

/** Length of the normal of a curved face in the middle of its parameters. */
TSR_FN double tsr_middle_normal(const tsr_face_forms *it) {
  const double middle = tsr_middle_parameter(it);
  double there[3];
  tsr_face_normal(it, middle, middle, there);
  return tsr_make_unit(there);
}

/** Unit normal of a curved face at (u, v); size: tsr_middle_normal() of the face. */
TSR_FN void tsr_unit_normal(const tsr_face_forms *it, double size, double u, double v,
                            double to[3]) {
  const double middle = tsr_middle_parameter(it);
  tsr_face_normal(it, u, v, to);
  if (tsr_make_unit(to) <= TSR_NORMAL_LEAST * size) {
    tsr_face_normal(it, u + TSR_NORMAL_SHIFT * (middle - u), v + TSR_NORMAL_SHIFT * (middle - v),
                    to);
    tsr_make_unit(to);
  }
}

/** The forms of item i, a curved face. */
TSR_FN void tsr_item_forms(const tsr_cells_work *work, int64_t i, const tsr_cell *cell,
                           tsr_face_forms *to) {
  tsr_patch patch;
  tsr_patch_of(&work->view, cell, tsr_item_face(work->items[i]), &patch);
  tsr_face_forms_set(&work->view, work->criteria.forms, &patch, to);
}

/** Parameters of the place t along side s of a face. */
TSR_FN void tsr_side_parameters(int sides, int s, double t, double *u, double *v) {
  if (sides == 3) {
    *u = s == 0 ? t : (s == 1 ? 1.0 - t : 0.0);
    *v = s == 0 ? 0.0 : (s == 1 ? t : 1.0 - t);
  } else {
    *u = s == 0 ? t : (s == 1 ? 1.0 : (s == 2 ? 1.0 - t : 0.0));
    *v = s == 0 ? 0.0 : (s == 1 ? t : (s == 2 ? 1.0 : 1.0 - t));
  }
}

/** Unit normal of a polygon, or of triangle k of a strip, from its points: Newell's. */
TSR_FN void tsr_polygon_normal(const tsr_cells_view *view, const tsr_cell *cell, int f, int64_t k,
                               double to[3]) {
  const int strip = cell->shape == TSR_SHAPE_STRIP;
  const int64_t n = strip ? 3 : tsr_item_corners(cell, f);
  const int64_t first = strip ? (k + 2 < cell->n ? k : cell->n - 3) : 0;
  double x[3], next[3], base[3];
  to[0] = to[1] = to[2] = 0.0;
  tsr_load3(&view->points, tsr_cell_id(view, cell, tsr_item_corner(cell, f, first)), base);
  for (int64_t j = 0; j < n; ++j) {
    const int64_t here = first + j, there = first + (j + 1 < n ? j + 1 : 0);
    tsr_load3(&view->points, tsr_cell_id(view, cell, tsr_item_corner(cell, f, here)), x);
    tsr_load3(&view->points, tsr_cell_id(view, cell, tsr_item_corner(cell, f, there)), next);
    for (int c = 0; c < 3; ++c) {
      x[c] -= base[c];
      next[c] -= base[c];
    }
    for (int c = 0; c < 3; ++c)
      to[c] += x[(c + 1) % 3] * next[(c + 2) % 3] - x[(c + 2) % 3] * next[(c + 1) % 3];
  }
  for (int c = 0; strip && first % 2 == 1 && c < 3; ++c)
    to[c] = -to[c];
  tsr_make_unit(to);
}

/** Clears the normal of a point: no face may have it. */
TSR_FN void tsr_cells_clear_normal(const tsr_cells_filler *filler, int64_t point) {
  for (int c = 0; c < 3; ++c)
    filler->normals[3 * point + c] = 0.0f;
}

/** Writes the mean of unit normals from their sum; of normals that cancel, the first. */
TSR_FN void tsr_write_normal(const tsr_cells_filler *filler, int64_t point, const double sum[3],
                             const double first[3]) {
  double n[3] = {sum[0], sum[1], sum[2]};
  const double size = tsr_make_unit(n);
  tsr_store(filler->normals + 3 * point, TSR_FLOAT, 1, size > 1e-6 ? n : first, 3);
}

/** Adds a normal to a sum of `found` normals. */
TSR_FN void tsr_add_normal(const double n[3], int found, double sum[3], double first[3]) {
  for (int c = 0; c < 3; ++c) {
    sum[c] += n[c];
    first[c] = found ? first[c] : n[c];
  }
}

/** 1 if the item is a face. */
TSR_FN int tsr_item_is_face(const tsr_cells_work *work, int64_t i) {
  return i >= work->first_face_item;
}

/** Sets the pair of a slot: its edge. */
TSR_FN void tsr_cells_pair_slot(const tsr_cells_filler *filler, int64_t slot) {
  tsr_pairs_set(&filler->around_edges, slot, (uint64_t)tsr_slot_number(&filler->work, slot), slot);
}

/** Counts the corners of item i. */
TSR_FN void tsr_cells_count_corners(const tsr_cells_filler *filler, int64_t i) {
  const tsr_cells_work *work = &filler->work;
  tsr_cell cell;
  tsr_work_cell(work, work->items[i], &cell);
  filler->item_corners[i] = tsr_item_corners(&cell, tsr_item_face(work->items[i]));
}

/** Sets the pairs of the corners of item i: their points. */
TSR_FN void tsr_cells_pair_corners(const tsr_cells_filler *filler, int64_t i) {
  const tsr_cells_work *work = &filler->work;
  const int f = tsr_item_face(work->items[i]);
  const int64_t first = filler->item_corners[i];
  tsr_cell cell;
  tsr_work_cell(work, work->items[i], &cell);
  for (int64_t c = first; c < filler->item_corners[i + 1]; ++c) {
    const int64_t id = tsr_cell_id(&work->view, &cell, tsr_item_corner(&cell, f, c - first));
    filler->corner_item[c] = i;
    tsr_pairs_set(&filler->around_corners, c, (uint64_t)work->corners[id], c);
  }
}

/** Unit normal at corner c, as pairs number them. */
TSR_FN void tsr_corner_normal(const tsr_cells_filler *filler, int64_t c, double to[3]) {
  const tsr_cells_work *work = &filler->work;
  const int64_t i = filler->corner_item[c], k = c - filler->item_corners[i];
  const int f = tsr_item_face(work->items[i]);
  tsr_cell cell;
  tsr_work_cell(work, work->items[i], &cell);
  if (cell.curved) {
    tsr_face_forms forms;
    double u, v;
    tsr_item_forms(work, i, &cell, &forms);
    tsr_side_parameters(tsr_face_corners(&cell, f), (int)k, 0.0, &u, &v);
    tsr_unit_normal(&forms, tsr_middle_normal(&forms), u, v, to);
  } else {
    tsr_polygon_normal(&work->view, &cell, f, k, to);
  }
}

/** Makes the normal of the point whose first corner is at a place of the sorted pairs. */
TSR_FN void tsr_cells_corner_normals(const tsr_cells_filler *filler, int64_t place) {
  const tsr_pairs *pairs = &filler->around_corners;
  const uint64_t key = tsr_pairs_key(pairs, place);
  double sum[3] = {0.0, 0.0, 0.0}, first[3] = {0.0, 0.0, 0.0}, n[3];
  int found = 0;
  if (place > 0 && tsr_pairs_key(pairs, place - 1) == key)
    return;
  for (int64_t j = place; j < pairs->n && tsr_pairs_key(pairs, j) == key; ++j) {
    const int64_t corner = tsr_pairs_value(pairs, j);
    if (!tsr_item_is_face(&filler->work, filler->corner_item[corner]))
      continue;
    tsr_corner_normal(filler, corner, n);
    tsr_add_normal(n, found++, sum, first);
  }
  tsr_write_normal(filler, (int64_t)key, sum, first);
}

/** Sums of unit normals at successive points of an edge. */
typedef struct tsr_normal_run {
  int first, n;  /**< the steps first, ..., first + n - 1 of the edge */
  int steps;     /**< of the edge */
  int64_t found; /**< faces that were added */
  double sum[TSR_NORMAL_RUN][3], one[TSR_NORMAL_RUN][3]; /**< one: the first face's normals */
} tsr_normal_run;

/** Adds the normals of the face of a slot. */
TSR_FN void tsr_add_slot_normals(const tsr_cells_filler *filler, int64_t slot,
                                 tsr_normal_run *run) {
  const tsr_cells_work *work = &filler->work;
  const int64_t i = work->slot_item[slot];
  const int f = tsr_item_face(work->items[i]), n = run->steps;
  const int reversed = tsr_slot_reversed(work, slot);
  tsr_face_forms forms;
  tsr_cell cell;
  double u, v, to[3], size;
  tsr_work_cell(work, work->items[i], &cell);
  tsr_item_forms(work, i, &cell, &forms);
  size = tsr_middle_normal(&forms);
  for (int j = 0; j < run->n; ++j) {
    const int k = run->first + j;
    const double t = (double)(reversed ? n - k : k) / (double)n;
    tsr_side_parameters(tsr_face_corners(&cell, f), (int)(slot - work->sides[i]), t, &u, &v);
    tsr_unit_normal(&forms, size, u, v, to);
    tsr_add_normal(to, run->found > 0, run->sum[j], run->one[j]);
  }
  run->found++;
}

/** Makes the normals inside the edge whose first slot is at a place of the sorted pairs. */
TSR_FN void tsr_cells_edge_normals(const tsr_cells_filler *filler, int64_t place) {
  const tsr_cells_work *work = &filler->work;
  const tsr_pairs *pairs = &filler->around_edges;
  const uint64_t key = tsr_pairs_key(pairs, place);
  const int steps = work->edge_steps[key];
  if (place > 0 && tsr_pairs_key(pairs, place - 1) == key)
    return;
  for (int k = 1; k < steps; k += TSR_NORMAL_RUN) {
    tsr_normal_run run;
    run.first = k;
    run.n = steps - k < TSR_NORMAL_RUN ? steps - k : TSR_NORMAL_RUN;
    run.steps = steps;
    run.found = 0;
    for (int j = 0; j < run.n; ++j)
      for (int c = 0; c < 3; ++c)
        run.sum[j][c] = run.one[j][c] = 0.0;
    for (int64_t j = place; j < pairs->n && tsr_pairs_key(pairs, j) == key; ++j) {
      const int64_t slot = tsr_pairs_value(pairs, j);
      if (tsr_item_is_face(work, work->slot_item[slot]))
        tsr_add_slot_normals(filler, slot, &run);
    }
    for (int j = 0; j < run.n; ++j)
      tsr_write_normal(filler, filler->first_edge_point + work->edge_first[key] + k - 1 + j,
                       run.sum[j], run.one[j]);
  }
}

/** Makes the normals of n points inside item i, from number `first` on. */
TSR_FN void tsr_make_normals(const tsr_cells_filler *filler, int64_t i, int64_t first, int64_t n) {
  const tsr_cells_work *work = &filler->work;
  int64_t to = filler->first_face_point + work->item_points[i] + first;
  double u, v, normal[3], size;
  tsr_face_forms forms;
  tsr_inside inside;
  tsr_cell cell;
  tsr_work_cell(work, work->items[i], &cell);
  tsr_item_forms(work, i, &cell, &forms);
  tsr_inside_open_item(&inside, work, i, forms.it.w.sides, first, n);
  size = tsr_middle_normal(&forms);
  for (; tsr_inside_next(&inside, &u, &v); ++to) {
    tsr_unit_normal(&forms, size, u, v, normal);
    tsr_store(filler->normals + 3 * to, TSR_FLOAT, 1, normal, 3);
  }
}

/** The normals of the points inside items. */
TSR_CELLS_SHARED_STEP(tsr_cells_face_normals, tsr_make_normals, item_points, n_items)

#endif
