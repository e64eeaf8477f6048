// SPDX-License-Identifier: BSD-3-Clause
// What a plan lists on the device once its tree is closed: leaves, the parts of leaves that are
// cut, points; or the nodes of trees and patches. Each phase gets the lists of the phases before it
// const.
#ifndef TSR_GRID_OUTPUT_LISTS_CUH
#define TSR_GRID_OUTPUT_LISTS_CUH

#include "cuda/grid/plan.cuh"
#include "grid/output/lists.h"
#include "grid/output/unit_math.h"

struct tsr_cut_table; // cut.cuh
struct tsr_cut_ways;

// Leaves, unit by unit (grid/output/unit_math.h).
struct tsr_leaf_list {
  int64_t begin[3], units[3], n_units; // first unit; number of units along each axis, and in all
  int64_t *unit_first;                 // n_units + 1; number of leaves before each unit
  unsigned long long *of_level;
  tsr_grid_node *nodes; // n; of trees and patches all their nodes. NULL: not listed yet
  int64_t n;
  // Grids with levels below the input cells:
  tsr_grid_node *large;           // n_large leaves of the tree without these levels
  int64_t n_large, *large_before; // n_large + 1; number of leaves before each of them
};

// The parts of leaves that are cut.
struct tsr_cut_list {
  const tsr_cut_table *table; // of the ways in which leaves are cut
  uint32_t *has; // for each leaf: bits of the places that it has if it is cut; 0: it is not cut.
                 // NULL: no leaf is cut
  int32_t *list; // n leaves, in any order
  int64_t n;
  int64_t *cell, *entry, *centre; // number of cells, connectivity entries and centre points before
                                  // each leaf, and of all
  int64_t cells, entries, centres;
};

// The output points but for the centres of leaves.
struct tsr_point_list {
  tsr_grid_points bits; // numbers the points; see grid/output/point_math.h
  uint64_t *places;     // n places on the lattice
  int64_t n;
};

struct tsr_plan_lists {
  tsr_leaf_list leaves;
  tsr_cut_list cuts;
  tsr_point_list points;
  tsr_grid_lists trees; // and patches; all 0: the output is another
};

// ---- leaves.cu

// Counts the leaves; tsr_grid_list_leaves then lists them.
tsr_status tsr_grid_count_leaves(tsr_grid_device *grid, tsr_leaf_list *leaves,
                                 tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_list_leaves(tsr_grid_device *grid, tsr_leaf_list *leaves, tsr_error *error);
// Waits for the kernel that counts the leaves of each level, and copies the numbers to *counts.
tsr_status tsr_grid_read_counts(tsr_grid_device *grid, tsr_leaf_list *leaves,
                                tsr_grid_counts *counts, tsr_error *error);

// ---- part_leaves.cu: levels below the input cells

// Counts and lists the leaves within input cells, in the same two steps. To be called after
// tsr_grid_count_leaves and tsr_grid_list_leaves.
tsr_status tsr_grid_count_part_leaves(tsr_grid_device *grid, tsr_leaf_list *leaves,
                                      tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_list_part_leaves(tsr_grid_device *grid, tsr_leaf_list *leaves,
                                     tsr_error *error);

// ---- parts.cu

// Starts to find the leaves that are cut and to count their parts. tsr_grid_take_parts takes over
// the counts once the stream has finished.
tsr_status tsr_grid_count_parts(tsr_grid_device *grid, const tsr_leaf_list &leaves,
                                tsr_cut_ways *ways, tsr_cut_list *cuts, tsr_error *error);
void tsr_grid_take_parts(const tsr_grid_device *grid, tsr_cut_ways *ways, tsr_cut_list *cuts);

// ---- points.cu

// Lists the places of the output points, once they are numbered.
tsr_status tsr_grid_list_places(tsr_grid_device *grid, tsr_point_list *points, tsr_error *error);

// ---- steps.cu

// Starts the device's clock, and sets up an executor of the steps in grid/steps.h, until
// tsr_grid_end_steps adds the time of its kernels to the report. times: lives as long as *e.
tsr_status tsr_grid_begin_steps(tsr_grid_device *grid, const tsr_grid_request *request,
                                tsr_report *times, tsr_executor *e, tsr_error *error);
tsr_status tsr_grid_end_steps(tsr_grid_device *grid, const tsr_grid_request *request,
                              tsr_executor *e, tsr_error *error);

// Output as trees or patches: lists their nodes, in lists->trees and, for what all kinds of output
// share, in lists->leaves.
tsr_status tsr_grid_list_nodes(tsr_grid_device *grid, tsr_executor *e, tsr_plan_lists *lists,
                               tsr_grid_counts *counts, tsr_error *error);

// Numbers the output points: the corners of the leaves and the places of those that are cut. Waits
// until that is done. Output as polygons: also counts the points on the sides of each leaf.
tsr_status tsr_grid_number_points(tsr_grid_device *grid, tsr_executor *e, tsr_plan_lists *lists,
                                  tsr_error *error);

#endif
