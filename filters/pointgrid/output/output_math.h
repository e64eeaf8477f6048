/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the steps of the output. Leaves share corners; each place is one point. */
#ifndef TSR_POINTGRID_OUTPUT_OUTPUT_MATH_H
#define TSR_POINTGRID_OUTPUT_OUTPUT_MATH_H

#include "common/sort/pairs_math.h"
#include "pointgrid/pointgrid_math.h"

/** The corners of all leaves, each 4 or 8. They are sorted by their places; the first one at each
 *  place gets a number. */
typedef struct tsr_pointgrid_corners {
  const tsr_pointgrid_leaf *leaves;
  int dimension;
  int finest;         /**< level of the deepest leaf */
  tsr_pairs pairs;    /**< places on the lattice of the deepest leaf, ascending after the sort; with
                           where each corner is in the connectivity */
  int64_t *before;    /**< for each corner: flags of the corners before it */
  int64_t *corner_of; /**< for each slot of the connectivity: the number of its point */
  uint64_t *points;   /**< places of the points on the finest lattice there can be */
} tsr_pointgrid_corners;

TSR_FN void tsr_pointgrid_make_corner(const tsr_pointgrid_corners *job, int64_t i) {
  const tsr_pointgrid_leaf *leaf = &job->leaves[i >> job->dimension];
  const int corner = (int)(i & ((1 << job->dimension) - 1));
  tsr_pairs_set(&job->pairs, i,
                tsr_pointgrid_corner(leaf->key, leaf->level, corner, job->dimension, job->finest),
                i);
}

/** Flags the first corner at each place. */
TSR_FN void tsr_pointgrid_flag_corner(const tsr_pointgrid_corners *job, int64_t i) {
  job->before[i] = i == 0 || tsr_pairs_key(&job->pairs, i) != tsr_pairs_key(&job->pairs, i - 1);
}

/** Gives corner i its point, once the flags are summed up. */
TSR_FN void tsr_pointgrid_number_corner(const tsr_pointgrid_corners *job, int64_t i) {
  const int64_t point = job->before[i + 1] - 1;
  job->corner_of[tsr_pairs_value(&job->pairs, i)] = point;
  if (job->before[i] == point)
    job->points[point] =
        tsr_pointgrid_full_place(tsr_pairs_key(&job->pairs, i), job->dimension, job->finest);
}

/** Points that one item of tsr_pointgrid_put_point_levels and _leaves writes, so that the search
 * for the first one's leaf costs little. Measured with 4 million points at random on one thread of
 * the CPU: at 1 the fill takes 2.8 times as long, at 256 a tenth less. Not measured on a device,
 * where longer runs leave threads without work. */
#define TSR_POINTGRID_RUN 32

/** How to make an array of the output. Each step names the members that it reads. */
typedef struct tsr_pointgrid_put {
  void *to;
  tsr_type type;                    /**< of `to`: points and indices */
  const tsr_pointgrid_leaf *leaves; /**< n_leaves */
  int64_t n_leaves, n_points;
  int64_t first; /**< number of the first leaf here among those of all processes */
  int64_t step;
  const int64_t *order; /**< points held, leaf by leaf */
  const int64_t *indices;
  const uint64_t *corners; /**< places on the finest lattice */
  tsr_pointgrid_cube cube;
  tsr_array array; /**< of the points held */
} tsr_pointgrid_put;

TSR_FN void tsr_pointgrid_store_point(const tsr_pointgrid_put *job, int64_t i,
                                      const double xyz[3]) {
  tsr_store(job->type == TSR_FLOAT ? (void *)((float *)job->to + 3 * i)
                                   : (void *)((double *)job->to + 3 * i),
            job->type, 1, xyz, 3);
}

/** Corner i in space. Reads corners and cube. */
TSR_FN void tsr_pointgrid_put_corner(const tsr_pointgrid_put *job, int64_t i) {
  double xyz[3];
  tsr_pointgrid_place(&job->cube, job->corners[i], xyz);
  tsr_pointgrid_store_point(job, i, xyz);
}

/** Point i in the order of the leaves. Reads order and array, the points. */
TSR_FN void tsr_pointgrid_put_point(const tsr_pointgrid_put *job, int64_t i) {
  double xyz[3];
  tsr_load3(&job->array, job->order[i], xyz);
  tsr_pointgrid_store_point(job, i, xyz);
}

/** The index i times step. */
TSR_FN void tsr_pointgrid_put_multiple(const tsr_pointgrid_put *job, int64_t i) {
  tsr_store_index(job->to, job->type, i, job->step * i);
}

/** The index indices[i]. */
TSR_FN void tsr_pointgrid_put_index(const tsr_pointgrid_put *job, int64_t i) {
  tsr_store_index(job->to, job->type, i, job->indices[i]);
}

/** Level, count and density of leaf i. Read leaves; the density reads the cube, too. */
TSR_FN void tsr_pointgrid_put_level(const tsr_pointgrid_put *job, int64_t i) {
  ((int32_t *)job->to)[i] = job->leaves[i].level;
}
TSR_FN void tsr_pointgrid_put_count(const tsr_pointgrid_put *job, int64_t i) {
  ((int64_t *)job->to)[i] = job->leaves[i].count;
}
TSR_FN void tsr_pointgrid_put_density(const tsr_pointgrid_put *job, int64_t i) {
  ((double *)job->to)[i] =
      tsr_pointgrid_density(&job->cube, job->leaves[i].count, job->leaves[i].level);
}

/** The last leaf that begins at point i, in the order of the leaves, or before it. Empty leaves
 *  before the point's leaf begin where that one begins, empty leaves after it begin later. */
TSR_FN int64_t tsr_pointgrid_leaf_of(const tsr_pointgrid_leaf *leaves, int64_t n, int64_t i) {
  int64_t low = 0, high = n;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (leaves[middle].begin <= i)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/** Runs STORE for each point p, in the order of the leaves, of run i, with its leaf. */
#define TSR_POINTGRID_PUT_RUN(STORE)                                                               \
  const int64_t begin = i * TSR_POINTGRID_RUN;                                                     \
  const int64_t end =                                                                              \
      begin + TSR_POINTGRID_RUN < job->n_points ? begin + TSR_POINTGRID_RUN : job->n_points;       \
  int64_t leaf = tsr_pointgrid_leaf_of(job->leaves, job->n_leaves, begin);                         \
  for (int64_t p = begin; p < end; ++p) {                                                          \
    while (leaf + 1 < job->n_leaves && job->leaves[leaf + 1].begin <= p)                           \
      ++leaf;                                                                                      \
    STORE;                                                                                         \
  }

/** Levels of the leaves, and numbers of the leaves over all processes, of the points of run i. Read
 *  leaves, n_leaves, n_points, and the latter first. */
TSR_FN void tsr_pointgrid_put_point_levels(const tsr_pointgrid_put *job, int64_t i){
    TSR_POINTGRID_PUT_RUN(((int32_t *)job->to)[p] = job->leaves[leaf].level)} TSR_FN
    void tsr_pointgrid_put_point_leaves(const tsr_pointgrid_put *job, int64_t i) {
  TSR_POINTGRID_PUT_RUN(((int64_t *)job->to)[p] = job->first + leaf)
}

/** Copies a tuple as `words` values of type T. */
#define TSR_POINTGRID_COPY_TUPLE(T)                                                                \
  for (int64_t k = 0; k < words; ++k)                                                              \
    ((T *)job->to)[i * words + k] = ((const T *)job->array.data)[job->order[i] * words + k];

/** Tuple i of an array in the order of the leaves. Reads order, array, and step, the bytes of a
 *  value of the array. */
TSR_FN void tsr_pointgrid_put_tuple(const tsr_pointgrid_put *job, int64_t i) {
  const int64_t words = job->array.components;
  if (job->step == 8) {
    TSR_POINTGRID_COPY_TUPLE(uint64_t)
  } else if (job->step == 4) {
    TSR_POINTGRID_COPY_TUPLE(uint32_t)
  } else if (job->step == 2) {
    TSR_POINTGRID_COPY_TUPLE(uint16_t)
  } else {
    TSR_POINTGRID_COPY_TUPLE(uint8_t)
  }
}

#endif
