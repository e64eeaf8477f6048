/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids from cells of several sizes: the points that cells share. Each cell lists the places where
 * it has points; the places of all cells are sorted, and equal ones become one point. Points are
 * numbered in Morton order of their places in the lattice of the finest cells.
 *
 * A slot is an entry of that list. A cell that is cut lists all places that it has (see
 * cut_math.h); a cell that is not cut lists its corners. The 2^d cells that are all children of one
 * node are a family: they have 3^d corners together, which their first cell lists for all of them.
 */
#ifndef TSR_GRID_OCTREE_CORNER_MATH_H
#define TSR_GRID_OCTREE_CORNER_MATH_H

#include "grid/octree/octree_math.h"

/** The points of cells; arrays of the executor. */
typedef struct tsr_octree_points {
  int64_t n;
  uint64_t *key;     /**< n: Morton number of the point's place in the lattice */
  int64_t *first;    /**< cells + 1: slots before those of each cell */
  int32_t *point_of; /**< slots: the point of each */
  uint8_t *family;   /**< cells: 1: the cell is in a family */
  int64_t *begin;    /**< n + 1: where the slots of each point begin in `holder` and `place`; NULL:
                          these three are not kept */
  int32_t *holder;   /**< slots sorted by their points, lowest slot first: the cell of each */
  uint8_t *place;    /**< slots, as `holder`: which of the cell's slots each is */
  int32_t *owner;    /**< slots: the cell of each; only while points are numbered */
} tsr_octree_points;

typedef struct tsr_octree_corner_job {
  tsr_octree_shape shape;
  tsr_octree_cells cells;
  const uint32_t *has; /**< places of each cell as tsr_cut.has; 0: a cell that is not cut; NULL: no
                            cell is cut */
  tsr_octree_points points;
  tsr_pairs pairs; /**< key and slot of each slot */
  int64_t *before; /**< points before each chunk of TSR_OCTREE_PAIRS pairs, and their number */
} tsr_octree_corner_job;

/** Number of bits set. */
TSR_FN int tsr_count_bits(uint32_t v) {
  v = v - (v >> 1 & 0x55555555u);
  v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
  v = (v + (v >> 4)) & 0x0f0f0f0fu;
  return (int)(v * 0x01010101u >> 24);
}

/** Lattice coordinates of the lowest corner of a cell or node with this key. */
TSR_FN void tsr_octree_lowest(const tsr_octree_shape *shape, uint64_t key, int64_t at[3]) {
  at[0] = at[1] = at[2] = 0;
  for (int a = 0; a < shape->dimension; ++a)
    at[a] = (int64_t)tsr_morton_axis(key >> a, shape->dimension);
}

/** Morton number of a place, 0 to 2 along each axis in steps of `half`, from a lowest corner on. */
TSR_FN uint64_t tsr_octree_place_key(const tsr_octree_shape *shape, const int64_t low[3], int place,
                                     int64_t half) {
  uint64_t at[3] = {0, 0, 0};
  for (int a = 0; a < shape->dimension; ++a)
    at[a] = (uint64_t)(low[a] + tsr_place_on(place, a) * half);
  return tsr_morton(at, shape->dimension);
}

/** The place of corner k of a cell: bit a of k says at which end of axis a it is. */
TSR_FN int tsr_octree_corner_place(int k) { return 2 * (k & 1) + 6 * (k >> 1 & 1) + 18 * (k >> 2); }

/** 1 if cell i and those behind it are all children of one node. Cells are in order and do not
 * overlap, so that between the first and the last child only the others have room, if all are as
 * large. */
TSR_FN int tsr_octree_begins_family(const tsr_octree_shape *shape, const tsr_octree_cells *cells,
                                    int64_t i) {
  const int height = cells->height[i], last = (1 << shape->dimension) - 1;
  const int shift = tsr_octree_shift(shape, height);
  if (height >= shape->top || i + last >= cells->n ||
      tsr_octree_child_of(shape, cells->key[i] >> shift) != 0 ||
      cells->key[i + last] != cells->key[i] + ((uint64_t)last << shift))
    return 0;
  for (int c = 1; c <= last; ++c)
    if (cells->height[i + c] != height)
      return 0;
  return 1;
}

/** Which of its siblings cell i is. */
TSR_FN int tsr_octree_sibling(const tsr_octree_corner_job *job, int64_t i) {
  return tsr_octree_child_of(&job->shape, job->cells.key[i] >>
                                              tsr_octree_shift(&job->shape, job->cells.height[i]));
}

/** Notes whether cell i is in a family. */
TSR_FN void tsr_octree_flag_family(const tsr_octree_corner_job *job, int64_t i) {
  const int64_t first = i - tsr_octree_sibling(job, i);
  job->points.family[i] = first >= 0 && job->cells.height[first] == job->cells.height[i] &&
                          tsr_octree_begins_family(&job->shape, &job->cells, first);
}

/** 1 if cell i is the first of a family. */
TSR_FN int tsr_octree_leads(const tsr_octree_corner_job *job, int64_t i) {
  return job->points.family[i] && tsr_octree_sibling(job, i) == 0;
}

/** Number of slots that cell i has for itself alone. */
TSR_FN int tsr_octree_own_slots(const tsr_octree_corner_job *job, int64_t i) {
  if (job->has && job->has[i])
    return tsr_count_bits(job->has[i]);
  return job->points.family[i] ? 0 : 1 << job->shape.dimension;
}

/** Number of points of a family. */
TSR_FN int tsr_octree_family_slots(int dimension) {
  return dimension == 3 ? 27 : dimension == 2 ? 9 : 3;
}

/** Counts the slots of cell i. */
TSR_FN void tsr_octree_count_slots(const tsr_octree_corner_job *job, int64_t i) {
  const int leads = tsr_octree_leads(job, i);
  job->points.first[i] =
      tsr_octree_own_slots(job, i) + (leads ? tsr_octree_family_slots(job->shape.dimension) : 0);
}

/** Returns the slot of a place of cell i, which the cell must have. */
TSR_FN int64_t tsr_octree_slot(const tsr_octree_corner_job *job, int64_t i, int place) {
  const uint32_t has = job->has ? job->has[i] : 0;
  const int64_t *first = job->points.first;
  int k = 0, at = 0, sibling;
  if (has)
    return first[i] + tsr_count_bits(has & (((uint32_t)1 << place) - 1u));
  for (int a = 0; a < job->shape.dimension; ++a)
    k |= tsr_place_on(place, a) >> 1 << a;
  if (!job->points.family[i])
    return first[i] + k;
  sibling = tsr_octree_sibling(job, i);
  for (int a = job->shape.dimension; a-- > 0;)
    at = 3 * at + (sibling >> a & 1) + (k >> a & 1);
  return first[i - sibling] + tsr_octree_own_slots(job, i - sibling) + at;
}

/** Bits of the places 0, 1 and 2 along each inner axis, counted in steps from the lowest corner of
 * a cell on. The Morton number of a place is the sum of those of its axes. */
typedef struct tsr_octree_bits {
  uint64_t of[3][3];
} tsr_octree_bits;

/** Finds the bits of places in steps of 2^height from the lowest corner of a cell with this key on.
 *  Where the bits of the other axes are set, they pass a carry on, so that one addition moves along
 *  an axis. */
TSR_FN void tsr_octree_find_bits(const tsr_octree_shape *shape, uint64_t key, int height,
                                 tsr_octree_bits *bits) {
  for (int a = 0; a < 3; ++a) {
    const uint64_t mask = a < shape->dimension ? tsr_morton_mask(shape->dimension) << a : 0;
    const uint64_t step = mask ? (uint64_t)1 << (tsr_octree_shift(shape, height) + a) : 0;
    bits->of[a][0] = key & mask;
    for (int u = 1; u < 3; ++u)
      bits->of[a][u] = ((bits->of[a][u - 1] | ~mask) + step) & mask;
  }
}

TSR_FN uint64_t tsr_octree_place_bits(const tsr_octree_bits *bits, int place) {
  return bits->of[0][place % 3] | bits->of[1][place / 3 % 3] | bits->of[2][place / 9];
}

/** Makes the pairs of cell i. */
TSR_FN void tsr_octree_make_slots(const tsr_octree_corner_job *job, int64_t i) {
  const tsr_octree_shape *shape = &job->shape;
  const int leads = tsr_octree_leads(job, i), own = tsr_octree_own_slots(job, i);
  const int height = job->cells.height[i];
  const uint32_t has = job->has ? job->has[i] : 0;
  int64_t slot = job->points.first[i];
  tsr_octree_bits bits;
  if (has) { /* a cell that is cut is no finest one: its height is above 0 */
    tsr_octree_find_bits(shape, job->cells.key[i], height - 1, &bits);
    for (int place = 0; place < TSR_CUT_PLACES; ++place)
      if (has >> place & 1) {
        tsr_pairs_set(&job->pairs, slot, tsr_octree_place_bits(&bits, place), slot);
        ++slot;
      }
  }
  if (leads || (own > 0 && !has))
    tsr_octree_find_bits(shape, job->cells.key[i], height, &bits);
  for (int k = 0; k < own && !has; ++k, ++slot)
    tsr_pairs_set(&job->pairs, slot,
                  bits.of[0][k & 1] | bits.of[1][k >> 1 & 1] | bits.of[2][k >> 2], slot);
  for (int w = 0; w < (shape->dimension > 2 ? 3 : 1) && leads; ++w)
    for (int v = 0; v < (shape->dimension > 1 ? 3 : 1); ++v)
      for (int u = 0; u < 3; ++u, ++slot)
        tsr_pairs_set(&job->pairs, slot, bits.of[0][u] | bits.of[1][v] | bits.of[2][w], slot);
}

/** Sets the owner of each slot of cell i. */
TSR_FN void tsr_octree_own(const tsr_octree_corner_job *job, int64_t i) {
  for (int64_t slot = job->points.first[i]; slot < job->points.first[i + 1]; ++slot)
    job->points.owner[slot] = (int32_t)i;
}

/** Pairs of a chunk. Their keys take 256 bytes, which are two lines of a device's cache. */
#define TSR_OCTREE_PAIRS 32

TSR_FN int64_t tsr_octree_pairs_end(const tsr_octree_corner_job *job, int64_t chunk) {
  const int64_t end = (chunk + 1) * TSR_OCTREE_PAIRS;
  return end < job->pairs.n ? end : job->pairs.n;
}

/** Counts the points that begin in a chunk of pairs. */
TSR_FN void tsr_octree_count_points(const tsr_octree_corner_job *job, int64_t chunk) {
  const int64_t first = chunk * TSR_OCTREE_PAIRS, end = tsr_octree_pairs_end(job, chunk);
  uint64_t key = tsr_pairs_key(&job->pairs, first > 0 ? first - 1 : 0);
  int64_t n = first == 0;
  for (int64_t i = first; i < end; ++i) {
    const uint64_t next = tsr_pairs_key(&job->pairs, i);
    n += next != key;
    key = next;
  }
  job->before[chunk] = n;
}

/** Gives the pairs of a chunk their points. */
TSR_FN void tsr_octree_number_chunk(const tsr_octree_corner_job *job, int64_t chunk) {
  const int64_t first = chunk * TSR_OCTREE_PAIRS, end = tsr_octree_pairs_end(job, chunk);
  int64_t point = job->before[chunk] - 1;
  uint64_t key = tsr_pairs_key(&job->pairs, first > 0 ? first - 1 : 0);
  for (int64_t i = first; i < end; ++i) {
    const uint64_t next = tsr_pairs_key(&job->pairs, i);
    if (i == 0 || next != key) {
      job->points.key[++point] = next;
      if (job->points.begin)
        job->points.begin[point] = i;
    }
    job->points.point_of[tsr_pairs_value(&job->pairs, i)] = (int32_t)point;
    key = next;
  }
  if (job->points.begin && end == job->pairs.n)
    job->points.begin[point + 1] = end;
}

/** Notes the cell of pair i, and which of its slots the pair is. */
TSR_FN void tsr_octree_hold(const tsr_octree_corner_job *job, int64_t i) {
  const int64_t slot = tsr_pairs_value(&job->pairs, i);
  const int32_t cell = job->points.owner[slot];
  job->points.holder[i] = cell;
  job->points.place[i] = (uint8_t)(slot - job->points.first[cell]);
}

/** Returns the point at a place of cell i, which the cell must have. */
TSR_FN int64_t tsr_octree_point(const tsr_octree_corner_job *job, int64_t i, int place) {
  return job->points.point_of[tsr_octree_slot(job, i, place)];
}

/** Finds the points at the corners of cell i. */
TSR_FN void tsr_octree_corner_points(const tsr_octree_corner_job *job, int64_t i,
                                     int64_t points[8]) {
  const int corners = 1 << job->shape.dimension;
  const int32_t *point_of = job->points.point_of;
  int64_t step[3] = {1, 2, 4}, first = job->points.first[i];
  if (job->has && job->has[i]) {
    for (int k = 0; k < corners; ++k)
      points[k] = tsr_octree_point(job, i, tsr_octree_corner_place(k));
    return;
  }
  if (job->points.family[i]) {
    const int sibling = tsr_octree_sibling(job, i);
    step[1] = 3;
    step[2] = 9;
    first = job->points.first[i - sibling] + tsr_octree_own_slots(job, i - sibling);
    for (int a = 0; a < job->shape.dimension; ++a)
      first += step[a] * (sibling >> a & 1);
  }
  for (int k = 0; k < corners; ++k)
    points[k] = point_of[first + step[0] * (k & 1) + step[1] * (k >> 1 & 1) + step[2] * (k >> 2)];
}

/** Returns the point with this key, or -1 if there is none. */
TSR_FN int64_t tsr_octree_find_point(const tsr_octree_points *points, uint64_t key) {
  int64_t low = 0, high = points->n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (points->key[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < points->n && points->key[low] == key ? low : -1;
}

/* ---- Places in space */

/** Where the lattice of the finest cells is in space. Arrays belong to the caller's axes. */
typedef struct tsr_octree_space {
  double origin[3], spacing[3]; /**< of the domain; of cells of level 0 */
  tsr_array coordinates[3];     /**< sides of the cells of level 0; no data: evenly spaced */
  int uneven;                   /**< 1: there are coordinates */
  int deepest;                  /**< level of the finest cells among the view's */
  int32_t cells[3];             /**< of level 0; 0 along an axis without cells */
} tsr_octree_space;

/** Coordinate of place `at` of the lattice along one of the caller's axes. */
TSR_FN double tsr_octree_coordinate(const tsr_octree_space *space, int axis, int64_t at) {
  const double part = 1.0 / (double)((int64_t)1 << space->deepest);
  const tsr_array *x = &space->coordinates[axis];
  const int64_t cell = at >> space->deepest;
  const double within = (double)(at - cell * ((int64_t)1 << space->deepest)) * part;
  double low;
  if (!x->data)
    return space->origin[axis] + (double)at * part * space->spacing[axis];
  low = tsr_load(x, cell);
  return cell < space->cells[axis] && within > 0.0 ? low + (tsr_load(x, cell + 1) - low) * within
                                                   : low;
}

/** Where place `at` is between two others along an inner axis, 0 to 1, in space. */
TSR_FN double tsr_octree_parameter(const tsr_octree_space *space, const tsr_octree_shape *shape,
                                   int a, int64_t low, int64_t high, int64_t at) {
  const int axis = shape->axis[a];
  if (space->coordinates[axis].data) {
    const double x0 = tsr_octree_coordinate(space, axis, low);
    const double x1 = tsr_octree_coordinate(space, axis, high);
    if (x1 - x0 != 0.0)
      return (tsr_octree_coordinate(space, axis, at) - x0) / (x1 - x0);
  }
  return (double)(at - low) / (double)(high - low);
}

#endif
