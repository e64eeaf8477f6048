/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Point grids: where a point is in the root cell, Morton keys, where a cell is in space.
 *
 * A key interleaves the bits of the finest cell's index along the axes, that of the first axis
 * lowest: cells in the order of their keys are in Morton order, and the keys of a cell of level l
 * are the range [first, first + 2^(d (20 - l))).
 */
#ifndef TSR_POINTGRID_POINTGRID_MATH_H
#define TSR_POINTGRID_POINTGRID_MATH_H

#include "common/morton_math.h"
#include "pointgrid/tessera_pointgrid.h"

/** Finest cells along an axis. */
#define TSR_POINTGRID_FINEST ((int64_t)1 << TSR_POINTGRID_MAX_LEVEL)

/** The root cell. */
typedef struct tsr_pointgrid_cube {
  int dimension; /**< 2 or 3 */
  int axis[3];   /**< of space; the last one of a quadtree is the dropped one */
  double origin[3], side;
} tsr_pointgrid_cube;

/** A leaf and its points: order[begin .. begin + count). */
typedef struct tsr_pointgrid_leaf {
  uint64_t key; /**< the lowest Morton key in the leaf */
  int64_t begin, count;
  int level;
} tsr_pointgrid_leaf;

/** Index of the finest cell along an axis. A division, since the product with a reciprocal would
 *  put points that lie on a border exactly on either side of it. */
TSR_FN uint64_t tsr_pointgrid_index(double x, double origin, double side) {
  const double at = (x - origin) / side * (double)TSR_POINTGRID_FINEST;
  if (!(at > 0.0))
    return 0;
  return at < (double)TSR_POINTGRID_FINEST ? (uint64_t)at : (uint64_t)TSR_POINTGRID_FINEST - 1;
}

/** Key of the finest cell that holds the point at xyz. */
TSR_FN uint64_t tsr_pointgrid_key(const tsr_pointgrid_cube *cube, const double xyz[3]) {
  uint64_t i[3] = {0, 0, 0};
  for (int a = 0; a < cube->dimension; ++a)
    i[a] = tsr_pointgrid_index(xyz[cube->axis[a]], cube->origin[cube->axis[a]], cube->side);
  return tsr_morton(i, cube->dimension);
}

/** Coordinate of border i, of 2^20 + 1, along an axis of space. */
TSR_FN double tsr_pointgrid_border(const tsr_pointgrid_cube *cube, int axis, uint64_t i) {
  return cube->origin[axis] + cube->side * ((double)i / (double)TSR_POINTGRID_FINEST);
}

/** Bits of a key below those that name a cell of the level. */
TSR_FN int tsr_pointgrid_shift(int dimension, int level) {
  return dimension * (TSR_POINTGRID_MAX_LEVEL - level);
}

/** The level down to which two keys lie in the same cells. */
TSR_FN int tsr_pointgrid_common_level(uint64_t one, uint64_t other, int dimension) {
  int level = TSR_POINTGRID_MAX_LEVEL;
  for (uint64_t difference = one ^ other; difference != 0; difference >>= dimension)
    --level;
  return level;
}

/** What splits a cell. */
typedef struct tsr_pointgrid_rule {
  int dimension, max_level, use_spread;
  int64_t max_points;
  double spread;
  uint64_t begin, end; /**< keys owned here; a cell that is owned in part is split: its leaves are
                            owned as a whole, so all processes together split it too */
} tsr_pointgrid_rule;

/** A cell and what is known of its points. */
typedef struct tsr_pointgrid_cell {
  uint64_t key; /**< its first */
  int64_t count;
  double low, high; /**< of the spread array; high below low: no value */
  int level;
} tsr_pointgrid_cell;

/** Does any of the cell's keys belong here? */
TSR_FN int tsr_pointgrid_is_owned(const tsr_pointgrid_rule *rule, uint64_t key, int level) {
  const uint64_t end = key + ((uint64_t)1 << tsr_pointgrid_shift(rule->dimension, level));
  return rule->begin < rule->end && key < rule->end && end > rule->begin;
}

TSR_FN int tsr_pointgrid_splits(const tsr_pointgrid_rule *rule, const tsr_pointgrid_cell *cell) {
  const uint64_t end =
      cell->key + ((uint64_t)1 << tsr_pointgrid_shift(rule->dimension, cell->level));
  if ((cell->key < rule->begin && rule->begin < end) || (cell->key < rule->end && rule->end < end))
    return 1;
  if (cell->level >= rule->max_level)
    return 0;
  return cell->count > rule->max_points ||
         (rule->use_spread && cell->high - cell->low > rule->spread);
}

/** Does a leaf hold too many points, since it lies too deep to be split? */
TSR_FN int tsr_pointgrid_is_full(const tsr_pointgrid_rule *rule, int level, int64_t count) {
  return level >= rule->max_level && count > rule->max_points;
}

/** The value of the spread array at point i. */
TSR_FN double tsr_pointgrid_value(const tsr_array *array, int component, int64_t i) {
  double sum = 0.0;
  if (component >= 0)
    return tsr_load(array, i * array->components + component);
  if (array->components == 1)
    return tsr_load(array, i);
  for (int c = 0; c < array->components; ++c) {
    const double v = tsr_load(array, i * array->components + c);
    sum += v * v;
  }
  return sqrt(sum);
}

/** Bits along each axis of a corner's place on the lattice of the cells of a level. */
TSR_FN int tsr_pointgrid_corner_bits(int level) { return level + 1; }

/** Place of corner c of a cell on the lattice of the cells of level `finest`, which is the cell's
 * or below: c and the place have the first axis lowest. */
TSR_FN uint64_t tsr_pointgrid_corner(uint64_t key, int level, int c, int dimension, int finest) {
  const int drop = TSR_POINTGRID_MAX_LEVEL - finest, bits = tsr_pointgrid_corner_bits(finest);
  const uint64_t size = (uint64_t)1 << (finest - level);
  uint64_t place = 0;
  for (int a = 0; a < dimension; ++a) {
    const uint64_t low = tsr_morton_axis(key >> a, dimension) >> drop;
    place |= (low + (c >> a & 1 ? size : 0)) << (a * bits);
  }
  return place;
}

/** Such a place on the finest lattice there can be. */
TSR_FN uint64_t tsr_pointgrid_full_place(uint64_t place, int dimension, int finest) {
  const int bits = tsr_pointgrid_corner_bits(finest);
  const int full = tsr_pointgrid_corner_bits(TSR_POINTGRID_MAX_LEVEL);
  uint64_t result = 0;
  for (int a = 0; a < dimension; ++a)
    result |= (place >> (a * bits) & (((uint64_t)1 << bits) - 1))
              << (a * full + TSR_POINTGRID_MAX_LEVEL - finest);
  return result;
}

/** Where a place on the finest lattice is in space. */
TSR_FN void tsr_pointgrid_place(const tsr_pointgrid_cube *cube, uint64_t place, double xyz[3]) {
  const int bits = tsr_pointgrid_corner_bits(TSR_POINTGRID_MAX_LEVEL);
  for (int a = 0; a < 3; ++a)
    xyz[a] = cube->origin[a];
  for (int a = 0; a < cube->dimension; ++a) {
    const uint64_t at = place >> (a * bits) & (((uint64_t)1 << bits) - 1);
    xyz[cube->axis[a]] = tsr_pointgrid_border(cube, cube->axis[a], at);
  }
}

/** Points over the volume (quadtree: area) of a cell. */
TSR_FN double tsr_pointgrid_density(const tsr_pointgrid_cube *cube, int64_t count, int level) {
  const double side = cube->side / (double)((int64_t)1 << level);
  const double area = side * side;
  return (double)count / (cube->dimension == 3 ? area * side : area);
}

#endif
