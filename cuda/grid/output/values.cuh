// SPDX-License-Identifier: BSD-3-Clause
// Means of an array in nodes, and its errors in leaves.
#ifndef TSR_GRID_VALUES_CUH
#define TSR_GRID_VALUES_CUH

#include "cuda/grid/slabs.cuh"

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
  int64_t cells[2];  // the same of layers of input cells along the slowest axis
  int cell_data;
  const tsr_grid_node *nodes; // n
  const uint8_t *states;      // NULL: all are leaves
  int64_t n;
  double *means;            // NULL: not wanted; else receives a value a leaf and component
  unsigned long long *most; // NULL: not wanted; else the bits of a double, raised
};

// The largest error of a point array in leaves that are not cut and larger than an input cell.
// of_level: how many nodes there are of each. values: NULL, or what the numbered points have
// instead of the array's values, where tsr_errors_are_plain.
tsr_status tsr_grid_measure_leaves(tsr_grid_device *grid, const int64_t *of_level,
                                   const tsr_measuring &what, const double *values,
                                   tsr_error *error);

// The same of all leaves where points that hang are constrained. values: what the points have, a
// number a point and component.
tsr_status tsr_grid_hang_errors(tsr_grid_device *grid, const tsr_grid_counts &counts,
                                const tsr_measuring &what, const double *values, tsr_error *error);

// Lists the nodes that are larger than an input cell in grid->list, those of coarse levels first.
// of_level: how many there are of each.
tsr_status tsr_grid_list_larger(tsr_grid_device *grid, const tsr_grid_node *nodes, int64_t n_nodes,
                                const int64_t *of_level, tsr_error *error);

// Where the points are; of the slab's share of them, and of its leaves, the values of a point
// array.
tsr_status tsr_grid_place_points(tsr_grid_device *grid, const tsr_space &space, void *to,
                                 tsr_type type, tsr_error *error);
tsr_status tsr_grid_copy_points(tsr_grid_device *grid, const tsr_share &of, const tsr_array &array,
                                void *to, tsr_error *error);

// What cells are said to be; NULL: not wanted.
struct tsr_described {
  const int32_t *owner; // leaf of each cell; NULL: nodes are cells
  int32_t *level;
  int64_t *source, *leaf;
  uint8_t *state;
};

tsr_status tsr_grid_describe_cells(tsr_grid_device *grid, int64_t cells, const tsr_described &to,
                                   tsr_error *error);

// The values of a slab's cells: the means, and the tuples of input cells where it is a cell array.
tsr_status tsr_grid_store_cells(tsr_grid_device *grid, int64_t cells, const int32_t *owner,
                                const tsr_share &of, const tsr_measuring &what, void *to,
                                tsr_error *error);

// A point array where there are points between input points: of the slab's share, into `to`, and as
// they are before they are rounded into `values`, a number a point and component. Either may be
// NULL.
tsr_status tsr_grid_part_values(tsr_grid_device *grid, const tsr_array &array, const tsr_share &of,
                                void *to, double *values, tsr_error *error);

#endif
