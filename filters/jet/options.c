/* SPDX-License-Identifier: BSD-3-Clause */
/** The jet: the table of what the user sets. */
#include "common/support.h"
#include "jet/tessera_jet.h"

#include <math.h>
#include <string.h>

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(tsr_jet_options, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)

static const tsr_property properties[] = {
    ONE(Bounds, bounds, DOUBLE, 6, -INFINITY, INFINITY, 0, 4, -1, 1, -1, 1),
    ONE(Modes, modes, INT, 1, 0, TSR_JET_MAX_MODES, 32),
    ONE(Strength, strength, DOUBLE, 1, 0, 2, 0.5),
    ONE(LowestWavenumber, lowest, DOUBLE, 1, 0, INFINITY, 2),
    ONE(HighestWavenumber, highest, DOUBLE, 1, 0, INFINITY, 24),
    ONE(Seed, seed, INT64, 1, -INFINITY, INFINITY, 1),
    ONE(Speed, speed, DOUBLE, 1, -INFINITY, INFINITY, 1),
    ONE(TemperatureRange, cold, DOUBLE, 2, -INFINITY, INFINITY, 300, 2200)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_jet_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_jet_options_init(tsr_jet_options *options) {
  static const int64_t whole[6] = {0, 127, 0, 63, 0, 63};
  tsr_options_init(options, sizeof *options, properties, PROPERTIES);
  memcpy(options->whole, whole, sizeof whole);
}
