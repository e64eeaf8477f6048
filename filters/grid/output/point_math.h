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
  tsr_bits has_page; /**< one bit a cell (numbered as its lowest point): has points between */
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

/** Lattice place of the input point, or of the lowest point of the input cell, of a bit. */
TSR_FN void tsr_point_place(const tsr_lattice *lattice, const tsr_grid_points *points, int64_t bit,
                            int64_t x[3]) {
  const int deep = lattice->levels - lattice->coarsen;
  x[1] = x[2] = 0;
  for (int a = 0; a < lattice->dimension; ++a) {
    x[a] = (points->first[a] + bit % points->size[a]) * ((int64_t)1 << deep);
    bit /= points->size[a];
  }
}

/** Moves the lowest point of an input cell to the place with this number within the cell. */
TSR_FN void tsr_point_move(const tsr_lattice *lattice, int64_t within, int64_t x[3]) {
  const int deep = lattice->levels - lattice->coarsen;
  for (int a = 0; a < lattice->dimension; ++a) {
    x[a] += within & (((int64_t)1 << deep) - 1);
    within >>= deep;
  }
}

/** Finds the corners of a leaf that is no smaller than an input cell, which are input points. bit:
 *  receives the bits of its lower corners along axis 0; in fewer dimensions than 3 the first
 *  2^(dimension - 1) of them count. Returns how many bits further the upper ones are. */
TSR_FN int64_t tsr_corner_bits(const tsr_lattice *lattice, const tsr_grid_points *points, int level,
                               const int64_t i[3], int64_t bit[4]) {
  const int64_t row = points->size[0], plane = row * points->size[1];
  int64_t x[2], y[2], z[2];
  tsr_node_cells(lattice, 0, level, i[0], x);
  tsr_node_cells(lattice, 1, level, i[1], y);
  tsr_node_cells(lattice, 2, level, i[2], z);
  bit[0] = (z[0] - points->first[2]) * plane + (y[0] - points->first[1]) * row +
           (x[0] - points->first[0]);
  bit[1] = bit[0] + (y[1] - y[0]) * row;
  bit[2] = bit[0] + (z[1] - z[0]) * plane;
  bit[3] = bit[1] + (z[1] - z[0]) * plane;
  return x[1] - x[0];
}

/* ---- the steps that number points; points.c says how */

/** What marks the points of leaves. */
typedef struct tsr_points_job {
  const tsr_lattice *lattice;
  const tsr_grid_node *nodes;
  const uint32_t *has; /**< for each leaf the bits of its places (cut_math.h) if it is cut, else 0;
                            NULL: no leaf is cut */
  int ghosts;          /**< 1: the leaves are those of other processes */
  int pages;           /**< 0: marks input points, and cells with points between; 1: these points */
  tsr_grid_points points;
} tsr_points_job;

/** Marks lattice place x, if the box has it. */
TSR_FN void tsr_points_mark_place(const tsr_points_job *job, const int64_t x[3]) {
  const tsr_grid_points *points = &job->points;
  const int deep = job->lattice->levels - job->lattice->coarsen;
  int64_t within, bit;
  for (int a = 0; job->ghosts && a < job->lattice->dimension; ++a) {
    const int64_t first = points->first[a] * ((int64_t)1 << deep);
    if (x[a] < first || x[a] > first + (points->size[a] - 1) * ((int64_t)1 << deep))
      return;
  }
  bit = tsr_place_bit(job->lattice, points, x, &within);
  if (job->pages && within > 0)
    tsr_bits_set(&points->page, tsr_bits_rank(&points->has_page, bit) * points->page_bits + within);
  else if (!job->pages)
    tsr_bits_set(within > 0 ? &points->has_page : &points->at_input, bit);
}

/** Marks the corners of leaf n, and its places if it is cut. */
TSR_FN void tsr_points_mark(const tsr_points_job *job, int64_t n) {
  const tsr_lattice *lattice = job->lattice;
  const tsr_grid_node *node = &job->nodes[n];
  const int64_t half = ((int64_t)1 << (lattice->levels - node->level)) >> 1;
  const int is_large = node->level <= lattice->coarsen && !job->ghosts;
  const uint32_t places = job->has ? job->has[n] : 0;
  int64_t i[3], range[3][2];
  tsr_node_inner(lattice, node, i);
  if (is_large && !job->pages) {
    int64_t bit[4];
    const int64_t along = tsr_corner_bits(lattice, &job->points, node->level, i, bit);
    for (int k = 0; k < 1 << (lattice->dimension - 1); ++k) {
      tsr_bits_set(&job->points.at_input, bit[k]);
      tsr_bits_set(&job->points.at_input, bit[k] + along);
    }
  }
  if (is_large && places == 0)
    return;
  for (int a = 0; a < 3; ++a)
    tsr_node_lattice(lattice, a, node->level, i[a], range[a]);
  for (int k = 0; !is_large && k < 1 << lattice->dimension; ++k) {
    const int64_t x[3] = {range[0][k & 1], range[1][(k >> 1) & 1], range[2][(k >> 2) & 1]};
    tsr_points_mark_place(job, x);
  }
  for (int place = 0; places >> place; ++place) {
    const int u[3] = {place % 3, place / 3 % 3, place / 9};
    int64_t x[3];
    if (!((places >> place) & 1))
      continue;
    for (int a = 0; a < 3; ++a)
      x[a] = u[a] == 0 || a >= lattice->dimension ? range[a][0]
             : u[a] == 1                          ? range[a][0] + half
                                                  : range[a][1];
    tsr_points_mark_place(job, x);
  }
}

/** Clears word w of the bits. */
TSR_FN void tsr_bits_clear(const tsr_bits *bits, int64_t w) { bits->word[w] = 0; }

/** Counts the bits of word w. */
TSR_FN void tsr_bits_count_word(const tsr_bits *bits, int64_t w) {
  bits->before[w] = tsr_popcount(bits->word[w]);
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
