/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids from cells of several sizes: cell data at the points. See tsr_grid_options.move_cells.
 *
 * The cells around a point P give a linear function by least squares (Holmes and Connell, AIAA
 * 89-1932): sample k, at x_k, has the weight 1 + l (x_k - P), where the vector l makes the weighted
 * sum of all x_k - P zero. The value at P is the weighted mean of the samples, so linear functions
 * come out exactly. A cell is a sample once for each of the 2^d directions in which it lies from P:
 *
 *     +-------+---+       P on the side of a larger cell: three cells around it, of which the
 *     |       | b |       larger one, a, counts twice.
 *     |   a   P---+
 *     |       | c |
 *     +-------+---+
 *
 * P lies between these cells where there is one in every direction; its value is then clamped to
 * the range of the cells. Where one is missing, the cell beside the missing one has its neighbour
 * on the far side as a further sample, and the value may leave the range by as much as such
 * neighbours differ, summed over the axes. Where the sides of cells are unevenly spaced, P can lie
 * a little outside of the cells around it, and the value is not clamped.
 */
#ifndef TSR_GRID_OCTREE_MOVE_MATH_H
#define TSR_GRID_OCTREE_MOVE_MATH_H

#include "grid/octree/corner_math.h"

/** Most samples of a point: a cell for each direction, and a neighbour of it for each axis. */
#define TSR_OCTREE_SAMPLES 32

/** A sample: a cell, and how far its centre is from the point. */
typedef struct tsr_octree_sample {
  int64_t cell;
  double away[3];
  int axis; /**< -1: a cell around the point; else a neighbour along this axis */
  int of;   /**< of a neighbour: which sample it is the neighbour of */
} tsr_octree_sample;

typedef struct tsr_octree_move_job {
  tsr_octree_tree tree;
  tsr_octree_space space;
  tsr_octree_corner_job corners; /**< the points of the input */
  tsr_array array;               /**< cell data, in the executor's memory */
  double *to; /**< points x components, rounded as the array's type stores them */
} tsr_octree_move_job;

/** Sets up a sample of the point at lattice place p. */
TSR_FN void tsr_octree_set_sample(const tsr_octree_move_job *job, const int64_t p[3], int64_t cell,
                                  int axis, int of, tsr_octree_sample *sample) {
  const tsr_octree_shape *shape = &job->tree.shape;
  const int64_t size = (int64_t)1 << job->tree.cells.height[cell];
  int64_t low[3];
  tsr_octree_lowest(shape, job->tree.cells.key[cell], low);
  sample->cell = cell;
  sample->axis = axis;
  sample->of = of;
  for (int a = 0; a < 3; ++a) {
    const int outer = shape->axis[a];
    sample->away[a] = a < shape->dimension
                          ? 0.5 * (tsr_octree_coordinate(&job->space, outer, low[a]) +
                                   tsr_octree_coordinate(&job->space, outer, low[a] + size)) -
                                tsr_octree_coordinate(&job->space, outer, p[a])
                          : 0.0;
  }
}

/** Returns the neighbour of a cell beyond the side that is away from the point along an axis, or
 *  -1. direction: where the cell lies from the point: bit a is 1 on the upper side along axis a.
 *  Where several smaller cells touch the middle of that side, the one farthest from the point is
 *  returned: the cells nearer to it differ too little from the cell for the range that the
 *  differences allow. */
TSR_FN int64_t tsr_octree_far_neighbour(const tsr_octree_move_job *job, int64_t cell, int axis,
                                        int direction) {
  const int64_t size = (int64_t)1 << job->tree.cells.height[cell];
  int64_t at[3];
  tsr_octree_lowest(&job->tree.shape, job->tree.cells.key[cell], at);
  for (int a = 0; a < job->tree.shape.dimension; ++a) {
    const int up = direction >> a & 1;
    at[a] += a == axis ? (up ? size : -1) : up ? size / 2 : (size - 1) / 2;
  }
  return tsr_octree_cell_at(&job->tree, at);
}

/** Finds the cells in the 2^d directions from point i, at lattice place p: bit a of a direction is
 * 1 on the upper side along axis a. -1: there is none. Most of them list the point; the tree is
 *  searched for the others. */
TSR_FN void tsr_octree_cells_around(const tsr_octree_move_job *job, int64_t i, const int64_t p[3],
                                    int64_t around[8]) {
  const tsr_octree_points *points = &job->corners.points;
  const int dimension = job->tree.shape.dimension, last = (1 << dimension) - 1;
  for (int k = 0; k <= last; ++k)
    around[k] = -2;
  for (int64_t s = points->begin[i]; s < points->begin[i + 1]; ++s) {
    const int64_t cell = points->holder[s];
    const int place = points->place[s];
    if (!points->family[cell])
      around[last ^ place] = cell;
    for (int k = 0; k <= last && points->family[cell]; ++k) {
      int rest = place, sibling = 0, within = 1;
      for (int a = 0; a < dimension; ++a) {
        const int at = rest % 3 - 1 + (k >> a & 1);
        within = within && at >= 0 && at < 2;
        sibling |= (at & 1) << a;
        rest /= 3;
      }
      if (within)
        around[k] = cell + sibling;
    }
  }
  for (int k = 0; k <= last; ++k) {
    int64_t at[3] = {0, 0, 0};
    for (int a = 0; a < dimension; ++a)
      at[a] = p[a] - 1 + (k >> a & 1);
    if (around[k] == -2)
      around[k] = tsr_octree_cell_at(&job->tree, at);
  }
}

/** Lists the samples of point i. Returns how many there are; the first ones are the cells around
 * it. *even: receives 1 if they are 2^d cells of one size. */
TSR_FN int tsr_octree_samples(const tsr_octree_move_job *job, int64_t i,
                              tsr_octree_sample samples[TSR_OCTREE_SAMPLES], int *even) {
  const int dimension = job->tree.shape.dimension;
  int64_t p[3], around[8];
  int n = 0, number[8];
  tsr_octree_lowest(&job->tree.shape, job->corners.points.key[i], p);
  tsr_octree_cells_around(job, i, p, around);
  *even = !job->space.uneven;
  for (int k = 0; k < 1 << dimension; ++k) {
    number[k] = around[k] < 0 ? -1 : n;
    *even = *even && around[k] >= 0 &&
            job->tree.cells.height[around[k]] == job->tree.cells.height[around[0]];
    if (around[k] >= 0)
      samples[n++].cell = around[k];
  }
  for (int k = 0; k < n && !*even; ++k)
    tsr_octree_set_sample(job, p, samples[k].cell, -1, -1, &samples[k]);
  for (int k = 0; k < 1 << dimension && !*even; ++k)
    for (int a = 0; a < dimension; ++a) {
      int64_t cell;
      if (number[k] < 0 || number[k ^ 1 << a] >= 0)
        continue;
      cell = tsr_octree_far_neighbour(job, samples[number[k]].cell, a, k);
      if (cell >= 0)
        tsr_octree_set_sample(job, p, cell, a, number[k], &samples[n++]);
    }
  return n;
}

/** Solves the symmetric system m x = b by elimination; a direction in which the samples do not
 *  spread (a pivot of next to nothing: entries are sums of up to 32 squares of at most 1) gets 0.
 */
TSR_FN void tsr_octree_solve(int dimension, double m[3][3], double b[3], double x[3]) {
  int used[3] = {0, 0, 0};
  for (int k = 0; k < dimension; ++k) {
    used[k] = m[k][k] > 1e-9;
    for (int r = k + 1; r < dimension && used[k]; ++r) {
      const double f = m[r][k] / m[k][k];
      for (int c = k; c < dimension; ++c)
        m[r][c] -= f * m[k][c];
      b[r] -= f * b[k];
    }
  }
  for (int k = dimension; k-- > 0;) {
    double sum = b[k];
    for (int c = k + 1; c < dimension; ++c)
      sum -= m[k][c] * x[c];
    x[k] = used[k] ? sum / m[k][k] : 0.0;
  }
}

/** Sets the weights of n samples, whose sum is 1. */
TSR_FN void tsr_octree_weights(int dimension, tsr_octree_sample *samples, int n, double *weight) {
  double m[3][3] = {{0.0}}, b[3] = {0.0}, l[3] = {0.0}, most[3] = {0.0}, sum = 0.0;
  for (int k = 0; k < n; ++k)
    for (int a = 0; a < dimension; ++a)
      most[a] = fabs(samples[k].away[a]) > most[a] ? fabs(samples[k].away[a]) : most[a];
  for (int k = 0; k < n; ++k)
    for (int a = 0; a < dimension; ++a)
      samples[k].away[a] = most[a] > 0.0 ? samples[k].away[a] / most[a] : 0.0;
  for (int k = 0; k < n; ++k)
    for (int a = 0; a < dimension; ++a) {
      b[a] -= samples[k].away[a];
      for (int c = 0; c < dimension; ++c)
        m[a][c] += samples[k].away[a] * samples[k].away[c];
    }
  tsr_octree_solve(dimension, m, b, l);
  for (int k = 0; k < n; ++k) {
    weight[k] = 1.0;
    for (int a = 0; a < dimension; ++a)
      weight[k] += l[a] * samples[k].away[a];
    sum += weight[k];
  }
  for (int k = 0; k < n; ++k)
    weight[k] = sum > 0.0 ? weight[k] / sum : 1.0 / (double)n;
}

/** Value of a component at a point, from its samples. */
TSR_FN double tsr_octree_moved(const tsr_octree_move_job *job, int component,
                               const tsr_octree_sample *samples, int n, const double *weight) {
  double v[TSR_OCTREE_SAMPLES] = {0.0}, differ[3] = {0.0, 0.0, 0.0}, sum = 0.0, low, high, beyond;
  for (int k = 0; k < n; ++k) {
    const int64_t from = job->tree.cells.from[samples[k].cell];
    v[k] = tsr_load(&job->array, from * job->array.components + component);
    sum += weight[k] * v[k];
  }
  low = high = v[0];
  for (int k = 0; k < n; ++k) {
    const int a = samples[k].axis;
    if (a < 0) {
      low = v[k] < low ? v[k] : low;
      high = v[k] > high ? v[k] : high;
    } else {
      const double d = fabs(v[k] - v[samples[k].of]);
      differ[a] = d > differ[a] ? d : differ[a];
    }
  }
  beyond = (differ[0] + differ[1]) + differ[2];
  if (job->space.uneven)
    return sum;
  sum = sum < low - beyond ? low - beyond : sum;
  return sum > high + beyond ? high + beyond : sum;
}

/** Computes the values of point i. Around it lie cells of one size in most cases: their mean. */
TSR_FN void tsr_octree_move_point(const tsr_octree_move_job *job, int64_t i) {
  tsr_octree_sample samples[TSR_OCTREE_SAMPLES];
  double weight[TSR_OCTREE_SAMPLES];
  const int components = job->array.components;
  int even;
  const int n = tsr_octree_samples(job, i, samples, &even);
  if (!even)
    tsr_octree_weights(job->tree.shape.dimension, samples, n, weight);
  for (int c = 0; c < components; ++c) {
    double v = 0.0;
    for (int k = 0; k < n && even; ++k)
      v += tsr_load(&job->array, job->tree.cells.from[samples[k].cell] * components + c);
    v = even ? v / (double)n : tsr_octree_moved(job, c, samples, n, weight);
    job->to[i * components + c] = tsr_stored_value(job->array.type, v);
  }
}

#endif
