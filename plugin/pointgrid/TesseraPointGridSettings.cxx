// SPDX-License-Identifier: BSD-3-Clause
#include "pointgrid/TesseraPointGridSettings.h"

#include <cmath>
#include <cstddef>

namespace tessera {

namespace {

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(PointGridChoices, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)

const tsr_property PROPERTIES[] = {
    ONE(OutputPrecision, OutputPrecision, CHOICE, 1, 0, 2, 2),
    ONE(GenerateLevel, Level, INT, 1, 0, 1, 1), ONE(GenerateDensity, Density, INT, 1, 0, 1, 1),
    ONE(GenerateMeans, Means, INT, 1, 0, 1, 1), ONE(GenerateExtremes, Extremes, INT, 1, 0, 1, 1)};

} // namespace

const tsr_property *PointGridProperties(int *n) {
  *n = static_cast<int>(sizeof(PROPERTIES) / sizeof(PROPERTIES[0]));
  return PROPERTIES;
}

PointGridSettings::PointGridSettings() : PointGridChoices() {
  int n;
  const tsr_property *properties = PointGridProperties(&n);
  tsr_properties_init(properties, n, static_cast<PointGridChoices *>(this));
  tsr_pointgrid_options_init(&this->Options);
}

} // namespace tessera
