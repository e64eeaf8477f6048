/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the table of what the user sets. Where a bound depends on another option, check.c
 *  has the rule. */
#include "common/support.h"
#include "pointgrid/tessera_pointgrid.h"

#include <math.h>

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(tsr_pointgrid_options, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)

static const tsr_property properties[] = {
    ONE(TreeShape, shape, CHOICE, 1, 0, TSR_POINTGRID_XZ, TSR_POINTGRID_OCTREE),
    ONE(MaximumPointsPerCell, max_points, INT64, 1, 1, INFINITY, 64),
    ONE(MaximumLevel, max_level, INT, 1, 0, TSR_POINTGRID_MAX_LEVEL, TSR_POINTGRID_MAX_LEVEL),
    ONE(UseSpread, use_spread, INT, 1, 0, 1, 0),
    ONE(SpreadOf, spread_of, CHOICE, 1, 0, TSR_POINTGRID_SPREAD_OF_Z,
        TSR_POINTGRID_SPREAD_OF_ARRAY),
    ONE(SpreadComponent, spread_component, INT, 1, -1, INFINITY, -1),
    ONE(Spread, spread, DOUBLE, 1, 0, INFINITY, 1),
    ONE(Balance, balance, CHOICE, 1, 0, TSR_BALANCE_CORNER, TSR_BALANCE_NONE),
    ONE(OutputType, output, CHOICE, 1, 0, TSR_POINTGRID_POINTS, TSR_POINTGRID_CELLS),
    ONE(LaunchStrategy, launch.strategy, INT, 1, 0, TSR_POINTGRID_HOST_WAVES,
        TSR_POINTGRID_STRATEGY_AUTO),
    ONE(ChildStream, launch.child_stream, CHOICE, 1, 0, TSR_CHILD_TAIL, TSR_CHILD_FIRE_AND_FORGET),
    ONE(PendingLaunchCount, launch.pending_launches, INT64, 1, 0, 262144, 0),
    ONE(NestingDepth, launch.nesting_depth, INT, 1, 1, 24, 8)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_pointgrid_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_pointgrid_options_init(tsr_pointgrid_options *options) {
  tsr_options_init(options, sizeof *options, properties, PROPERTIES);
  options->n_ranks = 1;
}
