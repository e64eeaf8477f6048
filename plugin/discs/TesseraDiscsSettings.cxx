// SPDX-License-Identifier: BSD-3-Clause
#include "discs/TesseraDiscsSettings.h"

#include <cmath>
#include <cstddef>

namespace tessera {

namespace {

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(DiscsChoices, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)

const tsr_property PROPERTIES[] = {
    ONE(Plane, Plane, CHOICE, 1, 0, 2, 0),
    ONE(UseRegion, UseRegion, INT, 1, 0, 1, 0),
    ONE(Region, Region, DOUBLE, 6, -INFINITY, INFINITY, 0, 1, 0, 1, 0, 1),
    ONE(Radius, Radius, DOUBLE, 1, 0, INFINITY, 1),
    ONE(RadiusScale, RadiusScale, DOUBLE, 1, 0, INFINITY, 1),
    ONE(ColorMode, ColorMode, CHOICE, 1, 0, 2, 0),
    ONE(UseScalarRange, UseScalarRange, INT, 1, 0, 1, 0),
    ONE(ScalarRange, ScalarRange, DOUBLE, 2, -INFINITY, INFINITY, 0, 1),
    ONE(GenerateTopPoint, TopPoint, INT, 1, 0, 1, 0)};

} // namespace

const tsr_property *DiscsProperties(int *n) {
  *n = static_cast<int>(sizeof(PROPERTIES) / sizeof(PROPERTIES[0]));
  return PROPERTIES;
}

DiscsSettings::DiscsSettings() : DiscsChoices() {
  int n;
  const tsr_property *properties = DiscsProperties(&n);
  tsr_properties_init(properties, n, static_cast<DiscsChoices *>(this));
  tsr_discs_options_init(&this->Options);
}

} // namespace tessera
