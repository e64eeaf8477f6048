/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What a cell of the input is: its shape, degrees and number of nodes, by VTK's type numbers.
 *
 * The quadratic cells of VTK have the nodes of Lagrange cells of degree 2, in their order; some of
 * them leave out nodes at the end of the list, inside faces or inside the cell. So a cell is a
 * lattice of nodes, and a node whose number is not below the cell's number of points is missing.
 */
#ifndef TSR_CELLS_KINDS_CELL_MATH_H
#define TSR_CELLS_KINDS_CELL_MATH_H

#include "cells/tessera_cells.h"
#include "common/common_math.h"

/** Shapes of cells. */
typedef enum tsr_shape {
  TSR_SHAPE_NONE = 0, /**< an empty cell */
  TSR_SHAPE_VERTS,
  TSR_SHAPE_POLYLINE,
  TSR_SHAPE_POLYGON,
  TSR_SHAPE_PIXEL,
  TSR_SHAPE_STRIP,
  TSR_SHAPE_CURVE,
  TSR_SHAPE_TRIANGLE,
  TSR_SHAPE_QUAD,
  TSR_SHAPE_TETRA, /**< from here on the cell has faces, which other cells may share */
  TSR_SHAPE_HEXAHEDRON,
  TSR_SHAPE_WEDGE,
  TSR_SHAPE_PYRAMID,
  TSR_SHAPE_VOXEL,
  TSR_SHAPE_PRISM, /**< over a polygon of 5 or 6 corners */
  TSR_SHAPE_UNKNOWN
} tsr_shape;

/** What the values at the nodes are. */
typedef enum tsr_basis {
  TSR_BASIS_LAGRANGE = 0, /**< values of the polynomial at equal steps of the parameters */
  TSR_BASIS_BEZIER        /**< its Bernstein coefficients */
} tsr_basis;

/** A cell. */
typedef struct tsr_cell {
  int type;
  tsr_shape shape;
  tsr_basis basis;
  int curved;       /**< 0: its faces are polygons, and its lines straight */
  int by_degree;    /**< 1: a Lagrange or Bezier cell, whose degree the view tells */
  int d[3];         /**< degrees along the axes of the lattice */
  int inward;       /**< 1: of VTK's wedges that are not Lagrange or Bezier cells, whose triangle of
                         the first three corners has its front outside */
  int bubbles;      /**< 1: a cell of degree 2 with a node inside each triangle */
  int64_t first, n; /**< its place in the connectivity */
} tsr_cell;

/** Sets the shape of a Lagrange or Bezier cell. k: 0 for the curve, and so on in VTK's order. */
TSR_FN void tsr_cell_set_lattice(tsr_cell *it, int k) {
  const tsr_shape first = k < 3 ? TSR_SHAPE_CURVE : TSR_SHAPE_TETRA;
  it->shape = k < 6 ? (tsr_shape)((int)first + k % 3) : TSR_SHAPE_UNKNOWN;
  it->by_degree = it->curved = 1;
}

/** Sets the shape and the degrees of a quadratic cell, or of the cubic line. */
TSR_FN void tsr_cell_set_quadratic(tsr_cell *it, tsr_shape shape, int d, int d_last) {
  it->shape = shape;
  it->curved = 1;
  it->inward = shape == TSR_SHAPE_WEDGE;
  it->d[0] = d;
  it->d[1] = shape == TSR_SHAPE_QUAD ? d_last : d;
  it->d[2] = d_last;
}

/** The shape of a linear cell, whose type is at most 16. */
TSR_FN tsr_shape tsr_linear_shape(int type) {
  switch (type) {
  case 0:
    return TSR_SHAPE_NONE;
  case 1:
  case 2:
    return TSR_SHAPE_VERTS;
  case 3:
  case 4:
    return TSR_SHAPE_POLYLINE;
  case 6:
    return TSR_SHAPE_STRIP;
  case 8:
    return TSR_SHAPE_PIXEL;
  case 10:
    return TSR_SHAPE_TETRA;
  case 11:
    return TSR_SHAPE_VOXEL;
  case 12:
    return TSR_SHAPE_HEXAHEDRON;
  case 13:
    return TSR_SHAPE_WEDGE;
  case 14:
    return TSR_SHAPE_PYRAMID;
  case 15:
  case 16:
    return TSR_SHAPE_PRISM;
  default: /* triangle, polygon, quadrilateral */
    return TSR_SHAPE_POLYGON;
  }
}

/** The shape of a quadratic cell, or of the cubic line; otherwise TSR_SHAPE_UNKNOWN. */
TSR_FN tsr_shape tsr_quadratic_shape(int type) {
  switch (type) {
  case 21:
  case 35:
    return TSR_SHAPE_CURVE;
  case 22:
  case 34:
    return TSR_SHAPE_TRIANGLE;
  case 23:
  case 28:
  case 30:
    return TSR_SHAPE_QUAD;
  case 24:
    return TSR_SHAPE_TETRA;
  case 25:
  case 29:
  case 33:
    return TSR_SHAPE_HEXAHEDRON;
  case 26:
  case 31:
  case 32:
    return TSR_SHAPE_WEDGE;
  case 27:
  case 37:
    return TSR_SHAPE_PYRAMID;
  default:
    return TSR_SHAPE_UNKNOWN;
  }
}

/** Sets shape, basis and, unless the cell has them by_degree, the degrees: by the type's number. */
TSR_FN void tsr_cell_set_shape(tsr_cell *it) {
  const int type = it->type, lattice = type >= 68 && type <= 81 && type != 74;
  it->basis = type >= 75 ? TSR_BASIS_BEZIER : TSR_BASIS_LAGRANGE;
  it->curved = it->by_degree = 0;
  it->bubbles = type == 34 || type == 37;
  it->d[0] = it->d[1] = it->d[2] = 1;
  it->inward = type == 13;
  if (type <= 16)
    it->shape = tsr_linear_shape(type);
  else if (lattice)
    tsr_cell_set_lattice(it, type >= 75 ? type - 75 : type - 68);
  else /* quadratic along the first axes, linear along the last one of 30 and 31 */
    tsr_cell_set_quadratic(it, tsr_quadratic_shape(type), type == 35 ? 3 : 2,
                           type == 35 ? 3 : (type == 30 || type == 31 ? 1 : 2));
}

/** Number of nodes of the whole lattice. */
TSR_FN int64_t tsr_cell_lattice_nodes(tsr_shape shape, const int d[3]) {
  const int64_t a = d[0] + 1, b = d[1] + 1, c = d[2] + 1;
  switch (shape) {
  case TSR_SHAPE_CURVE:
    return a;
  case TSR_SHAPE_TRIANGLE:
    return a * (a + 1) / 2;
  case TSR_SHAPE_QUAD:
    return a * b;
  case TSR_SHAPE_TETRA:
    return a * (a + 1) * (a + 2) / 6;
  case TSR_SHAPE_HEXAHEDRON:
    return a * b * c;
  case TSR_SHAPE_WEDGE:
    return a * (a + 1) / 2 * c;
  default:
    return 0;
  }
}

/** 1 if a cell that is not by_degree may have n nodes. */
TSR_FN int tsr_cell_has_count(const tsr_cell *it) {
  const int64_t n = it->n;
  switch (it->type) {
  case 1:
    return n == 1;
  case 2:
    return n >= 1;
  case 3:
    return n == 2;
  case 4:
    return n >= 2;
  case 5:
    return n == 3;
  case 6:
  case 7:
    return n >= 3;
  case 8:
  case 9:
  case 10:
    return n == 4;
  case 11:
  case 12:
    return n == 8;
  case 14:
    return n == 5;
  case 15:
    return n == 10;
  case 16:
    return n == 12;
  case 34:
    return n == 7;
  case 23:
    return n == 8;
  case 25:
    return n == 20;
  case 33:
    return n == 24;
  case 26:
    return n == 15;
  case 27:
    return n == 13;
  case 37:
    return n == 19;
  default:
    return n == tsr_cell_lattice_nodes(it->shape, it->d);
  }
}

/** Sets the one degree of all axes that fits the number of nodes. Returns 0 if there is none. */
TSR_FN int tsr_cell_set_degree(tsr_cell *it) {
  int64_t triangle = 1, tetra = 1; /* nodes of the lattices of degree d, here 0 */
  /* Cells of degree 2 with nodes inside their triangles. */
  it->bubbles =
      it->basis == TSR_BASIS_LAGRANGE && ((it->shape == TSR_SHAPE_TRIANGLE && it->n == 7) ||
                                          (it->shape == TSR_SHAPE_TETRA && it->n == 15) ||
                                          (it->shape == TSR_SHAPE_WEDGE && it->n == 21));
  if (it->bubbles) {
    it->d[0] = it->d[1] = it->d[2] = 2;
    return 1;
  }
  for (int d = 1; d <= TSR_CELLS_MAX_DEGREE; ++d) {
    it->d[0] = it->d[1] = it->d[2] = d;
    triangle += d + 1;
    tetra += triangle;
    if (it->n == (it->shape == TSR_SHAPE_TETRA      ? tetra
                  : it->shape == TSR_SHAPE_TRIANGLE ? triangle
                                                    : tsr_cell_lattice_nodes(it->shape, it->d)))
      return 1;
  }
  return 0;
}

/** Sets the degrees of a cell that is by_degree. Returns -1, or a tsr_cells_note. */
TSR_FN int tsr_cell_take_degrees(tsr_cell *it, const tsr_array *degrees, int64_t i) {
  if (!degrees->data || it->shape == TSR_SHAPE_TRIANGLE || it->shape == TSR_SHAPE_TETRA ||
      (it->shape == TSR_SHAPE_WEDGE && it->n == 21))
    return tsr_cell_set_degree(it) ? -1 : TSR_CELLS_NOTE_COUNT;
  for (int k = 0; k < 3; ++k) {
    const double d = tsr_load(degrees, 3 * i + k);
    const int used = k == 0 || (it->shape == TSR_SHAPE_QUAD && k == 1) ||
                     it->shape == TSR_SHAPE_HEXAHEDRON || it->shape == TSR_SHAPE_WEDGE;
    if (used && !(d >= 1.0 && d <= (double)TSR_CELLS_MAX_DEGREE && d == (double)(int)d))
      return TSR_CELLS_NOTE_DEGREE;
    it->d[k] = used ? (int)d : 1;
  }
  if (it->shape == TSR_SHAPE_WEDGE && it->d[1] != it->d[0])
    return TSR_CELLS_NOTE_DEGREE;
  return it->n == tsr_cell_lattice_nodes(it->shape, it->d) ? -1 : TSR_CELLS_NOTE_COUNT;
}

/** Sets type and place of cell i, and what its type alone tells. */
TSR_FN void tsr_cell_set_type(const tsr_cells_view *view, int64_t i, tsr_cell *it) {
  it->type = view->types[i];
  it->first = tsr_load_index(view->offsets, view->index_type, i);
  it->n = tsr_load_index(view->offsets, view->index_type, i + 1) - it->first;
  tsr_cell_set_shape(it);
}

/** Cell i of the view, which tsr_cell_at() found good. */
TSR_FN void tsr_good_cell_at(const tsr_cells_view *view, int64_t i, tsr_cell *it) {
  tsr_cell_set_type(view, i, it);
  if (it->by_degree)
    tsr_cell_take_degrees(it, &view->degrees, i);
}

/** Cell i of the view, whatever its points are. Returns -1, or a tsr_cells_note if the cell cannot
 *  be used. */
TSR_FAR_FN int tsr_cell_at(const tsr_cells_view *view, int64_t i, tsr_cell *it) {
  tsr_cell_set_type(view, i, it);
  if (it->shape == TSR_SHAPE_NONE)
    return -1;
  if (it->shape == TSR_SHAPE_UNKNOWN)
    return TSR_CELLS_NOTE_TYPE;
  if (it->first < 0 || it->n < 1 || it->n > view->n_connectivity - it->first)
    return TSR_CELLS_NOTE_COUNT;
  if (it->by_degree)
    return tsr_cell_take_degrees(it, &view->degrees, i);
  return tsr_cell_has_count(it) ? -1 : TSR_CELLS_NOTE_COUNT;
}

/** Id of node k of the cell, 0 <= k < it->n. */
TSR_FN int64_t tsr_cell_id(const tsr_cells_view *view, const tsr_cell *it, int64_t k) {
  return tsr_load_index(view->connectivity, view->index_type, it->first + k);
}

/** 1 if values of the cell are divided by rational weights. */
TSR_FN int tsr_cell_is_rational(const tsr_cells_view *view, const tsr_cell *it) {
  return view->weights.data && it->basis == TSR_BASIS_BEZIER;
}

/** A box of points; least > most: there is none. */
typedef struct tsr_cell_box {
  double least[3], most[3];
} tsr_cell_box;

/** Finds what is wrong with the points of a cell, of which `most` is the largest coordinate that is
 *  allowed. Returns -1, or a tsr_cells_note. box: the points are added, if nothing is wrong. */
TSR_FN int tsr_cell_examine_points(const tsr_cells_view *view, const tsr_cell *it, double most,
                                   tsr_cell_box *box) {
  const int rational = tsr_cell_is_rational(view, it);
  tsr_cell_box own = *box; /* the compiler then keeps it in registers */
  for (int64_t k = 0; k < it->n; ++k) {
    const int64_t id = tsr_cell_id(view, it, k);
    double x[3];
    if (id < 0 || id >= view->points.tuples)
      return TSR_CELLS_NOTE_ID;
    tsr_load3(&view->points, id, x);
    if (!(fabs(x[0]) <= most) || !(fabs(x[1]) <= most) || !(fabs(x[2]) <= most))
      return TSR_CELLS_NOTE_PLACE;
    for (int c = 0; c < 3; ++c) {
      own.least[c] = x[c] < own.least[c] ? x[c] : own.least[c];
      own.most[c] = x[c] > own.most[c] ? x[c] : own.most[c];
    }
    if (rational) {
      const double w = tsr_load(&view->weights, id);
      if (!(w > 0.0) || !(w <= TSR_LARGEST_COORDINATE))
        return TSR_CELLS_NOTE_WEIGHT;
    }
  }
  *box = own;
  return -1;
}

/** Finds what is wrong with cell i, its points included. Returns -1, or a tsr_cells_note. box:
 *  receives the box of the points, if nothing is wrong. */
TSR_FN int tsr_cell_examine(const tsr_cells_view *view, int64_t i, tsr_cell *it,
                            tsr_cell_box *box) {
  const double most = view->single_points ? TSR_LARGEST_SINGLE : TSR_LARGEST_COORDINATE;
  const int note = tsr_cell_at(view, i, it);
  for (int c = 0; c < 3; ++c) {
    box->least[c] = 2.0 * TSR_LARGEST_COORDINATE;
    box->most[c] = -2.0 * TSR_LARGEST_COORDINATE;
  }
  if (note >= 0 || it->shape == TSR_SHAPE_NONE)
    return note;
  return tsr_cell_examine_points(view, it, most, box);
}

#endif
