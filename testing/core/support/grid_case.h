/* SPDX-License-Identifier: BSD-3-Clause */
/** Structured grids for tests, the output of the core for them, and slow checks of that output. */
#ifndef TESSERA_TEST_GRID_CASE_H
#define TESSERA_TEST_GRID_CASE_H

#include "tessera.h"

/** A whole grid with one point and one cell array of doubles. */
typedef struct grid_case {
  int64_t cells[3]; /**< 0 along an axis without cells */
  int64_t n_points, n_cells;
  double *points; /**< one value a point */
  double *values; /**< one value a cell */
  uint8_t *hidden;
} grid_case;

/** Arrays of zeros. */
void grid_case_init(grid_case *grid, int64_t nx, int64_t ny, int64_t nz);
void grid_case_free(grid_case *grid);

/** Smooth bumps and a front, with some noise, in both arrays. */
void grid_case_fill(grid_case *grid, uint64_t seed);

/** A view of the grid, with unit spacing. */
tsr_grid_view grid_case_view(const grid_case *grid);

tsr_array grid_case_points(const grid_case *grid);
tsr_array grid_case_cells(const grid_case *grid);

/** A criterion on the point array. */
tsr_grid_criterion grid_criterion(const grid_case *grid, tsr_grid_measure measure,
                                  double threshold);

/** Default options with n criteria. */
tsr_grid_options grid_options(const tsr_grid_criterion *criteria, int n);

/** Input cell that cell k of the finest level, i fastest, belongs to: its place in the cell arrays.
 */
int64_t grid_finest_source(const grid_case *grid, const tsr_grid_options *options, int64_t k);

/** Cells of the finest level. */
int64_t grid_finest_count(const grid_case *grid, const tsr_grid_options *options);

/** Plan and output of a grid; the arrays have the plan's sizes. */
typedef struct grid_out {
  tsr_grid_plan *plan;
  tsr_grid_sizes sizes;
  tsr_error error;
  const tsr_grid_node *nodes;
  double *points;
  int64_t *offsets, *connectivity;
  double *point_values, *cell_values;
  double point_error, cell_error;
  int32_t *level;
  int64_t *source_cell;
  uint8_t *state, *hanging, *cell_type;
  int64_t *leaf;
  double *indicator;
} grid_out;

/** Plans and fills everything. execution: NULL = defaults. */
tsr_status grid_run(const grid_case *grid, const tsr_grid_view *view,
                    const tsr_grid_options *options, const tsr_execution *execution, grid_out *out);
void grid_out_free(grid_out *out);

/** The number of the leaf that holds each cell of the finest level, i fastest; -1 if none does.
 * Allocated by malloc. A check fails if two leaves hold the same cell. */
int64_t *grid_leaf_map(const grid_case *grid, const tsr_grid_options *options, const grid_out *out);

/** Pairs of neighbours (across faces; and edges if kind > 1; and corners if kind > 2) that
 *  differ by more than a level, found by looking at every cell of the finest level. */
int64_t grid_unbalanced(const grid_case *grid, const tsr_grid_options *options, const grid_out *out,
                        const int64_t *map, int kind);

#endif
