// SPDX-License-Identifier: BSD-3-Clause
// Means of an array in nodes, and its errors in leaves.
#ifndef TSR_GRID_OUTPUT_VALUES_VALUES_CUH
#define TSR_GRID_OUTPUT_VALUES_VALUES_CUH

#include "cuda/grid/slabs.cuh"

// Bytes of a value; a function that kernels can call, too.
static __host__ __device__ inline size_t tsr_value_bytes(tsr_type type) {
  return type == TSR_INT8 || type == TSR_UINT8                          ? 1
         : type == TSR_INT16 || type == TSR_UINT16                      ? 2
         : type == TSR_INT32 || type == TSR_UINT32 || type == TSR_FLOAT ? 4
                                                                        : 8;
}

struct tsr_measuring {
  tsr_array array;   // on the device
  int64_t leaves[2]; // range of leaves that the array covers: first, and end
  int64_t cells[2];  // range of layers of input cells along the slowest axis that it covers
  int cell_data;
  const tsr_grid_node *nodes; // n
  const uint8_t *states;      // NULL: all are leaves
  int64_t n;
  double *means;            // receives a value for each leaf and component; NULL: not wanted
  unsigned long long *most; // bits of a double, raised to the largest error; NULL: not wanted
};

// Finds the largest error of a point array in the leaves that are larger than an input cell and not
// cut. lists: of the plan; NULL: the CPU made it. of_level: number of nodes of each level. values:
// values of the numbered points, used instead of the array's if tsr_errors_are_plain; NULL: not
// used.
tsr_status tsr_grid_measure_leaves(tsr_grid_device *grid, const tsr_plan_lists *lists,
                                   const int64_t *of_level, const tsr_measuring &what,
                                   const double *values, tsr_error *error);

// Finds the largest error of a point array in all leaves if hanging points are constrained. values:
// those of the output points, one for each point and component.
tsr_status tsr_grid_hang_errors(tsr_grid_device *grid, const tsr_plan_lists &lists,
                                const tsr_grid_counts &counts, const tsr_measuring &what,
                                const double *values, tsr_error *error);

// Lists the nodes that are larger than an input cell in grid->list, coarse levels first. of_level:
// number of nodes of each level.
tsr_status tsr_grid_list_larger(tsr_grid_device *grid, const tsr_grid_node *nodes, int64_t n_nodes,
                                const int64_t *of_level, tsr_error *error);

// tsr_grid_place_points computes the coordinates of the points. tsr_grid_copy_points writes the
// values of a point array at the points of the slab's share.
tsr_status tsr_grid_place_points(tsr_grid_device *grid, const tsr_plan_lists &lists,
                                 const tsr_space &space, void *to, tsr_type type, tsr_error *error);
tsr_status tsr_grid_copy_points(tsr_grid_device *grid, const tsr_plan_lists &lists,
                                const tsr_share &of, const tsr_array &array, void *to,
                                tsr_error *error);

// Arrays that describe the cells; NULL: not wanted.
struct tsr_described {
  const int32_t *owner; // leaf of each cell; NULL: nodes are cells
  int32_t *level;
  int64_t *source, *leaf;
  uint8_t *state;
};

tsr_status tsr_grid_describe_cells(tsr_grid_device *grid, const tsr_plan_lists &lists,
                                   int64_t cells, const tsr_described &to, tsr_error *error);

// Stores the values of the cells of a slab's share: the means or, for cells that are input cells,
// the tuples of the cell array.
tsr_status tsr_grid_store_cells(tsr_grid_device *grid, const tsr_plan_lists &lists, int64_t cells,
                                const int32_t *owner, const tsr_share &of,
                                const tsr_measuring &what, void *to, tsr_error *error);

// Computes a point array for the slab's share: rounded into `to`, and before rounding into
// `values`, one for each point and component. Either may be NULL.
tsr_status tsr_grid_point_values(tsr_grid_device *grid, const tsr_point_list &points,
                                 const tsr_array &array, const tsr_share &of, void *to,
                                 double *values, tsr_error *error);

#endif
