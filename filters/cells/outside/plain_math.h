/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Plain faces are drawn by their corners alone, as one triangle or two. A face is plain if it is
 * flat, and if no item beside it can ask for more steps on one of its sides. A face is flat if
 * bounds of its second derivatives allow one step for the face and for each of its sides. No edges
 * are looked up for plain faces, and no grid is searched for.
 *
 * An item can ask for steps on a side of a face only if it has both ends of the side. So items that
 * are not flat mark their corners, and a flat face is plain if no side has both ends marked.
 */
#ifndef TSR_CELLS_OUTSIDE_PLAIN_MATH_H
#define TSR_CELLS_OUTSIDE_PLAIN_MATH_H

#include "cells/volumes/solid_faces_math.h"

/** Largest bound of second derivatives of a flat face, as a share of what the criteria allow. An
 *  edge gets one step up to 8 TSR_EDGE_SHARE = 6, and the error of a triangle is at most a sixth of
 *  the largest bound along its sides. The rest is for rounding: bounds of tsr_patch_bends, which
 *  decide elsewhere, are rounded in another way. */
#define TSR_FLAT_BEND 5.9

/** Squares of bounds of three kinds of second derivatives, over all criteria. The kinds of a
 *  triangle are its sides; those of a quadrilateral are along u, mixed, and along v. */
typedef struct tsr_flatness {
  double square[3];
} tsr_flatness;

/** Takes a second derivative into account: `factor` times a vector of this squared length. Returns
 *  0 if it is larger than that of any flat face, or not a number. */
TSR_FN int tsr_flatness_put(tsr_flatness *it, int kind, double factor, double square) {
  const double bend = square * (factor * factor);
  if (!(bend <= TSR_FLAT_BEND * TSR_FLAT_BEND))
    return 0;
  it->square[kind] = bend > it->square[kind] ? bend : it->square[kind];
  return 1;
}

/** Adds the components `first` to `first` + n - 1 of an array at the nodes of a Lagrange triangle
 *  of degree 2: three corners, then the middles of the sides. The second derivative along a side is
 *  4 times the second difference of the side's nodes. Returns 0 as tsr_flatness_put() does. */
TSR_FN int tsr_flatness_add_nodes(const tsr_array *array, int first, int n, double over,
                                  const int64_t id[6], tsr_flatness *it) {
  double square[3] = {0.0, 0.0, 0.0};
  for (int c = first; c < first + n; ++c) {
    double x[6];
    tsr_load_values(array, c, 6, id, x);
    for (int s = 0; s < 3; ++s) {
      const double difference = (x[s] - x[3 + s]) + (x[s == 2 ? 0 : s + 1] - x[3 + s]);
      square[s] += difference * difference;
    }
  }
  return tsr_flatness_put(it, 0, 4.0 * over, square[0]) &&
         tsr_flatness_put(it, 1, 4.0 * over, square[1]) &&
         tsr_flatness_put(it, 2, 4.0 * over, square[2]);
}

/** Places of the coefficients p, q, r, s of a face whose second difference p - q - r + s belongs to
 *  place (a, b) of a kind. */
TSR_FN void tsr_flatness_places(int sides, int du, int kind, int a, int b, int k[4]) {
  const int at = b * (du + 1) + a, step = kind == 2 ? du + 1 : 1;
  if (sides == 4) {
    k[0] = at;
    k[1] = at + step;
    k[2] = kind == 1 ? at + du + 1 : k[1];
    k[3] = kind == 1 ? at + du + 2 : at + 2 * step;
    return;
  }
  k[0] = tsr_triangle_place(du, kind == 1 ? a + 2 : a, b);
  k[1] = k[2] = tsr_triangle_place(du, kind == 2 ? a : a + 1, kind == 0 ? b : b + 1);
  k[3] = tsr_triangle_place(du, kind == 0 ? a + 2 : a, kind == 0 ? b : b + 2);
}

/** Adds the Bernstein coefficients of a criterion of a polynomial face of these degrees. Returns 0
 *  as tsr_flatness_put() does. */
TSR_FAR_FN int tsr_flatness_add(const tsr_bent *bent, int sides, int du, int dv, tsr_flatness *it) {
  const int quad = sides == 4;
  const double factor[3] = {(double)(du * (du - 1)), (double)(quad ? du * dv : du * (du - 1)),
                            (double)(dv * (dv - 1))};
  for (int kind = 0; kind < 3; ++kind) {
    const int columns = quad ? du - 1 + kind : du - 1, rows = quad ? dv + 1 - kind : du - 1;
    for (int b = 0; b < rows; ++b)
      for (int a = 0; a < (quad ? columns : columns - b); ++a) {
        double square = 0.0;
        int k[4];
        tsr_flatness_places(sides, du, kind, a, b, k);
        for (int c = 0; c < bent->components; ++c) {
          const double *q = bent->q[c];
          const double difference = (q[k[0]] - q[k[1]]) + (q[k[3]] - q[k[2]]);
          square += difference * difference;
        }
        if (!tsr_flatness_put(it, kind, factor[kind] * bent->over, square))
          return 0;
      }
  }
  return 1;
}

/** 1 if the cell's faces are Lagrange triangles of degree 2 with 6 nodes. */
TSR_FN int tsr_has_quadratic_triangles(const tsr_cell *cell) {
  return (cell->shape == TSR_SHAPE_TRIANGLE || cell->shape == TSR_SHAPE_TETRA) && cell->d[0] == 2 &&
         cell->basis == TSR_BASIS_LAGRANGE && !cell->bubbles;
}

/** 1 if face f of such a cell is flat. */
TSR_FN int tsr_quadratic_is_flat(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                                 const tsr_cell *cell, int f) {
  const int n = tsr_criteria_count(criteria);
  tsr_flatness flatness = {{0.0, 0.0, 0.0}};
  int64_t id[6];
  for (int k = 0; k < 6; ++k) { /* (0, 0) (2, 0) (0, 2), and (1, 0) (1, 1) (0, 1) between them */
    const int a = k == 1 ? 2 : k == 3 || k == 4, b = k == 2 ? 2 : k == 4 || k == 5;
    const int node = cell->shape == TSR_SHAPE_TRIANGLE ? k : tsr_face_node(cell, f, a, b);
    id[k] = tsr_cell_id(view, cell, node);
  }
  for (int i = 0; i < n; ++i) {
    const tsr_array *array;
    int component;
    const double over = tsr_criterion(view, criteria, i, &array, &component);
    if (over > 0.0 &&
        !tsr_flatness_add_nodes(array, component, i == 0 ? 3 : 1, over, id, &flatness))
      return 0;
  }
  return 1;
}

/** 1 if face f of any curved cell that is polynomial is flat. */
TSR_FAR_FN int tsr_face_is_flat(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                                const tsr_cell *cell, int f) {
  const int n = tsr_criteria_count(criteria);
  tsr_flatness flatness = {{0.0, 0.0, 0.0}};
  tsr_patch patch;
  tsr_bent bent;
  tsr_patch_of(view, cell, f, &patch);
  for (int i = 0; i < n; ++i) {
    const int du = patch.sides == 3 ? tsr_triangle_degree(&patch) : patch.du;
    if (tsr_patch_criterion(view, criteria, &patch, i, &bent) &&
        !tsr_flatness_add(&bent, patch.sides, du, patch.sides == 3 ? du : patch.dv, &flatness))
      return 0;
  }
  return patch.sides == 3 ||
         (sqrt(flatness.square[0]) + 2.0 * sqrt(flatness.square[1])) + sqrt(flatness.square[2]) <=
             TSR_FLAT_BEND;
}

/** 1 if a curved solid is a flat tetrahedron. What it asks of its edges and triangles, by
 *  tsr_solid_raise(), is then below what flat faces may ask for, and it stays one tetrahedron. */
TSR_FN int tsr_solid_is_flat(const tsr_cells_work *work, int64_t number, const tsr_cell *cell) {
  const double *bends = work->solids.bends + TSR_SOLID_KINDS * number;
  int flat = cell->shape == TSR_SHAPE_TETRA && !tsr_cell_is_rational(&work->view, cell) &&
             !(work->criteria.over_length > 0.0) && !(work->criteria.sine > 0.0);
  for (int k = 0; k < TSR_SOLID_KINDS; ++k)
    flat = flat && bends[k] <= TSR_FLAT_BEND * TSR_RIM_SHARE;
  return flat;
}

/** 1 if item i, of this cell, which is no solid, is a flat face. With criteria for edge lengths and
 *  normals, and where the output is edges, no face counts as flat. */
TSR_FN int tsr_item_is_flat(const tsr_cells_work *work, int64_t i, const tsr_cell *cell) {
  const tsr_cells_criteria *criteria = &work->criteria;
  const int f = tsr_item_face(work->items[i]);
  if (work->curves || cell->shape == TSR_SHAPE_CURVE || criteria->over_length > 0.0 ||
      criteria->sine > 0.0 || tsr_cell_is_rational(&work->view, cell))
    return 0;
  return tsr_has_quadratic_triangles(cell) ? tsr_quadratic_is_flat(&work->view, criteria, cell, f)
                                           : tsr_face_is_flat(&work->view, criteria, cell, f);
}

/** Clears the marks of point i, or after the last point the mark of all of them. */
TSR_FN void tsr_cells_clear_corner(const tsr_cells_work *work, int64_t i) {
  work->corners[i] = 0;
  work->bent[i] = 0;
}

/** Marks a corner of an item, which several items do alike. bent: 1: the item is not flat. */
TSR_FN void tsr_mark_corner(const tsr_cells_work *work, const tsr_cell *cell, int64_t k, int bent) {
  const int64_t id = tsr_cell_id(&work->view, cell, k);
  tsr_work_mark(work, id);
  if (bent)
    tsr_set_flag(&work->bent[id]);
}

/** tsr_cells_find_corners() for all items of a solid, of which i is the first. Returns 1 if the
 *  solid is not flat. */
TSR_FN int tsr_find_solid_corners(const tsr_cells_work *work, int64_t i, const tsr_cell *cell) {
  const int flat = tsr_solid_is_flat(work, tsr_item_cell(work->items[i]), cell);
  for (int f = 0; f < tsr_cell_faces(cell); ++f)
    work->plain[i + f] = (uint8_t)(flat ? tsr_face_corners(cell, f) | TSR_PLAIN_SOLID : 0);
  for (int k = 0; k < tsr_solid_corners(cell->shape); ++k)
    tsr_mark_corner(work, cell, k, !flat);
  return !flat;
}

/** Marks the corners of item i, and finds out whether it is a flat face. */
TSR_FN void tsr_cells_find_corners(const tsr_cells_work *work, int64_t i) {
  const int f = tsr_item_face(work->items[i]);
  tsr_cell cell;
  int bent;
  if (work->solids.on && f > 0)
    return;
  tsr_work_cell(work, work->items[i], &cell);
  if (tsr_is_solid(work, &cell)) {
    bent = tsr_find_solid_corners(work, i, &cell);
  } else {
    bent = cell.curved && !tsr_item_is_flat(work, i, &cell);
    work->plain[i] = (uint8_t)(cell.curved && !bent ? tsr_face_corners(&cell, f) : 0);
    for (int64_t k = 0; k < tsr_item_corners(&cell, f); ++k)
      tsr_mark_corner(work, &cell, tsr_item_corner(&cell, f, k), bent);
  }
  if (bent)
    tsr_set_flag(&work->bent[work->view.points.tuples]);
}

/** 1 if an item that is not flat can have an edge of the tetrahedron. */
TSR_FN int tsr_solid_meets_bent(const tsr_cells_work *work, const tsr_cell *cell) {
  int marks = 0;
  for (int k = 0; k < 4; ++k)
    marks += work->bent[tsr_cell_id(&work->view, cell, k)];
  return marks > 1;
}

/** 1 if an item that is not flat can have a side of the flat face i of this cell; or, so that all
 *  faces of a solid are alike, an edge of the solid. */
TSR_FN int tsr_flat_meets_bent(const tsr_cells_work *work, int64_t i, const tsr_cell *cell) {
  const int f = tsr_item_face(work->items[i]), n = tsr_plain_corners(work, i);
  int first = 0, last = 0;
  if (work->plain[i] & TSR_PLAIN_SOLID)
    return tsr_solid_meets_bent(work, cell);
  for (int k = 0; k < n; ++k) {
    const int mark = work->bent[tsr_cell_id(&work->view, cell, tsr_item_corner(cell, f, k))];
    if (mark && last)
      return 1;
    first = k == 0 ? mark : first;
    last = mark;
  }
  return first && last;
}

#endif
