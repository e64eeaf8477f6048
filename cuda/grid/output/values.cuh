// SPDX-License-Identifier: BSD-3-Clause
// Means and errors of an array in the leaves that are larger than an input cell.
#ifndef TSR_GRID_VALUES_CUH
#define TSR_GRID_VALUES_CUH

#include "cuda/grid/whole.cuh"

// Bytes of a value, also in kernels.
static __host__ __device__ inline size_t tsr_value_bytes(tsr_type type) {
  return type == TSR_INT8 || type == TSR_UINT8                          ? 1
         : type == TSR_INT16 || type == TSR_UINT16                      ? 2
         : type == TSR_INT32 || type == TSR_UINT32 || type == TSR_FLOAT ? 4
                                                                        : 8;
}

struct tsr_measuring {
  tsr_array array;   // on the device
  int64_t leaves[2]; // first, and end of those that the array covers
  int cell_data;
  double *means;            // NULL: not wanted; else receives a value a leaf and component
  unsigned long long *most; // NULL: not wanted; else the bits of a double, raised
};

// Of a whole plan's leaves. Point arrays: of those that are not cut.
tsr_status tsr_grid_measure_leaves(tsr_grid_device *grid, const tsr_grid_counts &counts,
                                   const tsr_measuring &what, tsr_error *error);

#endif
