/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: the table of what the user sets. */
#include "common/support.h"
#include "ordering/tessera_ordering.h"

#include <math.h>

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(tsr_ordering_options, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)

static const tsr_property properties[] = {
    ONE(CutAtGaps, use_gap, INT, 1, 0, 1, 0),
    ONE(MaximumGap, max_gap, DOUBLE, 1, 0, INFINITY, 1),
    ONE(CutAtDistances, use_distance, INT, 1, 0, 1, 0),
    ONE(MaximumDistance, max_distance, DOUBLE, 1, 0, INFINITY, 1),
    ONE(RemoveRepeats, drop_repeats, INT, 1, 0, 1, 0),
    ONE(RepeatTolerance, tolerance, DOUBLE, 1, 0, INFINITY, 0),
    ONE(SinglePoints, singles, CHOICE, 1, 0, TSR_SINGLES_DROP, TSR_SINGLES_VERTICES)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_ordering_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_ordering_options_init(tsr_ordering_options *options) {
  tsr_options_init(options, sizeof *options, properties, PROPERTIES);
}
