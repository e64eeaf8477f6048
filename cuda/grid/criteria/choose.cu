// SPDX-License-Identifier: BSD-3-Clause
// Chooses how a rule is marked. Every way sets the same bits; the faster ones take fewer rules and
// grids.
#include "cuda/grid/criteria/dense.cuh"
#include "cuda/grid/criteria/marking.cuh"

namespace {

// The rules and grids that a way can mark.
struct choice {
  tsr_way way;
  unsigned measures; // bits 1 << measure
  bool simple;       // only one float or double a sample, in three dimensions, with no hidden cell
  bool points;       // only point data
  bool floats;       // only floats
  bool alone;        // only if no other rule and nothing else refines nodes
  int least, most;   // levels above the input cells
  int (*fits)(const tsr_grid_frame &f, const tsr_rule &rule); // limits of its kernels
};

int fits_all(const tsr_grid_frame &, const tsr_rule &) { return 1; }

// The tiles of pass.cuh: blocks along an axis, bytes of a plane, and nodes of 16 cubed cells that
// begin with a tile. The tiles do not look below the input cells.
int fits_tiles(const tsr_grid_frame &f, const tsr_rule &rule) {
  const tsr_lattice &lattice = f.lattice;
  const int64_t *step = rule.cell_data ? lattice.cell_step : lattice.point_step;
  int fits = lattice.levels == lattice.coarsen &&
             step[2] * (int64_t)tsr_type_size(rule.array.type) <= UINT32_MAX;
  for (int a = 0; a < 3; ++a)
    fits = fits && lattice.cells[a] <= 16 * 65535 && f.range[lattice.coarsen][a][0] % 16 == 0;
  return fits;
}

// The columns of columns.cuh: points at even steps, and 32-bit numbers of a level's nodes.
int fits_columns(const tsr_grid_frame &f, const tsr_rule &) {
  const tsr_lattice &lattice = f.lattice;
  int fits = f.space.geometry != TSR_GEOMETRY_RECTILINEAR && lattice.levels >= lattice.coarsen;
  for (int level = 0; level < lattice.coarsen; ++level)
    fits = fits && tsr_range_nodes(f, level) < INT32_MAX;
  return fits;
}

int fits_bounds(const tsr_grid_frame &f, const tsr_rule &rule) {
  return fits_columns(f, rule) && tsr_dense_fits(f, f.lattice.coarsen - 3);
}

const unsigned range = 1u << TSR_MEASURE_VALUE_RANGE,
               error_of = 1u << TSR_MEASURE_INTERPOLATION_ERROR,
               slope = 1u << TSR_MEASURE_GRADIENT | 1u << TSR_MEASURE_STANDARD_DEVIATION, any = ~0u;
const int all = TSR_GRID_MAX_LEVEL;

// The first row that takes a rule says how it is marked.
// clang-format off
const choice choices[] = {
    // way                  measures  simple points floats alone  levels   limits
    {TSR_WAY_RANGE_PASS,    range,    true,  false, false, false, 3, all,  fits_tiles},
    {TSR_WAY_SLOPE_PASS,    slope,    true,  true,  false, false, 3, all,  fits_tiles},
    {TSR_WAY_ERROR_BOUNDS,  error_of, true,  true,  true,  true,  3, 10,   fits_bounds},
    {TSR_WAY_ERROR_COLUMNS, error_of, true,  true,  false, false, 1, 10,   fits_columns},
    {TSR_WAY_ERROR_NODES,   error_of, false, false, false, false, 0, all,  fits_all},
    {TSR_WAY_LEVELS,        any,      false, false, false, false, 0, all,  fits_all},
};
// clang-format on

int takes(const choice &c, const tsr_grid_frame &f, const tsr_rule &rule, int alone) {
  const tsr_array &array = rule.array;
  const int coarsen = f.lattice.coarsen;
  const bool is_simple = f.lattice.dimension == 3 && array.components == 1 && !f.hidden &&
                         (array.type == TSR_FLOAT || array.type == TSR_DOUBLE);
  return (c.measures >> rule.measure & 1) && (is_simple || !c.simple) &&
         !(rule.cell_data && c.points) && (array.type == TSR_FLOAT || !c.floats) &&
         (alone || !c.alone) && coarsen >= c.least && coarsen <= c.most && c.fits(f, rule);
}

} // namespace

tsr_way tsr_way_of(const tsr_grid_device *grid, const tsr_rule &rule, int alone) {
  const choice *c = choices;
  while (!takes(*c, grid->frame, rule, alone))
    ++c;
  return c->way;
}

tsr_status tsr_mark_rule(tsr_grid_device *grid, tsr_rule rule, int alone, int fresh,
                         tsr_error *error) {
  int if_odd = 0;
  const tsr_way way = tsr_way_of(grid, rule, alone);
  switch (way) {
  case TSR_WAY_RANGE_PASS:
    return tsr_mark_by_range_pass(grid, rule, fresh, 0, error);
  case TSR_WAY_SLOPE_PASS:
    return tsr_mark_by_slope_pass(grid, rule, error);
  case TSR_WAY_LEVELS:
    return tsr_mark_by_levels(grid, rule, error);
  case TSR_WAY_ERROR_NODES:
    TSR_STEP(tsr_mark_by_error_nodes(grid, rule, error));
    break;
  case TSR_WAY_ERROR_COLUMNS:
  case TSR_WAY_ERROR_BOUNDS:
    TSR_STEP(tsr_mark_by_error_columns(grid, rule, alone, way == TSR_WAY_ERROR_BOUNDS, error));
    if_odd = rule.max_level < 0;
  }
  // The interpolation error's own kernels neither refine nor count all values that are not finite:
  // the value range does, with a threshold that nothing finite exceeds.
  rule.measure = TSR_MEASURE_VALUE_RANGE;
  rule.threshold = TSR_INFINITY;
  return tsr_way_of(grid, rule, alone) == TSR_WAY_RANGE_PASS
             ? tsr_mark_by_range_pass(grid, rule, fresh, if_odd, error)
             : tsr_mark_by_levels(grid, rule, error);
}
