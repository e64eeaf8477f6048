// SPDX-License-Identifier: BSD-3-Clause
// Sums over the cells of all nodes that are at least two levels above the input cells, from one
// pass over the input. A node of the finest of these levels has four cells along each axis; the
// sums of eight such nodes add up to those of a node of the next level. See
// grid/output/mean_math.h.
#ifndef TSR_GRID_OUTPUT_VALUES_SUMS_CUH
#define TSR_GRID_OUTPUT_VALUES_SUMS_CUH

#include "cuda/grid/output/values/values.cuh"
#include "grid/output/mean_math.h"

// The sums, on the device. The sums of the owned nodes of level l begin at entry first[l], axis 0
// fastest.
struct tsr_level_sums {
  int64_t first[TSR_GRID_MAX_LEVEL + 1];
  double *value[TSR_MEAN_KINDS];  // sums of one kind; NULL: no node needs that kind
  double *weight[TSR_MEAN_KINDS]; // sums of the weights; NULL: all cells have the same size and are
                                  // visible
  double *low, *high;             // smallest and largest finite sample of a node; NULL: not wanted
};

// Finest level whose nodes have sums; below 0: no level has.
static __host__ __device__ inline int tsr_finest_sums(const tsr_lattice &lattice) {
  return lattice.coarsen - 2;
}

static __device__ __forceinline__ int64_t tsr_sums_at(const tsr_grid_frame &f,
                                                      const tsr_level_sums &sums, int level,
                                                      const int64_t i[3]) {
  return sums.first[level] + tsr_number_in(f.range[level], i);
}

// Range of a node's samples, which are points or cells.
struct tsr_sample_box {
  int64_t first[3], end[3];
};

static __device__ inline tsr_sample_box tsr_samples_of(const tsr_lattice &lattice, int cell_data,
                                                       int level, const int64_t i[3]) {
  tsr_sample_box box;
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_node_cells(&lattice, a, level, i[a], range);
    box.first[a] = range[0];
    box.end[a] = range[1] + (!cell_data && a < lattice.dimension);
  }
  return box;
}

// Calls look(value) for each sample of a component in the box.
template <class Look>
static __device__ void tsr_each_sample(const tsr_lattice &lattice, const tsr_array &array,
                                       int cell_data, int component, const tsr_sample_box &box,
                                       const Look &look) {
  int64_t s[3];
  for (s[2] = box.first[2]; s[2] < box.end[2]; ++s[2])
    for (s[1] = box.first[1]; s[1] < box.end[1]; ++s[1])
      for (s[0] = box.first[0]; s[0] < box.end[0]; ++s[0]) {
        const int64_t at = cell_data ? tsr_cell_at(&lattice, s) : tsr_point_at(&lattice, s);
        look(tsr_load(&array, at * array.components + component));
      }
}

// Allocates sums of one component for the owned nodes of grid->frame.
tsr_status tsr_grid_make_sums(tsr_grid_device *grid, const tsr_space &space, int extremes,
                              tsr_level_sums *sums, tsr_error *error);
void tsr_grid_free_sums(tsr_grid_device *grid, const tsr_level_sums &sums);

// Puts the kernels that compute the sums on the stream.
tsr_status tsr_grid_sum_up(tsr_grid_device *grid, const tsr_space &space, const tsr_array &array,
                           int cell_data, int component, const tsr_level_sums &sums,
                           tsr_error *error);

// ---- means.cu

// Computes the mean of each leaf for cell arrays, the mean of each node of trees and patches for
// any array, and the largest difference of the input in a leaf to its mean. The arrays of `space`
// must lie on the device. Means are not made for nodes outside the grid, nor of cell arrays for
// nodes no larger than an input cell. left: NULL, or receives the sums from which
// tsr_grid_mean_errors later computes the errors, if tsr_errors_may_wait.
tsr_status tsr_grid_node_means(tsr_grid_device *grid, const tsr_space &space,
                               const tsr_measuring &what, tsr_level_sums *left, tsr_error *error);

// Computes the errors that tsr_grid_node_means has left, from the means, and frees `left`.
int tsr_errors_may_wait(const tsr_grid_device *grid, const tsr_measuring &what);
tsr_status tsr_grid_mean_errors(tsr_grid_device *grid, const tsr_space &space,
                                const tsr_measuring &what, const tsr_level_sums &left,
                                tsr_error *error);

#endif
