/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: numbers and places of points that may lie between input points. points.c says how they
 * are numbered. */
#ifndef TSR_GRID_OUTPUT_POINT_MATH_H
#define TSR_GRID_OUTPUT_POINT_MATH_H

#include "grid/criteria/field_math.h"

/** The points of CELLS and POLYGONS: bits that say where one is. See points.c. */
typedef struct tsr_grid_points {
  int64_t first[3], size[3]; /**< the box of input points that the owned roots touch */
  tsr_bits at_input;         /**< one bit an input point of the box, axis 0 fastest */
  tsr_bits has_page; /**< the same numbering: cells (by their lowest point) with points between */
  tsr_bits page;     /**< page_bits for each such cell */
  int64_t page_bits;
  int64_t n_input, n;   /**< points in input points; all */
  int64_t *offsets;     /**< POLYGONS: cells + 1: entries of connectivity before each */
  int64_t connectivity; /**< entries */
} tsr_grid_points;

/** Where lattice place x is: bit of its input point or cell, and number within the cell (0: it is
 * an input point). */
TSR_FN int64_t tsr_place_bit(const tsr_lattice *lattice, const tsr_grid_points *points,
                             const int64_t x[3], int64_t *within) {
  const int deep = lattice->levels - lattice->coarsen;
  int64_t at = 0;
  *within = 0;
  for (int a = lattice->dimension - 1; a >= 0; --a) {
    at = at * points->size[a] + ((x[a] >> deep) - points->first[a]);
    *within = (*within << deep) | (x[a] & (((int64_t)1 << deep) - 1));
  }
  return at;
}

/** Number of the point at lattice place x, or -1. */
TSR_FN int64_t tsr_point_id(const tsr_lattice *lattice, const tsr_grid_points *points,
                            const int64_t x[3]) {
  int64_t within, bit = tsr_place_bit(lattice, points, x, &within);
  if (within == 0)
    return tsr_bits_get(&points->at_input, bit) ? tsr_bits_rank(&points->at_input, bit) : -1;
  if (!tsr_bits_get(&points->has_page, bit))
    return -1;
  bit = tsr_bits_rank(&points->has_page, bit) * points->page_bits + within;
  return tsr_bits_get(&points->page, bit) ? points->n_input + tsr_bits_rank(&points->page, bit)
                                          : -1;
}

/** A place, or the index of a node, as one number of 64 bits; each of its three numbers is below
 * 2^TSR_PLACE_BITS. */
#define TSR_PLACE_BITS 21

TSR_FN uint64_t tsr_place_pack(const int64_t x[3]) {
  return (uint64_t)x[0] | (uint64_t)x[1] << TSR_PLACE_BITS | (uint64_t)x[2] << 2 * TSR_PLACE_BITS;
}

TSR_FN void tsr_place_unpack(uint64_t place, int64_t x[3]) {
  const uint64_t mask = ((uint64_t)1 << TSR_PLACE_BITS) - 1;
  for (int a = 0; a < 3; ++a)
    x[a] = (int64_t)((place >> (a * TSR_PLACE_BITS)) & mask);
}

/** Position of lattice place x that does not hang. */
TSR_FN void tsr_lattice_position(const tsr_lattice *lattice, const tsr_space *space,
                                 const int64_t x[3], double position[3]) {
  const int deep = lattice->levels - lattice->coarsen;
  const double unit = 1.0 / (double)((int64_t)1 << deep);
  double u[3] = {0.0, 0.0, 0.0};
  if (space->geometry == TSR_GEOMETRY_POINTS) {
    tsr_corners corners;
    tsr_lattice_corners(lattice, x, &corners);
    for (int c = 0; c < 3; ++c)
      position[c] = tsr_corners_value(&corners, &space->points, c);
    return;
  }
  for (int a = 0; a < 3; ++a) {
    const int axis = lattice->axis[a];
    const tsr_array *along = &space->coordinates[axis];
    const int64_t p = tsr_shift(lattice, a, x[a], deep), at = p - lattice->held[a][0];
    const double t =
        a < lattice->dimension ? (double)(x[a] - p * ((int64_t)1 << deep)) * unit : 0.0;
    if (space->geometry == TSR_GEOMETRY_UNIFORM)
      u[axis] = ((double)p + t) * space->spacing[axis];
    else
      u[axis] = t > 0.0 ? (1.0 - t) * tsr_load(along, at) + t * tsr_load(along, at + 1)
                        : tsr_load(along, at);
  }
  for (int c = 0; c < 3; ++c)
    position[c] = space->geometry == TSR_GEOMETRY_RECTILINEAR
                      ? u[c]
                      : space->origin[c] +
                            ((space->direction[3 * c] * u[0] + space->direction[3 * c + 1] * u[1]) +
                             space->direction[3 * c + 2] * u[2]);
}

#endif
