/* SPDX-License-Identifier: BSD-3-Clause */
/** A cell of an unstructured output as VTK sees it: its faces, volume and interpolation. */
#ifndef GRID_CELL_H
#define GRID_CELL_H

#include "grid_case.h"

/** Points of a cell, in the order of VTK's hexahedron, tetrahedron, pyramid (2D: quad, triangle).
 */
typedef struct grid_cell {
  int n, dimension;
  int64_t id[8];
  double x[8][3], value[8];
} grid_cell;

/** Cell c of the output. */
grid_cell grid_cell_of(const grid_out *out, int64_t c);

/** Faces of a cell (2D: sides), by the places of their points; -1: none. Returns how many. */
int grid_cell_faces(const grid_cell *it, int face[6][4]);

/** The volume; the Jacobian at every corner is checked to be positive. */
double grid_cell_volume(const grid_cell *it);

/** The interpolated value at x. Returns 0 where x lies outside. */
int grid_cell_value(const grid_cell *it, const double x[3], double *value);

#endif
