/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the table of the choices. */
#include "pointgrid/tessera_pointgrid_choices.h"

/* Property, member, type, bounds, default. */
#define ONE(NAME, MEMBER, TYPE, LEAST, MOST, VALUE)                                                \
  TSR_PROPERTY(tsr_pointgrid_choices, NAME, MEMBER, TYPE, 1, 1, LEAST, MOST, VALUE)

static const tsr_property properties[] = {ONE(OutputPrecision, output_precision, CHOICE, 0, 2, 2),
                                          ONE(GenerateLevel, level, INT, 0, 1, 1),
                                          ONE(GenerateDensity, density, INT, 0, 1, 1),
                                          ONE(GenerateMeans, means, INT, 0, 1, 1),
                                          ONE(GenerateExtremes, extremes, INT, 0, 1, 1),
                                          ONE(GenerateCoordinates, coordinates, INT, 0, 1, 0)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_pointgrid_choices_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_pointgrid_choices_init(tsr_pointgrid_choices *choices) {
  tsr_properties_init(properties, PROPERTIES, choices);
}
