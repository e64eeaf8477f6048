// SPDX-License-Identifier: BSD-3-Clause
// The largest error of a point array in leaves, for arrays that tsr_errors_are_plain accepts; see
// corner_field.cuh.
#ifndef TSR_GRID_OUTPUT_VALUES_ERRORS_CUH
#define TSR_GRID_OUTPUT_VALUES_ERRORS_CUH

#include "cuda/grid/criteria/corner_field.cuh"
#include "cuda/grid/output/lists.cuh"

struct tsr_error_args {
  const tsr_grid_frame *frame;
  tsr_array array;    // on the device
  const void *origin; // tsr_field_origin of it
  const tsr_grid_node *nodes;
  const uint32_t *cut; // leaves with a number other than 0 are skipped; NULL: none
  const int32_t *list; // n leaves of `level`
  int64_t n;
  int level;
  int64_t leaves[2]; // range of leaves to check: first, and end
  int64_t step[3];
  unsigned long long *most; // bits of a double, raised to the largest error
  const double *values;     // of the numbered points, used instead of the array's; NULL: not used
  tsr_grid_points points;   // numbers of these points
};

// Loads the values at the corners of a node by the numbers of its points.
static __device__ __forceinline__ void tsr_numbered_corners(const tsr_grid_frame &f,
                                                            const tsr_grid_points &points,
                                                            const double *values, int level,
                                                            const int64_t i[3], double corner[8]) {
  int64_t range[3][2];
  for (int a = 0; a < 3; ++a)
    tsr_node_lattice(&f.lattice, a, level, i[a], range[a]);
  for (int k = 0; k < 1 << f.lattice.dimension; ++k) {
    const int64_t x[3] = {range[0][k & 1], range[1][k >> 1 & 1], range[2][k >> 2 & 1]};
    corner[k] = values[tsr_point_id(&f.lattice, &points, x)];
  }
}

// True if tsr_errors_start can handle the array.
int tsr_errors_are_plain(const tsr_grid_frame &frame, const tsr_array &array);

tsr_status tsr_errors_start(tsr_grid_device *grid, const tsr_error_args &args, tsr_error *error);

#endif
