// SPDX-License-Identifier: BSD-3-Clause
// The interpolation in the parts of a leaf that is cut, by a warp: the parts lie in shared memory,
// and each lane looks at other points.
#ifndef TSR_GRID_CUT_CUH
#define TSR_GRID_CUT_CUH

#include "cuda/grid/whole.cuh"
#include "grid/cut_field_math.h"

// Of a warp, in shared memory.
struct tsr_cut_room {
  tsr_cut_cell cells[TSR_CUT_MOST_CELLS];
  tsr_cut_part parts[TSR_CUT_MOST_CELLS];
  double value[TSR_CUT_PLACES];
  int n;
};

// The points of a leaf.
struct tsr_cut_points {
  int64_t first[3], last[3];
  unsigned n[3], count;
};

// Makes the parts of a leaf; the whole warp calls it, with the same leaf.
static __device__ inline void tsr_cut_prepare(const tsr_grid_frame &f, const tsr_cut &cut,
                                              tsr_cut_room *room, tsr_cut_points *points,
                                              int lane) {
  double middle[3];
  tsr_cut_box(&f.lattice, &f.space, &cut, points->first, points->last, middle);
  points->count = 1;
  for (int a = 0; a < 3; ++a) {
    points->n[a] = (unsigned)(points->last[a] - points->first[a] + 1);
    points->count *= points->n[a];
  }
  __syncwarp();
  if (lane == 0) {
    int centre;
    room->n = tsr_cut_cells(&cut, room->cells, &centre);
  }
  __syncwarp();
  for (int k = lane; k < room->n; k += 32)
    tsr_cut_part_set(cut.dimension, middle, &room->cells[k], &room->parts[k]);
  __syncwarp();
}

// The values of a component at its places.
static __device__ inline void tsr_cut_values(const tsr_grid_frame &f, const tsr_array &array,
                                             int component, const tsr_cut &cut, tsr_cut_room *room,
                                             int lane) {
  __syncwarp();
  if (lane < TSR_CUT_PLACES)
    room->value[lane] = (cut.has >> lane) & 1
                            ? tsr_cut_place_value(&f.lattice, &array, component, &cut, lane)
                            : 0.0;
  __syncwarp();
  if (lane == 0)
    room->value[TSR_CUT_CENTRE] = tsr_cut_centre_value(cut.dimension, room->value);
  __syncwarp();
}

// The difference at point k of a leaf.
static __device__ inline double tsr_cut_difference(const tsr_grid_frame &f, const tsr_array &array,
                                                   int component, const tsr_cut_points &points,
                                                   const tsr_cut_room *room, unsigned k) {
  const unsigned row = k / points.n[0];
  const int64_t p[3] = {points.first[0] + k - row * points.n[0],
                        points.first[1] + row % points.n[1], points.first[2] + row / points.n[1]};
  double t[3];
  for (int a = 0; a < 3; ++a)
    t[a] = tsr_axis_parameter(&f.space, &f.lattice, a, points.first[a], points.last[a], p[a]);
  return fabs(tsr_load(&array, tsr_point_at(&f.lattice, p) * array.components + component) -
              tsr_cut_value(room->parts, room->n, room->value, t));
}

#endif
