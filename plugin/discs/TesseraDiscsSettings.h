// SPDX-License-Identifier: BSD-3-Clause
#ifndef TesseraDiscsSettings_h
#define TesseraDiscsSettings_h

#include "tessera.h"

#include <string>
#include <vector>

namespace tessera {

/** What the user has set on Disc Image. */
struct DiscsSettings {
  tsr_discs_options Options; /**< without place, radius and table */
  int Plane;                 /**< 0: XY, 1: YZ, 2: XZ */
  bool UseRegion;
  double Region[6];
  double Radius, RadiusScale;
  int ColorMode; /**< 0: constant, 1: array of colours, 2: array through the map */
  std::string RadiusArray, ColorArray, OpacityArray, OrderArray;
  std::vector<double> ColorMap; /**< value, red, green, blue of each point */
  bool TopPoint;
};

} // namespace tessera

#endif
