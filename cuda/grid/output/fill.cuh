// SPDX-License-Identifier: BSD-3-Clause
// The output but for values: cells, points, trees, which points hang, and the indicator. All of it
// is made from the lists of the plan.
#ifndef TSR_GRID_OUTPUT_FILL_CUH
#define TSR_GRID_OUTPUT_FILL_CUH

#include "cuda/grid/output/lists.cuh"
#include "cuda/grid/slabs.cuh"

// ---- cells.cu

// Connectivity arrays on the device; NULL: not wanted.
struct tsr_grid_shapes {
  void *offsets, *connectivity;
  tsr_type index_type;
  int hexahedra;
  uint8_t *cell_type;
  uint8_t type_of[4]; // VTK cell type to write for each tsr_grid_cell
  int32_t *owner;     // leaf of each cell; NULL: leaves are cells
};

tsr_status tsr_grid_fill_shapes(tsr_grid_device *grid, const tsr_plan_lists &lists,
                                const tsr_grid_shapes &to, tsr_error *error);

// ---- steps.cu

// Writes the polygons.
tsr_status tsr_grid_fill_sides(tsr_grid_device *grid, const tsr_plan_lists &lists,
                               const tsr_grid_shapes &to, tsr_error *error);

// Writes the index of each tree's root, three numbers for each tree.
tsr_status tsr_grid_tree_roots(tsr_grid_device *grid, const tsr_plan_lists &lists, int64_t trees,
                               int32_t *to, tsr_error *error);

// ---- points.cu

// Computes the coordinates of the points but for the centres of leaves.
tsr_status tsr_grid_place_listed(tsr_grid_device *grid, const tsr_point_list &points,
                                 const tsr_space &space, void *to, tsr_type type, tsr_error *error);

// ---- parts.cu

// Raises *most to the largest error of a point array in the cut leaves among [leaves[0],
// leaves[1]). *most holds the bits of a double.
tsr_status tsr_grid_cut_errors(tsr_grid_device *grid, const tsr_plan_lists &lists,
                               const tsr_array &array, const int64_t leaves[2],
                               unsigned long long *most, tsr_error *error);

// ---- hanging.cu

// For each output point, the leaf whose edge or side it hangs on.
struct tsr_hangs {
  int8_t *level;  // level of the leaf; -1: the point does not hang
  uint64_t *node; // the leaf's place on its level
};

// Finds the leaves that points hang on; *hangs is allocated from `memory`.
tsr_status tsr_grid_find_hanging(tsr_grid_device *grid, const tsr_point_list &points,
                                 tsr_memory *memory, tsr_hangs *hangs, tsr_error *error);

// Writes 1 for each of n points that hangs, 0 for the others.
tsr_status tsr_grid_tell_hanging(tsr_grid_device *grid, const tsr_hangs &hangs, int64_t n,
                                 uint8_t *to, tsr_error *error);

// Output whose hanging points are constrained: once tsr_grid_point_values (values.cuh) has written
// the values of all points, in double before rounding, tsr_grid_hang_values interpolates those of
// hanging points from the leaves that they hang on and, unless `to` is NULL, stores them in `to`.
tsr_status tsr_grid_hang_values(tsr_grid_device *grid, const tsr_point_list &points,
                                const tsr_hangs &hangs, const tsr_array &array, double *values,
                                void *to, tsr_type type, tsr_error *error);

// ---- indicator.cu

// Writes the indicator of each cell, from the rules of the request. owner: leaf of each cell; NULL:
// nodes are cells.
tsr_status tsr_grid_fill_indicator(tsr_grid_device *grid, const tsr_grid_request *request,
                                   const tsr_plan_lists &lists, const tsr_grid_counts &counts,
                                   const int32_t *owner, double *to, tsr_error *error);

#endif
