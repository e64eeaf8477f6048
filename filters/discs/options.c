/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: the table of what the user sets. */
#include "common/support.h"
#include "discs/tessera_discs.h"

#include <math.h>

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(tsr_discs_options, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)

static const tsr_property properties[] = {
    ONE(Resolution, width, INT, 2, 1, TSR_DISCS_MAX_SIDE, 1024, 1024),
    ONE(Supersampling, supersampling, INT, 1, 1, 4, 1),
    ONE(RadiusUnit, radius_in_pixels, CHOICE, 1, 0, 1, 0),
    ONE(Color, color, DOUBLE, 3, 0, 1, 1, 1, 1),
    ONE(NanColor, nan_color, DOUBLE, 3, 0, 1, 1, 1, 0),
    ONE(Opacity, opacity, DOUBLE, 1, 0, 1, 1),
    ONE(Falloff, falloff, CHOICE, 1, 0, TSR_DISCS_GAUSSIAN, TSR_DISCS_EVEN),
    ONE(Sharpness, sharpness, DOUBLE, 1, 0, 100, 5),
    ONE(Order, order, CHOICE, 1, 0, TSR_DISCS_BY_ARRAY, TSR_DISCS_BY_INDEX),
    ONE(Background, background, DOUBLE, 3, 0, 1, 0, 0, 0),
    ONE(BackgroundOpacity, background[3], DOUBLE, 1, 0, 1, 0),
    ONE(LaunchStrategy, launch.strategy, INT, 1, 0, TSR_DISCS_FLAT, TSR_DISCS_STRATEGY_AUTO),
    ONE(ChildStream, launch.child_stream, CHOICE, 1, 0, TSR_CHILD_TAIL, TSR_CHILD_FIRE_AND_FORGET),
    ONE(PendingLaunchCount, launch.pending_launches, INT64, 1, 0, 262144, 0),
    ONE(LaunchThreshold, launch.launch_threshold, INT64, 1, 0, INFINITY, 0)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_discs_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_discs_options_init(tsr_discs_options *options) {
  tsr_options_init(options, sizeof *options, properties, PROPERTIES);
  options->right[0] = options->up[1] = 1.0;
  options->pixel_size = options->radius = 1.0;
  options->range[0] = 1.0; /* above range[1]: that of the scalars */
}
