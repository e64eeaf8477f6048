/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the sides of polygons. Places of the lattice around a leaf are numbered counter-clockwise
 * from its lowest corner on; those of them that are points are the polygon's:
 *
 *     6---5---4
 *     |       |      A leaf of two by two cells of the finest level. Unless a neighbour has
 *     7       3      corners on its sides, its points are those at 0, 2, 4 and 6.
 *     |       |
 *     0---1---2
 */
#ifndef TSR_GRID_OUTPUT_SIDE_MATH_H
#define TSR_GRID_OUTPUT_SIDE_MATH_H

#include "grid/output/point_math.h"

typedef struct tsr_grid_sides {
  int64_t range[2][2]; /**< first and last place along each axis */
  int64_t n;           /**< places */
} tsr_grid_sides;

TSR_FN void tsr_sides_set(const tsr_lattice *lattice, int level, const int64_t i[3],
                          tsr_grid_sides *sides) {
  sides->n = 0;
  for (int a = 0; a < 2; ++a) {
    tsr_node_lattice(lattice, a, level, i[a], sides->range[a]);
    sides->n += 2 * (sides->range[a][1] - sides->range[a][0]);
  }
}

/** Place k. */
TSR_FN void tsr_sides_place(const tsr_grid_sides *sides, int64_t k, int64_t x[3]) {
  const int64_t(*range)[2] = sides->range;
  const int64_t half = sides->n / 2, width = range[0][1] - range[0][0];
  const int64_t along = k < half ? k : k - half; /* from the lowest corner, or the highest */
  const int64_t d[2] = {along < width ? along : width, along < width ? 0 : along - width};
  for (int a = 0; a < 2; ++a)
    x[a] = k < half ? range[a][0] + d[a] : range[a][1] - d[a];
  x[2] = 0;
}

/** Stores the point numbers of a polygon from entry `first` of indices on, counter-clockwise; NULL:
 *  only counts them. Returns how many there are. */
TSR_FN int64_t tsr_sides_put(const tsr_lattice *lattice, const tsr_grid_points *points,
                             const tsr_grid_node *node, void *indices, tsr_type type,
                             int64_t first) {
  tsr_grid_sides sides;
  int64_t i[3], x[3], at = first;
  tsr_node_inner(lattice, node, i);
  tsr_sides_set(lattice, node->level, i, &sides);
  for (int64_t k = 0; k < sides.n; ++k) {
    int64_t id;
    tsr_sides_place(&sides, k, x);
    id = tsr_point_id(lattice, points, x);
    if (id >= 0 && indices)
      tsr_store_index(indices, type, at, id);
    at += id >= 0;
  }
  return at - first;
}

/** What counts the points of polygons. */
typedef struct tsr_sides_job {
  const tsr_lattice *lattice;
  const tsr_grid_node *nodes;
  tsr_grid_points points;
  int64_t *entry; /**< receives the number of points of each polygon */
} tsr_sides_job;

TSR_FN void tsr_sides_count(const tsr_sides_job *job, int64_t n) {
  job->entry[n] = tsr_sides_put(job->lattice, &job->points, &job->nodes[n], NULL, TSR_INT64, 0);
}

/** Where polygons are written; NULL members are not wanted. */
typedef struct tsr_sides_filling {
  tsr_sides_job of; /**< its points have offsets */
  void *offsets, *connectivity;
  tsr_type index_type; /**< of these */
  uint8_t *cell_type;
  uint8_t type; /**< what is written there */
} tsr_sides_filling;

TSR_FN void tsr_sides_fill(const tsr_sides_filling *job, int64_t n) {
  const tsr_sides_job *of = &job->of;
  const int64_t entry = of->points.offsets[n];
  if (job->offsets)
    tsr_store_index(job->offsets, job->index_type, n, entry);
  if (job->cell_type)
    job->cell_type[n] = job->type;
  if (job->connectivity)
    (void)tsr_sides_put(of->lattice, &of->points, &of->nodes[n], job->connectivity, job->index_type,
                        entry);
}

#endif
