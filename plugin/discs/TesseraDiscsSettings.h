// SPDX-License-Identifier: BSD-3-Clause
#ifndef TesseraDiscsSettings_h
#define TesseraDiscsSettings_h

#include "tessera.h"

#include <string>
#include <vector>

namespace tessera {

/** What the user sets beside the options of the core; DiscsProperties has the defaults. */
struct DiscsChoices {
  int Plane; /**< 0: XY, 1: YZ, 2: XZ */
  int UseRegion;
  double Region[6];
  double Radius, RadiusScale;
  int ColorMode; /**< 0: constant, 1: array of colours, 2: array through the map */
  int UseScalarRange;
  double ScalarRange[2];
  int TopPoint;
};

/** The table of the choices; n: receives how many. */
const tsr_property *DiscsProperties(int *n);

/** What the user has set on Disc Image. */
struct DiscsSettings : DiscsChoices {
  DiscsSettings();

  tsr_discs_options Options; /**< without place, radius and table */
  std::string RadiusArray, ColorArray, OpacityArray, OrderArray;
  std::vector<double> ColorMap; /**< value, red, green, blue of each point */
};

} // namespace tessera

#endif
