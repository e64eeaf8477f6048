/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids from cells of several sizes: samples, which are places inside the cells where data are
 * known. They are listed in the order of the cells, so that the samples in a node are a range.
 *
 * A sample is listed for each cell that holds it, sides included, if the cell is not outside: one
 * on the border between cells is in all of them. But point data at a corner of a cell are those of
 * a point of the input, at which criteria look in each cell that has it: such a sample is listed
 * for the first of these cells only.
 *
 *     +-------+---+       a is in one cell, b in two. c, a corner of the two cells on the right,
 *     |  a    b   |       is in the lower one of them: it is no point of the cell on the left.
 *     |       c---+
 *     |       |   |
 *     +-------+---+
 */
#ifndef TSR_GRID_OCTREE_SAMPLE_MATH_H
#define TSR_GRID_OCTREE_SAMPLE_MATH_H

#include "grid/octree/corner_math.h"

/** Cells below a node, or samples in it, that one step looks at, on the CPU and on a device, which
 * has threads for more looks. Measured with bench_octree within 5 %, points and samples: the CPU
 * takes 1.2 and 1.5 times as long with 16 and 8 as with 64; one H100 takes 0.92 of the time with 8
 * that it takes with 64, 0.88 where cell data are moved to points. */
enum { TSR_OCTREE_LOOK = 64, TSR_OCTREE_LOOK_ON_DEVICE = 8 };

/** A list of samples; arrays of the executor. */
typedef struct tsr_octree_sample_list {
  int64_t n;      /**< entries of the list */
  int64_t *begin; /**< cells + 1: the first entry of each cell; NULL: there is no list */
  int32_t *from;  /**< n: the sample of each entry */
  double *at;     /**< n x 3: its place in the lattice of the finest cells, by inner axes */
  int64_t look;   /**< most cells or entries of a look */
} tsr_octree_sample_list;

typedef struct tsr_octree_sample_job {
  tsr_octree_tree tree;
  double scale;         /**< finest cells in a cell of level 0 */
  int64_t samples;      /**< number of samples */
  const double *places; /**< of the samples: the view's */
  int points;           /**< 1: of point data */
  int64_t *before;      /**< samples + 1: entries before each */
  tsr_pairs pairs;      /**< cell of each entry, and its number among those of `before` */
  tsr_octree_sample_list list;
} tsr_octree_sample_job;

/** Finds where sample s is in the lattice. Returns 0 if that is outside the domain, or nowhere. */
TSR_FN int tsr_octree_sample_place(const tsr_octree_sample_job *job, int64_t s, double at[3]) {
  const tsr_octree_shape *shape = &job->tree.shape;
  int within = 1;
  at[0] = at[1] = at[2] = 0.0;
  for (int a = 0; a < shape->dimension; ++a) {
    at[a] = job->places[3 * s + shape->axis[a]] * job->scale;
    within = within && at[a] >= 0.0 && at[a] <= (double)shape->finest[a];
  }
  return within;
}

/** 1 if a place in the lattice is a corner of cell i. */
TSR_FN int tsr_octree_is_corner(const tsr_octree_tree *tree, int64_t i, const double at[3]) {
  const double size = (double)((int64_t)1 << tree->cells.height[i]);
  int64_t low[3];
  int corner = 1;
  tsr_octree_lowest(&tree->shape, tree->cells.key[i], low);
  for (int a = 0; a < tree->shape.dimension; ++a)
    corner = corner && (at[a] == (double)low[a] || at[a] == (double)low[a] + size);
  return corner;
}

/** Finds the cells for which sample s is listed, in Morton order. Returns how many there are. */
TSR_FN int tsr_octree_holders(const tsr_octree_sample_job *job, int64_t s, int64_t cells[8]) {
  const int dimension = job->tree.shape.dimension;
  int64_t low[3] = {0, 0, 0};
  int n = 0, sides = 0; /* the axes along which the sample is on a side of finest cells */
  double x[3];
  if (!tsr_octree_sample_place(job, s, x))
    return 0;
  for (int a = 0; a < dimension; ++a) {
    low[a] = (int64_t)x[a];
    sides |= ((double)low[a] == x[a]) << a;
  }
  for (int k = 0; k < 1 << dimension; ++k) {
    int64_t at[3] = {0, 0, 0}, cell;
    int known = 0;
    for (int a = 0; a < dimension; ++a) {
      at[a] = low[a] - 1 + (k >> a & 1);
      known = known || !((k | sides) >> a & 1);
    }
    cell = known ? -1 : tsr_octree_cell_at(&job->tree, at);
    if (cell < 0 || tsr_octree_is_outside(&job->tree, cell))
      continue;
    if (job->points && tsr_octree_is_corner(&job->tree, cell, x)) {
      cells[0] = cell;
      return 1;
    }
    for (int i = 0; i < n; ++i)
      known = known || cells[i] == cell;
    if (!known)
      cells[n++] = cell;
  }
  return n;
}

/** Counts the entries of sample s. */
TSR_FN void tsr_octree_count_sample(const tsr_octree_sample_job *job, int64_t s) {
  int64_t cells[8];
  job->before[s] = tsr_octree_holders(job, s, cells);
}

/** Writes the entries of sample s. */
TSR_FN void tsr_octree_put_sample(const tsr_octree_sample_job *job, int64_t s) {
  int64_t cells[8];
  const int n = tsr_octree_holders(job, s, cells);
  for (int k = 0; k < n; ++k)
    tsr_pairs_set(&job->pairs, job->before[s] + k, (uint64_t)cells[k], job->before[s] + k);
}

/** Takes entry e from the sorted pairs. */
TSR_FN void tsr_octree_take_sample(const tsr_octree_sample_job *job, int64_t e) {
  const int64_t s = tsr_part_at(job->before, 0, job->samples, tsr_pairs_value(&job->pairs, e));
  job->list.from[e] = (int32_t)s;
  tsr_octree_sample_place(job, s, &job->list.at[3 * e]);
}

/** Finds the first entry of cell i; of the number of cells, the end. */
TSR_FN void tsr_octree_begin_samples(const tsr_octree_sample_job *job, int64_t i) {
  int64_t low = 0, high = job->pairs.n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if ((int64_t)tsr_pairs_key(&job->pairs, middle) < i)
      low = middle + 1;
    else
      high = middle;
  }
  job->list.begin[i] = low;
}

/** Values at samples, in the order of a list. */
typedef struct tsr_octree_gather_job {
  const int32_t *from; /**< of the list */
  tsr_array array;     /**< of the samples */
  int component;       /**< -1: all */
  int columns;         /**< 1, or the components of the array */
  double *to;          /**< entries x columns */
} tsr_octree_gather_job;

/** Reads the values of entry e. */
TSR_FN void tsr_octree_gather(const tsr_octree_gather_job *job, int64_t e) {
  const int64_t first = (int64_t)job->from[e] * job->array.components;
  for (int c = 0; c < job->columns; ++c)
    job->to[e * job->columns + c] =
        tsr_load(&job->array, first + (job->component < 0 ? c : job->component));
}

/** Number of looks at the cells [first, end), if `cells` is 1, and at the samples in them. */
TSR_FN int64_t tsr_octree_looks_in(const tsr_octree_sample_list *samples, int64_t first,
                                   int64_t end, int cells) {
  const int64_t look = samples->look;
  int64_t looks = cells ? (end - first + look - 1) / look : 0;
  if (samples->begin)
    looks += (samples->begin[end] - samples->begin[first] + look - 1) / look;
  return looks;
}

/** Where a place `at` of the lattice is between two others along an inner axis, 0 to 1, in space:
 * as tsr_octree_parameter. */
TSR_FN double tsr_octree_sample_parameter(const tsr_octree_space *space,
                                          const tsr_octree_shape *shape, int a, int64_t low,
                                          int64_t high, double at) {
  const int axis = shape->axis[a];
  const tsr_array *x = &space->coordinates[axis];
  if (x->data) {
    const double size = (double)((int64_t)1 << space->deepest);
    const int64_t cell = (int64_t)(at * (1.0 / size));
    const double within = (at - (double)cell * size) * (1.0 / size);
    const double x0 = tsr_octree_coordinate(space, axis, low);
    const double x1 = tsr_octree_coordinate(space, axis, high);
    double here = tsr_load(x, cell);
    if (cell < space->cells[axis] && within > 0.0)
      here += (tsr_load(x, cell + 1) - here) * within;
    if (x1 - x0 != 0.0)
      return (here - x0) / (x1 - x0);
  }
  return (at - (double)low) / (double)(high - low);
}

#endif
