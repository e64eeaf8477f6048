/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Parametric coordinates of the output's points in a cell of the input, as VTK's class of the cell
 * has them. A point where items meet has those in the first of them: vertices come before lines,
 * and lines before faces, each in the order of the cells.
 *
 * A side and a face of a cell are affine images of their parameters, but for the faces of VTK's
 * pyramids with 5 and 13 points: these are collapsed cubes, in which x and y of a point stay as
 * they are on the way to the apex.
 */
#ifndef TSR_CELLS_OUTPUT_PARAMETER_MATH_H
#define TSR_CELLS_OUTPUT_PARAMETER_MATH_H

#include "cells/output/normal_math.h"

/** Number of VTK's cubic line, whose parameter runs from -1 to 1. */
#define TSR_CUBIC_LINE 35

/** Number of VTK's pyramid with 19 points, whose parameters are a pyramid. */
#define TSR_FULL_PYRAMID 37

/** 1 if the cell's parameters are a collapsed cube. */
TSR_FN int tsr_is_collapsed(const tsr_cell *cell) {
  return cell->shape == TSR_SHAPE_PYRAMID && cell->type != TSR_FULL_PYRAMID;
}

/** Corner k of VTK's prisms over a polygon of 5 or 6 corners. */
TSR_FN void tsr_prism_parameters(int corners, int k, double to[3]) {
  const double five[5][2] = {{0.654508, 0.975528},
                             {0.0954915, 0.793893},
                             {0.0954915, 0.206107},
                             {0.654508, 0.0244717},
                             {1.0, 0.5}};
  const double low = 0.0669872981077807, high = 0.9330127018922193;
  const double six[6][2] = {{0.5, 0.0}, {high, 0.25}, {high, 0.75},
                            {0.5, 1.0}, {low, 0.75},  {low, 0.25}};
  to[0] = corners == 5 ? five[k % 5][0] : six[k % 6][0];
  to[1] = corners == 5 ? five[k % 5][1] : six[k % 6][1];
  to[2] = k < corners ? 0.0 : 1.0;
}

/** Corner k of cells whose corners are those of a square, in layers, and of an apex. */
TSR_FN void tsr_square_parameters(const tsr_cell *cell, int k, double to[3]) {
  to[0] = k % 4 == 1 || k % 4 == 2 ? 1.0 : 0.0;
  to[1] = k % 4 >= 2 ? 1.0 : 0.0;
  to[2] = k >= 4 ? 1.0 : 0.0;
  if (cell->type == TSR_FULL_PYRAMID) {
    to[0] = k == 4 ? 0.5 : to[0];
    to[1] = k == 4 ? 0.5 : to[1];
    to[2] = k == 4 ? 1.0 : 0.5;
  }
}

/** Corner k of a triangle, tetrahedron or wedge. */
TSR_FN void tsr_simplex_parameters(const tsr_cell *cell, int k, double to[3]) {
  const int layer = cell->shape == TSR_SHAPE_WEDGE && k >= 3, at = layer ? k - 3 : k;
  to[0] = at == 1 ? 1.0 : 0.0;
  to[1] = at == 2 ? 1.0 : 0.0;
  to[2] = layer || at == 3 ? 1.0 : 0.0;
}

/** Finds the parametric coordinates of node k of a cell, a corner. Returns 0 if there are none: VTK
 *  counts those of poly-vertices, polylines and strips from their parts, and finds those of
 *  polygons from their points. */
TSR_FN int tsr_corner_parameters(const tsr_cell *cell, int64_t k, double to[3]) {
  to[0] = to[1] = to[2] = 0.0;
  switch (cell->shape) {
  case TSR_SHAPE_VERTS:
    return cell->type == 1;
  case TSR_SHAPE_POLYLINE:
    to[0] = (double)k;
    return cell->type == 3;
  case TSR_SHAPE_CURVE:
    to[0] = k == 1 ? 1.0 : (cell->type == TSR_CUBIC_LINE ? -1.0 : 0.0);
    return 1;
  case TSR_SHAPE_POLYGON:
    if (cell->type == 5)
      tsr_simplex_parameters(cell, (int)k, to);
    else
      tsr_square_parameters(cell, (int)k, to);
    return cell->type != 7;
  case TSR_SHAPE_TRIANGLE:
  case TSR_SHAPE_TETRA:
  case TSR_SHAPE_WEDGE:
    tsr_simplex_parameters(cell, (int)k, to);
    return 1;
  case TSR_SHAPE_PIXEL:
  case TSR_SHAPE_VOXEL:
    for (int axis = 0; axis < 3; ++axis)
      to[axis] = (double)(((int)k >> axis) % 2);
    return 1;
  case TSR_SHAPE_PRISM:
    tsr_prism_parameters((int)(cell->n / 2), (int)k, to);
    return 1;
  case TSR_SHAPE_QUAD:
  case TSR_SHAPE_HEXAHEDRON:
  case TSR_SHAPE_PYRAMID:
    tsr_square_parameters(cell, (int)k, to);
    return 1;
  default:
    return 0;
  }
}

/** Sum of the parametric coordinates of n corners, nodes of the cell, times their weights, whose
 *  sum is 1. Returns 0 if there are none. */
TSR_FN int tsr_blend_parameters(const tsr_cell *cell, int n, const int64_t *node,
                                const double *weight, double to[3]) {
  double apex = 0.0, corner[3];
  to[0] = to[1] = to[2] = 0.0;
  for (int j = 0; j < n; ++j) {
    if (!tsr_corner_parameters(cell, node[j], corner))
      return 0;
    for (int c = 0; c < 3; ++c)
      to[c] += weight[j] * corner[c];
    apex += tsr_is_collapsed(cell) && node[j] == 4 ? weight[j] : 0.0;
  }
  for (int c = 0; c < 2 && apex > 0.0 && apex < 1.0; ++c)
    to[c] /= 1.0 - apex;
  return 1;
}

/** Parametric coordinates of the place (u, v) of face f of a curved cell. */
TSR_FN int tsr_face_parameters(const tsr_cell *cell, int f, double u, double v, double to[3]) {
  const int64_t last = tsr_face_corners(cell, f) - 1;
  const int64_t node[3] = {tsr_item_corner(cell, f, 0), tsr_item_corner(cell, f, 1),
                           tsr_item_corner(cell, f, last)};
  const double weight[3] = {(1.0 - u) - v, u, v};
  return tsr_blend_parameters(cell, 3, node, weight, to);
}

/** Parametric coordinates of the place t along side s of an item. */
TSR_FN int tsr_along_parameters(const tsr_cell *cell, int f, int64_t s, double t, double to[3]) {
  const double weight[2] = {1.0 - t, t};
  int64_t node[2] = {0, 1};
  if (cell->curved && cell->shape != TSR_SHAPE_CURVE) {
    double u, v;
    tsr_side_parameters(tsr_face_corners(cell, f), (int)s, t, &u, &v);
    return tsr_face_parameters(cell, f, u, v, to);
  }
  if (!cell->curved) {
    node[0] = tsr_item_corner(cell, f, s);
    node[1] = tsr_item_corner(cell, f, s + 1 < tsr_item_corners(cell, f) ? s + 1 : 0);
  }
  return tsr_blend_parameters(cell, 2, node, weight, to);
}

/** Writes the parametric coordinates of a point of the output, and the cell. found: 0: there are
 *  none, and NaN is written. */
TSR_FN void tsr_write_parameters(const tsr_cells_filler *filler, int64_t point, int64_t cell,
                                 int found, const double at[3]) {
  for (int c = 0; filler->parameters && c < 3; ++c)
    filler->parameters[3 * point + c] = found ? at[c] : NAN;
  if (filler->parameter_cell)
    filler->parameter_cell[point] = cell;
}

/** Writes those of the point whose first corner is at a place of the sorted pairs: in the first of
 *  its items that has any. */
TSR_FN void tsr_cells_corner_parameters(const tsr_cells_filler *filler, int64_t place) {
  const tsr_cells_work *work = &filler->work;
  const tsr_pairs *pairs = &filler->around_corners;
  const uint64_t key = tsr_pairs_key(pairs, place);
  int64_t first = -1;
  double at[3];
  if (place > 0 && tsr_pairs_key(pairs, place - 1) == key)
    return;
  for (int64_t j = place; j < pairs->n && tsr_pairs_key(pairs, j) == key; ++j) {
    const int64_t c = tsr_pairs_value(pairs, j), i = filler->corner_item[c];
    const int64_t item = work->items[i];
    tsr_cell cell;
    tsr_work_cell(work, item, &cell);
    const int64_t node = tsr_item_corner(&cell, tsr_item_face(item), c - filler->item_corners[i]);
    const int found = tsr_corner_parameters(&cell, node, at);
    if (first < 0 || found)
      first = tsr_item_cell(item);
    tsr_write_parameters(filler, (int64_t)key, first, found, at);
    if (found)
      return;
  }
}

/** Writes those of the points inside edge i. */
TSR_FN void tsr_cells_edge_parameters(const tsr_cells_filler *filler, int64_t i) {
  const tsr_cells_work *work = &filler->work;
  const int64_t slot = work->edge_slot[i], from = work->slot_item[slot], item = work->items[from];
  const int64_t first = filler->first_edge_point + work->edge_first[i] - 1;
  const int steps = work->edge_steps[i];
  double at[3];
  tsr_cell cell;
  tsr_work_cell(work, item, &cell);
  for (int k = 1; k < steps; ++k) {
    const double t = (double)(tsr_slot_reversed(work, slot) ? steps - k : k) / (double)steps;
    const int found =
        tsr_along_parameters(&cell, tsr_item_face(item), slot - work->sides[from], t, at);
    tsr_write_parameters(filler, first + k, tsr_item_cell(item), found, at);
  }
}

/** Writes those of n points inside item i, from number `first` on. */
TSR_FN void tsr_write_inside_parameters(const tsr_cells_filler *filler, int64_t i, int64_t first,
                                        int64_t n) {
  const tsr_cells_work *work = &filler->work;
  const int64_t item = work->items[i];
  const int f = tsr_item_face(item);
  int64_t to = filler->first_face_point + work->item_points[i] + first;
  double u, v, at[3];
  tsr_inside inside;
  tsr_cell cell;
  tsr_work_cell(work, item, &cell);
  tsr_inside_open_item(&inside, work, i, tsr_face_corners(&cell, f), first, n);
  while (tsr_inside_next(&inside, &u, &v)) {
    const int found = tsr_face_parameters(&cell, f, u, v, at);
    tsr_write_parameters(filler, to++, tsr_item_cell(item), found, at);
  }
}

/** The parametric coordinates of the points inside items. */
TSR_CELLS_SHARED_STEP(tsr_cells_inside_parameters, tsr_write_inside_parameters, item_points,
                      n_items)

#endif
