/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the table of what the user sets. Where a bound depends on another option, check.c has the
 *  rule. */
#include "common/support.h"
#include "grid/tessera_grid.h"

#include <math.h>

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(tsr_grid_options, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)
#define BYTES(NAME, MEMBER, LEAST, MOST, VALUE) /* shown in MiB */                                 \
  TSR_PROPERTY(tsr_grid_options, NAME, MEMBER, INT64, 1, 1 << 20, LEAST, MOST, VALUE)

static const tsr_property properties[] = {
    ONE(GridType, mode, CHOICE, 1, 0, TSR_GRID_FINE, TSR_GRID_ADAPTIVE),
    ONE(CoarsenLevels, coarsen_levels, INT, 1, 0, TSR_GRID_MAX_LEVEL, 3),
    ONE(RefineLevels, refine_levels, INT, 1, 0, TSR_GRID_MAX_LEVEL, 0),
    ONE(BufferCells, buffer_cells, INT, 1, 0, 16, 0),
    ONE(Balance, balance, CHOICE, 1, 0, TSR_BALANCE_CORNER, TSR_BALANCE_FACE),
    ONE(CellBudget, cell_budget, INT64, 1, 0, INFINITY, 0),
    ONE(LevelInside, inside_level, INT, 1, 0, TSR_GRID_MAX_LEVEL, TSR_GRID_MAX_LEVEL),
    ONE(LevelOutside, outside_level, INT, 1, 0, TSR_GRID_MAX_LEVEL, TSR_GRID_MAX_LEVEL),
    ONE(AMRBlockSize, block_size, INT, 1, 2, 64, 8),
    ONE(LaunchStrategy, launch.strategy, INT, 1, 0, TSR_STRATEGY_DEVICE_LAUNCHED,
        TSR_GRID_STRATEGY_AUTO),
    BYTES(KeepInputOnDevice, keep_bytes, 0, INFINITY, 1 << 30)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_grid_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_grid_options_init(tsr_grid_options *options) {
  tsr_options_init(options, sizeof *options, properties, PROPERTIES);
  options->n_ranks = 1;
}
